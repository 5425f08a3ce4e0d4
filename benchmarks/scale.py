"""The default search with classification: this code beside older code, stage by stage.

    python benchmarks/scale.py SET --old CHECKOUT [--sources N] [--queries N] [--rounds N]

SET is a benchmark folder, as ``locisimiles benchmark build`` writes it; all its queries with known
references are searched, or some drawn evenly. CHECKOUT is a folder with the older code, such as
``git worktree add old COMMIT``. Each round runs both, each in a process of its own, in turn, so
that other load slows both alike; of each, the round with the fewest seconds counts. The older code
also runs with one thread for NumPy's matrices: where cores are few or busy, the threads of its
library take more time waiting than multiplying.

Seconds are those of the processor, of all threads of the process, user and system; a stage does not
include the stages within it. Sources are encoded before, and cached (`late_speed.py` measures
that); queries are encoded anew. Candidates and probabilities must be equal to the last bit, or the
script fails. Writes ``benchmarks/results/scale.json``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import in_fresh_process, parser, print_table, save_results

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

STAGES = {
    "lemmas, rules and word vectors": (
        "locisimiles.retrieve.lexical.counting:SparseIndex.search",
        "locisimiles.retrieve.ngram_rules.rules:NgramIndex.search",
        "locisimiles.retrieve.vectors.word_vectors:WordVectorIndex.search",
    ),
    "encoding queries": ("locisimiles.late.pieces:PieceEncoder.encode",),
    "late: inverted lists": ("locisimiles.late.first_stage:PieceLists.scores",),
    "late: exact scores and views": ("locisimiles.late.index:score_texts",),
    "late: the rest": (
        "locisimiles.late.index:LateIndex.search",
        "locisimiles.late.index:LateIndex.score",
    ),
    "ranking in two stages": ("locisimiles.retrieve.combined.search:CombinedIndex.search",),
    "comparing words of pairs": ("locisimiles.classify.pair_features:_word_columns",),
    "cross-encoder": ("locisimiles.classify.cross_encoder:CrossEncoderClassifier.probabilities",),
    "features and probabilities": ("locisimiles.classify.ensemble:Ensemble.probabilities",),
}
"""The functions of each stage, by module and name."""
REST = "the rest"

WORKER = """
import functools, hashlib, importlib, inspect, json, resource, sys, time
from pathlib import Path
import numpy as np
from locisimiles import Pipeline
from locisimiles.models.embedding_cache import EmbeddingCache
from locisimiles.benchmark.sets.dataset import Benchmark

folder, sources, queries, stages = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
taken, running = {}, []


def enter(stage):
    running.append([stage, time.process_time(), 0.0])


def leave():
    stage, began, inside = running.pop()
    whole = time.process_time() - began
    taken[stage] = taken.get(stage, 0.0) + whole - inside
    if running:
        running[-1][2] += whole


def timed(stage, function):
    if inspect.isgeneratorfunction(function):
        def steps(*arguments, **named):
            inner = function(*arguments, **named)
            while True:
                enter(stage)
                try:
                    item = next(inner)
                except StopIteration:
                    return
                finally:
                    leave()
                yield item
        return functools.wraps(function)(steps)

    def whole(*arguments, **named):
        enter(stage)
        try:
            return function(*arguments, **named)
        finally:
            leave()
    return functools.wraps(function)(whole)


# Queries are encoded anew, as those of a user are.
from locisimiles.late import pieces

cached = pieces.PieceEncoder.encode


def encode(self, texts, progress, kind):
    cache = EmbeddingCache(None) if kind == "query" else self.cache
    return cached(pieces.PieceEncoder(self.encoder, cache), texts, progress, kind)


pieces.PieceEncoder.encode = encode
for stage, names in json.loads(stages).items():
    for name in names:
        module, _, attribute = name.partition(":")
        owner = importlib.import_module(module)
        *path, last = attribute.split(".")
        for part in path:
            owner = getattr(owner, part)
        setattr(owner, last, timed(stage, getattr(owner, last)))


def drawn(rows, count):
    rows = list(rows)
    if not 0 < count < len(rows):
        return rows
    return [rows[at] for at in np.linspace(0, len(rows) - 1, count).round().astype(int)]


