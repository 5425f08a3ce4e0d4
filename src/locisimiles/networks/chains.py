"""Chains of references (a text cites a second, which cites a third), and window references."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.corpus.library.dates import chronology, year_of
from locisimiles.networks.places import overlap
from locisimiles.networks.references import counted_references

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.corpus import Segment
    from locisimiles.corpus.library.dates import Chronology
    from locisimiles.results import Reference, Results

__all__ = ["Chain", "find_chains"]


@dataclass(frozen=True, slots=True)
class Chain:
    """A reference to a passage that itself refers to another.

    Attributes
    ----------
    first, second
        The references from the latest text to the middle one, and from there to the earliest.
    window
        Whether the latest text also refers to the earliest directly: a window reference.
    chronology
        ``in order``, or ``unknown`` if one of the three has no known date.
    """

    first: Reference
    second: Reference
    window: bool
    chronology: Chronology

    @property
    def ids(self) -> tuple[str, str, str]:
        """The ids of the three segments, latest first."""
        return self.first.query.id, self.first.source.id, self.second.source.id


def find_chains(
    sets: Sequence[Results], *, minimum: float | None = None, best: int | None = None
) -> tuple[Chain, ...]:
    """Find chains over several sets of results.

    The source of one reference and the query of the next are the same passage if they have the
    same id, or overlapping loci of the same work. Chains against the order of dates are omitted.

    Parameters
    ----------
    sets
        Results of several searches, such as Jerome in Virgil, Virgil in Lucretius and Jerome in
        Lucretius, or one set with all of them.
    minimum, best
        Which candidates count; see `reference_rows`.

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
        for reference in counted_references(results, minimum=minimum, best=best)
        if _order(reference) != "out of order"
    ]
    by_id: dict[str, list[Reference]] = defaultdict(list)
    by_work: dict[tuple[str, str], list[Reference]] = defaultdict(list)
    for reference in references:
        query = reference.query
        by_id[query.id].append(reference)
        if query.work:
            by_work[query.author, query.work].append(reference)

    def references_from(passage: Segment) -> list[Reference]:
        same_work = by_work.get((passage.author, passage.work), [])
        return by_id.get(passage.id) or [r for r in same_work if overlap(r.query, passage)]

    chains: dict[tuple[str, str, str, str], Chain] = {}
    for first in references:
        for second in references_from(first.source):
            if overlap(first.query, second.source):
                continue  # a circle
            key = first.query.id, first.source.id, second.query.id, second.source.id
            chains[key] = Chain(
                first=first,
                second=second,
                window=any(overlap(second.source, r.source) for r in by_id[first.query.id]),
                chronology="unknown" if "unknown" in map(_order, (first, second)) else "in order",
            )
    return tuple(chains.values())


def _order(reference: Reference) -> Chronology:
    return chronology(year_of(reference.query), year_of(reference.source))
