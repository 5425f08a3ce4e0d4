"""Verbatim runs: neighbouring words that both texts have in the same form and order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from locisimiles.evidence.alignment import Alignment, WordPair

__all__ = ["verbatim_runs"]

_LETTER = re.compile(r"[^\W_]")
_FEWEST = 2


def verbatim_runs(alignment: Alignment, query: str, source: str) -> tuple[str, ...]:
    """Return the verbatim runs of two texts as the query writes them, in its order.

    Examples
    --------
    >>> from locisimiles.evidence.alignment import align
    >>> texts = "Haesit uox faucibus et", "comae et vox faucibus haesit"
    >>> verbatim_runs(align(*texts), *texts)
    ('uox faucibus',)
    """
    runs: list[list[WordPair]] = []
    for pair in alignment.pairs:
        if pair.bond != "form":
            continue
        last = runs[-1][-1] if runs else None
        if (
            last is not None
            and _adjacent(query, last.query, pair.query)
            and _adjacent(source, last.source, pair.source)
        ):
            runs[-1].append(pair)
        else:
            runs.append([pair])
    return tuple(
        # Without punctuation, which belongs to the editor and not to the run.
        " ".join(query[slice(*pair.query)] for pair in run)
        for run in runs
        if len(run) >= _FEWEST
    )


def _adjacent(text: str, before: tuple[int, int], after: tuple[int, int]) -> bool:
    return before[1] <= after[0] and not _LETTER.search(text, before[1], after[0])
