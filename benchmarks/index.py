"""What an index on disk saves, and what it costs: old way and new way side by side.

    python benchmarks/index.py SET [--folder DIR] [--queries 200] [--rounds 5] [--folds 0 1 2]
    python benchmarks/index.py SET --folder DIR --older CHECKOUT [--rounds 5]

The old way reads the sources from their table, with vectors and lists in the cache; the new way
opens an index of them. Each first hit is measured in new processes, in turn, from the start of the
interpreter, with the default search and classification; the floor is a search in two sources.
Changes are measured with real encoding on a copy. Recall is the share of noted references among the
first candidates of late interaction alone, whose lists differ between the two ways, and of the
default search, for queries of the folds given. Writes ``benchmarks/results/index.json``.

The second command takes an index that is there, and measures the first hit, removing a work of
about 1,000 segments and adding it again, with this code and with that of an older CHECKOUT, in
turn, each in a new process; of each the least is shown, since other load only adds. It replaces the
part ``beside_older_code`` of the results.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import RESULTS, in_fresh_process, parser, print_table, save_results
from locisimiles import Index, IndexEncoder, Pipeline
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.index import PreparedDocument, check_index
from locisimiles.index.changes import add_works, remove_works
from locisimiles.late import Late
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from locisimiles import Document
    from locisimiles.candidates import Candidates
    from locisimiles.late.pieces import EncodedTexts
    from locisimiles.progress import Progress

CUTOFFS = (10, 100, 1000)
FIRST_HIT = """
import json, resource, sys, time
from locisimiles import Document, Index, Pipeline, Segment
way, place = sys.argv[1:3]
query = Document.from_segments([Segment("q", sys.stdin.read(), "Jerome", "Epistulae")])
if way == "floor":
    texts = ["steteruntque comae et vox faucibus haesit", "arma virumque cano"]
    source = Document.from_segments(Segment(str(n), text) for n, text in enumerate(texts))
else:
    source = Index.open(place) if way == "new" else Document(place)
first = Pipeline(k=10).run(query=query, source=source).for_query("q")[0].source.id
used = resource.getrusage(resource.RUSAGE_SELF)
status = open("/proc/self/status").read()  # a child's ru_maxrss begins with its parent's
print(json.dumps({
    "seconds": time.time() - float(sys.argv[3]),
    "cpu_seconds": used.ru_utime + used.ru_stime,
    "megabytes": int(status.split("VmHWM:")[1].split()[0]) / 1024,
    "first": first,
}))
"""
CHANGE = """
import json, sys, time
from pathlib import Path
began, used = time.perf_counter(), time.process_time()
from locisimiles import Document, Index, IndexEncoder
from locisimiles.index.changes import add_works, remove_works
imported = time.perf_counter() - began, time.process_time() - used
folder, name, author, work = Path(sys.argv[1]), *sys.argv[2:5]
index = Index.open(folder)
rows = [at for at, own in enumerate(index.works) if own == work and index.authors[at] == author]
segments = Document.from_segments([index[row] for row in rows])
index.close()
taken = {}
for what, change in (
    ("remove", lambda: remove_works(folder, [name])),
    ("add", lambda: add_works(folder, segments, IndexEncoder())),
):
    began, used = time.perf_counter(), time.process_time()
    change()
    taken[f"{what} seconds"] = time.perf_counter() - began
    taken[f"{what} cpu_seconds"] = time.process_time() - used
