"""What a text is to a sparse retriever: a list of terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from locisimiles.errors import ParameterError
from locisimiles.latin import fold, lemmatize, tokenize

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["TermKind", "term_function"]

TermKind = Literal["lemma", "surface"]


def term_function(kind: TermKind) -> Callable[[str], list[str]]:
    """Return the function that turns a text into terms.

    Examples
    --------
    >>> term_function("surface")("Vox faucibus haesit.")
    ['uox', 'faucibus', 'haesit']
    >>> term_function("lemma")("Vox faucibus haesit.")
    ['uox', 'fauces', 'haereo']
    """
    if kind == "surface":
        return _surface_terms
    if kind == "lemma":
        return _lemma_terms
    raise ParameterError(
        f"terms={kind!r} is unknown", hint=f"choose one of {', '.join(get_args(TermKind))}"
    )


def _surface_terms(text: str) -> list[str]:
    return [fold(token.text) for token in tokenize(text)]


def _lemma_terms(text: str) -> list[str]:
    return lemmatize([token.text for token in tokenize(text)])
