r"""What the evidence of pairs covers, how often its flags occur, and how long it takes.

    python benchmarks/evidence.py BENCHMARK [--pairs 10000] [--encoder]

BENCHMARK is a folder that ``locisimiles benchmark build`` wrote. Three questions:

*Are the words of the commentators aligned?* The references of Valerius Flaccus come from
commentaries that name two words on each side, but our labels hold segments only. The nearest
approximation is the rule by which a reference is *cit.*: two matching lemmas with at most two words
between them, function words not counted. The closest such two are found with another lemmatizer
(simplemma, which alignment does not use), and must be among the aligned words on both sides.
References in which that lemmatizer finds no such words count as missed in the stricter figure.

*Are all shared lemmas aligned?* In the references of Jerome and Lactantius, every content lemma of
both sides must have an aligned pair. With the lemmas of alignment itself that holds by
construction, so two other lemmatizers are tested too: ours by context, and simplemma.

*How long does it take?* CPU seconds for candidates of BM25, including reading all segments.

Writes ``benchmarks/results/evidence.json``.
"""

from __future__ import annotations

import json
import time
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from harness import parser, print_table, save_results
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.references import Label
from locisimiles.evidence import Aligner, EncoderMeanings, EvidenceFinder, VectorMeanings
from locisimiles.latin import STOPWORDS, choose_lemmatizer, tokenize
from locisimiles.retrieve import BM25

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from locisimiles.evidence import Alignment, Evidence
    from locisimiles.evidence.alignment import Span
    from locisimiles.latin.lemmatizers import LemmatizeFunction

VALERIUS = "Valerius Flaccus"
MOST_BETWEEN = 2
PHRASES_BAR, LEMMAS_BAR, SECONDS_BAR, ENCODER_SECONDS_BAR = 0.75, 0.95, 30.0, 300.0

Words = list[tuple[str, "Span"]]


def main() -> None:
    options = parser(__doc__)
    options.add_argument("benchmark", type=Path)
    options.add_argument("--pairs", type=int, default=10_000)
    options.add_argument("--encoder", action="store_true", help="measure with the encoder too")
    given = options.parse_args()
    benchmark = Benchmark.load(given.benchmark)
    measured: dict[str, object] = {
        "phrases": phrases(benchmark),
        "lemmas": lemmas(benchmark),
        "speed": [
            speed(benchmark, given.pairs, meanings)
            for meanings in ("vectors", "encoder")[: 1 + given.encoder]
        ],
    }
    measured["flags"] = flags(benchmark)
    save_results("evidence", measured)


def references(benchmark: Benchmark, *, valerius: bool) -> Iterator[tuple[str, str, Label]]:
    """Yield the texts of references, of Valerius or of the others."""
    columns = benchmark.references
    for query, source, label in zip(
        columns.query.tolist(), columns.source.tolist(), columns.label.tolist(), strict=True
    ):
        if (benchmark.query.authors[query] == VALERIUS) == valerius:
            yield benchmark.query.texts[query], benchmark.source.texts[source], Label(label)


def content_words(text: str, lemmatize: LemmatizeFunction) -> Words:
    """Return the content words of a text by another lemmatizer, with their places."""
    tokens = tokenize(text)
    found = lemmatize([token.text for token in tokens])
    return [
        (lemma, (token.start, token.end))
        for token, lemma in zip(tokens, found, strict=True)
        if lemma not in STOPWORDS and not lemma.isdigit() and token.kind != "enclitic"
    ]


def closest_phrase(query: Words, source: Words) -> tuple[set[Span], set[Span]] | None:
    """Return the places of the two shared lemmas that stand closest together on both sides."""
    shared = sorted({lemma for lemma, _ in query} & {lemma for lemma, _ in source})
    best: tuple[int, set[Span], set[Span]] | None = None
    for pair in combinations(shared, 2):
        sides = [_closest(words, pair) for words in (query, source)]
        if any(gap > MOST_BETWEEN + 1 for gap, _ in sides):
            continue
        distance = sides[0][0] + sides[1][0]
        if best is None or distance < best[0]:
            best = distance, sides[0][1], sides[1][1]
    return None if best is None else best[1:]


def _closest(words: Words, pair: tuple[str, str]) -> tuple[int, set[Span]]:
    places = [[at for at, (lemma, _) in enumerate(words) if lemma == own] for own in pair]
    gap, one, other = min((abs(a - b), a, b) for a in places[0] for b in places[1])
    return gap, {words[one][1], words[other][1]}


def phrases(benchmark: Benchmark) -> list[dict[str, object]]:
    """Measure whether the words that make a reference *cit.* are aligned."""
    cited = [pair[:2] for pair in references(benchmark, valerius=True) if pair[2] == Label.CIT]
    simplemma = choose_lemmatizer("simplemma")
    expected = [
        closest_phrase(content_words(query, simplemma), content_words(source, simplemma))
        for query, source in cited
    ]
    known = sum(own is not None for own in expected)
    rows: list[dict[str, object]] = []
    for name, aligner in (("lemmas", Aligner()), ("vectors", Aligner(VectorMeanings()))):
        alignments = aligner.align(*(list(side) for side in zip(*cited, strict=True)))
        included = sum(
            own is not None
            and own[0] <= set(alignment.query_words)
            and own[1] <= set(alignment.source_words)
            for own, alignment in zip(expected, alignments, strict=True)
        )
        two = sum(len(alignment.lemmas) > 1 for alignment in alignments)
        row: dict[str, object] = {
            "words compared by": name,
            "references": len(cited),
            "with a phrase": known,
            "included": included,
            "of those with a phrase": round(included / known, 4),
            "of all": round(included / len(cited), 4),
            "at least two shared lemmas aligned": round(two / len(cited), 4),
            "bar": PHRASES_BAR,
        }
        rows.append(row)
    show("Valerius Flaccus, cit.: are the two closest matching words aligned?", rows)
    return rows


