"""One candidate: a source segment that a query segment may refer to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.evidence import align

if TYPE_CHECKING:
    from locisimiles.corpus import Segment
    from locisimiles.results.judgements import PairJudgement, Probabilities

__all__ = ["Reference"]


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
    judgement
        What readers decided; None if no reader judged the pair.
    """

    query: Segment
    source: Segment
    rank: int
    score: float
    probabilities: Probabilities | None = None
    judgement: PairJudgement | None = None

    @property
    def kind(self) -> str:
        """``cit.``, ``cf.``, or ``none`` if rejected: a reader's verdict, else the classifier's.

        Empty if neither says.

        Examples
        --------
        >>> from locisimiles import Segment
        >>> from locisimiles.results import PairJudgement, Probabilities
        >>> judged = Probabilities(none=0.25, cit=0.625, cf=0.125), PairJudgement("cf.")
        >>> Reference(Segment("q", ""), Segment("s", ""), 1, 0.75, *judged).kind
        'cf.'
        """
        judged = "" if self.judgement is None else self.judgement.kind
        return judged or ("" if self.probabilities is None else self.probabilities.kind)

    @property
    def shared(self) -> tuple[str, ...]:
        """The lemmas that both segments contain, without stop words."""
        return align(self.query.text, self.source.text).lemmas
