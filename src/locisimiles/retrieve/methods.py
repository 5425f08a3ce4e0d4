"""The retrieval methods by name, as the command line and the manifests call them."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from locisimiles.errors import ParameterError
from locisimiles.models.encoder_folder import SHIPPED
from locisimiles.retrieve.combined import Combined
from locisimiles.retrieve.fusion import Fusion
from locisimiles.retrieve.late import Late
from locisimiles.retrieve.lexical.bm25 import BM25
from locisimiles.retrieve.lexical.tfidf import TfIdf
from locisimiles.retrieve.ngram_rules import NgramRules
from locisimiles.retrieve.vectors.contextual import Contextual
from locisimiles.retrieve.vectors.dense import Dense
from locisimiles.retrieve.vectors.word_vectors import WordVectorSearch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from dataclasses import Field

    from locisimiles.latin.lemmatizers import LemmatizeFunction
    from locisimiles.models.vectors import WordVectors
    from locisimiles.retrieve.base import Retriever
    from locisimiles.retrieve.lexical.terms import TermKind

__all__ = [
    "METHODS",
    "Method",
    "MethodOptions",
    "change_settings",
    "make_retriever",
    "sparse_channels",
]

Speed = Literal["seconds", "minutes", "hours"]


@dataclass(frozen=True, slots=True)
class MethodOptions:
    """What a user may choose for a method by name.

    Attributes
    ----------
    lemmatizer
        Whose lemmas; see `locisimiles.latin.choose_lemmatizer`.
    vectors
        A file of word vectors; those that come with the package by default.
    model
        An encoder: a folder, or a name of the Hub; ``latin``, which is ours, by default.
    priors
        Whether the default method knows habits of reading.
    """

    lemmatizer: str | LemmatizeFunction = "fast"
    vectors: str | None = None
    model: str | None = None
    priors: bool = True


@dataclass(frozen=True, slots=True)
class Method:
    """A retriever with a name.

    Attributes
    ----------
    name, description
        What files and tables call it, and what it does.
    make
        Makes it.
    needs
        What must be installed or given; empty if nothing.
    speed
        How long searching an author's works in another's takes, on a laptop.
    """

    name: str
    description: str
    make: Callable[[MethodOptions], Retriever]
    needs: str = ""
    speed: Speed = "seconds"


def _vectors(options: MethodOptions) -> WordVectors:
    from locisimiles.models.vector_files import read_vectors
    from locisimiles.models.vectors import shipped_vectors

    return read_vectors(Path(options.vectors)) if options.vectors else shipped_vectors()


def _word_vectors(options: MethodOptions) -> Retriever:
    return WordVectorSearch(_vectors(options), lemmatizer=options.lemmatizer)


def _fasttext(options: MethodOptions) -> Retriever:
    if options.vectors is None:
        raise ParameterError(
            "fasttext needs a file of vectors with subwords",
            hint="give --vectors FILE; 'locisimiles train vectors --subwords' makes one",
        )
    return _word_vectors(options)


def _contextual(options: MethodOptions) -> Retriever:
    # Our encoder's words are kept in fewer dimensions: a million of them then need 256 MB.
    return Contextual(options.model) if options.model else Contextual(SHIPPED, dimensions=128)


def sparse_channels(options: MethodOptions) -> tuple[Retriever, ...]:
    """Return the retrievers that ``fusion`` brings together."""
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


_BY_WORDS: tuple[Method, ...] = (
    Method("bm25", "BM25 over lemmas", _bm25("lemma")),
    Method("bm25-surface", "BM25 over words as written", _bm25("surface")),
    Method("bm25-readings", "BM25 over all lemmas a word may have", _bm25("readings")),
    Method("bm25-bigrams", "BM25 over neighbouring lemmas", _bm25("bigrams")),
    Method("bm25-skipgrams", "BM25 over pairs of lemmas close together", _bm25("skipgrams")),
    Method("bm25-characters", "BM25 over runs of three to five letters", _bm25("characters")),
    Method("tfidf-lemma", "TF-IDF over lemmas", lambda o: TfIdf(lemmatizer=o.lemmatizer)),
    Method(
        "tfidf-lemma-bigrams",
        "TF-IDF over lemmas and pairs of neighbours",
        lambda o: TfIdf(ngrams=(1, 2), lemmatizer=o.lemmatizer),
    ),
    Method("tfidf-surface", "TF-IDF over words as written", lambda _: TfIdf(terms="surface")),
    Method(
        "ngrams",
        "Rules: lemmas shared close together in one clause",
        lambda o: NgramRules(lemmatizer=o.lemmatizer),
    ),
    Method(
        "ngrams-surface",
        "Rules: words shared close together in one clause",
        lambda _: NgramRules(terms="surface"),
    ),
)
_BY_MEANING: tuple[Method, ...] = (
    Method("word2vec", "Pairs of words of similar meaning", _word_vectors),
    Method(
        "fasttext",
        "The same, with vectors for parts of words",
        _fasttext,
        needs="--vectors FILE",
    ),
    Method(
        "contextual",
        "Nearest words in context, by an encoder",
        _contextual,
        speed="minutes",
    ),
    Method(
        "late",
        "Words that answer neighbouring words in context, by an encoder of word pieces",
        lambda o: Late(o.model or SHIPPED),
        speed="minutes",
    ),
    Method(
        "dense",
        "Nearest sentences, by an encoder",
        lambda o: Dense(o.model or SHIPPED),
        speed="minutes",
    ),
)


def _combined(options: MethodOptions) -> Retriever:
    return Combined(
        priors=options.priors,
        lemmatizer=options.lemmatizer,
        model=options.model or "latin",
        vectors=_vectors(options),
    )


_TOGETHER: tuple[Method, ...] = (
    Method(
        "default",
        "Lemmas, rules, word vectors, late interaction and habits of reading, weighed together",
        _combined,
        speed="minutes",
    ),
    Method(
        "fusion",
        "Ranks by lemmas, words, close pairs, letters, rules and meaning, brought together",
        lambda o: Fusion(sparse_channels(o)),
    ),
)

METHODS = {method.name: method for method in (*_BY_WORDS, *_BY_MEANING, *_TOGETHER)}


def change_settings(retriever: Retriever, settings: Mapping[str, str]) -> Retriever:
    """Change settings of a retriever by name.

    Parameters
    ----------
    retriever
        What `make_retriever` gives.
    settings
        Values as users write them: ``{"window": "4", "k1": "1.2", "complura": "none"}``.

    Raises
    ------
    ParameterError
        If it has no such setting, or the value is none for it.

    Examples
    --------
    >>> change_settings(BM25(), {"k1": "1.2", "terms": "lemma+characters"})
    BM25(terms='lemma+characters', k1=1.2, b=0.75, lemmatizer='fast')
    """
    if not settings:
        return retriever
    if not is_dataclass(retriever) or isinstance(retriever, type):
        raise ParameterError("this method has no settings")
    kinds = {field.name: _kinds(field) for field in fields(retriever)}
    defaults = {
        name: value
        for name in kinds
        if isinstance(value := getattr(retriever, name), bool | int | float | str)
        or (value is None and kinds[name] & _PLAIN)
    }
    unknown = [name for name in settings if name not in defaults]
    if unknown:
        raise ParameterError(
            f"this method has no setting {unknown[0]!r}", hint=f"it has {', '.join(defaults)}"
        )
    values = {
        name: _value(name, text, defaults[name], kinds[name]) for name, text in settings.items()
    }
    return cast("Retriever", replace(retriever, **values))


def _kinds(field: Field[object]) -> set[str]:
    """Return what kinds of values a setting may have, as its annotation calls them."""
    annotation = field.type
    name = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    return {kind.strip() for kind in name.split("|")}


def _value(name: str, text: str, default: object, kinds: set[str]) -> object:
    """Read a value that is of the same kind as the default."""
    lowered = text.strip().lower()
    if lowered == "none" and "None" in kinds:
        return None
    if isinstance(default, bool):
        if lowered in _TRUTH:
            return _TRUTH[lowered]
    elif isinstance(default, str) or (default is None and "str" in kinds):
        return text
    else:
        for kind in (int,) if "int" in kinds and "float" not in kinds else (int, float):
            with contextlib.suppress(ValueError):
                return kind(lowered)
    raise ParameterError(f"{name}={text!r} is no value for this setting", hint=f"it is {default}")


_PLAIN = {"bool", "int", "float", "str"}
_TRUTH = {"true": True, "yes": True, "false": False, "no": False}


def make_retriever(name: str, options: MethodOptions | None = None) -> Retriever:
    """Return the retriever with this name.

    Parameters
    ----------
    name
        One of `METHODS`.
    options
        What it shall use.

    Raises
    ------
    ParameterError
        If there is no such method, or it needs something that was not given.

    Examples
    --------
    >>> make_retriever("bm25")
    BM25(terms='lemma', k1=1.5, b=0.75, lemmatizer='fast')
    """
    if name not in METHODS:
        raise ParameterError(
            f"there is no method {name!r}", hint=f"choose one of {', '.join(METHODS)}"
        )
    return METHODS[name].make(options or MethodOptions())
