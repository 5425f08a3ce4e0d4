"""The default search and classification in indexes of growing size: time, memory, disk.

    python benchmarks/default_growth.py --lm DIR [--sizes 10000 30000 90000] [--queries 100]

Builds indexes with vectors of running texts (``*.txt.xz`` in DIR, cut into segments of at most
thirty words), and searches some other segments in each by a job, as ``jobs.py growth`` does with
BM25; each size in processes of its own, one to build and one to search, whose models are loaded
before. A line through the smaller sizes foretells the largest, and is compared with what is
measured there; a line through all sizes is drawn on to a million, and multiplied by as many
queries. Writes ``benchmarks/results/default_growth.json``.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import in_fresh_process, parser, print_table, save_results
from jobs import segments_of
from locisimiles import Index
from locisimiles.jobs import SearchSettings, plan_job

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZES = (10_000, 30_000, 90_000)
WARMING, BLOCK = 2, 10
MILLION = 1_000_000
MEASURES = ("build_cpu_seconds", "index_megabytes", "cpu_ms_a_query", "memory_megabytes",
            "kilobytes_a_query")  # fmt: skip
CODE = """
import json, sys, time
from pathlib import Path
sys.path.insert(0, {here!r})
from default_growth import {work}
found = {work}(*sys.argv[1:])
status = open("/proc/self/status").read()
print(json.dumps(dict(found, megabytes=int(status.split("VmHWM:")[1].split()[0]) / 1024)))
"""


def build(folder: str, lm: str, size: str) -> dict[str, float]:
    """Build an index with vectors."""
    import time

    from locisimiles.late import IndexEncoder

    sources, encoder = segments_of(Path(lm), int(size)), IndexEncoder()
    used = time.process_time()
    index = Index.build(Path(folder) / "index", sources, encoder)
    return {"cpu_seconds": time.process_time() - used, "segments": len(index)}


def search(folder: str, lm: str, queries: str) -> dict[str, float]:
    """Search segments by a job: some that load the models, and then the others."""
    import time

    from locisimiles.jobs import run_blocks

    query = segments_of(Path(lm), int(queries) + WARMING * BLOCK, first=7)
    index = Index.open(Path(folder) / "index")
    job = plan_job(Path(folder) / "job", query, index, SearchSettings(), block_size=BLOCK)
    run_blocks(job, range(WARMING))
    used = time.process_time()
    run_blocks(job)
    files = [path.stat().st_size for path in job.blocks_folder.glob("*.parquet")]
    return {"cpu_seconds": time.process_time() - used, "kilobytes": sum(files) / 1e3 / len(query)}


def measure(place: Path, lm: Path, size: int, queries: int) -> dict[str, Any]:
    """Build an index of a size, and search in it."""
    built, searched = (
        json.loads(
            in_fresh_process(CODE.format(work=work, here=str(Path(__file__).parent)), *given)
        )
        for work, given in (
            ("build", (str(place), str(lm), str(size))),
            ("search", (str(place), str(lm), str(queries))),
        )
    )
    files = sum(path.stat().st_size for path in (place / "index").rglob("*") if path.is_file())
    return {
        "segments": built["segments"],
        "build_cpu_seconds": round(built["cpu_seconds"], 1),
        "build_memory_megabytes": round(built["megabytes"]),
        "index_megabytes": round(files / 1e6, 1),
        "queries": queries,
        "cpu_ms_a_query": round(searched["cpu_seconds"] * 1000 / queries, 1),
        "memory_megabytes": round(searched["megabytes"]),
        "kilobytes_a_query": round(searched["kilobytes"], 2),
        "load": round(os.getloadavg()[0], 1),
    }


def foretold(rows: Sequence[dict[str, Any]], name: str, segments: int) -> float:
    """Return what a line through rows foretells for an index of another size."""
    known = [row["segments"] for row in rows]
    slope, begin = np.polyfit(known, [row[name] for row in rows], 1)
    return float(slope * segments + begin)


def main() -> None:
    """Measure all sizes."""
    options = parser(__doc__ or "")
    options.add_argument("--lm", type=Path, required=True)
    options.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    options.add_argument("--queries", type=int, default=100)
    arguments = options.parse_args()
    rows = []
    for size in arguments.sizes:
        with tempfile.TemporaryDirectory() as place:
            rows.append(measure(Path(place), arguments.lm, size, arguments.queries))
        print(rows[-1], flush=True)
    *before, largest = rows
    million = {name: round(foretold(rows, name, MILLION), 1) for name in MEASURES}
    found = {
        "tasks": rows,
        "measured_by_foretold": {
            name: round(largest[name] / foretold(before, name, largest["segments"]), 2)
            for name in MEASURES
        },
        "million": million,
        "million_by_million_core_hours": round(million["cpu_ms_a_query"] * MILLION / 3.6e6),
    }
    save_results("default_growth", found)
    print_table(rows)


if __name__ == "__main__":
    main()
