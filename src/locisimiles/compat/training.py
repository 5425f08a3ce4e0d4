"""What the paper's package trains is trained by ``locisimiles train``; its names say so."""

from __future__ import annotations

from locisimiles.errors import ParameterError

__all__: list[str] = []

_COMMANDS = {
    "ClassificationTrainer": "locisimiles train crossencoder",
    "ClassificationTrainerConfig": "locisimiles train crossencoder",
    "EmbeddingTrainer": "locisimiles train late",
    "EmbeddingTrainerConfig": "locisimiles train late",
    "LexicalClassifierTrainer": "locisimiles train classifier",
    "LexicalClassifierTrainerConfig": "locisimiles train classifier",
    "TrainingData": "locisimiles train",
    "Word2VecTrainer": "locisimiles train vectors",
    "Word2VecTrainerConfig": "locisimiles train vectors",
}


def __getattr__(name: str) -> object:
    if name not in _COMMANDS:
        raise AttributeError(name)
    raise ParameterError("compat.training", name=name, command=_COMMANDS[name])
