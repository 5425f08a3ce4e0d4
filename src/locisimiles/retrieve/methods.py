"""The retrieval methods by name, as the command line and the manifests call them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.errors import ParameterError
from locisimiles.retrieve.bm25 import BM25
from locisimiles.retrieve.tfidf import TfIdf

if TYPE_CHECKING:
    from collections.abc import Callable

    from locisimiles.latin.lemmatizers import LemmatizeFunction
    from locisimiles.retrieve.base import Retriever

__all__ = ["METHODS", "Method", "make_retriever"]


@dataclass(frozen=True, slots=True)
class Method:
    """A retriever with a name."""

    name: str
    description: str
    make: Callable[[str | LemmatizeFunction], Retriever]


METHODS = {
    method.name: method
    for method in (
        Method("bm25", "BM25 over lemmas", lambda lemmas: BM25(lemmatizer=lemmas)),
        Method("bm25-surface", "BM25 over words as written", lambda _: BM25(terms="surface")),
        Method("tfidf-lemma", "TF-IDF over lemmas", lambda lemmas: TfIdf(lemmatizer=lemmas)),
        Method(
            "tfidf-lemma-bigrams",
            "TF-IDF over lemmas and pairs of neighbours",
            lambda lemmas: TfIdf(ngrams=(1, 2), lemmatizer=lemmas),
        ),
        Method("tfidf-surface", "TF-IDF over words as written", lambda _: TfIdf(terms="surface")),
    )
}


def make_retriever(name: str, *, lemmatizer: str | LemmatizeFunction = "fast") -> Retriever:
    """Return the retriever with this name.

    Parameters
    ----------
    name
        One of `METHODS`.
    lemmatizer
        Whose lemmas it uses, if it uses any; see `locisimiles.latin.choose_lemmatizer`.

    Examples
    --------
    >>> make_retriever("bm25")
    BM25(terms='lemma', k1=1.5, b=0.75, lemmatizer='fast')
    """
    if name not in METHODS:
        raise ParameterError(
            f"there is no method {name!r}", hint=f"choose one of {', '.join(METHODS)}"
        )
    return METHODS[name].make(lemmatizer)
