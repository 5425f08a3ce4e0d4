"""Search for words in texts: words, phrases, lemmas, wildcards.

=====================  ==================================================
``vox faucibus``       both words, in any order
``"vox faucibus"``     both words, one right after the other
``lemma:fero``         every form of a lemma
``am*``, ``?rma``      any letters, one letter
=====================  ==================================================

Spelling does not matter (*v* and *u*, *adfero* and *affero*), and an enclitic is a word of its own:
``virum`` also finds *virumque*. Parts can be combined: ``"arma lemma:vir" can*``.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from locisimiles.latin.lemmas import lemmatize
from locisimiles.latin.orthography import fold, fold_word
from locisimiles.latin.tokens import tokenize, tokenize_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

__all__ = ["SearchableTexts", "Vocabulary", "WordColumns", "WordPattern", "WordQuery"]

_QUOTES = str.maketrans(dict.fromkeys("“”„«»", '"'))
_LEMMA = "lemma:"
_LETTERS = re.compile(r"[^\W_]|[*?]")
_PART = re.compile(r'"([^"]*)"|([^\s"]+)')
_BETWEEN = re.compile(r"[^\w*?]+")

_Span = tuple[int, int]


class WordPattern(NamedTuple):
    """A condition that one word meets."""

    kind: Literal["form", "lemma", "wildcard"]
    text: str  # folded

    def matches(self, words: Vocabulary) -> NDArray[np.bool_]:
        """Tell which words of a vocabulary meet it."""
        if self.kind == "wildcard":
            match = _wildcards(self.text).fullmatch
            found = (match(word) is not None for word in words.letters)
        else:
            known = words.lemmas if self.kind == "lemma" else words.spelt
            found = (word == self.text for word in known)
        return np.fromiter(found, np.bool_, len(words.letters))


class Vocabulary:
    """Distinct words as written, in what patterns are compared with."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self.letters = [fold(word).casefold() for word in words]

    @classmethod
    def known(cls, letters: list[str], spelt: list[str], lemmas: list[str]) -> Vocabulary:
        """Return the vocabulary of words that were analysed before."""
        found = cls(())
        found.letters, found.spelt, found.lemmas = letters, spelt, lemmas
        return found

    @cached_property
    def spelt(self) -> list[str]:
        """The words in the spelling of the lexicon."""
        return [fold_word(word).casefold() for word in self._words]

    @cached_property
    def lemmas(self) -> list[str]:
        """The lemma of each word, whatever its context."""
        return [lemma.casefold() for lemma in lemmatize(self._words, "fast")]


@dataclass(frozen=True, slots=True)
class WordQuery:
    """Phrases that must all occur in a text; a single word is a phrase of one.

    Examples
    --------
    >>> query = WordQuery.parse('"arma virumque" lemma:cano')
    >>> query.spans("Arma virumque canebat, arma")
    [(0, 13), (14, 21)]
    >>> query.spans("arma canebat")
    []
    """

    phrases: tuple[tuple[WordPattern, ...], ...]

    @classmethod
    @lru_cache(maxsize=128)
    def parse(cls, text: str) -> WordQuery:
        """Read a query; a quotation that is not closed goes to the end."""
        text = text.translate(_QUOTES)
        if text.count('"') % 2:
            text += '"'
        parts = (match[1] if match[1] is not None else match[2] for match in _PART.finditer(text))
        phrases = (tuple(_patterns(part)) for part in parts)
        return cls(tuple(phrase for phrase in phrases if phrase))

    def spans(self, text: str) -> list[_Span]:
        """Return where its phrases are in a text, in order; nothing if one is missing."""
        return SearchableTexts([text]).all_spans(self)[0]


