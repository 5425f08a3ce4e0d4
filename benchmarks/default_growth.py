"""The default search and classification in indexes of growing size: time, memory, disk.

    python benchmarks/default_growth.py INDEX QUERY [--shares 9 3 1] [--queries 60] [--skip 0]

INDEX is an index with vectors, QUERY any text; both in the formats of ``locisimiles search``. From
copies of the index works are removed, which encodes nothing again, until a ninth and a third of
its segments are left. Each is searched by a job in a process of its own, whose models are loaded
before, by the same segments of QUERY. A line through the smaller indexes foretells the largest,
and is compared with what is measured there: most of the cost of a query does not depend on the
number of sources. A line through all of them is drawn on to a million. Writes
``benchmarks/results/default_growth.json``.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import RESULTS, in_fresh_process, parser, print_table, save_results
from locisimiles import Index
from locisimiles.index.changes import remove_works

if TYPE_CHECKING:
    from collections.abc import Sequence

SHARES = (9, 3, 1)
WARMING, BLOCK = 2, 10
MILLION = 1_000_000
MEASURES = ("index_megabytes", "cpu_ms_a_query", "memory_megabytes", "kilobytes_a_query")
CODE = """
import json, sys, time
from pathlib import Path
from locisimiles import Document, Index
from locisimiles.jobs import SearchSettings, plan_job, run_blocks
folder, query, first, last, block, warming = sys.argv[1:3] + [int(one) for one in sys.argv[3:]]
query = Document(query)[first:last]
index = Index.open(Path(folder) / "index")
job = plan_job(Path(folder) / "job", query, index, SearchSettings(), block_size=block)
run_blocks(job, range(warming))
used = time.process_time()
run_blocks(job)
used = time.process_time() - used
files = [path.stat().st_size for path in job.blocks_folder.glob("*.parquet")]
status = open("/proc/self/status").read()
print(json.dumps({
    "cpu_seconds": used,
    "kilobytes": sum(files) / 1e3 / len(query),
    "megabytes": int(status.split("VmHWM:")[1].split()[0]) / 1024,
}))
"""


def smaller(index: Path, folder: Path, share: int) -> int:
    """Copy an index, and remove works; return how many segments are left."""
    # Files of an index are never changed, so links are as good as copies.
    shutil.copytree(index, folder, copy_function=os.link)
    found = Index.open(folder)
    parts, whole = found.manifest.parts, len(found)
    found.close()  # so that files without use can be deleted
    left, dropped = whole, []
    for part in sorted(parts, key=lambda one: sha256(one.name.encode()).digest()):
        if (left - part.segments) * share >= whole:
            left -= part.segments
            dropped.append(part.name)
    if dropped:
        remove_works(folder, dropped)
    return left


def measure(place: Path, arguments: Any, share: int) -> dict[str, Any]:  # noqa: ANN401 - options
    """Search in a share of the index."""
    folder = place / str(share)
    folder.mkdir()
    segments = smaller(arguments.index, folder / "index", share)
    last = arguments.skip + arguments.queries + WARMING * BLOCK
    given = (folder, arguments.query, arguments.skip, last, BLOCK, WARMING)
    found = json.loads(in_fresh_process(CODE, *map(str, given)))
    files = [path for path in (folder / "index").rglob("*") if path.is_file()]
    return {
        "segments": segments,
        "index_megabytes": round(sum(path.stat().st_size for path in files) / 1e6, 1),
        "queries": arguments.queries,
        "cpu_ms_a_query": round(found["cpu_seconds"] * 1000 / arguments.queries, 1),
        "memory_megabytes": round(found["megabytes"]),
        "kilobytes_a_query": round(found["kilobytes"], 2),
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
    options.add_argument("index", type=Path)
    options.add_argument("query")
    options.add_argument("--shares", type=int, nargs="+", default=SHARES)
    options.add_argument("--queries", type=int, default=60)
    options.add_argument("--skip", type=int, default=0)
    arguments = options.parse_args()
    rows = []
    for share in sorted(arguments.shares, reverse=True):
        with tempfile.TemporaryDirectory() as place:
            rows.append(measure(Path(place), arguments, share))
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
        "million_by_million_gigabytes": round(million["kilobytes_a_query"] * MILLION / 1e6, 1),
    }
    kept = RESULTS / "default_growth.json"
    known = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    save_results("default_growth", {**known, f"{arguments.queries} queries": found})
    print_table(rows)


if __name__ == "__main__":
    main()
