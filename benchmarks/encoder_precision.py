"""What int8 costs: late interaction with the shipped encoder, and with the same in float32.

    python benchmarks/encoder_precision.py SET FLOAT32 [--sources 12000]

FLOAT32 is a folder that ``locisimiles train late --precision float32`` exported from the same
weights. Exact search for all queries, in all cited sources and a number of others. Writes
``benchmarks/results/encoder_precision.json``.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from harness import parser, print_table, save_results
from locisimiles.benchmark.metrics.measurement import find
from locisimiles.benchmark.metrics.significance import compare
from locisimiles.benchmark.protocols import evaluate_retrieval
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.retrieve import Late

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
    options = parser(__doc__)
    options.add_argument("set", type=Path)
    options.add_argument("float32", type=Path)
    options.add_argument("--sources", type=int, default=12_000)
    arguments = options.parse_args()
    benchmark = reduced(Benchmark.load(arguments.set), arguments.sources)
    measured = {}
    for name, model in (("int8", "latin"), ("float32", arguments.float32)):
        index = Late(model, exact=True, cache=None).index(benchmark.source)
        found = index.search(benchmark.query, 1000)
        measured[name] = evaluate_retrieval(found, benchmark.references)
    figures = {
        name: {metric: float(find(own, "pooled", metric).mean) for metric in METRICS}
        for name, own in measured.items()
    }
    print_table({"": name, **own} for name, own in figures.items())
    both = [find(measured[name], "pooled", "R@100").query_value for name in ("int8", "float32")]
    comparison = compare(*both)
    results = {
        "sources": len(benchmark.source),
        **figures,
        "mean difference of R@100": comparison.mean_difference,
        "p": comparison.p_value,
    }
    print(f"int8 - float32: {100 * comparison.mean_difference:+.2f} points of R@100")
    save_results("encoder_precision", results)


if __name__ == "__main__":
    main()
