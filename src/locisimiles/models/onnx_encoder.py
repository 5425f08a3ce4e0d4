"""Our own encoder, run by onnxruntime: no torch, one batch on each core.

Texts are batched with others of exactly their length, so nothing is padded and nobody's vectors
depend on the company they are in.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.models.encoder_folder import EncoderFolder
from locisimiles.models.encoders import PieceVectors, TokenVectors
from locisimiles.models.families import NO_PROMPTS
from locisimiles.models.pieces import PieceReader
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from locisimiles.models.encoder_folder import Network
    from locisimiles.models.families import Kind
    from locisimiles.models.pieces import Pieces, Window
    from locisimiles.progress import Progress

__all__ = ["OnnxEncoder", "usable_cores"]

Output = Literal["hidden", "projected"]

_START, _SEPARATOR = 2, 3
_READING = 1  # counts up when texts are cut into pieces in another way, so that caches notice
_PIECES_IN_A_BATCH = 2048
# What is held at a time: some 200,000 pieces, each 1.5 kB of the last layer.
_TEXTS_IN_A_BLOCK, _CHARACTERS_IN_A_BLOCK = 4096, 1_000_000


class OnnxEncoder:
    """An encoder in a folder that `locisimiles.train.late.export.export_late` wrote.

    It is a `TextEncoder` (the last layer) and a `PiecewiseEncoder` (its head). Long texts are read
    in overlapping windows, so that every word gets a vector.

    Parameters
    ----------
    folder
        Holds ``encoder.onnx``, ``tokenizer.json`` and ``encoder.json``.
    threads
        How many batches are encoded at the same time; by default one for each core.

    Raises
    ------
    InputError
        If the folder holds no such model; what is wrong with the network itself is told when it is
        first used.
    """

    def __init__(self, folder: str | PathLike[str], *, threads: int | None = None) -> None:
        if threads is not None and threads < 1:
            raise ParameterError(f"threads={threads} encode nothing", hint="1 is the least")
        self.folder = EncoderFolder.read(Path(folder).expanduser())
        self.threads = threads or usable_cores()

    @property
    def dimensions(self) -> int:
        """How long the vector of a text or of a piece is."""
        return self.folder.width

    @property
    def piece_dimensions(self) -> int:
        """How long the short vector of a piece is."""
        return self.folder.dimensions

    def describe(self) -> Mapping[str, object]:
        """Return what must be known of it to get the same vectors."""
        return {
            "model": self.folder.name,
            "model_sha256": self.folder.graph_sha256,
            "tokenizer_sha256": self.folder.vocabulary_sha256,
            "reading": _READING,
            "pooling": "mean",
            "longest": self.folder.longest,
        }

    def encode(
        self, texts: Sequence[str], kind: Kind = "query", *, progress: Progress = silent
    ) -> NDArray[np.float32]:
        """Return the mean of the pieces of each text, of length 1; zeros if it has no word."""
        NO_PROMPTS.before(kind)  # queries and sources are read alike
        rows = _Rows(texts)
        vectors = np.zeros((len(rows.distinct), self.dimensions), np.float32)
        for begin, pieces, own in self._blocks(rows.distinct, "hidden", progress):
            filled = np.flatnonzero(np.diff(pieces.bounds))
            if len(filled):
                sums = np.add.reduceat(own, pieces.bounds[filled])
                vectors[begin + filled] = _unit_length(sums)
        return vectors[rows.of_text]

    def encode_tokens(
        self, texts: Sequence[str], kind: Kind = "query", *, progress: Progress = silent
    ) -> TokenVectors:
        """Return the last layer for each word piece; its place is that of its word or stop."""
        NO_PROMPTS.before(kind)
        rows = _Rows(texts)
        found = [
            TokenVectors(own, pieces.start[pieces.unit], pieces.end[pieces.unit], pieces.bounds)
            for _, pieces, own in self._blocks(rows.distinct, "hidden", progress)
        ]
        order, bounds = _order(found, rows.of_text)
        return _arranged(found, order, bounds, self.dimensions)

    def encode_pieces(self, texts: Sequence[str], *, progress: Progress = silent) -> PieceVectors:
        """Return what the head gives for each piece of each word, of length 1."""
        rows = _Rows(texts)
        found = []
        for _, pieces, own in self._blocks(rows.distinct, "projected", progress):
            kept = pieces.is_word[pieces.unit]
            units = pieces.unit[kept]
            before = np.concatenate([[0], np.cumsum(kept)])
            found.append(
                PieceVectors(
                    _unit_length(own[kept]),
                    pieces.start[units],
                    pieces.end[units],
                    before[pieces.bounds],
                    pieces.number[kept].astype(np.int32),
                )
            )
        order, bounds = _order(found, rows.of_text)
        arranged = _arranged(found, order, bounds, self.piece_dimensions)
        piece = np.concatenate([np.empty(0, np.int32), *(block.piece for block in found)])
        return PieceVectors(
            arranged.vectors, arranged.start, arranged.end, arranged.bounds, piece[order]
        )

    @cached_property
    def _network(self) -> Network:
        return self.folder.network()

    @cached_property
    def _reader(self) -> PieceReader:
        return PieceReader(self.folder.tokenizer())

    def _blocks(
        self, texts: Sequence[str], output: Output, progress: Progress
    ) -> Iterator[tuple[int, Pieces, NDArray[np.float32]]]:
        """Yield the first of some texts, their pieces, and a vector for each piece."""
        size = self.dimensions if output == "hidden" else self.piece_dimensions
        for begin, end in _runs(texts):
            pieces = self._reader.read(texts[begin:end])
            vectors = np.zeros((len(pieces.number), size), np.float32)
            batches = _batches(pieces.windows(self.folder.longest), self.threads)
            for done, (batch, own) in enumerate(self._run(batches, pieces, output)):
                progress("encoding", begin + (end - begin) * done // len(batches), len(texts))
                for window, rows in zip(batch, own, strict=True):
                    # One more for the special piece that begins each row.
                    shift = 1 - window.begin
                    vectors[window.first : window.last] = rows[
                        window.first + shift : window.last + shift
                    ]
            yield begin, pieces, vectors
        progress("encoding", len(texts), len(texts))

    def _run(
        self, batches: Sequence[list[Window]], pieces: Pieces, output: Output
    ) -> Iterator[tuple[list[Window], NDArray[np.float32]]]:
        """Yield batches with what the network makes of them, in order."""
        if not batches:
            return
        network = self._network

        def run(batch: list[Window]) -> NDArray[np.float32]:
            numbers = np.empty((len(batch), batch[0].end - batch[0].begin + 2), np.int64)
            numbers[:, 0], numbers[:, -1] = _START, _SEPARATOR
            for row, window in enumerate(batch):
                numbers[row, 1:-1] = pieces.number[window.begin : window.end]
            return network(output, numbers)

        if self.threads == 1 or len(batches) == 1:
            yield from zip(batches, map(run, batches), strict=True)
            return
        with ThreadPoolExecutor(self.threads) as pool:
            yield from zip(batches, pool.map(run, batches), strict=True)


class _Rows:
    """Distinct texts in one order, short ones first, and which of them each given text is."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.distinct = sorted(set(texts), key=lambda text: (len(text), text))
        rows = {text: row for row, text in enumerate(self.distinct)}
        self.of_text = np.array([rows[text] for text in texts], np.int64)


