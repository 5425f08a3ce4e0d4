"""Search a query document in a source document, and judge what was found."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.classify.base import every_pair
from locisimiles.classify.cross_encoder import CrossEncoderClassifier
from locisimiles.classify.cuts import Cut, expect_references
from locisimiles.classify.ensemble import Ensemble
from locisimiles.classify.ensemble_weights import EnsembleWeights
from locisimiles.errors import ParameterError
from locisimiles.progress import silent
from locisimiles.results import Results
from locisimiles.retrieve import Candidates, Combined, make_retriever
from locisimiles.retrieve.candidates import tie_break

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from numpy.typing import NDArray

    from locisimiles.classify.base import Classifier
    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.retrieve import Retriever

__all__ = ["ClassificationPipeline", "Pipeline", "TwoStagePipeline", "make_classifier"]

_MATTERS_FOR_RESULTS = ("numpy",)
_MOST_PAIRS = 5_000_000
_OUR_CLASSIFIER = "ensemble"


def make_classifier(name: str | PathLike[str], *, priors: bool = True) -> Classifier:
    """Return the classifier with this name.

    Parameters
    ----------
    name
        ``ensemble`` is the one that comes with the package, ``cross-encoder`` our cross-encoder. A
        ``.json`` file has weights of an ensemble, which ``locisimiles train classifier`` wrote;
        anything else is a cross-encoder: a folder, or a name on the Hub.
    priors
        Whether the ensemble may prefer what the author of the query is known to read.

    Examples
    --------
    >>> make_classifier("ensemble", priors=False).priors
    False
    """
    if not str(name):
        raise ParameterError("the classifier has no name", hint="ensemble is the usual one")
    if name == _OUR_CLASSIFIER:
        return Ensemble(priors=priors)
    if Path(name).suffix == ".json":
        return Ensemble(priors=priors, weights=EnsembleWeights.load(Path(name)))
    if name == "cross-encoder":
        return CrossEncoderClassifier()
    if "/" not in str(name) and not Path(name).exists():
        raise ParameterError(
            f"there is no classifier {str(name)!r}",
            hint="choose ensemble or cross-encoder, or name a file, a folder, or OWNER/NAME on the "
            "Hub",
        )
    return CrossEncoderClassifier(name)


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A search that can be run on any two documents.

    Parameters
    ----------
    retriever
        How candidates are found; by default `locisimiles.retrieve.Combined`, all parts together.
    k
        How many candidates each query segment keeps at most.
    classifier
        Says how probable it is that each candidate is a reference, and of which type; candidates
        are then ordered by that. None: they are ordered as they were found.
    depth
        How many candidates of each query segment the classifier sees; at least `k`.
    cut
        What is kept of all that was judged: so many pairs, so sure ones, or the best that are
        right so often.

    Examples
    --------
    >>> from locisimiles import load_example_query, load_example_source
    >>> results = Pipeline(k=4).run(query=load_example_query(), source=load_example_source())
    >>> found = results.for_query("hier. epist. 130.5.5.3")  # vox faucibus haesit, as Virgil has it
    >>> "verg. aen. 2.774.1" in [candidate.source.id for candidate in found]
    True
    """

    retriever: Retriever = field(default_factory=Combined)
    k: int = 10
    classifier: Classifier | None = None
    depth: int = 100
    cut: Cut = field(default_factory=Cut)

    def __post_init__(self) -> None:
        _check_numbers(k=self.k, depth=self.depth)
        if self.classifier is None and self.cut.is_needed:
            raise ParameterError(
                "only what a classifier has judged can be cut by its probability",
                hint="give a classifier, or choose how many candidates a query has with k",
            )

    def run(self, *, query: Document, source: Document, progress: Progress = silent) -> Results:
        """Find the candidates of every query segment, and judge them.

        Parameters
        ----------
        query
            The later text, whose references are wanted.
        source
            The earlier texts it may refer to.
        progress
            Called while the work goes on.
        """
        index = self.retriever.index(source, progress=progress)
        depth = self.k if self.classifier is None else max(self.k, self.depth)
        candidates = index.search(query, depth, progress=progress)
        manifest = {**_described(query, source), "retriever": dict(self.retriever.parameters())}
        if self.classifier is None:
            return Results(query, source, candidates, {**manifest, "k": self.k})
        judged = self.classifier.probabilities(
            query, source, candidates.query, candidates.source, progress=progress
        )
        return _judged_results(
            (query, source),
            (candidates.query, candidates.source, judged),
            classifier=self.classifier,
            k=self.k,
            cut=self.cut,
            manifest={**manifest, "k": self.k, "depth": depth},
        )


