r"""Speed and quality of the n-gram rules, compared with the paper's own package.

    python benchmarks/ngram_rules.py [--shared ../shared] [--peer PYTHON] [--benchmark FOLDER]

`--peer` is the Python of a separate environment with the paper's package (which has the same name
as ours):

    python -m venv PEER && PEER/bin/pip install numpy 'pandas<3'
    PEER/bin/pip install --no-deps locisimiles==2.1.3

Its rule-based generator runs with its defaults; other imports of the package (torch, chromadb) are
not needed and not loaded. Without it, speed is compared with 33 µs a pair, which the peer needed on
its own test data. `--benchmark` is a folder that ``locisimiles benchmark build`` wrote; it gives
the row of the retrieval protocol.

Speed is CPU seconds after the imports: of the first search of a process, to which all words are
new, without loading the models (which the bar refers to, as the peer has none) and with it; and of
later searches, whose words are known. First searches run in fresh processes; figures are medians.

The closed set: the query and source segments of the 545 references of Jerome and Lactantius, every
query against every source. Settings of the rules and a threshold for the score are chosen on four
folds and tested on the fifth. For ``cit`` only verbatim references are right, allusions are wrong.
Writes ``benchmarks/results/ngram_rules.json``.
"""

from __future__ import annotations

import itertools
import json
import statistics
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import in_fresh_process, parser, save_results
from locisimiles.benchmark.metrics.measurement import find
from locisimiles.benchmark.protocols import evaluate_retrieval
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.gold import author_of_id, read_gold
from locisimiles.benchmark.sets.references import Label
from locisimiles.candidates import Candidates
from locisimiles.classify.thresholds import plateau_high
from locisimiles.corpus import Document, Segment
from locisimiles.corpus.library import Library
from locisimiles.retrieve.ngram_rules import NgramRules

if TYPE_CHECKING:
    from numpy.typing import NDArray

LETTERS, AENEID = "jerome.epistulae", "vergil.aeneid"
SEGMENTS = 1000
ROUNDS = 7
FRESH = 5
PEER_SECONDS_A_PAIR = 33e-6
SPEED_BAR, LETTERS_BAR, F1_BAR = 300, 20.0, 0.80
GRID: dict[str, tuple[object, ...]] = {
    "terms": ("lemma", "surface"),
    "window": (1, 3, 6),
    "clause_ends": (".!?;:", ".!?;:,", ""),
    "max_collocations": (None, 1000, 200),
    "complura": (None, 4),
    "decay": (0.5, 1.0),
}
PEER_CODE = """
import importlib.util, json, pathlib, sys, time, types
root = pathlib.Path(importlib.util.find_spec("locisimiles").origin).parent
for name in ("locisimiles", "locisimiles.pipeline", "locisimiles.pipeline.generator"):
    module = sys.modules[name] = types.ModuleType(name)
    module.__path__ = [str(root.joinpath(*name.split(".")[1:]))]
from locisimiles.pipeline.generator.rule_based import RuleBasedCandidateGenerator
sides = [[types.SimpleNamespace(id=str(i), text=t) for i, t in enumerate(texts)]
         for texts in json.load(sys.stdin)]
start = time.process_time()
found = RuleBasedCandidateGenerator().generate(query=sides[0], source=sides[1])
seconds = time.process_time() - start
pairs = [[int(q), int(c.segment.id)] for q, own in found.items() for c in own]
json.dump({"seconds": seconds, "pairs": pairs}, sys.stdout)
"""
FIRST_CODE = """
import json, sys, time
from locisimiles import Document, Segment
from locisimiles.retrieve.ngram_rules import NgramRules
query, source = (
    Document.from_segments(Segment(str(at), text) for at, text in enumerate(texts))
    for texts in json.load(sys.stdin)
)
if sys.argv[1] == "loaded":  # for a known word, and for one that must be guessed
    few = Document.from_segments([Segment("a", "arma uirumque xyzzarum; arma uirum")])
    NgramRules(max_collocations=1).index(few).search(few, 1)
seconds = []
for _ in range(1 + int(sys.argv[2])):
    start = time.process_time()
    NgramRules().index(source).search(query, 10)
    seconds.append(time.process_time() - start)
print(json.dumps(seconds))
"""
WHOLE_CODE = """
import sys, time
from locisimiles import Document
from locisimiles.retrieve.ngram_rules import NgramRules
query, source = (Document(*side.split("\\n")) for side in sys.argv[1:])
found = NgramRules().index(source).search(query, 10)
print(len(query), len(source), len(found), time.process_time())
"""


