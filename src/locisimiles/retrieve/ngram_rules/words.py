"""The words of texts that may make a parallel, and their clauses, as columns."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.latin import Lemmatizer, choose_lemmatizer, fold
from locisimiles.latin.clauses import clause_numbers
from locisimiles.retrieve.lexical.counting import LEFT_OUT, WordNumbers
from locisimiles.retrieve.ngram_rules.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.index import TextPart
    from locisimiles.latin import TokenTable
    from locisimiles.latin.lemmatizers import LemmatizeFunction

__all__ = ["WordExtractor", "Words"]


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words of some texts, without stop words and figures.

    The distance of two words is the difference of their places: stop words do not count.

    Attributes
    ----------
    term
        What is compared, as a number of the vocabulary.
    segment
        The text of each word.
    clause
        Its clause, counted over all texts.
    form
        The word as written, as a number of the tokenizer's vocabulary.
    place
        Its place among all words, if some are left out; by default its row.
    """

    term: NDArray[np.int64]
    segment: NDArray[np.int32]
    clause: NDArray[np.int64]
    form: NDArray[np.int32]
    place: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.term)

    @classmethod
    def join(cls, parts: Sequence[Words], texts: int) -> Words:
        """Join batches of `texts` texts each; only the last may have fewer."""
        clauses = np.cumsum([0, *(int(part.clause.max(initial=-1)) + 1 for part in parts)])
        shifted = [
            (part.term, part.segment + np.int32(place * texts), part.clause + clauses[place])
            for place, part in enumerate(parts)
        ]
        return cls(
            np.concatenate([np.empty(0, np.int64), *(term for term, _, _ in shifted)]),
            np.concatenate([np.empty(0, np.int32), *(segment for _, segment, _ in shifted)]),
            np.concatenate([np.empty(0, np.int64), *(clause for _, _, clause in shifted)]),
            np.concatenate([np.empty(0, np.int32), *(part.form for part in parts)]),
        )

    @classmethod
    def together(cls, parts: Sequence[Words]) -> Words:
        """Join parts whose segments, clauses and places are numbered over all of them."""
        return cls(
            np.concatenate([np.empty(0, np.int64), *(part.term for part in parts)]),
            np.concatenate([np.empty(0, np.int32), *(part.segment for part in parts)]),
            np.concatenate([np.empty(0, np.int64), *(part.clause for part in parts)]),
            np.concatenate([np.empty(0, np.int32), *(part.form for part in parts)]),
            np.concatenate(
                [np.empty(0, np.int64), *(p.place for p in parts if p.place is not None)]
            ),
        )

    def segment_of_clause(self) -> NDArray[np.int64]:
        """Return the segment of each clause."""
        segments = np.zeros(int(self.clause.max(initial=-1)) + 1, np.int64)
        segments[self.clause] = self.segment
        return segments


class WordExtractor:
    """Turns texts into columns of words; each distinct form is looked up once.

    The parameters are those of `NgramRules`.

    Examples
    --------
    >>> from locisimiles.index import TextPart
    >>> extractor = WordExtractor("lemma", "fast", frozenset(["et"]), ".:", ("NOUN",))
    >>> words = extractor.extract(TextPart.of(["Arma et viros: cano", "arma"]))
    >>> [extractor.vocabulary.terms[term] for term in words.term]
    ['arma', 'uir', 'cano', 'arma']
    >>> words.clause.tolist(), words.segment.tolist(), extractor.has_pos(words.form).tolist()
    ([0, 0, 1, 2], [0, 0, 0, 1], [True, True, False, True])
    """

    def __init__(
        self,
        terms: str,
        lemmatizer: str | LemmatizeFunction,
        stopwords: frozenset[str],
        clause_ends: str,
        pos: tuple[str, ...],
    ) -> None:
        self.vocabulary = Vocabulary()
        self._is_surface = terms == "surface"
        self._in_context = not self._is_surface and lemmatizer != "fast"
        self._lemmatize = choose_lemmatizer("fast" if self._is_surface else lemmatizer)
        self._stopwords = stopwords
        self._clause_ends = clause_ends
        self._pos = frozenset(pos)
        self._forms: Sequence[str] = ()
        self._terms = WordNumbers(self._numbers)
        self._has_pos = WordNumbers(self._have_pos)

    def extract(self, part: TextPart) -> Words:
        """Return the words of some texts."""
        texts, table = part
        self._forms = table.vocabulary
        term = (
            self._terms_in_context(table)
            if self._in_context
            else self._terms.look_up(table.word, table.vocabulary)
        )
        segment = np.repeat(np.arange(len(texts), dtype=np.int32), np.diff(table.bounds))
        clause = clause_numbers(texts, table, self._clause_ends)
        kept = term >= 0
        return Words(term[kept], segment[kept], clause[kept], table.word[kept])

    def has_pos(self, form: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Tell which forms have one of the parts of speech, by their most common analysis."""
        return self._has_pos.look_up(form, self._forms).astype(bool)

    def _have_pos(self, forms: Sequence[str]) -> list[int]:
        return [pos in self._pos for pos in Lemmatizer.shipped().parts_of_speech(forms)]

    def _numbers(self, forms: Sequence[str]) -> list[int]:
        """Return the terms of words that belong together."""
        return [
            self._number(lemma, form)
            for lemma, form in zip(self._lemmatize(forms), forms, strict=True)
        ]

    def _number(self, lemma: str, form: str) -> int:
        if not lemma or lemma in self._stopwords or lemma.isdigit():
            return LEFT_OUT
        return self.vocabulary.number(fold(form) if self._is_surface else lemma, lemma)

    def _terms_in_context(self, table: TokenTable) -> NDArray[np.int64]:
        words = [table.vocabulary[word] for word in table.word.tolist()]
        bounds = pairwise(table.bounds.tolist())
        numbers = [number for begin, end in bounds for number in self._numbers(words[begin:end])]
        return np.array(numbers, np.int64)
