"""Tokens and their places: for one text as a list, for many as columns.

A text becomes an array of code points, and words are runs of letters in it. Everything else (is
there an enclitic? is it a numeral?) is decided once for each distinct word.
"""

from __future__ import annotations

import sys
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.latin.abbreviations import ABBREVIATIONS
from locisimiles.latin.distinct_words import ABBREVIATION, KINDS, DistinctWords, TokenKind
from locisimiles.latin.lemmas import Lemmatizer
from locisimiles.latin.orthography import EDITORIAL_SIGNS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

__all__ = ["KINDS", "Token", "TokenKind", "TokenTable", "Tokenizer", "tokenize", "tokenize_all"]

_OTHER, _LETTER, _MARK, _SIGN, _DIGIT, _UNKNOWN = range(6)
# Characters of one group form a run: those of words (1), and those of numbers (2).
_GROUPS = np.array([0, 1, 1, 1, 2], np.uint8)
_RAGGED_START = np.array([False, False, True, True, False])
# Filled as characters occur.
_CLASS_OF_CODE = np.full(sys.maxunicode + 1, _UNKNOWN, np.uint8)
_STOP = ord(".")
_APOSTROPHES = (ord("'"), ord("’"))
_BATCH = 1 << 20

# The columns word, start, end of a batch of texts, and the number of tokens of each text.
_Batch = tuple["NDArray[np.int32]", "NDArray[np.int32]", "NDArray[np.int32]", "NDArray[np.int64]"]


class Token(NamedTuple):
    """A word as written, its span in the text, and its kind (one of `KINDS`).

    An enclitic is a token of its own; an abbreviation includes its stop.
    """

    text: str
    start: int
    end: int
    kind: TokenKind = "word"


@dataclass(frozen=True, slots=True, eq=False)
class TokenTable:
    """The tokens of many texts as columns.

    Attributes
    ----------
    vocabulary, kinds
        The distinct tokens as written, and the kind of each (a position in `KINDS`).
    word
        The position of each token in the vocabulary.
    start, end
        Its span in its text.
    bounds
        The tokens of text ``i`` are those from ``bounds[i]`` to ``bounds[i + 1]``.
    """

    vocabulary: Sequence[str]
    kinds: NDArray[np.int32]
    word: NDArray[np.int32]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    bounds: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.word)

    def tokens(self, text: int) -> list[Token]:
        """Return the tokens of one text."""
        rows = slice(int(self.bounds[text]), int(self.bounds[text + 1]))
        words = self.word[rows]
        columns = words, self.start[rows], self.end[rows], self.kinds[words]
        return [
            Token(self.vocabulary[word], start, end, KINDS[kind])
            for word, start, end, kind in zip(*(c.tolist() for c in columns), strict=True)
        ]


class Tokenizer:
    """Cuts texts into tokens.

    `is_form` returns whether treebanks contain a folded word: such a word is not split. Without
    it, words are never split, and abbreviations do not include their stop.

    Examples
    --------
    >>> tokenizer = Tokenizer({"uirum", "omne"}.__contains__)
    >>> [token.text for token in tokenizer.tokenize("Arma uirumque, omne")]
    ['Arma', 'uirum', 'que', 'omne']
    """

    def __init__(self, is_form: Callable[[str], bool] | None = None) -> None:
        self._words = DistinctWords(is_form)

    def tokenize(self, text: str) -> list[Token]:
        """Return the tokens of a text."""
        return self.tokenize_all([text]).tokens(0)

    def tokenize_all(self, texts: Sequence[str]) -> TokenTable:
        """Return the tokens of many texts, more than a million per second."""
        batches = [self._tokenize_batch(batch) for batch in _batches(texts)]
        nothing = np.empty((3, 0), np.int32)
        word, start, end, counts = map(np.concatenate, zip((*nothing, [0]), *batches, strict=True))
        return TokenTable(
            vocabulary=self._words.vocabulary,
            kinds=self._words.kinds,
            word=word,
            start=start,
            end=end,
            bounds=np.cumsum(counts, dtype=np.int64),
        )

    def _tokenize_batch(self, texts: Sequence[str]) -> _Batch:
        joined = "\n".join(texts)
        codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
        start, end = _runs(_classes(codes))
        words = self._words
        written = (joined[a:b] for a, b in zip(start.tolist(), end.tolist(), strict=True))
        numbers = np.fromiter(map(words.__getitem__, written), np.int32, len(start))
        first, second, cut, head, short = words.columns(numbers)
        end, first = _take_stops(codes, end, first, short, words)
        start, end, word = _split(start, end, first, (second, cut, head))
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        begins = np.concatenate([[0], np.cumsum(lengths + 1)])
        counts = np.diff(np.searchsorted(start, begins))
        shift = np.repeat(begins[:-1], counts)
        return word, (start - shift).astype(np.int32), (end - shift).astype(np.int32), counts


