"""Protocol ``retrieve-and-rerank``: a classifier sees only what a retriever puts first.

For each depth k, the first k candidates of each query are taken; all other pairs are predicted *no
match*. Two stages are measured: the retriever alone, which takes all k for references, and the
pipeline, which takes those that the classifier decides for. Counts are pooled over the queries of a
fold, figures computed from them, and both averaged over folds (F1 is thus the mean of the folds'
F1, not the F1 of mean counts; the paper's table is like that).

Two things in the paper are open to reading:

*Rates.* The text defines FPR as FP / N. The printed columns FPR × 10⁴ and SMR × 10⁴ are half of
that (within 0.1 % for the retriever up to k = 500, 1 % at 1000; 3 % for the pipeline), as if each
pair counted twice in N, once for each type; the paper does not say why. ``rates="strict"`` is
FP / N, ``rates="paper"`` FP / 2N.

*Depth.* The table counts k × queries predictions, down to sources that have no word in common with
the query. ``padded=True`` does the same: sources without a score follow the others in the order of
the document. ``padded=False`` takes only what the retriever found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from locisimiles.benchmark.metrics.classification import F1, PRECISION, RECALL, Counts
from locisimiles.benchmark.metrics.measurement import Measurement
from locisimiles.benchmark.protocols.grid import group_decision, rule_of_each
from locisimiles.benchmark.sets.groups import GROUPS, in_group
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.protocols.grid import PairGrid
    from locisimiles.candidates import Candidates
    from locisimiles.classify.thresholds import DecisionRule

__all__ = ["DEPTHS", "RETRIEVER_ALONE", "Rates", "evaluate_rerank", "rank_grid"]

DEPTHS = (1, 5, 10, 20, 50, *range(100, 1001, 100))
"""The depths of the paper."""

RETRIEVER_ALONE = "retrieval "
"""What the metric names of the retriever alone begin with."""

Rates = Literal["paper", "strict"]

_NEVER = np.iinfo(np.int32).max


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
        What the classifier thinks of the pairs of each fold document.
    candidates
        What the retriever finds in each fold document, by positions in it, in order.
    rule
        How probabilities become decisions: one rule, or one for each fold.
    depths
        How many candidates a query gets.
    rates, padded
        Readings of the paper, see above.

    Returns
    -------
    tuple of Measurement
        For each group and depth: ``flagged@k``, ``TP@k``, ``FP@k``, ``FN@k``, ``P@k``, ``R@k``,
        ``F1@k``, ``FPR@k``, ``FNR@k``, ``SMR@k``, and the same of the retriever alone
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
    _check(grids, candidates, depths, rates)
    rules = rule_of_each(grids, rule)
    ranks = [
        rank_grid(found, grid.label.shape, padded=padded)
        for found, grid in zip(candidates, grids, strict=True)
    ]
    decisions = [rule.decide(grid.probabilities) for grid, rule in zip(grids, rules, strict=True)]
    queries = sum(len(grid.query) for grid in grids)
    folds = [grid.fold for grid in grids]
    measured: list[Measurement] = []
    for group in GROUPS:
        for stage in ("", RETRIEVER_ALONE):
            figures = [
                _figures(
                    rank,
                    group_decision(decision, group) if stage == "" else np.True_,
                    in_group(grid.label, group),
                    depths,
                    rates,
                )
                for grid, rank, decision in zip(grids, ranks, decisions, strict=True)
            ]
            measured += [
                Measurement.over_folds(
                    group,
                    f"{stage}{name}@{depth}",
                    folds,
                    [figure[name][column] for figure in figures],
                    queries,
                )
                for column, depth in enumerate(depths)
                for name in figures[0]
            ]
    return tuple(measured)


def rank_grid(candidates: Candidates, shape: tuple[int, ...], *, padded: bool) -> NDArray[np.int32]:
    """Return the rank of every pair; a number beyond all depths for pairs without one.

    Examples
    --------
    >>> from locisimiles.candidates import Candidates
    >>> found = Candidates.join([(np.array([2, 0]), np.array([2.0, 1.0]))])
    >>> rank_grid(found, (1, 4), padded=True).tolist()
    [[2, 3, 1, 4]]
    """
    positions = np.stack([candidates.query, candidates.source], axis=1)
    if len(positions) and ((positions < 0) | (positions >= shape)).any():
        raise ParameterError(
            f"a candidate is outside the grid of {shape[0]} × {shape[1]} pairs",
            hint="candidates must count positions in the fold document",
        )
    ranks = np.full(shape, _NEVER, np.int32)
    ranks[candidates.query, candidates.source] = candidates.rank
    if padded:
        missing = ranks == _NEVER
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


def _check(
    grids: Sequence[PairGrid],
    candidates: Sequence[Candidates],
    depths: Sequence[int],
    rates: Rates,
) -> None:
    if len(candidates) != len(grids):
        raise ParameterError(f"{len(candidates)} sets of candidates do not fit {len(grids)} folds")
    if any(depth < 1 or depth >= _NEVER for depth in depths):
        raise ParameterError("a depth takes no candidates", hint="1 is the least")
    if rates not in get_args(Rates):
        raise ParameterError(
            f"rates={rates!r} is unknown", hint=f"choose one of {', '.join(get_args(Rates))}"
        )
