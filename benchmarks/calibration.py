"""Whether probabilities hold for texts that the classifier has not learnt from.

    python benchmarks/calibration.py LOCI FATHERS CORPORA [--sentences 400] [--keep FOLDER]

LOCI and FATHERS are sets that ``locisimiles benchmark build`` wrote; CORPORA has Tesserae texts.
The default method finds a hundred candidates of each sentence, and the shipped classifier judges
them.

The probabilities are measured as they are, and adapted to each text
(`locisimiles.classify.base_rates`) with base rates that are learnt without texts by its author.

*Null texts* are older than all sources they are compared with: against the Vulgate, and against
those sources of LOCI that are later and by other authors. No pair can be a reference; all that are
expected are false.

Of sources with nearly the same words, the best one of a sentence counts, as in a search.

*Left-out authors* are those of FATHERS, of whom the classifier has seen nothing. A pair is right by
the lenient reading (see `locisimiles.benchmark.sets.parallels`): one source for each noted one.

*Loci Similes*: the documents of folds 0 to 2, all pairs of them and their candidates among all
sources. The shipped weights have learnt from these, so these figures say only what a change does.

``--keep FOLDER``
    Keep judged pairs in a folder, and read them from there if they are in it. What is right is
    asked anew, so they hold for other references to the same texts.
``--indexes LOCI FATHERS``
    Indexes of the sources of both sets, which saves preparing them.
``--references FOLDER``
    The tables that FATHERS was built from. How often a verse is cited is counted without the author
    whose text is searched, so it is needed for authors whose notes are counted in the shipped
    weights.
``--only PART``
    ``vulgate``, ``library``, ``fathers`` or ``loci``; repeatable.

Writes ``benchmarks/results/calibration.json``.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from harness import parser, print_table, save_results
from locisimiles.benchmark.protocols.calibration import reliability
from locisimiles.benchmark.sets.biblical import noted_verses
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.parallels import Parallels, as_noted
from locisimiles.benchmark.sets.pools import fold_pool
from locisimiles.benchmark.sets.references import References
from locisimiles.candidates import Candidates
from locisimiles.classify.base import Pairs
from locisimiles.classify.base_rates import RateModel, TextRate
from locisimiles.classify.ensemble import Ensemble
from locisimiles.classify.selection import Selection, expect_references
from locisimiles.corpus import Document
from locisimiles.corpus.library.dates import years_of
from locisimiles.evidence.parallels import parallel_rows
from locisimiles.files.arrays import load_arrays, save_arrays
from locisimiles.index import Index, PreparedDocument
from locisimiles.learn.base_rates import OWN_PART, JudgedText, fit_others, learn_others, learn_own
from locisimiles.learn.verses import citation_counts
from locisimiles.pipeline import prepare_query
from locisimiles.pipeline.judging import judged_as_searched, ranked_pairs
from locisimiles.retrieve.combined import Combined
from locisimiles.retrieve.verses import VerseWeights

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

NULL_TEXTS = (
    "cicero.in_catilinam", "lucretius.de_rerum_natura", "catullus.carmina", "cicero.de_officiis",
    "vergil.georgics", "horace.odes", "ovid.metamorphoses",
)  # fmt: skip
PARTS = ("vulgate", "library", "fathers", "loci")
FOLDS = (0, 1, 2)  # the others are for checking
CANDIDATES, PASSAGE = 100, 50
BUDGETS = (10, 25, 50, 100, 200)
PRECISION = 0.8
LIKELY = 0.5
HARDLY = 1e-3
GOOD = 0.8, 1.6  # expected references for each noted one


@dataclass(frozen=True)
class Judged:
    """The judged pairs of a text, best first for each sentence."""

    part: str
    name: str
    sentences: int
    sources: int
    noted: int  # how many references there are, found or not
    query: NDArray[np.int64]
    source: NDArray[np.int64]
    chances: NDArray[np.float32]  # a row per pair: no match, cit., cf.
    right: NDArray[np.bool_]
    counts: NDArray[np.bool_]  # False: stands for a reference that another pair has found

    @property
    def probability(self) -> NDArray[np.float64]:
        total: NDArray[np.float64] = self.chances[:, 1:].sum(axis=1, dtype=np.float64)
        return total

    @property
    def key(self) -> str:
        return f"{self.part} {self.name}"

    def found(self) -> Candidates:
        """Return the pairs as candidates."""
        score = self.probability.astype(np.float32)
        return Candidates(self.query.astype(np.int32), self.source.astype(np.int32), score)

    def once(self, texts: Sequence[str], probability: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Tell which pairs count: of sources with nearly the same words, the best of a sentence.

        Pairs that hardly count are not compared.
        """
        asked = np.flatnonzero(probability >= HARDLY)
        own = [texts[row] for row in self.source[asked].tolist()]
        counts = np.ones(len(probability), np.bool_)
        counts[asked] = parallel_rows(self.query[asked], own) == np.arange(len(asked))
        return counts

    def text(self) -> JudgedText:
        author = self.name.partition(".")[0]
        columns = self.query, self.probability, self.right, self.counts
        return JudgedText(*columns, self.part, author)

    def save(self, path: Path) -> None:
        save_arrays(path, {k: np.asarray(v) for k, v in self.__dict__.items()}, effort=1)

    @classmethod
    def load(cls, path: Path) -> Judged:
        stored = load_arrays(path)
        single = [k for k, kind in cls.__annotations__.items() if kind in ("str", "int")]
        fields: dict[str, Any] = {k: v.item() if k in single else v for k, v in stored.items()}
        return cls(**fields)


