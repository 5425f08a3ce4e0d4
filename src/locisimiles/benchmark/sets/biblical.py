"""A benchmark of the Bible in the Fathers: references that editors noted inside the text.

It is built from three tables: ``fathers.csv``, sentences of whole works in order; ``vulgate.csv``,
the verses; and ``references.csv``, which verse was noted in which sentence. Each may be packed with
xz.

1. Works without a single note are left out: whether anybody looked for references is unknown. So
   are authors with fewer than `FEWEST_NOTES` notes.
2. Of each author, passages of `PASSAGE` sentences are drawn until there are enough. Sentences
   without a note stay: they are what a search must tell from those with one.
3. Notes are corrected by rule (`note_corrections`).
4. A reference is *cit.* or *cf.* by the rule by which Loci Similes was labelled (`classify.rule`).
5. Folds are disjoint by author, so that a method is measured on authors it has not learnt from.
6. Verses that stand for each other are listed for the lenient reading (`parallels`).

The manifest counts what each step did.
"""

from __future__ import annotations

import lzma
import tempfile
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.folds import shuffled_place
from locisimiles.benchmark.sets.labels import check_ids, read_pairs
from locisimiles.benchmark.sets.note_corrections import (
    ENOUGH,
    FOUND,
    NOTHING,
    QUOTED,
    Verses,
    correct_notes,
)
from locisimiles.benchmark.sets.parallels import find_parallels
from locisimiles.benchmark.sets.references import References
from locisimiles.benchmark.sets.shared_words import LemmaTable
from locisimiles.checks import check_at_least
from locisimiles.classify.rule import reference_types
from locisimiles.corpus import Document, Segment
from locisimiles.errors import InputError
from locisimiles.files.hashing import file_sha256
from locisimiles.files.tables import read_table, shipped_rows
from locisimiles.progress import silent

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.progress import Progress

__all__ = [
    "FEWEST_NOTES",
    "PASSAGE",
    "author_folds",
    "build_biblical",
    "draw_passages",
    "noted_verses",
]

FEWEST_NOTES = 20
"""Authors with fewer notes are left out."""
PASSAGE = 50
"""The number of sentences of a passage."""
_TABLES = ("fathers", "vulgate", "references")
_FOLDS = 5


class _Notes(NamedTuple):
    """The sentence and verse of each note."""

    query: NDArray[np.int64]
    source: NDArray[np.int64]

    def within(self, kept: NDArray[np.int64]) -> _Notes:
        """Return the notes of some sentences, whose places among these are the new positions."""
        place = np.searchsorted(kept, self.query)
        inside = place < len(kept)
        inside[inside] = kept[place[inside]] == self.query[inside]
        return _Notes(place[inside], self.source[inside])


def build_biblical(
    folder: str | os.PathLike[str],
    *,
    sentences: int = 2000,
    seed: int = 0,
    progress: Progress = silent,
) -> Benchmark:
    """Build the benchmark of the Bible in the Fathers.

    Parameters
    ----------
    folder
        The folder with the three tables.
    sentences
        The number of sentences of each author, at most.
    seed
        Decides which passages are drawn.
    progress
        Called to report progress.

    Raises
    ------
    InputError
        If a table is missing or cannot be used.
    """
    check_at_least(PASSAGE, sentences=sentences)
    with tempfile.TemporaryDirectory() as scratch:
        files = {name: _unpacked(Path(folder), name, Path(scratch)) for name in _TABLES}
        progress("reading texts", 0, 3)
        fathers = Document(files["fathers"], format="csv")
        progress("reading texts", 1, 3)
        vulgate = _with_printed_books(Document(files["vulgate"], format="csv"))
        progress("reading texts", 2, 3)
        notes = _read_notes(files["references"], fathers, vulgate)
        progress("reading texts", 3, 3)
        hashes = {f"{name}.csv": file_sha256(path) for name, path in files.items()}
    eligible, left_out = _eligible(fathers, notes)
    kept = draw_passages(fathers, eligible, sentences, seed=seed)
    query = fathers.select(kept.tolist())
    inside = notes.within(kept)
    progress("comparing words", 0, 1)
    verses = Verses.of(vulgate.works, vulgate.loci)
    table = LemmaTable([*vulgate.texts, *query.texts], counted=len(vulgate))
    runs = _runs(query, kept)
    corrected = correct_notes(inside.query.tolist(), inside.source.tolist(), table, runs, verses)
    elsewhere = np.random.default_rng(seed).permutation(inside.source)
    doubtful = corrected.doubtful
    by_chance = correct_notes(
        inside.query[doubtful].tolist(), elsewhere[doubtful].tolist(), table, runs, verses
    )
    progress("comparing words", 1, 1)
    pairs = np.unique(np.stack([corrected.query, corrected.source], axis=1), axis=0)
    types = reference_types(
        [query.texts[q] for q in pairs[:, 0]], [vulgate.texts[s] for s in pairs[:, 1]]
    )
    references = References.from_columns(pairs[:, 0], pairs[:, 1], types)
    fold = author_folds([query.authors[q] for q in references.query.tolist()], _FOLDS)
    return Benchmark(
        query,
        vulgate,
        replace(references, fold=fold),
        name="fathers-vulgate",
        manifest={
            "tables": hashes,
            "sentences": sentences,
            "seed": seed,
            "notes": len(notes.query),
            "left_out": left_out,
            "corrections": {
                "rules": corrected.rules,
                "doubtful": int(doubtful.sum()),
                "rules_by_chance": by_chance.rules,
                "repeated": len(corrected.query) - len(pairs),
                "nothing_below": NOTHING,
                "found_from": FOUND,
                "quoted_from": QUOTED,
                "nearly_numbered_from": ENOUGH,
            },
            "authors": dict(sorted(Counter(query.authors).items())),
        },
        parallels=find_parallels(vulgate),
    )


