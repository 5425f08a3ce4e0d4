"""What texts are to a sparse retriever: lists of terms, of several kinds.

==============  ==================================================================================
``surface``     words as they are written, folded
``lemma``       their lemmas, enclitics apart
``readings``    all lemmas a word may have, each counting as much as it is probable
``bigrams``     two neighbouring lemmas, in their order
``skipgrams``   two lemmas within five words of each other, in any order, function words left out
``characters``  runs of three to five letters of a word, its borders marked
==============  ==================================================================================

Several kinds may be joined, as in ``lemma+characters``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from locisimiles.errors import ParameterError
from locisimiles.latin import STOPWORDS, Lemmatizer, choose_lemmatizer, fold, tokenize_all
from locisimiles.latin.tokens import Tokenizer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.latin import TokenTable
    from locisimiles.latin.lemmatizers import LemmatizeFunction

__all__ = [
    "TermFunction",
    "TermKind",
    "Terms",
    "WordTerms",
    "check_term_kind",
    "is_term",
    "term_function",
    "uses_lemmas",
    "weighted_terms",
]

TermKind = Literal["lemma", "surface", "readings", "bigrams", "skipgrams", "characters"]
TermFunction = Callable[[Sequence[str]], list[list[str]]]

_WINDOW = 5
_RUNS = (3, 4, 5)
_LEAST_PROBABILITY = 0.05


class Terms(NamedTuple):
    """The terms of each text, and what each counts (None: all the same)."""

    terms: list[list[str]]
    weights: list[list[float]] | None


def term_function(kind: str, lemmatizer: str | LemmatizeFunction = "fast") -> TermFunction:
    """Return the function that turns texts into terms, all counting the same.

    Parameters
    ----------
    kind
        Which terms; see the table above.
    lemmatizer
        Whose lemmas; see `locisimiles.latin.choose_lemmatizer`.

    Examples
    --------
    >>> term_function("surface")(["Vox faucibus haesit.", "cultosque"])
    [['uox', 'faucibus', 'haesit'], ['cultosque']]
    >>> term_function("lemma")(["Vox faucibus haesit.", "cultosque"])
    [['uox', 'faux', 'haereo'], ['colo', 'que']]
    >>> term_function("skipgrams")(["Vox et faucibus haesit."])
    [['faux uox', 'haereo uox', 'faux haereo']]
    >>> term_function("characters")(["vox"])
    [['<uo', 'uox', 'ox>', '<uox', 'uox>', '<uox>']]
    """
    weighted = weighted_terms(kind, lemmatizer)
    return lambda texts: weighted(texts).terms


def weighted_terms(
    kind: str, lemmatizer: str | LemmatizeFunction = "fast"
) -> Callable[[Sequence[str]], Terms]:
    """Return the function that turns texts into terms and what each counts.

    Examples
    --------
    >>> found = weighted_terms("readings")(["cano"])
    >>> found.terms
    [['cano', 'canus']]
    """
    check_term_kind(kind)
    kinds = kind.split("+")
    if len(kinds) > 1:
        return _Mixture({one: weighted_terms(one, lemmatizer) for one in kinds})
    if kind == "surface":
        return _folded_words()
    if kind == "characters":
        return _Characters()
    if kind == "readings":
        return _Readings()
    lemmas = _lemmas(lemmatizer)
    if kind == "lemma":
        return lemmas
    combine = _bigrams if kind == "bigrams" else _skipgrams
    return lambda texts: Terms([combine(own) for own in lemmas(texts).terms], None)


def check_term_kind(kind: str) -> None:
    """Raise a ParameterError if there is no such kind of terms, or one is named twice."""
    kinds = kind.split("+")
    if not set(kinds) <= set(get_args(TermKind)):
        raise ParameterError(
            f"terms={kind!r} is unknown",
            hint=f"choose one of {', '.join(get_args(TermKind))}, or several joined by '+'",
        )
    if len(set(kinds)) < len(kinds):
        raise ParameterError(f"terms={kind!r} names a kind twice", hint="name each once")


def uses_lemmas(kind: str) -> bool:
    """Tell whether it matters for a kind of terms whose lemmas they are."""
    return not set(kind.split("+")) <= {"surface", "characters"}


class _Mixture:
    """Terms of several kinds; equal ones of different kinds are different terms."""

    def __init__(self, kinds: Mapping[str, Callable[[Sequence[str]], Terms]]) -> None:
        self._kinds = kinds

    def __call__(self, texts: Sequence[str]) -> Terms:
        terms: list[list[str]] = [[] for _ in texts]
        weights: list[list[float]] = [[] for _ in texts]
        for name, function in self._kinds.items():
            found = function(texts)
            for at, own in enumerate(found.terms):
                terms[at] += [f"{name}:{term}" for term in own]
                weights[at] += found.weights[at] if found.weights else [1.0] * len(own)
        return Terms(terms, weights)


class WordTerms:
    """Terms that are words: each word of a text gives one, and each distinct one is changed once.

    Parameters
    ----------
    tokenize
        Gives the words of texts, always the same numbers for the same words.
    change
        Gives a term for each of several distinct words.
    """

    def __init__(
        self,
        tokenize: Callable[[Sequence[str]], TokenTable],
        change: Callable[[Sequence[str]], Sequence[str]],
    ) -> None:
        self._tokenize = tokenize
        self._change = change
        self._terms: list[str] = []

    def table(self, texts: Sequence[str]) -> tuple[TokenTable, Sequence[str]]:
        """Return the words of texts, and the term of each word of the vocabulary."""
        table = self._tokenize(texts)
        self._terms += self._change(table.vocabulary[len(self._terms) :])
        return table, self._terms

    def __call__(self, texts: Sequence[str]) -> Terms:
        """Return the terms of texts as lists."""
        table, term_of = self.table(texts)
        terms = [term_of[word] for word in table.word.tolist()]
        return Terms(
            [
                [term for term in terms[begin:end] if is_term(term)]
                for begin, end in pairwise(table.bounds.tolist())
            ],
            None,
        )


def _folded_words() -> WordTerms:
    return WordTerms(Tokenizer().tokenize_all, lambda words: [fold(word) for word in words])


class _Characters:
    """Runs of letters."""

    def __init__(self) -> None:
        self._words = _folded_words()
        self._runs: dict[str, list[str]] = {}

    def __call__(self, texts: Sequence[str]) -> Terms:
        words = self._words(texts).terms
        return Terms([[run for word in own for run in self._of(word)] for own in words], None)

    def _of(self, word: str) -> list[str]:
        if word not in self._runs:
            marked = f"<{word}>"
            self._runs[word] = [
                marked[at : at + length]
                for length in _RUNS
                for at in range(len(marked) - length + 1)
            ]
        return self._runs[word]


class _Readings:
    """All lemmas of each word, with their probabilities."""

    def __init__(self) -> None:
        self._lemmatizer = Lemmatizer.shipped()
        self._readings: list[tuple[list[str], list[float]]] = []

    def __call__(self, texts: Sequence[str]) -> Terms:
        table = tokenize_all(texts)
        new = table.vocabulary[len(self._readings) :]
        self._readings += map(self._of, new)
        found = [self._readings[word] for word in table.word.tolist()]
        bounds = table.bounds.tolist()
        texts_found = [found[begin:end] for begin, end in pairwise(bounds)]
        return Terms(
            [[lemma for lemmas, _ in own for lemma in lemmas] for own in texts_found],
            [[weight for _, weights in own for weight in weights] for own in texts_found],
        )

    def _of(self, word: str) -> tuple[list[str], list[float]]:
        if not is_term(word):
            return [], []
        lemmas: dict[str, float] = {}
        for candidate in self._lemmatizer.analyse([word], "fast")[0].candidates:
            if candidate.probability >= _LEAST_PROBABILITY:
                lemmas[candidate.lemma] = lemmas.get(candidate.lemma, 0) + candidate.probability
        return list(lemmas), list(lemmas.values())


def _lemmas(lemmatizer: str | LemmatizeFunction) -> Callable[[Sequence[str]], Terms]:
    """Return the function that gives one lemma for each word."""
    lemmatize = choose_lemmatizer(lemmatizer)
    if lemmatizer == "fast":
        return WordTerms(tokenize_all, lemmatize)

    def in_context(texts: Sequence[str]) -> Terms:
        table = tokenize_all(texts)
        words = ([t.text for t in table.tokens(i) if is_term(t.text)] for i in range(len(texts)))
        return Terms([list(lemmatize(own)) for own in words], None)

    return in_context


def _bigrams(lemmas: Sequence[str]) -> list[str]:
    return [f"{one} {other}" for one, other in pairwise(lemmas)]


def _skipgrams(lemmas: Sequence[str]) -> list[str]:
    content = [lemma for lemma in lemmas if lemma not in STOPWORDS]
    return [
        f"{one} {other}" if one < other else f"{other} {one}"
        for at, one in enumerate(content)
        for other in content[at + 1 : at + _WINDOW]
        if one != other
    ]


def is_term(word: str) -> bool:
    """Tell whether a word may be a term: figures number verses and notes, not thoughts."""
    return not word.isdigit()
