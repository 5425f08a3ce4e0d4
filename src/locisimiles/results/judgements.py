"""What a classifier and readers say of a pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["ACCEPTED", "PairJudgement", "Probabilities", "ReaderJudgement", "Verdict"]

Verdict = Literal["cit.", "cf.", "reject", "unsure"]
"""What a reader says of a pair: a verbatim reference, an allusion, none, or not sure."""

ACCEPTED: tuple[Verdict, ...] = ("cit.", "cf.")
"""The verdicts that accept a pair as a reference."""


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
class ReaderJudgement:
    """What one reader decided about a pair.

    Attributes
    ----------
    verdict
        None if the reader only wrote a note.
    reader
        The name of the reader; empty if none was given.
    date
        When, as ISO 8601 (``2026-11-18T09:30:00.000000+00:00``); empty if unknown.
    adjudicated
        Whether it decides between readers.
    independent
        Whether the reader could not know what others had said of the pair.
    """

    verdict: Verdict | None
    note: str = ""
    reader: str = ""
    date: str = ""
    adjudicated: bool = False
    independent: bool = False


@dataclass(frozen=True, slots=True)
class PairJudgement:
    """What readers decided about a pair, and the verdict that counts.

    Attributes
    ----------
    verdict, note, reader, date, adjudicated
        Of the judgement that counts; without a verdict if readers disagree and nobody decided.
    readers
        The judgements of all readers.

    Examples
    --------
    >>> ann, bob = ReaderJudgement("cit.", reader="Ann"), ReaderJudgement("cf.", reader="Bob")
    >>> PairJudgement.of([ann, bob], reader="Bob").verdict
    'cf.'
    >>> PairJudgement.of([ann, bob]).verdict is None
    True
    """

    verdict: Verdict | None
    note: str = ""
    reader: str = ""
    date: str = ""
    adjudicated: bool = False
    readers: tuple[ReaderJudgement, ...] = ()

    @property
    def kind(self) -> str:
        """``cit.``, ``cf.``, ``none`` if rejected, or empty if it does not say."""
        if self.verdict in ACCEPTED:
            return str(self.verdict)
        return "none" if self.verdict == "reject" else ""

    @classmethod
    def of(cls, judgements: Iterable[ReaderJudgement], *, reader: str = "") -> PairJudgement | None:
        """Choose the judgement that counts; None if there is none.

        That is the adjudicated one, else that of `reader`, else what all readers agree on.
        """
        given = tuple(judgements)
        if not given:
            return None
        preferred = (
            *(one for one in given if one.adjudicated and one.verdict is not None),
            *(one for one in given if one.reader == reader and one.verdict is not None),
        )
        if preferred:
            chosen = preferred[0]
            return cls(
                chosen.verdict, chosen.note, chosen.reader, chosen.date, chosen.adjudicated, given
            )
        # Unsure contradicts no other verdict, and a note without one contradicts nothing.
        definite = [one for one in given if one.verdict not in (None, "unsure")]
        if len({one.verdict for one in definite}) > 1:
            return cls(None, readers=given)
        same = definite or [one for one in given if one.verdict is not None] or given
        return cls(
            same[0].verdict,
            " | ".join(one.note for one in same if one.note),
            ", ".join(one.reader for one in same if one.reader),
            max(one.date for one in same),
            readers=given,
        )
