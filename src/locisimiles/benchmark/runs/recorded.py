"""How good the methods were when they were last measured, for lists of them."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

__all__ = ["measured_recall"]


@cache
def measured_recall() -> dict[str, float]:
    """Return the pooled recall among the first hundred, by name of the method.

    The figures are taken from ``benchmarks/results/retrieval.json`` by
    ``benchmarks/benchmark_quality.py``, and stand in ``benchmark/runs/data/measured.json``.

    Examples
    --------
    >>> 0.5 < measured_recall()["bm25"] < 1
    True
    """
    path = resources.files("locisimiles.benchmark.runs") / "data" / "measured.json"
    figures: dict[str, float] = json.loads(path.read_text(encoding="utf-8"))
    return figures
