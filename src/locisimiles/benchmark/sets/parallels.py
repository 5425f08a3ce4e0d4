"""Source segments that stand for each other, and measuring that counts any of them.

An editor names one verse where several say the same, and a quotation may run over into the next.
The *strict* reading counts the noted verse alone; the *lenient* one also its neighbours in the
chapter, and verses with nearly the same words. `as_noted` turns a ranking into one of noted verses,
so that every metric and protocol works for both readings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.benchmark.sets.shared_words import LemmaTable
from locisimiles.candidates import Candidates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.references import References
    from locisimiles.corpus import Document

__all__ = ["Parallels", "as_noted", "find_parallels"]

_LEAST_SHARE, _LEAST_WEIGHT = 0.6, 15.0


@dataclass(frozen=True, slots=True, eq=False)
class Parallels:
    """Pairs of source segments that stand for each other, both ways, in order.

    Attributes
    ----------
    one, other
        Positions in the source document.
    """

    one: NDArray[np.int64]
    other: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.one)

    def of(self, source: int) -> NDArray[np.int64]:
        """Return the segments that stand for a segment, itself not included."""
        begin, end = np.searchsorted(self.one, [source, source + 1])
        return self.other[begin:end]

    @classmethod
    def from_pairs(cls, one: Sequence[int], other: Sequence[int]) -> Parallels:
        """Make parallels of pairs, each given once or both ways.

        Examples
        --------
        >>> parallels = Parallels.from_pairs([3, 1], [1, 2])
        >>> parallels.of(1).tolist(), parallels.of(3).tolist(), len(parallels)
        ([2, 3], [1], 4)
        """
        pairs = np.array([one, other], np.int64).reshape(2, -1)
        both = np.unique(np.concatenate([pairs, pairs[::-1]], axis=1), axis=1)
        return cls(both[0], both[1])


def find_parallels(source: Document) -> Parallels:
    """Return the neighbours in a chapter, and the pairs of segments with nearly the same words.

    Nearly the same words: the lemmas that two segments share weigh at least 60 % of those of the
    heavier one, and 15 in all (see `LemmaTable`).

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> texts = {"Matth. 5.1": "beati pauperes", "Matth. 5.2": "beati mites", "Luc. 1.1": "fuit"}
    >>> segments = [Segment(i, t, "Vulg.", *i.split()) for i, t in texts.items()]
    >>> found = find_parallels(Document.from_segments(segments))
    >>> found.one.tolist(), found.other.tolist()
    ([0, 1], [1, 0])
    """
    chapter = [
        (work, locus.rpartition(".")[0])
        for work, locus in zip(source.works, source.loci, strict=True)
    ]
    one = [row for row in range(len(source) - 1) if chapter[row] == chapter[row + 1]]
    other = [row + 1 for row in one]
    for alike in LemmaTable(source.texts).alike(share=_LEAST_SHARE, weight=_LEAST_WEIGHT):
        one += alike[0].tolist()
        other += alike[1].tolist()
    return Parallels.from_pairs(one, other)


def as_noted(candidates: Candidates, references: References, parallels: Parallels) -> Candidates:
    """Return candidates with noted segments in place of those that stand for them.

    From the best candidate down, each that is no reference itself takes the place of the first
    reference of its query that it stands for and that was not found yet. One that stands only for
    references already found is left out: it is neither right nor wrong.

    Examples
    --------
    Segments 4 and 5 stand for each other; 5 is the reference.

    >>> from locisimiles.benchmark.sets.references import References
    >>> found = Candidates.join([(np.array([4, 5, 7]), np.array([3.0, 2.0, 1.0]))])
    >>> references = References.from_columns([0], [5], [1])
    >>> as_noted(found, references, Parallels.from_pairs([4], [5])).source.tolist()
    [5, 7]
    """
    noted: dict[int, list[int]] = {}
    for query, own in zip(references.query.tolist(), references.source.tolist(), strict=True):
        noted.setdefault(query, []).append(own)
    standing = {query: _standing(wanted, parallels) for query, wanted in noted.items()}
    source, keep = candidates.source.copy(), np.ones(len(candidates), np.bool_)
    found: set[tuple[int, int]] = set()
    for row, (query, own) in enumerate(
        zip(candidates.query.tolist(), candidates.source.tolist(), strict=True)
    ):
        stands_for = standing.get(query, {}).get(own)
        if stands_for is None:
            continue
        new = next((one for one in stands_for if (query, one) not in found), None)
        keep[row] = new is not None
        if new is not None:
            found.add((query, new))
            source[row] = new
    return Candidates(candidates.query[keep], source[keep], candidates.score[keep])


def _standing(wanted: Sequence[int], parallels: Parallels) -> dict[int, list[int]]:
    """Return the references that each segment stands for, itself first."""
    standing: dict[int, list[int]] = {own: [own] for own in wanted}
    for own in wanted:
        for other in parallels.of(own).tolist():
            standing.setdefault(other, []).append(own)
    return standing
