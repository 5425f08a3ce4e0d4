"""Results of a search: stored as columns, iterated as references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from locisimiles.errors import ParameterError
from locisimiles.results.base import ResultColumns
from locisimiles.results.filtering import matching_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from locisimiles.results.reference import Reference

__all__ = ["Results"]


class Results(ResultColumns):
    """All candidates of a search, with the documents they come from.

    Results are a sequence of references: they have a length, can be iterated, and ``results[0]`` is
    the first one. ``results[:100]``, a mask or a list of rows give results again. A notebook shows
    the first pairs, with the words that answer each other.

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
    ranks
        The rank of each pair in the search, where some of its pairs were left out; None counts.
    best
        For each pair, the row of the best pair of its query whose source is parallel to its own:
        of the best one, its own row. None if parallel sources are not grouped; see `grouped`.
    shared
        The lemmas that both texts of each pair have, as a cell of a table; None finds them when a
        table is made.

    Examples
    --------
    >>> from locisimiles import BM25, Pipeline, load_example_query, load_example_source
    >>> results = Pipeline(BM25()).run(load_example_query(), load_example_source())
    >>> best = results.filter(rank=1, source_author="Virgil")
    >>> best[0].source.id, len(best[:3])
    ('verg. aen. 2.774.1', 3)
    """

    __slots__ = ()

    def filter(
        self,
        where: Callable[[Reference], bool] | None = None,
        *,
        probability: float | None = None,
        score: float | None = None,
        rank: int | None = None,
        kind: str | Iterable[str] | None = None,
        query: str | Iterable[str] | None = None,
        query_author: str | Iterable[str] | None = None,
        query_work: str | Iterable[str] | None = None,
        source_author: str | Iterable[str] | None = None,
        source_work: str | Iterable[str] | None = None,
    ) -> Self:
        """Return the results that meet all conditions; they keep their ranks.

        Parameters
        ----------
        where
            Says of a reference whether to keep it; asked last.
        probability, score
            The least value.
        rank
            The last rank.
        kind
            ``cit.`` or ``cf.``: what readers said, else the more probable type.
        query
            The ids of query segments.
        query_author, query_work, source_author, source_work
            Names as the documents spell them; capitals do not matter.

        Raises
        ------
        ParameterError
            If a name does not occur, or there are no probabilities.
        KeyError
            If the query document has no such segment.

        Examples
        --------
        >>> from locisimiles import Pipeline, load_example_query, load_example_source
        >>> results = Pipeline().run(load_example_query(), load_example_source())
        >>> likely = results.filter(lambda one: "faux" in one.shared, probability=0.5, rank=1)
        >>> [reference.source.id for reference in likely]
        ['verg. aen. 2.774.1']
        """
        names = {
            "query_author": query_author,
            "query_work": query_work,
            "source_author": source_author,
            "source_work": source_work,
        }
        if where is not None and not callable(where):
            raise ParameterError("results.not_a_condition", value=repr(where))
        kept = matching_rows(
            self, probability=probability, score=score, rank=rank, kind=kind, query=query, **names
        )
        if where is not None:
            kept = [row for row, one in zip(kept, self.references(kept), strict=True) if where(one)]
        return self.select(kept)

    def distinct(self) -> Self:
        """Return the best of each group of parallel sources; they keep their ranks.

        Sources are parallel if they have nearly the same words, such as a verse of two Gospels. A
        query segment that quotes one of them finds all; they count once.

        Examples
        --------
        >>> from locisimiles import BM25, Pipeline, load_example_query, load_example_source
        >>> results = Pipeline(BM25()).run(load_example_query(), load_example_source())
        >>> len(results.distinct()) <= len(results)
        True
        """
        grouped = self.grouped()
        return grouped.select(grouped.counts)

    def parallels(self) -> list[tuple[Reference, tuple[Reference, ...]]]:
        """Return each result of `distinct`, with the results that are parallel to it beneath."""
        best = self.grouped().best
        assert best is not None  # noqa: S101 - it was just grouped
        beneath: dict[int, list[Reference]] = {}
        for row, reference in enumerate(self.references(range(len(self)))):
            beneath.setdefault(int(best[row]), []).append(reference)
        return [(group[0], tuple(group[1:])) for group in beneath.values()]

    def to_pandas(self, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """Return a pandas data frame: a row per pair, the columns of the files we write.

        Parameters
        ----------
        columns
            Some of the columns. Without ``shared``, words need not be compared, which is faster.

        Raises
        ------
        MissingDependencyError
            If pandas is not installed.

        Examples
        --------
        >>> from locisimiles import BM25, Pipeline, load_example_query, load_example_source
        >>> results = Pipeline(BM25()).run(load_example_query(), load_example_source())
        >>> table = results.to_pandas(["query_id", "source_author", "score"])
        >>> int((table["source_author"] == "Horace").sum())
        38
        """
        from locisimiles.results.frames import pandas_frame

        return pandas_frame(self, columns)

    def to_polars(self, columns: Sequence[str] | None = None) -> pl.DataFrame:
        """Return a Polars data frame; as `to_pandas`."""
        from locisimiles.results.frames import polars_frame

        frame: pl.DataFrame = polars_frame(self, columns)
        return frame

    def to_arrow(self, columns: Sequence[str] | None = None) -> pa.Table:
        """Return an Arrow table; as `to_pandas`. Its metadata hold the manifest."""
        from locisimiles.results.frames import arrow_table

        return arrow_table(self, columns)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Hand the table of `to_arrow` to any library that reads Arrow."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        from locisimiles.results.page import notebook_table

        return notebook_table(self)
