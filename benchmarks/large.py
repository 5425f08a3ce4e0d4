"""What large searches cost and find: a million segments, a share of the whole benchmark, exactness.

    python benchmarks/large.py million LM [--segments 1000000] [--queries 100] [--rounds 3]
                                          [--older CHECKOUT] [--folder DIR]
    python benchmarks/large.py whole SET INDEX [--share 20] [--limit-minutes 20] [--folder DIR]
    python benchmarks/large.py exact SET INDEX [--queries 100] [--folds 0 1 2]

``million`` takes the distinct lines of LM (a folder of ``*.txt.xz``), builds an index without
vectors of a tenth of them and one of all, and searches other lines of LM in both: seconds are those
of the processor, of one thread. The index is opened and searched in a new process each time, by the
methods that find all they need in an index without vectors: first one query, then a block in which
most words are new and models are loaded (``cpu_ms_a_query``), then a block of further queries. Both
sizes, and an older CHECKOUT if given, take turns; of the rounds the least counts, since other load
only adds. Older code must find the same candidates with the same scores, to the last bit.

``whole`` runs ``locisimiles search`` with evenly drawn queries of a benchmark, in an index of its
sources, by the default method with classification; 100 candidates each are written to Parquet. Its
memory is the sum over all processes, each page counted once, looked at twice a second. Runs with
other shares are kept beside; what the whole benchmark would take is extrapolated from two of them,
and named so.

``exact`` compares late interaction in an index with exact searches: what it finds of their first,
with 64 segments of the index as queries, and of the noted references of some queries of the folds
given.

Writes ``benchmarks/results/large.json``, where each part leaves the other as it is.
"""

from __future__ import annotations

import json
import lzma
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import RESULTS, in_fresh_process, parser, peak_megabytes, print_table, save_results
from locisimiles import Document, Index, Segment
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.index.changes import build_index
from locisimiles.late import Late
from locisimiles.late.recall import shares_of_exact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence

CUTOFFS = (10, 100, 1000)
SAMPLE = 64
METHODS = ("bm25", "ngrams", "word2vec")
LINES_OF_A_WORK = 2500
SHORTEST, LONGEST = 15, 400  # letters of a line
SEARCH = """
import hashlib, json, sys, time
from locisimiles import Document, Index, Pipeline, Segment
blocks = [
    Document.from_segments(Segment(str(n), text) for n, text in enumerate(texts))
    for texts in json.load(sys.stdin)
]
taken = []
used = time.process_time()
searcher = Pipeline(sys.argv[2], k=1000, classifier=None).prepare(Index.open(sys.argv[1]))
for query in blocks:
    found = searcher.run(query).candidates
    taken.append(1000 * (time.process_time() - used) / len(query))
    used = time.process_time()
status = open("/proc/self/status").read()
print(json.dumps({
    "first_hit_cpu_s": round(taken[0] / 1000, 2),
    "cpu_ms_a_query": round(taken[1], 2),
    "cpu_ms_a_further_query": round(taken[2], 2),
    "candidates": len(found),
    "megabytes": round(int(status.split("VmHWM:")[1].split()[0]) / 1024),
    "sha256": hashlib.sha256(b"".join(
        getattr(found, name).tobytes() for name in ("query", "source", "score")
    )).hexdigest()[:16],
}))
"""
TIMES = ("first_hit_cpu_s", "cpu_ms_a_query", "cpu_ms_a_further_query")


