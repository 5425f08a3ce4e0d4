"""How far readers agree: Cohen's kappa, and where they do not."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Agreement", "cohens_kappa", "compare_readers"]


class Agreement(NamedTuple):
    """How far two readers agree.

    Attributes
    ----------
    readers
        Who.
    pairs
        How many pairs both have judged.
    agreed
        How often they gave the same verdict.
    kappa
        Cohen's κ; None if it says nothing, since there are no pairs or only one verdict.
    """

    readers: tuple[str, str]
    pairs: int
    agreed: int
    kappa: float | None


def cohens_kappa(one: Sequence[str], other: Sequence[str]) -> float | None:
    """Return how much two readers agree beyond chance: 1 always, 0 as chance would have it.

    Parameters
    ----------
    one, other
        Their verdicts on the same things, in the same order.

    Returns
    -------
    float or None
        None if there is nothing to compare, or both always gave the same single verdict.

    Examples
    --------
    >>> cohens_kappa(["cit.", "cit.", "reject", "reject"], ["cit.", "reject", "reject", "reject"])
    0.5
    """
    total = len(one)
    if not total:
        return None
    agreed = sum(a == b for a, b in zip(one, other, strict=True))
    first, second = Counter(one), Counter(other)
    # Whole numbers, so that agreement that is certain by chance is found exactly.
    chance = sum(first[verdict] * second[verdict] for verdict in first)
    if chance == total * total:
        return None
    return (agreed * total - chance) / (total * total - chance)


def compare_readers(verdicts: Mapping[str, Mapping[tuple[str, str], str]]) -> list[Agreement]:
    """Compare every two readers.

    Parameters
    ----------
    verdicts
        For each reader, the verdict on each pair.

    Examples
    --------
    >>> ann, bob = {("q", "s"): "cit.", ("q", "t"): "reject"}, {("q", "s"): "cit."}
    >>> compare_readers({"Ann": ann, "Bob": bob})
    [Agreement(readers=('Ann', 'Bob'), pairs=1, agreed=1, kappa=None)]
    """
    found = []
    for one, other in combinations(sorted(verdicts), 2):
        both = sorted(verdicts[one].keys() & verdicts[other].keys())
        left, right = ([verdicts[name][pair] for pair in both] for name in (one, other))
        agreed = sum(a == b for a, b in zip(left, right, strict=True))
        found.append(Agreement((one, other), len(both), agreed, cohens_kappa(left, right)))
    return found