def lemmas(benchmark: Benchmark) -> list[dict[str, object]]:
    """Measure in how many references all shared content lemmas are aligned."""
    pairs = list(references(benchmark, valerius=False))
    alignments = Aligner().align([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    rows: list[dict[str, object]] = []
    for which, wanted in (("cit. and cf.", {Label.CIT, Label.CF}), ("cit.", {Label.CIT})):
        kept = [at for at, pair in enumerate(pairs) if pair[2] in wanted]
        for name in ("fast", "context", "simplemma"):
            lemmatize = choose_lemmatizer(name)
            complete = sum(_all_aligned(*pairs[at][:2], alignments[at], lemmatize) for at in kept)
            rows.append(
                {
                    "references": which,
                    "lemmas": name,
                    "pairs": len(kept),
                    "all aligned": round(complete / len(kept), 4),
                    "bar": LEMMAS_BAR,
                }
            )
    show("Jerome and Lactantius: are all shared content lemmas aligned?", rows)
    return rows


def _all_aligned(
    query: str, source: str, alignment: Alignment, lemmatize: LemmatizeFunction
) -> bool:
    own, other = content_words(query, lemmatize), content_words(source, lemmatize)
    aligned = {pair.query: pair.source for pair in alignment.pairs}
    there = {span: lemma for lemma, span in other}
    found = {lemma for lemma, span in own if there.get(aligned.get(span, (-1, -1))) == lemma}
    return {lemma for lemma, _ in own} & set(there.values()) <= found


def bm25_pairs(
    benchmark: Benchmark, pairs: int, k: int = 10
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the best candidates of evenly chosen queries."""
    # Some queries have fewer than k candidates.
    step = max(len(benchmark.query) * k * 9 // (pairs * 10), 1)
    rows = np.arange(0, len(benchmark.query), step)
    found = BM25().index(benchmark.source).search(benchmark.query.select(rows.tolist()), k)
    return rows[found.query][:pairs], found.source[:pairs].astype(np.int64)


def speed(benchmark: Benchmark, pairs: int, meanings: str) -> dict[str, object]:
    """Measure the CPU seconds of evidence."""
    query, source = bm25_pairs(benchmark, pairs)
    prepared = EncoderMeanings() if meanings == "encoder" else VectorMeanings()
    start = time.process_time()
    finder = EvidenceFinder(benchmark.query, benchmark.source, meanings=prepared)
    ready = time.process_time()
    found = finder.for_pairs(query, source)
    collected = time.process_time()
    for evidence in found:
        json.dumps(evidence.as_dict())
    end = time.process_time()
    row: dict[str, object] = {
        "meanings": meanings,
        "pairs": len(found),
        "reading s": round(ready - start, 2),
        "evidence s": round(collected - ready, 2),
        "sentences and JSON s": round(end - collected, 2),
        "all s": round(end - start, 2),
        "bar s": ENCODER_SECONDS_BAR if meanings == "encoder" else SECONDS_BAR,
    }
    show("CPU seconds", [row])
    return row


def flags(benchmark: Benchmark, others: int = 1500) -> list[dict[str, object]]:
    """Measure how often references and other candidates carry each fact."""
    columns = benchmark.references
    known = set(zip(columns.query.tolist(), columns.source.tolist(), strict=True))
    query, source = bm25_pairs(benchmark, others)
    wrong = [
        pair for pair in zip(query.tolist(), source.tolist(), strict=True) if pair not in known
    ]
    groups = {
        "cit.": _rows(benchmark, Label.CIT),
        "cf.": _rows(benchmark, Label.CF),
        "candidates of BM25 without a known reference": wrong,
    }
    finder = EvidenceFinder(benchmark.query, benchmark.source)
    rows: list[dict[str, object]] = []
    for name, pairs in groups.items():
        found = finder.for_pairs(*(np.array(side) for side in zip(*pairs, strict=True)))
        rows.append({"pairs": name, "number": len(found), **_shares(found)})
    show("Shares of pairs with each fact", rows)
    return rows


def _rows(benchmark: Benchmark, label: Label) -> list[tuple[int, int]]:
    kept = benchmark.references.select(benchmark.references.label == label)
    return list(zip(kept.query.tolist(), kept.source.tolist(), strict=True))


def _shares(found: Sequence[Evidence]) -> dict[str, object]:
    facts = {
        "two shared": [len(own.shared) > 1 for own in found],
        "collocation": [own.collocation is not None for own in found],
        "nowhere else": [
            own.collocation is not None and own.elsewhere is not None and not own.elsewhere.count
            for own in found
        ],
        "formula": [own.formula is not None for own in found],
        "rival": [own.rival is not None for own in found],
        "cue": [bool(own.cues) for own in found],
        "similar word": [own.changes.synonyms > 0 for own in found],
    }
    return {name: round(float(np.mean(values)), 3) for name, values in facts.items()}


def show(title: str, rows: Sequence[dict[str, object]]) -> None:
    print(f"\n{title}")
    print_table(rows)


if __name__ == "__main__":
    main()
