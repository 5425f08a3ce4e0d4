"""Rebuild the published benchmark: corpora from public editions, references from the labels.

The corpora are cut from the editions that the catalogue prefers. The labelled texts are then found
in them (see `alignment`), and the few that are cut differently there are cut as the labels have
them. Segments keep *our* text, not that of the labels: the labelled texts have a spelling of their
own (``irreparabile`` for ``inreparabile``), by which a method could learn to tell them from the
rest. Only texts that no edition has are taken from the labels. Every other word of the editions
stands in one segment, so that no labelled text is there a second time in another cut.
"""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from locisimiles.benchmark.sets.alignment import LEAST_OVERLAP, align_work
from locisimiles.benchmark.sets.authors import QUERY_AUTHORS, SOURCE_AUTHORS, works_by
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.gold import read_gold
from locisimiles.benchmark.sets.labels import references_between
from locisimiles.benchmark.sets.recut import first_locus, number_again, recut
from locisimiles.benchmark.sets.words import WorkWords, locus_key
from locisimiles.corpus import Document, Segment
from locisimiles.corpus.library import Library
from locisimiles.errors import InputError
from locisimiles.files.hashing import file_sha256
from locisimiles.progress import silent

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from locisimiles.benchmark.sets.gold import GoldSegment
    from locisimiles.progress import Progress

__all__ = ["AlignedSegment", "build_benchmark"]

_NAME = "loci-similes"


