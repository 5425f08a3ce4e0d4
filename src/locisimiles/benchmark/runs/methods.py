"""The methods that can be measured: retrievers, classifiers, and methods that learn first.

A *retriever* (`locisimiles.retrieve.Retriever`) ranks the source segments for each query; it is
measured by the protocol ``retrieval``. A *classifier* (`locisimiles.classify.Classifier`) gives
each pair three probabilities, and is measured by all other protocols; if its calibration has
thresholds, it decides by them. A method that *learns* is trained once per fold, on everything
outside the fold's document (see `locisimiles.benchmark.sets.pools.training_set`), and becomes one
of the two.

`register_method` adds your own.
"""

from __future__ import annotations

import runpy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, cast, get_args

from locisimiles.benchmark.runs.rows import PROTOCOLS, MethodKind
from locisimiles.checks import check_choice
from locisimiles.classify.ensemble import Ensemble
from locisimiles.errors import InputError, ParameterError
from locisimiles.learn.default import UNTRAINED, LearnedDefault
from locisimiles.learn.ensemble import LearnedEnsemble
from locisimiles.learn.fusion import LearnedFusion
from locisimiles.learn.lexical import LearnedLexical
from locisimiles.learn.shared_lemmas import SharedLemmas
from locisimiles.progress import silent
from locisimiles.retrieve.methods import DEFAULT, METHODS, MethodOptions, make_retriever

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.classify.base import Classifier
    from locisimiles.index import PreparedDocument
    from locisimiles.progress import Progress
    from locisimiles.retrieve import Retriever
    from locisimiles.retrieve.combined import Combined

__all__ = [
    "BenchmarkMethod",
    "LearningMethod",
    "describe_methods",
    "find_method",
    "load_plugin",
    "method_names",
    "register_method",
    "unregister_method",
]


class LearningMethod(Protocol):
    """A method that must be trained before it can be measured."""

    def fit(
        self, training: Benchmark, source: PreparedDocument, *, progress: Progress = silent
    ) -> Retriever | Classifier:
        """Learn from references, and return a method that can be measured.

        Parameters
        ----------
        training
            The training set: a benchmark without the query segments of the fold to measure, with
            the references of the other folds.
        source
            Its prepared sources; whatever is derived from them serves all folds.
        progress
            Called during training.
        """

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""


@dataclass(frozen=True, slots=True)
class BenchmarkMethod:
    """A method with a name.

    Attributes
    ----------
    name, description
        Its name in files and tables, and what it does.
    make
        Returns the method, trained if it learns; None if no trained one is shipped.
    learn
        Returns the method untrained; None if there is nothing to learn.
    kind
        Whether it is, or becomes, a retriever or a classifier.
    baseline
        Whether other methods are compared with it by default.
    """

    name: str
    description: str
    make: Callable[[], Retriever | Classifier] | None = None
    learn: Callable[[], LearningMethod] | None = None
    kind: MethodKind = "retriever"
    baseline: bool = False

    @property
    def protocols(self) -> tuple[str, ...]:
        """The protocols that can measure it."""
        return tuple(name for name, kind in PROTOCOLS.items() if kind == self.kind)

    def shipped(self) -> Retriever | Classifier:
        """Return the method as shipped; raise a ParameterError if it must be trained first."""
        if self.make is None:
            raise ParameterError("benchmark.must_be_trained", method=self.name)
        return self.make()


_REGISTERED: dict[str, BenchmarkMethod] = {}
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-.")


def register_method(
    name: str,
    description: str,
    make: Callable[[], Retriever | Classifier] | None = None,
    *,
    learn: Callable[[], LearningMethod] | None = None,
    kind: MethodKind = "retriever",
) -> BenchmarkMethod:
    """Register a method under a name.

    Parameters
    ----------
    name
        Lower-case letters, digits, dots and hyphens, since folders are named after it.
    description
        What it does, in a few words.
    make
        Returns the method, without arguments; trained, if it learns.
    learn
        Returns the method untrained; see `LearningMethod`.
    kind
        ``retriever`` or ``classifier``.

    Raises
    ------
    ParameterError
        If the name is invalid or taken, or both `make` and `learn` are missing.

    Examples
    --------
    >>> from locisimiles.retrieve import BM25
    >>> method = register_method("bm25-k3", "BM25 that counts repetitions", lambda: BM25(k1=3))
    >>> find_method("bm25-k3").shipped()
    BM25(terms='lemma', k1=3, b=0.75, lemmatizer='fast')
    >>> unregister_method("bm25-k3")
    """
    if not name or name.strip("-.") != name or not set(name) <= _LETTERS:
        raise ParameterError("benchmark.method_name", name=name)
    if name in method_names():
        raise ParameterError("benchmark.method_name_taken", name=name)
    check_choice(get_args(MethodKind), kind=kind)
    if make is None and learn is None:
        raise ParameterError("benchmark.no_method", name=name)
    _REGISTERED[name] = BenchmarkMethod(name, description, make, learn, kind)
    return _REGISTERED[name]


