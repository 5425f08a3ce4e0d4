"""The retrieval methods by name, as the command line and the manifests call them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.errors import ParameterError
from locisimiles.retrieve.bm25 import BM25

if TYPE_CHECKING:
    from collections.abc import Callable

    from locisimiles.retrieve.base import Retriever

__all__ = ["METHODS", "Method", "make_retriever"]


@dataclass(frozen=True, slots=True)
class Method:
    """A retriever with a name."""

    name: str
    description: str
    make: Callable[[], Retriever]


METHODS = {
    method.name: method
    for method in (
        Method("bm25", "BM25 over lemmas", BM25),
        Method("bm25-surface", "BM25 over words as written", lambda: BM25(terms="surface")),
    )
}


def make_retriever(name: str) -> Retriever:
    """Return the retriever with this name.

    Examples
    --------
    >>> make_retriever("bm25-surface")
    BM25(terms='surface', k1=1.5, b=0.75)
    """
    if name not in METHODS:
        raise ParameterError(
            f"there is no method {name!r}", hint=f"choose one of {', '.join(METHODS)}"
        )
    return METHODS[name].make()