class LaterSources:
    """Excludes sources that a text may have known: not later than it, or by its author."""

    def __init__(self, year: float, author: str, source: Document) -> None:
        known = (years_of(source) <= year) | (np.array(source.authors) == author)
        self.excluded: NDArray[np.bool_] = known

    def key(self, _query: int) -> str:
        return "later sources"

    def of_query(self, _query: int) -> NDArray[np.bool_]:
        return self.excluded

    def of_pairs(self, _query: NDArray[Any], source: NDArray[Any]) -> NDArray[np.bool_]:
        excluded: NDArray[np.bool_] = self.excluded[source]
        return excluded


@dataclass(frozen=True)
class Judge:
    """A source, searched by the default method and judged by the shipped classifier."""

    source: PreparedDocument
    classifier: Ensemble

    @classmethod
    def of(cls, source: Document, index: Path | None) -> Judge:
        return cls(PreparedDocument.of(source if index is None else Index.open(index)), Ensemble())

    def found(self, work: Work) -> tuple[Pairs, NDArray[np.float32]]:
        """Return the candidates of a text, and their probabilities."""
        query, exclusion = work.query, work.exclusion
        search = Combined(verse_weights=work.verses or "shipped").index(self.source)
        prepared = prepare_query(query)
        if exclusion is not None:
            prepared.exclude(exclusion, np.arange(len(query)))  # type: ignore[arg-type]
        found = search.search(prepared, CANDIDATES)
        if exclusion is not None:
            found = found.select(~exclusion.excluded[found.source])
        pairs = Pairs(prepared, self.source, found.query, found.source)
        chances = self.classifier.probabilities(pairs)
        return pairs, judged_as_searched(search, pairs, chances, found.score)

    def judged(self, work: Work) -> Judged:
        """Search and judge; candidates that a pair stands for are those of the reading."""
        if work.within is None:
            pairs, chances = self.found(work)
        else:
            pairs = Pairs.every(work.query, work.within)
            chances = self.classifier.probabilities(pairs)
        ties = PreparedDocument.of(pairs.source).ties
        found, chances = ranked_pairs(pairs, chances, ties, len(pairs.source), Selection())
        right, counts = work.truth.of(found)
        return Judged(
            work.part, work.name, len(work.query), len(pairs.source), len(work.truth.references),
            found.query.astype(np.int64), found.source.astype(np.int64), chances, right, counts,
        )  # fmt: skip


