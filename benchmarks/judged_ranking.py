"""What a project learns from verdicts: the ranking of unjudged pairs, before and after.

    python benchmarks/judged_ranking.py SET [--folds N...] [--cache FOLDER]

A simulated reader works on the queries of one author in one fold, and as many segments without a
reference, as `fold_pool` draws them. The default search finds ten candidates of each in the whole
source, and the ensemble judges them; both are trained on the other folds. The reader judges the
first N pairs in an order that the app offers, by the labels of the benchmark. A correction is
learnt from these verdicts, and the remaining pairs are ranked with and without it. Authors are
searched with and without priors (what they cite in other folds), as in the app. Prior strength and
columns were chosen on folds 0 to 2, nothing on folds 3 and 4. Writes
``benchmarks/results/judged_ranking.json``.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import RESULTS, parser, print_table
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.pools import fold_pool, training_set
from locisimiles.classify.correction import RankedPairs, learn_correction
from locisimiles.classify.correction_check import average_precision, check_correction, log_loss
from locisimiles.classify.ensemble import Ensemble
from locisimiles.index import PreparedDocument
from locisimiles.learn.default import UNTRAINED, LearnedDefault
from locisimiles.learn.ensemble import learn_ensemble
from locisimiles.pipeline import Pipeline
from locisimiles.retrieve import Combined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

JUDGED = (25, 50, 100, 200)
NEXT = (50, 100)
ORDERS = ("reading", "probability", "informative")
DESIGN_FOLDS = (0, 1, 2)
FEWEST_LEFT = 3
Columns = dict[str, "NDArray[Any]"]


def found_pairs(benchmark: Benchmark, fold: int) -> dict[bool, Columns]:
    """Search for the queries of a fold, with the priors of their authors and without."""
    training = training_set(benchmark, fold, seed=0)
    combined = Combined(weights=UNTRAINED)
    source = PreparedDocument(benchmark.source)
    weights = learn_ensemble(training, source, replace(combined, priors=False), seed=0)
    pool = fold_pool(benchmark, fold, seed=0)
    references = benchmark.references
    known = {
        (benchmark.query.ids[query], benchmark.source.ids[source])
        for query, source in zip(references.query.tolist(), references.source.tolist(), strict=True)
    }
    found = {}
    for priors in (True, False):
        retriever = LearnedDefault(replace(combined, priors=priors)).fit(training, source)
        pipeline = Pipeline(retriever, classifier=Ensemble(weights=weights, priors=priors))
        results = pipeline.prepare(source).run(pool.query)
        found[priors] = {
            "query": results.candidates.query,
            "probability": np.array(
                [r.probabilities.reference for r in results if r.probabilities]
            ),
            "query_author": np.array([r.query.author for r in results]),
            "author": np.array([r.source.author for r in results]),
            "work": np.array([r.source.work for r in results]),
            "label": np.array([(r.query.id, r.source.id) in known for r in results]),
        }
    return found


def cached_pairs(benchmark: Benchmark, fold: int, folder: Path | None) -> dict[bool, Columns]:
    """Return the same, cached in a folder."""
    if folder is None:
        return found_pairs(benchmark, fold)
    paths = {priors: folder / f"fold{fold}-{'known' if priors else 'unknown'}.npz"
             for priors in (True, False)}  # fmt: skip
    if not all(path.exists() for path in paths.values()):
        folder.mkdir(parents=True, exist_ok=True)
        for priors, columns in found_pairs(benchmark, fold).items():
            np.savez(paths[priors], allow_pickle=False, **columns)
    return {priors: dict(np.load(path)) for priors, path in paths.items()}


def projects(columns: Columns) -> Iterator[tuple[str, RankedPairs, NDArray[np.bool_]]]:
    """Yield the pairs of each author, and which are references."""
    for author in sorted(set(columns["query_author"].tolist())):
        own = np.flatnonzero(columns["query_author"] == author)
        pairs = RankedPairs(
            columns["query"][own].astype(np.int64),
            columns["probability"][own].astype(np.float64),
            columns["author"][own].tolist(),
            columns["work"][own].tolist(),
        )
        yield author, pairs, columns["label"][own].astype(bool)


def order_of(pairs: RankedPairs, order: str) -> NDArray[np.int64]:
    """Return the pairs as the app would show them."""
    keys = {
        "reading": np.zeros(len(pairs)),
        "probability": -pairs.probability,
        "informative": np.abs(pairs.probability - 0.5),
    }
    return np.argsort(keys[order], kind="stable")


def figures(score: NDArray[np.float64], label: NDArray[np.bool_]) -> dict[str, float]:
    best = label[np.argsort(-score, kind="stable")]
    return {
        "AP": round(100 * average_precision(score, label), 2),
        **{f"P@{n}": round(100 * float(best[:n].mean()), 2) for n in NEXT},
        "log-loss": round(log_loss(score, label), 4),
    }


def simulate(
    pairs: RankedPairs, label: NDArray[np.bool_], order: str, judged: int
) -> dict[str, Any] | None:
    """Judge the first pairs, learn, and measure the rest; None if too few are left."""
    shown = order_of(pairs, order)
    read, left = shown[:judged], shown[judged:]
    if len(left) < max(NEXT) or label[left].sum() < FEWEST_LEFT:
        return None
    learnt = learn_correction(pairs, read, label[read])
    check = check_correction(pairs, read, label[read])
    rest = pairs.select(left)
    return {
        "references judged": int(label[read].sum()),
        "references left": int(label[left].sum()),
        "before": figures(rest.probability, label[left]),
        "after": figures(learnt.probabilities(rest), label[left]),
        "helps by its own check": check.helps,
    }


def summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return means over projects, and how many of them got better or worse."""
    told: dict[str, Any] = {"projects": len(rows)}
    chosen = [row["after" if row["helps by its own check"] else "before"] for row in rows]
    columns = {name: [row[name] for row in rows] for name in ("before", "after")}
    for when, own in {**columns, "as decided by its own check": chosen}.items():
        told[when] = {name: round(float(np.mean([one[name] for one in own])), 3) for name in own[0]}
    gains = np.array([row["after"]["AP"] - row["before"]["AP"] for row in rows])
    told["AP better"], told["AP worse"] = int((gains > 0).sum()), int((gains < 0).sum())
    told["applied by its own check"] = sum(bool(row["helps by its own check"]) for row in rows)
    return told


