"""What can be measured: retrievers, classifiers, and methods that must learn first.

A *retriever* (`locisimiles.retrieve.Retriever`) ranks the source segments for each query; it is
measured by the protocol ``retrieval``. A *classifier* (`locisimiles.classify.base.Classifier`)
gives each pair three probabilities, and is measured by all other protocols; if it has an attribute
``thresholds``, it decides by them. A method that *learns* is trained once for each fold, on all
that the fold's document does not hold (see `training_set`), and becomes one of the two.

A new method joins by its name::

    from locisimiles.benchmark.runs.methods import register_method


    class FirstLetters:
        def index(self, source, *, progress=silent): ...  # an Index, see retrieve.base
        def parameters(self):
            return {"name": "first-letters"}


    register_method("first-letters", "Counts first letters", FirstLetters)
"""

from __future__ import annotations

import runpy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, cast, get_args

import numpy as np

from locisimiles.benchmark.runs.rows import PROTOCOLS
from locisimiles.benchmark.sets.pools import fold_pool
from locisimiles.classify.base import Classifier
from locisimiles.classify.ensemble import Ensemble
from locisimiles.errors import InputError, ParameterError
from locisimiles.progress import silent
from locisimiles.retrieve import METHODS, MethodOptions, Retriever, make_retriever

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.progress import Progress
    from locisimiles.retrieve.combined import Combined

__all__ = [
    "BenchmarkMethod",
    "LearningMethod",
    "MethodKind",
    "describe_methods",
    "find_method",
    "forget_method",
    "load_plugin",
    "method_names",
    "register_method",
    "training_set",
]

MethodKind = Literal["retriever", "classifier"]


class LearningMethod(Protocol):
    """A method that must be trained before it can be measured."""

    def fit(self, training: Benchmark, *, progress: Progress = silent) -> Retriever | Classifier:
        """Learn from references, and return what can be measured.

        Parameters
        ----------
        training
            What may be seen: a benchmark without the query segments of the fold that will be
            judged, with the references of the other folds.
        progress
            Called while the work goes on.
        """

    def parameters(self) -> Mapping[str, object]:
        """Return what makes this method what it is, for the manifest of a run."""


Measurable: TypeAlias = Retriever | Classifier | LearningMethod


@dataclass(frozen=True, slots=True)
class BenchmarkMethod:
    """A method with a name.

    Attributes
    ----------
    name, description
        What files and tables call it, and what it does.
    make
        Makes it: a retriever, a classifier, or what learns to be one.
    kind
        Which of the two it is or becomes.
    shipped
        Makes it as it comes with a package, trained already; None if it learns and no trained one
        is shipped.
    baseline
        Whether other methods are compared with it, unless somebody says with which.
    """

    name: str
    description: str
    make: Callable[[], Measurable]
    kind: MethodKind = "retriever"
    shipped: Callable[[], Retriever | Classifier] | None = None
    baseline: bool = False

    @property
    def protocols(self) -> tuple[str, ...]:
        """The protocols that can measure it."""
        return PROTOCOLS[:1] if self.kind == "retriever" else PROTOCOLS[1:]


_REGISTERED: dict[str, BenchmarkMethod] = {}


def register_method(
    name: str,
    description: str,
    make: Callable[[], Measurable],
    *,
    kind: MethodKind = "retriever",
    shipped: Callable[[], Retriever | Classifier] | None = None,
) -> BenchmarkMethod:
    """Make a method known by name.

    Parameters
    ----------
    name
        Lower-case letters, digits, dots and hyphens, since folders are called after it.
    description
        What it does, in a few words.
    make
        Called without arguments to make it.
    kind
        What it is or becomes when it has learned: ``retriever`` or ``classifier``.
    shipped
        Makes it trained, if it learns and is also shipped trained.

    Raises
    ------
    ParameterError
        If the name cannot be used or belongs to another method.

    Examples
    --------
    >>> from locisimiles.retrieve import BM25
    >>> method = register_method("bm25-k3", "BM25 that counts repetitions", lambda: BM25(k1=3))
    >>> find_method("bm25-k3").make()
    BM25(terms='lemma', k1=3, b=0.75, lemmatizer='fast')
    >>> forget_method("bm25-k3")
    """
    if not name or name.strip("-.") != name or not set(name) <= _LETTERS:
        raise ParameterError(
            f"{name!r} cannot be the name of a method",
            hint="use lower-case letters, digits, dots and hyphens",
        )
    if name in method_names():
        raise ParameterError(f"there is a method {name!r} already", hint="choose another name")
    if kind not in get_args(MethodKind):
        raise ParameterError(
            f"kind={kind!r} is unknown", hint=f"choose one of {', '.join(get_args(MethodKind))}"
        )
    _REGISTERED[name] = BenchmarkMethod(name, description, make, kind, shipped)
    return _REGISTERED[name]


_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-.")


def forget_method(name: str) -> None:
    """Take back what `register_method` did."""
    _REGISTERED.pop(name, None)


def method_names() -> tuple[str, ...]:
    """Return the names of all methods, those that were registered last.

    Examples
    --------
    >>> "tfidf-lemma" in method_names(), "shared-lemmas" in method_names()
    (True, True)
    """
    return (*(name for name in METHODS if name not in _OWN), *_OWN, *_REGISTERED)


def find_method(name: str, *, lemmatizer: str = "fast") -> BenchmarkMethod:
    """Return the method with this name.

    Parameters
    ----------
    name
        One of `method_names`.
    lemmatizer
        Whose lemmas the retrievers that come with the package use; any but the default is part of
        the name then, as in ``bm25+cltk``.

    Raises
    ------
    ParameterError
        If there is none.
    """
    if name in _DEFAULTS:
        return _default(name, lemmatizer)
    if name in METHODS and name not in _OWN:
        return BenchmarkMethod(
            name=_full_name(name, lemmatizer),
            description=METHODS[name].description,
            make=lambda: make_retriever(name, MethodOptions(lemmatizer=lemmatizer)),
            baseline=True,
        )
    found = _OWN.get(name) or _REGISTERED.get(name)
    if found is None:
        raise ParameterError(
            f"there is no method {name!r}", hint=f"choose among {', '.join(method_names())}"
        )
    return found


