"""Features of the shared words of a pair; a new one is a function with a name in the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from locisimiles.classify.comparison import Comparison

__all__ = ["WORD_FEATURES"]

_DISCOUNT = 0.25  # of a pair of words, for each word between them


def _shared(found: Comparison) -> NDArray[np.float64]:
    """Return the number of shared lemmas."""
    return np.log1p(found.count(found.lemmas.text))


def _rarity(found: Comparison) -> NDArray[np.float64]:
    """Return their summed rarity."""
    return found.count(found.lemmas.text, found.lemmas.weight)


def _rarest(found: Comparison) -> NDArray[np.float64]:
    """Return the rarity of the rarest."""
    return found.lemmas.nth(0, len(found.others))


def _second(found: Comparison) -> NDArray[np.float64]:
    """Return the rarity of the second rarest."""
    return found.lemmas.nth(1, len(found.others))


def _third(found: Comparison) -> NDArray[np.float64]:
    """Return the rarity of the third rarest."""
    return found.lemmas.nth(2, len(found.others))


def _forms(found: Comparison) -> NDArray[np.float64]:
    """Return the number of lemmas shared in the same form."""
    return np.log1p(found.count(found.lemmas.text, found.lemmas.same_form))


def _forms_rarity(found: Comparison) -> NDArray[np.float64]:
    """Return their summed rarity."""
    return found.count(found.lemmas.text, found.lemmas.same_form * found.lemmas.weight)


def _share_of_query(found: Comparison) -> NDArray[np.float64]:
    """Return the share of the query's rarity."""
    return _rarity(found) / _at_least(found.texts.total[[found.query]])


def _share_of_source(found: Comparison) -> NDArray[np.float64]:
    """Return the share of the source's rarity."""
    return _rarity(found) / _at_least(found.texts.total[found.others])


def _cosine(found: Comparison) -> NDArray[np.float64]:
    """Return the cosine of the lemmas, weighed by their rarity."""
    product = found.count(found.lemmas.text, found.lemmas.weight**2)
    norm = found.texts.norm
    return product / _at_least(norm[found.query] * norm[found.others])


def _jaccard(found: Comparison) -> NDArray[np.float64]:
    """Return the share of the content words of both."""
    shared, content = found.count(found.lemmas.text), found.texts.content
    return shared / _at_least(content[found.query] + content[found.others] - shared)


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
    """Return the rarity of the rarest of these pairs."""
    pairs = found.pairs
    return found.highest(pairs.text[pairs.close], pairs.weight[pairs.close])


def _close_unusual(found: Comparison) -> NDArray[np.float64]:
    """Return how seldom the most unusual of these pairs stands together elsewhere."""
    pairs = found.pairs
    return found.highest(pairs.text[pairs.close], pairs.unusual[pairs.close])


def _near(found: Comparison) -> NDArray[np.float64]:
    """Return the rarity of the best pair of shared words, discounted by distance."""
    pairs = found.pairs
    return found.highest(pairs.text, pairs.weight / (1 + _DISCOUNT * (pairs.distance - 2)))


def _near_all(found: Comparison) -> NDArray[np.float64]:
    """Return the number of pairs of shared words, discounted by distance."""
    return np.log1p(found.count(found.pairs.text, 1 / found.pairs.distance))


def _apart_in_query(found: Comparison) -> NDArray[np.float64]:
    """Return the smallest distance of two shared words in the query, inverted."""
    pairs = found.pairs
    return found.highest(pairs.text, 1 / np.abs(pairs.apart_query))


def _apart_in_source(found: Comparison) -> NDArray[np.float64]:
    """Return the smallest distance of two shared words in the source, inverted."""
    pairs = found.pairs
    return found.highest(pairs.text, 1 / np.abs(pairs.apart_other))


def _same_order(found: Comparison) -> NDArray[np.float64]:
    """Return whether two close ones have the same order on both sides."""
    pairs = found.pairs
    kept = pairs.close & (pairs.apart_query * pairs.apart_other > 0)
    return np.minimum(found.count(pairs.text[kept]), 1.0)


def _length_of_query(found: Comparison) -> NDArray[np.float64]:
    """Return the number of words of the query."""
    return np.full(len(found.others), np.log1p(found.texts.lengths[found.query]))


def _length_of_source(found: Comparison) -> NDArray[np.float64]:
    """Return the number of words of the source."""
    return np.log1p(found.texts.lengths[found.others]).astype(np.float64)


def _at_least(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values to divide by, never 0."""
    return np.maximum(values, 1e-6)


WORD_FEATURES: Mapping[str, Callable[[Comparison], NDArray[np.float64]]] = {
    "shared lemmas": _shared,
    "rarity": _rarity,
    "rarest": _rarest,
    "second rarest": _second,
    "third rarest": _third,
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
    "near in the query": _apart_in_query,
    "near in the source": _apart_in_source,
    "same order": _same_order,
    "length of the query": _length_of_query,
    "length of the source": _length_of_source,
}
"""What is computed of the words of a pair. Counts are logarithms of one more."""