def main() -> None:
    options = parser(__doc__)
    options.add_argument("set", type=Path)
    options.add_argument("--folds", type=int, nargs="*")
    options.add_argument("--cache", type=Path, help="a folder for what was searched")
    options.add_argument("--out", type=Path, default=RESULTS / "judged_ranking.json")
    given = options.parse_args()
    benchmark = Benchmark.load(given.set)
    rows = []
    for fold in given.folds or benchmark.folds:
        for priors, columns in cached_pairs(benchmark, fold, given.cache).items():
            for author, pairs, label in projects(columns):
                for order in ORDERS:
                    for judged in JUDGED:
                        found = simulate(pairs, label, order, judged)
                        if found is not None:
                            named = {"fold": fold, "author": author, "order": order, "N": judged}
                            named["author is"] = "known" if priors else "unknown"
                            rows.append({**named, "pairs": len(pairs), **found})
        print(f"fold {fold} read", flush=True)
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        folds = "design folds" if row["fold"] in DESIGN_FOLDS else "other folds"
        groups[folds, row["author is"], row["order"], f"N={row['N']}"].append(row)
    told = {", ".join(group): summary(own) for group, own in groups.items()}
    lines = ",\n".join(f"  {json.dumps(row)}" for row in rows)
    whole = f'{{\n "summary": {json.dumps(told, indent=1)},\n "rows": [\n{lines}\n ]\n}}\n'
    given.out.write_text(whole, encoding="utf-8")
    print_table(
        {
            "": name,
            "projects": one["projects"],
            "AP": one["before"]["AP"],
            "learnt": one["after"]["AP"],
            "decided": one["as decided by its own check"]["AP"],
            "better/worse": f"{one['AP better']}/{one['AP worse']}",
            "P@50": one["before"]["P@50"],
            "P@50, learnt": one["after"]["P@50"],
            "P@100": one["before"]["P@100"],
            "P@100, learnt": one["after"]["P@100"],
            "applied": one["applied by its own check"],
        }
        for name, one in sorted(told.items())
    )


if __name__ == "__main__":
    main()
