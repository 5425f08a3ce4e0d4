"""Jobs: two workers beside one, and millions of pairs written, cut and asked.

    python benchmarks/jobs.py workers INDEX QUERY [--queries 224]
    python benchmarks/jobs.py pairs --lm DIR [--queries 2000] [--sources 50000] [--k 5000]
    python benchmarks/jobs.py app JOB RESULTS
    python benchmarks/jobs.py --name "100 million" pairs --lm DIR --queries 20400
    python benchmarks/jobs.py growth --lm DIR [--sizes 10000 30000 100000 300000 1000000]
    python benchmarks/jobs.py default --lm DIR [--sizes 10000 30000 90000] [--queries 100]

``workers`` does the same job of search and classification (the default ones) with one Dask worker
and with two, in turn and twice; each pair of runs must give the same bytes. INDEX is an index with
vectors, QUERY any text. ``pairs`` makes a job of BM25 over running texts (``*.txt.xz`` in DIR, cut
into segments of at most thirty words), all against all, and measures what is done with its pairs,
each in a process of its own. ``app`` imports the compact RESULTS of a JOB into a project of the
app, and asks for its pages; ``pairs`` does the same with its own. ``growth`` builds indexes of
growing size without vectors, and searches 1,000 segments in each with BM25: in the largest, a
thousandth of searching a million in a million. What the one before foretells for the largest, in
proportion to their sizes, is compared with what is measured. ``default`` does the same with the
default search and classification, so the indexes have vectors: fewer segments and queries, each
size in a process of its own, whose memory is measured, too. There, half of the cost of a query does
not depend on the number of sources; so a line through the sizes before foretells the largest.
Writes
``benchmarks/results/jobs.json``.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import os
import shutil
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import RESULTS, in_fresh_process, parser, print_table, save_results
from locisimiles import Document, Index, Segment
from locisimiles.app.storage.pairs.writing import MOST_PAIRS
from locisimiles.jobs import SearchSettings, open_cluster, plan_job, run_blocks

if TYPE_CHECKING:
    import argparse

    from locisimiles.jobs import Job

WORDS, FEWEST, WARMING = 30, 4, 6
PAIRS_A_BLOCK = 200_000
QUERIES = 1000
SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)
ASKED = {
    "write compact": """
from locisimiles.jobs import Job, merging_pipeline, write_compact
job = Job.open(Path(sys.argv[1]))
write_compact(job, merging_pipeline(job), Path(sys.argv[2]))
""",
    "write compact, budget of 10,000": """
from locisimiles.jobs import Job, merging_pipeline, write_compact
from locisimiles.classify.selection import Selection
job = Job.open(Path(sys.argv[1]))
pipeline = merging_pipeline(job)
pipeline.selection = Selection(budget=10_000)
write_compact(job, pipeline, Path(sys.argv[2]))
""",
    "query: best 10,000": """
from locisimiles.files.parquet_sql import query_parquet
sql = "SELECT * FROM results ORDER BY score DESC, query_id, rank LIMIT 10000"
with query_parquet([Path(sys.argv[3])], sql) as found:
    assert len(list(found.rows)) == 10_000
""",
    "query: pairs by work": """
from locisimiles.files.parquet_sql import query_parquet
sql = "SELECT query_work, source_work, count(*), sum(score) FROM results GROUP BY ALL"
with query_parquet([Path(sys.argv[3])], sql) as found:
    list(found.rows)
