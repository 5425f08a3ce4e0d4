"""Correct by rule where an editor's note stands, or which verse it names.

Editors are sometimes a verse off, a note stands at the end of a quotation, which may be in the
sentence before, or before one, which may be in the sentence after, and numbers were misprinted or
misread. What a sentence and a verse have in common is the weight of their shared lemmas
(`LemmaTable`); two texts drawn at random exceed `FOUND` once in a thousand.

=================  ================================================================================
``kept``           the sentence and the noted verse have something in common
``other verse``    else, a verse at most two away in the same book has: it is named
``sentence off``   else, the sentence before or after has something in common with the noted
                   verse, or with one at most two away: that sentence gets the reference
``misprint``       else, at least half of a verse of the same book stands in the sentence, or half
                   of the sentence in the verse; and they agree in the number of the chapter or of
                   the verse, or what was noted as verse is the chapter: it is named
``other book``     else, four fifths of a verse of another book with the same number stand in the
                   sentence or one beside it, or four fifths of that in the verse, and they weigh
                   `QUOTED`: it is named. ``(Vers. 2)`` in a commentary means the book that is
                   explained, not the one quoted last
``verse ahead``    else, four fifths of the sentence after stand in a verse of another book with
                   the same number, and they weigh `ENOUGH`: it is named, and that sentence gets
                   the reference. ``(Vers. 2)`` often stands before the verse
``wrong sign``     else, the sentence or one beside it has `ENOUGH` in common, and a quarter of the
                   lighter text, with a verse of the same book. One sign of the number of its
                   chapter or verse is another (`misprints`), the other number is the same. It is
                   named
``no words``       nothing of these; the note names a thought or a story. The reference stays
=================  ================================================================================

How often a rule moves a note by chance is counted, too: with verses in place of the noted ones that
were noted elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.benchmark.sets.misprints import easily_confused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.shared_words import LemmaTable

__all__ = [
    "ENOUGH",
    "FOUND",
    "NOTHING",
    "QUOTED",
    "RULES",
    "CorrectedNotes",
    "Verses",
    "correct_notes",
]

NOTHING = 5.0
"""Below this weight, a sentence and a verse have nothing in common."""
FOUND = 10.0
"""From this weight on, a neighbour is what the note means."""
RULES = (
    "kept", "other verse", "sentence off", "misprint", "other book", "verse ahead", "wrong sign",
    "no words",
)  # fmt: skip
"""The rules, in the order of the table above."""
_KEPT, _OTHER_VERSE, _SENTENCE_OFF, _MISPRINT, _OTHER_BOOK = range(5)
_VERSE_AHEAD, _WRONG_SIGN, _NO_WORDS = range(5, len(RULES))
ENOUGH = 12.0
"""From this weight on, a verse with nearly the noted number is what the note means."""
QUOTED = 20.0
"""From this weight on, a sentence quotes a verse, whatever was noted."""
_QUARTER, _HALF, _MOST = 0.25, 0.5, 0.8
_VERSES = (1, -1, 2, -2)
_SENTENCES = (-1, 1)


class Verses(NamedTuple):
    """The address of each verse: numbers of books, chapters and verses as texts."""

    book: NDArray[np.int64]
    chapter: NDArray[np.str_]
    verse: NDArray[np.str_]

    @classmethod
    def of(cls, books: Sequence[str], loci: Sequence[str]) -> Verses:
        """Read the addresses of verses from their books and loci, such as ``5.22``."""
        numbers: dict[str, int] = {}
        parts = [locus.rpartition(".") for locus in loci]
        return cls(
            np.array([numbers.setdefault(book, len(numbers)) for book in books], np.int64),
            np.array([chapter for chapter, _, _ in parts], np.str_),
            np.array([verse for _, _, verse in parts], np.str_),
        )


@dataclass(frozen=True, slots=True, eq=False)
class CorrectedNotes:
    """References after correction, as columns, and how many notes each rule concerned.

    `doubtful` are the notes whose sentence and verse have nothing in common.
    """

    query: NDArray[np.int64]
    source: NDArray[np.int64]
    doubtful: NDArray[np.bool_]
    rules: Mapping[str, int]


def correct_notes(
    query: Sequence[int],
    source: Sequence[int],
    table: LemmaTable,
    query_work: NDArray[np.int64],
    verses: Verses,
) -> CorrectedNotes:
    """Correct the sentences and verses of notes.

    Parameters
    ----------
    query, source
        The sentence and the verse of each note: positions in their documents.
    table
        The lemmas of all verses, then those of all sentences.
    query_work
        The number of the work of each sentence. A work is a run of neighbouring sentences.
    verses
        The address of each verse.

    Examples
    --------
    The second verse is quoted, but the first was noted.

    >>> from locisimiles.benchmark.sets.shared_words import LemmaTable
    >>> texts = ["caeli enarrant gloriam", "non sunt loquelae neque sermones audiuntur"]
    >>> others = [f"uerbum{n}" for n in range(100)]
    >>> table = LemmaTable([*texts, *others, "quorum loquelae et sermones audiantur"], counted=102)
    >>> loci = [f"18.{verse}" for verse in range(2, 104)]
    >>> verses = Verses.of(["Ps."] * 102, loci)
    >>> found = correct_notes([0], [0], table, np.zeros(1, int), verses)
    >>> found.source.tolist(), found.rules["other verse"]
    ([1], 1)
    """
    notes = np.array([query, source], np.int64).reshape(2, -1)
    own = np.array(table.shared((len(verses.book) + notes[0]).tolist(), notes[1].tolist()))
    best = _Best(notes, own)
    for rule, number, q, v in _neighbours(notes, query_work, verses, own):
        weight = np.array(table.shared((len(verses.book) + q).tolist(), v.tolist()))
        enough = weight >= FOUND
        best.offer(rule, number[enough], q[enough], v[enough], weight[enough])
    unexplained = np.flatnonzero(best.rule == _NO_WORDS)
    for rule, number, q, v, weight in _quoted(notes, query_work, verses, table, unexplained):
        best.offer(rule, number, q, v, weight)
    return best.corrected()


class _Best:
    """The best explanation of each note so far: by rule, then by weight."""

    def __init__(self, notes: NDArray[np.int64], own: NDArray[np.float64]) -> None:
        self.query, self.source = notes.copy()
        self.rule = np.where(own >= NOTHING, _KEPT, _NO_WORDS)
        self._doubtful, self._weight = own < NOTHING, np.zeros(len(own))

    def offer(
        self,
        rule: int,
        number: NDArray[np.int64],
        query: NDArray[np.int64],
        source: NDArray[np.int64],
        weight: NDArray[np.float64],
    ) -> None:
        """Take what explains a note better."""
        for at, q, v, w in zip(
            number.tolist(), query.tolist(), source.tolist(), weight.tolist(), strict=True
        ):
            known = int(self.rule[at])
            if known == _NO_WORDS or (rule, -w) < (known, -self._weight[at]):
                self.rule[at], self._weight[at] = rule, w
                self.query[at], self.source[at] = q, v

    def corrected(self) -> CorrectedNotes:
        counted = np.bincount(self.rule, minlength=len(RULES)).tolist()
        return CorrectedNotes(
            self.query, self.source, self._doubtful, dict(zip(RULES, counted, strict=True))
        )


_Pairs = tuple[int, "NDArray[np.int64]", "NDArray[np.int64]", "NDArray[np.int64]"]


def _neighbours(
    notes: NDArray[np.int64],
    query_work: NDArray[np.int64],
    verses: Verses,
    own: NDArray[np.float64],
) -> Iterator[_Pairs]:
    """Yield rule, note, sentence and verse of what stands near a note."""
    query, source = notes
    number = np.arange(len(query))
    doubtful = own < NOTHING
    for verse in (0, *_VERSES):
        right = doubtful & _same(verses.book, source, source + verse)
        for sentence in (0, *_SENTENCES):
            rows = right & _same(query_work, query, query + sentence)
            if verse or sentence:
                rule = _SENTENCE_OFF if sentence else _OTHER_VERSE
                yield rule, number[rows], query[rows] + sentence, source[rows] + verse


def _quoted(
    notes: NDArray[np.int64],
    query_work: NDArray[np.int64],
    verses: Verses,
    table: LemmaTable,
    rows: NDArray[np.int64],
) -> Iterator[
    tuple[int, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]
]:
    """Yield what sentences quote that a note may mean: rule, note, sentence, verse, weight."""
    first, total = len(verses.book), table.total()
    for sentence in (0, *_SENTENCES):
        numbers = rows[_same(query_work, notes[0, rows], notes[0, rows] + sentence)]
        query = notes[0, numbers] + sentence
        for at, verse, weight in table.sharing((first + query).tolist(), first, least=FOUND):
            number, noted = numbers[at], notes[1, numbers[at]]
            lighter = np.minimum(total[verse], total[first + query[at]])
            same_book = verses.book[noted] == verses.book[verse]
            same_verse = verses.verse[noted] == verses.verse[verse]
            in_book = (verses.chapter[noted] == verses.chapter[verse]) | same_verse
            in_book |= verses.verse[noted] == verses.chapter[verse]
            meant = {_OTHER_BOOK: ~same_book & same_verse & (weight >= _MOST * lighter)}
            meant[_OTHER_BOOK] &= weight >= QUOTED
            near = easily_confused(verses.verse[noted], verses.verse[verse])
            near &= verses.chapter[noted] == verses.chapter[verse]
            near |= same_verse & easily_confused(verses.chapter[noted], verses.chapter[verse])
            enough = (weight >= ENOUGH) & (weight >= _QUARTER * lighter)
            meant[_WRONG_SIGN] = same_book & near & enough
            if sentence > 0:
                quoted = (weight >= ENOUGH) & (weight >= _MOST * total[first + query[at]])
                meant[_VERSE_AHEAD] = ~same_book & same_verse & quoted
            if not sentence:
                meant[_MISPRINT] = same_book & in_book & (weight >= _HALF * lighter)
            for rule, fits in meant.items():
                yield rule, number[fits], query[at][fits], verse[fits], weight[fits]


def _same(
    column: NDArray[np.int64], here: NDArray[np.int64], there: NDArray[np.int64]
) -> NDArray[np.bool_]:
    inside = (there >= 0) & (there < len(column))
    result: NDArray[np.bool_] = inside & (column[np.where(inside, there, 0)] == column[here])
    return result