def run_peer(python: str, query: Document, source: Document) -> dict[str, Any]:
    """Run the rules of the paper's package."""
    texts = json.dumps([query.texts, source.texts])
    result: dict[str, Any] = json.loads(in_fresh_process(PEER_CODE, python=python, given=texts))
    return result


def our_seconds(query: Document, source: Document) -> dict[str, float]:
    """Return the medians of first searches in fresh processes, and of later ones."""
    texts = json.dumps([query.texts, source.texts])
    runs = {
        name: [
            json.loads(in_fresh_process(FIRST_CODE, name, str(ROUNDS), given=texts))
            for _ in range(FRESH)
        ]
        for name in ("loaded", "not loaded")
    }
    return {
        "new words": statistics.median(run[0] for run in runs["loaded"]),
        "new words, models not loaded": statistics.median(run[0] for run in runs["not loaded"]),
        "words met before": statistics.median(t for run in runs["loaded"] for t in run[1:]),
    }


def measure_speed(query: Document, source: Document, peer: str | None) -> dict[str, object]:
    """Compare 1,000 × 1,000 segments."""
    query, source = query[:SEGMENTS], source[:SEGMENTS]
    pairs = len(query) * len(source)
    ours = our_seconds(query, source)
    peers = {"33 µs": PEER_SECONDS_A_PAIR * pairs}
    if peer:
        peers["peer"] = run_peer(peer, query, source)["seconds"]
    return {
        "pairs": pairs,
        "peer, 33 µs a pair": peers["33 µs"],
        **({"peer, measured": peers["peer"]} if peer else {}),
        **{f"ours, {name}": seconds for name, seconds in ours.items()},
        **{
            f"ratio to {name}, {when}": theirs / seconds
            for name, theirs in peers.items()
            for when, seconds in ours.items()
        },
        "bar": SPEED_BAR,
    }


def measure_whole(letters: list[str], aeneid: list[str]) -> dict[str, object]:
    """Search the Aeneid for all letters in a fresh process, including reading and loading."""
    printed = in_fresh_process(WHOLE_CODE, "\n".join(letters), "\n".join(aeneid))
    queries, sources, found, seconds = printed.split()
    return {
        "queries": int(queries),
        "sources": int(sources),
        "candidates": int(found),
        "seconds": float(seconds),
        "bar": LETTERS_BAR,
    }


def closed_set(labels: Path) -> tuple[Document, Document, NDArray[np.uint8], NDArray[np.int8]]:
    """Return queries, sources, the label of every pair, and the fold of every query."""
    gold = read_gold(labels)
    pairs = [p for p in gold.pairs if author_of_id(p.query_id) in ("Jerome", "Lactantius")]
    query_ids, source_ids = {p.query_id for p in pairs}, {p.source_id for p in pairs}
    query = Document.from_segments(
        Segment(s.id, s.texts[0]) for s in gold.queries if s.id in query_ids
    )
    source = Document.from_segments(
        Segment(s.id, s.texts[0]) for s in gold.sources if s.id in source_ids
    )
    label = np.zeros((len(query), len(source)), np.uint8)
    fold = np.zeros(len(query), np.int8)
    for pair in pairs:
        label[query.index(pair.query_id), source.index(pair.source_id)] = pair.label
        fold[query.index(pair.query_id)] = pair.fold
    return query, source, label, fold


def f1(predicted: NDArray[np.bool_], relevant: NDArray[np.bool_]) -> float:
    return float(2 * (predicted & relevant).sum() / (predicted.sum() + relevant.sum()))


def quality(
    predicted: NDArray[np.bool_], relevant: NDArray[np.bool_], fold: NDArray[np.int8]
) -> dict[str, object]:
    """Return the F1 of all predictions, and the mean over folds."""
    by_fold = [f1(predicted[fold == own], relevant[fold == own]) for own in np.unique(fold)]
    hits = (predicted & relevant).sum()
    return {
        "F1": f1(predicted, relevant),
        "F1, mean of folds": statistics.mean(by_fold),
        "F1, folds": by_fold,
        "precision": float(hits / predicted.sum()),
        "recall": float(hits / relevant.sum()),
    }


