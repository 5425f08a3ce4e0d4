"""Agreement of readers: Cohen's kappa, of all verdicts and of independent ones."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from locisimiles.app.storage.tables.judgements import StoredJudgement

__all__ = [
    "Agreement",
    "ReaderComparison",
    "cohens_kappa",
    "compare_judgements",
    "compare_readers",
    "kappa_interval",
]

_NORMAL = 1.959963984540054  # 95 % of the normal distribution lie within


class Agreement(NamedTuple):
    """Agreement of two readers."""

    readers: tuple[str, str]
    pairs: int  # that both have judged
    agreed: int  # with the same verdict
    kappa: float | None  # Cohen's κ; None if it is undefined: no pairs, or a single verdict
    low: float | None = None  # the 95 % interval of κ
    high: float | None = None


class ReaderComparison(NamedTuple):
    """Agreement of two readers: in all verdicts, and in those that are independent."""

    of_all: Agreement
    of_independent: Agreement


def cohens_kappa(one: Sequence[str], other: Sequence[str]) -> float | None:
    """Return the agreement of two readers beyond chance: 1 is perfect, 0 is chance.

    None if there are no verdicts, or both readers always gave the same one.

    Examples
    --------
    >>> cohens_kappa(["cit.", "cit.", "reject", "reject"], ["cit.", "reject", "reject", "reject"])
    0.5
    """
    counted = _count(one, other)
    if counted is None:
        return None
    total, agreed, chance = counted
    return (agreed * total - chance) / (total * total - chance)


def kappa_interval(one: Sequence[str], other: Sequence[str]) -> tuple[float, float] | None:
    """Return the 95 % interval of Cohen's κ; None where κ is undefined.

    It is Wilson's interval of the share of agreement, on the scale of κ. Unlike the usual standard
    error, it does not shrink to nothing where a few verdicts happen to agree.

    Examples
    --------
    >>> kappa_interval(["cit.", "cit.", "reject", "reject"], ["cit.", "cit.", "reject", "reject"])
    (0.0202..., 1.0)
    """
    counted = _count(one, other)
    if counted is None:
        return None
    total, agreed, chance = counted
    square = _NORMAL * _NORMAL
    share, expected = agreed / total, chance / (total * total)
    centre = share + square / (2 * total)
    spread = _NORMAL * math.sqrt(share * (1 - share) / total + square / (4 * total * total))
    ends = ((centre + sign * spread) / (1 + square / total) for sign in (-1, 1))
    low, high = ((min(max(end, 0.0), 1.0) - expected) / (1 - expected) for end in ends)
    return low, high


def _count(one: Sequence[str], other: Sequence[str]) -> tuple[int, int, int] | None:
    """Return pairs, agreed pairs, and those agreed by chance times pairs; None if all agree so."""
    total = len(one)
    agreed = sum(a == b for a, b in zip(one, other, strict=True))
    first, second = Counter(one), Counter(other)
    # Whole numbers, so that agreement certain by chance is recognized exactly.
    chance = sum(first[verdict] * second[verdict] for verdict in first)
    return None if chance == total * total else (total, agreed, chance)


def compare_readers(verdicts: Mapping[str, Mapping[tuple[str, str], str]]) -> list[Agreement]:
    """Compare every two readers, by their verdicts on pairs.

    Examples
    --------
    >>> ann, bob = {("q", "s"): "cit.", ("q", "t"): "reject"}, {("q", "s"): "cit."}
    >>> [found] = compare_readers({"Ann": ann, "Bob": bob})
    >>> found.readers, found.pairs, found.agreed, found.kappa
    (('Ann', 'Bob'), 1, 1, None)
    """
    found = []
    for one, other in combinations(sorted(verdicts), 2):
        both = sorted(verdicts[one].keys() & verdicts[other].keys())
        left, right = ([verdicts[name][pair] for pair in both] for name in (one, other))
        agreed = sum(a == b for a, b in zip(left, right, strict=True))
        low, high = kappa_interval(left, right) or (None, None)
        kappa = cohens_kappa(left, right)
        found.append(Agreement((one, other), len(both), agreed, kappa, low, high))
    return found


def compare_judgements(judgements: Iterable[StoredJudgement]) -> list[ReaderComparison]:
    """Compare every two readers twice: by all of their verdicts, and by the independent ones."""
    every: dict[str, dict[tuple[str, str], str]] = defaultdict(dict)
    independent: dict[str, dict[tuple[str, str], str]] = defaultdict(dict)
    for one in judgements:
        if one.verdict is not None:
            every[one.reader][one.query_id, one.source_id] = one.verdict
            own = independent[one.reader]
            if one.independent:
                own[one.query_id, one.source_id] = one.verdict
    both = zip(compare_readers(every), compare_readers(independent), strict=True)
    return [ReaderComparison(*pair) for pair in both]
