"""Passages of the Bible as they are cited: consecutive verses that one query answers are joined.

A verse is short, and quotations run over into the next. Verses of a query segment are one passage
if they follow each other in a chapter and each is probably a reference, or was accepted.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.corpus.citations import cite
from locisimiles.corpus.library.sigla import siglum_of, siglum_of_tag
from locisimiles.corpus.loci import locus_range, numeric_range
from locisimiles.results.judgements import ACCEPTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.results.base import ResultColumns

__all__ = ["is_biblical", "joined_loci", "likely_rows", "source_passages"]

_PROBABLE = 0.5
_BIBLE = "Vulg."


def is_biblical(document: Document) -> bool:
    """Tell whether a document has verses of the Bible, by its authors, else by its ids.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> is_biblical(Document.from_segments([Segment("vulg. mt. 5.22", "beati")]))
    True
    >>> is_biblical(Document.from_segments([Segment("verg. aen. 1.1", "arma")]))
    False
    """
    named = {author for author in document.authors if author}
    if named:
        return any(siglum_of(author, "").printed == _BIBLE for author in named)
    tags = {name.partition(" ")[0] for name in document.ids}
    return any(siglum_of_tag(tag).printed == _BIBLE for tag in tags if tag.isascii())


def joined_loci(sources: Sequence[tuple[str, str, bool]]) -> list[str]:
    """Return for each source of a query its locus, or the range of consecutive likely ones.

    Parameters
    ----------
    sources
        Work, locus, and whether it is likely to be a reference.

    Examples
    --------
    >>> found = [("Matth.", "5.23", True), ("Luc.", "5.24", True), ("Matth.", "5.22", True)]
    >>> joined_loci([*found, ("Matth.", "5.24", False)])
    ['5.22-5.23', '5.24', '5.22-5.23', '5.24']
    """
    loci = [locus for _, locus, _ in sources]
    likely = sorted(
        (work, found, row)
        for row, (work, locus, is_likely) in enumerate(sources)
        if is_likely and (found := numeric_range(locus)) is not None
    )
    runs: list[list[int]] = []
    before = None
    for work, (first, last), row in likely:
        follows = before is not None and (
            before == (work, first) or before == (work, (*first[:-1], first[-1] - 1))
        )
        if follows:
            runs[-1].append(row)
        else:
            runs.append([row])
        before = work, last
    for run in runs:
        if len(run) > 1:
            ends = loci[run[0]].partition("-")[0], loci[run[-1]].rpartition("-")[2]
            for row in run:
                loci[row] = locus_range(*ends)
    return loci


def likely_rows(results: ResultColumns) -> NDArray[np.bool_]:
    """Tell which pairs are probably references, or were accepted; readers overrule numbers."""
    likely = np.zeros(len(results), np.bool_)
    if results.probabilities is not None:
        likely = results.probabilities[:, 1:].sum(axis=1) >= _PROBABLE
    for row, judged in enumerate(results.judgements or ()):
        if judged is not None and judged.verdict is not None:
            likely[row] = judged.verdict in ACCEPTED
    return likely


def source_passages(results: ResultColumns) -> list[str]:
    """Return the citation of the passage that each pair belongs to."""
    source, likely = results.source, likely_rows(results)
    pairs = zip(results.candidates.query.tolist(), results.candidates.source.tolist(), strict=True)
    cited: list[str] = []
    for _, of_query in groupby(enumerate(pairs), key=lambda pair: pair[1][0]):
        rows = [(row, source[at]) for row, (_, at) in of_query]
        loci = joined_loci([(f"{s.author}\0{s.work}", s.locus, bool(likely[r])) for r, s in rows])
        cited += [cite(replace(s, locus=locus)) for (_, s), locus in zip(rows, loci, strict=True)]
    return cited
