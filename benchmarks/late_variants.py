"""Ways to tune the encoder for late interaction, compared on development data.

    python benchmarks/late_variants.py words SET FATHERS DATA OUT
    python benchmarks/late_variants.py pieces VOCABULARY OUT
    python -m locisimiles.train.late.variants benchmarks/late_variants.toml OUT ENCODER TUNED
    python benchmarks/late_variants.py report TUNED

``words`` makes pairs to learn from, and sets to measure, from the benchmarks SET (Loci Similes)
and FATHERS, and the folder DATA of raw texts: pairs by rule, imitations in real texts, and
references of one half of the Fathers' authors. Sets to measure are folds 0 to 2 of SET, without the
labels of the others, and the other half of the authors. ``pieces`` cuts them with VOCABULARY
(``tokenizer.json``). The third command tunes and measures; it needs a GPU and little more than
torch. ``report`` writes ``benchmarks/results/late_variants.json``, best first: the sum of R@10,
R@100 and cf. R@100 on folds 0 to 2 of SET decides, the Fathers do not.

No reference of SET is learnt from. Figures are those of exact search with the encoder alone.
"""

from __future__ import annotations

import json
import lzma
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness import parser, print_table, save_results
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.references import Label
from locisimiles.corpus import Document
from locisimiles.files.arrays import load_arrays, save_arrays
from locisimiles.files.tables import read_table
from locisimiles.files.writing import make_folder
from locisimiles.retrieve.lexical.bm25 import BM25
from locisimiles.train.encoder.folder import read_vocabulary
from locisimiles.train.late.imitations import find_imitations, without_copies
from locisimiles.train.late.pieces import PieceTable
from locisimiles.train.late.preparation import (
    WordPairs,
    make_rule_pairs,
    tuning_data,
    words_of,
)
from locisimiles.train.late.search_set import SearchSet
from locisimiles.train.late.synthetic_inputs import (
    common_words,
    read_contexts,
    read_senses,
    word_choices,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Words = Sequence[Sequence[str]]

FOLDS = (0, 1, 2)
VOCABULARY = 24_000
LONGEST = 126
NEGATIVES = 24
RULES, IMITATIONS, FATHERS, FATHERS_TEST = "rules", "imitations", "fathers", "fathers-test"
CONTEXTS = ("tesserae", "corpus_corporum_fathers")
IMITATORS = ("tesserae", "lasciva_additional", "digiliblt", "corpus_corporum_fathers")
WORDNET = "treebanks/latin-wordnet/latin_wordnet_synset_lemma.tsv"
MOST_REFERENCES, MOST_MEASURED = 20_000, 1_000
DECISIVE = ("R@10", "R@100", "cf. R@100")


def make_words(given: Any) -> None:  # noqa: ANN401
    make_folder(given.out)
    todo = given.only or [RULES, IMITATIONS, FATHERS, FATHERS_TEST]
    benchmark = Benchmark.load(given.set)
    words = words_of(benchmark.source)
    save_words(given.out / "source-loci.npz", words)
    kept = np.isin(benchmark.references.fold, FOLDS)
    save_search(given.out / "words-loci.npz", benchmark, kept)
    lm = given.data / "lm"
    wordnet = given.data / WORDNET
    if RULES in todo:
        contexts = [lm / f"{name}.txt.xz" for name in CONTEXTS]
        pairs = make_rule_pairs(
            benchmark.source, words, contexts, synonyms=wordnet, pairs=given.pairs, progress=tell
        )
        save_pairs(given.out / f"words-{RULES}.npz", pairs)
    if IMITATIONS in todo:
        paths = [lm / f"{name}.txt.xz" for name in IMITATORS]
        drawn = read_contexts(paths, most=given.sentences, seed=1, progress=tell)
        # Neither other editions of the sources, nor any text whose references are measured.
        others = without_copies(drawn, [*words, *words_of(benchmark.query)])
        print(f"{len(drawn):,} sentences, {len(others):,} of them no copies", flush=True)
        choices = word_choices(words, read_senses(wordnet))
        pairs = find_imitations(
            others,
            benchmark.source,
            words,
            choices,
            common_words(words, choices.lemma),
            progress=tell,
        )
        save_pairs(given.out / f"words-{IMITATIONS}.npz", pairs)
    if FATHERS in todo or FATHERS_TEST in todo:
        make_fathers(given, todo)


def make_fathers(given: Any, todo: Sequence[str]) -> None:  # noqa: ANN401
    """Take noted references of every second author to learn from; the others are measured."""
    benchmark = Benchmark.load(given.fathers)
    authors = sorted({segment.author or "" for segment in benchmark.query})
    learnt = set(authors[::2])
    print("learnt:", *sorted(learnt), flush=True)
    save_words(given.out / "source-fathers.npz", words_of(benchmark.source))
    if FATHERS_TEST in todo:
        measured = np.array([segment.author not in learnt for segment in benchmark.query])
        found = np.flatnonzero(measured[benchmark.references.query])
        drawn = np.random.default_rng(0).permutation(found)[:MOST_MEASURED]
        kept = np.zeros(len(benchmark.references), bool)
        kept[drawn] = True
        save_search(given.out / f"words-{FATHERS_TEST}.npz", benchmark, kept)
    if FATHERS in todo:
        save_pairs(given.out / f"words-{FATHERS}.npz", reference_pairs(given, benchmark, learnt))


def reference_pairs(given: Any, benchmark: Benchmark, learnt: set[str]) -> WordPairs:  # noqa: ANN401
    """Take references that BM25 finds among its first candidates; the others are negatives."""
    query = Document(unpacked(given, "fathers.csv"), format="csv")
    place = {name: row for row, name in enumerate(query.ids)}
    verse = {name: row for row, name in enumerate(benchmark.source.ids)}
    noted: dict[int, set[int]] = {}
    for _, cells in read_table(unpacked(given, "references.csv")).rows:
        row, answer = place.get(cells["query_id"]), verse.get(cells["source_id"])
        if row is not None and answer is not None and query[row].author in learnt:
            noted.setdefault(row, set()).add(answer)
    rows = sorted(noted)
    chosen = Document.from_segments(query[row] for row in rows)
    candidates = BM25().index(benchmark.source).search(chosen, NEGATIVES + 8, progress=tell)
    words = words_of(chosen)
    queries, answers, negatives = [], [], []
    for number, row in enumerate(rows):
        likely, _ = candidates.of_query(number)
        others = [source for source in likely.tolist() if source not in noted[row]][:NEGATIVES]
        for answer in sorted(noted[row] & set(likely.tolist())):
            queries.append(words[number])
            answers.append(answer)
            negatives.append([*others, *[-1] * (NEGATIVES - len(others))])
    drawn = np.random.default_rng(0).permutation(len(queries))[:MOST_REFERENCES]
    return WordPairs(
        [queries[at] for at in drawn],
        np.array(answers, np.int32)[drawn],
        np.array(negatives, np.int32).reshape(-1, NEGATIVES)[drawn],
    )


def unpacked(given: Any, name: str) -> Path:  # noqa: ANN401
    """Return a table of references, uncompressed."""
    path: Path = given.out / name
    with lzma.open(given.data / "references" / f"{name}.xz") as packed, path.open("wb") as copy:
        shutil.copyfileobj(packed, copy)
    return path


def make_pieces(given: Any) -> None:  # noqa: ANN401
    """Cut all words into pieces."""
    tokenizer = read_vocabulary(given.vocabulary, VOCABULARY)
    sources = {
        name: load_words(path)
        for name in ("loci", FATHERS)
        if (path := given.out / f"source-{name}.npz").exists()
    }
    for kind, of in ((RULES, "loci"), (IMITATIONS, "loci"), (FATHERS, FATHERS)):
        path = given.out / f"words-{kind}.npz"
        if not path.exists():  # not made by `words --only`
            continue
        arrays: dict[str, Any] = dict(load_arrays(path))
        pairs = WordPairs(lines(arrays["text"]), arrays["answer"], arrays["negatives"])
        data = tuning_data(tokenizer, VOCABULARY, sources[of], pairs)
        data.save(given.out / f"pairs-{kind}.npz")
        print(f"{kind}: {len(data.queries):,} pairs", flush=True)
    for name, of in (("loci", "loci"), (FATHERS_TEST, FATHERS)):
        path = given.out / f"words-{name}.npz"
        if not path.exists():
            continue
        arrays = dict(load_arrays(path))
        found = SearchSet(
            PieceTable.from_sentences(tokenizer, lines(arrays["text"]), LONGEST),
            PieceTable.from_sentences(tokenizer, sources[of], LONGEST),
            arrays["query"],
            arrays["source"],
            arrays["allusion"],
        )
        found.save(given.out / f"search-{name}.npz")
        print(f"{name}: {len(found.query):,} references", flush=True)


def make_report(given: Any) -> None:  # noqa: ANN401
    """Print and write the figures of all variants, best first."""
    rows: list[dict[str, Any]] = []
    for folder in given.tuned:
        text = (folder / "results.jsonl").read_text(encoding="utf-8")
        rows += [json.loads(line) for line in text.splitlines()]
    for row in rows:
        row["sum"] = round(sum(row["figures"]["loci"][figure] for figure in DECISIVE), 2)
    rows.sort(key=lambda row: -row["sum"])
    print_table(
        [
            {
                "variant": row["name"],
                "sum": row["sum"],
                **{
                    f"{name} {figure}": value
                    for name, figures in row["figures"].items()
                    for figure, value in figures.items()
                },
            }
            for row in rows
        ]
    )
    content = {"conditions": given.conditions, "decisive": DECISIVE, "variants": rows}
    save_results("late_variants", content, given.output)


def save_search(path: Path, benchmark: Benchmark, kept: NDArray[np.bool_]) -> None:
    """Write the queries of some references, and nothing of the others."""
    references = benchmark.references
    rows, query = np.unique(references.query[kept], return_inverse=True)
    chosen = Document.from_segments(benchmark.query[row] for row in rows.tolist())
    save_arrays(
        path,
        {
            "text": text_of(words_of(chosen)),
            "query": query.astype(np.int32),
            "source": references.source[kept].astype(np.int32),
            "allusion": references.label[kept] == Label.CF,
        },
        effort=6,
    )


def save_pairs(path: Path, pairs: WordPairs) -> None:
    columns = {"answer": pairs.answer, "negatives": pairs.negatives}
    save_arrays(path, {"text": text_of(pairs.queries), **columns}, effort=6)
    print(f"{path.name}: {len(pairs.queries):,} pairs", flush=True)


def save_words(path: Path, words: Words) -> None:
    save_arrays(path, {"text": text_of(words)}, effort=6)


def load_words(path: Path) -> list[list[str]]:
    return lines(load_arrays(path)["text"])


def text_of(words: Words) -> NDArray[np.uint8]:
    """Return a line for each list of words, as bytes."""
    return np.frombuffer("\n".join(" ".join(line) for line in words).encode(), np.uint8)


def lines(text: NDArray[Any]) -> list[list[str]]:
    return [line.split() for line in text.tobytes().decode().split("\n")]


def tell(task: str, done: int, total: int) -> None:
    if done in (0, total):
        print(task, done, total, flush=True)


def main() -> None:
    options = parser(__doc__)
    commands = options.add_subparsers(dest="command", required=True)
    words = commands.add_parser("words")
    for name in ("set", "fathers", "data", "out"):
        words.add_argument(name, type=Path)
    words.add_argument("--pairs", type=int, default=80_000)
    words.add_argument("--sentences", type=int, default=150_000)
    words.add_argument("--only", nargs="+")
    pieces = commands.add_parser("pieces")
    pieces.add_argument("vocabulary", type=Path)
    pieces.add_argument("out", type=Path)
    report = commands.add_parser("report")
    report.add_argument("tuned", type=Path, nargs="+")
    report.add_argument("--output", type=Path)
    report.add_argument("--conditions", default="", help="hardware and versions of the run")
    given = options.parse_args()
    {"words": make_words, "pieces": make_pieces, "report": make_report}[given.command](given)


if __name__ == "__main__":
    main()
