"""Our encoder, run by onnxruntime without torch."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from locisimiles.errors import MalformedInputError
from locisimiles.models.batches import (
    batches_of_one_length,
    bounded_runs,
    distinct_texts,
    ranges,
)
from locisimiles.models.encoders import PieceVectors, TokenVectors
from locisimiles.models.families import NO_PROMPTS
from locisimiles.models.onnx_model import SHIPPED, VOCABULARY, OnnxModel
from locisimiles.models.vectors import unit_length
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from locisimiles.models.families import Kind
    from locisimiles.models.pieces import PieceTable, Window
    from locisimiles.progress import Progress

__all__ = ["CENTRES", "GRAPH", "LONGEST", "SETTINGS", "SHIPPED", "Network", "OnnxEncoder"]

GRAPH, SETTINGS = "encoder.onnx", "encoder.json"
CENTRES = "centres.npy"
"""Found by ``locisimiles train centres``."""
LONGEST = 128
"""Maximum number of word pieces in one input, unless the settings say otherwise."""

Network = Callable[[str, "NDArray[np.int64]"], "NDArray[np.float32]"]
Output = Literal["hidden", "projected"]

_START, _SEPARATOR = 2, 3
_READING = 1  # increased when texts are cut into pieces differently, to invalidate caches
# About 200,000 pieces, each with 1.5 kB of the last layer.
_TEXTS_IN_A_BLOCK, _CHARACTERS_IN_A_BLOCK = 4096, 1_000_000


class OnnxEncoder(OnnxModel):
    """An encoder in a folder that `locisimiles.train.late.export.export_late` wrote.

    It is a `TextEncoder` (the last layer) and a `PiecewiseEncoder` (its head). Long texts are read
    in overlapping windows, so every word has a vector.

    Parameters
    ----------
    folder
        Holds ``encoder.onnx``, ``tokenizer.json`` and ``encoder.json``.
    threads
        The number of batches that run in parallel; by default one per core.

    Raises
    ------
    InputError
        If the folder holds no such model. The network itself is checked on first use.
    """

    kind = "encoder"

    def __init__(self, folder: str | PathLike[str], *, threads: int | None = None) -> None:
        super().__init__(folder, threads)
        sizes = self._sizes("width", "dimensions", "longest")
        self.dimensions, self.piece_dimensions, self.longest = sizes
        self.most_pieces = self.longest
        self._use_tokenizer(self.path / VOCABULARY, self._settings.get("tokenizer_sha256"))

    @cached_property
    def centres(self) -> NDArray[np.int8] | None:
        """The frozen centres of lists of pieces, in steps of 1/127; None if it has none.

        Raises
        ------
        MalformedInputError
            If ``centres.npy`` holds anything else.
        """
        path = self.path / CENTRES
        if not path.is_file():
            return None
        try:
            centres = np.load(path, allow_pickle=False)
        except (OSError, EOFError, ValueError) as error:
            raise MalformedInputError("files.damaged", file=str(path)) from error
        if centres.dtype != np.int8 or centres.shape[1:] != (self.piece_dimensions,):
            raise MalformedInputError("files.damaged", file=str(path))
        return np.asarray(centres)

    def describe(self) -> Mapping[str, object]:
        """Return all that its vectors depend on besides the texts."""
        return {
            **super().describe(),
            "reading": _READING,
            "pooling": "mean",
            "longest": self.longest,
        }

    def encode(
        self, texts: Sequence[str], kind: Kind = "query", *, progress: Progress = silent
    ) -> NDArray[np.float32]:
        """Return the normalized mean of the pieces of each text; zeros if it has no word."""
        NO_PROMPTS.before(kind)  # checks the kind: queries and sources are encoded alike
        distinct, rows = distinct_texts(texts)
        vectors = np.zeros((len(distinct), self.dimensions), np.float32)
        for begin, pieces, hidden in self._blocks(distinct, "hidden", progress):
            filled = np.flatnonzero(np.diff(pieces.bounds))
            if len(filled):
                sums = np.add.reduceat(hidden, pieces.bounds[filled])
                vectors[begin + filled] = unit_length(sums)
        return vectors[rows]

    def encode_tokens(
        self, texts: Sequence[str], kind: Kind = "query", *, progress: Progress = silent
    ) -> TokenVectors:
        """Return the last layer for each piece, with the span of its word or punctuation mark."""
        NO_PROMPTS.before(kind)
        tokens = self._vectors(texts, "hidden", progress)
        return TokenVectors(tokens.vectors, tokens.start, tokens.end, tokens.bounds)

    def encode_pieces(self, texts: Sequence[str], *, progress: Progress = silent) -> PieceVectors:
        """Return the normalized output of the head for each piece of each word."""
        return self._vectors(texts, "projected", progress)

    def _vectors(self, texts: Sequence[str], output: Output, progress: Progress) -> PieceVectors:
        """Return the last layer for all pieces, or the head's output for those of words."""
        distinct, text_rows = distinct_texts(texts)
        vectors = [np.empty((0, self._size(output)), np.float32)]
        columns, counts = [np.empty((3, 0), np.int32)], [np.empty(0, np.int64)]
        is_head = output == "projected"
        for _, pieces, block in self._blocks(distinct, output, progress):
            kept = pieces.is_word[pieces.unit] | (not is_head)
            units = pieces.unit[kept]
            numbers = pieces.number[kept].astype(np.int32)
            vectors.append(unit_length(block[kept]) if is_head else block)
            columns.append(np.stack([pieces.start[units], pieces.end[units], numbers]))
            counts.append(np.diff(np.concatenate([[0], np.cumsum(kept)])[pieces.bounds]))
        lengths = np.concatenate(counts)
        begins = np.cumsum(lengths) - lengths
        bounds = np.concatenate([[0], np.cumsum(lengths[text_rows])]).astype(np.int64)
        # Texts in their order; equal texts share rows.
        rows = ranges(begins[text_rows], lengths[text_rows])
        start, end, piece = np.concatenate(columns, axis=1)[:, rows]
        return PieceVectors(np.concatenate(vectors)[rows], start, end, bounds, piece)

    def network(self, *, cores: int = 1) -> Network:
        """Load the network, which runs a batch on a number of cores.

        It takes the name of an output (``hidden``, ``projected``) and ids of word pieces, a row per
        text; it returns a vector for each piece. Threads may share it.
        """
        outputs = {"hidden": self.dimensions, "projected": self.piece_dimensions}
        run = self._load(["numbers"], outputs, cores)
        return lambda output, numbers: run(output, {"numbers": numbers})

    @cached_property
    def _network(self) -> Network:
        return self.network()

    def _size(self, output: Output) -> int:
        return self.dimensions if output == "hidden" else self.piece_dimensions

    def _blocks(
        self, texts: Sequence[str], output: Output, progress: Progress
    ) -> Iterator[tuple[int, PieceTable, NDArray[np.float32]]]:
        """Yield the position of the first text of a block, its pieces, and a vector for each."""
        lengths = [len(text) for text in texts]
        for run in bounded_runs(lengths, _CHARACTERS_IN_A_BLOCK, _TEXTS_IN_A_BLOCK):
            begin, end = run.start, run.stop
            pieces = self._tokenizer.read(texts[run])
            vectors = np.zeros((len(pieces.number), self._size(output)), np.float32)
            windows = pieces.windows(self.longest)
            sizes = np.array([window.end - window.begin for window in windows], np.int64)
            batches = [
                [windows[row] for row in rows.tolist()]
                for rows in batches_of_one_length(sizes, self.threads)
            ]
            for done, (batch, rows) in enumerate(self._encoded(batches, pieces, output)):
                progress("encoding", begin + (end - begin) * done // len(batches), len(texts))
                for window, row in zip(batch, rows, strict=True):
                    # Each row begins with a special piece.
                    shift = 1 - window.begin
                    vectors[window.first : window.last] = row[
                        window.first + shift : window.last + shift
                    ]
            yield begin, pieces, vectors
        progress("encoding", len(texts), len(texts))

    def _encoded(
        self, batches: Sequence[list[Window]], pieces: PieceTable, output: Output
    ) -> Iterator[tuple[list[Window], NDArray[np.float32]]]:
        if not batches:
            return iter(())
        network = self._network

        def run(batch: list[Window]) -> NDArray[np.float32]:
            numbers = np.empty((len(batch), batch[0].end - batch[0].begin + 2), np.int64)
            numbers[:, 0], numbers[:, -1] = _START, _SEPARATOR
            for row, window in enumerate(batch):
                numbers[row, 1:-1] = pieces.number[window.begin : window.end]
            return network(output, numbers)

        return self._run(run, batches)
