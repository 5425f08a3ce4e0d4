"""The columns of results, and the references that they hold."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import chain
from numbers import Integral
from typing import TYPE_CHECKING, Any, Self, cast, overload

import numpy as np

from locisimiles.candidates import Candidates
from locisimiles.checks import check_equal_lengths, checked_row
from locisimiles.errors import ParameterError
from locisimiles.evidence import EvidenceFinder
from locisimiles.evidence.pair_words import pair_words
from locisimiles.evidence.parallels import parallel_rows
from locisimiles.results.judgements import Probabilities
from locisimiles.results.reference import Reference
from locisimiles.results.rows import chosen_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.evidence import Alignment, Evidence
    from locisimiles.results.judgements import PairJudgement

__all__ = ["ResultColumns", "check_results", "chosen_groups"]

_COLUMNS = ("query", "source", "score")


@dataclass(frozen=True, slots=True)
class ResultColumns:
    """The columns of `Results`, which describes them, and the references that they hold."""

    query: Document
    source: Document
    candidates: Candidates
    manifest: Mapping[str, object]
    probabilities: NDArray[np.float32] | None = None
    further: Mapping[str, Sequence[str]] = field(default_factory=dict)
    explanations: Sequence[str] | None = None
    alignments: tuple[Alignment, ...] | None = None
    judgements: tuple[PairJudgement | None, ...] | None = None
    ranks: NDArray[np.int32] | None = None
    best: NDArray[np.int64] | None = None
    shared: Sequence[str] | None = None
    # The finder of evidence, once it was needed; results that were chosen from others share it.
    _finder: list[EvidenceFinder] = field(
        default_factory=list, init=False, repr=False, compare=False
    )

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
            "ranks": self.ranks,
            "best": self.best,
            "shared": self.shared,
            **{f"further[{name!r}]": cells for name, cells in self.further.items()},
        }
        for name, column in columns.items():
            if column is not None:
                check_equal_lengths(candidates=self.candidates, **{name: column})

    @classmethod
    def join(cls, blocks: Iterable[Self]) -> Self:
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
            ranks=np.concatenate([one.rank for one in parts])
            if any(one.ranks is not None for one in parts)
            else None,
            best=_joined_groups(parts),
            shared=_joined_shared(parts),
        )

    @property
    def rank(self) -> NDArray[np.int32]:
        """The rank of each candidate among those of its query in the search, from 1."""
        return self.candidates.rank if self.ranks is None else self.ranks

    @property
    def counts(self) -> NDArray[np.bool_]:
        """Whether each pair counts: of parallel sources, only the best one of a query does.

        All pairs count if parallel sources are not grouped.
        """
        rows = np.arange(len(self))
        return np.ones(len(self), np.bool_) if self.best is None else self.best == rows

    def grouped(self) -> Self:
        """Return the same results with parallel sources grouped; see `best`.

        Sources are parallel if they have nearly the same words, such as verses of two Gospels. A
        query segment that quotes one of them finds all, but refers once.

        Examples
        --------
        >>> from locisimiles import BM25, Pipeline, load_example_query, load_example_source
        >>> results = Pipeline(BM25()).run(load_example_query(), load_example_source())
        >>> results.best is None, int(results.grouped().counts.sum()) <= len(results)
        (True, True)
        """
        if self.best is not None:
            return self
        texts = [self.source.texts[row] for row in self.candidates.source.tolist()]
        best = parallel_rows(self.candidates.query.astype(np.int64), texts)
        grouped = replace(self, best=best)
        object.__setattr__(grouped, "_finder", self._finder)
        return grouped

    def compared(self, *, group: bool) -> Self:
        """Return the same results with all that tables need of the words of their texts.

        That is `shared`, and `best` if parallel sources are to be grouped; texts are read once.
        """
        found = self.candidates
        grouping = group and self.best is None
        best, lemmas = pair_words(
            self.query, self.source, found.query, found.source, group=grouping
        )
        best, shared = self.best if best is None else best, tuple(map(" ".join, lemmas))
        compared = replace(self, best=best, shared=shared)
        object.__setattr__(compared, "_finder", self._finder)
        return compared

    def __len__(self) -> int:
        return len(self.candidates)

    def __iter__(self) -> Iterator[Reference]:
        return self.references(range(len(self)))

    @overload
    def __getitem__(self, rows: int) -> Reference: ...
    @overload
    def __getitem__(self, rows: slice | Sequence[int] | NDArray[Any]) -> Self: ...
    def __getitem__(self, rows: int | slice | Sequence[int] | NDArray[Any]) -> Reference | Self:
        if isinstance(rows, slice):
            return self.select(np.arange(len(self))[rows])
        if isinstance(rows, Integral):
            return next(self.references([checked_row(rows, len(self), "pairs")]))
        return self.select(cast("NDArray[Any]", rows))

    def select(self, rows: Sequence[int] | NDArray[Any]) -> Self:
        """Return the results in some rows, or where a mask is true; they keep their ranks.

        Raises
        ------
        ParameterError
            If the rows are not ascending: results keep the order of their queries; or if they are
            no rows.
        IndexError
            If there is no such row.

        Examples
        --------
        >>> from locisimiles import BM25, Pipeline, load_example_query, load_example_source
        >>> results = Pipeline(BM25()).run(load_example_query(), load_example_source())
        >>> results[results.candidates.score > 12].rank.tolist()
        [1, 1, 1, 1, 1, 1]
        """
        chosen = chosen_rows(rows, len(self))
        listed = chosen.tolist()

        def part(column: Sequence[Any] | None) -> tuple[Any, ...] | None:
            return None if column is None else tuple(column[row] for row in listed)

        found = replace(
            self,
            candidates=self.candidates.select(chosen),
            probabilities=None if self.probabilities is None else self.probabilities[chosen],
            further={name: part(cells) or () for name, cells in self.further.items()},
            explanations=part(self.explanations),
            alignments=part(self.alignments),
            judgements=part(self.judgements),
            ranks=self.rank[chosen],
            best=chosen_groups(self.best, chosen),
            shared=part(self.shared),
        )
        object.__setattr__(found, "_finder", self._finder)
        return found

    def for_query(self, segment_id: str) -> list[Reference]:
        """Return the candidates of one query segment, best first.

        Raises
        ------
        KeyError
            If the query document has no such segment.
        """
        position = self.query.index(segment_id)
        begin, end = np.searchsorted(self.candidates.query, [position, position + 1]).tolist()
        return list(self.references(range(begin, end)))

    def references(self, rows: Iterable[int]) -> Iterator[Reference]:
        """Yield the references of some rows of the candidates."""
        candidates, judged, read = self.candidates, self.probabilities, self.judgements
        listed = list(rows)
        for row, rank in zip(listed, self._ranks_of(listed), strict=True):
            yield Reference(
                self.query[int(candidates.query[row])],
                self.source[int(candidates.source[row])],
                rank,
                float(candidates.score[row]),
                None if judged is None else Probabilities(*judged[row].tolist()),
                None if read is None else read[row],
            )

    def _ranks_of(self, rows: list[int]) -> list[int]:
        """Return the ranks of some rows, without looking at the others."""
        chosen = np.asarray(rows, np.int64)
        if self.ranks is not None:
            ranks: list[int] = self.ranks[chosen].tolist()
            return ranks
        column = self.candidates.query
        first = np.searchsorted(column, column[chosen])
        counted: list[int] = (chosen - first + 1).tolist()
        return counted

    def explain(self, row: int) -> Evidence:
        """Return the evidence of one pair: why it may be a reference, and why not.

        Examples
        --------
        >>> from locisimiles import BM25, Pipeline, load_example_query, load_example_source
        >>> results = Pipeline(BM25()).run(load_example_query(), load_example_source())
        >>> print(results.filter(query="hier. epist. 130.5.5.3").explain(0).sentence)
        Shares haereo, uox, faux (3 words, within 3 words in the text and 3 in the source, in
        another order); word for word: “uox faucibus”; ...
        """
        number = checked_row(row, len(self), "pairs")
        if not self._finder:
            self._finder.append(EvidenceFinder(self.query, self.source))
        pair = [int(self.candidates.query[number])], [int(self.candidates.source[number])]
        return self._finder[0].for_pairs(*pair)[0]

    def __repr__(self) -> str:
        return (
            f"<Results: {len(self):,} candidates for {len(self.query):,} query segments "
            f"in {len(self.source):,} source segments>"
        )


def check_results(results: object) -> None:
    """Raise a ParameterError for what are no results.

    Examples
    --------
    >>> check_results([])
    Traceback (most recent call last):
    ...
    locisimiles.errors.ParameterError: these are not Results (got list); results[...] and
    results.filter(...) return Results
    """
    if not isinstance(results, ResultColumns):
        raise ParameterError("results.not_results", kind=type(results).__name__)


def chosen_groups(
    best: NDArray[np.int64] | None, rows: NDArray[np.int64]
) -> NDArray[np.int64] | None:
    """Return `ResultColumns.best` of some rows; the first that is left stands for its group.

    Examples
    --------
    >>> chosen_groups(np.array([0, 1, 0, 0]), np.array([1, 2, 3])).tolist()
    [0, 1, 1]
    """
    if best is None:
        return None
    _, first, group = np.unique(best[rows], return_index=True, return_inverse=True)
    chosen: NDArray[np.int64] = first[group].astype(np.int64)
    return chosen


def _joined_groups(parts: Sequence[ResultColumns]) -> NDArray[np.int64] | None:
    columns = [one.best for one in parts if one.best is not None]
    if len(columns) < len(parts):
        return None
    begins = np.cumsum([0, *map(len, columns)])[:-1].tolist()
    return np.concatenate([own + begin for own, begin in zip(columns, begins, strict=True)])


def _joined_shared(parts: Sequence[ResultColumns]) -> tuple[str, ...] | None:
    columns = [one.shared for one in parts if one.shared is not None]
    return tuple(chain.from_iterable(columns)) if len(columns) == len(parts) else None