class WordColumns:
    """The words of texts, one after another.

    Parameters
    ----------
    vocabulary
        The distinct words.
    word, text
        The number of each word in the vocabulary, and of its text.
    count
        How many texts there are.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        word: NDArray[np.integer[Any]],
        text: NDArray[np.int32],
        count: int,
    ) -> None:
        self.vocabulary, self.word, self.text, self._count = vocabulary, word, text, count

    def __len__(self) -> int:
        return self._count

    def find(self, query: WordQuery) -> NDArray[np.int64]:
        """Return the positions of the texts in which all phrases occur; none without a phrase."""
        if not query.phrases:
            return np.empty(0, np.int64)
        found = np.ones(len(self), np.bool_)
        for phrase in query.phrases:
            has = np.zeros_like(found)
            has[self.text[self._starts(phrase)]] = True
            found &= has
        return np.flatnonzero(found)

    def forms(self, lemma: str) -> dict[str, int]:
        """Count the forms of a lemma, the most frequent first.

        Examples
        --------
        >>> SearchableTexts(["Arma virumque cano", "viro", "Virum bonum"]).forms("uir")
        {'uirum': 2, 'uiro': 1}
        """
        known = WordPattern("lemma", lemma).matches(self.vocabulary)
        counts = Counter[str]()
        frequency = np.bincount(self.word, minlength=len(known))
        for number in np.flatnonzero(known).tolist():
            counts[self.vocabulary.spelt[number]] += int(frequency[number])
        return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))

    def _starts(self, phrase: Sequence[WordPattern]) -> NDArray[np.int64]:
        """Return the tokens at which a phrase begins."""
        last = len(self.word) - len(phrase) + 1
        if last <= 0:
            return np.empty(0, np.int64)
        found = np.ones(last, np.bool_)
        for place, pattern in enumerate(phrase):
            found &= pattern.matches(self.vocabulary)[self.word[place : place + last]]
        # A phrase does not go on in the next text.
        found &= self.text[:last] == self.text[len(phrase) - 1 :]
        return np.flatnonzero(found)


class SearchableTexts(WordColumns):
    """Texts cut into words once, so that each search takes milliseconds.

    Examples
    --------
    >>> texts = SearchableTexts(["arma virumque cano", "vir bonus", "canis"])
    >>> texts.find(WordQuery.parse("lemma:vir")).tolist()
    [0, 1]
    >>> texts.find(WordQuery.parse("ca*")).tolist()
    [0, 2]
    """

    def __init__(self, texts: Sequence[str]) -> None:
        table = tokenize_all(texts)
        # The vocabulary of the shipped tokenizer has the words of all texts it ever read.
        numbers, word = np.unique(table.word, return_inverse=True)
        words = Vocabulary([table.vocabulary[number] for number in numbers.tolist()])
        counts = np.diff(table.bounds)
        text = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        super().__init__(words, word, text, len(counts))
        self._start, self._end = table.start, table.end

    def all_spans(self, query: WordQuery) -> list[list[_Span]]:
        """Return where the phrases are in each text, in order; nothing where one is missing."""
        spans: list[list[_Span]] = [[] for _ in range(len(self))]
        found = set(self.find(query).tolist())
        for phrase in query.phrases:
            starts = self._starts(phrase)
            last = starts + len(phrase) - 1
            places = zip(
                self.text[starts].tolist(),
                self._start[starts].tolist(),
                self._end[last].tolist(),
                strict=True,
            )
            for text, start, end in places:
                if text in found:
                    spans[text].append((start, end))
        return [_apart(sorted(each)) for each in spans]


def _patterns(part: str) -> Iterator[WordPattern]:
    for piece in part.split():
        is_lemma = piece.lower().startswith(_LEMMA)
        for word in _BETWEEN.split(piece[len(_LEMMA) :] if is_lemma else piece):
            if not _LETTERS.search(word):
                continue
            if "*" in word or "?" in word:
                yield WordPattern("wildcard", fold(word).casefold())
            elif is_lemma:
                yield WordPattern("lemma", fold_word(word).casefold())
            else:
                # Folding leaves the capitals of other alphabets as they are.
                forms = (fold_word(one.text).casefold() for one in tokenize(word))
                yield from (WordPattern("form", form) for form in forms)


@lru_cache(maxsize=128)
def _wildcards(pattern: str) -> re.Pattern[str]:
    """Return a pattern of words as an expression.

    The shortest match of what follows a star is always enough, so nothing is tried twice.
    """
    first, *rest = (
        "".join("." if letter == "?" else re.escape(letter) for letter in part)
        for part in re.split(r"\*+", pattern)
    )
    if not rest:
        return re.compile(first, re.DOTALL)
    *inner, last = rest
    middle = "".join(f"(?>.*?{part})" for part in inner)
    return re.compile(f"{first}{middle}.*{last}", re.DOTALL)


def _apart(spans: Sequence[_Span]) -> list[_Span]:
    """Return spans without those that begin inside another."""
    kept: list[_Span] = []
    for start, end in spans:
        if kept and start < kept[-1][1]:
            kept[-1] = kept[-1][0], max(end, kept[-1][1])
        else:
            kept.append((start, end))
    return kept