@dataclass(frozen=True)
class Truth:
    """The references of a text, and how they are read."""

    references: References = field(default_factory=lambda: References.from_columns([], [], []))
    parallels: Parallels | None = None

    def of(self, found: Candidates) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Tell which pairs are right, and which are neither right nor wrong."""
        rows = Candidates(found.query, found.source, np.arange(len(found), dtype=np.float32))
        read = rows if self.parallels is None else as_noted(rows, self.references, self.parallels)
        kept = read.score.astype(np.int64)
        counts = np.zeros(len(found), np.bool_)
        counts[kept] = True
        wanted = set(
            zip(self.references.query.tolist(), self.references.source.tolist(), strict=True)
        )
        right = np.zeros(len(found), np.bool_)
        pairs = zip(read.query.tolist(), read.source.tolist(), strict=True)
        right[kept] = [pair in wanted for pair in pairs]
        return right, counts


@dataclass(frozen=True)
class Work:
    """What is to be judged: a text in all sources, or every pair of it and a few."""

    part: str
    name: str
    query: Document
    truth: Truth = field(default_factory=Truth)
    exclusion: LaterSources | None = None
    within: Document | None = None
    verses: VerseWeights | None = None  # the shipped ones, if None


def passages(rows: NDArray[np.int64], most: int) -> list[int]:
    """Return passages from the whole of a text; of a short one, all."""
    if len(rows) < PASSAGE:
        return [int(row) for row in rows]
    whole = len(rows) // PASSAGE
    places = np.linspace(0, whole - 1, min(max(most // PASSAGE, 1), whole)).astype(np.int64)
    return [int(row) for place in np.unique(places) for row in rows[place * PASSAGE :][:PASSAGE]]


def moved(references: References, query: Iterable[int], source: NDArray[np.int64]) -> References:
    """Return the references of some queries, which become 0, 1, 2 …, at other source positions."""
    place = {row: number for number, row in enumerate(query)}
    kept = references.select(np.isin(references.query, list(place)))
    return References.from_columns(
        [place[row] for row in kept.query.tolist()], source[kept.source], kept.label
    )


def null_texts(part: str, judge: Judge, corpora: Path, most: int) -> Iterator[Work]:
    for name in NULL_TEXTS:
        text = Document(next(corpora.rglob(f"{name}.tess")))
        query = text.select(passages(np.arange(len(text)), most))
        exclusion = None
        if part == "library":
            exclusion = LaterSources(float(years_of(text).min()), text.authors[0], judge.source)
        yield Work(part, name, query, exclusion=exclusion)


def verse_weights(references: Path | None, authors: Iterable[str]) -> dict[str, VerseWeights]:
    """Return weights that count no notes of an author, for each author."""
    shipped = VerseWeights.shipped()
    counted = sorted(set(authors) & set(shipped.authors))
    if not counted:
        return dict.fromkeys(authors, shipped)
    if references is None:
        raise SystemExit(f"the notes of {', '.join(counted)} are counted: give --references")
    noted = noted_verses(references)
    return {
        author: replace(shipped, counts=citation_counts(noted, without=[author]))
        for author in authors
    }


def fathers(
    source: Document, benchmark: Benchmark, most: int, references: Path | None
) -> Iterator[Work]:
    place = np.array([source.index(name) for name in benchmark.source.ids])
    assert benchmark.parallels is not None
    one, other = (
        place[side].tolist() for side in (benchmark.parallels.one, benchmark.parallels.other)
    )
    parallels = Parallels.from_pairs(one, other)
    authors = np.array(benchmark.query.authors)
    verses = verse_weights(references, set(authors.tolist()))
    for author in sorted(verses):
        rows = passages(np.flatnonzero(authors == author), most)
        truth = Truth(moved(benchmark.references, rows, place), parallels)
        query = benchmark.query.select(rows)
        yield Work("fathers", author, query, truth, verses=verses[author])


def loci(judge: Judge, benchmark: Benchmark) -> Iterator[Work]:
    for fold in FOLDS:
        pool = fold_pool(benchmark, fold)
        name = f"fold {fold}"
        yield Work("loci", name, pool.query, Truth(pool.references), within=pool.source)
        place = np.array([judge.source.index(name) for name in pool.source.ids])
        truth = Truth(moved(pool.references, range(len(pool.query)), place))
        yield Work("loci", f"{name} in all sources", pool.query, truth)


class Adapted(NamedTuple):
    """The probabilities of a text, and the error in its log-odds."""

    probability: NDArray[np.float64]
    spread: float


def adapted(
    judged: Judged, texts: Mapping[str, JudgedText], models: dict[str, RateModel], spread: float
) -> Adapted:
    """Adapt probabilities with base rates that are learnt without texts by the author.

    The spread is that of all: it is measured on left-out authors itself.
    """
    text = texts[judged.key]
    if text.author not in models:
        same = [
            one
            for one in texts.values()
            if (one.part == OWN_PART) == (judged.part == OWN_PART) and one.author != text.author
        ]
        if judged.part == OWN_PART:
            models[text.author] = learn_own(same, spread)
        else:
            models[text.author] = replace(fit_others(same), spread=spread)
    model = models[text.author]
    rate = TextRate(model, model.shift(text.best()), model.spread)
    if (model.slope, model.constant, rate.shift) == (1, 0, 0):
        return Adapted(judged.probability, model.spread)
    return Adapted(rate.adapted(judged.probability), model.spread)


def measured(
    judged: Judged,
    probability: NDArray[np.float64],
    spread: float,
    once: NDArray[np.bool_] | None = None,
) -> dict[str, Any]:
    """Return what can be said of a text; `once` are the pairs that count, all by default."""
    if once is None:
        once = np.ones(len(probability), np.bool_)
    expected = expect_references(probability[once], spread)
    row: dict[str, Any] = {
        "text": judged.name, "sentences": judged.sentences, "expected": expected.expected,
        "low": expected.low, "high": expected.high,
        "above .5": int((probability[once] > LIKELY).sum()),
    }  # fmt: skip
    if judged.part in ("vulgate", "library"):
        row["expected in 100"] = 100 * expected.expected / judged.sentences
        row["above .5 in 1,000"] = 1000 * row["above .5"] / judged.sentences
        return row
    row["noted"] = judged.noted
    row["found"] = int(judged.right.sum())
    row["expected/noted"] = expected.expected / max(judged.noted, 1)
    row["ECE"] = reliability(probability[judged.counts], judged.right[judged.counts]).ece
    held = 0
    for budget in BUDGETS:
        kept = Selection(budget=budget).kept(probability)
        interval = expect_references(probability[kept & once], spread)
        held += interval.low <= int(judged.right[kept].sum()) <= interval.high
    row["intervals held"] = held
    kept = Selection(precision=PRECISION).kept(probability) & judged.counts
    row["listed"] = int(kept.sum())
    row["noted of these"] = float(judged.right[kept].mean()) if kept.any() else None
    return row


def totals(part: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the figures over all texts of a part."""
    sums = {k: sum(row[k] for row in rows) for k in ("sentences", "expected", "above .5")}
    if part in ("vulgate", "library"):
        return {
            "expected in 100": 100 * sums["expected"] / sums["sentences"],
            "above .5 in 1,000": 1000 * sums["above .5"] / sums["sentences"],
        }
    noted = sum(row["noted"] for row in rows)
    ratios = sorted(row["expected/noted"] for row in rows)
    return {
        "expected/noted": sums["expected"] / noted,
        "least": ratios[0],
        "most": ratios[-1],
        "texts between .8 and 1.6": sum(GOOD[0] <= ratio <= GOOD[1] for ratio in ratios),
        "texts": len(rows),
        "intervals held": sum(row["intervals held"] for row in rows) / len(rows) / len(BUDGETS),
        "ECE": float(np.mean([row["ECE"] for row in rows])),
    }


