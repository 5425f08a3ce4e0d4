"""The words of texts as numbers: forms, lemmas, other readings, and where they stand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.latin import STOPWORDS, Lemmatizer, tokenize_all
from locisimiles.latin.orthography import fold_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["OTHER_READINGS", "Lexicon", "TextWords", "is_content_lemma"]

OTHER_READINGS = 3
"""How many readings of a word are known, its likeliest among them."""

_LEAST_PROBABILITY = 0.1


class Lexicon:
    """What is known of each distinct word of the tokenizer; it grows as words are met.

    Attributes
    ----------
    lemmas
        The lemmas, by their numbers.
    form, lemma
        The numbers of the folded form and of the commonest lemma of each word.
    """

    def __init__(self) -> None:
        self.lemmas: list[str] = []
        self.form = np.empty(0, np.int64)
        self.lemma = np.empty(0, np.int64)
        self._number_of: dict[str, int] = {}
        self._form_numbers: dict[str, int] = {}
        self._is_content = np.empty(0, bool)
        self._words: list[str] = []
        self._readings: dict[int, tuple[list[int], list[float]]] = {}

    @classmethod
    def shared(cls) -> Lexicon:
        """Return the one that all texts share, as they share the tokenizer."""
        return _shared()

    def learn(self, vocabulary: Sequence[str]) -> None:
        """Take up the words that are new in a vocabulary, which may only have grown."""
        new = list(vocabulary[len(self._words) :])
        if not new:
            return
        lemmas = Lemmatizer.shipped().lemmatize(new, "fast")
        numbers = self._form_numbers
        forms = [numbers.setdefault(form, len(numbers)) for form in fold_words(new)]
        self.lemma = np.concatenate([self.lemma, [self.number(lemma) for lemma in lemmas]])
        self.form = np.concatenate([self.form, forms])
        self._words += new

    def number(self, lemma: str) -> int:
        """Return the number of a lemma, a new one if need be."""
        found = self._number_of.get(lemma)
        if found is None:
            found = self._number_of[lemma] = len(self.lemmas)
            self.lemmas.append(lemma)
        return found

    def is_content(self, lemma: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell of lemmas whether they are more than function words and figures."""
        known = len(self._is_content)
        if known < len(self.lemmas):
            judged = [is_content_lemma(own) for own in self.lemmas[known:]]
            self._is_content = np.concatenate([self._is_content, np.array(judged, bool)])
        found: NDArray[np.bool_] = self._is_content[lemma]
        return found

    def readings(self, words: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the readings of words as columns: lemmas (-1: no more) and probabilities."""
        lemmas = np.full((len(words), OTHER_READINGS), -1, np.int64)
        chances = np.zeros((len(words), OTHER_READINGS))
        for row, word in enumerate(words.tolist()):
            own = self._readings.get(word)
            if own is None:
                own = self._readings[word] = self._look_up(word)
            lemmas[row, : len(own[0])], chances[row, : len(own[1])] = own
        return lemmas, chances

    def _look_up(self, word: int) -> tuple[list[int], list[float]]:
        sums: dict[str, float] = {}
        for candidate in Lemmatizer.shipped().analyse([self._words[word]], "fast")[0].candidates:
            sums[candidate.lemma] = sums.get(candidate.lemma, 0.0) + candidate.probability
        likely = sorted(
            ((chance, lemma) for lemma, chance in sums.items() if chance >= _LEAST_PROBABILITY),
            key=lambda found: (-found[0], found[1]),
        )[:OTHER_READINGS]
        content = [(chance, lemma) for chance, lemma in likely if is_content_lemma(lemma)]
        return [self.number(lemma) for _, lemma in content], [chance for chance, _ in content]


@dataclass(frozen=True, slots=True, eq=False)
class TextWords:
    """The words of many texts as columns.

    Attributes
    ----------
    lexicon
        What the numbers mean.
    word, form, lemma
        Numbers of each word as it is written, of its folded form and of its commonest lemma.
    content
        Whether it is more than a function word or a figure.
    start, end
        Where it stands in its text.
    bounds
        The words of text ``i`` are those from ``bounds[i]`` to ``bounds[i + 1]``.

    Examples
    --------
    >>> words = TextWords.read(["Arma uirumque", "arma"])
    >>> [words.lexicon.lemmas[lemma] for lemma in words.lemma], words.bounds.tolist()
    (['arma', 'uir', 'que', 'arma'], [0, 3, 4])
    >>> words.content.tolist(), words.start.tolist()
    ([True, True, False, True], [0, 5, 10, 0])
    """

    lexicon: Lexicon
    word: NDArray[np.int64]
    form: NDArray[np.int64]
    lemma: NDArray[np.int64]
    content: NDArray[np.bool_]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    bounds: NDArray[np.int64]

    @classmethod
    def read(cls, texts: Sequence[str]) -> TextWords:
        """Read the words of texts."""
        table = tokenize_all(texts)
        lexicon = Lexicon.shared()
        lexicon.learn(table.vocabulary)
        word = table.word.astype(np.int64)
        lemma = lexicon.lemma[word]
        return cls(
            lexicon=lexicon,
            word=word,
            form=lexicon.form[word],
            lemma=lemma,
            content=lexicon.is_content(lemma),
            start=table.start,
            end=table.end,
            bounds=table.bounds,
        )

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def part(self, begin: int, end: int) -> TextWords:
        """Return the words of some texts that follow each other."""
        own = slice(int(self.bounds[begin]), int(self.bounds[end]))
        return TextWords(
            self.lexicon,
            self.word[own],
            self.form[own],
            self.lemma[own],
            self.content[own],
            self.start[own],
            self.end[own],
            self.bounds[begin : end + 1] - own.start,
        )

    def of(self, text: int) -> slice:
        """Return which words are those of a text."""
        return slice(int(self.bounds[text]), int(self.bounds[text + 1]))


def is_content_lemma(lemma: str) -> bool:
    """Tell whether a lemma is more than a function word or a figure."""
    return lemma not in STOPWORDS and not lemma.isdigit()


@lru_cache(maxsize=1)
def _shared() -> Lexicon:
    return Lexicon()
