"""Accepted references: what readers decided, the words they answer, and where these stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.corpus.lines import with_lines
from locisimiles.errors import InputError
from locisimiles.evidence.alignment import Aligner
from locisimiles.results import ACCEPTED, ReaderJudgement
from locisimiles.results.base import chosen_groups

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.corpus import Segment
    from locisimiles.evidence.alignment import Alignment, Span
    from locisimiles.results import PairJudgement, Results, Verdict

__all__ = ["Accepted", "accepted_references"]

_BY_HAND: dict[str, Verdict] = {verdict.rstrip("."): verdict for verdict in ACCEPTED}


@dataclass(frozen=True, slots=True)
class Accepted:
    """A reference that readers accepted.

    Attributes
    ----------
    query, source
        The positions of the segments in their documents.
    span
        The words of the query that answer the source; all of them if none was aligned.
    cited
        The source segment, with a mark at the beginning of each line.
    answer
        The words of the source that answer.
    verbatim
        Whether it is a verbatim reference, not an allusion.
    judgements
        Those of the readers who accepted it so.
    stands_under
        The position of the accepted source that stands for it, as the best of those with nearly the
        same words; its own if it is the best.
    """

    query: int
    source: int
    span: Span
    cited: Segment
    answer: Span
    verbatim: bool
    judgements: tuple[ReaderJudgement, ...]
    stands_under: int

    @property
    def is_best(self) -> bool:
        """Whether no other accepted source stands for it."""
        return self.stands_under == self.source

    @property
    def loci(self) -> tuple[str, str]:
        """The first and the last locus of the words that answer."""
        if self.cited.loci:
            begin, end = self.answer
            return self.cited.locus_at(begin), self.cited.locus_at(max(begin, end - 1))
        first, _, last = self.cited.locus.partition("-")
        return first, last or first


def accepted_references(results: Results) -> list[Accepted]:
    """Return the accepted references in the order of the text, or raise an InputError if none is.

    A human verdict decides; what the classifier says does not count. Where readers disagree and
    none of them adjudicated, a pair is not accepted.
    """
    rows = {row: judged for row, judged in enumerate(_judgements(results)) if judged}
    if not rows:
        raise InputError("export.nothing_accepted")
    listed = np.array(list(rows), np.int64)
    best = chosen_groups(results.best, listed)
    leads = listed if best is None else listed[best]
    accepted = [
        _accepted(results, row, alignment, rows[row], int(results.candidates.source[lead]))
        for row, lead, alignment in zip(
            rows, leads.tolist(), _alignments(results, list(rows)), strict=True
        )
    ]
    return sorted(accepted, key=lambda one: (one.query, one.span, one.source))


def _judgements(results: Results) -> Iterator[tuple[ReaderJudgement, ...]]:
    """Yield the judgements that accept each pair; none if it is not accepted."""
    if results.judgements is not None:
        yield from map(_accepting, results.judgements)
        return
    # A table that somebody wrote by hand may have these columns alone.
    empty = ("",) * len(results)
    columns = (results.further.get(name, empty) for name in ("verdict", "note", "reader", "date"))
    for verdict, *others in zip(*columns, strict=True):
        found = _BY_HAND.get(verdict.strip().lower().rstrip("."))
        yield (ReaderJudgement(found, *others),) if found else ()


def _accepting(judgement: PairJudgement | None) -> tuple[ReaderJudgement, ...]:
    if judgement is None or judgement.verdict not in ACCEPTED:
        return ()
    agreeing = tuple(one for one in judgement.readers if one.verdict == judgement.verdict)
    counted = ReaderJudgement(judgement.verdict, judgement.note, judgement.reader, judgement.date)
    return agreeing or (counted,)


def _alignments(results: Results, rows: list[int]) -> list[Alignment]:
    if results.alignments is not None:
        return [results.alignments[row] for row in rows]
    candidates = results.candidates
    return Aligner().align(
        [results.query.texts[candidates.query[row]] for row in rows],
        [results.source.texts[candidates.source[row]] for row in rows],
    )


def _accepted(
    results: Results,
    row: int,
    alignment: Alignment,
    judgements: tuple[ReaderJudgement, ...],
    stands_under: int,
) -> Accepted:
    query, source = int(results.candidates.query[row]), int(results.candidates.source[row])
    cited = with_lines(results.source[source])
    return Accepted(
        query,
        source,
        alignment.query_span or (0, len(results.query.texts[query])),
        cited,
        alignment.source_span or (0, len(cited.text)),
        judgements[0].verdict == "cit.",
        judgements,
        stands_under,
    )
