"""A folder in which an encoder is pretrained: text, vocabulary, checkpoint, result.

Everything that takes long is written as soon as it is done, so that an interrupted run resumes.
"""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.files.writing import atomic_binary, make_folder
from locisimiles.progress import silent
from locisimiles.train.common.files import keep_settings
from locisimiles.train.encoder.corpus import (
    encode_lines,
    learn_vocabulary,
    prepare_corpus,
    read_prepared,
)
from locisimiles.train.encoder.folder import VOCABULARY
from locisimiles.train.encoder.piece_files import write_piece_files

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from locisimiles.progress import Progress
    from locisimiles.train.encoder.folder import EncoderConfig
    from locisimiles.train.encoder.pretraining import Evaluation, PretrainSettings

__all__ = ["EncoderProject"]

_CORPUS, _PIECES, _SETTINGS = "corpus.txt.xz", "pieces.npy", "settings.json"
_CHECKPOINTS, _ENCODER = "checkpoints", "encoder"
_LINES_FOR_VOCABULARY = 600_000


class EncoderProject:
    """Pretrains an encoder in a folder, in as many runs as it takes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        make_folder(folder)

    def prepare(
        self, corpora: Sequence[Path], *, vocabulary: int = 24_000, progress: Progress = silent
    ) -> int:
        """Prepare text and vocabulary unless they exist; return the number of word pieces."""
        corpus = self.folder / _CORPUS
        if not corpus.exists():
            if not corpora:
                raise ParameterError("train.no_corpus")
            prepare_corpus(corpora, corpus, progress=progress)
        if not (self.folder / _PIECES).exists():
            lines = list(read_prepared(corpus))
            drawn = random.Random(0).sample(lines, min(len(lines), _LINES_FOR_VOCABULARY))  # noqa: S311
            tokenizer = learn_vocabulary(drawn, vocabulary)
            tokenizer.save(str(self.folder / VOCABULARY))
            with atomic_binary(self.folder / _PIECES) as stream:
                np.save(stream, encode_lines(tokenizer, lines))
        return len(np.load(self.folder / _PIECES, mmap_mode="r"))

    def pack(self) -> list[Path]:
        """Write the pieces as files for another machine; see `locisimiles.train.encoder.job`."""
        return write_piece_files(np.load(self.folder / _PIECES), self.folder)

    def train(
        self,
        config: EncoderConfig,
        settings: PretrainSettings,
        *,
        seconds: float,
        progress: Progress = silent,
    ) -> tuple[int, Evaluation]:
        """Train until the time is up or all steps are done, then save and evaluate.

        Return how many steps are done in all, and how well masked pieces of held-out text are
        guessed. After the last step, ``encoder/`` holds the encoder and its vocabulary.
        """
        from locisimiles.train.encoder.pretraining import Pretraining

        described = {"config": config.as_dict(), "settings": asdict(settings)}
        keep_settings(self.folder / _SETTINGS, described)
        training = Pretraining(np.load(self.folder / _PIECES), config, settings)
        training.resume(self.folder / _CHECKPOINTS)
        training.run(seconds, progress=progress)
        training.save(self.folder / _CHECKPOINTS)
        if training.step >= settings.steps:
            training.export(self.folder / _ENCODER)
            shutil.copyfile(self.folder / VOCABULARY, self.folder / _ENCODER / VOCABULARY)
        return training.step, training.evaluate()

    def vocabulary_size(self) -> int:
        """Return the number of word pieces of the vocabulary."""
        content = json.loads((self.folder / VOCABULARY).read_text(encoding="utf-8"))
        return len(content["model"]["vocab"])
