"""Ablation of the default method, and its quality for authors it was not trained on.

    python benchmarks/default_quality.py SET [--parts] [--authors] [--places]

All figures are for the full pool. Weights are learnt for each fold from the others; sources are
encoded once and cached.

``--parts``
    Fits the second stage without some of its columns, on the 300 candidates that the first stage
    passes on with all columns, as one network instead of three; recall and MRR over the published
    folds.
``--authors``
    Trains on Jerome and Lactantius and tests on Valerius Flaccus, and vice versa, beside BM25 over
    lemmas. The authors tested have no priors.
``--places``
    The ranks of two well-known references, in the folds that hold them out.

By default all three. Writes ``benchmarks/results/default_quality.json``.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from harness import RESULTS, parser, print_table, save_results
from locisimiles.benchmark.metrics.measurement import find
from locisimiles.benchmark.metrics.significance import compare
from locisimiles.benchmark.protocols import evaluate_retrieval
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.pools import training_set
from locisimiles.candidates import Candidates, best
from locisimiles.index import PreparedDocument
from locisimiles.late.scoring import VIEWS
from locisimiles.learn.default import LearnedDefault, RecordedParts, training_queries
from locisimiles.learn.listwise import fit_listwise
from locisimiles.learn.ranker import fit_ranker
from locisimiles.retrieve import BM25
from locisimiles.retrieve.combined.priors import PRIOR_COLUMNS
from locisimiles.retrieve.combined.search import first_stage, second_stage
from locisimiles.retrieve.combined.weights import CHANNELS, SECOND_STAGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.metrics.measurement import Measurement
    from locisimiles.benchmark.sets.references import References
    from locisimiles.learn.default import TrainingQueries
    from locisimiles.retrieve import Index

    Found = dict[int, tuple[NDArray[np.int64], NDArray[np.float32]]]

SHOWN = [
    ("pooled", "R@10"), ("pooled", "R@100"), ("pooled", "R@1000"), ("pooled", "MRR"),
    ("cit", "R@100"), ("cf", "R@10"), ("cf", "R@100"),
]  # fmt: skip
DEPTH = 300  # candidates of the second stage of variants
LATE = ("late", *VIEWS)
PARTS: dict[str, tuple[str, ...]] = {
    "all parts": (),
    "without late interaction": LATE,
    "without its views (columns of the first stage only)": (*VIEWS, "length"),
    "without lemmas": ("lemmas",),
    "without rules": ("rules",),
    "without word vectors": ("word_vectors",),
    "late interaction alone": ("lemmas", "rules", "word_vectors"),
    "without priors of authors and works": ("author", "work"),
    "without verse": ("verse_in_verse", "verse_in_prose"),
    "without any priors": PRIOR_COLUMNS,
}
PLACES = {
    "nosce te": ("hier. epist. 57.12.4", "cic. tusc. 1.52"),
    "omnia tuta timens": ("hier. epist. 7.4.1", "verg. aen. 4.297"),
}


def shown(measurements: Sequence[Measurement]) -> dict[str, float]:
    return {
        f"{group} {metric}": round(float(find(measurements, group, metric).mean), 4)
        for group, metric in SHOWN
    }


def of_queries(found: Found, queries: int) -> Candidates:
    nothing = np.empty(0, np.int64), np.empty(0, np.float32)
    return Candidates.join([found.get(query, nothing) for query in range(queries)])


def measure_parts(
    benchmark: Benchmark, source: PreparedDocument, learned: LearnedDefault
) -> dict[str, dict[str, float]]:
    """Fit the second stage with all columns but some, fold by fold."""
    parts = RecordedParts(learned.combined.parts(source))
    names = (*SECOND_STAGE, *PRIOR_COLUMNS)
    found: dict[str, Found] = {name: {} for name in PARTS}
    for fold in benchmark.folds:
        training = training_queries(parts, training_set(benchmark, fold), learned.combined.depth)
        first = first_weights(training)
        held = benchmark.references.select(benchmark.references.fold == fold).queries.tolist()
        training, held_out = (
            queries.passed(first, DEPTH)
            for queries in (training, held_out_queries(parts, benchmark, held, training, learned))
        )
        columns, held_out_columns = (
            [own.features for own in second_stage(parts, queries.queries, queries.candidates)]
            for queries in (training, held_out)
        )
        for name, left_out in PARTS.items():
            kept = tuple(column for column in names if column not in left_out)
            chosen = [own.select(kept) for own in columns]
            fitted = fit_ranker(kept, chosen, training.right, networks=1)
            for query, own, features in zip(
                held, held_out.candidates, held_out_columns, strict=True
            ):
                scores = fitted.scores(features)
                order, values = best(scores - scores.min() + 1, DEPTH, parts.ties[own.segments])
                found[name][query] = own.segments[order], values
        print(f"fold {fold} done", flush=True)
    table = {}
    for name, answers in found.items():
        candidates = of_queries(answers, len(benchmark.query))
        figures = shown(evaluate_retrieval(candidates, benchmark.references))
        table[name] = {key: value for key, value in figures.items() if "@1000" not in key}
    return table


def first_weights(training: TrainingQueries) -> dict[str, float]:
    """Fit the first stage, which chooses the candidates of all variants."""
    names = (*CHANNELS, *PRIOR_COLUMNS)
    columns = [own.features.select(names) for own in training.candidates]
    return dict(zip(names, fit_listwise(columns, training.right).tolist(), strict=True))


def held_out_queries(
    parts: RecordedParts,
    benchmark: Benchmark,
    held: list[int],
    training: TrainingQueries,
    learned: LearnedDefault,
) -> TrainingQueries:
    """Search for held-out queries; the priors of their authors are those of the training folds."""
    queries = PreparedDocument(benchmark.query.select(held))
    found = first_stage(parts, queries, [training.priors] * len(queries), learned.combined.depth)
    unknown = [np.zeros(len(own.segments), bool) for own in found]
    return replace(training, queries=queries, candidates=found, right=unknown)


def by_author(
    benchmark: Benchmark, source: PreparedDocument, learned: LearnedDefault
) -> dict[str, dict[str, object]]:
    """Train on some authors, test on the others."""
    authors = np.array([segment.author for segment in benchmark.query])
    of_reference = authors[benchmark.references.query]
    poet = np.isin(of_reference, ["Valerius Flaccus"])
    table: dict[str, dict[str, object]] = {}
    for name, tested in (("Valerius Flaccus", poet), ("Jerome and Lactantius", ~poet)):
        training = replace(
            benchmark,
            references=benchmark.references.select(~tested),
            provenance=tuple(np.array(benchmark.provenance, object)[~tested]),
        )
        references = benchmark.references.select(tested)
        rows: dict[str, Sequence[Measurement]] = {}
        rows["bm25"] = ranked(BM25().index(source), benchmark, references)
        trained = learned.fit(training, source)
        rows["default"] = ranked(trained.index(source), benchmark, references)
        base = find(rows["bm25"], "pooled", "R@100")
        for method_name, measured in rows.items():
            figures: dict[str, object] = dict(shown(measured))
            if method_name != "bm25":
                other = find(measured, "pooled", "R@100")
                figures["p against bm25"] = round(
                    compare(other.query_value, base.query_value).p_value, 5
                )
            table[f"{name}: {method_name}"] = figures
    return table


def ranked(index: Index, benchmark: Benchmark, references: References) -> Sequence[Measurement]:
    queries = references.queries.tolist()
    found = index.search(benchmark.query.select(queries), 1000)
    own: Found = {}
    for row, query in enumerate(queries):
        segments, scores = found.of_query(row)
        own[query] = segments, scores.astype(np.float32)
    return evaluate_retrieval(of_queries(own, len(benchmark.query)), references)


def ranks_of_places(
    benchmark: Benchmark, source: PreparedDocument, learned: LearnedDefault
) -> dict[str, object]:
    """Return the ranks of well-known references in the folds that hold them out."""
    table: dict[str, object] = {}
    references = benchmark.references
    for name, (query_id, source_id) in PLACES.items():
        rows = [
            row
            for row in range(len(references))
            if benchmark.query.ids[references.query[row]].startswith(query_id + ".")
            and benchmark.source.ids[references.source[row]].startswith(source_id)
        ]
        for row in rows:
            query, wanted = int(references.query[row]), int(references.source[row])
            trained = learned.fit(training_set(benchmark, int(references.fold[row])), source)
            found = trained.index(source).search(benchmark.query.select([query]), 1000)
            ranks = np.flatnonzero(found.of_query(0)[0] == wanted)
            rank = int(ranks[0]) + 1 if len(ranks) else None
            pair = f"{benchmark.query.ids[query]} → {benchmark.source.ids[wanted]}"
            table[f"{name}: {pair}"] = rank
            print(f"{name}: {pair}: rank {rank}", flush=True)
    return table


def main() -> None:
    options = parser(__doc__)
    options.add_argument("set", type=Path)
    tasks = {"places": ranks_of_places, "authors": by_author, "parts": measure_parts}
    for name in tasks:
        options.add_argument(f"--{name}", action="store_true")
    given = options.parse_args()
    chosen = [name for name in tasks if getattr(given, name)] or list(tasks)
    benchmark = Benchmark.load(given.set)
    learned, source = LearnedDefault(), PreparedDocument(benchmark.source)
    path = RESULTS / "default_quality.json"
    results = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for name in chosen:
        results[name] = tasks[name](benchmark, source, learned)
        if name != "places":  # printed one by one
            print_table({"": row, **figures} for row, figures in results[name].items())
    save_results("default_quality", results)


if __name__ == "__main__":
    main()
