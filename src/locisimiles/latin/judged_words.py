"""Distinct words, and what is decided about each: its enclitic, and whether it is a numeral."""

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

__all__ = ["ABBREVIATION", "KINDS", "JudgedWords", "TokenKind"]

TokenKind = Literal["word", "enclitic", "abbreviation", "numeral"]
KINDS: tuple[TokenKind, ...] = ("word", "enclitic", "abbreviation", "numeral")
_WORD, _ENCLITIC, ABBREVIATION, _NUMERAL = range(4)

_ROMAN = re.compile(r"(?=..)M*(?:CM|CD|D?C{0,4})(?:XC|XL|L?X{0,4})(?:IX|IV|V?I{0,4})")
_ROMAN_LETTERS = frozenset("VXLCDM")
_ENCLITICS = ("que", "qve", "ne", "ue", "ve", "cum", "cvm", "st")
_LAST_LETTERS = frozenset(letter for end in _ENCLITICS for letter in (end[-1], end[-1].upper()))
_RATHER_WORDS = frozenset(["DI", "MI"])


class JudgedWords(defaultdict[str, int]):
    """Numbers distinct words, and keeps what was decided about each.

    New words are given a number at once, and judged together when something of them is asked.

    Parameters
    ----------
    is_form
        Tells whether treebanks have a folded word; see `Tokenizer`.

    Attributes
    ----------
    vocabulary
        The pieces that words consist of, in the order in which they were met.

    Examples
    --------
    >>> words = JudgedWords({"uirum"}.__contains__)
    >>> found = np.array([words["arma"], words["uirumque"], words["arma"]], np.int32)
    >>> first, second, cut, head, short = words.columns(found).tolist()
    >>> words.vocabulary, first, second, cut
    (['arma', 'uirum', 'que'], [0, 1, 0], [-1, 2, -1], [0, 5, 0])
    """

    def __init__(self, is_form: Callable[[str], bool] | None) -> None:
        super().__init__(count().__next__)
        self.vocabulary: list[str] = []
        self._is_form = is_form
        self._judged = 0
        self._numbers: list[dict[str, int]] = [{} for _ in KINDS]
        self._kinds = np.empty(0, np.int32)
        self._new_kinds: list[int] = []
        self._decided = np.empty((5, 0), np.int32)

    @property
    def kinds(self) -> NDArray[np.int32]:
        """The kind of each piece of the vocabulary."""
        if self._new_kinds:
            self._kinds = np.concatenate([self._kinds, np.array(self._new_kinds, np.int32)])
            self._new_kinds.clear()
        return self._kinds

    def number(self, piece: str, kind: int) -> int:
        """Return the place of a piece in the vocabulary."""
        numbers = self._numbers[kind]
        found = numbers.get(piece)
        if found is None:
            found = numbers[piece] = len(self.vocabulary)
            self.vocabulary.append(piece)
            self._new_kinds.append(kind)
        return found

    def columns(self, found: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return for each word what was decided: pieces, cut, length of the first, short form."""
        new = len(self) - self._judged
        if new:
            # They are the last that were put in.
            words = list(islice(reversed(self), new))[::-1]
            self._keep(self._judge(words))
        return self._decided[:, found]

    def _keep(self, decided: NDArray[np.int32]) -> None:
        begin, end = self._judged, self._judged + decided.shape[1]
        if end > self._decided.shape[1]:
            # With room for as many again: what is there is not copied for every few new words.
            room = np.empty((5, 2 * end), np.int32)
            room[:, :begin] = self._decided[:, :begin]
            self._decided = room
        self._decided[:, begin:end] = decided
        self._judged = end

    def _judge(self, words: Sequence[str]) -> NDArray[np.int32]:
        is_form = self._is_form
        numerals = {word for word in words if not word.islower() and _is_numeral(word)}
        cuts = {} if is_form is None else _enclitic_starts(words, numerals, is_form)
        shorts = frozenset[str]() if is_form is None else ABBREVIATIONS.keys() & words
        # Most words are one piece, themselves; this must be quick, for there are many.
        special = {*numerals, *cuts, *shorts}
        known, vocabulary, kinds = self._numbers[_WORD], self.vocabulary, self._new_kinds
        first: list[int] = []
        rest: dict[int, tuple[int, int, int, int]] = {}
        for place, word in enumerate(words):
            if word in special:
                cut = cuts.get(word, 0)
                # Of *uirum[que]* the first word is *uirum*, without the bracket.
                head = word[:cut].rstrip(EDITORIAL_SIGNS) if cut else word
                first.append(self.number(head, _NUMERAL if word in numerals else _WORD))
                second = self.number(word[cut:], _ENCLITIC) if cut else -1
                short = self.number(f"{word}.", ABBREVIATION) if word in shorts else -1
                rest[place] = second, cut, len(head), short
                continue
            number = known.get(word)
            if number is None:
                number = known[word] = len(vocabulary)
                vocabulary.append(word)
                kinds.append(_WORD)
            first.append(number)
        decided = np.empty((5, len(words)), np.int32)
        decided[0] = first
        decided[1:] = np.array([-1, 0, 0, -1])[:, None]
        decided[3] = list(map(len, words))
        if rest:
            decided[1:, list(rest)] = np.array(list(rest.values())).T
        return decided


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
            # In letters, not in folded ones: accents and brackets count, æ counts once.
            starts[word] = fold_text(word).spans[-len(split.enclitic)][0]
    return starts


def _is_numeral(word: str) -> bool:
    if word.isdigit():
        return True
    if len(word) == 1:
        return word in _ROMAN_LETTERS
    return word.isupper() and word not in _RATHER_WORDS and bool(_ROMAN.fullmatch(word))
