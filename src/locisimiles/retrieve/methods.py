"""The retrieval methods by name, as in the command line and in manifests."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from locisimiles.checks import check_choice
from locisimiles.errors import ParameterError
from locisimiles.late import IndexEncoder, Late
from locisimiles.messages import Message
from locisimiles.models.onnx_encoder import SHIPPED
from locisimiles.models.vector_files import read_vectors
from locisimiles.models.vectors import shipped_vectors
from locisimiles.retrieve.combined import Combined
from locisimiles.retrieve.fusion import Fusion
from locisimiles.retrieve.lexical import BM25, TfIdf
from locisimiles.retrieve.ngram_rules import NgramRules
from locisimiles.retrieve.vectors import Contextual, Dense, WordVectorSearch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from dataclasses import Field

    from locisimiles.latin.lemmatizers import LemmatizeFunction
    from locisimiles.models.vectors import WordVectors
    from locisimiles.retrieve.base import Retriever
    from locisimiles.retrieve.lexical.terms import TermKind

__all__ = [
    "DEFAULT",
    "METHODS",
    "Method",
    "MethodOptions",
    "change_settings",
    "index_encoder",
    "late_search",
    "make_retriever",
    "sparse_channels",
]

DEFAULT = "default"
"""The method used by default."""
Speed = Literal["seconds", "minutes", "hours"]


@dataclass(frozen=True, slots=True)
class MethodOptions:
    """The options of methods by name.

    Attributes
    ----------
    lemmatizer
        The lemmatizer; see `locisimiles.latin.choose_lemmatizer`.
    vectors
        A file of word vectors; those that come with the package by default.
    model
        An encoder: a folder or a name on the Hub; by default ``latin``, which comes with the
        package.
    priors
        Whether the default method uses author priors.
    adapt
        Whether a pipeline adapts the probabilities of its classifier to the text.
    """

    lemmatizer: str | LemmatizeFunction = "fast"
    vectors: str | None = None
    model: str | None = None
    priors: bool = True
    adapt: bool = True


@dataclass(frozen=True, slots=True)
class Method:
    """A retriever with a name.

    Attributes
    ----------
    name
        Its name in files and tables; ``methods.json`` of the messages describes it.
    make
        Returns the retriever.
    needs
        A required option; empty if there is none.
    speed
        How long a search of one author's works in another's takes on a laptop.
    """

    name: str
    make: Callable[[MethodOptions], Retriever]
    needs: str = ""
    speed: Speed = "seconds"

    @property
    def description(self) -> str:
        """What it does, in English."""
        return Message(f"methods.{self.name}").text()


def _vectors(options: MethodOptions) -> WordVectors:
    return read_vectors(Path(options.vectors)) if options.vectors else shipped_vectors()


def _word_vectors(options: MethodOptions) -> Retriever:
    return WordVectorSearch(_vectors(options), lemmatizer=options.lemmatizer)


def _fasttext(options: MethodOptions) -> Retriever:
    if options.vectors is None:
        raise ParameterError("retrieve.fasttext_vectors")
    return _word_vectors(options)


def _contextual(options: MethodOptions) -> Retriever:
    # Fewer dimensions than our encoder has: a million words then take 256 MB.
    return Contextual(options.model) if options.model else Contextual(SHIPPED, dimensions=128)


def _combined(options: MethodOptions) -> Retriever:
    return Combined(
        priors=options.priors,
        lemmatizer=options.lemmatizer,
        model=options.model or SHIPPED,
        vectors=_vectors(options),
    )


def sparse_channels(options: MethodOptions) -> tuple[Retriever, ...]:
    """Return the retrievers that ``fusion`` combines."""
    lemmatizer = options.lemmatizer
    return (
        BM25(lemmatizer=lemmatizer),
        BM25(terms="surface"),
        BM25(terms="skipgrams", lemmatizer=lemmatizer),
        BM25(terms="characters"),
        NgramRules(lemmatizer=lemmatizer),
        _word_vectors(options),
    )


def _bm25(terms: TermKind) -> Callable[[MethodOptions], Retriever]:
    return lambda options: BM25(terms=terms, lemmatizer=options.lemmatizer)


_ALL: tuple[Method, ...] = (
    Method("bm25", _bm25("lemma")),
    Method("bm25-surface", _bm25("surface")),
    Method("bm25-analyses", _bm25("analyses")),
    Method("bm25-bigrams", _bm25("bigrams")),
    Method("bm25-skipgrams", _bm25("skipgrams")),
    Method("bm25-characters", _bm25("characters")),
    Method("tfidf-lemma", lambda o: TfIdf(lemmatizer=o.lemmatizer)),
    Method("tfidf-lemma-bigrams", lambda o: TfIdf(ngrams=(1, 2), lemmatizer=o.lemmatizer)),
    Method("tfidf-surface", lambda _: TfIdf(terms="surface")),
    Method("ngrams", lambda o: NgramRules(lemmatizer=o.lemmatizer)),
    Method("ngrams-surface", lambda _: NgramRules(terms="surface")),
    Method("word2vec", _word_vectors),
    Method("fasttext", _fasttext, needs="--vectors FILE"),
    Method("contextual", _contextual, speed="minutes"),
    Method("late", lambda o: Late(o.model or SHIPPED), speed="minutes"),
    Method("dense", lambda o: Dense(o.model or SHIPPED), speed="minutes"),
    Method(DEFAULT, _combined, speed="minutes"),
    Method("fusion", lambda o: Fusion(sparse_channels(o))),
)
METHODS = {method.name: method for method in _ALL}


def make_retriever(name: str, options: MethodOptions | None = None) -> Retriever:
    """Return the retriever with this name.

    Parameters
    ----------
    name
        One of `METHODS`; capitals do not matter.
    options
        The lemmatizer, vectors, model and priors it uses.

    Raises
    ------
    ParameterError
        If the method is unknown, or lacks a required option.

    Examples
    --------
    >>> make_retriever("bm25")
    BM25(terms='lemma', k1=1.5, b=0.75, lemmatizer='fast')
    >>> make_retriever("BM25-Surface").terms
    'surface'
    """
    known = name.strip().lower()
    if known not in METHODS:
        check_choice(METHODS, method=name)
    return METHODS[known].make(options or MethodOptions())


def index_encoder(retriever: Retriever) -> IndexEncoder | None:
    """Return what makes the vectors of an index for a retriever; None if it needs none.

    Examples
    --------
    >>> index_encoder(make_retriever("bm25")) is None
    True
    >>> index_encoder(make_retriever("default")).centres.shape
    (2048, 128)
    """
    late = late_search(retriever)
    return None if late is None or late.lists is not None else IndexEncoder(late.encoder())


def change_settings(retriever: Retriever, settings: Mapping[str, str]) -> Retriever:
    """Change settings of a retriever by name.

    Parameters
    ----------
    retriever
        A retriever of ours.
    settings
        Values as text: ``{"window": "4", "k1": "1.2", "complura": "none"}``.

    Raises
    ------
    ParameterError
        If a setting is unknown, or its value invalid.

    Examples
    --------
    >>> change_settings(BM25(), {"k1": "1.2", "terms": "lemma+characters"})
    BM25(terms='lemma+characters', k1=1.2, b=0.75, lemmatizer='fast')
    """
    if not settings:
        return retriever
    if not is_dataclass(retriever) or isinstance(retriever, type):
        raise ParameterError("retrieve.no_settings")
    types = {field.name: _type_names(field) for field in fields(retriever)}
    defaults = {
        name: value
        for name in types
        if isinstance(value := getattr(retriever, name), bool | int | float | str)
        or (value is None and types[name] & _PLAIN)
    }
    for name in settings:
        check_choice(defaults, setting=name)
    values = {
        name: _parse(name, text, defaults[name], types[name]) for name, text in settings.items()
    }
    return cast("Retriever", replace(retriever, **values))


def _type_names(field: Field[object]) -> set[str]:
    """Return the names of the types of a setting, from its annotation."""
    annotation = field.type
    name = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    return {kind.strip() for kind in name.split("|")}


def _parse(name: str, text: str, default: object, types: set[str]) -> object:
    """Return a value of the same type as the default."""
    lowered = text.strip().lower()
    if lowered == "none" and "None" in types:
        return None
    if isinstance(default, bool):
        if lowered in _TRUTH:
            return _TRUTH[lowered]
    elif isinstance(default, str) or (default is None and "str" in types):
        return text
    else:
        for number in (int,) if "int" in types and "float" not in types else (int, float):
            with contextlib.suppress(ValueError):
                return number(lowered)
    raise ParameterError("retrieve.setting_value", name=name, value=text, default=str(default))


_PLAIN = {"bool", "int", "float", "str"}
_TRUTH = {"true": True, "yes": True, "false": False, "no": False}


def late_search(retriever: Retriever) -> Late | None:
    """Return the part of a retriever that needs the vectors of an index; None if none does.

    Examples
    --------
    >>> late_search(make_retriever("bm25")) is None, late_search(make_retriever("default")) is None
    (True, False)
    """
    if isinstance(retriever, Combined):
        return retriever.late_search()
    return retriever if isinstance(retriever, Late) else None
