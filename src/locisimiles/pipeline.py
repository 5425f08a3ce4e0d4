"""Search a query document in a source document, and judge the candidates."""

from __future__ import annotations

from functools import cached_property
from importlib.metadata import version
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.candidates import Candidates, ranking, tie_order
from locisimiles.checks import check_at_least
from locisimiles.classify.base import Pairs
from locisimiles.classify.methods import DEFAULT_CLASSIFIER, make_classifier
from locisimiles.classify.selection import Selection, expect_references
from locisimiles.errors import ParameterError
from locisimiles.index import PreparedDocument
from locisimiles.progress import silent
from locisimiles.results import Results
from locisimiles.retrieve.combined import Combined
from locisimiles.retrieve.combined.priors import verse_column
from locisimiles.retrieve.methods import DEFAULT, MethodOptions, change_settings, make_retriever

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from locisimiles.classify.base import Classifier
    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.retrieve import Retriever

__all__ = [
    "AUTO",
    "ClassificationPipeline",
    "Pipeline",
    "Searcher",
    "current_versions",
    "prepare_query",
]

AUTO = "auto"
"""Judge candidates with the default method, and wherever pairs are selected."""
_USUAL_K = 10
_MOST_PAIRS = 5_000_000
_RESULTS_DEPEND_ON = ("numpy",)


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
        options: MethodOptions | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        options = options or MethodOptions()
        if isinstance(retriever, str):
            retriever = make_retriever(retriever, options)
        self.retriever = change_settings(retriever, settings or {})
        self.selection = selection or Selection()
        if classifier == AUTO:
            judged = isinstance(self.retriever, Combined) or self.selection.is_needed
            classifier = DEFAULT_CLASSIFIER if judged else None
        self.classifier = _classifier(classifier, priors=options.priors)
        if self.classifier is None and self.selection.is_needed:
            raise ParameterError("pipeline.selection_needs_classifier")
        self.k = k if k is not None else depth if self.selection.is_needed else _USUAL_K
        self.depth = depth
        check_at_least(1, k=self.k, depth=self.depth)

    def prepare(self, source: Document, *, progress: Progress = silent) -> Searcher:
        """Index the source segments once, to search them for any number of queries."""
        return Searcher(self, source, progress=progress)

    def run(self, *, query: Document, source: Document, progress: Progress = silent) -> Results:
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
        return self.prepare(source, progress=progress).run(query, progress=progress)


class Searcher:
    """A source prepared for a pipeline; returned by `Pipeline.prepare`.

    Search and classifier share its tokens and vectors.
    """

    def __init__(
        self, pipeline: Pipeline, source: Document, *, progress: Progress = silent
    ) -> None:
        self.pipeline = pipeline
        self.source = source
        self._prepared = PreparedDocument.of(source)
        self._index = pipeline.retriever.index(self._prepared, progress=progress)

    def run(self, query: Document, *, progress: Progress = silent) -> Results:
        """Find the candidates of every query segment, and judge them."""
        pipeline, source = self.pipeline, self.source
        queries = PreparedDocument(query)
        classifier = pipeline.classifier
        depth = pipeline.k if classifier is None else max(pipeline.k, pipeline.depth)
        candidates = self._index.search(queries, depth, progress=progress)
        manifest = {
            **_described(query, self._fingerprint, len(source)),
            "retriever": dict(pipeline.retriever.parameters()),
            "k": pipeline.k,
        }
        if classifier is None:
            return Results(query, source, candidates, manifest)
        pairs = Pairs(queries, self._prepared, candidates.query, candidates.source)
        judged = classifier.probabilities(pairs, progress=progress)
        found, judged = _selected(
            pairs, judged, self._prepared.ties, pipeline.k, pipeline.selection
        )
        manifest = {**manifest, "depth": depth, **_judging(classifier, pipeline.selection, found)}
        return Results(query, source, found, manifest, judged)

    @cached_property
    def _fingerprint(self) -> str:
        return self.source.fingerprint()


