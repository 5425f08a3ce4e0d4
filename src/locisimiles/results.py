"""What a search found: columns inside, references on the way out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.evidence import shared_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from locisimiles.corpus import Document, Segment
    from locisimiles.retrieve import Candidates

__all__ = ["Reference", "Results"]


@dataclass(frozen=True, slots=True)
class Reference:
    """A source segment that a query segment may refer to.

    Attributes
    ----------
    query, source
        The two segments.
    rank
        Its place among the candidates of the query, from 1.
    score
        The retriever's score; comparable inside a query only.
    """

    query: Segment
    source: Segment
    rank: int
    score: float

    @property
    def shared(self) -> tuple[str, ...]:
        """The lemmas that both segments contain, function words left out."""
        return shared_words(self.query.text, self.source.text).lemmas


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
        What is needed to repeat the search: version, method and parameters, fingerprints of the
        inputs. Two searches with equal manifests have equal results.
    """

    query: Document
    source: Document
    candidates: Candidates
    manifest: Mapping[str, object]

    def __len__(self) -> int:
        return len(self.candidates)

    def __iter__(self) -> Iterator[Reference]:
        candidates = self.candidates
        columns = zip(
            candidates.query.tolist(),
            candidates.source.tolist(),
            candidates.rank.tolist(),
            candidates.score.tolist(),
            strict=True,
        )
        for query, source, rank, score in columns:
            yield Reference(self.query[query], self.source[source], rank, score)

    def for_query(self, segment_id: str) -> list[Reference]:
        """Return the candidates of one query segment, the best first.

        Raises
        ------
        KeyError
            If the query document has no such segment.
        """
        position = self.query.index(segment_id)
        segment = self.query[position]
        (rows,) = (self.candidates.query == position).nonzero()
        return [
            Reference(segment, self.source[int(self.candidates.source[row])], rank, float(score))
            for rank, (row, score) in enumerate(
                zip(rows, self.candidates.score[rows], strict=True), start=1
            )
        ]

    def __repr__(self) -> str:
        return (
            f"<Results: {len(self):,} candidates for {len(self.query):,} query segments "
            f"in {len(self.source):,} source segments>"
        )
