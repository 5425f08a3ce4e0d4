"""The recorded quality of the methods, as lists of methods show it."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

__all__ = ["measured_recall"]


@cache
def measured_recall() -> dict[str, float]:
    """Return the pooled recall at 100 of each method.

    ``benchmarks/benchmark_quality.py`` copies the figures from
    ``benchmarks/results/retrieval.json`` to ``benchmark/runs/data/measured.json``.

    Examples
    --------
    >>> 0.5 < measured_recall()["bm25"] < 1
    True
    """
    path = resources.files("locisimiles.benchmark.runs") / "data" / "measured.json"
    figures: dict[str, float] = json.loads(path.read_text(encoding="utf-8"))
    return figures
