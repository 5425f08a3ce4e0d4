"""Prepare text for pretraining: one spelling, no sentence twice, cut into word pieces."""

from __future__ import annotations

import hashlib
import lzma
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.files.writing import atomic_binary
from locisimiles.latin.units import text_units
from locisimiles.progress import silent
from locisimiles.train.common.corpora import read_corpora
from locisimiles.train.encoder.folder import SEPARATOR, SPECIAL, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.progress import Progress

__all__ = ["encode_lines", "learn_vocabulary", "prepare_corpus", "prepared_lines", "read_prepared"]

_FEWEST_WORDS = 3
_LEAST_LATIN = 0.8
_PRESET = 6
_FEWEST_OCCURRENCES = 3
_BATCH = 50_000


def prepare_corpus(
    paths: Sequence[str | Path], output: Path, *, progress: Progress = silent
) -> int:
    """Write the tokens of each distinct sentence of corpora on a line; return their number.

    The best corpus comes first: of two equal sentences the first is kept. The output is compressed
    (``.xz``); equal corpora give equal bytes.
    """
    written = 0
    with (
        atomic_binary(output) as compressed,
        lzma.open(compressed, "wb", preset=_PRESET) as stream,
    ):
        for line in prepared_lines(read_corpora(paths, "preparing", progress)):
            stream.write(f"{line}\n".encode())
            written += 1
    return written


def read_prepared(path: Path) -> Iterator[str]:
    """Yield the lines that `prepare_corpus` wrote."""
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            yield line.rstrip("\n")


def prepared_lines(batches: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield sentences that are Latin, long enough and new, their tokens between spaces.

    Examples
    --------
    >>> list(prepared_lines([["Arma virumque cano.", "ARMA UIRUMQUE CANO", "μῆνιν ἄειδε", "et"]]))
    ['arma uirum que cano .']
    """
    seen: set[bytes] = set()
    for batch in batches:
        for units in text_units(batch):
            words = [unit.text for unit in units if not unit.is_stop]
            latin = sum(word.isascii() and len(word) > 1 for word in words)
            if len(words) < _FEWEST_WORDS or latin < _LEAST_LATIN * len(words):
                continue
            # Punctuation is the editor's: two editions of a verse are one sentence.
            key = hashlib.blake2b(" ".join(words).encode(), digest_size=8).digest()
            if key not in seen:
                seen.add(key)
                yield " ".join(unit.text for unit in units)


def learn_vocabulary(lines: Iterable[str], size: int) -> Any:  # noqa: ANN401 - tokenizers has no types
    """Learn a vocabulary of word pieces (WordPiece) from tokens between spaces."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.WordPiece(unk_token=SPECIAL[UNKNOWN]))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.WordPieceTrainer(
        vocab_size=size,
        special_tokens=list(SPECIAL),
        min_frequency=_FEWEST_OCCURRENCES,
        show_progress=False,
    )
    tokenizer.train_from_iterator(lines, trainer)
    return tokenizer


def encode_lines(tokenizer: Any, lines: Sequence[str]) -> NDArray[np.uint16]:  # noqa: ANN401
    """Return all lines as one array of pieces, a separator after each line."""
    runs = [np.empty(0, np.uint16)]
    for begin in range(0, len(lines), _BATCH):
        encoded = tokenizer.encode_batch(lines[begin : begin + _BATCH], add_special_tokens=False)
        flat = [number for line in encoded for number in (*line.ids, SEPARATOR)]
        runs.append(np.array(flat, np.uint16))
    return np.concatenate(runs)
