"""What the shared words of a pair say; a new feature is a function with a name in the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from locisimiles.classify.comparison import Comparison

__all__ = ["WORD_FEATURES"]

_FALLING = 0.25  # of what a pair of words is worth, for each word between them


def _shared(found: Comparison) -> NDArray[np.float64]:
    """Return how many lemmas are shared."""
    return np.log1p(found.count(found.lemmas.text))


def _rarity(found: Comparison) -> NDArray[np.float64]:
    """Return how rare they are together."""
    return found.count(found.lemmas.text, found.lemmas.weight)


def _rarest(found: Comparison) -> NDArray[np.float64]:
    """Return how rare the rarest is."""
    return found.lemmas.nth(0, len(found.others))


def _second(found: Comparison) -> NDArray[np.float64]:
    """Return how rare the second is."""
    return found.lemmas.nth(1, len(found.others))


def _third(found: Comparison) -> NDArray[np.float64]:
    """Return how rare the third is."""
    return found.lemmas.nth(2, len(found.others))


def _forms(found: Comparison) -> NDArray[np.float64]:
    """Return how many are shared in the same form."""
    return np.log1p(found.count(found.lemmas.text, found.lemmas.same_form))


def _forms_rarity(found: Comparison) -> NDArray[np.float64]:
    """Return how rare these are together."""
    return found.count(found.lemmas.text, found.lemmas.same_form * found.lemmas.weight)


def _share_of_query(found: Comparison) -> NDArray[np.float64]:
    """Return the part of the query's rarity that is shared."""
    return _rarity(found) / _at_least(found.texts.total[[found.query]])


def _share_of_source(found: Comparison) -> NDArray[np.float64]:
    """Return the part of the source's rarity that is shared."""
    return _rarity(found) / _at_least(found.texts.total[found.others])


def _cosine(found: Comparison) -> NDArray[np.float64]:
    """Return the cosine of the lemmas, weighed by their rarity."""
    product = found.count(found.lemmas.text, found.lemmas.weight**2)
    norm = found.texts.norm
    return product / _at_least(norm[found.query] * norm[found.others])


def _jaccard(found: Comparison) -> NDArray[np.float64]:
    """Return the part of the content words of both that is shared."""
    shared, content = found.count(found.lemmas.text), found.texts.content
    return shared / _at_least(content[found.query] + content[found.others] - shared)


def _function_words(found: Comparison) -> NDArray[np.float64]:
    """Return how many function words are shared."""
    return np.log1p(found.function_words)


def _rule(found: Comparison) -> NDArray[np.float64]:
    """Return whether the pair is *cit.* by rule, if it is a reference."""
    pairs = found.pairs
    return np.minimum(found.count(pairs.text[pairs.close & pairs.in_one_clause]), 1.0)


def _close(found: Comparison) -> NDArray[np.float64]:
    """Return how many pairs of shared words stand close together."""
    return np.log1p(found.count(found.pairs.text[found.pairs.close]))


def _close_rarity(found: Comparison) -> NDArray[np.float64]:
    """Return how rare the words of the rarest of these are."""
    pairs = found.pairs
    return found.highest(pairs.text[pairs.close], pairs.weight[pairs.close])


def _close_unusual(found: Comparison) -> NDArray[np.float64]:
    """Return how rarely the words of the most unusual of these stand together elsewhere."""
    pairs = found.pairs
    return found.highest(pairs.text[pairs.close], pairs.unusual[pairs.close])


def _near(found: Comparison) -> NDArray[np.float64]:
    """Return the rarity of two shared words; the further apart, the less it counts."""
    pairs = found.pairs
    return found.highest(pairs.text, pairs.weight / (1 + _FALLING * (pairs.distance - 2)))


def _near_all(found: Comparison) -> NDArray[np.float64]:
    """Return how many pairs of shared words there are; the further apart, the less they count."""
    return np.log1p(found.count(found.pairs.text, 1 / found.pairs.distance))


def _apart_in_query(found: Comparison) -> NDArray[np.float64]:
    """Return how near two shared words come in the query."""
    pairs = found.pairs
    return found.highest(pairs.text, 1 / np.abs(pairs.apart_query))


def _apart_in_source(found: Comparison) -> NDArray[np.float64]:
    """Return how near two shared words come in the source."""
    pairs = found.pairs
    return found.highest(pairs.text, 1 / np.abs(pairs.apart_other))


def _same_order(found: Comparison) -> NDArray[np.float64]:
    """Return whether two of them, close together, have the same order on both sides."""
    pairs = found.pairs
    kept = pairs.close & (pairs.apart_query * pairs.apart_other > 0)
    return np.minimum(found.count(pairs.text[kept]), 1.0)


def _length_of_query(found: Comparison) -> NDArray[np.float64]:
    """Return how many words the query has."""
    return np.full(len(found.others), np.log1p(found.texts.lengths[found.query]))


def _length_of_source(found: Comparison) -> NDArray[np.float64]:
    """Return how many words the source has."""
    return np.log1p(found.texts.lengths[found.others]).astype(np.float64)


def _at_least(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what can be divided by."""
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
