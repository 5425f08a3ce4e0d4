"""The classifier on the benchmark: all protocols, the whole library, budgets, ablations, the rule.

    python benchmarks/classification_quality.py SET --predictions FILE [--folds N...] [--no-parts]

For each fold, the ensemble is trained on the others and judges the fold's document (every pair);
then it judges the first hundred candidates that the default search, trained on the same folds,
finds in the whole source. FILE has predictions of cross-encoders trained without the fold;
``locisimiles train predictions`` writes it. Without it the cross-encoder is disabled, as in
``locisimiles benchmark run SET --method ensemble``. Writes
``benchmarks/results/classification.json``. Intervals of the library's figures are from 1,000
bootstrap samples of queries.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import average_precision, parser, save_results
from locisimiles.benchmark.metrics.measurement import find
from locisimiles.benchmark.protocols import JudgedFold, PairGrid, evaluate_rerank
from locisimiles.benchmark.runs.evaluation import measure
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.pools import FoldPools
from locisimiles.classify.comparison import ComparableTexts
from locisimiles.classify.labels import Label
from locisimiles.classify.pair_features import GROUPS, PRIORS
from locisimiles.classify.rule import reference_types
from locisimiles.classify.selection import Selection, expect_references
from locisimiles.index import TextPart
from locisimiles.learn.fold_models import learn_for_fold
from locisimiles.learn.predictions import PredictionBook
from locisimiles.retrieve import BM25

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.metrics.measurement import Measurement
    from locisimiles.candidates import Candidates
    from locisimiles.learn.predictions import HeldOutPredictions

BUDGETS = (25, 50, 100, 200, 400, 800)
FIRST = (100, 500, 1000)
DEPTHS = (5, 10, 20, 50, 100)
SAMPLES = 1000


@dataclass
class Judged:
    """The judgements of one fold."""

    with_priors: JudgedFold
    without_priors: JudgedFold
    without_cross_encoder: JudgedFold
    parts: dict[str, list[float]]
    bm25: Candidates
    default: Candidates
    library: dict[str, NDArray[Any]]
    spread: float


def judge_fold(
    pools: FoldPools, fold: int, predictions: HeldOutPredictions | None, *, parts: bool
) -> Judged:
    judge = learn_for_fold(pools, fold, predictions)
    ensemble, pool = judge.ensemble, pools.pool(fold)
    alone = replace(ensemble, cross_encoder=None)
    by_parts = {}
    if parts:
        for name, columns in {**GROUPS, "priors": PRIORS}.items():
            weights = judge.examples.fit(
                judge.examples.training.folds, priors=True, without=columns
            )
            table = ensemble.loaded_weights()
            changed = replace(table.with_priors, weights=weights)
            own = replace(alone, weights=replace(table, with_priors=changed))
            by_parts[name] = average_precisions(judge.document(own).grid)
    return Judged(
        judge.document(),
        judge.document(replace(ensemble, priors=False)),
        judge.document(alone),
        by_parts,
        BM25().index(pool.source).search(pool.query, len(pool.source)),
        judge.search.combined.index(pool.source).search(pool.query, len(pool.source)),
        judge.library(),
        ensemble.calibration.spread,
    )


def average_precisions(grid: PairGrid) -> list[float]:
    """Return average precision of any reference, of cit. and of cf., in percent."""
    chances = grid.probabilities
    columns = (chances[..., 1:].sum(axis=-1), chances[..., 1], chances[..., 2])
    truths = (grid.label > 0, grid.label == Label.CIT, grid.label == Label.CF)
    return [
        average_precision(column.ravel(), truth.ravel(), int(truth.sum()))
        for column, truth in zip(columns, truths, strict=True)
    ]


def in_library(
    rows: dict[str, NDArray[Any]], score: NDArray[Any], benchmark: Benchmark
) -> dict[str, list[float]]:
    """Return precision of the best pairs of all queries and average precision, with intervals."""
    references = benchmark.references
    known = set(zip(references.query.tolist(), references.source.tolist(), strict=True))
    pairs = zip(rows["query"].tolist(), rows["source"].tolist(), strict=True)
    truth = np.array([pair in known for pair in pairs])
    queries = np.unique(rows["query"])
    begins = np.searchsorted(rows["query"], np.append(queries, queries[-1] + 1))
    relevant = np.array([np.count_nonzero(references.query == query) for query in queries])

    def figures(drawn: NDArray[np.int64]) -> list[float]:
        taken = np.concatenate([np.arange(begins[q], begins[q + 1]) for q in drawn])
        hits = truth[taken][np.argsort(-score[taken], kind="stable")]
        precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
        whole = float((precision * hits).sum() / relevant[drawn].sum())
        return [100 * value for value in (*(float(hits[:n].mean()) for n in FIRST), whole)]

    random = np.random.default_rng(0)
    everything = np.arange(len(queries))
    samples = [figures(random.integers(len(queries), size=len(queries))) for _ in range(SAMPLES)]
    low, high = np.percentile(samples, [2.5, 97.5], axis=0)
    names = [*(f"P@{n}" for n in FIRST), "AP"]
    return {
        name: [round(value, 2) for value in own]
        for name, *own in zip(names, figures(everything), low, high, strict=True)
    }


def coverage(folds: Sequence[Judged]) -> dict[str, Any]:
    """Return how often the interval of a budget covers the number of references."""
    inside, rows = [], []
    for fold in folds:
        grid, ranks = fold.with_priors.grid, fold.bm25
        first = ranks.rank <= max(DEPTHS)  # what the rerank protocol judges
        query, source = ranks.query[first], ranks.source[first]
        chances = grid.probabilities[query, source, 1:].sum(axis=-1)
        truth = grid.label[query, source] > 0
        order = np.argsort(-chances, kind="stable")
        for budget in BUDGETS:
            taken = order[:budget]
            expected = expect_references(chances[taken], fold.spread)
            actual = int(truth[taken].sum())
            inside.append(expected.low <= actual <= expected.high)
            numbers = expected.as_dict()
            rows.append({"fold": grid.fold, "budget": budget, **numbers, "references": actual})
    return {"covered": float(np.mean(inside)), "budgets": rows}


def plain_cuts(folds: Sequence[Judged], stage: str) -> dict[str, dict[str, float]]:
    """Return what selections find that are not tuned: budgets, and more likely than not."""
    found: dict[str, dict[str, float]] = {}
    for k in (DEPTHS[0], DEPTHS[-1]):
        for selection in (
            *(Selection(budget=budget) for budget in (400, 500, 600)),
            Selection(threshold=0.5),
        ):
            rows = []
            for fold in folds:
                grid, ranked = fold.with_priors.grid, getattr(fold, stage)
                first = ranked.rank <= k
                pairs = ranked.query[first], ranked.source[first]
                kept = selection.kept(grid.probabilities[pairs][:, 1:].sum(axis=-1))
                hits = int((grid.label[pairs] > 0)[kept].sum())
                flagged, relevant = int(kept.sum()), int((grid.label > 0).sum())
                rows.append([flagged, hits / relevant, 2 * hits / (flagged + relevant)])
            name = ", ".join(f"{what} {value}" for what, value in selection.as_dict().items())
            means = np.mean(rows, axis=0).round(4).tolist()
            found[f"k={k}, {name}"] = dict(zip(("flagged", "R", "F1"), means, strict=True))
    return found


def mean(measured: Sequence[Measurement], group: str, metric: str) -> float:
    return float(find(measured, group, metric).mean)


def first_of_each(fold: JudgedFold, ranked: Candidates) -> JudgedFold:
    """Return a fold with only the best pairs of a retriever."""
    first = ranked.rank <= max(DEPTHS)
    rows = ranked.query[first], ranked.source[first]
    grid = fold.grid
    seen = replace(
        grid,
        probabilities=grid.probabilities[rows][None],
        label=grid.label[rows][None],
        query=grid.query[:1],
    )
    return fold._replace(grid=seen)


def summary(folds: Sequence[Judged]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in ("with_priors", "without_priors", "without_cross_encoder"):
        own = [getattr(fold, name) for fold in folds]
        classified = measure("classification", own)
        calibrated = measure("calibration", own)
        found[name] = {
            **{
                f"{group} {prefix}{metric}": 100 * mean(classified, group, f"{prefix}{metric}")
                for group in ("cit", "cf")
                for prefix in ("", "strict ")
                for metric in ("P", "R", "F1")
            },
            "macro-F1": 100 * mean(classified, "pooled", "macro-F1"),
            **{f"{group} ECE": mean(calibrated, group, "ECE") for group in ("cit", "cf")},
            "average precision (any, cit, cf)": np.mean(
                [average_precisions(fold.grid) for fold in own], axis=0
            ).tolist(),
            "thresholds": [[fold.rule.cit, fold.rule.cf] for fold in own],
            "F1 of the folds": {
                group: (100 * find(classified, group, "F1").fold_value).round(1).tolist()
                for group in ("cit", "cf")
            },
        }
        for stage in ("bm25", "default"):
            candidates = [getattr(fold, stage) for fold in folds]
            rules = [fold.detection or fold.rule for fold in own]
            reranked = evaluate_rerank(
                [fold.grid for fold in own], candidates, rules, depths=DEPTHS
            )
            found[name][f"reranked after {stage}"] = {
                str(k): {
                    metric: mean(reranked, "pooled", f"{metric}@{k}")
                    for metric in ("flagged", "P", "R", "F1")
                }
                for k in DEPTHS
            }
            seen = [first_of_each(*pair) for pair in zip(own, candidates, strict=True)]
            calibrated = measure("calibration", seen)
            found[name][f"ECE of the first 100 after {stage}"] = {
                group: mean(calibrated, group, "ECE") for group in ("cit", "cf")
            }
    found["plain cuts"] = {stage: plain_cuts(folds, stage) for stage in ("bm25", "default")}
    found["budgets"] = coverage(folds)
    if folds[0].parts:
        found["parts left out: average precision (any, cit, cf)"] = {
            name: np.mean([fold.parts[name] for fold in folds], axis=0).tolist()
            for name in folds[0].parts
        }
    return found


def rule_against_labels(benchmark: Benchmark) -> dict[str, Any]:
    """Return how often the rule for cit. and cf. agrees with the labels, and why not always."""
    references = benchmark.references
    queries = [benchmark.query.texts[row] for row in references.query]
    sources = [benchmark.source.texts[row] for row in references.source]
    agrees = reference_types(queries, sources) == references.label
    texts = ComparableTexts(TextPart.of([*queries, *sources]))
    causes: Counter[str] = Counter()
    for row in np.flatnonzero(~agrees):
        compared = texts.compare(int(row), np.array([len(queries) + row]))
        if references.label[row] == Label.CF:
            causes["cf. by label, though the rule holds"] += 1
        elif len(np.unique(texts.words.lemma[compared.in_query])) < 2:  # noqa: PLR2004
            causes["cit. by label: fewer than two lemmas are seen to match"] += 1
        elif compared.pairs.close.any():
            causes["cit. by label: a hard stop stands between"] += 1
        else:
            causes["cit. by label: the words stand too far apart"] += 1
    return {"agrees": 100 * float(agrees.mean()), "causes": dict(causes.most_common())}


def report(folds: Sequence[Judged], benchmark: Benchmark) -> dict[str, Any]:
    """Return all figures."""
    found = summary(folds)
    rows = {
        name: np.concatenate([fold.library[name] for fold in folds]) for name in folds[0].library
    }
    order = np.argsort(rows["query"], kind="stable")
    rows = {name: column[order] for name, column in rows.items()}
    queries = np.unique(rows["query"])
    lexical = BM25().index(benchmark.source).search(benchmark.query.select(queries.tolist()), 100)
    plain = {"query": queries[lexical.query], "source": lexical.source}
    found["library"] = {
        "ensemble": in_library(rows, rows["probability"], benchmark),
        "lemma BM25": in_library(plain, lexical.score, benchmark),
        "expected references among all": float(rows["probability"].sum()),
    }
    found["rule"] = rule_against_labels(benchmark)
    return found


def main() -> None:
    options = parser(__doc__)
    options.add_argument("set", type=Path)
    options.add_argument("--folds", type=int, nargs="*")
    options.add_argument("--no-parts", action="store_true")
    options.add_argument("--predictions", type=Path, help="a file of locisimiles train predictions")
    options.add_argument("--out", type=Path, help="write the results to this file")
    given = options.parse_args()
    benchmark = Benchmark.load(given.set)
    pools = FoldPools(benchmark)
    book = None if given.predictions is None else PredictionBook.load(given.predictions)
    folds = []
    for fold in given.folds or benchmark.folds:
        folds.append(judge_fold(pools, fold, book, parts=not given.no_parts))
        print(f"fold {fold} judged", flush=True)
    found = report(folds, benchmark)
    save_results("classification", found, given.out)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
