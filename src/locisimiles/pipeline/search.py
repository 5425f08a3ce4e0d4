"""Search a query document in a source document, and judge the candidates."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_at_least, check_has, check_whole
from locisimiles.classify.base import Pairs
from locisimiles.classify.methods import DEFAULT_CLASSIFIER, make_classifier
from locisimiles.classify.selection import Selection, Tally
from locisimiles.corpus.document import check_documents
from locisimiles.errors import ParameterError
from locisimiles.index import PreparedDocument
from locisimiles.index.exclusion import Exclusion, checked_exclusions
from locisimiles.parameters import Parameters
from locisimiles.pipeline.description import described_judging, described_texts
from locisimiles.pipeline.finite import check_finite
from locisimiles.pipeline.judging import (
    adapted_results,
    cut_blocks,
    described_expectation,
    judged_as_searched,
    ranked_pairs,
    selected_blocks,
)
from locisimiles.progress import silent
from locisimiles.results import Results
from locisimiles.retrieve.combined import Combined
from locisimiles.retrieve.combined.priors import verse_column
from locisimiles.retrieve.methods import DEFAULT, MethodOptions, change_settings, make_retriever

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from locisimiles.classify.base import Classifier
    from locisimiles.classify.calibration import Calibration
    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.retrieve import Retriever

__all__ = ["AUTO", "BLOCK", "Pipeline", "Searcher", "prepare_query"]

AUTO = "auto"
"""Judge candidates with the default method, and wherever pairs are selected."""
BLOCK = 128
"""The number of query segments that are searched together by default."""
_USUAL_K = 10


class Pipeline:
    """A search: retrieve candidates, judge them, select. Command line and app run the same one.

    Parameters
    ----------
    retriever
        The name of a method (see `locisimiles.make_retriever`) or a retriever. By default the
        combined search, as in ``locisimiles search``.
    classifier
        The name of a classifier (see `locisimiles.classify.methods.make_classifier`) or a
        classifier, which orders candidates by the probability of a reference. None keeps the
        retriever's order. By default the ensemble with the default method or with a selection, else
        None.
    k
        Maximum number of candidates per query segment; by default 10, or all judged candidates with
        a selection.
    depth
        Number of candidates per query segment that the classifier judges; at least `k`.
    selection
        Which judged pairs to keep: a budget, a precision or a threshold.
    exclude
        Which pairs are no candidates: ``same-work``, ``same-author``, ``later`` (the source is
        later than the query). See `locisimiles.index.exclusion.Exclusion`.
    group
        Whether sources of a query segment with nearly the same words are grouped, and counted
        once, as the command line and the app do; see `locisimiles.Results.grouped`.
    options, settings
        For a method by name: its lemmatizer, vectors, model and priors, and changed settings as
        text.

    Examples
    --------
    >>> from locisimiles import load_example_query, load_example_source
    >>> results = Pipeline(k=4).run(query=load_example_query(), source=load_example_source())
    >>> found = results.for_query("hier. epist. 130.5.5.3")  # vox faucibus haesit, as in Virgil
    >>> "verg. aen. 2.774.1" in [candidate.source.id for candidate in found]
    True
    """

    def __init__(
        self,
        retriever: Retriever | str = DEFAULT,
        *,
        classifier: Classifier | str | PathLike[str] | None = AUTO,
        k: int | None = None,
        depth: int = 100,
        selection: Selection | None = None,
        exclude: Iterable[str] = (),
        group: bool = False,
        options: MethodOptions | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        options = options or MethodOptions()
        if isinstance(retriever, str):
            retriever = make_retriever(retriever, options)
        check_has("retriever", retriever, "index", "parameters")
        self.retriever = change_settings(retriever, settings or {})
        self.selection = selection or Selection()
        self.exclude = checked_exclusions(exclude)
        self.group = group
        if classifier == AUTO:
            judged = isinstance(self.retriever, Combined) or self.selection.is_needed
            classifier = DEFAULT_CLASSIFIER if judged else None
        self.classifier = _classifier(classifier, options)
        if self.classifier is None and self.selection.is_needed:
            raise ParameterError("pipeline.selection_needs_classifier")
        self.k = k if k is not None else depth if self.selection.is_needed else _USUAL_K
        self.depth = depth
        check_whole(k=self.k, depth=self.depth)
        check_at_least(1, k=self.k, depth=self.depth)

    def __repr__(self) -> str:
        judged = "None" if self.classifier is None else repr(self.classifier)
        return f"Pipeline({self.retriever!r}, classifier={judged}, k={self.k}, depth={self.depth})"

    @property
    def pairs_per_query(self) -> int:
        """The number of candidates per query segment that are retrieved, and judged if any are."""
        return self.k if self.classifier is None else max(self.k, self.depth)

    @property
    def calibration(self) -> Calibration | None:
        """What is known of the probabilities, and how they are adapted; None without them."""
        return None if self.classifier is None else self.classifier.calibration

    @property
    def selection_of_a_block(self) -> Selection:
        """The selection that can be applied to some queries before the others are known.

        None if probabilities are adapted, since that takes the best pairs of all.
        """
        calibration = self.calibration
        adapts = calibration is not None and calibration.base_rates is not None
        return Selection() if adapts else self.selection.of_a_block()

    def finished(
        self,
        blocks: Iterable[Results],
        size: int = BLOCK,
        compared: Callable[[int, Results], Results] | None = None,
    ) -> Iterator[Results]:
        """Select over all blocks, each from `Searcher.block`, and complete the last manifest.

        Parameters
        ----------
        blocks
            At least one, in the order of the query.
        size
            The number of query segments of a block that is returned after a selection.
        compared
            Returns a block, given its number, with what others found out about its words: groups
            of parallel sources, if there are to be any. By default, that is done here.
        """
        calibration = self.calibration
        rates = None if calibration is None else calibration.base_rates
        if rates is not None:
            whole = adapted_results(Results.join(blocks), rates, self.selection)
            blocks = cut_blocks(whole, size)
        elif self.selection.spans_all:
            blocks = selected_blocks(blocks, self.selection, size)
        if compared is not None:
            blocks = (compared(number, block) for number, block in enumerate(blocks))
        elif self.group:
            blocks = (block.grouped() for block in blocks)
        if calibration is None:
            yield from blocks
            return
        tally, last = Tally(), None
        for block in blocks:
            if last is not None:
                yield last
            tally.add(block.candidates.score[block.counts])
            last = block
        if last is not None:
            expected = described_expectation(tally, calibration, last.query)
            yield replace(last, manifest={**last.manifest, **expected})

    def manifest(
        self, queries: int, query_sha256: str, sources: int, source_sha256: str
    ) -> dict[str, object]:
        """Return all that a search depends on, but for the number of references to expect."""
        manifest = {
            **described_texts(queries, query_sha256, sources, source_sha256),
            "retriever": dict(self.retriever.parameters()),
            "k": self.k,
            **({"exclude": list(self.exclude)} if self.exclude else {}),
            **({"group": True} if self.group else {}),
        }
        if self.classifier is None:
            return manifest
        judging = described_judging(self.classifier, self.selection)
        return {**manifest, "depth": self.pairs_per_query, **judging}

    def prepare(self, source: Document, *, progress: Progress = silent) -> Searcher:
        """Index the source segments once, to search them for any number of queries."""
        return Searcher(self, source, progress=progress)

    def run(self, query: Document, source: Document, *, progress: Progress = silent) -> Results:
        """Find the candidates of every query segment, and judge them.

        Parameters
        ----------
        query
            The later text.
        source
            The earlier texts it may refer to.
        progress
            Called to report progress.
        """
        check_documents(query=query, source=source)  # before the source is prepared
        return self.prepare(source, progress=progress).run(query, progress=progress)


class Searcher:
    """A source prepared for a pipeline; returned by `Pipeline.prepare`.

    Search and classifier share its tokens and vectors.
    """

    def __init__(
        self, pipeline: Pipeline, source: Document, *, progress: Progress = silent
    ) -> None:
        check_documents(source=source)
        self.pipeline = _unchanging(pipeline)
        self.source = source
        self._prepared = PreparedDocument.of(source)
        self._index = pipeline.retriever.index(self._prepared, progress=progress)

    def run(self, query: Document, *, progress: Progress = silent) -> Results:
        """Find the candidates of every query segment, and judge them."""
        return replace(Results.join(self.blocks(query, progress=progress)), query=query)

    def blocks(
        self, query: Document, size: int = BLOCK, *, progress: Progress = silent
    ) -> Iterator[Results]:
        """Yield the results of `run` block by block, so that memory does not grow with the query.

        Blocks have the query as a whole, and candidates of some of its segments. There is at least
        one block. The manifest of the last one is that of the whole search; the others do not say
        how many references to expect.

        Parameters
        ----------
        query
            The later text.
        size
            The number of query segments that are searched together; results do not depend on it.
        progress
            Called to report progress.

        Examples
        --------
        >>> from locisimiles import load_example_query, load_example_source
        >>> query, searcher = load_example_query(), Pipeline(k=3).prepare(load_example_source())
        >>> blocks = list(searcher.blocks(query[:6], 2))
        >>> len(blocks), Results.join(blocks).candidates == searcher.run(query[:6]).candidates
        (3, True)
        """
        check_documents(query=query)
        check_at_least(1, size=size)
        yield from self.pipeline.finished(self._found(prepare_query(query), size, progress), size)

    def _found(self, query: PreparedDocument, size: int, progress: Progress) -> Iterator[Results]:
        if len(query) <= size:
            yield self.block(query, 0, len(query), progress=progress)
            return
        for begin in range(0, len(query), size):
            progress("searching", begin, len(query))
            yield self.block(query, begin, min(begin + size, len(query)))
        progress("searching", len(query), len(query))

    def block(
        self, query: PreparedDocument, begin: int, end: int, *, progress: Progress = silent
    ) -> Results:
        """Find the candidates of the query segments from `begin` to before `end`, and judge them.

        Returns the part of the results of the whole query, before a budget or a precision over all
        of it is applied; of a budget, at most that many pairs. The manifest does not say how many
        references to expect.

        Parameters
        ----------
        query
            The whole query; see `prepare_query`.
        begin, end
            Positions in it.
        progress
            Called to report progress.
        """
        pipeline = self.pipeline
        classifier = pipeline.classifier
        queries = query if (begin, end) == (0, len(query)) else query.select(range(begin, end))
        depth = pipeline.pairs_per_query
        if pipeline.exclude:
            exclusion = self.exclusion(query)
            queries = PreparedDocument(queries)
            queries.exclude(exclusion, np.arange(begin, end))
        found, judged = self._index.search(queries, depth, progress=progress), None
        check_finite(found.score, pipeline.retriever.parameters().get("name", ""))
        if pipeline.exclude:  # a retriever of others may not have asked
            found = found.select(~queries.excluded_pairs(found.query, found.source))
        if classifier is not None:
            pairs = Pairs(queries, self._prepared, found.query, found.source)
            judged = classifier.probabilities(pairs, progress=progress)
            check_finite(judged, classifier.parameters().get("name", ""))
            judged = judged_as_searched(self._index, pairs, judged, found.score)
            selection = pipeline.selection_of_a_block
            found, judged = ranked_pairs(pairs, judged, self._prepared.ties, pipeline.k, selection)
        found = replace(found, query=found.query + np.int32(begin))
        return Results(query, self.source, found, self._manifest(query), judged)

    def exclusion(self, query: PreparedDocument) -> Exclusion:
        """Return which pairs are no candidates; see `Pipeline`."""
        key = "exclusion", self.pipeline.exclude, self._fingerprint
        return query.derive(key, lambda: Exclusion(self.pipeline.exclude, query, self.source))

    def _manifest(self, query: PreparedDocument) -> dict[str, object]:
        query_sha256 = query.derive("fingerprint", query.fingerprint)
        sources = len(self.source)
        return self.pipeline.manifest(len(query), query_sha256, sources, self._fingerprint)

    @cached_property
    def _fingerprint(self) -> str:
        return self.source.fingerprint()


def prepare_query(query: Document) -> PreparedDocument:
    """Prepare a query that is searched in blocks: each has the results it has in the whole.

    Examples
    --------
    >>> from locisimiles import load_example_query, load_example_source
    >>> query, searcher = load_example_query(), Pipeline(k=3).prepare(load_example_source())
    >>> block = searcher.block(prepare_query(query), 2, 4)
    >>> [one.query.id for one in block] == [id for id in query.ids[2:4] for _ in range(3)]
    True
    """
    prepared = PreparedDocument(query)
    verse_column(prepared)
    return prepared


def _unchanging(pipeline: Pipeline) -> Pipeline:
    """Return the pipeline with parameters that nobody else can change.

    A manifest must describe the index that was searched.
    """
    if not isinstance(pipeline.retriever, Parameters):
        return pipeline
    pipeline = copy(pipeline)
    pipeline.retriever = copy(pipeline.retriever)
    return pipeline


def _classifier(
    classifier: Classifier | str | PathLike[str] | None, options: MethodOptions
) -> Classifier | None:
    if isinstance(classifier, str | PathLike):
        return make_classifier(classifier, priors=options.priors, adapt=options.adapt)
    if classifier is not None:
        check_has("classifier", classifier, "probabilities", "parameters")
    return classifier
