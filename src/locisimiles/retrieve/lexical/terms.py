"""Terms: what a lexical retriever compares.

==============  ==================================================================================
``surface``     words as written, folded
``lemma``       lemmas, with enclitics as separate words
``analyses``    all lemmas a word may have, each weighted by its probability
``bigrams``     two neighbouring lemmas, in their order
``skipgrams``   two lemmas within five words of each other, in any order, stop words left out
``characters``  runs of three to five letters of a word, its borders marked
==============  ==================================================================================

Several kinds can be combined, as in ``lemma+characters``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from locisimiles.checks import check_choice
from locisimiles.errors import ParameterError
from locisimiles.index import TextPart
from locisimiles.latin import STOPWORDS, Lemmatizer, choose_lemmatizer, fold
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

TermKind = Literal["lemma", "surface", "analyses", "bigrams", "skipgrams", "characters"]
TermFunction = Callable[[Sequence[str]], list[list[str]]]

_WINDOW = 5
_RUNS = (3, 4, 5)
_LEAST_PROBABILITY = 0.05


class Terms(NamedTuple):
    """The terms of each text, and their weights; None if all are 1."""

    terms: list[list[str]]
    weights: list[list[float]] | None


def term_function(kind: str, lemmatizer: str | LemmatizeFunction = "fast") -> TermFunction:
    """Return the function that turns texts into terms.

    Parameters
    ----------
    kind
        Which terms; see the table above.
    lemmatizer
        The lemmatizer; see `locisimiles.latin.choose_lemmatizer`.

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
    return lambda texts: weighted(TextPart.of(texts)).terms


def weighted_terms(
    kind: str, lemmatizer: str | LemmatizeFunction = "fast"
) -> Callable[[TextPart], Terms]:
    """Return the function that turns tokenised texts into terms and their weights.

    Examples
    --------
    >>> weighted_terms("analyses")(TextPart.of(["cano"])).terms
    [['cano', 'canus']]
    """
    check_term_kind(kind)
    kinds = kind.split("+")
    if len(kinds) > 1:
        return partial(_mixture, {one: weighted_terms(one, lemmatizer) for one in kinds})
    if kind == "surface":
        return _surface_words()
    if kind == "characters":
        return _characters()
    if kind == "analyses":
        return _analyses()
    lemmas = _lemmas(lemmatizer)
    if kind == "lemma":
        return lemmas
    combine = _bigrams if kind == "bigrams" else _skipgrams
    return lambda part: Terms([combine(text) for text in lemmas(part).terms], None)


def check_term_kind(kind: str) -> None:
    """Raise a ParameterError if a kind of terms is unknown or repeated."""
    kinds = str(kind).split("+")
    for one in kinds:
        check_choice(get_args(TermKind), terms=one)
    if len(set(kinds)) < len(kinds):
        raise ParameterError("retrieve.repeated_terms", terms=kind)


def uses_lemmas(kind: str) -> bool:
    """Tell whether terms depend on the lemmatizer."""
    return not set(kind.split("+")) <= {"surface", "characters"}


def _mixture(kinds: Mapping[str, Callable[[TextPart], Terms]], part: TextPart) -> Terms:
    """Return terms of several kinds; equal ones of different kinds are different terms."""
    terms: list[list[str]] = [[] for _ in part.texts]
    weights: list[list[float]] = [[] for _ in part.texts]
    for name, function in kinds.items():
        found = function(part)
        for row, text in enumerate(found.terms):
            terms[row] += [f"{name}:{term}" for term in text]
            weights[row] += found.weights[row] if found.weights else [1.0] * len(text)
    return Terms(terms, weights)


class WordTerms:
    """Terms that are words: one per token, computed once for each distinct word.

    Texts keep their own tokens, unless there is a function to tokenise them.
    """

    def __init__(
        self,
        to_terms: Callable[[Sequence[str]], Sequence[str]],
        tokenize: Callable[[Sequence[str]], TokenTable] | None = None,
    ) -> None:
        self._to_terms = to_terms
        self._tokenize = tokenize
        self._terms: list[str] = []

    def table(self, part: TextPart) -> tuple[TokenTable, Sequence[str]]:
        """Return the tokens of texts, and the term of each word of the vocabulary."""
        tokens = self._tokenize(part.texts) if self._tokenize else part.tokens
        self._terms += self._to_terms(tokens.vocabulary[len(self._terms) :])
        return tokens, self._terms

    def __call__(self, part: TextPart) -> Terms:
        """Return the terms of texts as lists."""
        tokens, term_of = self.table(part)
        terms = [term_of[word] for word in tokens.word.tolist()]
        return Terms(
            [
                [term for term in terms[begin:end] if is_term(term)]
                for begin, end in pairwise(tokens.bounds.tolist())
            ],
            None,
        )


def _surface_words() -> WordTerms:
    # Words as written: enclitics are not split off.
    return WordTerms(lambda words: [fold(word) for word in words], Tokenizer().tokenize_all)


def _characters() -> Callable[[TextPart], Terms]:
    """Return the function that gives runs of letters."""
    words = _surface_words()

    @cache
    def runs(word: str) -> list[str]:
        marked = f"<{word}>"
        return [marked[at : at + size] for size in _RUNS for at in range(len(marked) - size + 1)]

    return lambda part: Terms(
        [[run for word in text for run in runs(word)] for text in words(part).terms], None
    )


def _analyses() -> Callable[[TextPart], Terms]:
    """Return the function that gives all lemmas of each word, with their probabilities."""
    lemmatizer = Lemmatizer.shipped()

    @cache
    def analyse(word: str) -> dict[str, float]:
        lemmas: dict[str, float] = {}
        if is_term(word):
            for candidate in lemmatizer.analyse([word], "fast")[0].analyses:
                if candidate.probability >= _LEAST_PROBABILITY:
                    lemmas[candidate.lemma] = lemmas.get(candidate.lemma, 0) + candidate.probability
        return lemmas

    def analyses(part: TextPart) -> Terms:
        tokens = part.tokens
        words = [analyse(tokens.vocabulary[word]) for word in tokens.word.tolist()]
        texts = [words[begin:end] for begin, end in pairwise(tokens.bounds.tolist())]
        return Terms(
            [[lemma for lemmas in text for lemma in lemmas] for text in texts],
            [[weight for lemmas in text for weight in lemmas.values()] for text in texts],
        )

    return analyses


def _lemmas(lemmatizer: str | LemmatizeFunction) -> Callable[[TextPart], Terms]:
    """Return the function that gives one lemma for each word."""
    lemmatize = choose_lemmatizer(lemmatizer)
    if lemmatizer == "fast":
        return WordTerms(lemmatize)

    def in_context(part: TextPart) -> Terms:
        words = (
            [token.text for token in part.tokens.tokens(row) if is_term(token.text)]
            for row in range(len(part.texts))
        )
        return Terms([list(lemmatize(text)) for text in words], None)

    return in_context


def _bigrams(lemmas: Sequence[str]) -> list[str]:
    return [f"{one} {other}" for one, other in pairwise(lemmas)]


def _skipgrams(lemmas: Sequence[str]) -> list[str]:
    content = [lemma for lemma in lemmas if lemma not in STOPWORDS]
    return [
        f"{one} {other}" if one < other else f"{other} {one}"
        for place, one in enumerate(content)
        for other in content[place + 1 : place + _WINDOW]
        if one != other
    ]


def is_term(word: str) -> bool:
    """Tell whether a word may be a term: figures number verses and notes."""
    return not word.isdigit()
