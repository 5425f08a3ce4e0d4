"""Results of a search: stored as columns, iterated as references."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from locisimiles.candidates import Candidates
from locisimiles.checks import check_equal_lengths
from locisimiles.errors import ParameterError
from locisimiles.evidence import align

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sized

    from numpy.typing import NDArray

    from locisimiles.corpus import Document, Segment
    from locisimiles.evidence import Alignment

__all__ = [
    "ACCEPTED",
    "PairJudgement",
    "Probabilities",
    "ReaderJudgement",
    "Reference",
    "Results",
    "Verdict",
]

_COLUMNS = ("query", "source", "score")

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
        >>> judged = Probabilities(none=0.25, cit=0.625, cf=0.125), PairJudgement("cf.")
        >>> Reference(Segment("q", ""), Segment("s", ""), 1, 0.75, *judged).kind
        'cf.'
        """
        verdict = None if self.judgement is None else self.judgement.verdict
        if verdict in ACCEPTED:
            return str(verdict)
        if verdict == "reject":
            return "none"
        return "" if self.probabilities is None else self.probabilities.kind

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
    judgements
        What readers decided about each pair, None where nobody judged; None if this is unknown.
    """

    query: Document
    source: Document
    candidates: Candidates
    manifest: Mapping[str, object]
    probabilities: NDArray[np.float32] | None = None
    further: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    explanations: tuple[str, ...] | None = None
    alignments: tuple[Alignment, ...] | None = None
    judgements: tuple[PairJudgement | None, ...] | None = None

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
            "judgements": self.judgements,
            **{f"further[{name!r}]": cells for name, cells in self.further.items()},
        }
        for name, column in columns.items():
            if column is not None:
                check_equal_lengths(candidates=self.candidates, **{name: column})

    @classmethod
    def join(cls, blocks: Iterable[Results]) -> Results:
        """Join the results of some query segments, then of others; see `Searcher.blocks`.

        The manifest is that of the last block.
        """
        parts = list(blocks)
        first = parts[0]
        if len(parts) == 1:
            return first
        columns = (tuple(getattr(one.candidates, name) for one in parts) for name in _COLUMNS)
        judged = [one.probabilities for one in parts if one.probabilities is not None]
        explained = [one.explanations for one in parts if one.explanations is not None]
        aligned = [one.alignments for one in parts if one.alignments is not None]
        return cls(
            first.query,
            first.source,
            Candidates(*map(np.concatenate, columns)),
            parts[-1].manifest,
            np.concatenate(judged) if judged else None,
            explanations=tuple(chain.from_iterable(explained)) if explained else None,
            alignments=tuple(chain.from_iterable(aligned)) if aligned else None,
        )

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
        candidates, judged, read = self.candidates, self.probabilities, self.judgements
        ranks = candidates.rank
        for row in rows:
            yield Reference(
                self.query[int(candidates.query[row])],
                self.source[int(candidates.source[row])],
                int(ranks[row]),
                float(candidates.score[row]),
                None if judged is None else Probabilities(*judged[row].tolist()),
                None if read is None else read[row],
            )

    def __repr__(self) -> str:
        return (
            f"<Results: {len(self):,} candidates for {len(self.query):,} query segments "
            f"in {len(self.source):,} source segments>"
        )
