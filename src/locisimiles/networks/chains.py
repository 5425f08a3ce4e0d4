"""Chains of references (a text cites a second, which cites a third), and window references."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.corpus.library.dates import chronology, year_of
from locisimiles.errors import ParameterError
from locisimiles.networks.places import Places, overlap
from locisimiles.networks.references import counted_references

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.corpus import Segment
    from locisimiles.corpus.library.dates import Chronology
    from locisimiles.results import Reference, Results

__all__ = ["Chain", "find_chains"]

_MOST_CHAINS = 200_000


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
    More than 200,000 chains raise a ParameterError: nobody reads them, and their number grows with
    the square of that of the references.

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
    orders = [
        (reference, _order(reference))
        for results in sets
        for reference in counted_references(results, minimum=minimum, best=best)
    ]
    known = [(reference, order) for reference, order in orders if order != "out of order"]
    references = [reference for reference, _ in known]
    queries = Places([reference.query for reference in references])
    cited: dict[str, list[Segment]] = defaultdict(list)
    for reference in references:
        cited[reference.query.id].append(reference.source)
    sources = {name: Places(segments) for name, segments in cited.items()}
    chains: dict[tuple[str, str, str, str], Chain] = {}
    for first, order in known:
        for at in queries.same(first.source) or queries.overlapping(first.source):
            second, next_order = known[at]
            if overlap(first.query, second.source):
                continue  # a circle
            key = first.query.id, first.source.id, second.query.id, second.source.id
            chains[key] = Chain(
                first=first,
                second=second,
                window=second.source in sources[first.query.id],
                chronology="unknown" if "unknown" in (order, next_order) else "in order",
            )
            if len(chains) > _MOST_CHAINS:
                raise ParameterError("results.too_many_chains", most=_MOST_CHAINS)
    return tuple(chains.values())


def _order(reference: Reference) -> Chronology:
    return chronology(year_of(reference.query), year_of(reference.source))
