"""Judge every pair of two small documents."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING

from locisimiles.candidates import tie_order
from locisimiles.checks import check_at_least, check_has, check_whole
from locisimiles.classify.base import Pairs
from locisimiles.classify.methods import DEFAULT_CLASSIFIER, make_classifier
from locisimiles.classify.selection import Selection, Tally
from locisimiles.corpus.document import check_documents
from locisimiles.errors import ParameterError
from locisimiles.pipeline.description import described_judging, described_texts
from locisimiles.pipeline.finite import check_finite
from locisimiles.pipeline.judging import adapted_results, described_expectation, ranked_pairs
from locisimiles.progress import silent
from locisimiles.results import Results

if TYPE_CHECKING:
    from locisimiles.classify.base import Classifier
    from locisimiles.corpus import Document
    from locisimiles.progress import Progress

__all__ = ["ClassificationPipeline"]

_USUAL_K = 10
_MOST_PAIRS = 5_000_000


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
        if not isinstance(classification_name, str | PathLike):
            check_has("classifier", classification_name, "probabilities", "parameters")
        check_whole(k=k)
        check_at_least(1, k=k)
        self.classifier = classification_name
        self.k = k
        self.selection = selection or Selection()

    def run(self, query: Document, source: Document, *, progress: Progress = silent) -> Results:
        """Judge all pairs; see `Pipeline.run`.

        Raises
        ------
        ParameterError
            If there are more than five million.
        """
        check_documents(query=query, source=source)
        if len(query) * len(source) > _MOST_PAIRS:
            raise ParameterError("pipeline.too_many_pairs", queries=len(query), sources=len(source))
        classifier = self.classifier
        if isinstance(classifier, str | PathLike):
            classifier = make_classifier(classifier)
        pairs = Pairs.every(query, source)
        judged = classifier.probabilities(pairs, progress=progress)
        check_finite(judged, classifier.parameters().get("name", ""))
        ties = tie_order(source.ids)
        rates = classifier.calibration.base_rates
        chosen = self.selection if rates is None else Selection()
        found, judged = ranked_pairs(pairs, judged, ties, self.k, chosen)
        manifest = {
            **described_texts(len(query), query.fingerprint(), len(source), source.fingerprint()),
            "retriever": None,
            "k": self.k,
            **described_judging(classifier, self.selection),
        }
        results = Results(query, source, found, manifest, judged)
        if rates is not None:
            results = adapted_results(results, rates, self.selection)
        tally = Tally()
        tally.add(results.candidates.score)
        expected = described_expectation(tally, classifier.calibration, query)
        return replace(results, manifest={**results.manifest, **expected})
