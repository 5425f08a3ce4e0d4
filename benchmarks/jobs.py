"""Jobs: two workers beside one, and millions of pairs written, cut and asked.

    python benchmarks/jobs.py workers INDEX QUERY [--queries 96]
    python benchmarks/jobs.py pairs --lm DIR [--queries 20000] [--sources 50000] [--k 500]
    python benchmarks/jobs.py growth --lm DIR [--sizes 10000 30000 100000]

``workers`` does the same job of search and classification (the default ones) with one Dask worker
and with two, in turn and twice; each pair of runs must give the same bytes. INDEX is an index with
vectors, QUERY any text. ``pairs`` makes a job of BM25 over running texts (``*.txt.xz`` in DIR, cut
into segments of at most thirty words), all against all, and measures what is done with its pairs,
each in a process of its own. ``growth`` builds indexes of growing size without vectors, and
measures their size, the time of building them, and that of searching 200 segments in each. Writes
``benchmarks/results/jobs.json``.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import shutil
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import RESULTS, in_fresh_process, parser, print_table, save_results
from locisimiles import Document, Index, Pipeline, Segment
from locisimiles.jobs import SearchSettings, open_cluster, plan_job, run_blocks

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from locisimiles.jobs import Job

WORDS, FEWEST = 30, 4
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
    "megabytes": int(status.split("VmHWM:")[1].split()[0]) / 1024,
}}))
"""


def texts_of(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the name of a collection and a segment of at most thirty words, over and over."""
    for path in sorted(folder.glob("*.txt.xz")):
        with lzma.open(path, "rt", encoding="utf-8", errors="replace") as stream:
            for line in stream:
                words = line.split()
                for begin in range(0, len(words), WORDS):
                    if len(words) - begin >= FEWEST:
                        yield path.name.partition(".")[0], " ".join(words[begin : begin + WORDS])


def segments_of(folder: Path, count: int, every: int) -> Document:
    """Return so many segments, each a number of segments after the one before it."""
    drawn = islice(texts_of(folder), 0, count * every, every)
    return Document.from_segments(
        Segment(f"{name} {number}", text, name, f"{name} {number // 2000}")
        for number, (name, text) in enumerate(drawn)
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
    digests = set()
    for turn in range(2):
        for workers in (1, 2) if turn == 0 else (2, 1):
            with open_cluster(f"local:{workers}") as cluster:
                # Models are loaded by a small job before.
                for name, texts in (("warm", query[:8]), ("job", query)):
                    folder = place / f"{name}{turn}{workers}"
                    job = plan_job(folder, texts, index, SearchSettings(), block_size=4)
                    began = time.perf_counter()
                    run_blocks(job, cluster=cluster)
                    seconds = time.perf_counter() - began
                taken[workers].append(seconds)
                digests.add(digest(job))
    assert len(digests) == 1, "workers differ"
    ratio = sum(taken[1]) / sum(taken[2])
    return {
        "queries": len(query),
        "sources": len(index),
        "seconds_of_one": [round(one, 2) for one in taken[1]],
        "seconds_of_two": [round(one, 2) for one in taken[2]],
        "ratio": round(ratio, 2),
        "identical_bytes": True,
    }


def measure_pairs(place: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    """Make a job with many pairs, and measure what is done with them."""
    every = max(1, 2_000_000 // arguments.sources)
    began = time.perf_counter()
    index = Index.build(place / "index", segments_of(arguments.lm, arguments.sources, every))
    built = time.perf_counter() - began
    query = segments_of(arguments.lm, arguments.queries, max(1, 1_900_000 // arguments.queries))
    job = plan_job(
        place / "job",
        query,
        index,
        SearchSettings("bm25", k=arguments.k, exclude=("same-work",)),
        block_size=512,
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
    }


def pairs_in(path: Path) -> int:
    """Return the number of rows of a file."""
    from locisimiles.files.parquet_sql import query_parquet

    with query_parquet([path], "SELECT count(*) FROM results") as found:
        return int(next(found.rows)[0])


def megabytes(folder: Path) -> float:
    """Return the size of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def measure_growth(place: Path, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Build and search indexes of growing size."""
    rows = []
    query = segments_of(arguments.lm, 200, 9001)
    for size in arguments.sizes:
        folder = place / f"index{size}"
        sources = segments_of(arguments.lm, size, max(1, 2_000_000 // size))
        began = time.perf_counter()
        index = Index.build(folder, sources)
        built = time.perf_counter() - began
        searcher = Pipeline("bm25", k=100).prepare(index)
        used = time.process_time()
        searcher.run(query)
        rows.append(
            {
                "segments": len(index),
                "build_seconds": round(built, 1),
                "megabytes": round(megabytes(folder), 1),
                "cpu_ms_a_query": round((time.process_time() - used) * 1000 / len(query), 2),
            }
        )
        index.close()
        shutil.rmtree(folder)
    return rows


def main() -> None:
    """Measure one part, and keep the figures of the others."""
    options = parser(__doc__ or "")
    parts = options.add_subparsers(dest="part", required=True)
    workers = parts.add_parser("workers")
    workers.add_argument("index", type=Path)
    workers.add_argument("query")
    workers.add_argument("--queries", type=int, default=96)
    pairs = parts.add_parser("pairs")
    pairs.add_argument("--queries", type=int, default=20_000)
    pairs.add_argument("--sources", type=int, default=50_000)
    pairs.add_argument("--k", type=int, default=500)
    pairs.add_argument("--jobs", type=int, default=2)
    growth = parts.add_parser("growth")
    growth.add_argument("--sizes", type=int, nargs="+", default=[10_000, 30_000, 100_000])
    for part in (pairs, growth):
        part.add_argument("--lm", type=Path, required=True)
    arguments = options.parse_args()
    measure = {"workers": measure_workers, "pairs": measure_pairs, "growth": measure_growth}
    with tempfile.TemporaryDirectory() as place:
        found: Any = measure[arguments.part](Path(place), arguments)
    kept = RESULTS / "jobs.json"
    known = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    save_results("jobs", {**known, arguments.part: found})
    rows = found if isinstance(found, list) else found.get("tasks", [found])
    print_table(rows)


if __name__ == "__main__":
    main()
