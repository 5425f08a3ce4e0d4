"""Chains: a text that refers to one that refers to a third, and windows through which one looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.corpus.library.dates import chronology, year_of
from locisimiles.networks.choosing import choose
from locisimiles.networks.places import overlap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from locisimiles.corpus import Segment
    from locisimiles.corpus.library.dates import Chronology
    from locisimiles.results import Reference, Results

__all__ = ["Chain", "find_chains"]


@dataclass(frozen=True, slots=True)
class Chain:
    """A reference to a passage that refers to another itself.

    Attributes
    ----------
    first
        From the latest text to the one between.
    second
        From the one between to the earliest.
    window
        Whether the latest also refers to the earliest directly: it then looks at it through the
        one between.
    chronology
        ``in order``, or ``unknown`` if the date of one of the three is.
    """

    first: Reference
    second: Reference
    window: bool
    chronology: Chronology

    @property
    def ids(self) -> tuple[str, str, str]:
        """The segments, the latest first."""
        return self.first.query.id, self.first.source.id, self.second.source.id


def find_chains(
    sets: Sequence[Results], *, minimum: float | None = None, best: int | None = None
) -> tuple[Chain, ...]:
    """Find chains over several sets of results.

    The source of one reference and the query of the next are the same passage if they have the
    same id, or overlapping loci of the same work. Chains that go against the dates are left out;
    where a date is unknown the chain says so.

    Parameters
    ----------
    sets
        Results of several searches, such as Jerome in Virgil, Virgil in Lucretius, Jerome in
        Lucretius. One set that has them all does too.
    minimum, best
        Which candidates count; see `choose`.

    Examples
    --------
    >>> from locisimiles import BM25, Document, Pipeline, Segment
    >>> texts = {
    ...     "Jerome": Segment("hier. 1", "uox faucibus haesit", author="Jerome", work="Epistulae"),
    ...     "Virgil": Segment("verg. 1", "et vox faucibus haesit", author="Virgil", work="Aeneis"),
    ...     "Ennius": Segment("enn. 1", "uox haesit"),
    ... }
    >>> documents = {name: Document.from_segments([text]) for name, text in texts.items()}
    >>> def search(one, other):
    ...     return Pipeline(BM25()).run(query=documents[one], source=documents[other])
    >>> chains = find_chains([search("Jerome", "Virgil"), search("Virgil", "Ennius")])
    >>> [(chain.ids, chain.window, chain.chronology) for chain in chains]
    [(('hier. 1', 'verg. 1', 'enn. 1'), False, 'unknown')]
    """
    references = [
        reference
        for results in sets
        for reference in _chosen(results, minimum=minimum, best=best)
        if _order(reference.query, reference.source) != "out of order"
    ]
    queries = _Passages(references)
    direct = _Direct(references)
    chains: dict[tuple[str, str, str, str], Chain] = {}
    for first in references:
        for second in queries.that_refer_from(first.source):
            if overlap(first.query, second.source):
                continue  # back where it began
            together = _order(first.query, first.source), _order(second.query, second.source)
            key = first.query.id, first.source.id, second.query.id, second.source.id
            chains[key] = Chain(
                first=first,
                second=second,
                window=direct.knows(first.query, second.source),
                chronology="unknown" if "unknown" in together else "in order",
            )
    return tuple(chains.values())


def _chosen(results: Results, *, minimum: float | None, best: int | None) -> Iterator[Reference]:
    rows = set(choose(results, minimum=minimum, best=best).tolist())
    return (reference for row, reference in enumerate(results) if row in rows)


def _order(citing: Segment, cited: Segment) -> Chronology:
    return chronology(year_of(citing), year_of(cited))


class _Passages:
    """References by the passage they start from."""

    def __init__(self, references: Sequence[Reference]) -> None:
        self._by_id: dict[str, list[Reference]] = {}
        self._by_work: dict[tuple[str, str], list[Reference]] = {}
        for reference in references:
            query = reference.query
            self._by_id.setdefault(query.id, []).append(reference)
            if query.work:
                self._by_work.setdefault((query.author, query.work), []).append(reference)

    def that_refer_from(self, passage: Segment) -> list[Reference]:
        if passage.id in self._by_id:
            return self._by_id[passage.id]
        of_work = self._by_work.get((passage.author, passage.work), [])
        return [reference for reference in of_work if overlap(reference.query, passage)]


class _Direct:
    """Which passages refer to which, without a detour."""

    def __init__(self, references: Sequence[Reference]) -> None:
        self._sources: dict[str, list[Segment]] = {}
        for reference in references:
            self._sources.setdefault(reference.query.id, []).append(reference.source)

    def knows(self, query: Segment, source: Segment) -> bool:
        return any(overlap(source, other) for other in self._sources.get(query.id, []))
