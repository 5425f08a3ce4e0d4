"""Possible bonds between words of query and source, before each word gets one partner.

Strong bonds are the same form and the same lemma. Weak bonds are an analysis that both words may
have, and a similar meaning. Two weak bonds weigh less than one strong bond, so the best assignment
pairs as many words of a shared lemma as possible: adding such a pair costs at most two weak ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.evidence.meanings import Meanings, MeaningThresholds
    from locisimiles.latin.text_words import Lexicon, TextWords

__all__ = [
    "BONDS",
    "FORM",
    "LEMMA",
    "OF_LEMMA",
    "SYNONYM",
    "Bond",
    "Cells",
    "ContentWords",
    "find_cells",
]

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

    def columns(self) -> tuple[NDArray[np.int64] | NDArray[np.float64], ...]:
        """Return the columns in their order."""
        return self.query, self.source, self.bond, self.lemma, self.strength

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


def find_cells(query: ContentWords, source: ContentWords, meanings: Meanings | None) -> Cells:
    """Return the possible pairs of content words of two texts.

    `meanings` must have been prepared with both texts; None compares lemmas only.
    """
    if not 0 < len(query.place) * len(source.place) <= _MOST_COMPARED:
        return _shared_lemmas(query, source)
    parts = [_by_lookup(query, source)]
    if meanings is not None:
        free = query.lemma[:, None] != source.lemma
        cosines = meanings.cosines(query.text, source.text, query.place, source.place)
        parts.append(_similar(cosines, query, source, free, meanings.thresholds))
    return _joined(parts)


@dataclass(eq=False)
class ContentWords:
    """The content words of a text: their places among all words, and their numbers."""

    lexicon: Lexicon
    text: int
    place: NDArray[np.int64]
    word: NDArray[np.int64]
    form: NDArray[np.int64]
    lemma: NDArray[np.int64]

    @classmethod
    def of(cls, words: TextWords, text: int) -> ContentWords:
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
        return cls(words.lexicon, text, places, *(column[rows][places] for column in columns))

    @cached_property
    def listed(self) -> list[tuple[int, int, int]]:
        """Place, form and lemma of each word."""
        columns = (self.place.tolist(), self.form.tolist(), self.lemma.tolist())
        return list(zip(*columns, strict=True))

    @cached_property
    def by_lemma(self) -> dict[int, list[int]]:
        """The words of each likeliest lemma."""
        found: dict[int, list[int]] = {}
        for at, (_, _, lemma) in enumerate(self.listed):
            found.setdefault(lemma, []).append(at)
        return found

    @cached_property
    def analyses(self) -> list[list[tuple[int, float]]]:
        """The lemmas that each word may have, with their probabilities."""
        lemmas, chances = self.lexicon.analyses(self.word)
        return [
            [one for one in zip(own, likely, strict=True) if one[0] >= 0]
            for own, likely in zip(lemmas.tolist(), chances.tolist(), strict=True)
        ]

    @cached_property
    def by_analysis(self) -> dict[int, list[tuple[int, int, float]]]:
        """The words that may have each lemma, with the number and probability of that analysis."""
        found: dict[int, list[tuple[int, int, float]]] = {}
        for at, own in enumerate(self.analyses):
            for number, (lemma, chance) in enumerate(own):
                found.setdefault(lemma, []).append((at, -number, chance))
        return found


def _by_lookup(query: ContentWords, source: ContentWords) -> Cells:
    """Return pairs of words that share a lemma, be it their likeliest or not, in their order.

    Most words have no partner, so looking each up is faster than comparing columns. A query has
    many sources, so it is the words of the source that are looked up.
    """
    cells: list[tuple[int, int, int, int, float]] = []
    of_query, by_lemma, by_analysis = query.listed, query.by_lemma, query.by_analysis
    for (place, form, lemma), analyses in zip(source.listed, source.analyses, strict=True):
        for at in by_lemma.get(lemma, ()):
            query_place, query_form, _ = of_query[at]
            bond, strength = (FORM, OF_FORM) if form == query_form else (LEMMA, OF_LEMMA)
            cells.append((query_place, place, bond, lemma, strength))
        # Of several lemmas that two words share, the likeliest; if equal, the query's first.
        likeliest: dict[int, tuple[float, int, int]] = {}
        for shared, chance in analyses:
            for at, rank, query_chance in by_analysis.get(shared, ()):
                found = min(chance, query_chance), rank, shared
                if of_query[at][2] != lemma and (
                    at not in likeliest or found[:2] > likeliest[at][:2]
                ):
                    likeliest[at] = found
        for at, (chance, _, shared) in likeliest.items():
            # Weaker than the same lemma, however likely the analysis.
            strength = min(OF_LEMMA * chance, OF_LEMMA - 0.01)
            cells.append((of_query[at][0], place, LEMMA, shared, strength))
    cells.sort()
    columns = list(zip(*cells, strict=True)) if cells else [()] * 5
    places, others, bonds, lemmas = (np.array(column, np.int64) for column in columns[:4])
    return Cells(places, others, bonds, lemmas, np.array(columns[4], np.float64))


def _shared_lemmas(query: ContentWords, source: ContentWords) -> Cells:
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


def _similar(
    cosines: NDArray[np.float32],
    query: ContentWords,
    source: ContentWords,
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
        np.concatenate(column) for column in zip(*(part.columns() for part in parts), strict=True)
    )
    _, kept = np.unique(query * (int(source.max(initial=0)) + 1) + source, return_index=True)
    return Cells(query[kept], source[kept], bond[kept], lemma[kept], strength[kept])
