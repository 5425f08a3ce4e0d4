"""One progress over all phases of a search, with the time that is left."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = ["OverallProgress", "Progressed", "plan_search"]

# Seconds for one segment, measured on two cores. Only their proportions count, and only until the
# phase itself has been measured.
_INDEXING_S, _ENCODING_S, _EVIDENCE_S = 0.0005, 0.0025, 0.0001
_LEXICAL_QUERY_S, _ENCODER_QUERY_S, _QUERY_AND_SOURCE_S = 0.001, 0.03, 0.000006
_STARTING_S = 1.0

_PHASES = ("preparing", "indexing", "encoding source", "preparing evidence", "searching")
_MEASURED_AFTER_S = 2.0
_MEASURED_SHARE = 0.02
_FASTEST, _SLOWEST = 0.2, 20.0
_ALMOST = 0.99


class Progressed(NamedTuple):
    """How far a search is.

    Attributes
    ----------
    share
        The part of the work that is done, from 0 to 1. It never falls.
    seconds_left
        The time until the search is done; None while too little has been measured.
    """

    share: float
    seconds_left: float | None


def plan_search(
    queries: int, sources: int, *, encodes: bool, indexed: bool = False
) -> dict[str, float]:
    """Return about how many seconds each phase takes on an ordinary machine.

    Parameters
    ----------
    queries, sources
        The number of segments to search for, and to search in.
    encodes
        Whether the method runs an encoder over all segments.
    indexed
        Whether the sources were indexed by an earlier search.

    Examples
    --------
    >>> plan = plan_search(100, 10_000, encodes=True)
    >>> max(plan, key=plan.get)
    'encoding source'
    """
    query = _ENCODER_QUERY_S + _QUERY_AND_SOURCE_S * sources if encodes else _LEXICAL_QUERY_S
    return {
        "preparing": _STARTING_S,
        "indexing": 0.0 if indexed else _INDEXING_S * sources,
        "encoding source": _ENCODING_S * sources if encodes and not indexed else 0.0,
        "preparing evidence": _EVIDENCE_S * queries + (0.0 if indexed else _EVIDENCE_S * sources),
        "searching": query * queries,
    }


@dataclass(slots=True)
class OverallProgress:
    """Turns the reports of a search into one progress.

    A phase that is over counts with the time it took, the present one with the time its own rate
    promises, and a later one with its plan, corrected by how the plan has held so far.

    Parameters
    ----------
    plan
        The planned seconds of each phase; see `plan_search`.
    began
        The time when the search began, in seconds.

    Examples
    --------
    >>> progress = OverallProgress({"indexing": 10.0, "searching": 30.0}, began=0.0)
    >>> progress.report("indexing", 5, 10, now=5.0)
    >>> progress.at(5.0)
    Progressed(share=0.125, seconds_left=35.0)
    >>> progress.report("searching", 0, 4, now=20.0)  # the machine is half as fast as planned
    >>> progress.at(20.0)
    Progressed(share=0.25, seconds_left=60.0)
    """

    plan: dict[str, float]
    began: float
    _phase: str = ""
    _entered: float = 0.0
    _before: float = 0.0  # the share of the phase that was done when it was entered
    _done: float = 0.0  # the share of the phase that is done
    _reported: float = 0.0
    _took: dict[str, float] = field(default_factory=dict)
    _highest: float = 0.0

    def report(self, task: str, done: int, total: int, *, now: float) -> None:
        """Note what a search reports: its task, and how much of it is done."""
        share = min(done / total, 1.0) if total else 0.0
        if task != self._phase:
            if task not in _PHASES:  # part of the present phase
                return
            self._entered = self._leave(now)
            # Only a search that resumes begins in the middle.
            self._phase, self._before = task, share if task == "searching" else 0.0
        elif share < self._done:  # another part of the method does the same task
            self._entered, self._before = self._leave(now), 0.0
        elif share == self._done:
            return
        self._done, self._reported = share, now

    def at(self, now: float) -> Progressed:
        """Return how far the search is at a moment."""
        spent = sum(self._took.values())
        here = max(now - (self._entered if self._phase else self.began), 0.0)
        rest = max(self._expected_here() - here, 0.0) + self._expected_later()
        # What was found before a crash took no time now, but is part of the whole.
        already = self._rate_here() * self._before
        whole = spent + already + here + rest
        share = min((spent + already + here) / whole, _ALMOST) if whole else 0.0
        self._highest = max(self._highest, share)
        return Progressed(self._highest, rest if self._is_measured(spent + here) else None)

    def _leave(self, now: float) -> float:
        """End the present phase, and return when the next one began."""
        if not self._phase:
            return self.began
        before = self._took.get(self._phase, 0.0)
        self._took[self._phase] = before + max(now - self._entered, 0.0)
        return now

    def _rate_here(self) -> float:
        """Return the seconds that the whole of the present phase would take."""
        gained = self._done - self._before
        if gained <= 0:
            planned = self.plan.get(self._phase, 0.0) * self._slowness()
            return max(planned - self._took.get(self._phase, 0.0), 0.0)
        return (self._reported - self._entered) / gained

    def _expected_here(self) -> float:
        return self._rate_here() * (1.0 - self._before)

    def _expected_later(self) -> float:
        at = _PHASES.index(self._phase) + 1 if self._phase else 0
        later = sum(self.plan.get(name, 0.0) for name in _PHASES[at:] if name not in self._took)
        return later * self._slowness()

    def _slowness(self) -> float:
        """Return how much longer phases take than planned."""
        measured = {name: took for name, took in self._took.items() if name != "preparing"}
        gained = self._done - self._before
        if self._phase in self.plan and gained > 0:
            spent = self._reported - self._entered
            measured[self._phase] = measured.get(self._phase, 0.0) + spent / gained * (
                1.0 - self._before
            )
        planned = sum(self.plan.get(name, 0.0) for name in measured)
        if not planned:
            return 1.0
        return min(max(sum(measured.values()) / planned, _FASTEST), _SLOWEST)

    def _is_measured(self, spent: float) -> bool:
        long_enough = spent >= _MEASURED_AFTER_S
        return long_enough and (self._done - self._before >= _MEASURED_SHARE or bool(self._took))
