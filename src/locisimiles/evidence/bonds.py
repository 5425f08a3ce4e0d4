"""What may bind a word of the query to one of the source, before one answer is chosen for each.

====  ===========================================================================================
form  the same form; or the same lemma in another form
less  a reading that both may have; a similar meaning, by word vectors or by an encoder
====  ===========================================================================================

Two weak bonds weigh less than one of form or lemma. So the best assignment pairs as many words of
a shared lemma as there can be: if a pair of them were left out, putting it in would cost at most
two weak ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from locisimiles.evidence.words import Lexicon, TextWords

__all__ = [
    "BONDS",
    "FORM",
    "LEMMA",
    "MEANING",
    "OF_FORM",
    "OF_LEMMA",
    "SYNONYM",
    "Bond",
    "Cells",
    "Thresholds",
    "cells_of",
]

Bond = Literal["form", "lemma", "synonym", "meaning"]
BONDS: tuple[Bond, ...] = ("form", "lemma", "synonym", "meaning")
FORM, LEMMA, SYNONYM, MEANING = range(4)

OF_FORM, OF_LEMMA = 1.0, 0.9
"""How strong these two are; a reading that both words may have is weaker than `OF_LEMMA`."""

_WEAK = 0.25, 0.14  # a weak bond weighs the first, and up to the second more as it is stronger
_NEAR, _ALONG = 0.05, 0.001
# Limits that no sentence reaches, but a whole book in one segment does.
_MOST_OCCURRENCES = 32  # of a lemma in a text
_MOST_COMPARED = 20_000  # pairs of words, beyond which only lemmas count
_MOST_CELLS = 1_000  # beyond which their nearness to each other does not count


class Thresholds(NamedTuple):
    """From which cosine on words are related in meaning, and from which they are synonyms."""

    meaning: float
    synonym: float


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Possible pairs of words, as columns.

    Attributes
    ----------
    query, source
        Places of the words in their texts.
    bond
        A place in `BONDS`.
    lemma
        The lemma that both share; -1 where they are bound by meaning.
    strength
        How strong the bond is, up to 1.
    """

    query: NDArray[np.int64]
    source: NDArray[np.int64]
    bond: NDArray[np.int64]
    lemma: NDArray[np.int64]
    strength: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.query)

    def weights(self, query_length: int, source_length: int) -> NDArray[np.float64]:
        """Return what each is worth in an assignment: its bond, and a little for its place."""
        own = self.bond < SYNONYM
        alike = own & (self.strength >= OF_LEMMA)
        base, more = _WEAK
        weights = np.where(alike, self.strength, base + more * np.minimum(self.strength, 1))
        # Of two equal choices the one that keeps the order of the texts.
        off = np.abs(self.query / max(query_length, 1) - self.source / max(source_length, 1))
        weights += _ALONG * (1 - off)
        if 1 < len(self) <= _MOST_CELLS:
            weights += _NEAR * self._nearness(np.flatnonzero(own))
        return weights

    def _nearness(self, anchors: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return 1 where another word is shared beside a pair, less where it is further away."""
        over = self.query[:, None] - self.query[anchors]
        across = self.source[:, None] - self.source[anchors]
        distance = np.maximum(np.abs(over), np.abs(across)).astype(float)
        distance[(over == 0) | (across == 0)] = np.inf
        # The same order on both sides is a little nearer.
        distance[over * across < 0] *= 1.25
        nearness: NDArray[np.float64] = 1 / distance.min(axis=1, initial=np.inf)
        return nearness


def cells_of(
    words: TextWords,
    query: int,
    source: int,
    similarity: Callable[[int, int, NDArray[np.int64], NDArray[np.int64]], NDArray[np.float32]]
    | None,
    thresholds: Thresholds,
) -> Cells:
    """Return what may bind the words of two texts; function words are left out.

    Parameters
    ----------
    words
        The words of all texts.
    query, source
        Which texts.
    similarity
        Gives the cosines of words of the two texts, by their places; None: by lemmas alone.
    thresholds
        From which cosine on they count.
    """
    asking, answering = _Content.of(words, query), _Content.of(words, source)
    parts = [_shared_lemmas(asking, answering)]
    if 0 < len(asking.place) * len(answering.place) <= _MOST_COMPARED:
        free = asking.lemma[:, None] != answering.lemma
        parts.append(_shared_readings(words.lexicon, asking, answering, free))
        if similarity is not None:
            cosines = similarity(query, source, asking.place, answering.place)
            parts.append(_similar(cosines, asking, answering, free, thresholds))
    return _joined(parts)


class _Content(NamedTuple):
    """The content words of a text: where they stand among all, and their numbers."""

    place: NDArray[np.int64]
    word: NDArray[np.int64]
    form: NDArray[np.int64]
    lemma: NDArray[np.int64]

    @classmethod
    def of(cls, words: TextWords, text: int) -> _Content:
        """Return those of a text; of a lemma that is repeated endlessly only the first."""
        own = words.of(text)
        places = np.flatnonzero(words.content[own])
        if len(places) > _MOST_OCCURRENCES:
            lemma = words.lemma[own][places]
            order = np.argsort(lemma, kind="stable")
            begins = np.flatnonzero(np.diff(lemma[order], prepend=-1))
            number = np.arange(len(order)) - np.repeat(begins, np.diff(begins, append=len(order)))
            places = np.sort(places[order[number < _MOST_OCCURRENCES]])
        columns = (words.word, words.form, words.lemma)
        return cls(places, *(column[own][places] for column in columns))


def _shared_lemmas(asking: _Content, answering: _Content) -> Cells:
    lemma, other = asking.lemma, answering.lemma
    if len(lemma) * len(other) <= _MOST_COMPARED:
        rows, columns = np.nonzero(lemma[:, None] == other)
    else:
        order = np.argsort(other, kind="stable")
        left = np.searchsorted(other[order], lemma, side="left")
        count = np.searchsorted(other[order], lemma, side="right") - left
        rows = np.repeat(np.arange(len(lemma)), count)
        within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        columns = order[np.repeat(left, count) + within]
    same_form = asking.form[rows] == answering.form[columns]
    return Cells(
        asking.place[rows],
        answering.place[columns],
        np.where(same_form, FORM, LEMMA),
        lemma[rows],
        np.where(same_form, OF_FORM, OF_LEMMA),
    )


def _shared_readings(
    lexicon: Lexicon, asking: _Content, answering: _Content, free: NDArray[np.bool_]
) -> Cells:
    """Return pairs whose words have another reading in common."""
    own, own_chance = lexicon.readings(asking.word)
    other, other_chance = lexicon.readings(answering.word)
    same = own[:, None, :, None] == other[None, :, None, :]
    same &= (own >= 0)[:, None, :, None]
    rows, columns, reading, other_reading = np.nonzero(same & free[:, :, None, None])
    chance = np.minimum(own_chance[rows, reading], other_chance[columns, other_reading])
    # The likeliest of several that two words share.
    order = np.lexsort((-chance, columns, rows))
    place = rows[order] * max(len(answering.place), 1) + columns[order]
    kept = order[np.flatnonzero(np.diff(place, prepend=-1))]
    return Cells(
        asking.place[rows[kept]],
        answering.place[columns[kept]],
        np.full(len(kept), LEMMA),
        own[rows[kept], reading[kept]],
        # Below what the same lemma is worth, however likely the reading.
        np.minimum(OF_LEMMA * chance[kept], OF_LEMMA - 0.01),
    )


def _similar(
    cosines: NDArray[np.float32],
    asking: _Content,
    answering: _Content,
    free: NDArray[np.bool_],
    thresholds: Thresholds,
) -> Cells:
    rows, columns = np.nonzero(free & (cosines >= thresholds.meaning))
    cosine = np.minimum(cosines[rows, columns].astype(float), 1.0)
    return Cells(
        asking.place[rows],
        answering.place[columns],
        np.where(cosine >= thresholds.synonym, SYNONYM, MEANING),
        np.full(len(rows), -1),
        cosine,
    )


def _joined(parts: list[Cells]) -> Cells:
    """Put cells together; where a place has several, the first counts."""
    if len(parts) == 1:
        return parts[0]
    query = np.concatenate([part.query for part in parts])
    source = np.concatenate([part.source for part in parts])
    _, kept = np.unique(query * (int(source.max(initial=0)) + 1) + source, return_index=True)
    return Cells(
        query[kept],
        source[kept],
        np.concatenate([part.bond for part in parts])[kept],
        np.concatenate([part.lemma for part in parts])[kept],
        np.concatenate([part.strength for part in parts])[kept],
    )