def unregister_method(name: str) -> None:
    """Undo `register_method`."""
    _REGISTERED.pop(name, None)


def method_names() -> tuple[str, ...]:
    """Return the names of all methods, registered ones last.

    Examples
    --------
    >>> "tfidf-lemma" in method_names(), "shared-lemmas" in method_names()
    (True, True)
    """
    own = (*_DEFAULTS, *_OWN)
    return (*(name for name in METHODS if name not in own), *own, *_REGISTERED)


def find_method(name: str, *, lemmatizer: str = "fast") -> BenchmarkMethod:
    """Return a method by name, in any case, or raise a ParameterError.

    A lemmatizer other than the default becomes part of its name, as in ``bm25+cltk``.
    """
    known = name.strip().lower()
    check_choice(method_names(), method=known if known in method_names() else name)
    name = known
    if name in _DEFAULTS:
        return _default(name, lemmatizer)
    found = _OWN.get(name) or _REGISTERED.get(name)
    if found is not None:
        return found
    return BenchmarkMethod(
        _full_name(name, lemmatizer),
        METHODS[name].description,
        lambda: make_retriever(name, MethodOptions(lemmatizer=lemmatizer)),
        baseline=True,
    )


def describe_methods() -> dict[str, str]:
    """Return the descriptions of all methods, by name."""
    return {name: find_method(name).description for name in method_names()}


def load_plugin(path: Path) -> None:
    """Run a Python file that registers methods."""
    if not path.is_file():
        raise InputError("files.not_found", file=str(path))
    runpy.run_path(str(path))


def _full_name(name: str, lemmatizer: str) -> str:
    """Return the name of a method with its lemmatizer, unless that is the default."""
    if lemmatizer == "fast" or "surface" in name:
        return name
    kept = (letter if letter in _LETTERS else "-" for letter in lemmatizer.lower())
    return f"{name}+{''.join(kept).strip('-.')}"


def _default(name: str, lemmatizer: str) -> BenchmarkMethod:
    """Return the default search, trained on the other folds, with or without priors."""
    options = MethodOptions(lemmatizer=lemmatizer, priors=name == DEFAULT)

    def learn() -> LearningMethod:
        combined = cast("Combined", make_retriever(DEFAULT, options))
        return LearnedDefault(replace(combined, weights=UNTRAINED))

    return BenchmarkMethod(
        _full_name(name, lemmatizer),
        _DEFAULTS[name],
        lambda: make_retriever(DEFAULT, options),
        learn,
    )


_DEFAULTS = {
    DEFAULT: "All parts together, with weights learnt on the training folds",
    f"{DEFAULT}-no-priors": "The same, without author priors",
}
_OWN = {
    method.name: method
    for method in (
        BenchmarkMethod(
            "fusion-learned",
            "Fusion, with weights learnt on the training folds",
            learn=LearnedFusion,
        ),
        BenchmarkMethod(
            "ensemble",
            "All features of a pair, with weights learnt on the training folds",
            Ensemble,
            LearnedEnsemble,
            kind="classifier",
        ),
        BenchmarkMethod(
            "ensemble-no-priors",
            "The same, without author priors",
            lambda: Ensemble(priors=False),
            lambda: LearnedEnsemble(priors=False),
            kind="classifier",
        ),
        BenchmarkMethod(
            "logreg",
            "Logistic regression over the paper's ten features",
            learn=lambda: LearnedLexical("logreg"),
            kind="classifier",
        ),
        BenchmarkMethod(
            "gbdt",
            "Gradient-boosted trees over the paper's ten features",
            learn=lambda: LearnedLexical("gbdt"),
            kind="classifier",
        ),
        BenchmarkMethod(
            "shared-lemmas",
            "Logistic regression over the lemmas that two segments share",
            learn=SharedLemmas,
            kind="classifier",
            baseline=True,
        ),
    )
}
