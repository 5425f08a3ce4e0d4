"""BM25 over lemmas beside two other implementations, in one run.

    python benchmarks/retrieval_speed.py SET [--queries 1000] [--whole]

SET is a benchmark folder (`locisimiles benchmark build`). The other two, bm25s and rank-bm25, are
installed into a temporary environment. Each engine runs in its own process on the same texts; all
use our tokenizer and lemmatizer, whose time is included. rank-bm25 gets fewer queries, since it is
slow. ``--whole`` also searches for the whole query corpus. Writes
``benchmarks/results/retrieval_speed.json``: CPU seconds, and ratios; ``end to end`` is indexing and
all queries.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import venv
from pathlib import Path
from typing import TYPE_CHECKING

from harness import in_fresh_process, parser, print_table, save_results

if TYPE_CHECKING:
    from argparse import Namespace

ROOT = Path(__file__).parent.parent
PEERS = ("bm25s", "rank-bm25")
FEW = 20
COMMAND = "python benchmarks/retrieval_speed.py SET --whole"

ENGINE = r"""
import json, resource, sys, time
import numpy as np
from locisimiles import Document
engine, folder, count, k = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
source = Document(f"{folder}/source.csv", format="csv")
queries = Document(f"{folder}/query.csv", format="csv")
if count:
    step = max(len(queries) // count, 1)
    queries = queries.select(list(range(0, step * count, step)))
from locisimiles.latin import lemmatize
lemmatize(["arma"], "fast")  # the model is loaded once for all
start = time.process_time()
if engine == "ours":
    from locisimiles import BM25
    index = BM25().index(source)
    indexed, clock = time.process_time(), time.perf_counter()
    found = len(index.search(queries, k))
else:
    from locisimiles.retrieve.lexical.terms import term_function
    to_terms = term_function("lemma")
    terms = to_terms(source.texts)
    if engine == "bm25s":
        import bm25s
        index = bm25s.BM25(k1=1.5, b=0.75, method="lucene")
        index.index(terms, show_progress=False)
    else:
        from rank_bm25 import BM25Okapi
        index = BM25Okapi(terms)
    indexed, clock = time.process_time(), time.perf_counter()
    found = 0
    for own in to_terms(queries.texts):
        if not own:
            continue
        scores = np.asarray(index.get_scores(own))
        top = np.argpartition(-scores, k)[:k]
        found += len(top[np.argsort(-scores[top])])
searched = time.process_time()
clock = time.perf_counter() - clock
print(json.dumps({
    "queries": len(queries), "index": indexed - start, "search": searched - indexed,
    "ms a query": 1000 * (searched - indexed) / len(queries), "found": found,
    "search, seconds on the clock": clock,
    "peak megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
"""


def environment(folder: Path) -> Path:
    """Create an environment with this package and the other two."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", ROOT, *PEERS], check=True)
    return python


def run(python: Path, engine: str, given: Namespace, queries: int) -> dict[str, float]:
    printed = in_fresh_process(
        ENGINE, engine, str(given.set), str(queries), str(given.k),
        python=python, environment={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    measured: dict[str, float] = json.loads(printed.splitlines()[-1])
    return measured


def add_ratios(rows: dict[str, dict[str, float]], queries: int) -> None:
    """Compare each row with ours."""

    def end_to_end(row: dict[str, float]) -> float:
        return row["index"] + queries * row["ms a query"] / 1000

    ours = rows["ours"]
    for row in rows.values():
        row["ratio to ours"] = round(row["ms a query"] / ours["ms a query"], 2)
        row["ratio to ours, end to end"] = round(end_to_end(row) / end_to_end(ours), 2)


def main() -> None:
    options = parser(__doc__)
    options.add_argument("set", type=Path)
    options.add_argument("--queries", type=int, default=1000)
    options.add_argument("--k", type=int, default=100)
    options.add_argument("--whole", action="store_true", help="the whole query corpus as well")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        python = environment(Path(folder))
        rows = {
            engine: run(python, engine, given, queries)
            for engine, queries in (
                ("ours", given.queries),
                ("bm25s", given.queries),
                ("rank-bm25", FEW),
            )
        }
        if given.whole:
            rows["ours, whole corpus"] = run(python, "ours", given, 0)
    add_ratios(rows, given.queries)
    print_table({"engine": name, **row} for name, row in rows.items())
    save_results("retrieval_speed", {"command": COMMAND, "engines": rows})


if __name__ == "__main__":
    main()
