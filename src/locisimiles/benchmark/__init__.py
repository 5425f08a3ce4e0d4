"""The benchmark: sets, metrics, protocols, runs, reports.

A set is a folder with two corpora and the known references between them (`Benchmark`). Methods are
measured on it by named protocols (`run_benchmark`), and reports show the results as tables and
figures, beside those of the paper (`write_report`).
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from locisimiles.benchmark.report.writing import write_report
    from locisimiles.benchmark.runs.execution import run_benchmark
    from locisimiles.benchmark.runs.methods import register_method
    from locisimiles.benchmark.sets.build import build_benchmark
    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.benchmark.sets.ir_dataset import IrDataset
    from locisimiles.benchmark.sets.references import Label, References

_HOMES = {
    "Benchmark": "sets.dataset",
    "IrDataset": "sets.ir_dataset",
    "Label": "sets.references",
    "References": "sets.references",
    "build_benchmark": "sets.build",
    "register_method": "runs.methods",
    "run_benchmark": "runs.execution",
    "write_report": "report.writing",
}

__all__ = [
    "Benchmark",
    "IrDataset",
    "Label",
    "References",
    "build_benchmark",
    "register_method",
    "run_benchmark",
    "write_report",
]


def __getattr__(name: str) -> object:
    # `learn` imports the sets and the runs import `learn`: import lazily to avoid a cycle.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
