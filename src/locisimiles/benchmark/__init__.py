"""The benchmark: datasets, protocols, metrics, tables.

A set is a folder with two corpora and the known references between them (`Benchmark`). Methods are
run on it by named protocols (`run_benchmark`), and what comes out is written as rows, tables and
figures beside those of the paper (`write_report`).
"""

from locisimiles.benchmark.report.writing import write_report
from locisimiles.benchmark.runs.execution import run_benchmark
from locisimiles.benchmark.runs.methods import register_method
from locisimiles.benchmark.sets.build import build_benchmark
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.references import Label, References

__all__ = [
    "Benchmark",
    "Label",
    "References",
    "build_benchmark",
    "register_method",
    "run_benchmark",
    "write_report",
]