print(json.dumps({"import cpu_seconds": imported[1], **taken, "segments": len(rows)}))
"""
QUERY = "haesit uox faucibus et inter ruborem atque pallorem cogitationes uariae mutabantur."


class CachedEncoder(IndexEncoder):
    """Takes vectors from the cache, so that building does not wait for encoding."""

    def __init__(self, encoded: EncodedTexts) -> None:
        super().__init__()
        self._known = encoded

    def _encoded(self, texts: Sequence[str], progress: Progress) -> EncodedTexts:
        del texts, progress
        return self._known


def build(folder: Path, source: PreparedDocument) -> dict[str, Any]:
    """Build the index, and return what that took besides encoding."""
    late = Late()
    encoded = late._piece_encoder().encode_prepared(source, silent, "source")  # noqa: SLF001
    shutil.rmtree(folder, ignore_errors=True)
    began, used = time.perf_counter(), time.process_time()
    index = Index.build(folder, source, CachedEncoder(encoded))
    return {
        "build_seconds_without_encoding": round(time.perf_counter() - began, 1),
        "build_cpu_seconds_without_encoding": round(time.process_time() - used, 1),
        "segments": len(index),
        "works": len(index.manifest.parts),
        "shards": len(index.manifest.shards),
        "pieces": sum(part.pieces for part in index.manifest.parts),
    }


def sizes(folder: Path) -> dict[str, float]:
    """Return the megabytes of each kind of file."""
    kinds = ("parts", "shards", "totals")
    return {
        kind: round(sum(path.stat().st_size for path in (folder / kind).iterdir()) / 1e6, 1)
        for kind in kinds
    }


def first_hits(table: Path, folder: Path, rounds: int) -> list[dict[str, Any]]:
    """Return how long the first hit takes, each way in turn."""
    ways = {"floor": "-", "new": str(folder), "old": str(table)}
    taken: dict[str, list[dict[str, Any]]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, place in ways.items():
            out = in_fresh_process(FIRST_HIT, way, place, str(time.time()), given=QUERY)
            taken[way].append(json.loads(out))
    return [
        {
            "way": way,
            **{
                f"{kind} {name}": round(function(run[name] for run in runs), 2)
                for name in ("seconds", "cpu_seconds")
                for kind, function in (("median", median), ("least", min))
            },
            "megabytes": round(max(run["megabytes"] for run in runs)),
            "first": runs[0]["first"],
        }
        for way, runs in taken.items()
    ]


def beside(older: Path, folder: Path, rounds: int) -> list[dict[str, Any]]:
    """Return the least that first hits and changes take, with this code and with older code."""
    index = Index.open(folder)
    part = min(index.manifest.parts, key=lambda part: abs(part.segments - 1000))
    names = part.name, part.author, part.work
    index.close()
    runs: dict[str, list[dict[str, Any]]] = {"older": [], "this": []}
    for _ in range(rounds):
        for code, own in runs.items():
            root = older if code == "older" else Path(__file__).resolve().parent.parent
            environment = {**os.environ, "PYTHONPATH": str(root.resolve() / "src")}
            hit = in_fresh_process(
                *(FIRST_HIT, "new", str(folder), str(time.time())),
                given=QUERY,
                environment=environment,
            )
            with tempfile.TemporaryDirectory(dir=folder.parent) as place:
                copy = str(shutil.copytree(folder, Path(place) / "copy"))
                changed = in_fresh_process(CHANGE, copy, *names, environment=environment)
            found = {f"first hit {name}": value for name, value in json.loads(hit).items()}
            own.append({**found, **json.loads(changed)})
    return [
        {
            "code": code,
            "rounds": rounds,
            **{name: round(min(run[name] for run in own), 2) for name in own[0] if "sec" in name},
            "segments changed": own[0]["segments"],
        }
        for code, own in runs.items()
    ]


def change(folder: Path) -> dict[str, Any]:
    """Remove a work of about 1,000 segments from a copy, and add it again with real encoding."""
    index = Index.open(folder)
    part = min(index.manifest.parts, key=lambda part: abs(part.segments - 1000))
    rows = [at for at, work in enumerate(index.works) if work == part.work]
    rows = [at for at in rows if index.authors[at] == part.author]
    segments = index.select(rows)
    with tempfile.TemporaryDirectory(dir=folder.parent) as place:
        copy = Path(place) / "copy"
        shutil.copytree(folder, copy)
        taken: dict[str, Any] = {"work": part.name, "changed_segments": part.segments}
        works: dict[str, Callable[[], object]] = {
            "remove": lambda: remove_works(copy, [part.name]),
            "add": lambda: add_works(copy, segments, IndexEncoder()),
        }
        for name, work in works.items():
            began, used = time.perf_counter(), time.process_time()
            work()
            taken[f"{name}_seconds"] = round(time.perf_counter() - began, 2)
            taken[f"{name}_cpu_seconds"] = round(time.process_time() - used, 2)
        before, after = (Index.open(own).manifest for own in (folder, copy))
        taken["same_bytes_again"] = (before.parts, before.shards, before.totals) == (
            after.parts,
            after.shards,
            after.totals,
        )
        began = time.perf_counter()
        taken["damaged"] = len(check_index(copy))
        taken["check_seconds"] = round(time.perf_counter() - began, 2)
    return taken


def recall(
    found: Candidates, query: Document, source: Document, truth: dict[str, set[str]]
) -> dict[str, float]:
    """Return the share of noted references among the first candidates, in percent."""
    shares: dict[str, float] = {}
    for cutoff in CUTOFFS:
        hits = total = 0
        for row, segment_id in enumerate(query.ids):
            first = {source.ids[at] for at in found.of_query(row)[0][:cutoff].tolist()}
            hits += len(first & truth[segment_id])
            total += len(truth[segment_id])
        shares[f"R@{cutoff}"] = round(100 * hits / max(total, 1), 2)
    return shares


def searches(
    query: Document, source: PreparedDocument, index: Index, truth: dict[str, set[str]]
) -> list[dict[str, Any]]:
    """Return seconds and recall of searches in both ways."""
    rows = []
    for name, retriever in (("late", Late()), ("default", Pipeline().retriever)):
        for way, place in (("old", source), ("new", index)):
            began, used = time.perf_counter(), time.process_time()
            searcher = retriever.index(place)
            prepared = time.process_time() - used
            found = searcher.search(PreparedDocument(query), max(CUTOFFS))
            rows.append(
                {
                    "search": name,
                    "way": way,
                    "queries": len(query),
                    "prepare_cpu_seconds": round(prepared, 2),
                    "search_cpu_seconds": round(time.process_time() - used - prepared, 1),
                    "seconds": round(time.perf_counter() - began, 1),
                    **recall(found, query, place, truth),
                }
            )
            print_table(rows[-1:])
    return rows


def main() -> None:
    options = parser(__doc__ or "")
    options.add_argument("set", type=Path, metavar="SET")
    options.add_argument("--folder", type=Path, default=Path("build/benchmark.index"))
    options.add_argument("--queries", type=int, default=200)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--folds", type=int, nargs="+", default=[0, 1, 2])
    options.add_argument("--older", type=Path, help="a checkout of older code")
    chosen = options.parse_args()
    if chosen.older is not None:
        path = RESULTS / "index.json"
        kept = json.loads(path.read_text(encoding="utf-8"))
        kept["beside_older_code"] = beside(chosen.older, chosen.folder, chosen.rounds)
        print_table(kept["beside_older_code"])
        save_results("index", kept)
        return
    benchmark = Benchmark.load(chosen.set)
    source = PreparedDocument(benchmark.source)
    results: dict[str, Any] = build(chosen.folder, source)
    results["megabytes"] = sizes(chosen.folder)
    # Once, so that the old way finds its lists in the cache too.
    Late().index(source)
    results["first_hit"] = first_hits(chosen.set / "source.csv", chosen.folder, chosen.rounds)
    print_table(results["first_hit"])
    results |= change(chosen.folder)
    print(json.dumps({name: results[name] for name in results if name != "first_hit"}, indent=1))
    truth: dict[str, set[str]] = {}
    known = benchmark.references
    chosen_folds = np.isin(known.fold, chosen.folds)
    pairs = known.query[chosen_folds].tolist(), known.source[chosen_folds].tolist()
    for row, of in zip(*pairs, strict=True):
        truth.setdefault(benchmark.query.ids[row], set()).add(benchmark.source.ids[of])
    noted = [row for row, own in enumerate(benchmark.query.ids) if own in truth]
    drawn = np.random.default_rng(0).permutation(noted)[: chosen.queries]
    query = benchmark.query.select(sorted(drawn.tolist()))
    index = Index.open(chosen.folder)
    results["searches"] = searches(query, source, index, truth)
    save_results("index", results)


if __name__ == "__main__":
    main()
