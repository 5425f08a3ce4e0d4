"""The words of texts as numbers: forms, lemmas, other analyses, and their spans."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.latin import STOPWORDS, Lemmatizer, tokenize_all
from locisimiles.latin.frequencies import Frequencies
from locisimiles.latin.orthography import fold_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.latin.tokens import TokenTable

__all__ = ["Lexicon", "TextWords", "is_content_lemma"]

_MOST_ANALYSES = 3
_LEAST_PROBABILITY = 0.1


class Lexicon:
    """Form and lemmas of each distinct word of the tokenizer, with which it grows.

    Attributes
    ----------
    lemmas
        The lemmas, by their numbers.
    form, lemma
        The numbers of the folded form and of the most frequent lemma of each word.
    """

    def __init__(self) -> None:
        self.lemmas: list[str] = []
        self.form = np.empty(0, np.int64)
        self.lemma = np.empty(0, np.int64)
        self._number_of: dict[str, int] = {}
        self._form_numbers: dict[str, int] = {}
        self._is_content = np.empty(0, bool)
        self._rarity = np.empty(0)
        self._row = np.empty(0, np.int64)
        self._words: list[str] = []
        # A row for each word; only those that were asked for are analysed.
        self._is_analysed = np.empty(0, bool)
        self._analyses = np.empty((0, _MOST_ANALYSES), np.int64)
        self._probabilities = np.empty((0, _MOST_ANALYSES))

    @classmethod
    @cache
    def shared(cls) -> Lexicon:
        """Return the lexicon of the tokenizer that all texts share."""
        return cls()

    def learn(self, vocabulary: Sequence[str]) -> None:
        """Add the new words at the end of a vocabulary."""
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
        """Return the number of a lemma, which may be new."""
        number = self._number_of.get(lemma)
        if number is None:
            number = self._number_of[lemma] = len(self.lemmas)
            self.lemmas.append(lemma)
        return number

    def is_content(self, lemma: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which lemmas are neither stop words nor numbers."""
        known = len(self._is_content)
        if known < len(self.lemmas):
            new = [is_content_lemma(name) for name in self.lemmas[known:]]
            self._is_content = np.concatenate([self._is_content, np.array(new, bool)])
        content: NDArray[np.bool_] = self._is_content[lemma]
        return content

    def frequencies(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the rarity of each lemma, and its row in `Frequencies.shipped`.

        Only what is new since the last time is looked up.
        """
        new = self.lemmas[len(self._rarity) :]
        if new:
            known = Frequencies.shipped()
            rarity = np.array([known.rarity(lemma) for lemma in new])
            self._rarity = np.concatenate([self._rarity, rarity])
            self._row = np.concatenate([self._row, known.rows_of(new)])
        return self._rarity, self._row

    def analyses(self, words: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the content lemmas of words (padded with -1) and their probabilities."""
        if len(self._is_analysed) < len(self._words):
            self._make_room()
        for word in dict.fromkeys(words[~self._is_analysed[words]].tolist()):
            numbers, chances = self._look_up(word)
            self._analyses[word, : len(numbers)] = numbers
            self._probabilities[word, : len(chances)] = chances
            self._is_analysed[word] = True
        return self._analyses[words], self._probabilities[words]

    def _make_room(self) -> None:
        """Add rows of analyses for words that were learnt since."""
        more = len(self._words) - len(self._is_analysed)
        none = np.full((more, _MOST_ANALYSES), -1, np.int64)
        self._analyses = np.concatenate([self._analyses, none])
        self._probabilities = np.concatenate([self._probabilities, np.zeros(none.shape)])
        self._is_analysed = np.append(self._is_analysed, np.zeros(more, bool))

    def _look_up(self, word: int) -> tuple[list[int], list[float]]:
        sums: dict[str, float] = {}
        for analysis in Lemmatizer.shipped().analyse([self._words[word]], "fast")[0].analyses:
            sums[analysis.lemma] = sums.get(analysis.lemma, 0.0) + analysis.probability
        likely = sorted(
            ((chance, lemma) for lemma, chance in sums.items() if chance >= _LEAST_PROBABILITY),
            key=lambda entry: (-entry[0], entry[1]),
        )[:_MOST_ANALYSES]
        content = [(chance, lemma) for chance, lemma in likely if is_content_lemma(lemma)]
        return [self.number(lemma) for _, lemma in content], [chance for chance, _ in content]


@dataclass(frozen=True, slots=True, eq=False)
class TextWords:
    """The words of many texts as columns.

    Attributes
    ----------
    lexicon
        The forms and lemmas that the numbers stand for.
    word, form, lemma
        Numbers of each word as written, of its folded form and of its most frequent lemma.
    content
        Whether it is a content word.
    start, end
        Its span in its text.
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
        """Return the words of texts."""
        return cls.of_tokens(tokenize_all(texts))

    @classmethod
    def of_tokens(cls, table: TokenTable) -> TextWords:
        """Return the words of tokenised texts."""
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
        """Return the words of a run of texts."""
        rows = slice(int(self.bounds[begin]), int(self.bounds[end]))
        columns = ("word", "form", "lemma", "content", "start", "end")
        parts = {name: getattr(self, name)[rows] for name in columns}
        return replace(self, **parts, bounds=self.bounds[begin : end + 1] - rows.start)

    def of(self, text: int) -> slice:
        """Return the rows of the words of a text."""
        return slice(int(self.bounds[text]), int(self.bounds[text + 1]))


def is_content_lemma(lemma: str) -> bool:
    """Return whether a lemma is neither a stop word nor a number."""
    return lemma not in STOPWORDS and not lemma.isdigit()
