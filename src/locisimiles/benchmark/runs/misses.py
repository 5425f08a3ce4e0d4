"""The references that a retriever misses, by kind: what a method does not see."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.benchmark.runs.trec import read_run
from locisimiles.benchmark.sets.references import Label
from locisimiles.checks import check_at_least, check_choice
from locisimiles.errors import InputError
from locisimiles.evidence import EvidenceFinder
from locisimiles.evidence.verse import PROSE, VERSE, verse_or_prose

if TYPE_CHECKING:
    import os
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.candidates import Candidates
    from locisimiles.corpus import Segment
    from locisimiles.evidence import Evidence

__all__ = ["KINDS", "KindCount", "RankedReference", "count_kinds", "examples", "rank_references"]

KINDS = ("type", "shared words", "query length", "form", "citing author", "cited author")
"""What references are grouped by, in order."""

_COMMON = 0.001
"""The share of the sources that a common lemma occurs in: one in a thousand."""

_LENGTHS = (10, 20, 40)
_FORMS = {PROSE: "prose", VERSE: "verse"}


@dataclass(frozen=True, slots=True)
class RankedReference:
    """A known reference, and where a retriever ranks its source.

    Attributes
    ----------
    query, source
        The segments.
    rank
        The rank of the source among the candidates of the query; None if it is not among them.
    kinds
        Its kind in each respect (`KINDS`).
    words
        The lemmas that the two segments share, function words left out.
    sentence
        What the two segments have in common.
    """

    query: Segment
    source: Segment
    rank: int | None
    kinds: Mapping[str, str]
    words: tuple[str, ...]
    sentence: str

    def is_missed(self, depth: int) -> bool:
        """Return whether the source is not among the first candidates."""
        return self.rank is None or self.rank > depth


@dataclass(frozen=True, slots=True)
class KindCount:
    """How many references of a kind there are, and how many are missed."""

    respect: str
    kind: str
    references: int
    missed: int

    @property
    def share(self) -> float:
        """The share that is missed."""
        return self.missed / self.references


def rank_references(
    benchmark: Benchmark,
    runs: str | os.PathLike[str],
    method: str,
    *,
    folds: Collection[int] = (),
) -> list[RankedReference]:
    """Look up the references of a set in the finished run of a retriever.

    Parameters
    ----------
    benchmark
        The set.
    runs
        The folder of its runs, which `run_benchmark` wrote.
    method
        The name of the retriever.
    folds
        Look at these folds only; by default at all references.

    Raises
    ------
    InputError
        If the retriever has no finished run there, or one with other segments.
    ParameterError
        If the set has no such fold.
    """
    for fold in folds:
        check_choice([str(known) for known in benchmark.folds], fold=str(fold))
    folder = Path(runs) / "retrieval" / method
    if not (folder / "manifest.json").is_file():
        raise InputError("benchmark.no_run_of", file=str(Path(runs)), method=method)
    candidates = read_run(folder / "run.trec", benchmark.query, benchmark.source)
    references = benchmark.references
    rows = np.flatnonzero(np.isin(references.fold, list(folds)) | (not folds))
    ranks = _ranks(candidates, references.query[rows], references.source[rows])
    kinds = _kinds(benchmark, rows)
    return [
        RankedReference(
            benchmark.query[int(references.query[row])],
            benchmark.source[int(references.source[row])],
            rank,
            dict(zip(KINDS, own, strict=True)),
            tuple(word.lemma for word in evidence.shared),
            evidence.sentence,
        )
        for row, rank, (own, evidence) in zip(rows.tolist(), ranks, kinds, strict=True)
    ]


def count_kinds(references: Sequence[RankedReference], depth: int = 100) -> list[KindCount]:
    """Count the references of each kind, and those missed among the first candidates.

    Kinds that order themselves (number of shared words, length) come in that order, others by name.
    """
    check_at_least(1, depth=depth)
    counts = []
    for respect in KINDS:
        own = [(one.kinds[respect], one.is_missed(depth)) for one in references]
        for kind in sorted({kind for kind, _ in own}, key=_order):
            missed = [is_missed for other, is_missed in own if other == kind]
            counts.append(KindCount(respect, kind, len(missed), sum(missed)))
    return counts


def examples(
    references: Sequence[RankedReference], depth: int = 100, n: int = 3
) -> dict[str, list[RankedReference]]:
    """Return missed references by the words they share, at most `n` of each kind.

    They are spread evenly over the set.
    """
    check_at_least(1, depth=depth, n=n)
    missed: dict[str, list[RankedReference]] = {}
    for one in references:
        if one.is_missed(depth):
            missed.setdefault(one.kinds["shared words"], []).append(one)
    return {
        kind: [missed[kind][at] for at in _spread(len(missed[kind]), n)]
        for kind in sorted(missed, key=_order)
    }


def _ranks(
    candidates: Candidates, query: NDArray[np.int32], source: NDArray[np.int32]
) -> list[int | None]:
    wanted = set(zip(query.tolist(), source.tolist(), strict=True))
    columns = candidates.query.tolist(), candidates.source.tolist(), candidates.rank.tolist()
    rank_of = {(q, s): rank for q, s, rank in zip(*columns, strict=True) if (q, s) in wanted}
    return [rank_of.get(pair) for pair in zip(query.tolist(), source.tolist(), strict=True)]


def _kinds(
    benchmark: Benchmark, rows: NDArray[np.intp]
) -> Iterator[tuple[tuple[str, ...], Evidence]]:
    references, query, source = benchmark.references, benchmark.query, benchmark.source
    finder = EvidenceFinder(query, source, meanings=None)
    pairs = references.query[rows].astype(np.int64), references.source[rows].astype(np.int64)
    forms = verse_or_prose(query), verse_or_prose(source)
    common = _COMMON * len(source)
    for row, q, s, evidence in zip(
        rows.tolist(), *(side.tolist() for side in pairs), finder.for_pairs(*pairs), strict=True
    ):
        kinds = (
            f"{Label(references.label[row]).text}.",
            _shared_words([word.in_source for word in evidence.shared], common),
            _length(len(query.texts[q].replace("/", " ").split())),
            _form(int(forms[0][q]), int(forms[1][s])),
            query.authors[q] or "unknown",
            source.authors[s] or "unknown",
        )
        yield kinds, evidence


def _shared_words(counts: Sequence[int], common: float) -> str:
    """Describe the lemmas that two segments share, given how many sources have each.

    Examples
    --------
    >>> _shared_words([], 90), _shared_words([400], 90), _shared_words([12], 90)
    ('0 shared words', '1 shared word, common', '1 shared word, rare')
    """
    if len(counts) == 1:
        return f"1 shared word, {'common' if counts[0] > common else 'rare'}"
    return "3 or more shared words" if len(counts) > 2 else f"{len(counts)} shared words"  # noqa: PLR2004


def _length(words: int) -> str:
    """Describe the length of a segment.

    Examples
    --------
    >>> _length(3), _length(11), _length(41)
    ('1–10 words', '11–20 words', 'over 40 words')
    """
    for low, high in zip((0, *_LENGTHS), _LENGTHS, strict=False):
        if words <= high:
            return f"{low + 1}–{high} words"
    return f"over {_LENGTHS[-1]} words"


def _form(query: int, source: int) -> str:
    if query not in _FORMS or source not in _FORMS:
        return "unknown"
    return f"{_FORMS[source]} in {_FORMS[query]}"


def _order(kind: str) -> tuple[int, str]:
    """Order kinds by the number they begin with, then by name; others and larger ones last."""
    number = kind.partition("–")[0].partition(" ")[0]
    return (int(number) if number.isdecimal() else 1000), kind


def _spread(length: int, n: int) -> list[int]:
    return sorted(set(np.linspace(0, length - 1, min(n, length)).round().astype(int).tolist()))