@dataclass(frozen=True, slots=True)
class ClassificationPipeline:
    """Judge every query segment with every source segment; for small documents.

    Parameters
    ----------
    classification_name
        The classifier, as `make_classifier` knows it; by default the one that comes with the
        package.
    k
        How many candidates each query segment keeps at most.
    cut
        What is kept of all that was judged.

    Examples
    --------
    >>> from locisimiles import load_example_query, load_example_source
    >>> query, source = load_example_query(), load_example_source()
    >>> results = ClassificationPipeline(k=1).run(query=query, source=source)
    >>> results.for_query("hier. epist. 130.5.5.3")[0].source.id
    'verg. aen. 2.774.1'
    """

    classification_name: str | PathLike[str] = _OUR_CLASSIFIER
    k: int = 10
    cut: Cut = field(default_factory=Cut)

    def __post_init__(self) -> None:
        _check_numbers(k=self.k)

    def run(self, *, query: Document, source: Document, progress: Progress = silent) -> Results:
        """Judge all pairs; see `Pipeline.run`.

        Raises
        ------
        ParameterError
            If there are too many.
        """
        if len(query) * len(source) > _MOST_PAIRS:
            raise ParameterError(
                f"{len(query):,} × {len(source):,} pairs are too many to be judged one by one",
                hint="use TwoStagePipeline, which searches first",
            )
        classifier = make_classifier(self.classification_name)
        asked, given = every_pair(query, source)
        judged = classifier.probabilities(query, source, asked, given, progress=progress)
        return _judged_results(
            (query, source),
            (asked, given, judged),
            classifier=classifier,
            k=self.k,
            cut=self.cut,
            manifest={**_described(query, source), "retriever": None, "k": self.k},
        )


@dataclass(frozen=True, slots=True)
class TwoStagePipeline:
    """Search first, then judge what was found; for documents of any size.

    Parameters
    ----------
    retrieval_name
        A method, as `locisimiles.make_retriever` knows it.
    classification_name
        The classifier, as `make_classifier` knows it; by default the one that comes with the
        package.
    top_k
        How many candidates of each query segment are judged.
    k, cut
        As in `Pipeline`.

    Examples
    --------
    >>> from locisimiles import load_example_query, load_example_source
    >>> query, source = load_example_query(), load_example_source()
    >>> results = TwoStagePipeline("bm25", cut=Cut(budget=20)).run(query=query, source=source)
    >>> len(results)
    20
    """

    retrieval_name: str = "default"
    classification_name: str | PathLike[str] = _OUR_CLASSIFIER
    top_k: int = 100
    k: int = 10
    cut: Cut = field(default_factory=Cut)

    def __post_init__(self) -> None:
        _check_numbers(k=self.k, top_k=self.top_k)

    def run(self, *, query: Document, source: Document, progress: Progress = silent) -> Results:
        """Search and judge; see `Pipeline.run`."""
        pipeline = Pipeline(
            make_retriever(self.retrieval_name),
            k=self.k,
            classifier=make_classifier(self.classification_name),
            depth=self.top_k,
            cut=self.cut,
        )
        return pipeline.run(query=query, source=source, progress=progress)


def _check_numbers(**numbers: int) -> None:
    for name, number in numbers.items():
        if number < 1:
            raise ParameterError(f"{name}={number} asks for no candidates", hint="1 is the least")


def _described(query: Document, source: Document) -> dict[str, object]:
    return {
        "locisimiles": version("locisimiles"),
        "libraries": {name: version(name) for name in _MATTERS_FOR_RESULTS},
        "query": {"segments": len(query), "sha256": query.fingerprint()},
        "source": {"segments": len(source), "sha256": source.fingerprint()},
    }


def _judged_results(
    documents: tuple[Document, Document],
    pairs: tuple[NDArray[np.integer], NDArray[np.integer], NDArray[np.float32]],
    *,
    classifier: Classifier,
    k: int,
    cut: Cut,
    manifest: Mapping[str, object],
) -> Results:
    """Order pairs by how probable references they are, and keep what is wanted."""
    query, source = documents
    asked, given, judged = pairs
    probability = judged[:, 1] + judged[:, 2]
    order = np.lexsort((tie_break(source.ids)[given], -probability, asked))
    place = np.arange(len(order)) - np.searchsorted(asked[order], asked[order])
    kept = order[place < k]
    kept = kept[cut.kept(probability[kept])]
    candidates = Candidates(
        query=asked[kept].astype(np.int32),
        source=given[kept].astype(np.int32),
        score=probability[kept].astype(np.float32),
    )
    expected = expect_references(probability[kept], getattr(classifier, "spread", 0.0))
    return Results(
        query,
        source,
        candidates,
        {
            **manifest,
            "classifier": dict(classifier.parameters()),
            **({"cut": dict(cut.as_dict())} if cut.is_needed else {}),
            "references": expected.as_dict(),
        },
        judged[kept],
    )
