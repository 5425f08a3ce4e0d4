"""Prepare text for pretraining: one spelling, no sentence twice."""

from __future__ import annotations

import hashlib
import lzma
from typing import TYPE_CHECKING

from locisimiles.latin.units import text_units
from locisimiles.progress import silent
from locisimiles.train.common.corpora import read_corpora

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from locisimiles.progress import Progress

__all__ = ["prepare_corpus", "prepared_lines", "read_prepared"]

_FEWEST_WORDS = 3
_LEAST_LATIN = 0.8
_PRESET = 6


def prepare_corpus(
    paths: Sequence[str | Path], output: Path, *, progress: Progress = silent
) -> int:
    """Write the tokens of each distinct sentence of corpora on a line, and return their number.

    The best corpus comes first: of two equal sentences the first is kept. The output is compressed
    (``.xz``); equal corpora give equal bytes.
    """
    written = 0
    with lzma.open(output, "wt", encoding="utf-8", preset=_PRESET) as stream:
        for line in prepared_lines(read_corpora(paths, "preparing", progress)):
            stream.write(f"{line}\n")
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
            if len(words) < _FEWEST_WORDS or not _is_latin(words):
                continue
            # Punctuation is the editor's: two editions of a verse are one sentence.
            key = hashlib.blake2b(" ".join(words).encode(), digest_size=8).digest()
            if key not in seen:
                seen.add(key)
                yield " ".join(unit.text for unit in units)


def _is_latin(words: Sequence[str]) -> bool:
    latin = sum(word.isascii() and len(word) > 1 for word in words)
    return latin >= _LEAST_LATIN * len(words)