def collect(options: argparse.Namespace) -> Iterator[tuple[Judged, Sequence[str]]]:
    """Yield the judged pairs of all texts, with the texts of their sources."""
    loci_set, fathers_set = (Benchmark.load(folder) for folder in (options.loci, options.fathers))
    loci_index, fathers_index = options.indexes or (None, None)
    judges: dict[str, Judge] = {}

    def judge(name: str) -> Judge:
        if name not in judges:
            kept = {"vulgate": (fathers_set, fathers_index), "library": (loci_set, loci_index)}
            judges[name] = Judge.of(kept[name][0].source, kept[name][1])
        return judges[name]

    parts: Mapping[str, Callable[[], tuple[Judge, Iterator[Work]]]] = {
        "vulgate": lambda: (
            judge("vulgate"),
            null_texts("vulgate", judge("vulgate"), options.corpora, options.sentences),
        ),
        "library": lambda: (
            judge("library"),
            null_texts("library", judge("library"), options.corpora, options.sentences),
        ),
        "fathers": lambda: (
            judge("vulgate"),
            fathers(judge("vulgate").source, fathers_set, options.sentences, options.references),
        ),
        "loci": lambda: (judge("library"), loci(judge("library"), loci_set)),
    }
    for part in options.only or PARTS:
        own, works = parts[part]()
        for work in works:
            texts = (own.source if work.within is None else work.within).texts
            path = options.keep and options.keep / f"{part} {work.name} {options.sentences}.npz"
            if path and path.exists():
                known = Judged.load(path)
                right, counts = work.truth.of(known.found())
                noted = len(work.truth.references)
                yield replace(known, right=right, counts=counts, noted=noted), texts
                continue
            judged = own.judged(work)
            print(part, work.name, f"{judged.probability.sum():.1f} expected", flush=True)
            if path:
                options.keep.mkdir(parents=True, exist_ok=True)
                judged.save(path)
            yield judged, texts


