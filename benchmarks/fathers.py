"""The Bible in the Fathers: the default search beside all other methods.

    python benchmarks/fathers.py LOCI FATHERS CORPORA --references FOLDER [--sentences 150]

Arguments and options are those of ``benchmarks/calibration.py``, which judges the texts. How often
a verse is cited is counted without the author at hand; nothing else but the three weights of
clues to verses is learnt from these authors. A pair is right by the lenient reading; of
several candidates that stand for the same noted verse, the first counts and the others are left
out.

R@k is the share of all noted references among the first k candidates of their sentences. AP is the
average precision of all candidates of all sentences, by their score: sentences without a note
count, too. ``default`` is the order of the classifier.

``--method NAME``
    Measure this row alone; repeatable. Those of other methods stay as they are in the file, if they
    were measured with as many sentences.

Writes ``benchmarks/results/fathers.json``.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from calibration import CANDIDATES, collect, fathers, options_of
from harness import RESULTS, average_precision, parser, print_table, save_results
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.index import Index, PreparedDocument
from locisimiles.retrieve.combined import Combined
from locisimiles.retrieve.methods import make_retriever

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

DEPTHS = (1, 10, 100)
METHODS = {
    "BM25, words": "bm25-surface",
    "BM25, lemmas": "bm25",
    "BM25, all analyses": "bm25-analyses",
    "BM25, pairs of words": "bm25-bigrams",
    "BM25, skip-grams": "bm25-skipgrams",
    "BM25, characters": "bm25-characters",
    "TF-IDF, words": "tfidf-surface",
    "TF-IDF, lemmas": "tfidf-lemma",
    "TF-IDF, pairs of lemmas": "tfidf-lemma-bigrams",
    "n-gram rules": "ngrams",
    "n-gram rules, words": "ngrams-surface",
    "word vectors": "word2vec",
    "contextual vectors": "contextual",
    "dense vectors": "dense",
    "late interaction": "late",
    "fusion": "fusion",
    "default, search alone": "default",
}
JUDGED = "default"


def figures(
    found: Iterable[tuple[NDArray[np.int64], NDArray[Any], NDArray[np.bool_], int]],
) -> dict[str, Any]:
    """Return recall and average precision, given query, score, right and noted of each text."""
    hits = dict.fromkeys(DEPTHS, 0)
    scores, rights, noted = [], [], 0
    for query, score, right, references in found:
        begins = np.unique(query, return_index=True)[1]
        sizes = np.diff(np.append(begins, len(query)))
        rank = np.arange(len(query)) - np.repeat(begins, sizes)
        for depth in DEPTHS:
            hits[depth] += int(right[rank < depth].sum())
        noted += references
        scores.append(score)
        rights.append(right)
    recall = {f"R@{depth}": 100 * hit / max(noted, 1) for depth, hit in hits.items()}
    precision = average_precision(np.concatenate(scores), np.concatenate(rights), noted)
    return {**recall, "AP": precision, "noted": noted}


def searched(given: argparse.Namespace, names: list[str]) -> dict[str, dict[str, Any]]:
    """Return the figures of methods that only search."""
    benchmark = Benchmark.load(given.fathers)
    index = (given.indexes or (None, None))[1]
    source = PreparedDocument.of(benchmark.source if index is None else Index.open(index))
    works = list(fathers(source, benchmark, given.sentences, given.references))
    table = {}
    for name in names:
        retriever = make_retriever(METHODS[name])
        search, found = retriever.index(source), []
        for work in works:
            if isinstance(retriever, Combined):  # which shares all but its weights
                search = replace(retriever, verse_weights=work.verses or "shipped").index(source)
            candidates = search.search(PreparedDocument(work.query), CANDIDATES)
            right, counts = work.truth.of(candidates)
            query, score = candidates.query[counts].astype(np.int64), candidates.score[counts]
            found.append((query, score, right[counts], len(work.truth.references)))
        table[name] = figures(found)
        print(name, table[name], flush=True)
    return table


def measured_before(path: Path, sentences: int) -> dict[str, dict[str, Any]]:
    """Return the rows of a file with as many sentences."""
    if not path.exists():
        return {}
    content = json.loads(path.read_text("utf-8"))
    return dict(content["methods"]) if content["sentences"] == sentences else {}


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--method", action="append", choices=[*METHODS, JUDGED])
    given = options_of(options)
    given.only = ["fathers"]
    asked = given.method or [*METHODS, JUDGED]
    path = given.output or RESULTS / "fathers.json"
    table = measured_before(path, given.sentences)
    if names := [name for name in METHODS if name in asked]:
        table.update(searched(given, names))
    if JUDGED in asked:
        table[JUDGED] = figures(
            (
                judged.query[judged.counts],
                judged.probability[judged.counts],
                judged.right[judged.counts],
                judged.noted,
            )
            for judged, _ in collect(given)
        )
    rows = {name: table[name] for name in (*METHODS, JUDGED) if name in table}
    print_table([{"method": name, **row} for name, row in rows.items()])
    save_results("fathers", {"sentences": given.sentences, "methods": rows}, path)


if __name__ == "__main__":
    main()