def lines_of(folder: Path) -> Iterator[str]:
    """Yield the distinct lines of all files, in their order."""
    seen: set[int] = set()
    for path in sorted(folder.glob("*.txt.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as stream:
            for line in map(str.strip, stream):
                if SHORTEST <= len(line) <= LONGEST and hash(line) not in seen:
                    seen.add(hash(line))
                    yield line


def million(given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Build and search two indexes."""
    lines = lines_of(given.lm)
    texts = list(islice(lines, given.segments))
    queries = list(islice(lines, 0, 50 * (2 * given.queries + 1), 50))
    ends = [0, 1, 1 + given.queries, 1 + 2 * given.queries]
    blocks = json.dumps([queries[begin:end] for begin, end in pairwise(ends)])
    indexes, built = {}, {}
    for size in (len(texts) // 10, len(texts)):
        step = len(texts) / size
        indexes[size] = folder / str(size)
        built[size] = _built(indexes[size], [texts[int(at * step)] for at in range(size)])
        print_table([{"segments": size, **built[size]}])
    codes = {"this": Path(__file__).resolve().parent.parent}
    if given.older:
        codes["older"] = given.older.resolve()
    runs: dict[tuple[str, str, int], list[dict[str, Any]]] = {}
    for _ in range(given.rounds):
        for method in METHODS:
            for code, root in codes.items():
                for size, index in indexes.items():
                    out = in_fresh_process(
                        *(SEARCH, str(index), method),
                        given=blocks,
                        environment={**_one_thread(), "PYTHONPATH": str(root / "src")},
                    )
                    runs.setdefault((method, code, size), []).append(json.loads(out))
                    print(method, code, size, out.strip(), flush=True)
    rows = _least(runs)
    print_table([{**row, "sha256": row["sha256"][:4]} for row in rows])
    return {"queries": given.queries, "rounds": given.rounds, "built": built, "rows": rows}


def _least(runs: Mapping[tuple[str, str, int], list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Return the least of each time, and how often it is that of the smaller index."""
    rows: list[dict[str, Any]] = []
    known: dict[tuple[str, int], str] = {}
    for (method, code, size), own in runs.items():
        for run in own:
            if known.setdefault((method, size), run["sha256"]) != run["sha256"]:
                raise SystemExit(f"{method} finds other candidates than before")
        row = {"method": method, "code": code, "segments": size, **own[0]}
        row |= {name: min(run[name] for run in own) for name in TIMES}
        smaller = next(
            (one for one in rows if (one["method"], one["code"]) == (method, code)), None
        )
        if smaller is not None:
            row |= {f"{name} ratio": round(row[name] / smaller[name], 2) for name in TIMES[1:]}
        rows.append(row)
    return rows


def _built(folder: Path, texts: Sequence[str]) -> dict[str, float]:
    document = Document.from_segments(
        Segment(f"{row}", text, "lm", f"{row // LINES_OF_A_WORK:04}")
        for row, text in enumerate(texts)
    )
    used = time.process_time()
    build_index(folder, document, None)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return {"build_cpu_s": round(time.process_time() - used, 1), "index_mb": round(size / 1e6, 1)}


def _one_thread() -> dict[str, str]:
    return {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def whole(given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Search a share of the queries of a benchmark, as users do."""
    benchmark = Benchmark.load(given.set)
    total, sources = len(benchmark.query), len(benchmark.source)
    rows = np.linspace(0, total - 1, total // given.share).round().astype(int).tolist()
    query, output = folder / "query.jsonl", folder / "found.parquet"
    with query.open("w", encoding="utf-8") as stream:
        for segment in benchmark.query.select(rows):
            record = {"seg_id": segment.id, "text": segment.text}
            record |= {"author": segment.author, "work": segment.work}
            stream.write(json.dumps(record) + "\n")
    command = [sys.executable, "-m", "locisimiles", "search", query, given.index, "-k", "100"]
    command += ["-o", output, "--overwrite"]
    began, used = time.perf_counter(), _used_by_children()
    process = subprocess.Popen(list(map(str, command)), stderr=subprocess.PIPE, text=True)
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, _memory_of(process.pid))
        time.sleep(0.5)
        if time.perf_counter() - began > 60 * given.limit_minutes:
            process.terminate()
    seconds, cpu = time.perf_counter() - began, _used_by_children() - used
    errors = process.stderr.read() if process.stderr else ""
    if process.returncode:
        raise SystemExit(errors)
    print(errors)
    run = {
        "queries": len(rows),
        "minutes": round(seconds / 60, 2),
        "cpu_minutes": round(cpu / 60, 2),
        "peak_mb_of_all_processes": round(peak),
        "parquet_mb": round(output.stat().st_size / 1e6, 1),
    }
    known = _kept().get("whole", {}).get("runs", [])
    runs = sorted([*(one for one in known if one["queries"] != len(rows)), run], key=_size)
    print_table(runs)
    found = {"of": total, "sources": sources, "runs": runs}
    if len(runs) > 1:
        small, large = runs[0], runs[-1]
        more = (total - large["queries"]) / (large["queries"] - small["queries"])
        for name in ("minutes", "cpu_minutes"):
            whole = large[name] + more * (large[name] - small[name])
            found[f"extrapolated_{name}_of_the_whole"] = round(whole, 1)
            print(f"extrapolated: {whole:.0f} {name} for {total:,} queries")
    return found


def _size(run: dict[str, Any]) -> int:
    return int(run["queries"])


def _kept() -> dict[str, Any]:
    path = RESULTS / "large.json"
    kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return kept


def exact(given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Compare late interaction in an index with exact searches."""
    del folder
    benchmark, index = Benchmark.load(given.set), Index.open(given.index)
    late = Late().index(index)
    places = np.unique(np.linspace(0, len(index) - 1, SAMPLE).astype(int)).tolist()
    shares = shares_of_exact(late, index.select(places), CUTOFFS)
    known = benchmark.references
    chosen = np.isin(known.fold, given.folds)
    noted: dict[int, set[str]] = {}
    for row, source in zip(
        known.query[chosen].tolist(), known.source[chosen].tolist(), strict=True
    ):
        noted.setdefault(row, set()).add(benchmark.source.ids[source])
    rows = [list(noted)[at] for at in np.linspace(0, len(noted) - 1, given.queries).astype(int)]
    query = benchmark.query.select(rows)
    ways = {"index": late, "exact": replace(late, lists=None)}
    found: dict[str, dict[str, float]] = {}
    for way, searched in ways.items():
        used = time.process_time()
        candidates = searched.search(query, max(CUTOFFS))
        found[way] = {"cpu_ms_a_query": round(1000 * (time.process_time() - used) / len(query), 1)}
        for cutoff in CUTOFFS:
            hits = [
                len(noted[row] & {index.ids[at] for at in candidates.of_query(place)[0][:cutoff]})
                for place, row in enumerate(rows)
            ]
            total = sum(len(noted[row]) for row in rows)
            found[way][f"R@{cutoff}"] = round(100 * sum(hits) / total, 2)
        print_table([{"way": way, **found[way]}])
    of_exact = {f"first {cutoff}": round(100 * share, 2) for cutoff, share in shares.items()}
    print_table([of_exact])
    return {"sources": len(index), "percent_of_exact": of_exact, "references": found}


def _used_by_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _memory_of(pid: int) -> float:
    """Return the megabytes of a process and those it started; shared pages count once in all."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:  # it has ended
        return 0.0
    own = next((line.split()[1] for line in text.splitlines() if line.startswith("Pss:")), "0")
    return int(own) / 1024 + sum(_memory_of(int(child)) for child in children)


def main() -> None:
    options = parser(__doc__ or "")
    parts = options.add_subparsers(required=True)
    one = parts.add_parser("million")
    one.add_argument("lm", type=Path, help="a folder of texts")
    one.add_argument("--segments", type=int, default=1_000_000)
    one.add_argument("--queries", type=int, default=100)
    one.add_argument("--rounds", type=int, default=3)
    one.add_argument("--older", type=Path, help="a checkout of older code")
    one.set_defaults(run=million, name="million")
    two = parts.add_parser("whole")
    two.add_argument("set", type=Path, help="a folder with a benchmark")
    two.add_argument("index", type=Path, help="an index of its sources")
    two.add_argument("--share", type=int, default=20, help="search one query of so many")
    two.add_argument("--limit-minutes", type=float, default=20)
    two.set_defaults(run=whole, name="whole")
    three = parts.add_parser("exact")
    three.add_argument("set", type=Path, help="a folder with a benchmark")
    three.add_argument("index", type=Path, help="an index of its sources")
    three.add_argument("--queries", type=int, default=100)
    three.add_argument("--folds", type=int, nargs="+", default=[0, 1, 2])
    three.set_defaults(run=exact, name="exact")
    for part in (one, two, three):
        part.add_argument("--folder", type=Path, help="where to keep files meanwhile")
    given = options.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        found = given.run(given, Path(folder))
    kept = _kept()
    settings = {name: value for name, value in vars(given).items() if isinstance(value, int)}
    kept[given.name] = {"settings": settings, "own_peak_mb": round(peak_megabytes()), **found}
    save_results("large", kept)


if __name__ == "__main__":
    main()
