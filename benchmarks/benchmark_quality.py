"""The sparse retrievers on the rebuilt benchmark, beside the figures of the paper.

    python benchmarks/benchmark_quality.py [--set DIR] [--runs RUNS] [--simplemma] [--all]
        [--only NAME...]

Without ``--set``, the benchmark is first rebuilt from ``../shared``. It is then measured as by

    locisimiles benchmark run DIR --protocol retrieval -o RUNS

Writes ``benchmarks/results/retrieval.json`` with the values of queries beside it, and prints each
figure with its distance from the paper's, in points; ``!`` marks those beyond 2.5. The paper uses
the lemmas of CLTK, we use our own. ``--simplemma`` adds lemma rows with another word list, to
separate the effect of the lemmatizer.
"""

from __future__ import annotations

import json
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from harness import RESULTS, parser, print_table
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
    rows = []
    for method in methods:
        cells = {"": method}
        for group, metric, table, column, scale in CELLS:
            row = runs.row(method, "retrieval", group, metric)
            name = PAPER_NAMES.get(method.partition("+")[0])
            printed = paper_value(table, name, column) if name else None
            theirs = printed.mean if isinstance(printed, MeanStd) else printed
            if row is None or row.mean is None:
                cell = "–"
            elif isinstance(theirs, int | float):
                distance = row.mean * 100 - theirs * scale
                mark = "!" if abs(distance) > BAR else " "
                cell = f"{row.mean * 100:.1f} ({distance:+.1f}){mark}"
            else:
                cell = f"{row.mean * 100:.1f}"
            cells[f"{group} {metric}"] = cell
        rows.append(cells)
    print_table(rows)
    outside = sum(cell.endswith("!") for row in rows for cell in row.values())
    print(f"{outside} of {len(methods) * len(CELLS)} figures are more than {BAR} points off")


def write_measured(rows: Sequence[ResultRow]) -> None:
    """Write the figures that `locisimiles methods` shows."""
    figures = {
        row.method: round(row.mean, 4)
        for row in rows
        if (row.group, row.metric) == ("pooled", "R@100") and row.mean is not None
    }
    MEASURED.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--set", type=Path, help="a benchmark that is built already")
    options.add_argument("--runs", type=Path, help="a folder for the runs")
    options.add_argument("--simplemma", action="store_true")
    options.add_argument("--all", action="store_true", help="all methods without requirements")
    options.add_argument("--only", nargs="*", help="measure these, and keep the rows of others")
    given = options.parse_args()
    if given.set:
        benchmark = Benchmark.load(given.set)
    else:
        benchmark = build_benchmark(SHARED / "benchmark" / "labels.csv", SHARED / "corpora")
    methods: list[str | BenchmarkMethod] = list(PAPER_NAMES)
    if given.all:
        methods += [m.name for m in METHODS.values() if not m.needs and m.name not in PAPER_NAMES]
        methods += ["default-no-priors", "fusion-learned"]
    if given.simplemma:
        methods += [with_simplemma(name) for name in PAPER_NAMES if "surface" not in name]
    if given.only:
        methods = list(given.only)
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.runs or Path(temporary)
        started = time.perf_counter()
        finished = run_benchmark(benchmark, methods, ["retrieval"], folder)
        took = time.perf_counter() - started
        runs = Runs.read(folder).only({one.method for one in finished}, {"retrieval"})
    print_beside_paper(runs, [one.method for one in finished])
    print(f"{took:.0f} s for {len(finished)} methods, after loading the set")
    command = (
        "python benchmarks/benchmark_quality.py"
        + " --simplemma" * given.simplemma
        + " --all" * given.all
        + (f" --only {' '.join(given.only)}" if given.only else "")
    )
    results = RESULTS / "retrieval.json"
    rows = [replace(row, command=command) for row in runs.rows]
    values = [value for value in runs.values if value.metric in KEPT_FOR_QUERIES]
    if given.only:
        again = {row.method for row in rows}
        rows = [*(row for row in read_rows(results) if row.method not in again), *rows]
        kept = [value for value in read_query_values(results) if value.method not in again]
        values = [*kept, *values]
    if given.all or given.only:
        write_measured(rows)
    write_rows(results, rows, values)


if __name__ == "__main__":
    main()
