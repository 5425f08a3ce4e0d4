"""What a search has found, in short: how much, where in the text, from which works."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.app.results import ResultFigures, ResultTable
from locisimiles.corpus.citations import cite
from locisimiles.corpus.loci import locus_range

if TYPE_CHECKING:
    from collections.abc import Iterable

    from locisimiles.app.projects.project import Project, TextTable
    from locisimiles.app.storage.tables.figures import CitedWork, Stretch

__all__ = ["Passage", "Summary", "compute_summary"]

_BARS = 60
_MOST_LISTED = 5
_LONGEST, _IN_TEXT = 10, 12  # segments of a passage; passages of a short text
_MOST_STRETCHES = 20_000
_HIGHEST, _SHARE = 100, 10  # pairs that count where there are no probabilities: one of ten
_WORTH = 0.5


class Passage(NamedTuple):
    """Some consecutive segments of the text."""

    first: int  # position of the first segment with results
    citation: str
    weight: float


@dataclass(frozen=True, slots=True)
class Summary:
    """What a search has found.

    Attributes
    ----------
    pairs, segments
        Number of pairs, and of query segments that have any.
    counted
        Number of pairs that weights are counted from: all, each with its probability; or, without
        probabilities, those with the highest scores, each as 1.
    has_probabilities
        Whether a classifier judged the pairs; without, the following two are 0.
    expected
        The sum of the probabilities: the number of references to expect.
    passages
        The sum of the probabilities of the best pair of each segment: the number of segments with
        a reference to expect, if all pairs of a segment stand for the same reference.
    bars
        Weights of equal parts of the text: the first segment of each, and a share of the greatest.
    densest, works
        The passages and the cited works that weigh most.
    """

    pairs: int
    segments: int
    counted: int
    has_probabilities: bool
    expected: float
    passages: float
    bars: tuple[tuple[int, float], ...]
    densest: tuple[Passage, ...]
    works: tuple[CitedWork, ...]


def compute_summary(
    project: Project, *, reader: str = "", search: int | None = None
) -> Summary | None:
    """Summarise a search; None if it has found nothing."""
    results = ResultTable(project.database, reader, search)
    figures = ResultFigures(project.database, reader, search)
    pairs, known = results.count(), results.has_probabilities()
    if not pairs:
        return None
    top = None if known else min(_HIGHEST, -(-pairs // _SHARE))
    texts = project.texts_of(project.searched(search))
    total = texts.count("query")
    size = max(min(_LONGEST, total // _IN_TEXT), total // _MOST_STRETCHES, 1)
    stretches = figures.stretches(size, top=top)
    works = figures.works(_MOST_LISTED, top=top)
    return Summary(
        pairs=pairs,
        segments=sum(one.segments for one in stretches) if known else figures.count_segments(),
        counted=pairs if top is None else top,
        has_probabilities=known,
        expected=sum(one.weight for one in stretches) if known else 0.0,
        passages=sum(one.best for one in stretches) if known else 0.0,
        bars=_bars(stretches, size, total),
        densest=tuple(_densest(stretches, size, total, texts)),
        works=tuple(one for one in works if one.weight >= _WORTH),
    )


def _bars(stretches: Iterable[Stretch], size: int, total: int) -> tuple[tuple[int, float], ...]:
    number = min(_BARS, -(-total // size))
    weights = [0.0] * number
    for one in stretches:
        weights[one.number * size * number // total] += one.weight
    greatest = max(weights) or 1.0
    return tuple((-(-at * total // number), weight / greatest) for at, weight in enumerate(weights))


def _densest(
    stretches: Iterable[Stretch], size: int, total: int, texts: TextTable
) -> Iterable[Passage]:
    heaviest = sorted(stretches, key=lambda one: (-one.weight, one.first))[:_MOST_LISTED]
    for one in heaviest:
        if one.weight >= _WORTH:
            last = min(one.number * size + size, total) - 1
            yield Passage(one.first, _cited(texts, one.first, last), one.weight)


def _cited(texts: TextTable, first: int, last: int) -> str:
    segments = texts.segments("query", first, last - first + 1)
    begin = segments[0]
    end = [one for one in segments if (one.author, one.work) == (begin.author, begin.work)][-1]
    if not begin.locus or not end.locus:
        return cite(begin)
    locus = locus_range(begin.locus.partition("-")[0], end.locus.rpartition("-")[2])
    return cite(replace(begin, locus=locus))
