"""Protocol ``retrieve-and-rerank``: the classifier sees only the retriever's first candidates.

At each depth k, the first k candidates of each query are kept; all other pairs are predicted *no
match*. Two stages are measured: the retriever alone, which predicts all k to be references, and the
pipeline, which predicts those that the classifier accepts. Counts are pooled over the queries of a
fold, figures are computed from them, and both are averaged over folds (so F1 is the mean of the
folds' F1, not the F1 of mean counts, as in the paper's table).

Two points of the paper are open to interpretation:

*Rates.* The text defines FPR as FP / N. The printed columns FPR × 10⁴ and SMR × 10⁴ are half of
that (within 0.1 % for the retriever up to k = 500, 1 % at 1000; 3 % for the pipeline), as if each
pair counted twice in N, once for each type; the paper does not say why. ``rates="strict"`` is
FP / N, ``rates="paper"`` FP / 2N.

*Depth.* The table counts k × queries predictions, down to sources that share no word with the
query. ``padded=True`` does the same: sources without a score follow the others in document order.
``padded=False`` keeps only what the retriever found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from locisimiles.benchmark.metrics.classification import F1, PRECISION, RECALL, Counts
from locisimiles.benchmark.protocols.grid import decide, group_decision, measure_folds
from locisimiles.benchmark.sets.groups import GROUPS, in_group
from locisimiles.checks import check_between, check_choice, check_equal_lengths, check_pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.metrics.measurement import Measurement
    from locisimiles.benchmark.protocols.grid import PairGrid
    from locisimiles.candidates import Candidates
    from locisimiles.classify.thresholds import DecisionRule

__all__ = ["DEPTHS", "RETRIEVER_ALONE", "Rates", "evaluate_rerank", "rank_grid"]

DEPTHS = (1, 5, 10, 20, 50, *range(100, 1001, 100))
"""The depths of the paper."""

RETRIEVER_ALONE = "retrieval "
"""Prefix of the metrics of the retriever alone."""

Rates = Literal["paper", "strict"]

_NO_RANK = np.iinfo(np.int32).max


def evaluate_rerank(
    grids: Sequence[PairGrid],
    candidates: Sequence[Candidates],
    rule: DecisionRule | Sequence[DecisionRule],
    *,
    depths: Sequence[int] = DEPTHS,
    rates: Rates = "paper",
    padded: bool = True,
) -> tuple[Measurement, ...]:
    """Measure a pipeline of retriever and classifier at several depths.

    Parameters
    ----------
    grids
        One per fold.
    candidates
        The candidates of each fold document, in order, as positions in it.
    rule
        Turns probabilities into decisions: one rule, or one per fold.
    depths
        The numbers of candidates per query.
    rates, padded
        Readings of the paper, see above.

    Returns
    -------
    tuple of Measurement
        For each group and depth: ``flagged@k``, ``TP@k``, ``FP@k``, ``FN@k``, ``P@k``, ``R@k``,
        ``F1@k``, ``FPR@k``, ``FNR@k``, ``SMR@k``, and the same for the retriever alone
        (``retrieval F1@k``).

    Examples
    --------
    >>> from locisimiles.benchmark.metrics.measurement import find
    >>> from locisimiles.benchmark.protocols.grid import PairGrid
    >>> from locisimiles.benchmark.sets.references import References
    >>> from locisimiles.classify.thresholds import Thresholds
    >>> from locisimiles.candidates import Candidates
    >>> probabilities = np.array([[[0.9, 0.1, 0.0], [0.1, 0.9, 0.0], [0.1, 0.0, 0.9]]])
    >>> references = References.from_columns(query=[0], source=[1], label=[1])
    >>> grid = PairGrid.from_references(probabilities, references)
    >>> found = Candidates.join([(np.array([0, 1]), np.array([2.0, 1.0]))])
    >>> measured = evaluate_rerank([grid], [found], Thresholds(), depths=[2])
    >>> find(measured, "pooled", "flagged@2").mean, find(measured, "pooled", "F1@2").mean
    (1.0, 1.0)
    >>> find(measured, "pooled", "retrieval FP@2").mean
    1.0
    """
    check_equal_lengths(grids=grids, candidates=candidates)
    for depth in depths:
        check_between(1, _NO_RANK - 1, depth=depth)
    check_choice(get_args(Rates), rates=rates)
    decisions = decide(grids, rule)
    ranks = [
        rank_grid(found, grid.label.shape, padded=padded)
        for found, grid in zip(candidates, grids, strict=True)
    ]
    measured: list[Measurement] = []
    for group in GROUPS:
        for stage in ("", RETRIEVER_ALONE):
            figures = []
            for grid, rank, decision in zip(grids, ranks, decisions, strict=True):
                flagged = group_decision(decision, group) if stage == "" else np.True_
                columns = _figures(rank, flagged, in_group(grid.label, group), depths, rates)
                figures.append(
                    {
                        f"{stage}{name}@{depth}": column[at]
                        for at, depth in enumerate(depths)
                        for name, column in columns.items()
                    }
                )
            measured += measure_folds(group, grids, figures)
    return tuple(measured)


def rank_grid(candidates: Candidates, shape: tuple[int, ...], *, padded: bool) -> NDArray[np.int32]:
    """Return the rank of every pair; pairs without one get a number beyond all depths.

    Examples
    --------
    >>> from locisimiles.candidates import Candidates
    >>> found = Candidates.join([(np.array([2, 0]), np.array([2.0, 1.0]))])
    >>> rank_grid(found, (1, 4), padded=True).tolist()
    [[2, 3, 1, 4]]
    """
    check_pairs(candidates.query, candidates.source, *shape)
    ranks = np.full(shape, _NO_RANK, np.int32)
    ranks[candidates.query, candidates.source] = candidates.rank
    if padded:
        missing = ranks == _NO_RANK
        found = shape[1] - np.count_nonzero(missing, axis=1, keepdims=True)
        ranks[missing] = (found + np.cumsum(missing, axis=1))[missing]
    return ranks


def _figures(
    ranks: NDArray[np.int32],
    flagged: NDArray[np.bool_] | np.bool_,
    relevant: NDArray[np.bool_],
    depths: Sequence[int],
    rates: Rates,
) -> dict[str, NDArray[np.float64]]:
    flagged = np.broadcast_to(flagged, ranks.shape)
    predicted = _up_to(ranks[flagged], depths)
    tp = _up_to(ranks[flagged & relevant], depths)
    fp, fn = predicted - tp, np.count_nonzero(relevant) - tp
    counts = Counts(tp, fp, fn, ranks.size - tp - fp - fn)
    decisions = max(ranks.size, 1) * (2 if rates == "paper" else 1)
    return {
        "flagged": predicted.astype(np.float64),
        "TP": tp.astype(np.float64),
        "FP": fp.astype(np.float64),
        "FN": fn.astype(np.float64),
        "P": PRECISION.values(counts),
        "R": RECALL.values(counts),
        "F1": F1.values(counts),
        "FPR": fp / decisions,
        "FNR": fn / decisions,
        "SMR": (fp + fn) / decisions,
    }


def _up_to(ranks: NDArray[np.int32], depths: Sequence[int]) -> NDArray[np.int64]:
    return np.searchsorted(np.sort(ranks), depths, side="right").astype(np.int64)
