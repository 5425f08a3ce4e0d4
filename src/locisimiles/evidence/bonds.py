"""Possible bonds between words of query and source, before each word gets one partner.

Strong bonds are the same form and the same lemma. Weak bonds are an analysis that both words may
have, and a similar meaning. Two weak bonds weigh less than one strong bond, so the best assignment
pairs as many words of a shared lemma as possible: adding such a pair costs at most two weak ones.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.evidence.meanings import Meanings, MeaningThresholds
    from locisimiles.latin.text_words import Lexicon, TextWords

__all__ = ["BONDS", "FORM", "LEMMA", "OF_LEMMA", "SYNONYM", "Bond", "Cells", "find_cells"]

Bond = Literal["form", "lemma", "synonym", "meaning"]
BONDS: tuple[Bond, ...] = ("form", "lemma", "synonym", "meaning")
FORM, LEMMA, SYNONYM, MEANING = range(4)

OF_FORM, OF_LEMMA = 1.0, 0.9
"""The strength of form and lemma; another analysis that both words may have is weaker."""

_WEAK = 0.25, 0.14  # the weight of a weak bond: the first, plus the second times its strength
_NEAR, _ALONG = 0.05, 0.001
# Limits that no sentence reaches, but a whole book in one segment does.
_MOST_OCCURRENCES = 32  # of a lemma in a text
_MOST_COMPARED = 20_000  # pairs of words; beyond, only lemmas are compared
_MOST_CELLS = 1_000  # beyond, nearness is ignored


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Possible pairs of words, as columns.

    Words are given by their places in their texts, bonds as indexes into `BONDS`, the shared lemma
    by its number (-1 for words bound by meaning); strengths are up to 1.
    """

    query: NDArray[np.int64]
    source: NDArray[np.int64]
    bond: NDArray[np.int64]
    lemma: NDArray[np.int64]
    strength: NDArray[np.float64]

    def weights(self, query_length: int, source_length: int) -> NDArray[np.float64]:
        """Return the weight of each pair in an assignment: its bond, and a little for its place."""
        shared = self.bond < SYNONYM
        strong = shared & (self.strength >= OF_LEMMA)
        base, more = _WEAK
        weights = np.where(strong, self.strength, base + more * np.minimum(self.strength, 1))
        # Of two equal choices, prefer the one that keeps the order of the texts.
        off = np.abs(self.query / max(query_length, 1) - self.source / max(source_length, 1))
        weights += _ALONG * (1 - off)
        if 1 < len(self.query) <= _MOST_CELLS:
            weights += _NEAR * self._nearness(np.flatnonzero(shared))
        return weights

    def _nearness(self, anchors: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the inverse distance of each pair to the nearest other shared word."""
        over = self.query[:, None] - self.query[anchors]
        across = self.source[:, None] - self.source[anchors]
        distance = np.maximum(np.abs(over), np.abs(across)).astype(float)
        distance[(over == 0) | (across == 0)] = np.inf
        # A shared word in reversed order counts as a little farther.
        distance[over * across < 0] *= 1.25
        nearness: NDArray[np.float64] = 1 / distance.min(axis=1, initial=np.inf)
        return nearness


def find_cells(
    words: TextWords, query_row: int, source_row: int, meanings: Meanings | None
) -> Cells:
    """Return the possible pairs of content words of two texts, given by their rows in `words`.

    `meanings` must have been prepared with both texts; None compares lemmas only.
    """
    query, source = _ContentWords.of(words, query_row), _ContentWords.of(words, source_row)
    parts = [_shared_lemmas(query, source)]
    if 0 < len(query.place) * len(source.place) <= _MOST_COMPARED:
        free = query.lemma[:, None] != source.lemma
        parts.append(_shared_analyses(words.lexicon, query, source, free))
        if meanings is not None:
            cosines = meanings.cosines(query_row, source_row, query.place, source.place)
            parts.append(_similar(cosines, query, source, free, meanings.thresholds))
    return _joined(parts)


class _ContentWords(NamedTuple):
    """The content words of a text: their places among all words, and their numbers."""

    place: NDArray[np.int64]
    word: NDArray[np.int64]
    form: NDArray[np.int64]
    lemma: NDArray[np.int64]

    @classmethod
    def of(cls, words: TextWords, text: int) -> _ContentWords:
        """Return the content words of a text, and only the first occurrences of each lemma."""
        rows = words.of(text)
        places = np.flatnonzero(words.content[rows])
        if len(places) > _MOST_OCCURRENCES:
            lemma = words.lemma[rows][places]
            order = np.argsort(lemma, kind="stable")
            begins = np.flatnonzero(np.diff(lemma[order], prepend=-1))
            number = np.arange(len(order)) - np.repeat(begins, np.diff(begins, append=len(order)))
            places = np.sort(places[order[number < _MOST_OCCURRENCES]])
        columns = (words.word, words.form, words.lemma)
        return cls(places, *(column[rows][places] for column in columns))


def _shared_lemmas(query: _ContentWords, source: _ContentWords) -> Cells:
    order = np.argsort(source.lemma, kind="stable")
    left = np.searchsorted(source.lemma[order], query.lemma, side="left")
    count = np.searchsorted(source.lemma[order], query.lemma, side="right") - left
    rows = np.repeat(np.arange(len(query.lemma)), count)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count)
    columns = order[np.repeat(left, count) + within]
    same_form = query.form[rows] == source.form[columns]
    return Cells(
        query.place[rows],
        source.place[columns],
        np.where(same_form, FORM, LEMMA),
        query.lemma[rows],
        np.where(same_form, OF_FORM, OF_LEMMA),
    )


def _shared_analyses(
    lexicon: Lexicon, query: _ContentWords, source: _ContentWords, free: NDArray[np.bool_]
) -> Cells:
    """Return pairs of words that share a lemma other than their likeliest."""
    lemmas, chances = lexicon.analyses(query.word)
    others, other_chances = lexicon.analyses(source.word)
    same = lemmas[:, None, :, None] == others[None, :, None, :]
    same &= (lemmas >= 0)[:, None, :, None]
    rows, columns, number, other_number = np.nonzero(same & free[:, :, None, None])
    chance = np.minimum(chances[rows, number], other_chances[columns, other_number])
    # Of several lemmas that two words share, take the likeliest.
    order = np.lexsort((-chance, columns, rows))
    place = rows[order] * max(len(source.place), 1) + columns[order]
    kept = order[np.flatnonzero(np.diff(place, prepend=-1))]
    return Cells(
        query.place[rows[kept]],
        source.place[columns[kept]],
        np.full(len(kept), LEMMA),
        lemmas[rows[kept], number[kept]],
        # Weaker than the same lemma, however likely the analysis.
        np.minimum(OF_LEMMA * chance[kept], OF_LEMMA - 0.01),
    )


def _similar(
    cosines: NDArray[np.float32],
    query: _ContentWords,
    source: _ContentWords,
    free: NDArray[np.bool_],
    thresholds: MeaningThresholds,
) -> Cells:
    rows, columns = np.nonzero(free & (cosines >= thresholds.meaning))
    cosine = np.minimum(cosines[rows, columns].astype(float), 1.0)
    return Cells(
        query.place[rows],
        source.place[columns],
        np.where(cosine >= thresholds.synonym, SYNONYM, MEANING),
        np.full(len(rows), -1),
        cosine,
    )


def _joined(parts: list[Cells]) -> Cells:
    """Join cells; of several at one place, the first counts."""
    if len(parts) == 1:
        return parts[0]
    query, source, bond, lemma, strength = (
        np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Cells)
    )
    _, kept = np.unique(query * (int(source.max(initial=0)) + 1) + source, return_index=True)
    return Cells(query[kept], source[kept], bond[kept], lemma[kept], strength[kept])