def tokenize(text: str) -> list[Token]:
    """Return the words of a text, without punctuation.

    Enclitics are separate tokens after their word; the shipped lexicon decides which words have
    one.

    Examples
    --------
    >>> [token.text for token in tokenize("Arma uirumque cano, M. Tulli, XII / ...")]
    ['Arma', 'uirum', 'que', 'cano', 'M.', 'Tulli', 'XII']
    >>> tokenize("et tu")[1]
    Token(text='tu', start=3, end=5, kind='word')
    """
    return _shipped().tokenize(text)


def tokenize_all(texts: Sequence[str]) -> TokenTable:
    """Return the tokens of many texts as columns.

    Examples
    --------
    >>> table = tokenize_all(["arma uirumque", "", "uirumque"])
    >>> [table.vocabulary[word] for word in table.word], table.bounds.tolist()
    (['arma', 'uirum', 'que', 'uirum', 'que'], [0, 3, 3, 5])
    """
    return _shipped().tokenize_all(texts)


@cache
def _shipped() -> Tokenizer:
    return Tokenizer(Lemmatizer.shipped().knows)


def _batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield texts in batches of limited size."""
    begin = size = 0
    for position, text in enumerate(texts):
        size += len(text)
        if size > _BATCH:
            yield texts[begin : position + 1]
            begin, size = position + 1, 0
    if begin < len(texts):
        yield texts[begin:]


def _classes(codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Return the class of each character."""
    classes = _CLASS_OF_CODE.take(codes)  # twice as fast as an index
    unknown = classes == _UNKNOWN
    if unknown.any():
        for code in np.unique(codes[unknown]).tolist():
            _CLASS_OF_CODE[code] = _class_of(chr(code))
        classes = _CLASS_OF_CODE.take(codes)
    return classes


def _class_of(character: str) -> int:
    if character in "0123456789":
        return _DIGIT
    # isalpha() excludes other numerals (², ½, Ⅷ).
    if character.isalpha():
        return _LETTER
    if unicodedata.combining(character):
        return _MARK
    return _SIGN if character in EDITORIAL_SIGNS else _OTHER


def _runs(classes: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where words and numbers begin and end.

    A word consists of letters, the marks that follow them, and editorial signs between them.
    """
    group = _GROUPS.take(classes)
    changes = np.flatnonzero(group[1:] != group[:-1]) + 1
    edges = np.concatenate([[0], changes, [len(group)]])
    inside = np.flatnonzero(group[edges[:-1]]) if len(group) else np.empty(0, np.int64)
    start, end = edges[inside], edges[inside + 1]
    # Signs and marks before the first letter, and signs after the last, are not part of a word.
    ragged = (_RAGGED_START[classes[start]]) | (classes[end - 1] == _SIGN)
    for row in np.flatnonzero(ragged).tolist():
        run = classes[start[row] : end[row]]
        letters = np.flatnonzero(run == _LETTER)
        last = np.flatnonzero((run == _LETTER) | (run == _MARK))
        end[row] = start[row] + last[-1] + 1 if len(letters) else start[row]
        start[row] += letters[0] if len(letters) else 0
    real = end > start
    return start[real], end[real]


def _take_stops(
    codes: NDArray[np.uint32],
    end: NDArray[np.int64],
    first: NDArray[np.int32],
    short: NDArray[np.int32],
    words: DistinctWords,
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Include the stops that follow abbreviations."""
    end, first = end.copy(), first.copy()
    padded = np.append(codes, np.zeros(2, np.uint32))
    follows = padded[end]
    # M'. is Manius, M. is Marcus.
    with_apostrophe = np.flatnonzero((short >= 0) & np.isin(follows, _APOSTROPHES)).tolist()
    (rows,) = np.nonzero((short >= 0) & (follows == _STOP))
    end[rows] += 1
    first[rows] = short[rows]
    for row in with_apostrophe:
        written = words.vocabulary[short[row]]
        if padded[end[row] + 1] == _STOP and f"{written[:-1]}'" in ABBREVIATIONS:
            apostrophe = chr(padded[end[row]])
            first[row] = words.part(f"{written[:-1]}{apostrophe}.", ABBREVIATION)
            end[row] += 2
    return end, first


def _split(
    start: NDArray[np.int64],
    end: NDArray[np.int64],
    first: NDArray[np.int32],
    rest: tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
    """Split each word that has an enclitic into two tokens."""
    second, cut, head = rest
    has_enclitic = cut > 0
    times = 1 + has_enclitic.astype(np.int64)
    enclitic = np.cumsum(times)[has_enclitic] - 1
    word = np.repeat(first, times)
    word[enclitic] = second[has_enclitic]
    begin = start[has_enclitic]
    start, end = np.repeat(start, times), np.repeat(end, times)
    start[enclitic] = begin + cut[has_enclitic]
    end[enclitic - 1] = begin + head[has_enclitic]
    return start, end, word
