"""A folder with a cross-encoder of ours: a graph, ``tokenizer.json`` and ``crossencoder.json``.

`locisimiles.train.crossencoder.graph` writes it; onnxruntime and tokenizers read it, without torch.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.errors import MalformedInputError
from locisimiles.models.model_files import ModelFiles, has_file, read_settings, shipped, size_in
from locisimiles.models.pair_pieces import CLASSES

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from locisimiles.models.pair_pieces import PairBatch

__all__ = [
    "BUDGET",
    "GRAPH",
    "INPUTS",
    "OUTPUT",
    "SETTINGS",
    "SHIPPED",
    "CrossEncoderFolder",
    "is_cross_encoder_folder",
    "parts_of",
    "shipped_cross_encoder_folder",
]

GRAPH, SETTINGS = "crossencoder.onnx", "crossencoder.json"
INPUTS, OUTPUT = ("numbers", "marks", "parts"), "logits"
BUDGET = 128
"""How many word pieces a pair has at most, unless the model's files say otherwise."""
SHIPPED = "latin"
"""The name of the cross-encoder that comes with the package."""

_PARTS = {"parts": 3, "cls": 1}
_AGAIN = "fetch or export the model again"


def parts_of(pooling: str) -> int:
    """Return how many vectors the head sees.

    Examples
    --------
    >>> parts_of("parts"), parts_of("cls")
    (3, 1)
    """
    return _PARTS[pooling]


@dataclass(frozen=True, slots=True)
class CrossEncoderFolder:
    """What ``crossencoder.json`` says of a model.

    Attributes
    ----------
    path
        Where it is.
    vocabulary
        How many word pieces it knows.
    pooling
        What its head sees.
    budget
        How many pieces a pair may have in all; each side gets half.
    matches
        Whether pieces that stand on both sides are marked.
    graph_sha256, vocabulary_sha256
        Of the other two files.
    """

    path: Path
    vocabulary: int
    pooling: str
    budget: int
    matches: bool
    graph_sha256: str
    vocabulary_sha256: str

    @property
    def name(self) -> str:
        """What manifests call it: not where it is, which says nothing of it."""
        return SHIPPED if self.path == _shipped_path() else self.path.resolve().name

    @classmethod
    def read(cls, path: Path) -> CrossEncoderFolder:
        """Read what a model is; the network itself is read when it is needed.

        Raises
        ------
        InputError
            If a file is not there, or the folder holds something else.
        """
        content = read_settings(path, GRAPH, SETTINGS, "a cross-encoder")
        pooling, matches = content.get("pooling"), content.get("matches")
        if not isinstance(pooling, str) or pooling not in _PARTS or not isinstance(matches, bool):
            raise MalformedInputError(
                "pooling or matches is nothing we know", file=str(path / SETTINGS), hint=_AGAIN
            )
        vocabulary, budget = (
            size_in(content, name, path / SETTINGS) for name in ("vocabulary", "budget")
        )
        return cls(
            path,
            vocabulary=vocabulary,
            pooling=pooling,
            budget=budget,
            matches=matches,
            graph_sha256=str(content.get("crossencoder_sha256")),
            vocabulary_sha256=str(content.get("tokenizer_sha256")),
        )

    def network(self, *, cores: int = 1) -> Callable[[PairBatch], NDArray[np.float32]]:
        """Load the network.

        Parameters
        ----------
        cores
            How many work on one batch.

        Returns
        -------
        callable
            Takes pairs of one length; returns a number for each class, a row a pair. It may be
            called from several threads.

        Raises
        ------
        MissingDependencyError
            If onnxruntime is not installed.
        InputError
            If the network is damaged, or is another one.
        """
        network = self._files.network(INPUTS, {OUTPUT: CLASSES}, cores=cores)
        parts = _PARTS[self.pooling]

        def run(batch: PairBatch) -> NDArray[np.float32]:
            shares = _shares(batch)[:, :parts]
            columns: tuple[NDArray[Any], ...] = (batch.numbers, batch.marks, shares)
            return network(OUTPUT, dict(zip(INPUTS, columns, strict=True)))

        return run

    def tokenizer(self) -> Any:  # noqa: ANN401 - tokenizers has no types
        """Load the vocabulary.

        Raises
        ------
        MissingDependencyError
            If tokenizers is not installed.
        InputError
            If it is damaged, or belongs to another network.
        """
        return self._files.tokenizer(self.vocabulary)

    @property
    def _files(self) -> ModelFiles:
        return ModelFiles(self.path, GRAPH, SETTINGS, self.graph_sha256, self.vocabulary_sha256)


def _shares(batch: PairBatch) -> NDArray[np.float32]:
    """Return how much each piece counts in the first vector and in the means of both sides."""
    query, source = batch.lengths[:, :1], batch.lengths[:, 1:]
    place = np.arange(batch.numbers.shape[1])[None, :]
    of_query = (place >= 1) & (place <= query)
    of_source = (place >= query + 2) & (place < query + 2 + source)
    first = np.broadcast_to(place == 0, of_query.shape)
    chosen = np.stack([first, of_query, of_source], axis=1).astype(np.float32)
    shares: NDArray[np.float32] = chosen / np.maximum(chosen.sum(axis=2, keepdims=True), 1)
    return shares


def is_cross_encoder_folder(path: Path) -> bool:
    """Whether a folder looks like one of ours.

    Examples
    --------
    >>> is_cross_encoder_folder(Path("no-such-folder"))
    False
    """
    return has_file(path, GRAPH)


def shipped_cross_encoder_folder() -> Path:
    """Return the folder of the cross-encoder that comes with the package.

    Raises
    ------
    InputError
        If it does not.
    """
    return shipped(_shipped_path(), GRAPH, f"cross-encoder {SHIPPED!r}")


def _shipped_path() -> Path:
    return Path(__file__).parent / "data" / "crossencoder"
