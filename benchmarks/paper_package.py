"""The paper's package and `locisimiles.compat` on the same files: what their retrievers find.

    python benchmarks/paper_package.py SET --python paper/bin/python

SET is a benchmark (``locisimiles benchmark build``); the fold documents of folds 0–2 are searched,
queries without references among them. The Python must have the paper's package;
docs/coming-from-the-paper.md says how to make one. Without the internet its models and CLTK cannot
be had, so its words are not lemmatised; `compat` is measured both ways, and with our encoder, which
has seen no noted reference. Nothing here was learnt from references. Writes
``benchmarks/results/paper_package.json``.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import parser, print_table, save_results
from locisimiles import compat
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.pools import fold_pool

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDS = (0, 1, 2)
TOP_K = 10
PROGRAM = Path(__file__).parents[1] / "tests" / "support" / "their_package.py"
Found = dict[Any, list[str]]
OURS: dict[str, Callable[[], compat.Pipeline]] = {
    "bm25, words": lambda: compat.BM25RetrievalPipeline(lemmatize=False),
    "bm25, lemmas": compat.BM25RetrievalPipeline,
    "tfidf, words": lambda: compat.TfidfRetrievalPipeline(lemmatize=False),
    "tfidf, lemmas": compat.TfidfRetrievalPipeline,
    "rules": compat.RuleBasedPipeline,
    "embedding": compat.RetrievalPipeline,
}
THEIRS = {"bm25, words": "bm25", "tfidf, words": "tfidf", "rules": "rules"}


def write_files(pool: Benchmark, folder: Path) -> list[Path]:
    """Write a fold as files that both read."""
    paths = [folder / name for name in ("query.csv", "source.csv", "known.csv")]
    for path, document in zip(paths, (pool.query, pool.source), strict=False):
        made = compat.Document(path)
        for segment in document:
            made.add_segment(segment.text, segment.id)
        made.save_csv(path)
    known = pool.references
    compat.GroundTruth(
        [
            {"query_id": pool.query.ids[q], "source_id": pool.source.ids[s], "label": 1}
            for q, s in zip(known.query.tolist(), known.source.tolist(), strict=True)
        ]
    ).to_csv(paths[2])
    return paths


def recalls(found: Found, known: compat.GroundTruth) -> dict[str, float]:
    """Return the share of the known references among the first one and the first ten."""
    return {
        f"recall@{k}": sum(one.source_id in found.get(one.query_id, [])[:k] for one in known)
        / len(known)
        for k in (1, TOP_K)
    }


def search_both(python: str, paths: list[Path]) -> dict[str, dict[str, Found]]:
    """Return the ids that each pipeline finds, by query."""
    done = subprocess.run(
        [python, PROGRAM, *paths, str(TOP_K)], capture_output=True, text=True, check=True
    )
    line = next(line for line in done.stdout.splitlines() if line.startswith("RESULT"))
    theirs = json.loads(line.removeprefix("RESULT"))["pipelines"]
    query, source = (compat.Document(path) for path in paths[:2])
    return {
        "theirs": {
            name: {one: [row[0] for row in rows] for one, rows in theirs[key].items()}
            for name, key in THEIRS.items()
        },
        "compat": {
            name: {
                one: [str(candidate.segment.id) for candidate in listed]
                for one, listed in make().run(query=query, source=source, top_k=TOP_K).items()
            }
            for name, make in OURS.items()
        },
    }


def main() -> None:
    """Search the folds with both, and print and save what they find."""
    options = parser(__doc__ or "")
    options.add_argument("set", type=Path)
    options.add_argument("--python", required=True, help="a Python with the paper's package")
    chosen = options.parse_args()
    warnings.simplefilter("ignore")  # that models are ours
    benchmark = Benchmark.load(chosen.set)
    whole: dict[str, dict[str, Found]] = {"theirs": {}, "compat": {}}
    known = compat.GroundTruth()
    sizes = []
    for fold in FOLDS:
        pool = fold_pool(benchmark, fold)
        sizes.append((len(pool.query), len(pool.source), len(pool.references)))
        with tempfile.TemporaryDirectory() as folder:
            paths = write_files(pool, Path(folder))
            known += compat.GroundTruth(paths[2])
            for side, found in search_both(chosen.python, paths).items():
                for name, lists in found.items():
                    whole[side].setdefault(name, {}).update(lists)
    measured = {
        side: {name: recalls(found, known) for name, found in methods.items()}
        for side, methods in whole.items()
    }
    print_table(
        {"retriever": name, "package": side, **measured[side][name]}
        for name in OURS
        for side in ("theirs", "compat")
        if name in measured[side]
    )
    save_results("paper_package", {"folds": FOLDS, "sizes": sizes, "measured": measured})


if __name__ == "__main__":
    main()
