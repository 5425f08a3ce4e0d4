"""Our own cross-encoder, run by onnxruntime: no torch, one batch on each core.

Each text is cut into pieces once, however many pairs it is in. Pairs are batched with others of
exactly their length, so nothing is padded and no pair feels the company it is in.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.models.cross_encoder_folder import CrossEncoderFolder
from locisimiles.models.onnx_encoder import usable_cores
from locisimiles.models.pair_pieces import CLASSES, OUR_TEMPLATE, PairTexts, read_text_pieces
from locisimiles.models.pieces import PieceReader
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from locisimiles.models.pair_pieces import PairBatch, TextPieces
    from locisimiles.progress import Progress

__all__ = ["OnnxCrossEncoder", "check_pairs"]

_PIECES_IN_A_BATCH = 2048


class OnnxCrossEncoder:
    """A cross-encoder in a folder that `export_cross_encoder` wrote.

    Parameters
    ----------
    folder
        Holds ``crossencoder.onnx``, ``tokenizer.json`` and ``crossencoder.json``.
    threads
        How many batches are read at the same time; by default one for each core.

    Raises
    ------
    InputError
        If the folder holds no such model; what is wrong with the network itself is told when it is
        first used.
    """

    def __init__(self, folder: str | PathLike[str], *, threads: int | None = None) -> None:
        if threads is not None and threads < 1:
            raise ParameterError(f"threads={threads} read nothing", hint="1 is the least")
        self.folder = CrossEncoderFolder.read(Path(folder).expanduser())
        self.threads = threads or usable_cores()

    @classmethod
    def load(cls, folder: str | PathLike[str], *, threads: int | None = None) -> OnnxCrossEncoder:
        """Open the model in a folder; the same as calling the class."""
        return cls(folder, threads=threads)

    def describe(self) -> Mapping[str, object]:
        """Return what must be known of it to get the same numbers."""
        return {
            "model": self.folder.name,
            "model_sha256": self.folder.graph_sha256,
            "tokenizer_sha256": self.folder.vocabulary_sha256,
        }

    def logits(
        self,
        query_texts: Sequence[str],
        source_texts: Sequence[str],
        pairs_query: NDArray[np.integer[Any]],
        pairs_source: NDArray[np.integer[Any]],
        *,
        progress: Progress = silent,
    ) -> NDArray[np.float32]:
        """Return a number for each class, a row a pair; softmax makes probabilities of them.

        Parameters
        ----------
        query_texts, source_texts
            All texts of both sides.
        pairs_query, pairs_source
            The pairs, as positions in them.
        progress
            Called now and then.

        Raises
        ------
        InputError
            If the network cannot be used.
        ParameterError
            If a pair points beyond the texts.
        """
        check_pairs(pairs_query, pairs_source, len(query_texts), len(source_texts))
        query, pairs_query = self._read(query_texts, pairs_query)
        source, pairs_source = self._read(source_texts, pairs_source)
        texts = PairTexts(query, source, self.folder.budget, self.folder.matches)
        batches = _batches(texts.lengths(pairs_query, pairs_source), self.threads)
        logits = np.zeros((len(pairs_query), CLASSES), np.float32)
        if not batches:
            return logits
        network = self._network

        def run(rows: NDArray[np.int64]) -> NDArray[np.float32]:
            return network(texts.batch(pairs_query[rows], pairs_source[rows]))

        done = 0
        with ThreadPoolExecutor(self.threads) as pool:
            for rows, own in zip(batches, pool.map(run, batches), strict=True):
                logits[rows] = own
                progress("reading pairs", done, len(logits))
                done += len(rows)
        progress("reading pairs", len(logits), len(logits))
        return logits

    @cached_property
    def _network(self) -> Callable[[PairBatch], NDArray[np.float32]]:
        return self.folder.network()

    @cached_property
    def _reader(self) -> PieceReader:
        return PieceReader(self.folder.tokenizer())

    def _read(
        self, texts: Sequence[str], positions: NDArray[np.integer[Any]]
    ) -> tuple[TextPieces, NDArray[np.int64]]:
        """Return the texts that pairs need, as pieces, and the pairs' positions among them."""
        used, place = np.unique(positions, return_inverse=True)
        needed = [texts[row] for row in used.tolist()]
        own = read_text_pieces(self._reader, needed, OUR_TEMPLATE.half(self.folder.budget))
        return own, place.reshape(-1)


def check_pairs(
    query: NDArray[np.integer[Any]],
    source: NDArray[np.integer[Any]],
    queries: int,
    sources: int,
) -> None:
    """Raise a ParameterError if pairs are no pairs of so many texts.

    Examples
    --------
    >>> check_pairs(np.array([0, 1]), np.array([4, 0]), 2, 5)
    """
    if query.shape != source.shape or query.ndim != 1:
        raise ParameterError("the two columns of the pairs differ in length")
    for side, rows, count in (("query", query, queries), ("source", source, sources)):
        if len(rows) and not 0 <= rows.min() <= rows.max() < count:
            raise ParameterError(f"a pair points beyond the {count} {side} segments")


def _batches(lengths: NDArray[np.int64], threads: int) -> list[NDArray[np.int64]]:
    """Return pairs of one length together, in batches that keep all threads busy."""
    most = min(_PIECES_IN_A_BATCH, -(-int(lengths.sum()) // threads))
    order = np.argsort(-lengths, kind="stable")
    borders = np.flatnonzero(np.diff(lengths[order])) + 1
    batches = []
    for own in np.split(order, borders):
        step = max(1, most // int(lengths[own[0]])) if len(own) else 1
        batches += [own[begin : begin + step] for begin in range(0, len(own), step)]
    return batches
