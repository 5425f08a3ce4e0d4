"""The lemmas that pairs of texts share, as their alignments say, for many pairs at once.

An alignment gives every lemma that both texts have a pair of words: a shared lemma weighs more
than the two weaker bonds that it may cost. So the lemmas are those that both texts have, and only
their order may need an alignment: they are listed by the first word of the query that has a
partner, which is the first word with this lemma unless the source has it less often; and then it
matters only if the first words of another lemma stand between those that it may be.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.evidence.alignment import Aligner
from locisimiles.latin.text_words import TextWords
from locisimiles.models.batches import ranges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["shared_lemmas"]


def shared_lemmas(
    texts: Sequence[str],
    query_rows: NDArray[np.int64],
    source_rows: NDArray[np.int64],
    words: TextWords | None = None,
) -> list[tuple[str, ...]]:
    """Return `Alignment.lemmas` of pairs of texts, given by their rows.

    Parameters
    ----------
    texts
        The texts.
    query_rows, source_rows
        The rows of both texts of each pair.
    words
        The words of the texts, if these were read already.

    Examples
    --------
    >>> texts = ["Haesit uox faucibus et", "comae et vox faucibus haesit", "arma"]
    >>> shared_lemmas(texts, np.array([0, 0]), np.array([1, 2]))
    [('haereo', 'uox', 'faux'), ()]
    """
    words = TextWords.read(texts) if words is None else words
    queries, of_query = np.unique(query_rows, return_inverse=True)
    sources, of_source = np.unique(source_rows, return_inverse=True)
    asked, listed = _Lemmas.of(words, queries), _Lemmas.of(words, sources)
    size = np.int64(len(words.lexicon.lemmas) + 1)
    begin = np.searchsorted(listed.text, np.arange(len(sources) + 1))
    count = np.diff(begin)[of_source]
    row = ranges(begin[:-1][of_source], count)
    pair = np.repeat(np.arange(len(query_rows)), count)
    wanted = of_query[pair] * size + listed.lemma[row]
    known = np.append(asked.text * size + asked.lemma, np.iinfo(np.int64).max)
    place = np.searchsorted(known, wanted)
    is_shared = known[place] == wanted
    pair, place, row = pair[is_shared], place[is_shared], row[is_shared]
    # The first word with a partner stands between these two.
    least = asked.place(place, np.zeros(len(place), np.int64))
    most = asked.place(place, np.maximum(asked.times[place] - listed.times[row], 0))
    order = np.lexsort((least, pair))
    pair, least, most = pair[order], least[order], most[order]
    names = words.lexicon.lemmas
    found = [names[lemma] for lemma in listed.lemma[row[order]].tolist()]
    ends = np.searchsorted(pair, np.arange(len(query_rows) + 1)).tolist()
    shared = [tuple(found[first:last]) for first, last in pairwise(ends)]
    doubtful = np.unique(pair[:-1][(most[:-1] > least[1:]) & (pair[:-1] == pair[1:])])
    aligned = Aligner().align_rows(words, texts, query_rows[doubtful], source_rows[doubtful])
    for number, alignment in zip(doubtful.tolist(), aligned, strict=True):
        shared[number] = alignment.lemmas
    return shared


@dataclass(frozen=True, slots=True, eq=False)
class _Lemmas:
    """The distinct content lemmas of texts, ordered by text and lemma."""

    text: NDArray[np.int64]
    lemma: NDArray[np.int64]
    times: NDArray[np.int64]
    _begin: NDArray[np.intp]
    _places: NDArray[np.intp]

    @classmethod
    def of(cls, words: TextWords, texts: NDArray[np.int64]) -> _Lemmas:
        """Return the lemmas of some texts."""
        lengths = np.diff(words.bounds)[texts]
        row = ranges(words.bounds[texts], lengths)
        content = words.content[row]
        text = np.repeat(np.arange(len(texts)), lengths)[content]
        size = np.int64(len(words.lexicon.lemmas) + 1)
        key = text * size + words.lemma[row[content]]
        order = np.argsort(key, kind="stable")
        distinct, begin, times = np.unique(key[order], return_index=True, return_counts=True)
        return cls(distinct // size, distinct % size, times, begin, order)

    def place(self, row: NDArray[np.intp], number: NDArray[np.int64]) -> NDArray[np.intp]:
        """Return where words with some of these lemmas stand: of each lemma, by its number."""
        found: NDArray[np.intp] = self._places[self._begin[row] + number]
        return found
