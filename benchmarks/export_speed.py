"""How long it takes to write results in each format, and how much memory that needs.

    python benchmarks/export_speed.py

The example texts are repeated under new ids until there are enough pairs. Each format is written by
a process of its own; another prepares the same results and writes nothing. Writes
``benchmarks/results/export_speed.json``: seconds, megabytes of the file, and additional memory in
megabytes. Workbooks are also written with ten times as many pairs, since memory must not grow with
them.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from harness import parser, peak_megabytes, print_table, save_results
from locisimiles import (
    Candidates,
    Document,
    Results,
    load_example_query,
    load_example_source,
    write_results,
)
from locisimiles.export import EXPORT_SUFFIXES
from locisimiles.latin import lemmatize

PAIRS, CANDIDATES = 10_000, 10
NOTHING = "nothing"


def many_results(pairs: int) -> Results:
    query, source = load_example_query(), load_example_source()
    segments = [
        replace(query[number % len(query)], id=f"{number} {query.ids[number % len(query)]}")
        for number in range(pairs // CANDIDATES)
    ]
    found = np.random.default_rng(0).integers(0, len(source), pairs).astype(np.int32)
    return Results(
        Document.from_segments(segments),
        source,
        Candidates(
            query=np.repeat(np.arange(len(segments), dtype=np.int32), CANDIDATES),
            source=found,
            score=np.tile(np.linspace(1, 0.1, CANDIDATES, dtype=np.float32), len(segments)),
        ),
        {"locisimiles": "0", "k": CANDIDATES},
    )


def measure(suffix: str, pairs: int) -> dict[str, float]:
    """Write one format in this process; return seconds, size and memory."""
    results = many_results(pairs)
    lemmatize(["arma"])  # so that reading the model is not counted
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        size = 0
        if suffix != NOTHING:
            size = write_results(results, Path(folder) / f"hits{suffix}")[0].stat().st_size
        took = time.perf_counter() - started
    peak = round(peak_megabytes())
    return {"seconds": round(took, 2), "file_mb": round(size / 1e6, 1), "peak_mb": peak}


def in_a_process(suffix: str, pairs: int) -> dict[str, float]:
    command = [sys.executable, __file__, "--pairs", str(pairs), "--only", suffix]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    measured: dict[str, float] = json.loads(done.stdout)
    return measured


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--pairs", type=int, default=PAIRS)
    options.add_argument("--only", default=None, help="measure one format in this process")
    arguments = options.parse_args()
    if arguments.only:
        print(json.dumps(measure(arguments.only, arguments.pairs)))
        return
    few, many = arguments.pairs, 10 * arguments.pairs
    nothing = {pairs: in_a_process(NOTHING, pairs)["peak_mb"] for pairs in (few, many)}
    rows = []
    for suffix, pairs in [*((suffix, few) for suffix in EXPORT_SUFFIXES), (".xlsx", many)]:
        row = in_a_process(suffix, pairs)
        more = row.pop("peak_mb") - nothing[pairs]
        rows.append({"format": suffix, "pairs": pairs, **row, "more_mb": more})
    print_table(rows)
    content = {"command": "python benchmarks/export_speed.py", "formats": rows}
    save_results("export_speed", content)


if __name__ == "__main__":
    main()
