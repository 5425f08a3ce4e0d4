"""What texts are to a sparse retriever: lists of terms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, get_args

from locisimiles.errors import ParameterError
from locisimiles.latin import choose_lemmatizer, fold, tokenize_all
from locisimiles.latin.tokens import Tokenizer

if TYPE_CHECKING:
    from locisimiles.latin import TokenTable
    from locisimiles.latin.lemmatizers import LemmatizeFunction

__all__ = ["TermFunction", "TermKind", "check_term_kind", "term_function"]

TermKind = Literal["lemma", "surface"]
TermFunction = Callable[[Sequence[str]], list[list[str]]]


def term_function(kind: TermKind, lemmatizer: str | LemmatizeFunction = "fast") -> TermFunction:
    """Return the function that turns texts into terms.

    Parameters
    ----------
    kind
        ``surface``: words as they are written, folded. ``lemma``: their lemmas, and enclitics.
    lemmatizer
        Whose lemmas; see `locisimiles.latin.choose_lemmatizer`.

    Examples
    --------
    >>> term_function("surface")(["Vox faucibus haesit.", "cultosque"])
    [['uox', 'faucibus', 'haesit'], ['cultosque']]
    >>> term_function("lemma")(["Vox faucibus haesit.", "cultosque"])
    [['uox', 'faux', 'haereo'], ['colo', 'que']]
    """
    check_term_kind(kind)
    return _SurfaceTerms() if kind == "surface" else _LemmaTerms(lemmatizer)


def check_term_kind(kind: str) -> None:
    """Raise a ParameterError if there is no such kind of terms."""
    if kind not in get_args(TermKind):
        raise ParameterError(
            f"terms={kind!r} is unknown", hint=f"choose one of {', '.join(get_args(TermKind))}"
        )


class _SurfaceTerms:
    def __init__(self) -> None:
        self._tokenizer = Tokenizer()
        self._folded: list[str] = []

    def __call__(self, texts: Sequence[str]) -> list[list[str]]:
        table = self._tokenizer.tokenize_all(texts)
        self._folded += map(fold, table.vocabulary[len(self._folded) :])
        return _by_text(table, self._folded)


class _LemmaTerms:
    def __init__(self, lemmatizer: str | LemmatizeFunction) -> None:
        self._lemmatize = choose_lemmatizer(lemmatizer)
        self._needs_context = lemmatizer != "fast"
        self._lemmas: list[str] = []

    def __call__(self, texts: Sequence[str]) -> list[list[str]]:
        table = tokenize_all(texts)
        if self._needs_context:
            return [
                list(self._lemmatize([t.text for t in table.tokens(i) if _is_term(t.text)]))
                for i in range(len(texts))
            ]
        self._lemmas += self._lemmatize(table.vocabulary[len(self._lemmas) :])
        return _by_text(table, self._lemmas)


def _by_text(table: TokenTable, term_of: Sequence[str]) -> list[list[str]]:
    """Return the terms of each text, given one for each entry of the vocabulary."""
    bounds = table.bounds.tolist()
    terms = [term_of[word] for word in table.word.tolist()]
    return [
        [term for term in terms[begin:end] if _is_term(term)] for begin, end in pairwise(bounds)
    ]


def _is_term(word: str) -> bool:
    """Tell whether a word may be a term: figures number verses and notes, not thoughts."""
    return not word.isdigit()