class ClassificationPipeline:
    """Judge every query segment with every source segment; for small documents.

    Parameters
    ----------
    classification_name
        The name of a classifier, as for `Pipeline`, or a classifier.
    k
        Maximum number of candidates per query segment.
    selection
        Which judged pairs to keep.

    Examples
    --------
    >>> from locisimiles import load_example_query, load_example_source
    >>> query, source = load_example_query(), load_example_source()
    >>> results = ClassificationPipeline(k=1).run(query=query, source=source)
    >>> results.for_query("hier. epist. 130.5.5.3")[0].source.id
    'verg. aen. 2.774.1'
    """

    def __init__(
        self,
        classification_name: Classifier | str | PathLike[str] = DEFAULT_CLASSIFIER,
        *,
        k: int = _USUAL_K,
        selection: Selection | None = None,
    ) -> None:
        check_at_least(1, k=k)
        self.classifier = classification_name
        self.k = k
        self.selection = selection or Selection()

    def run(self, *, query: Document, source: Document, progress: Progress = silent) -> Results:
        """Judge all pairs; see `Pipeline.run`.

        Raises
        ------
        ParameterError
            If there are more than five million.
        """
        if len(query) * len(source) > _MOST_PAIRS:
            raise ParameterError("pipeline.too_many_pairs", queries=len(query), sources=len(source))
        classifier = _classifier(self.classifier, priors=True)
        if classifier is None:
            raise ParameterError("pipeline.selection_needs_classifier")
        pairs = Pairs.every(query, source)
        judged = classifier.probabilities(pairs, progress=progress)
        found, judged = _selected(pairs, judged, tie_order(source.ids), self.k, self.selection)
        manifest = {
            **_described(query, source.fingerprint(), len(source)),
            "retriever": None,
            "k": self.k,
            **_judging(classifier, self.selection, found),
        }
        return Results(query, source, found, manifest, judged)


def prepare_query(query: Document) -> PreparedDocument:
    """Prepare a query that is searched in blocks: each has the results it has in the whole.

    Examples
    --------
    >>> from locisimiles import load_example_query, load_example_source
    >>> query, searcher = load_example_query(), Pipeline(k=3).prepare(load_example_source())
    >>> block = searcher.run(prepare_query(query)[2:4])
    >>> whole = searcher.run(query)
    >>> [one.score for one in block] == [one.score for one in whole if one.query.id in block.query]
    True
    """
    prepared = PreparedDocument(query)
    verse_column(prepared)
    return prepared


def current_versions() -> dict[str, object]:
    """Return the versions that results depend on, as manifests name them."""
    return {
        "locisimiles": version("locisimiles"),
        "libraries": {name: version(name) for name in _RESULTS_DEPEND_ON},
    }


def _classifier(
    classifier: Classifier | str | PathLike[str] | None, *, priors: bool
) -> Classifier | None:
    if isinstance(classifier, str | PathLike):
        return make_classifier(classifier, priors=priors)
    return classifier


def _described(query: Document, source_sha256: str, sources: int) -> dict[str, object]:
    return {
        **current_versions(),
        "query": {"segments": len(query), "sha256": query.fingerprint()},
        "source": {"segments": sources, "sha256": source_sha256},
    }


def _selected(
    pairs: Pairs,
    judged: NDArray[np.float32],
    ties: NDArray[np.int64],
    k: int,
    selection: Selection,
) -> tuple[Candidates, NDArray[np.float32]]:
    """Order pairs by their probability of a reference, and select among them."""
    query, source = pairs.query_rows, pairs.source_rows
    probability = judged[:, 1] + judged[:, 2]
    order = ranking(probability, ties[source], query)
    place = np.arange(len(order)) - np.searchsorted(query[order], query[order])
    kept = order[place < k]
    kept = kept[selection.kept(probability[kept])]
    candidates = Candidates(
        query=query[kept].astype(np.int32),
        source=source[kept].astype(np.int32),
        score=probability[kept].astype(np.float32),
    )
    return candidates, judged[kept]


def _judging(
    classifier: Classifier, selection: Selection, candidates: Candidates
) -> dict[str, object]:
    expected = expect_references(candidates.score, classifier.calibration.spread)
    return {
        "classifier": dict(classifier.parameters()),
        **({"selection": dict(selection.as_dict())} if selection.is_needed else {}),
        "references": expected.as_dict(),
    }
