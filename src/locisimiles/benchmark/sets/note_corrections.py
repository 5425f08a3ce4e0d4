"""Correct by rule where an editor's note stands, or which verse it names.

Editors are sometimes a verse off, and a note stands at the end of a quotation, which may be in the
sentence before. What a sentence and a verse have in common is the weight of their shared lemmas
(`LemmaTable`); two texts drawn at random exceed `FOUND` once in a thousand.

=================  ================================================================================
``kept``           the sentence and the noted verse have something in common
``other verse``    they have not, but a verse at most two away in the same book has: it is named
``sentence off``   they have not, but the sentence before or after has: it gets the reference
``misprint``       they have not, but at least half of a verse of the same book stands in the
                   sentence whose chapter or verse has the same number: it is named
``no words``       nothing of these; the note names a thought or a story. The reference stays
=================  ================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.shared_words import LemmaTable

__all__ = ["FOUND", "NOTHING", "RULES", "CorrectedNotes", "Verses", "correct_notes"]

NOTHING = 5.0
"""Below this weight, a sentence and a verse have nothing in common."""
FOUND = 10.0
"""From this weight on, a neighbour is what the note means."""
MISPRINT = "misprint"
RULES = ("kept", "other verse", "sentence off", MISPRINT, "no words")
"""The rules, in the order of the table above."""
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
    """References after correction, as columns, and how many notes each rule concerned."""

    query: NDArray[np.int64]
    source: NDArray[np.int64]
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
    first = len(verses.book)  # row of the first sentence in the table
    pairs = list(zip(query, source, strict=True))
    own = table.shared([first + q for q, _ in pairs], [s for _, s in pairs])
    doubtful = [note for note, weight in enumerate(own) if weight < NOTHING]
    others = {note: list(_near(pairs[note], query_work, verses)) for note in doubtful}
    asked = [(note, rule, pair) for note, own in others.items() for rule, pair in own]
    weights = table.shared([first + q for *_, (q, _) in asked], [s for *_, (_, s) in asked])
    total = table.total()
    best: dict[int, tuple[float, str, tuple[int, int]]] = {}
    for (note, rule, pair), weight in zip(asked, weights, strict=True):
        enough = FOUND if rule != MISPRINT else max(FOUND, total[pair[1]] / 2)
        # A misprint is the last explanation: there are many verses to choose from.
        if weight >= enough and (note not in best or _better(weight, rule, best[note])):
            best[note] = weight, rule, pair
    rules = dict.fromkeys(RULES, 0)
    for note in range(len(pairs)):
        rule = "kept" if own[note] >= NOTHING else "no words"
        if note in best:
            _, rule, pairs[note] = best[note]
        rules[rule] += 1
    columns = np.array(pairs, np.int64).reshape(-1, 2)
    return CorrectedNotes(columns[:, 0], columns[:, 1], rules)


def _better(weight: float, rule: str, than: tuple[float, str, tuple[int, int]]) -> bool:
    if (rule == MISPRINT) != (than[1] == MISPRINT):
        return than[1] == MISPRINT
    return weight > than[0]


def _near(
    pair: tuple[int, int], query_work: NDArray[np.int64], verses: Verses
) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield what a note may mean instead, with the rule."""
    query, source = pair
    for step in _VERSES:
        if _same(verses.book, source, source + step):
            yield "other verse", (query, source + step)
    for step in _SENTENCES:
        if _same(query_work, query, query + step):
            yield "sentence off", (query + step, source)
    book = np.flatnonzero(verses.book == verses.book[source])
    same = (verses.chapter[book] == verses.chapter[source]) | (
        verses.verse[book] == verses.verse[source]
    )
    for other in book[same].tolist():
        yield MISPRINT, (query, other)


def _same(column: NDArray[np.int64], here: int, there: int) -> bool:
    return 0 <= there < len(column) and bool(column[here] == column[there])
