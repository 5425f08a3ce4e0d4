"""Agreement of readers: Cohen's kappa."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Agreement", "cohens_kappa", "compare_readers"]


class Agreement(NamedTuple):
    """Agreement of two readers."""

    readers: tuple[str, str]
    pairs: int  # that both have judged
    agreed: int  # with the same verdict
    kappa: float | None  # Cohen's κ; None if it is undefined: no pairs, or a single verdict


def cohens_kappa(one: Sequence[str], other: Sequence[str]) -> float | None:
    """Return the agreement of two readers beyond chance: 1 is perfect, 0 is chance.

    None if there are no verdicts, or both readers always gave the same one.

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
    # Whole numbers, so that agreement certain by chance is recognized exactly.
    chance = sum(first[verdict] * second[verdict] for verdict in first)
    if chance == total * total:
        return None
    return (agreed * total - chance) / (total * total - chance)


def compare_readers(verdicts: Mapping[str, Mapping[tuple[str, str], str]]) -> list[Agreement]:
    """Compare every two readers, by their verdicts on pairs.

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