def describe_methods() -> dict[str, str]:
    """Return what each method does, by name."""
    return {name: find_method(name).description for name in method_names()}


def load_plugin(path: Path) -> None:
    """Run a Python file that registers methods.

    Raises
    ------
    InputError
        If there is no such file.
    """
    if not path.is_file():
        raise InputError("there is no such file", file=str(path))
    runpy.run_path(str(path))


def _full_name(name: str, lemmatizer: str) -> str:
    """Return the name of a method with its lemmatizer's, if that is not the usual one."""
    if lemmatizer == "fast" or "surface" in name:
        return name
    kept = (letter if letter in _LETTERS else "-" for letter in lemmatizer.lower())
    return f"{name}+{''.join(kept).strip('-.')}"


def training_set(benchmark: Benchmark, fold: int, *, seed: int = 0) -> Benchmark:
    """Return what a method may learn from before it is measured on a fold.

    The query segments of the fold's document are left out, those with references and the
    distractors, so that nothing a method is asked about was seen in training, not even as an
    example of *no match*. The sources are all there: every fold is searched in the same.

    Parameters
    ----------
    benchmark
        A set with folds.
    fold
        The fold that will be measured.
    seed
        The seed of the fold documents.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> from locisimiles.benchmark.sets.dataset import Benchmark
    >>> from locisimiles.benchmark.sets.references import References
    >>> verses = Document.from_segments(Segment(f"v{n}", "verba") for n in range(9))
    >>> references = References.from_columns([0, 1], [4, 5], [1, 1], fold=[0, 1])
    >>> training = training_set(Benchmark(verses, verses, references), 1)
    >>> len(training.query), "v1" in training.query, training.folds
    (7, False, (0,))
    """
    held_out = set(fold_pool(benchmark, fold, seed=seed).query.ids)
    kept = [at for at, name in enumerate(benchmark.query.ids) if name not in held_out]
    all_references = benchmark.references
    rows = all_references.fold != fold
    references = all_references.select(rows)
    return replace(
        benchmark,
        query=benchmark.query.select(kept),
        references=replace(
            references, query=np.searchsorted(kept, references.query).astype(np.int32)
        ),
        manifest={"training_of": benchmark.name, "without_fold": fold},
        provenance=tuple(benchmark.provenance[at] for at in np.flatnonzero(rows)),
    )


def _shared_lemmas() -> Measurable:
    from locisimiles.learn.shared_lemmas import SharedLemmas  # needs this module

    return SharedLemmas()


def _learned_fusion() -> Measurable:
    from locisimiles.learn.fusion import LearnedFusion

    return LearnedFusion()


def _lexical(model: Literal["logreg", "gbdt"]) -> Callable[[], Measurable]:
    def learning() -> Measurable:
        from locisimiles.learn.lexical import LearnedLexical

        return LearnedLexical(model)

    return learning


def _ensemble(*, priors: bool) -> Callable[[], Measurable]:
    def learning() -> Measurable:
        from locisimiles.learn.ensemble import LearnedEnsemble

        return LearnedEnsemble(priors=priors)

    return learning


def _default(name: str, lemmatizer: str) -> BenchmarkMethod:
    """Return the default, which learns on the training folds, with or without priors."""
    options = MethodOptions(lemmatizer=lemmatizer, priors=name == _DEFAULT)

    def learning() -> Measurable:
        from locisimiles.benchmark.learned_default import UNTRAINED, LearnedDefault

        combined = cast("Combined", make_retriever(_DEFAULT, options))
        return LearnedDefault(replace(combined, weights=UNTRAINED))

    return BenchmarkMethod(
        name=_full_name(name, lemmatizer),
        description=_DEFAULTS[name],
        make=learning,
        shipped=lambda: make_retriever(_DEFAULT, options),
    )


_DEFAULT = "default"
_DEFAULTS = {
    _DEFAULT: "All parts together, their weights learnt on the training folds",
    f"{_DEFAULT}-no-priors": "The same, without habits of reading",
}
_OWN = {
    **{name: _default(name, "fast") for name in _DEFAULTS},
    "fusion-learned": BenchmarkMethod(
        name="fusion-learned",
        description="Fusion, its weights learnt on the training folds",
        make=_learned_fusion,
    ),
    "ensemble": BenchmarkMethod(
        name="ensemble",
        description="All that is known of a pair, weighed on the training folds",
        make=_ensemble(priors=True),
        kind="classifier",
        shipped=Ensemble,
    ),
    "ensemble-no-priors": BenchmarkMethod(
        name="ensemble-no-priors",
        description="The same, without habits of reading",
        make=_ensemble(priors=False),
        kind="classifier",
        shipped=lambda: Ensemble(priors=False),
    ),
    "logreg": BenchmarkMethod(
        name="logreg",
        description="Logistic regression over the paper's ten features",
        make=_lexical("logreg"),
        kind="classifier",
    ),
    "gbdt": BenchmarkMethod(
        name="gbdt",
        description="Gradient-boosted trees over the paper's ten features",
        make=_lexical("gbdt"),
        kind="classifier",
    ),
    "shared-lemmas": BenchmarkMethod(
        name="shared-lemmas",
        description="Logistic regression over the lemmas that two segments share",
        make=_shared_lemmas,
        kind="classifier",
        baseline=True,
    ),
}
