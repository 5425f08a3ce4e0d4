"""Our cross-encoder, run by onnxruntime without torch.

It has its own ``tokenizer.json``, or uses that of the encoder it was trained from, which its
settings name by `OnnxEncoder.sha256`. Each text is cut into pieces once.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.checks import check_pairs
from locisimiles.errors import InputError, MalformedInputError
from locisimiles.models.batches import batches_of_one_length
from locisimiles.models.onnx_encoder import OnnxEncoder
from locisimiles.models.onnx_model import SHIPPED, VOCABULARY, OnnxModel
from locisimiles.models.pair_pieces import (
    CLASSES,
    OUR_TEMPLATE,
    PairTexts,
    needed_texts,
    read_text_pieces,
)
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from locisimiles.models.pair_pieces import PairBatch, TextPieces
    from locisimiles.progress import Progress

__all__ = [
    "BUDGET",
    "GRAPH",
    "INPUTS",
    "OUTPUT",
    "PARTS",
    "SETTINGS",
    "SHIPPED",
    "OnnxCrossEncoder",
]

GRAPH, SETTINGS = "crossencoder.onnx", "crossencoder.json"
INPUTS, OUTPUT = ("numbers", "marks", "parts"), "logits"
BUDGET = 128
"""Maximum number of word pieces in a pair, unless the settings say otherwise."""
_PIECES_IN_A_BATCH = 1024  # more are no faster
PARTS = {"parts": 3, "cls": 1}
"""The number of vectors the head sees, by pooling."""


class OnnxCrossEncoder(OnnxModel):
    """A cross-encoder in a folder that `export_cross_encoder` wrote.

    Parameters
    ----------
    folder
        Holds ``crossencoder.onnx`` and ``crossencoder.json``.
    threads
        The number of batches that run in parallel; by default one per core.
    encoder
        The folder of the encoder whose tokenizer it uses, if it has none of its own; by default
        the encoder that comes with the package.

    Attributes
    ----------
    budget, matches
        Maximum number of pieces in a pair (each side gets half), and whether pieces on both sides
        are marked.

    Raises
    ------
    InputError
        If the folder holds no such model, or the encoder is not the one it was trained from. The
        network itself is checked on first use.
    """

    kind = "crossencoder"

    def __init__(
        self,
        folder: str | PathLike[str],
        *,
        threads: int | None = None,
        encoder: str | PathLike[str] | None = None,
    ) -> None:
        super().__init__(folder, threads)
        (self.budget,) = self._sizes("budget")
        self.most_pieces = self.budget
        pooling, matches = self._settings.get("pooling"), self._settings.get("matches")
        if not isinstance(pooling, str) or pooling not in PARTS or not isinstance(matches, bool):
            raise MalformedInputError("models.unknown_pooling", file=str(self._settings_file))
        self.matches, self._parts = matches, PARTS[pooling]
        if "tokenizer_sha256" in self._settings or "encoder_sha256" not in self._settings:
            self._use_tokenizer(self.path / VOCABULARY, self._settings.get("tokenizer_sha256"))
        else:
            base = OnnxEncoder(OnnxEncoder.shipped_path() if encoder is None else encoder)
            expected = str(self._settings["encoder_sha256"])
            if base.sha256 != expected:
                raise InputError(
                    "models.other_encoder",
                    file=str(self.path),
                    expected=expected,
                    encoder=str(base.path),
                    found=base.sha256,
                )
            self._use_tokenizer(base.tokenizer_file, base.tokenizer_sha256)

    def logits(
        self,
        query_texts: Sequence[str],
        source_texts: Sequence[str],
        query_rows: NDArray[np.integer[Any]],
        source_rows: NDArray[np.integer[Any]],
        *,
        progress: Progress = silent,
    ) -> NDArray[np.float32]:
        """Return the logits of the three classes, a row per pair; softmax gives probabilities.

        Parameters
        ----------
        query_texts, source_texts
            All texts of both sides.
        query_rows, source_rows
            The pairs, as positions in the texts.
        progress
            Called with the number of pairs that are done.

        Raises
        ------
        InputError, ParameterError
            If the network cannot be used, or a pair points beyond the texts.
        """
        check_pairs(query_rows, source_rows, len(query_texts), len(source_texts))
        query_pieces, query = self._read(query_texts, query_rows)
        source_pieces, source = self._read(source_texts, source_rows)
        texts = PairTexts(query_pieces, source_pieces, self.budget, self.matches)
        lengths = texts.lengths(query, source)
        batches = batches_of_one_length(lengths, self.threads, _PIECES_IN_A_BATCH)
        logits = np.zeros((len(query), CLASSES), np.float32)
        if not batches:
            return logits
        network = self._network

        def run(rows: NDArray[np.int64]) -> NDArray[np.float32]:
            return network(texts.batch(query[rows], source[rows]))

        done = 0
        for rows, batch_logits in self._run(run, batches):
            logits[rows] = batch_logits
            progress("reading pairs", done, len(logits))
            done += len(rows)
        progress("reading pairs", len(logits), len(logits))
        return logits

    @cached_property
    def _network(self) -> Callable[[PairBatch], NDArray[np.float32]]:
        run = self._load(INPUTS, {OUTPUT: CLASSES}, cores=1)

        def logits(batch: PairBatch) -> NDArray[np.float32]:
            shares = _shares(batch)[:, : self._parts]
            columns: tuple[NDArray[Any], ...] = (batch.numbers, batch.marks, shares)
            return run(OUTPUT, dict(zip(INPUTS, columns, strict=True)))

        return logits

    def _read(
        self, texts: Sequence[str], positions: NDArray[np.integer[Any]]
    ) -> tuple[TextPieces, NDArray[np.int64]]:
        needed, rows = needed_texts(texts, positions)
        longest = OUR_TEMPLATE.half(self.budget)
        return read_text_pieces(self._tokenizer, needed, longest), rows


def _shares(batch: PairBatch) -> NDArray[np.float32]:
    """Return the weight of each piece in the first vector and in the means of both sides."""
    query, source = batch.lengths[:, :1], batch.lengths[:, 1:]
    place = np.arange(batch.numbers.shape[1])[None, :]
    in_query = (place >= 1) & (place <= query)
    in_source = (place >= query + 2) & (place < query + 2 + source)
    first = np.broadcast_to(place == 0, in_query.shape)
    chosen = np.stack([first, in_query, in_source], axis=1).astype(np.float32)
    shares: NDArray[np.float32] = chosen / np.maximum(chosen.sum(axis=2, keepdims=True), 1)
    return shares
