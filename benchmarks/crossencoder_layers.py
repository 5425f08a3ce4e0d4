"""How many layers the ensemble's cross-encoder needs: the same protocol with several of them.

    python benchmarks/crossencoder_layers.py SET NAME=PREDICTIONS... [--folds N...]

PREDICTIONS are files of ``locisimiles train predictions`` with other layers or teachers; the first
is what the others are compared with. For each fold, search and features are learnt once on the
others; then, with each cross-encoder, its weight, the calibration and the thresholds. Rows have
average precision of the cross-encoder alone among the likely pairs of a fold's document (all others
count as found last), that of the ensemble, F1 of both types (means of folds), and average precision
in the whole library. Writes ``benchmarks/results/crossencoder_layers.json``.
"""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from classification_quality import average_precisions
from harness import average_precision, parser, print_table, save_results
from locisimiles.benchmark.metrics.measurement import find
from locisimiles.benchmark.runs.evaluation import measure
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.pools import FoldPools
from locisimiles.classify.labels import Label
from locisimiles.classify.reranking import worth_reranking
from locisimiles.learn.fold_models import learn_each_for_fold
from locisimiles.learn.predictions import PredictionBook

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.protocols import JudgedFold
    from locisimiles.learn.fold_models import FoldModels

WITHOUT = "no cross-encoder"
ALONE = "AP of the cross-encoder alone (any, cit, cf)"
DECIDING = ("F1 cit", "F1 cf", "AP", "library AP")


@dataclass
class Judged:
    """What an ensemble says about a fold."""

    document: JudgedFold
    library: dict[str, NDArray[Any]]
    network: list[float] | None


def judge_fold(models: Sequence[FoldModels]) -> list[Judged]:
    """Judge a fold with ensembles that differ in their cross-encoder."""
    some = models[0]
    pairs = some.document_pairs()
    positions, found = some.library_pairs()
    in_document = some.ensemble.by_features(pairs)
    in_library = some.ensemble.by_features(found)
    judged = []
    for own in models:
        chances = own.ensemble.judged_again(found, in_library)
        rows = {
            "query": positions[found.query_rows],
            "source": found.source_rows,
            "probability": chances[:, 1:].sum(axis=1),
        }
        document = own.document(first=in_document)
        judged.append(Judged(document, rows, network_alone(own, document, in_document)))
    return judged


def network_alone(
    models: FoldModels, document: JudgedFold, first: NDArray[np.float64]
) -> list[float] | None:
    """Return average precision (any, cit., cf.) of the cross-encoder alone, in percent."""
    cross_encoder = models.ensemble.cross_encoder
    if cross_encoder is None or isinstance(cross_encoder, str | PathLike):
        return None
    likely = worth_reranking(first)
    chances = np.zeros((document.grid.label.size, 3))
    pairs = models.document_pairs().select(likely)
    chances[likely] = np.nan_to_num(cross_encoder.probabilities(pairs), nan=0.0)
    label = document.grid.label.ravel()
    return [
        average_precision(score[likely], truth[likely], int(truth.sum()))
        for score, truth in (
            (chances[:, 1:].sum(axis=1), label > 0),
            (chances[:, 1], label == Label.CIT),
            (chances[:, 2], label == Label.CF),
        )
    ]


def library_precision(rows: Mapping[str, NDArray[Any]], benchmark: Benchmark) -> float:
    """Return average precision of the pairs of all queries in the library, in percent."""
    references = benchmark.references
    known = set(zip(references.query.tolist(), references.source.tolist(), strict=True))
    pairs = zip(rows["query"].tolist(), rows["source"].tolist(), strict=True)
    truth = np.array([pair in known for pair in pairs])
    relevant = np.isin(references.query, np.unique(rows["query"])).sum()
    return average_precision(rows["probability"], truth, int(relevant))


def figures(folds: Sequence[Judged], benchmark: Benchmark) -> dict[str, Any]:
    """Return the figures of one ensemble, means of folds."""
    classified = measure("classification", [fold.document for fold in folds])
    f1 = {group: find(classified, group, "F1") for group in ("cit", "cf")}
    document = np.mean([average_precisions(fold.document.grid) for fold in folds], axis=0)
    rows = {
        name: np.concatenate([fold.library[name] for fold in folds]) for name in folds[0].library
    }
    alone = [fold.network for fold in folds if fold.network is not None]
    return {
        **{f"F1 {group}": 100 * float(own.mean) for group, own in f1.items()},
        "AP": float(document[0]),
        "library AP": library_precision(rows, benchmark),
        "AP (any, cit, cf)": document.tolist(),
        ALONE: np.mean(alone, axis=0).tolist() if alone else None,
        "F1 of the folds": {
            group: (100 * own.fold_value).round(1).tolist() for group, own in f1.items()
        },
    }


def compare(judged: Mapping[str, Sequence[Judged]], benchmark: Benchmark) -> dict[str, Any]:
    """Return the figures of all ensembles, and what each loses against the first."""
    found = {name: figures(folds, benchmark) for name, folds in judged.items()}
    first = next(iter(found.values()))
    for own in found.values():
        own["lost"] = {name: round(first[name] - own[name], 2) for name in DECIDING}
    return found


def tell(found: Mapping[str, Mapping[str, Any]]) -> None:
    """Print a table of all ensembles."""
    print_table(
        {
            "cross-encoder": name,
            "AP of it alone": None if (alone := own[ALONE]) is None else round(alone[0], 1),
            **{key: round(own[key], 1) for key in DECIDING},
            **{f"lost {key}": lost for key, lost in own["lost"].items()},
        }
        for name, own in found.items()
    )


def main() -> None:
    options = parser(__doc__)
    options.add_argument("set", type=Path)
    options.add_argument("predictions", nargs="+", metavar="NAME=PREDICTIONS")
    options.add_argument("--folds", type=int, nargs="*")
    options.add_argument("--out", type=Path, help="write the results to this file")
    given = options.parse_args()
    benchmark = Benchmark.load(given.set)
    pools = FoldPools(benchmark)
    books: dict[str, PredictionBook | None] = {}
    for name, _, path in (own.rpartition("=") for own in given.predictions):
        books[name] = PredictionBook.load(Path(path))
    books[WITHOUT] = None
    judged: dict[str, list[Judged]] = {name: [] for name in books}
    folds = given.folds or list(benchmark.folds)
    for fold in folds:
        models = learn_each_for_fold(pools, fold, list(books.values()))
        for name, own in zip(books, judge_fold(models), strict=True):
            judged[name].append(own)
        print(f"fold {fold} judged", flush=True)
    found = compare(judged, benchmark)
    tell(found)
    save_results("crossencoder_layers", {"folds": folds, "networks": found}, given.out)


if __name__ == "__main__":
    main()