""",
}
CODE = """
import json, sys, time
from pathlib import Path
began = time.time()
{work}
status = open("/proc/self/status").read()
print(json.dumps({{
    "seconds": time.time() - began,
    "cpu_seconds": time.process_time(),
    "megabytes": int(status.split("VmHWM:")[1].split()[0]) / 1024,
}}))
"""


@cache
def texts_of(folder: Path) -> list[tuple[str, str]]:
    """Return segments of at most thirty words, each with the name of its collection."""
    found = []
    for path in sorted(folder.glob("*.txt.xz")):
        name = path.name.partition(".")[0]
        with lzma.open(path, "rt", encoding="utf-8", errors="replace") as stream:
            for line in stream:
                words = line.split()
                cut = (words[begin : begin + WORDS] for begin in range(0, len(words), WORDS))
                found += [(name, " ".join(part)) for part in cut if len(part) >= FEWEST]
    return found


def segments_of(folder: Path, count: int, first: int = 0) -> Document:
    """Return so many segments, drawn evenly from all."""
    texts = texts_of(folder)
    places = np.linspace(first, len(texts) - 1, count).astype(int).tolist()
    return Document.from_segments(
        Segment(f"{texts[at][0]} {at}", texts[at][1], texts[at][0], f"{texts[at][0]} {at // 9999}")
        for at in dict.fromkeys(places)
    )


def digest(job: Job) -> str:
    """Return the hash of all blocks."""
    paths = sorted(job.blocks_folder.glob("*.parquet"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()


def measure_workers(place: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    """Do the same job with one worker and with two."""
    index = Index.open(arguments.index)
    query = Document(arguments.query)[: arguments.queries]
    taken: dict[int, list[float]] = {1: [], 2: []}
    used: dict[int, list[list[float]]] = {1: [], 2: []}
    digests = set()
    for turn in range(2):
        for workers in (1, 2) if turn == 0 else (2, 1):
            with open_cluster(f"local:{workers}") as cluster:
                job = plan_job(
                    place / f"{turn}{workers}", query, index, SearchSettings(), block_size=4
                )
                run_blocks(job, range(WARMING), cluster=cluster)  # models are loaded
                before = cluster.everywhere(time.process_time)
                began = time.perf_counter()
                run_blocks(job, cluster=cluster)
                taken[workers].append(time.perf_counter() - began)
                after = cluster.everywhere(time.process_time)
                used[workers].append(sorted(after[name] - before[name] for name in before))
                digests.add(digest(job))
    assert len(digests) == 1, "workers differ"
    ratio = sum(taken[1]) / sum(taken[2])
    busiest = sum(max(each) for each in used[2])
    return {
        "queries": len(query) - 4 * WARMING,
        "sources": len(index),
        "seconds_of_one": [round(one, 2) for one in taken[1]],
        "seconds_of_two": [round(one, 2) for one in taken[2]],
        "ratio": round(ratio, 2),
        "cpu_seconds_of_one": [round(sum(each), 2) for each in used[1]],
        "cpu_seconds_of_two": [[round(one, 2) for one in each] for each in used[2]],
        # How much faster the busier of two is done: the ratio on cores that do nothing else.
        "ratio_by_cpu": round(sum(map(sum, used[1])) / busiest, 2),
        "load": round(os.getloadavg()[0], 1),
        "identical_bytes": True,
    }


def measure_pairs(place: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    """Make a job with many pairs, and measure what is done with them."""
    began = time.perf_counter()
    index = Index.build(place / "index", segments_of(arguments.lm, arguments.sources))
    built = time.perf_counter() - began
    query = segments_of(arguments.lm, arguments.queries, first=7)
    job = plan_job(
        place / "job",
        query,
        index,
        SearchSettings("bm25", k=arguments.k, exclude=("same-work",)),
        block_size=max(8, PAIRS_A_BLOCK // arguments.k),
    )
    began = time.perf_counter()
    run_blocks(job, processes=arguments.jobs)
    searched = time.perf_counter() - began
    whole, rows = place / "whole.parquet", []
    for name, work in ASKED.items():
        target = whole if name == "write compact" else place / "other.parquet"
        code = CODE.format(work=work)
        found = json.loads(in_fresh_process(code, str(job.folder), str(target), str(whole)))
        rows.append({"task": name} | {key: round(value, 2) for key, value in found.items()})
    count = pairs_in(whole)
    return {
        "queries": len(query),
        "sources": len(index),
        "pairs": count,
        "index_seconds": round(built, 1),
        "search_seconds": round(searched, 1),
        "processes": arguments.jobs,
        "blocks_megabytes": round(megabytes(job.blocks_folder), 1),
        "compact_megabytes": round(whole.stat().st_size / 1e6, 1),
        "tasks": rows,
    } | ({"app": measure_app(job.folder, whole, place / "projects")} if count <= MOST_PAIRS else {})


IMPORT = """
from locisimiles.cli.imported_results import import_into
from locisimiles.progress import silent
import_into("imported", Path(sys.argv[2]), Path(sys.argv[1]), title="", folder=Path(sys.argv[3]),
            user="", progress=silent)
