"""The sparse retrievers on the rebuilt benchmark, beside the figures the paper prints.

    python benchmarks/benchmark_quality.py [--set DIR] [--runs RUNS] [--simplemma] [--all]
        [--only NAME...]

Without ``--set``, the benchmark is first rebuilt from ``../shared``. The measuring itself is

    locisimiles benchmark run DIR --protocol retrieval -o RUNS

Writes ``benchmarks/results/retrieval.json`` with the values of queries beside it, and prints each
cell with its distance from the paper's, in points; ``!`` marks those beyond 2.5. The paper's
lemmas are CLTK's, ours are our own. ``--simplemma`` adds the lemma rows with another plain word
list, to tell what is the lemmatizer's doing.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.benchmark.report.paper import MeanStd, paper_value
from locisimiles.benchmark.report.tables import PAPER_NAMES
from locisimiles.benchmark.runs.execution import run_benchmark
from locisimiles.benchmark.runs.loading import Runs
from locisimiles.benchmark.runs.methods import BenchmarkMethod, find_method
from locisimiles.benchmark.runs.query_values import read_query_values
from locisimiles.benchmark.runs.rows import read_rows, write_rows
from locisimiles.benchmark.sets.build import build_benchmark
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.retrieve import METHODS, MethodOptions, make_retriever

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.benchmark.runs.rows import ResultRow

MEASURED = Path(__file__).parent.parent / "src/locisimiles/benchmark/runs/data/measured.json"
RESULTS = Path(__file__).parent / "results" / "retrieval.json"
SHARED = Path("../shared")
KEPT_FOR_QUERIES = {"R@10", "R@100", "R@1000", "MRR"}
BAR = 2.5
CELLS = [
    *((kind, f"R@{k}", "retrieval_by_type", f"{kind}_r{k}", 1.0)
      for kind in ("cit", "cf") for k in (10, 100, 1000)),
    *(("pooled", f"{name}@{k}", "retrieval_baselines_pooled", f"{name.lower()}{k}", 100.0)
      for name in ("R", "MRR") for k in (10, 100, 1000)),
]  # fmt: skip


def with_simplemma(name: str) -> BenchmarkMethod:
    return BenchmarkMethod(
        f"{name}+simplemma",
        f"{find_method(name).description}, by simplemma",
        lambda: make_retriever(name, MethodOptions(lemmatizer="simplemma")),
    )


def print_beside_paper(runs: Runs, methods: Sequence[str]) -> None:
    width = max(map(len, methods)) + 2
    print(" " * width + "".join(f"{f'{group} {metric}':>16}" for group, metric, *_ in CELLS))
    outside = 0
    for method in methods:
        line = f"{method:<{width}}"
        for group, metric, table, column, scale in CELLS:
            row = runs.row(method, "retrieval", group, metric)
            name = PAPER_NAMES.get(method.partition("+")[0])
            printed = paper_value(table, name, column) if name else None
            theirs = printed.mean if isinstance(printed, MeanStd) else printed
            if row is None or row.mean is None:
                line += f"{'–':>16}"
                continue
            if not isinstance(theirs, int | float):
                line += f"{f'{row.mean * 100:.1f}':>16}"
                continue
            distance = row.mean * 100 - theirs * scale
            outside += abs(distance) > BAR
            mark = "!" if abs(distance) > BAR else " "
            line += f"{f'{row.mean * 100:.1f} ({distance:+.1f}){mark}':>16}"
        print(line)
    print(f"{outside} of {len(methods) * len(CELLS)} cells are further than {BAR} points off")


def write_measured(rows: Sequence[ResultRow]) -> None:
    """Keep what `locisimiles methods` shows."""
    figures = {
        row.method: round(row.mean, 4)
        for row in rows
        if (row.group, row.metric) == ("pooled", "R@100") and row.mean is not None
    }
    MEASURED.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--set", type=Path, help="a benchmark that was built before")
    parser.add_argument("--runs", type=Path, help="keep the runs here")
    parser.add_argument("--simplemma", action="store_true")
    parser.add_argument("--all", action="store_true", help="all methods that need nothing")
    parser.add_argument("--only", nargs="*", help="measure these, and keep the rows of others")
    options = parser.parse_args()
    if options.set:
        benchmark = Benchmark.load(options.set)
    else:
        benchmark = build_benchmark(SHARED / "benchmark" / "labels.csv", SHARED / "corpora")
    methods: list[str | BenchmarkMethod] = list(PAPER_NAMES)
    if options.all:
        methods += [m.name for m in METHODS.values() if not m.needs and m.name not in PAPER_NAMES]
        methods += ["default-no-priors", "fusion-learned"]
    if options.simplemma:
        methods += [with_simplemma(name) for name in PAPER_NAMES if "surface" not in name]
    if options.only:
        methods = list(options.only)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.runs or Path(temporary)
        started = time.perf_counter()
        finished = run_benchmark(benchmark, methods, ["retrieval"], folder)
        took = time.perf_counter() - started
        runs = Runs.read(folder).only({one.method for one in finished}, {"retrieval"})
    print_beside_paper(runs, [one.method for one in finished])
    print(f"{took:.0f} s for {len(finished)} methods, after loading the set")
    command = (
        "python benchmarks/benchmark_quality.py"
        + " --simplemma" * options.simplemma
        + " --all" * options.all
        + (f" --only {' '.join(options.only)}" if options.only else "")
    )
    rows = [replace(row, command=command) for row in runs.rows]
    values = [value for value in runs.values if value.metric in KEPT_FOR_QUERIES]
    if options.only:
        again = {row.method for row in rows}
        rows = [*(row for row in read_rows(RESULTS) if row.method not in again), *rows]
        kept = [value for value in read_query_values(RESULTS) if value.method not in again]
        values = [*kept, *values]
    if options.all or options.only:
        write_measured(rows)
    write_rows(RESULTS, rows, values)


if __name__ == "__main__":
    main()