def _runs(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield runs of texts that are few enough together, or alone."""
    begin, characters = 0, 0
    for place, text in enumerate(texts):
        characters += len(text)
        full = place - begin >= _TEXTS_IN_A_BLOCK or characters > _CHARACTERS_IN_A_BLOCK
        if full and place > begin:
            yield begin, place
            begin, characters = place, len(text)
    if len(texts) > begin:
        yield begin, len(texts)


def _batches(windows: Sequence[Window], threads: int) -> list[list[Window]]:
    """Return windows of one length together, in batches that keep all threads busy."""
    by_length: dict[int, list[Window]] = {}
    for window in windows:
        by_length.setdefault(window.end - window.begin, []).append(window)
    pieces = sum(length * len(own) for length, own in by_length.items())
    most = min(_PIECES_IN_A_BATCH, -(-pieces // threads))
    batches = []
    for length, own in sorted(by_length.items(), reverse=True):
        step = max(1, most // length)
        batches += [own[begin : begin + step] for begin in range(0, len(own), step)]
    return batches


def _unit_length(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    rows: NDArray[np.float32] = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return rows


def _order(
    blocks: Sequence[TokenVectors], text_of: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return which rows the given texts have, some of them repeatedly, and their bounds."""
    counts = np.concatenate([np.empty(0, np.int64), *(np.diff(b.bounds) for b in blocks)])
    begins = np.cumsum(counts) - counts
    bounds = np.concatenate([[0], np.cumsum(counts[text_of])]).astype(np.int64)
    shift = np.repeat(begins[text_of] - bounds[:-1], counts[text_of])
    return np.arange(bounds[-1]) + shift, bounds


def _arranged(
    blocks: Sequence[TokenVectors],
    order: NDArray[np.int64],
    bounds: NDArray[np.int64],
    size: int,
) -> TokenVectors:
    """Return the rows of texts in the order of those that were given."""
    vectors = np.concatenate([np.empty((0, size), np.float32), *(b.vectors for b in blocks)])
    start, end = (
        np.concatenate([np.empty(0, np.int32), *columns])
        for columns in ((b.start for b in blocks), (b.end for b in blocks))
    )
    return TokenVectors(vectors[order], start[order], end[order], bounds)


def usable_cores() -> int:
    """Return how many cores we may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