def noted_verses(folder: str | os.PathLike[str]) -> dict[str, Counter[tuple[str, str]]]:
    """Count how often each author's editors noted each verse: its book and locus.

    Parameters
    ----------
    folder
        The folder with the three tables.

    Raises
    ------
    InputError
        If a table is missing or cannot be used.
    """
    with tempfile.TemporaryDirectory() as scratch:
        files = {name: _unpacked(Path(folder), name, Path(scratch)) for name in _TABLES}
        fathers = Document(files["fathers"], format="csv")
        vulgate = _with_printed_books(Document(files["vulgate"], format="csv"))
        notes = _read_notes(files["references"], fathers, vulgate)
    counts: dict[str, Counter[tuple[str, str]]] = {}
    for query, source in zip(notes.query.tolist(), notes.source.tolist(), strict=True):
        verse = vulgate.works[source] or "", vulgate.loci[source] or ""
        counts.setdefault(fathers.authors[query] or "", Counter())[verse] += 1
    return counts


def draw_passages(
    document: Document, eligible: NDArray[np.bool_], most: int, *, seed: int = 0
) -> NDArray[np.int64]:
    """Return the positions of passages, until each author has enough sentences.

    A passage is a run of neighbouring eligible sentences of one work. Which are drawn depends on
    their ids and the seed, not on the order of works.
    """
    passages: dict[str, list[list[int]]] = {}
    last: tuple[str, str] | None = None
    for row in np.flatnonzero(eligible).tolist():
        author, work = document.authors[row], document.works[row]
        own = passages.setdefault(author, [])
        if last != (author, work) or len(own[-1]) == PASSAGE or own[-1][-1] != row - 1:
            own.append([])
        own[-1].append(row)
        last = author, work
    drawn: list[int] = []
    for own in passages.values():
        count = 0
        for passage in sorted(
            own, key=lambda rows: shuffled_place("passage", seed, document.ids[rows[0]])
        ):
            if count >= most:
                break
            part = passage[: most - count]
            drawn += part
            count += len(part)
    return np.sort(np.array(drawn, np.int64))


def author_folds(authors: Sequence[str], n: int) -> NDArray[np.int8]:
    """Return the fold of each reference: all of an author in one, about as many in each.

    Examples
    --------
    >>> author_folds(["a", "b", "b", "b", "c", "c"], 2).tolist()
    [1, 0, 0, 0, 1, 1]
    """
    counts = Counter(authors)
    sizes, fold_of = [0] * n, {}
    for author in sorted(counts, key=lambda name: (-counts[name], name)):
        fold = min(range(n), key=lambda number: (sizes[number], number))
        fold_of[author] = fold
        sizes[fold] += counts[author]
    return np.array([fold_of[author] for author in authors], np.int8)


def _unpacked(folder: Path, name: str, scratch: Path) -> Path:
    plain, packed = folder / f"{name}.csv", folder / f"{name}.csv.xz"
    if plain.is_file():
        return plain
    if not packed.is_file():
        raise InputError("benchmark.missing_references", file=str(folder), name=f"{name}.csv")
    target = scratch / f"{name}.csv"
    try:
        with lzma.open(packed) as stream, target.open("wb") as out:
            while block := stream.read(1 << 20):
                out.write(block)
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise InputError("benchmark.unreadable_table", file=str(packed)) from error
    return target


def _read_notes(path: Path, fathers: Document, vulgate: Document) -> _Notes:
    table = read_table(path)
    pairs = read_pairs(table)
    check_ids(pairs, fathers, vulgate, file=table.file)
    places = [(fathers.index(pair.query_id), vulgate.index(pair.source_id)) for pair in pairs]
    columns = np.array(places, np.int64).reshape(-1, 2)
    return _Notes(columns[:, 0], columns[:, 1])


def _eligible(fathers: Document, notes: _Notes) -> tuple[NDArray[np.bool_], dict[str, object]]:
    """Return which sentences may be drawn, and what is left out."""
    authors = np.array(fathers.authors)
    works = np.array([f"{a}\0{w}" for a, w in zip(fathers.authors, fathers.works, strict=True)])
    noted = Counter(authors[notes.query].tolist())
    few = sorted(name for name in set(fathers.authors) if noted[name] < FEWEST_NOTES)
    with_notes = np.isin(works, np.unique(works[notes.query]))
    eligible = with_notes & ~np.isin(authors, few)
    return eligible, {
        "authors_with_few_notes": few,
        "works_without_notes": len(np.unique(works[~with_notes])),
        "sentences": int((~eligible).sum()),
    }


def _runs(query: Document, kept: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of the run of neighbouring sentences that each belongs to."""
    new = np.ones(len(query), np.bool_)
    for row in range(1, len(query)):
        same_work = (query.authors[row], query.works[row]) == (
            query.authors[row - 1],
            query.works[row - 1],
        )
        new[row] = not same_work or kept[row] != kept[row - 1] + 1
    return np.cumsum(new)


def _with_printed_books(vulgate: Document) -> Document:
    """Return the verses with their books as they are printed, such as ``Matth.``."""
    printed = _printed_books()
    return Document.from_segments(
        Segment(
            id=one.id,
            text=one.text,
            author=one.author,
            work=printed.get(one.work, one.work),
            locus=one.locus,
        )
        for one in vulgate
    )


@lru_cache(maxsize=1)
def _printed_books() -> Mapping[str, str]:
    rows = shipped_rows("locisimiles.benchmark.sets", "vulgate_books.tsv")
    return {row["code"]: row["printed"] for row in rows}
