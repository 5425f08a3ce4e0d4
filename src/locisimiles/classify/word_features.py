"""Features of the words that a pair shares; a new one is a function and a name in the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from locisimiles.classify.comparison import Comparison

    Feature = Callable[[Comparison], NDArray[np.float64]]

__all__ = ["WORD_FEATURES"]

_DISCOUNT = 0.25  # of a pair of words, for each word between them


def _shared(found: Comparison) -> NDArray[np.float64]:
    """Return the number of shared lemmas."""
    return np.log1p(found.count(found.lemmas.text))


def _rarity(found: Comparison) -> NDArray[np.float64]:
    """Return the summed rarity of shared lemmas."""
    return found.count(found.lemmas.text, found.lemmas.weight)


def _nth_rarest(place: int) -> Feature:
    """Return the rarity of the rarest, second or third shared lemma."""
    return lambda found: found.lemmas.nth(place, len(found.others))


def _forms(found: Comparison) -> NDArray[np.float64]:
    """Return the number of lemmas shared in the same form."""
    return np.log1p(found.count(found.lemmas.text, found.lemmas.same_form))


def _forms_rarity(found: Comparison) -> NDArray[np.float64]:
    """Return the summed rarity of lemmas shared in the same form."""
    return found.count(found.lemmas.text, found.lemmas.same_form * found.lemmas.weight)


def _share_of_query(found: Comparison) -> NDArray[np.float64]:
    """Return the share of the query's rarity that is shared."""
    return _rarity(found) / _not_zero(found.texts.total[[found.query]])


def _share_of_source(found: Comparison) -> NDArray[np.float64]:
    """Return the share of the source's rarity that is shared."""
    return _rarity(found) / _not_zero(found.texts.total[found.others])


def _cosine(found: Comparison) -> NDArray[np.float64]:
    """Return the cosine of the lemmas, weighted by rarity."""
    product = found.count(found.lemmas.text, found.lemmas.weight**2)
    norm = found.texts.norm
    return product / _not_zero(norm[found.query] * norm[found.others])


def _jaccard(found: Comparison) -> NDArray[np.float64]:
    """Return the share of the content words of both texts that is shared."""
    shared, content = found.count(found.lemmas.text), found.texts.content
    return shared / _not_zero(content[found.query] + content[found.others] - shared)


def _function_words(found: Comparison) -> NDArray[np.float64]:
    """Return the number of shared stop words."""
    return np.log1p(found.function_words)


def _rule(found: Comparison) -> NDArray[np.float64]:
    """Return whether the pair is *cit.* by rule, if it is a reference."""
    pairs = found.pairs
    return np.minimum(found.count(pairs.text[pairs.close & pairs.in_one_clause]), 1.0)


def _close(found: Comparison) -> NDArray[np.float64]:
    """Return the number of pairs of shared words close together."""
    return np.log1p(found.count(found.pairs.text[found.pairs.close]))


def _close_rarity(found: Comparison) -> NDArray[np.float64]:
    """Return the rarity of the rarest close pair."""
    pairs = found.pairs
    return found.highest(pairs.text[pairs.close], pairs.weight[pairs.close])


def _close_unusual(found: Comparison) -> NDArray[np.float64]:
    """Return how seldom the words of the most unusual close pair stand together elsewhere."""
    pairs = found.pairs
    return found.highest(pairs.text[pairs.close], pairs.unusual[pairs.close])


def _near(found: Comparison) -> NDArray[np.float64]:
    """Return the rarity of the best pair of shared words, discounted by distance."""
    pairs = found.pairs
    return found.highest(pairs.text, pairs.weight / (1 + _DISCOUNT * (pairs.distance - 2)))


def _near_all(found: Comparison) -> NDArray[np.float64]:
    """Return the number of pairs of shared words, discounted by distance."""
    return np.log1p(found.count(found.pairs.text, 1 / found.pairs.distance))


def _nearest(side: str) -> Feature:
    """Return the inverse of the smallest distance of two shared words on one side."""
    return lambda found: found.highest(found.pairs.text, 1 / np.abs(getattr(found.pairs, side)))


def _same_order(found: Comparison) -> NDArray[np.float64]:
    """Return whether a close pair has the same order on both sides."""
    pairs = found.pairs
    kept = pairs.close & (pairs.apart_query * pairs.apart_other > 0)
    return np.minimum(found.count(pairs.text[kept]), 1.0)


def _length_of_query(found: Comparison) -> NDArray[np.float64]:
    return np.full(len(found.others), np.log1p(found.texts.lengths[found.query]))


def _length_of_source(found: Comparison) -> NDArray[np.float64]:
    return np.log1p(found.texts.lengths[found.others]).astype(np.float64)


def _not_zero(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values to divide by."""
    return np.maximum(values, 1e-6)


WORD_FEATURES: Mapping[str, Feature] = {
    "shared lemmas": _shared,
    "rarity": _rarity,
    "rarest": _nth_rarest(0),
    "second rarest": _nth_rarest(1),
    "third rarest": _nth_rarest(2),
    "shared forms": _forms,
    "rarity of forms": _forms_rarity,
    "share of the query": _share_of_query,
    "share of the source": _share_of_source,
    "cosine": _cosine,
    "jaccard": _jaccard,
    "function words": _function_words,
    "rule": _rule,
    "close pairs": _close,
    "rarity of a close pair": _close_rarity,
    "unusual close pair": _close_unusual,
    "near pair": _near,
    "near pairs": _near_all,
    "near in the query": _nearest("apart_query"),
    "near in the source": _nearest("apart_other"),
    "same order": _same_order,
    "length of the query": _length_of_query,
    "length of the source": _length_of_source,
}
"""The features by name. Counts and lengths are log(1 + x)."""