benchmark = Benchmark.load(Path(folder))
source = benchmark.source.select(drawn(range(len(benchmark.source)), sources))
labelled = np.unique(benchmark.references.query).tolist()
query = benchmark.query.select(drawn(labelled, queries))
used = time.process_time()
searcher = Pipeline().prepare(source)
prepared = time.process_time() - used
taken.clear()
began, used = time.perf_counter(), time.process_time()
enter("REST")
results = searcher.run(query)
leave()
found = results.candidates
digest = hashlib.sha256()
for column in (found.query, found.source, found.score, results.probabilities):
    digest.update(np.ascontiguousarray(column).tobytes())
print(json.dumps({
    "preparing_cpu_s": prepared,
    "cpu_s": time.process_time() - used,
    "wall_s": time.perf_counter() - began,
    "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    "stages": taken,
    "queries": len(query), "sources": len(source), "pairs": len(found),
    "sha256": digest.hexdigest(),
}))
"""


MEASURES = ("preparing_cpu_s", "cpu_s", "wall_s", "peak_mb")
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}


def measure(
    checkout: Path, given: argparse.Namespace, variables: Mapping[str, str]
) -> dict[str, Any]:
    """Run the search once with the code of a checkout, and with some environment variables."""
    printed = in_fresh_process(
        WORKER.replace("REST", REST),
        str(given.set.resolve()),
        str(given.sources),
        str(given.queries),
        json.dumps(STAGES),
        environment={**os.environ, "PYTHONPATH": str(checkout.resolve() / "src"), **variables},
    )
    measured: dict[str, Any] = json.loads(printed.splitlines()[-1])
    return measured


def commit(checkout: Path) -> str:
    """Return the commit of a checkout, marked if its code has changed since."""
    command = ["git", "-C", str(checkout), "describe", "--always", "--dirty", "--exclude", "*"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def rows_of(best: Mapping[str, dict[str, Any]]) -> list[dict[str, object]]:
    """Return a row per stage, and one for all."""
    rows: list[dict[str, object]] = []
    for stage in (*STAGES, REST, "all"):
        taken = {
            name: run["cpu_s"] if stage == "all" else run["stages"].get(stage, 0.0)
            for name, run in best.items()
        }
        row: dict[str, object] = {"stage": stage}
        row |= {f"{name}_cpu_s": round(seconds, 2) for name, seconds in taken.items()}
        for name in ("old", "old_one_thread"):
            row[f"times_{name}"] = round(taken[name] / max(taken["new"], 1e-9), 2)
        rows.append(row)
    return rows


def main() -> int:
    options = parser(__doc__)
    options.add_argument("set", type=Path, help="a folder with a benchmark")
    options.add_argument("--old", type=Path, required=True, help="a checkout of older code")
    options.add_argument("--sources", type=int, default=0, help="so many sources; 0 for all")
    options.add_argument("--queries", type=int, default=0, help="so many queries; 0 for all")
    options.add_argument("--rounds", type=int, default=2)
    given = options.parse_args()
    new = Path(__file__).resolve().parent.parent
    runs: dict[str, list[dict[str, Any]]] = {"old": [], "old_one_thread": [], "new": []}
    for number in range(given.rounds):
        for name, own in runs.items():
            variables = ONE_THREAD if name == "old_one_thread" else {}
            own.append(measure(new if name == "new" else given.old, given, variables))
            seconds = ", ".join(f"{key} {own[-1][key]:.1f}" for key in MEASURES)
            print(f"round {number + 1}, {name}: {seconds}", flush=True)
    best = {name: min(own, key=lambda run: float(run["cpu_s"])) for name, own in runs.items()}
    rows = rows_of(best)
    print_table(rows)
    same = len({run["sha256"] for own in runs.values() for run in own}) == 1
    print("the same results to the last bit" if same else "the results DIFFER")
    sizes = {name: best["new"][name] for name in ("queries", "sources", "pairs")}
    content = {
        "command": "python benchmarks/scale.py SET --old CHECKOUT"
        + "".join(
            f" --{name} {value}" for name in ("sources", "queries") if (value := vars(given)[name])
        )
        + f" --rounds {given.rounds}",
        "commits": {"old": commit(given.old), "new": commit(new)},
        **sizes,
        "same_results": same,
        "rows": rows,
        "runs": {
            name: [{key: round(run[key], 1) for key in MEASURES} for run in own]
            for name, own in runs.items()
        },
    }
    save_results("scale", content)
    return not same


if __name__ == "__main__":
    sys.exit(main())