def cross_validate(
    scores: list[tuple[dict[str, object], NDArray[np.float32]]],
    relevant: NDArray[np.bool_],
    fold: NDArray[np.int8],
) -> dict[str, object]:
    """Choose setting and threshold on four folds, predict the fifth."""
    predicted = np.zeros_like(relevant)
    chosen = []
    for own in np.unique(fold):
        train, test = fold != own, fold == own
        options = []
        for setting, score in scores:
            threshold = plateau_high(score[train].ravel(), relevant[train].ravel(), 0.0)
            value = f1(score[train] >= threshold, relevant[train])
            options.append((value, setting, threshold, score))
        value, setting, threshold, score = max(options, key=lambda option: option[0])
        predicted[test] = score[test] >= threshold
        chosen.append({**setting, "min_score": round(threshold, 3), "F1 there": value})
    return {**quality(predicted, relevant, fold), "chosen": chosen}


def measure_closed_set(labels: Path, peer: str | None) -> dict[str, object]:
    query, source, label, fold = closed_set(labels)
    scores = []
    for values in itertools.product(*GRID.values()):
        setting = dict(zip(GRID, values, strict=True))
        rules = NgramRules(**setting)  # type: ignore[arg-type]
        found = rules.index(source).search(query, len(source))
        score = np.zeros(label.shape, np.float32)
        score[found.query, found.source] = found.score
        scores.append((setting, score))
    theirs = np.zeros(label.shape, np.bool_)
    if peer:
        for row, column in run_peer(peer, query, source)["pairs"]:
            theirs[row, column] = True
    measured: dict[str, object] = {"queries": len(query), "sources": len(source), "bar": F1_BAR}
    for name, relevant in (("all", label > 0), ("cit", label == Label.CIT)):
        measured[name] = {"references": int(relevant.sum())}
        measured[f"{name}, ours"] = cross_validate(scores, relevant, fold)
        if peer:
            measured[f"{name}, peer"] = quality(theirs, relevant, fold)
    return measured


def measure_retrieval(folder: Path) -> dict[str, object]:
    """Return the row of the retrieval protocol, with default settings."""
    benchmark = Benchmark.load(folder)
    rows = benchmark.references.queries
    index = NgramRules().index(benchmark.source)
    found = index.search(benchmark.query.select(rows.tolist()), 1000)
    found = Candidates(rows[found.query], found.source, found.score)
    measured = evaluate_retrieval(found, benchmark.references)
    return {
        group: {
            name: find(measured, group, name).mean for name in ("R@10", "R@100", "R@1000", "MRR")
        }
        for group in ("pooled", "cit", "cf")
    }


def show(name: str, value: object, indent: str = "") -> None:
    """Print nested figures as an indented table."""
    if isinstance(value, dict):
        print(f"{indent}{name}")
        for inner, figure in value.items():
            show(inner, figure, f"{indent}  ")
    elif not isinstance(value, list):
        figure = f"{value:,.3f}" if isinstance(value, float) else f"{value:,}"
        print(f"{indent}{name:<{40 - len(indent)}}{figure:>14}")


def rounded(value: object) -> object:
    if isinstance(value, dict):
        return {name: rounded(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [rounded(inner) for inner in value]
    return round(value, 4) if isinstance(value, float) else value


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--shared", type=Path, default=Path("../shared"))
    options.add_argument("--peer", help="Python with the paper's package")
    options.add_argument("--benchmark", type=Path, help="a built benchmark")
    given = options.parse_args()
    report: dict[str, object] = {
        "command": "python benchmarks/ngram_rules.py --peer PYTHON --benchmark FOLDER",
        "peer": "locisimiles 2.1.3 (PyPI), rule-based generator" if given.peer else None,
    }
    with tempfile.TemporaryDirectory() as folder:
        library = Library(folder)
        sides = []
        for name in (LETTERS, AENEID):
            library.add(name, mirror=given.shared / "corpora")
            sides.append([str(file) for file in library.files(name)])
        speed = measure_speed(Document(*sides[0]), Document(*sides[1]), given.peer)
        report["1,000 × 1,000 segments, seconds"] = speed
        report["all letters × Aeneid"] = measure_whole(*sides)
    labels = given.shared / "benchmark" / "labels.csv"
    report["closed set"] = measure_closed_set(labels, given.peer)
    if given.benchmark:
        report["retrieval"] = measure_retrieval(given.benchmark)
    for name, value in report.items():
        if isinstance(value, dict):
            show(name, value)
    print(f"bars: {SPEED_BAR} ×, {LETTERS_BAR} s, F1 {F1_BAR}")
    save_results("ngram_rules", {name: rounded(value) for name, value in report.items()})


if __name__ == "__main__":
    main()
