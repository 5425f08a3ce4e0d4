"""Sources that say nearly the same: synoptic verses, formulas, quotations of one source in another.

If a text quotes one of them, all are found. For a reader they are one finding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_equal_lengths
from locisimiles.latin import Frequencies
from locisimiles.latin.text_words import Lexicon, TextWords

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["parallel_rows"]

_LEAST_SHARE, _LEAST_RARITY = 0.6, 20.0


def parallel_rows(query: NDArray[np.int64], texts: Sequence[str]) -> NDArray[np.int64]:
    """Return for each candidate the best one of its query with nearly the same words.

    Nearly the same: the content lemmas that two texts share have at least 60 % of the rarity of
    those of the heavier one, and 20 in all (three rare words; see `Frequencies.rarity`).

    Parameters
    ----------
    query
        The query segment of each candidate, ascending; the candidates of each, best first.
    texts
        The text of each candidate.

    Returns
    -------
    numpy.ndarray
        The row of the best candidate: for the best one itself, and where none is alike, its own.

    Examples
    --------
    >>> texts = [
    ...     "securis ad radicem arborum posita est",
    ...     "arma uirumque cano",
    ...     "iam enim securis ad radicem arborum posita est",
    ... ]
    >>> parallel_rows(np.array([0, 0, 0]), texts).tolist()
    [0, 1, 0]
    """
    check_equal_lengths(query=query, texts=texts)
    distinct, place = np.unique(np.array(texts, np.str_), return_inverse=True)
    lemmas = _lemmas(distinct.tolist())
    rarity = Frequencies.shipped().rarity
    names = Lexicon.shared().lemmas
    weight = {lemma: rarity(names[lemma]) for own in lemmas for lemma in own}
    total = [sum(weight[lemma] for lemma in sorted(own)) for own in lemmas]
    found = np.arange(len(query))
    leaders: list[int] = []
    for row, text in enumerate(place.tolist()):
        if row == 0 or query[row] != query[row - 1]:
            leaders = []
        for leader in leaders:
            other = int(place[leader])
            shared = sum(weight[lemma] for lemma in sorted(lemmas[text] & lemmas[other]))
            heavier = max(total[text], total[other])
            if text == other or shared >= max(_LEAST_RARITY, _LEAST_SHARE * heavier):
                found[row] = leader
                break
        else:
            leaders.append(row)
    return found


def _lemmas(texts: Sequence[str]) -> list[frozenset[int]]:
    words = TextWords.read(texts)
    return [
        frozenset(words.lemma[begin:end][words.content[begin:end]].tolist())
        for begin, end in zip(words.bounds[:-1].tolist(), words.bounds[1:].tolist(), strict=True)
    ]