@dataclass(frozen=True, slots=True)
class AlignedSegment:
    """How a labelled text came into the corpus.

    Attributes
    ----------
    gold
        Its id in the labels.
    segment
        The id of the segment that stands for it.
    how
        ``exact``: the segment has the same words. ``overlap``: it shares most of them.
        ``inserted``: no edition has the text, it was taken from the labels.
    score
        Dice coefficient of its words with the most similar segment, as the edition is cut.
    recut_score
        The same with the segment that stands for it, which is another where the edition was cut
        anew.
    recut
        Whether it was.
    """

    gold: str
    segment: str
    how: Literal["exact", "overlap", "inserted"]
    score: float
    recut_score: float
    recut: bool


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two corpora, with the labelled texts found in it."""

    segments: tuple[Segment, ...]
    aligned: tuple[AlignedSegment, ...]

    def segment_of(self) -> dict[str, str]:
        return {found.gold: found.segment for found in self.aligned}


def build_benchmark(
    labels: str | os.PathLike[str],
    corpora: str | os.PathLike[str],
    *,
    progress: Progress = silent,
) -> Benchmark:
    """Rebuild the published benchmark.

    Parameters
    ----------
    labels
        The published references, a table with both texts of each (see `read_gold`).
    corpora
        A folder with copies of the editions that the catalogue names.
    progress
        Called as one work after the other is read and aligned.

    Returns
    -------
    Benchmark
        Its manifest says under ``alignment`` how each labelled text was found.

    Raises
    ------
    InputError
        If the labels cannot be used.
    DownloadError
        If an edition is not in the folder, or in another version than the catalogue's.
    """
    gold = read_gold(labels)
    with tempfile.TemporaryDirectory() as folder:
        library = Library(folder)
        works = _read_works(library, Path(corpora), progress)
    query = _build_side(gold.queries, works, QUERY_AUTHORS, progress, "aligning queries")
    source = _build_side(gold.sources, works, SOURCE_AUTHORS, progress, "aligning sources")
    query_of, source_of = query.segment_of(), source.segment_of()
    pairs = [
        replace(pair, query_id=query_of[pair.query_id], source_id=source_of[pair.source_id])
        for pair in gold.pairs
    ]
    queries = Document.from_segments(query.segments)
    sources = Document.from_segments(source.segments)
    references, provenance = references_between(pairs, queries, sources, file=str(labels))
    return Benchmark(
        queries,
        sources,
        references,
        name=_NAME,
        manifest=_manifest(Path(labels), library, query, source),
        provenance=provenance,
    )


@dataclass(frozen=True)
class _Work:
    """The segments of what the ids call one work."""

    abbreviation: str
    author: str
    segments: list[Segment]

    @cached_property
    def words(self) -> WorkWords:
        return WorkWords.of(self.segments)


def _read_works(library: Library, corpora: Path, progress: Progress) -> list[_Work]:
    wanted = list(works_by([*QUERY_AUTHORS, *SOURCE_AUTHORS], library.catalogue))
    works: dict[str, _Work] = {}
    for done, work in enumerate(wanted):
        progress("reading", done, len(wanted))
        library.add(work.name, mirror=corpora)
        document = Document(*library.files(work.name))
        together = works.setdefault(work.abbreviation, _Work(work.abbreviation, work.author, []))
        together.segments.extend(document)
    progress("reading", len(wanted), len(wanted))
    return list(works.values())


def _build_side(
    gold: Sequence[GoldSegment],
    works: Sequence[_Work],
    authors: Sequence[str],
    progress: Progress,
    task: str,
) -> _Side:
    works = [work for work in works if work.author in authors]
    _refuse_strangers(gold, authors)
    of_work, homeless = _by_work(gold, works)
    segments: list[Segment] = []
    aligned: list[AlignedSegment] = []
    for done, work in enumerate(works):
        progress(task, done, len(works))
        here = of_work.get(work.abbreviation)
        side = _align(here, work) if here else _Side(tuple(work.segments), ())
        segments += side.segments
        aligned += side.aligned
    for segment in homeless:
        segments.append(_inserted(segment, segment.work))
        aligned.append(AlignedSegment(segment.id, segment.id, "inserted", 0.0, 0.0, recut=False))
    progress(task, len(works), len(works))
    bare = tuple(replace(segment, loci=(), meta={}) for segment in segments)
    return _Side(bare, tuple(sorted(aligned, key=lambda found: found.gold)))


def _refuse_strangers(gold: Sequence[GoldSegment], authors: Sequence[str]) -> None:
    stranger = next((segment for segment in gold if segment.author not in authors), None)
    if stranger is not None:
        raise InputError(
            f"{stranger.id!r} is by {stranger.author}, who is not among the authors on this side",
            hint=f"they are {', '.join(authors)}",
        )


def _by_work(
    gold: Sequence[GoldSegment], works: Sequence[_Work]
) -> tuple[dict[str, list[GoldSegment]], list[GoldSegment]]:
    """Sort labelled texts by work; those whose work we do not know, by where they are found.

    Returns also those that are not found in any work of their author.
    """
    of_work: defaultdict[str, list[GoldSegment]] = defaultdict(list)
    homeless: list[GoldSegment] = []
    known = {work.abbreviation for work in works}
    for segment in gold:
        if segment.abbreviation in known:
            of_work[segment.abbreviation].append(segment)
            continue
        scores = {
            work.abbreviation: match.recut_score
            for work in works
            if work.author == segment.author
            and (match := align_work([segment], work.words).get(segment.id))
        }
        if scores:
            of_work[max(scores, key=lambda name: scores[name])].append(segment)
        else:
            homeless.append(segment)
    return of_work, homeless


def _align(gold: Sequence[GoldSegment], work: _Work) -> _Side:
    """Find labelled texts in their work, cut it anew where need be, insert what it lacks."""
    found = align_work(gold, work.words)
    cutting = recut(work.words, [(passage.begin, passage.end) for passage in found.values()])
    gold_at = {passage.begin: gold_id for gold_id, passage in found.items()}
    owners = [gold_at.get(begin) for begin in cutting.begins]
    segments = list(cutting.segments)
    touched = set(cutting.touched)
    for segment in reversed(gold):  # each goes before what is there, so the last one first
        if segment.id not in found:
            place = _place(segment.locus, segments)
            segments.insert(place, _inserted(segment, segments[min(place, len(owners) - 1)].work))
            owners.insert(place, segment.id)
            touched.add(segment.locus)
    numbered = tuple(number_again(segments, touched, work.abbreviation))
    aligned = []
    for owner, ours in zip(owners, numbered, strict=True):
        if owner in found:
            match = found[owner]
            scores = round(match.score, 4), round(match.recut_score, 4)
            moved = ours.text != work.segments[work.words.segment_at(match.begin)].text
            aligned.append(AlignedSegment(owner, ours.id, match.how, *scores, recut=moved))
        elif owner is not None:
            aligned.append(AlignedSegment(owner, ours.id, "inserted", 0.0, 0.0, recut=False))
    return _Side(numbered, tuple(aligned))


def _place(locus: str, segments: Sequence[Segment]) -> int:
    key = locus_key(locus)
    later = (i for i, s in enumerate(segments) if locus_key(first_locus(s)) >= key)
    return next(later, len(segments))


def _inserted(segment: GoldSegment, work: str) -> Segment:
    return Segment(segment.id, segment.texts[0], segment.author, work, segment.locus)


def _manifest(labels: Path, library: Library, query: _Side, source: _Side) -> dict[str, object]:
    editions = [
        {"file": edition.path, "sha256": edition.sha256, "source": edition.source}
        for work in works_by([*QUERY_AUTHORS, *SOURCE_AUTHORS], library.catalogue)
        for text in library.catalogue.find(work.name)
        for edition in text.files
    ]
    return {
        "built_from": {
            "labels_sha256": file_sha256(labels),
            "editions": editions,
        },
        "alignment": {
            "least_overlap": LEAST_OVERLAP,
            "counts": {"query": _how_many(query), "source": _how_many(source)},
            "query": [asdict(found) for found in query.aligned],
            "source": [asdict(found) for found in source.aligned],
        },
    }


def _how_many(side: _Side) -> dict[str, int]:
    """Count how labelled texts were found; those that needed a new cut are also counted apart."""
    how = Counter(found.how for found in side.aligned)
    moved = sum(found.recut for found in side.aligned)
    return {name: how[name] for name in ("exact", "overlap", "inserted")} | {"recut": moved}
