"""Which methods differ significantly from a baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.benchmark.metrics.significance import holm, randomisation_test
from locisimiles.benchmark.runs.methods import find_method
from locisimiles.benchmark.runs.query_values import paired
from locisimiles.checks import check_choice
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.benchmark.runs.loading import Runs

__all__ = ["MARKS", "choose_baseline", "significance_marks"]

MARKS = ((0.01, "**"), (0.05, "*"))
"""The marks of corrected p-values below these bounds."""

_RESAMPLES = 10_000


def choose_baseline(runs: Runs, protocol: str, metric: str, wanted: str | None = None) -> str:
    """Return the method that others are compared with.

    It is the one `wanted`, if it was measured by the protocol; otherwise the baseline (or, if there
    is none, the method) with the highest pooled value of the metric. A ParameterError is raised if
    there are no results of the wanted method at all.
    """
    if wanted is not None:
        check_choice(sorted({method for _, method in runs.manifests}), baseline=wanted)
        if wanted in runs.methods(protocol):
            return wanted
    methods = runs.methods(protocol)
    baselines = [method for method in methods if _is_baseline(method)] or list(methods)

    def quality(method: str) -> float:
        row = runs.row(method, protocol, "pooled", metric)
        return row.mean if row is not None and row.mean is not None else -1.0

    return max(sorted(baselines), key=quality)


def significance_marks(
    runs: Runs,
    protocol: str,
    columns: Sequence[tuple[str, str]],
    baseline: str,
) -> dict[tuple[str, str, str], str]:
    """Return a mark for every figure that differs significantly from the baseline's.

    Each column (group and metric) is a family of its own: paired randomisation tests of all methods
    against the baseline, over queries, corrected by Holm's method. The keys are method, group and
    metric, the marks ``*`` (p < 0.05) and ``**`` (p < 0.01).
    """
    marks = {}
    for group, metric in columns:
        own = runs.query_values(baseline, protocol, group, metric)
        others = [
            (method, values)
            for method in runs.methods(protocol)
            if method != baseline
            and (values := runs.query_values(method, protocol, group, metric)) is not None
        ]
        if own is None or not others:
            continue
        p_values = holm(
            [randomisation_test(*paired(values, own), resamples=_RESAMPLES) for _, values in others]
        )
        for (method, _), p_value in zip(others, p_values, strict=True):
            mark = next((mark for bound, mark in MARKS if p_value < bound), None)
            if mark:
                marks[method, group, metric] = mark
    return marks


def _is_baseline(method: str) -> bool:
    try:
        return find_method(method.partition("+")[0]).baseline
    except ParameterError:
        return False  # registered by a plugin that is not loaded
