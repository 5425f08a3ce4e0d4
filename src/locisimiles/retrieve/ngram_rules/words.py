"""The words of texts that may make a parallel, and the clauses they stand in, as columns."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.latin import Lemmatizer, choose_lemmatizer, fold
from locisimiles.latin.clauses import clause_numbers
from locisimiles.retrieve.ngram_rules.rarity import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.index import TextPart
    from locisimiles.latin import TokenTable
    from locisimiles.latin.lemmatizers import LemmatizeFunction
    from locisimiles.retrieve.lexical.terms import TermKind

__all__ = ["WordReader", "Words"]

_UNSEEN, _LEFT_OUT = -2, -1


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words of some texts, without function words and figures.

    Their distance is the difference of their rows: function words do not count.

    Attributes
    ----------
    term
        What is compared, as a number of the vocabulary.
    segment
        In which of the texts a word stands.
    clause
        In which clause; numbered through all texts, in their order.
    form
        The word as it is written, as a number of the reader.
    """

    term: NDArray[np.int64]
    segment: NDArray[np.int32]
    clause: NDArray[np.int64]
    form: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.term)

    @classmethod
    def join(cls, parts: Sequence[Words], texts: int) -> Words:
        """Put the words of texts that were read one batch after the other into one.

        All batches but the last had as many `texts`.
        """
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

    def segment_of_clause(self) -> NDArray[np.int64]:
        """Return the segment of each clause."""
        segments = np.zeros(int(self.clause.max(initial=-1)) + 1, np.int64)
        segments[self.clause] = self.segment
        return segments


class WordReader:
    """Turns texts into columns of words; each distinct form is judged once.

    Parameters
    ----------
    terms
        ``lemma``: words are the same if their lemmas are. ``surface``: if they are written so,
        but for case, u/v, i/j and enclitics.
    lemmatizer
        Whose lemmas; see `locisimiles.latin.choose_lemmatizer`.
    stopwords
        Lemmas that are left out.
    clause_ends
        Signs that end a clause.
    pos
        The parts of speech that `has_pos` looks for.

    Examples
    --------
    >>> from locisimiles.index import TextPart
    >>> reader = WordReader("lemma", "fast", frozenset(["et"]), ".:", ("NOUN",))
    >>> words = reader.read(TextPart.of(["Arma et viros: cano", "arma"]))
    >>> [reader.vocabulary.terms[term] for term in words.term]
    ['arma', 'uir', 'cano', 'arma']
    >>> words.clause.tolist(), words.segment.tolist(), reader.has_pos(words.form).tolist()
    ([0, 0, 1, 2], [0, 0, 0, 1], [True, True, False, True])
    """

    def __init__(
        self,
        terms: TermKind,
        lemmatizer: str | LemmatizeFunction,
        stopwords: frozenset[str],
        clause_ends: str,
        pos: tuple[str, ...],
    ) -> None:
        self.vocabulary = Vocabulary()
        self._number_of_lemma = _LemmaNumbers(stopwords, self.vocabulary)
        self._terms = terms
        self._lemmatize = choose_lemmatizer(lemmatizer)
        self._needs_context = lemmatizer != "fast" and terms == "lemma"
        self._stopwords = stopwords
        self._ends = clause_ends
        self._pos = frozenset(pos)
        # By the number of a form among those of the tokenizer.
        self._forms: Sequence[str] = ()
        self._term_of_form = np.empty(0, np.int64)
        self._has_pos = np.empty(0, np.int8)

    def read(self, part: TextPart) -> Words:
        """Return the words of some texts."""
        texts, table = part
        self._judge_forms(table)
        term = (
            self._terms_in_context(table) if self._needs_context else self._term_of_form[table.word]
        )
        segment = np.repeat(np.arange(len(texts), dtype=np.int32), np.diff(table.bounds))
        clause = clause_numbers(texts, table, self._ends)
        kept = term >= 0
        return Words(term[kept], segment[kept], clause[kept], table.word[kept])

    def has_pos(self, form: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Tell of each form whether its commonest reading is one of the parts of speech.

        Only the forms of shared words are ever asked about, and each once.
        """
        new = np.unique(form[self._has_pos[form] == _UNSEEN])
        written = [self._forms[number] for number in new.tolist()]
        parts_of_speech = Lemmatizer.shipped().parts_of_speech(written)
        self._has_pos[new] = [part in self._pos for part in parts_of_speech]
        has_pos: NDArray[np.bool_] = self._has_pos[form] == 1
        return has_pos

    def _judge_forms(self, table: TokenTable) -> None:
        self._forms = table.vocabulary
        missing = len(table.vocabulary) - len(self._term_of_form)
        if missing > 0:
            unseen = np.full(missing, _UNSEEN, np.int64)
            self._term_of_form = np.concatenate([self._term_of_form, unseen])
            self._has_pos = np.concatenate([self._has_pos, unseen.astype(np.int8)])
        if self._needs_context:
            return
        new = np.unique(table.word[self._term_of_form[table.word] == _UNSEEN])
        written = [table.vocabulary[form] for form in new.tolist()]
        lemmas = self._fast_lemmas(written)
        if self._terms == "surface":
            numbers = map(self._number_of_form, lemmas, written)
        else:
            numbers = map(self._number_of_lemma.__getitem__, lemmas)
        self._term_of_form[new] = np.fromiter(numbers, np.int64, len(written))

    def _fast_lemmas(self, forms: Sequence[str]) -> Sequence[str]:
        if self._terms == "surface":
            return Lemmatizer.shipped().lemmatize(forms, "fast")
        return self._lemmatize(forms)

    def _terms_in_context(self, table: TokenTable) -> NDArray[np.int64]:
        words = [table.vocabulary[word] for word in table.word.tolist()]
        numbers = [
            self._number_of_lemma[lemma]
            for begin, end in pairwise(table.bounds.tolist())
            for lemma in self._lemmatize(words[begin:end])
        ]
        return np.array(numbers, np.int64)

    def _number_of_form(self, lemma: str, form: str) -> int:
        is_left_out = _is_left_out(lemma, self._stopwords)
        return _LEFT_OUT if is_left_out else self.vocabulary.number(fold(form), lemma)


class _LemmaNumbers(dict[str, int]):
    """The number of each lemma, or that it is left out; asked for as they are met."""

    def __init__(self, stopwords: frozenset[str], vocabulary: Vocabulary) -> None:
        super().__init__()
        self._stopwords = stopwords
        self._vocabulary = vocabulary

    def __missing__(self, lemma: str) -> int:
        is_left_out = _is_left_out(lemma, self._stopwords)
        number = _LEFT_OUT if is_left_out else self._vocabulary.number(lemma, lemma)
        self[lemma] = number
        return number


def _is_left_out(lemma: str, stopwords: frozenset[str]) -> bool:
    return not lemma or lemma in stopwords or lemma.isdigit()
