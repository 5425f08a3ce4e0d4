"""What each part of the default method brings, and how it serves authors it was not trained on.

    python benchmarks/default_quality.py SET [--parts] [--authors] [--places]

Everything is measured in the full pool. Weights are learnt anew for each fold, from the others;
sources are encoded once and kept in the cache.

``--parts``
    The second round is fitted without some of its columns, on the 300 candidates that come through
    the first round with all of them, by one network instead of three; recall and MRR over the
    published folds.
``--authors``
    Trained on Jerome and Lactantius and asked about Valerius Flaccus, and the other way round,
    beside BM25 over lemmas. Of the authors that are asked about no habits are known, so priors make
    no difference.
``--places``
    At which rank two well-known references stand, in the folds that hold them out.

Without any of these, all. Writes ``benchmarks/results/default_quality.json``.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.benchmark.learned_default import LearnedDefault, learn_weights, training_rounds
from locisimiles.benchmark.metrics.measurement import find
from locisimiles.benchmark.metrics.significance import compare
from locisimiles.benchmark.protocols import evaluate_retrieval
from locisimiles.benchmark.runs.methods import training_set
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.learn.listwise import fit_listwise
from locisimiles.retrieve import BM25
from locisimiles.retrieve.candidates import Candidates, best, tie_break
from locisimiles.retrieve.combined_weights import FINAL, FIRST
from locisimiles.retrieve.habits import HABITS, verse_works
from locisimiles.retrieve.late_scoring import VIEWS
from locisimiles.retrieve.ranker import fit_ranker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.learned_default import TrainingRounds
    from locisimiles.benchmark.metrics.measurement import Measurement
    from locisimiles.benchmark.sets.references import References
    from locisimiles.corpus import Document
    from locisimiles.retrieve import Index
    from locisimiles.retrieve.combined import CombinedIndex

    Found = dict[int, tuple[NDArray[np.int64], NDArray[np.float32]]]

RESULTS = Path(__file__).parent / "results" / "default_quality.json"
SHOWN = [
    ("pooled", "R@10"), ("pooled", "R@100"), ("pooled", "R@1000"), ("pooled", "MRR"),
    ("cit", "R@100"), ("cf", "R@10"), ("cf", "R@100"),
]  # fmt: skip
DEPTH = 300  # candidates that come into the second round of variants
LATE = ("late", *VIEWS)
PARTS: dict[str, tuple[str, ...]] = {
    "all parts": (),
    "without late interaction": LATE,
    "without its views (first round's columns only)": (*VIEWS, "length"),
    "without lemmas": ("lemmas",),
    "without rules": ("rules",),
    "without word vectors": ("word_vectors",),
    "late interaction alone": ("lemmas", "rules", "word_vectors"),
    "without the reader's authors and works": ("author", "work"),
    "without verse": ("verse_in_verse", "verse_in_prose"),
    "without any habits": HABITS,
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


def print_row(name: str, figures: dict[str, float]) -> None:
    cells = "".join(f"{100 * value:>15.1f}" for value in figures.values())
    print(f"{name:<50}{cells}", flush=True)


def print_head(figures: dict[str, float]) -> None:
    print(" " * 50 + "".join(f"{name:>15}" for name in figures))


def of_queries(found: Found, queries: int) -> Candidates:
    nothing = np.empty(0, np.int64), np.empty(0, np.float32)
    return Candidates.join([found.get(query, nothing) for query in range(queries)])


def measure_parts(benchmark: Benchmark, learned: LearnedDefault) -> dict[str, dict[str, float]]:
    """Fit the second round with all columns but some, fold by fold."""
    places = tie_break(benchmark.source.ids)
    names = (*FINAL, *HABITS)
    found: dict[str, Found] = {name: {} for name in PARTS}
    for fold in benchmark.folds:
        index = learned.index(benchmark.source)
        rounds = training_rounds(index, training_set(benchmark, fold), learned.combined.depth)
        first = first_weights(rounds)
        rounds = rounds.through(first, DEPTH, priors=True)
        columns = index.second_round(rounds.queries, rounds.found)
        asked = benchmark.references.select(benchmark.references.fold == fold).queries.tolist()
        held_out = asked_rounds(index, benchmark.query.select(asked), rounds, learned)
        held_out = held_out.through(first, DEPTH, priors=True)
        asked_columns = index.second_round(held_out.queries, held_out.found)
        for name, left_out in PARTS.items():
            kept = [at for at, column in enumerate(names) if column not in left_out]
            chosen = [names[at] for at in kept]
            fitted = fit_ranker(chosen, [own[:, kept] for own in columns], rounds.right, networks=1)
            for query, own, table_of in zip(asked, held_out.found, asked_columns, strict=True):
                scores = fitted.scores(table_of[:, kept])
                order, values = best(scores - scores.min() + 1, DEPTH, places[own.segments])
                found[name][query] = own.segments[order], values
        print(f"fold {fold} done", flush=True)
    table = {}
    for name, answers in found.items():
        candidates = of_queries(answers, len(benchmark.query))
        figures = shown(evaluate_retrieval(candidates, benchmark.references))
        table[name] = {key: value for key, value in figures.items() if "@1000" not in key}
    return table


def first_weights(rounds: TrainingRounds) -> dict[str, float]:
    """Fit the first round, which chooses the candidates of all variants."""
    columns = [np.concatenate([own.channels, own.habits], axis=1) for own in rounds.found]
    fitted = fit_listwise(columns, rounds.right).tolist()
    return dict(zip((*FIRST, *HABITS), fitted, strict=True))


def asked_rounds(
    index: CombinedIndex, queries: Document, rounds: TrainingRounds, learned: LearnedDefault
) -> TrainingRounds:
    """Search held-out queries; what is known of their authors is from the training folds."""
    in_verse = verse_works(queries)
    found = [
        own.with_habits(
            rounds.habits, segment.author or "", index.facts, in_verse=bool(in_verse[query])
        )
        for query, (segment, own) in enumerate(
            zip(queries, index.first_round(queries, learned.combined.depth), strict=True)
        )
    ]
    unknown = [np.zeros(len(own.segments), bool) for own in found]
    return replace(rounds, queries=queries, found=found, right=unknown)


def by_author(benchmark: Benchmark, learned: LearnedDefault) -> dict[str, dict[str, object]]:
    """Train on some authors, ask about the others."""
    authors = np.array([segment.author for segment in benchmark.query])
    of_reference = authors[benchmark.references.query]
    poet = np.isin(of_reference, ["Valerius Flaccus"])
    table: dict[str, dict[str, object]] = {}
    for name, asked in (("Valerius Flaccus", poet), ("Jerome and Lactantius", ~poet)):
        training = replace(
            benchmark,
            references=benchmark.references.select(~asked),
            provenance=tuple(np.array(benchmark.provenance, object)[~asked]),
        )
        references = benchmark.references.select(asked)
        rows: dict[str, Sequence[Measurement]] = {}
        rows["bm25"] = ranked(BM25().index(benchmark.source), benchmark, references)
        index = learned.index(benchmark.source)
        weights = learn_weights(index, training, learned.combined.depth)
        method = replace(learned.combined, weights=weights)
        rows["default"] = ranked(index.with_weights(method), benchmark, references)
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
    asked = references.queries.tolist()
    found = index.search(benchmark.query.select(asked), 1000)
    own: Found = {}
    for row, query in enumerate(asked):
        segments, scores = found.of_query(row)
        own[query] = segments, scores.astype(np.float32)
    return evaluate_retrieval(of_queries(own, len(benchmark.query)), references)


def ranks_of_places(benchmark: Benchmark, learned: LearnedDefault) -> dict[str, object]:
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
            query, source = int(references.query[row]), int(references.source[row])
            trained = learned.fit(training_set(benchmark, int(references.fold[row])))
            found = trained.index(benchmark.source).search(benchmark.query.select([query]), 1000)
            ranks = np.flatnonzero(found.of_query(0)[0] == source)
            rank = int(ranks[0]) + 1 if len(ranks) else None
            pair = f"{benchmark.query.ids[query]} → {benchmark.source.ids[source]}"
            table[f"{name}: {pair}"] = rank
            print(f"{name}: {pair}: rank {rank}", flush=True)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("set", type=Path)
    for part in ("parts", "authors", "places"):
        parser.add_argument(f"--{part}", action="store_true")
    arguments = parser.parse_args()
    everything = not (arguments.parts or arguments.authors or arguments.places)
    benchmark = Benchmark.load(arguments.set)
    learned = LearnedDefault()
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    if everything or arguments.places:
        results["places"] = ranks_of_places(benchmark, learned)
    if everything or arguments.authors:
        results["authors"] = by_author(benchmark, learned)
        print_head(shown_names())
        for name, figures in results["authors"].items():
            print_row(name, {key: figures[key] for key in shown_names()})
    if everything or arguments.parts:
        results["parts"] = measure_parts(benchmark, learned)
        print_head({name: 0.0 for name in shown_names() if "@1000" not in name})
        for name, figures in results["parts"].items():
            print_row(name, figures)
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def shown_names() -> dict[str, float]:
    return {f"{group} {metric}": 0.0 for group, metric in SHOWN}


if __name__ == "__main__":
    main()