"""
PAGES = """
import json, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from imported_pages import measure_pages
print(json.dumps(measure_pages(Path(sys.argv[1]), "imported")))
"""


def measure_app(job: Path, results: Path, projects: Path) -> dict[str, Any]:
    """Import pairs into a project of the app, and ask for its pages."""
    code = CODE.format(work=IMPORT)
    found = json.loads(in_fresh_process(code, str(job), str(results), str(projects)))
    return {
        "pairs": pairs_in(results),
        "import": {key: round(value, 1) for key, value in found.items()},
        "project_megabytes": round(megabytes(projects), 1),
        "load": round(os.getloadavg()[0], 1),
        **json.loads(in_fresh_process(PAGES, str(projects), str(Path(__file__).parent))),
    }


def measure_import(place: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    """Import the pairs of a job that is done."""
    return measure_app(arguments.job, arguments.results, place / "projects")


def pairs_in(path: Path) -> int:
    """Return the number of rows of a file."""
    from locisimiles.files.parquet_sql import query_parquet

    with query_parquet([path], "SELECT count(*) FROM results") as found:
        return int(next(found.rows)[0])


def megabytes(folder: Path) -> float:
    """Return the size of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def measure_growth(place: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    """Build and search indexes of growing size; foretell the largest from the one before."""
    rows = [measure_size(place / str(size), size, arguments.lm) for size in arguments.sizes]
    before, largest = rows[-2], rows[-1]
    times = largest["segments"] / before["segments"]
    foretold = {
        name: before[name] * times for name in ("build_cpu_seconds", "megabytes", "cpu_ms_a_query")
    }
    return {
        "tasks": rows,
        "foretold": {name: round(value, 2) for name, value in foretold.items()},
        "measured_by_foretold": {
            name: round(largest[name] / value, 2) for name, value in foretold.items()
        },
    }


def measure_size(folder: Path, size: int, lm: Path) -> dict[str, Any]:
    """Build an index, and search some segments in it by a job."""
    sources = segments_of(lm, size)
    used = time.process_time()
    index = Index.build(folder / "index", sources)
    built = time.process_time() - used
    query = segments_of(lm, QUERIES, first=7)
    settings = SearchSettings("bm25", k=100)
    for name, texts in (("warm", query[:8]), ("job", query)):
        job = plan_job(folder / name, texts, index, settings, block_size=50)
        used = time.process_time()
        run_blocks(job)
        searched = time.process_time() - used
    row = {
        "segments": len(index),
        "build_cpu_seconds": round(built, 2),
        "megabytes": round(megabytes(folder / "index"), 1),
        "queries": len(query),
        "cpu_ms_a_query": round(searched * 1000 / len(query), 2),
        "kilobytes_a_query": round(megabytes(job.blocks_folder) * 1000 / len(query), 2),
    }
    index.close()
    shutil.rmtree(folder)
    return row


def main() -> None:
    """Measure one part, and keep the figures of the others."""
    options = parser(__doc__ or "")
    options.add_argument("--name", help="under which the figures are kept; that of the part")
    parts = options.add_subparsers(dest="part", required=True)
    workers = parts.add_parser("workers")
    workers.add_argument("index", type=Path)
    workers.add_argument("query")
    workers.add_argument("--queries", type=int, default=224)
    pairs = parts.add_parser("pairs")
    pairs.add_argument("--queries", type=int, default=2000)
    pairs.add_argument("--sources", type=int, default=50_000)
    pairs.add_argument("--k", type=int, default=5000)
    pairs.add_argument("--jobs", type=int, default=2)
    app = parts.add_parser("app")
    app.add_argument("job", type=Path)
    app.add_argument("results", type=Path)
    growth = parts.add_parser("growth")
    growth.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    for part in (pairs, growth):
        part.add_argument("--lm", type=Path, required=True)
    arguments = options.parse_args()
    measure = {
        "workers": measure_workers,
        "pairs": measure_pairs,
        "growth": measure_growth,
        "app": measure_import,
    }
    with tempfile.TemporaryDirectory() as place:
        found = measure[arguments.part](Path(place), arguments)
    kept = RESULTS / "jobs.json"
    known = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    save_results("jobs", {**known, arguments.name or arguments.part: found})
    print_table(found.get("tasks", [found]))


if __name__ == "__main__":
    main()
