"""Decisions about each distinct word: its enclitic, and whether it is a numeral."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import count, islice
from typing import TYPE_CHECKING, Literal

import numpy as np

from locisimiles.latin.abbreviations import ABBREVIATIONS
from locisimiles.latin.enclitics import split_enclitic
from locisimiles.latin.orthography import EDITORIAL_SIGNS, fold_text, fold_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

__all__ = ["ABBREVIATION", "KINDS", "DistinctWords", "TokenKind"]

TokenKind = Literal["word", "enclitic", "abbreviation", "numeral"]
KINDS: tuple[TokenKind, ...] = ("word", "enclitic", "abbreviation", "numeral")
_WORD, _ENCLITIC, ABBREVIATION, _NUMERAL = range(4)

_ROMAN = re.compile(r"(?=..)M*(?:CM|CD|D?C{0,4})(?:XC|XL|L?X{0,4})(?:IX|IV|V?I{0,4})")
_ROMAN_LETTERS = frozenset("VXLCDM")
_ENCLITICS = ("que", "qve", "ne", "ue", "ve", "cum", "cvm", "st")
_LAST_LETTERS = frozenset(letter for end in _ENCLITICS for letter in (end[-1], end[-1].upper()))
_RATHER_WORDS = frozenset(["DI", "MI"])


class DistinctWords(defaultdict[str, int]):
    """Numbers distinct words, and stores the decisions about each.

    A new word gets its number at once; `columns` decides about all new words together.
    `vocabulary` holds the parts that words consist of. For `is_form` see `Tokenizer`.

    Examples
    --------
    >>> words = DistinctWords({"uirum"}.__contains__)
    >>> numbers = np.array([words["arma"], words["uirumque"], words["arma"]], np.int32)
    >>> first, second, cut, head, short = words.columns(numbers).tolist()
    >>> words.vocabulary, first, second, cut
    (['arma', 'uirum', 'que'], [0, 1, 0], [-1, 2, -1], [0, 5, 0])
    """

    def __init__(self, is_form: Callable[[str], bool] | None) -> None:
        super().__init__(count().__next__)
        self.vocabulary: list[str] = []
        self._is_form = is_form
        self._parts: list[dict[str, int]] = [{} for _ in KINDS]
        self._kinds = np.empty(0, np.int32)
        self._new_kinds: list[int] = []
        self._decided = 0
        self._decisions = np.empty((5, 0), np.int32)

    @property
    def kinds(self) -> NDArray[np.int32]:
        """The kind of each part of the vocabulary."""
        if self._new_kinds:
            self._kinds = np.concatenate([self._kinds, np.array(self._new_kinds, np.int32)])
            self._new_kinds.clear()
        return self._kinds

    def part(self, text: str, kind: int) -> int:
        """Return the number of a part in the vocabulary."""
        parts = self._parts[kind]
        number = parts.get(text)
        if number is None:
            number = parts[text] = len(self.vocabulary)
            self.vocabulary.append(text)
            self._new_kinds.append(kind)
        return number

    def columns(self, numbers: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the decisions about words, one column per word.

        The rows: its two parts, where the second begins, the length of the first, and the part that
        the word is if a stop follows; -1 for a missing part.
        """
        new = len(self) - self._decided
        if new:
            # They were added last.
            self._keep(self._decide(list(islice(reversed(self), new))[::-1]))
        return self._decisions[:, numbers]

    def _keep(self, decisions: NDArray[np.int32]) -> None:
        begin, end = self._decided, self._decided + decisions.shape[1]
        if end > self._decisions.shape[1]:
            # Double the capacity, so that a few new words do not copy everything.
            room = np.empty((5, 2 * end), np.int32)
            room[:, :begin] = self._decisions[:, :begin]
            self._decisions = room
        self._decisions[:, begin:end] = decisions
        self._decided = end

    def _decide(self, words: Sequence[str]) -> NDArray[np.int32]:
        is_form = self._is_form
        numerals = {word for word in words if not word.islower() and _is_numeral(word)}
        cuts = {} if is_form is None else _enclitic_starts(words, numerals, is_form)
        shorts = frozenset[str]() if is_form is None else ABBREVIATIONS.keys() & words
        # Most words are a single part: keep this path fast.
        special = {*numerals, *cuts, *shorts}
        first: list[int] = []
        rest: dict[int, tuple[int, int, int, int]] = {}
        for place, word in enumerate(words):
            if word not in special:
                first.append(self.part(word, _WORD))
                continue
            cut = cuts.get(word, 0)
            # The first part of *uirum[que]* is *uirum*, without the bracket.
            head = word[:cut].rstrip(EDITORIAL_SIGNS) if cut else word
            first.append(self.part(head, _NUMERAL if word in numerals else _WORD))
            second = self.part(word[cut:], _ENCLITIC) if cut else -1
            short = self.part(f"{word}.", ABBREVIATION) if word in shorts else -1
            rest[place] = second, cut, len(head), short
        decisions = np.empty((5, len(words)), np.int32)
        decisions[0] = first
        decisions[1:] = np.array([-1, 0, 0, -1])[:, None]
        decisions[3] = list(map(len, words))
        if rest:
            decisions[1:, list(rest)] = np.array(list(rest.values())).T
        return decisions


def _enclitic_starts(
    words: Sequence[str], numerals: set[str], is_form: Callable[[str], bool]
) -> dict[str, int]:
    """Return where the enclitic begins in each word that has one."""
    likely = [
        word
        for word in words
        if not (word.isascii() and word.isalpha())
        or (word[-1] in _LAST_LETTERS and word.lower().endswith(_ENCLITICS))
    ]
    starts = {}
    for word, folded in zip(likely, fold_words(likely), strict=True):
        split = None if word in numerals else split_enclitic(folded, is_form)
        if split is None:
            continue
        if word.isascii() and word.isalpha():
            starts[word] = len(word) - len(split.enclitic)
        else:
            # Count letters as written: accents and brackets count, æ counts once.
            starts[word] = fold_text(word).spans[-len(split.enclitic)][0]
    return starts


def _is_numeral(word: str) -> bool:
    if word.isdigit():
        return True
    if len(word) == 1:
        return word in _ROMAN_LETTERS
    return word.isupper() and word not in _RATHER_WORDS and bool(_ROMAN.fullmatch(word))