def options_of(options: argparse.ArgumentParser) -> argparse.Namespace:
    """Return the options of a script that judges these texts."""
    options.add_argument("loci", type=Path)
    options.add_argument("fathers", type=Path)
    options.add_argument("corpora", type=Path)
    options.add_argument("--sentences", type=int, default=400)
    options.add_argument("--keep", type=Path)
    options.add_argument("--indexes", type=Path, nargs=2)
    options.add_argument("--references", type=Path)
    options.add_argument("--only", choices=PARTS, action="append")
    options.add_argument("--output", type=Path)
    return options.parse_args()


def main() -> None:
    given = options_of(parser(__doc__))
    spread = Ensemble().calibration.spread
    found = {judged.key: (judged, source) for judged, source in collect(given)}
    read = {key: judged for key, (judged, _) in found.items()}
    texts = {key: judged.text() for key, judged in read.items()}
    others = [text for text in texts.values() if text.part != OWN_PART]
    others_spread, models = learn_others(others).spread, dict[str, RateModel]()
    content: dict[str, Any] = {"sentences": given.sentences}
    ways: dict[str, Callable[[Judged], Adapted]] = {
        "as they are": lambda judged: Adapted(judged.probability, spread),
        "adapted": lambda judged: adapted(
            judged, texts, models, spread if judged.part == OWN_PART else others_spread
        ),
    }
    for way, used in ways.items():
        rows: dict[str, list[dict[str, Any]]] = {}
        for judged in read.values():
            probability, own_spread = used(judged)
            once = judged.once(found[judged.key][1], probability)
            row = measured(judged, probability, own_spread, once)
            rows.setdefault(judged.part, []).append(row)
        content[way] = {"all": {part: totals(part, own) for part, own in rows.items()}, **rows}
        for part, own in rows.items():
            print(f"\n{part}, {way}")
            print_table(own)
            print(content[way]["all"][part])
    save_results("calibration", content, given.output)


if __name__ == "__main__":
    main()
