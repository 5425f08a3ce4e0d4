"""Results of a search: stored as columns, iterated as references."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.checks import check_equal_lengths
from locisimiles.errors import ParameterError
from locisimiles.evidence import align

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sized

    import numpy as np
    from numpy.typing import NDArray

    from locisimiles.candidates import Candidates
    from locisimiles.corpus import Document, Segment
    from locisimiles.evidence import Alignment

__all__ = ["Probabilities", "Reference", "Results"]


class Probabilities(NamedTuple):
    """The probabilities of no reference, a verbatim reference, and an allusion.

    Examples
    --------
    >>> judged = Probabilities(none=0.25, cit=0.625, cf=0.125)
    >>> judged.reference, judged.kind
    (0.75, 'cit.')
    """

    none: float
    cit: float
    cf: float

    @property
    def reference(self) -> float:
        """The probability of a reference of either type."""
        return self.cit + self.cf

    @property
    def kind(self) -> str:
        """The more probable type: ``cit.`` or ``cf.``."""
        return "cit." if self.cit >= self.cf else "cf."


@dataclass(frozen=True, slots=True)
class Reference:
    """A source segment that a query segment may refer to.

    Attributes
    ----------
    query, source
        The two segments.
    rank
        Its rank among the candidates of the query, from 1.
    score
        The retriever's score, comparable within a query only; with a classifier, the probability
        of a reference.
    probabilities
        The classifier's probabilities; None without a classifier.
    """

    query: Segment
    source: Segment
    rank: int
    score: float
    probabilities: Probabilities | None = None

    @property
    def shared(self) -> tuple[str, ...]:
        """The lemmas that both segments contain, without stop words."""
        return align(self.query.text, self.source.text).lemmas


@dataclass(frozen=True, slots=True)
class Results:
    """All candidates of a search, with the documents they come from.

    Attributes
    ----------
    query, source
        The documents that were compared.
    candidates
        The pairs, ordered by query, then by falling score, then by source id.
    manifest
        Everything the search depends on: version, method and parameters, fingerprints of inputs.
        Searches with equal manifests have equal results.
    probabilities
        A row per pair, the columns of `Probabilities`; None without a classifier.
    further
        Other columns of the file that results were read from, such as notes; a cell per pair.
    explanations
        A sentence per pair, why it may be a reference; None if not explained.
    alignments
        The aligned words of each pair, including words of similar meaning, to highlight. None
        highlights words of the same lemma.
    """

    query: Document
    source: Document
    candidates: Candidates
    manifest: Mapping[str, object]
    probabilities: NDArray[np.float32] | None = None
    further: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    explanations: tuple[str, ...] | None = None
    alignments: tuple[Alignment, ...] | None = None

    def __post_init__(self) -> None:
        if self.probabilities is not None and self.probabilities.shape != (
            len(self.candidates),
            len(Probabilities._fields),
        ):
            raise ParameterError(
                "results.probabilities",
                shape=str(self.probabilities.shape),
                candidates=len(self.candidates),
            )
        columns: dict[str, Sized | None] = {
            "explanations": self.explanations,
            "alignments": self.alignments,
            **{f"further[{name!r}]": cells for name, cells in self.further.items()},
        }
        for name, column in columns.items():
            if column is not None:
                check_equal_lengths(candidates=self.candidates, **{name: column})

    def __len__(self) -> int:
        return len(self.candidates)

    def __iter__(self) -> Iterator[Reference]:
        return self.references(range(len(self)))

    def for_query(self, segment_id: str) -> list[Reference]:
        """Return the candidates of one query segment, best first.

        Raises
        ------
        KeyError
            If the query document has no such segment.
        """
        position = self.query.index(segment_id)
        (rows,) = (self.candidates.query == position).nonzero()
        return list(self.references(rows.tolist()))

    def references(self, rows: Iterable[int]) -> Iterator[Reference]:
        """Yield the references of some rows of the candidates."""
        candidates, judged = self.candidates, self.probabilities
        ranks = candidates.rank
        for row in rows:
            yield Reference(
                self.query[int(candidates.query[row])],
                self.source[int(candidates.source[row])],
                int(ranks[row]),
                float(candidates.score[row]),
                None if judged is None else Probabilities(*judged[row].tolist()),
            )

    def __repr__(self) -> str:
        return (
            f"<Results: {len(self):,} candidates for {len(self.query):,} query segments "
            f"in {len(self.source):,} source segments>"
        )
