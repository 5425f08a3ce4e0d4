"""A work as one sequence of words, with the positions where its segments begin."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.latin import fold
from locisimiles.latin.tokens import Token, Tokenizer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Segment

__all__ = ["WorkWords", "folded_words", "locus_key", "word_overlap", "words_of"]

# Enclitics stay with their words, so that segments are never cut inside a word.
_whole_words = Tokenizer()
_NUMBER_OR_LETTERS = re.compile(r"(\d+)|([^\W\d_]+)")


def words_of(text: str) -> list[Token]:
    """Return the words of a text with their enclitics, without punctuation and digits."""
    return [token for token in _whole_words.tokenize(text) if not token.text.isdigit()]


def folded_words(text: str) -> tuple[str, ...]:
    """Return the normalised words of a text, without punctuation.

    Examples
    --------
    >>> folded_words("Vox, / et jam;")
    ('uox', 'et', 'iam')
    """
    return tuple(fold(token.text) for token in words_of(text))


def word_overlap(first: Counter[str], second: Counter[str]) -> float:
    """Return the Dice coefficient of two bags of words: 1 if they are the same, 0 if disjoint.

    Examples
    --------
    >>> word_overlap(Counter("abc"), Counter("bcd"))
    0.6666666666666666
    """
    total = first.total() + second.total()
    return 2 * (first & second).total() / total if total else 0.0


def locus_key(locus: str) -> tuple[tuple[int, str], ...]:
    """Return a sort key for loci, whether lines (``6.9``) or columns (``0249c``).

    Examples
    --------
    >>> locus_key("6.9") < locus_key("6.10") < locus_key("10.1")
    True
    >>> locus_key("0249c") < locus_key("0249d")
    True
    """
    found = _NUMBER_OR_LETTERS.findall(locus)
    return tuple((int(number), "") if number else (-1, letters) for number, letters in found)


@dataclass(frozen=True)
class WorkWords:
    """The words of a work, segment by segment.

    Attributes
    ----------
    segments
        The segments, in reading order.
    words
        Their normalised words. A segment without words counts as one empty word, so that no two
        segments begin at the same position.
    begins
        The position in `words` at which each segment begins, and the end of the last.
    offsets
        The span of each word in the text of its segment.
    """

    segments: tuple[Segment, ...]
    words: tuple[str, ...]
    begins: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, segments: Sequence[Segment]) -> WorkWords:
        """Split segments into words.

        Examples
        --------
        >>> from locisimiles import Segment
        >>> work = WorkWords.of([Segment("a", "Arma virumque"), Segment("b", "cano.")])
        >>> work.words, work.begins
        (('arma', 'uirumque', 'cano'), (0, 2, 3))
        """
        words: list[str] = []
        begins: list[int] = []
        offsets: list[tuple[int, int]] = []
        for segment in segments:
            begins.append(len(words))
            tokens = words_of(segment.text)
            words += [fold(token.text) for token in tokens] or [""]
            offsets += [(token.start, token.end) for token in tokens] or [(0, len(segment.text))]
        begins.append(len(words))
        return cls(tuple(segments), tuple(words), tuple(begins), tuple(offsets))

    def segment_at(self, position: int) -> int:
        """Return the segment of the word at a position."""
        return bisect_left(self.begins, position + 1) - 1

    def words_of(self, segment: int) -> tuple[str, ...]:
        """Return the words of one segment."""
        return self.words[self.begins[segment] : self.begins[segment + 1]]

    @cached_property
    def places(self) -> dict[str, NDArray[np.int64]]:
        """The positions of each word."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for position, word in enumerate(self.words):
            found[word].append(position)
        return {word: np.array(positions) for word, positions in found.items()}

    @cached_property
    def with_words(self) -> dict[tuple[str, ...], list[int]]:
        """The segments that have exactly these words."""
        found: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        for segment in range(len(self.segments)):
            found[self.words_of(segment)].append(segment)
        return dict(found)

    @cached_property
    def _by_id(self) -> dict[str, int]:
        return {segment.id: position for position, segment in enumerate(self.segments)}

    @cached_property
    def _keys(self) -> list[tuple[tuple[int, str], ...]]:
        return [locus_key(segment.locus.partition("-")[0]) for segment in self.segments]

    def place_of(self, segment_id: str, locus: str) -> int:
        """Return the segment at a locus, or the one that would follow it.

        Examples
        --------
        >>> from locisimiles import Segment
        >>> lines = [Segment(f"lucr. 1.{n}.1", "verba", locus=f"1.{n}") for n in (1, 4, 9)]
        >>> work = WorkWords.of(lines)
        >>> work.place_of("lucr. 1.4.1", "1.4"), work.place_of("lucr. 1.5.1", "1.5")
        (1, 2)
        """
        known = self._by_id.get(segment_id)
        return bisect_left(self._keys, locus_key(locus)) if known is None else known
