"""What int8 costs: late interaction with the shipped encoder, and with the same in float32.

    python benchmarks/encoder_precision.py SET FLOAT32 [--sources 12000]

FLOAT32 is a folder that ``locisimiles train late --precision float32`` exported from the same
weights. All cited sources and as many others as asked for are searched for all queries, scored
exactly. Writes ``benchmarks/results/encoder_precision.json``.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from locisimiles.benchmark.metrics.measurement import find
from locisimiles.benchmark.metrics.significance import compare
from locisimiles.benchmark.protocols import evaluate_retrieval
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.retrieve import Late

RESULTS = Path(__file__).parent / "results" / "encoder_precision.json"
METRICS = ("R@10", "R@100", "R@1000", "MRR")


def reduced(benchmark: Benchmark, sources: int) -> Benchmark:
    """Return a set with the queries and sources of references, and some other sources."""
    references = benchmark.references
    rng = np.random.default_rng(0)
    others = rng.permutation(len(benchmark.source))[:sources]
    kept = np.union1d(others, references.source)
    queries = references.queries
    return replace(
        benchmark,
        query=benchmark.query.select(queries.tolist()),
        source=benchmark.source.select(kept.tolist()),
        references=replace(
            references,
            query=np.searchsorted(queries, references.query).astype(np.int32),
            source=np.searchsorted(kept, references.source).astype(np.int32),
        ),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("set", type=Path)
    parser.add_argument("float32", type=Path)
    parser.add_argument("--sources", type=int, default=12_000)
    arguments = parser.parse_args()
    benchmark = reduced(Benchmark.load(arguments.set), arguments.sources)
    measured = {}
    for name, model in (("int8", "latin"), ("float32", arguments.float32)):
        index = Late(model, exact=True, cache=None).index(benchmark.source)
        found = index.search(benchmark.query, 1000)
        measured[name] = evaluate_retrieval(found, benchmark.references)
        figures = {m: round(100 * find(measured[name], "pooled", m).mean, 2) for m in METRICS}
        print(f"{name:<10}{figures}", flush=True)
    both = [find(measured[name], "pooled", "R@100").query_value for name in ("int8", "float32")]
    comparison = compare(*both)
    results = {
        "sources": len(benchmark.source),
        **{
            name: {m: float(find(own, "pooled", m).mean) for m in METRICS}
            for name, own in measured.items()
        },
        "mean difference of R@100": comparison.mean_difference,
        "p": comparison.p_value,
    }
    print(f"int8 - float32: {100 * comparison.mean_difference:+.2f} points of R@100")
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
