"""Pairs of three classes, and how often each class is shown.

An epoch does not show the pairs as they are: it draws them, with replacement, so that the classes
have given shares. These are the mixes that the paper compares:

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

from locisimiles.errors import ParameterError
from locisimiles.learn.sampling import sample_pairs
from locisimiles.models.pair_pieces import CLASSES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.references import References
    from locisimiles.learn.sampling import Strategy
    from locisimiles.retrieve import Candidates

__all__ = [
    "ANY_REFERENCE",
    "MIXES",
    "NATURAL",
    "LabelledPairs",
    "check_mix",
    "draw_epoch",
    "sample_labelled_pairs",
]

ANY_REFERENCE = 3
"""The label of a pair that is a reference, nobody knows of which kind."""
NATURAL = "natural"
MIXES = {
    "mild": (0.8, 0.1, 0.1),
    "strong": (0.6, 0.2, 0.2),
    "half": (0.5, 0.25, 0.25),
    "even": (1 / 3, 1 / 3, 1 / 3),
}


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPairs:
    """Pairs of texts and what they are, as columns.

    Attributes
    ----------
    query, source
        Positions of the texts of the two sides.
    label
        0 no match, 1 cit., 2 cf., or `ANY_REFERENCE`.
    """

    query: NDArray[np.int32]
    source: NDArray[np.int32]
    label: NDArray[np.uint8]

    def __post_init__(self) -> None:
        if not len(self.query) == len(self.source) == len(self.label):
            raise ParameterError("the columns of the pairs differ in length")
        if len(self.label) and self.label.max() > ANY_REFERENCE:
            raise ParameterError(
                f"a pair has the label {self.label.max()}", hint="0 to 2 are known"
            )

    def __len__(self) -> int:
        return len(self.query)


def sample_labelled_pairs(
    references: References,
    *,
    queries: NDArray[np.int32],
    sources: int,
    strategy: Strategy,
    ratio: int,
    seed: int = 42,
    similar: Candidates | None = None,
) -> LabelledPairs:
    """Draw negatives for references, which keep their kinds.

    Parameters
    ----------
    references, queries, sources, strategy, ratio, seed, similar
        As in `locisimiles.learn.sampling.sample_pairs`.

    Examples
    --------
    >>> from locisimiles.benchmark.sets.references import References
    >>> pairs = sample_labelled_pairs(
    ...     References.from_columns([0, 1], [3, 4], label=[1, 2]),
    ...     queries=np.arange(2),
    ...     sources=50,
    ...     strategy="qry,rnd",
    ...     ratio=2,
    ... )
    >>> pairs.query.tolist(), pairs.label.tolist()
    ([0, 1, 0, 0, 1, 1], [1, 2, 0, 0, 0, 0])
    """
    pairs = sample_pairs(
        references,
        queries=queries,
        sources=sources,
        strategy=strategy,
        ratio=ratio,
        seed=seed,
        similar=similar,
    )
    label = np.zeros(len(pairs), np.uint8)
    label[: len(references)] = references.label  # which come first
    return LabelledPairs(pairs.query, pairs.source, label)


def check_mix(mix: str) -> tuple[float, ...] | None:
    """Return the shares of a mix, None for the natural one.

    Parameters
    ----------
    mix
        A name, or three shares with commas between them; they need not add up to 1.

    Raises
    ------
    ParameterError
        If there is no such mix.

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
    whole = sum(shares)
    if len(shares) != CLASSES or not all(0 <= share < np.inf for share in shares) or not whole:
        raise ParameterError(
            f"there is no mix of classes {mix!r}",
            hint=f"choose {', '.join(MIXES)}, {NATURAL}, or three shares such as 0.8,0.1,0.1",
        )
    return tuple(share / whole for share in shares)


def draw_epoch(
    label: NDArray[np.uint8], mix: str, *, samples: int | None = None, seed: int, epoch: int
) -> NDArray[np.int64]:
    """Draw the pairs that an epoch shows, in random order.

    Parameters
    ----------
    label
        Of all pairs. Pairs of unknown kind are drawn with those of the kinds.
    mix
        The shares of the classes; what nobody is of gets none.
    samples
        How many are drawn; as many as there are by default. In the natural mix all pairs are shown
        before one is shown again.
    seed, epoch
        The same draw the same.

    Examples
    --------
    >>> label = np.array([0] * 96 + [1, 1, 2, 2])
    >>> drawn = draw_epoch(label, "half", samples=10_000, seed=0, epoch=0)
    >>> [round(float((label[drawn] == kind).mean()), 2) for kind in (0, 1, 2)]
    [0.5, 0.25, 0.25]
    """
    random = np.random.default_rng([seed, epoch])
    wanted = len(label) if samples is None else samples
    shares = check_mix(mix)
    if not len(label):
        return np.empty(0, np.int64)
    if shares is None:
        rounds = [random.permutation(len(label)) for _ in range(-(-wanted // len(label)))]
        return np.concatenate(rounds)[:wanted]
    share = np.array([*shares, 1 - shares[0]])  # the last for references of any kind
    counts = np.bincount(label, minlength=ANY_REFERENCE + 1)
    weight = (share / np.maximum(counts, 1))[label]
    if not weight.sum():
        raise ParameterError(f"the mix {mix} leaves no pair to train on")
    return random.choice(len(label), wanted, p=weight / weight.sum()).astype(np.int64)
