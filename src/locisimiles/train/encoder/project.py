"""A folder in which an encoder is trained: prepared text, vocabulary, state, result.

Everything that takes long is written as soon as it is done, so that a run that was cut off goes on
where it was.
"""

from __future__ import annotations

import json
import random
import shutil
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.progress import silent
from locisimiles.train.encoder.corpus import prepare_corpus, read_prepared
from locisimiles.train.encoder.vocabulary import encode_lines, learn_vocabulary
from locisimiles.train.plans import keep_plan

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from locisimiles.progress import Progress
    from locisimiles.train.encoder.network import EncoderConfig
    from locisimiles.train.encoder.pretraining import Evaluation, PretrainSettings

__all__ = ["EncoderProject"]

_CORPUS, _VOCABULARY, _PIECES, _PLAN = "corpus.txt.xz", "tokenizer.json", "pieces.npy", "plan.json"
_ENCODER = "encoder"
_LINES_FOR_VOCABULARY = 600_000


class EncoderProject:
    """Trains an encoder in a folder, in as many runs as it takes.

    Parameters
    ----------
    folder
        Where everything is kept; it is made if it is not there.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def prepare(
        self, corpora: Sequence[Path], *, vocabulary: int = 24_000, progress: Progress = silent
    ) -> int:
        """Prepare text and vocabulary, as far as they are not there yet.

        Returns
        -------
        int
            How many word pieces there are.

        Raises
        ------
        ParameterError
            If there is no prepared text, and nothing to prepare.
        """
        corpus = self.folder / _CORPUS
        if not corpus.exists():
            if not corpora:
                raise ParameterError("there is no text yet", hint="name corpus files")
            unfinished = self.folder / f"{_CORPUS}.new"
            prepare_corpus(corpora, unfinished, progress=progress)
            unfinished.replace(corpus)
        if not (self.folder / _PIECES).exists():
            lines = list(read_prepared(corpus))
            drawn = random.Random(0).sample(lines, min(len(lines), _LINES_FOR_VOCABULARY))  # noqa: S311
            tokenizer = learn_vocabulary(drawn, vocabulary)
            tokenizer.save(str(self.folder / _VOCABULARY))
            np.save(self.folder / _PIECES, encode_lines(tokenizer, lines))
        return len(np.load(self.folder / _PIECES, mmap_mode="r"))

    def train(
        self,
        config: EncoderConfig,
        settings: PretrainSettings,
        *,
        seconds: float,
        progress: Progress = silent,
    ) -> tuple[int, Evaluation]:
        """Train until the clock runs out or all steps are done, then save and evaluate.

        Returns
        -------
        steps, evaluation
            How many steps are done in all, and how well hidden pieces of held-out text are
            guessed. When the last step is done, the encoder is written to ``encoder/``, with its
            vocabulary.

        Raises
        ------
        InputError
            If the folder was made for another network or other settings.
        """
        from locisimiles.train.encoder.pretraining import Pretraining

        plan = {"config": config.as_dict(), "settings": settings.as_dict()}
        keep_plan(self.folder / _PLAN, plan)
        training = Pretraining(np.load(self.folder / _PIECES), config, settings)
        if (self.folder / "state.pt").exists():
            training.resume(self.folder)
        training.run(seconds, progress=progress)
        training.save(self.folder)
        if training.step >= settings.steps:
            training.export(self.folder / _ENCODER)
            shutil.copyfile(self.folder / _VOCABULARY, self.folder / _ENCODER / _VOCABULARY)
        return training.step, training.evaluate()

    def vocabulary_size(self) -> int:
        """Return how many word pieces the vocabulary has."""
        content = json.loads((self.folder / _VOCABULARY).read_text(encoding="utf-8"))
        return len(content["model"]["vocab"])
