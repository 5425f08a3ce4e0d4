"""BM25 over lemmas beside two other implementations, in one run.

    python benchmarks/retrieval_speed.py SET [--queries 1000] [--whole]

SET is a benchmark folder (`locisimiles benchmark build`). The peers, bm25s and rank-bm25, are
installed into a throw-away environment. Each engine runs in a process of its own on the same texts;
tokenizing and lemmatizing are ours for all of them and count for all of them. rank-bm25 is asked
fewer queries, since it needs long for each. ``--whole`` also searches the whole query corpus.
Writes ``benchmarks/results/retrieval_speed.json``: CPU seconds, and ratios, which is what counts;
``end to end`` is the index and all queries.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
import venv
from pathlib import Path

RESULTS = Path(__file__).parent / "results" / "retrieval_speed.json"
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
    """Make an environment with ourselves and the peers."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", ROOT, *PEERS], check=True)
    return python


def run(python: Path, engine: str, options: argparse.Namespace, queries: int) -> dict[str, float]:
    numbers = (str(number) for number in (queries, options.k))
    done = subprocess.run(
        [python, "-c", ENGINE, engine, str(options.set), *numbers],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    measured: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return measured


def show(rows: dict[str, dict[str, float]], queries: int) -> None:
    """Print a table, and add the ratios to the rows."""

    def end_to_end(row: dict[str, float]) -> float:
        return row["index"] + queries * row["ms a query"] / 1000

    ours = rows["ours"]
    print(
        f"{'engine':<36}{'queries':>9}{'index s':>9}{'ms a query':>12}{'ratio':>9}"
        f"{'end to end':>12}{'clock s':>9}{'peak MB':>9}"
    )
    for name, row in rows.items():
        row["ratio to ours"] = round(row["ms a query"] / ours["ms a query"], 2)
        row["ratio to ours, end to end"] = round(end_to_end(row) / end_to_end(ours), 2)
        print(
            f"{name:<36}{row['queries']:>9,}{row['index']:>9.1f}{row['ms a query']:>12.2f}"
            f"{row['ratio to ours']:>9.2f}{row['ratio to ours, end to end']:>12.2f}"
            f"{row['search, seconds on the clock']:>9.1f}{row['peak megabytes']:>9.0f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("set", type=Path)
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--k", type=int, default=100)
    parser.add_argument("--whole", action="store_true", help="the whole query corpus as well")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        python = environment(Path(folder))
        rows = {
            engine: run(python, engine, options, queries)
            for engine, queries in (
                ("ours", options.queries),
                ("bm25s", options.queries),
                ("rank-bm25", FEW),
            )
        }
        if options.whole:
            rows["ours, whole corpus"] = run(python, "ours", options, 0)
    show(rows, options.queries)
    RESULTS.write_text(
        json.dumps(
            {"command": "python benchmarks/retrieval_speed.py SET --whole", "engines": rows},
            indent=1,
        )
        + "\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
