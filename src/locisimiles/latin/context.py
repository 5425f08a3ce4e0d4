"""Features for choosing between the analyses of a form by context.

The model is linear over hashed features: neighbouring forms, their endings, the analyses chosen for
the words before, and the most likely parts of speech of those after; each combined with the lemma
of an analysis and with its part of speech. Weights are single bytes in one table, so the model is
small and the same on every machine.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["BOUNDARY", "analysis_seeds", "context_features", "feature_slot"]

BOUNDARY = ("<s>", "<s>")


def context_features(
    forms: Sequence[str],
    likely: Sequence[str],
    at: int,
    before: tuple[str, str],
    before_that: tuple[str, str],
) -> list[bytes]:
    """Return the features of the context of the word at position `at`.

    `forms` are the folded forms of the sentence, `likely` the most frequent part of speech of each;
    `before` and `before_that` the lemma and part of speech chosen for the two words before.
    """
    last = len(forms) - 1
    a1 = forms[at - 1] if at else "<s>"
    a2 = forms[at - 2] if at > 1 else "<s>"
    b1, p1 = (forms[at + 1], likely[at + 1]) if at < last else ("</s>", "</s>")
    b2, p2 = (forms[at + 2], likely[at + 2]) if at + 1 < last else ("</s>", "</s>")
    lemma, pos = before
    return [
        text.encode("utf-8", "surrogatepass")
        for text in (
            f"a{a1}",
            f"b{b1}",
            f"c{a2}",
            f"d{b2}",
            f"e{pos}",
            f"f{lemma}",
            f"g{pos} {before_that[1]}",
            f"h{p1}",
            f"i{p1} {p2}",
            f"j{pos} {p1}",
            f"k{a1[-3:]}",
            f"l{b1[-3:]}",
            f"m{a1[-2:]} {b1[-2:]}",
            f"n{a2[-3:]}",
            f"o{b2[-3:]}",
        )
    ]


@lru_cache(maxsize=1 << 17)
def analysis_seeds(analysis: tuple[str, str]) -> tuple[int, int]:
    """Return the seeds of features combined with the lemma, and with the part of speech."""
    lemma, pos = analysis
    return crc32(lemma.encode("utf-8", "surrogatepass")), crc32(f"#{pos}".encode())


def feature_slot(seed: int, feature: bytes, slots: int) -> int:
    """Return the slot of a feature in a table of weights; `slots` is a power of two."""
    return crc32(feature, seed) & (slots - 1)
