"""Pairs of three classes, and the shares of the classes in an epoch.

An epoch draws pairs with replacement, so that the classes have given shares. The paper compares
these mixes:

===========  ==========  ======  =====
name         no match    cit.    cf.
===========  ==========  ======  =====
``mild``     0.80        0.10    0.10
``strong``   0.60        0.20    0.20
``half``     0.50        0.25    0.25
``even``     1/3         1/3     1/3
``natural``  each pair once
===========  ==========  ======  =====
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_equal_lengths
from locisimiles.errors import ParameterError
from locisimiles.models.pair_pieces import CLASSES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.models.pair_pieces import TextPieces

__all__ = [
    "ANY_REFERENCE",
    "MIXES",
    "NATURAL",
    "LabelledPairs",
    "SyntheticPairs",
    "check_mix",
    "draw_epoch",
    "label_synthetic_pairs",
    "training_batches",
]

ANY_REFERENCE = 3
"""The label of a reference of unknown kind."""
NATURAL = "natural"
MIXES = {
    "mild": (0.8, 0.1, 0.1),
    "strong": (0.6, 0.2, 0.2),
    "half": (0.5, 0.25, 0.25),
    "even": (1 / 3, 1 / 3, 1 / 3),
}
_SORTED_TOGETHER = 50  # batches whose pairs are sorted by length


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPairs:
    """Pairs of texts with their labels, as columns.

    Attributes
    ----------
    query, source
        Positions of the two texts.
    label
        0 no match, 1 cit., 2 cf., or `ANY_REFERENCE`.
    """

    query: NDArray[np.int32]
    source: NDArray[np.int32]
    label: NDArray[np.uint8]

    def __post_init__(self) -> None:
        check_equal_lengths(query=self.query, source=self.source, label=self.label)
        if len(self.label) and self.label.max() > ANY_REFERENCE:
            raise ParameterError("train.unknown_label", label=str(self.label.max()))

    def __len__(self) -> int:
        return len(self.query)


def check_mix(mix: str) -> tuple[float, ...] | None:
    """Return the shares of a mix, None for the natural one.

    A mix is a name, or three shares separated by commas; they need not add up to 1.

    Examples
    --------
    >>> check_mix("8,1,1")
    (0.8, 0.1, 0.1)
    """
    if mix == NATURAL:
        return None
    if mix in MIXES:
        return MIXES[mix]
    try:
        shares = [float(share) for share in mix.split(",")]
    except ValueError:
        shares = []
    total = sum(shares)
    if len(shares) != CLASSES or not all(0 <= share < np.inf for share in shares) or not total:
        raise ParameterError("train.unknown_mix", mix=mix, mixes=", ".join([*MIXES, NATURAL]))
    return tuple(share / total for share in shares)


def draw_epoch(
    label: NDArray[np.uint8], mix: str, *, samples: int | None = None, seed: int, epoch: int
) -> NDArray[np.int64]:
    """Draw the pairs that an epoch shows, in random order; by default as many as there are.

    References of unknown kind share the part of both kinds; a class without pairs gets none. The
    natural mix shows all pairs before it shows one again. Equal seeds and epochs draw equal pairs.

    Examples
    --------
    >>> label = np.array([0] * 96 + [1, 1, 2, 2])
    >>> drawn = draw_epoch(label, "half", samples=10_000, seed=0, epoch=0)
    >>> [round(float((label[drawn] == kind).mean()), 2) for kind in (0, 1, 2)]
    [0.5, 0.25, 0.25]
    """
    random = np.random.default_rng([seed, epoch])
    count = len(label) if samples is None else samples
    shares = check_mix(mix)
    if not len(label):
        return np.empty(0, np.int64)
    if shares is None:
        rounds = [random.permutation(len(label)) for _ in range(-(-count // len(label)))]
        return np.concatenate(rounds)[:count]
    share = np.array([*shares, 1 - shares[0]])  # the last for references of unknown kind
    weight = (share / np.maximum(np.bincount(label, minlength=len(share)), 1))[label]
    if not weight.sum():
        raise ParameterError("train.empty_mix", mix=mix)
    return random.choice(len(label), count, p=weight / weight.sum()).astype(np.int64)


def training_batches(
    order: NDArray[np.int64], lengths: NDArray[np.int64], size: int, random: np.random.Generator
) -> list[NDArray[np.int64]]:
    """Cut drawn pairs into batches of similar lengths, in random order.

    Only nearby pairs are sorted by length, so that batches differ from epoch to epoch. One of them
    may have fewer than `size` pairs.
    """
    block = np.arange(len(order)) // (size * _SORTED_TOGETHER)
    by_length = order[np.lexsort((lengths[order], block))]
    batches = [by_length[begin : begin + size] for begin in range(0, len(order), size)]
    return [batches[place] for place in random.permutation(len(batches))]


@dataclass(frozen=True, slots=True, eq=False)
class SyntheticPairs:
    """Synthetic pairs as positions in texts; those of `locisimiles.train.late.synthetic`, say."""

    query: TextPieces
    source: TextPieces
    pairs: LabelledPairs


def label_synthetic_pairs(
    answer: NDArray[np.int32],
    hard: NDArray[np.int32],
    *,
    sources: int,
    negatives: int = 3,
    seed: int = 0,
) -> LabelledPairs:
    """Return each query with its answer, with hard negatives, and with one random source.

    Answers are references of unknown kind. `hard` has a row of hard negatives per query, padded
    with -1, of which at most `negatives` are drawn; `sources` is the number of sources.

    Examples
    --------
    >>> pairs = label_synthetic_pairs(
    ...     np.array([4, 7]), np.array([[1, 2], [3, -1]]), sources=9, negatives=2
    ... )
    >>> pairs.query.tolist(), pairs.source.tolist()[:5], pairs.label.tolist()
    ([0, 1, 0, 0, 1, 0, 1], [4, 7, 2, 1, 3], [3, 3, 0, 0, 0, 0, 0])
    """
    random = np.random.default_rng(seed)
    queries = np.arange(len(answer))
    keys = np.where(hard >= 0, random.random(hard.shape), 2.0)  # padding comes last
    order = np.argsort(keys, axis=1)[:, :negatives]
    hard = np.take_along_axis(hard, order, axis=1)
    hard_query = np.broadcast_to(queries[:, None], hard.shape)[hard >= 0]
    easy = random.integers(max(sources - 1, 1), size=len(answer))
    easy += easy >= answer  # all but the answer
    kept = easy < sources
    query = np.concatenate([queries, hard_query, queries[kept]])
    source = np.concatenate([answer, hard[hard >= 0], easy[kept]])
    label = np.zeros(len(query), np.uint8)
    label[: len(answer)] = ANY_REFERENCE
    return LabelledPairs(query.astype(np.int32), source.astype(np.int32), label)
