"""What is known of an author's reading: whom he refers to more often than chance would have it.

These are priors: they know nothing of the words of a pair. Nobody has the habits of somebody else:
a poet's would mislead with a theologian. Sources that nobody has looked at are neither preferred
nor put back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document

__all__ = ["HABITS", "Habits", "Readings", "SourceFacts", "verse_works"]

HABITS = ("author", "work", "verse_in_verse", "verse_in_prose")

# How many references of all readers, and of one reader, chance and all readers weigh against.
_CHANCE_OF_AUTHOR, _OTHERS_OF_AUTHOR = 5.0, 10.0
_CHANCE_OF_WORK, _OTHERS_OF_WORK = 10.0, 20.0
_LEAST_VERSE = 0.3
_LINE = "/"


def verse_works(document: Document) -> NDArray[np.bool_]:
    """Tell for each segment whether it belongs to a work in verse.

    Readers of verse keep the ends of lines as `` / ``.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> segments = [Segment("a", "arma / cano", work="Aeneis"), Segment("b", "arma", work="Epist.")]
    >>> verse_works(Document.from_segments(segments)).tolist()
    [True, False]
    """
    keys = [work_key(segment.author, segment.work) for segment in document]
    _, work = np.unique(np.array(keys, dtype=object).astype(str), return_inverse=True)
    lines = np.array([_LINE in text for text in document.texts], float)
    share = np.bincount(work, lines) / np.maximum(np.bincount(work), 1)
    found: NDArray[np.bool_] = (share >= _LEAST_VERSE)[work]
    return found


def work_key(author: str | None, work: str | None) -> str:
    """Return the name of a work, with its author's."""
    return f"{author or ''}: {work or ''}"


@dataclass(frozen=True, slots=True, eq=False)
class SourceFacts:
    """What is known of source segments besides their words.

    Attributes
    ----------
    authors, works
        The names that occur.
    author, work
        Which of them each segment has.
    verse
        Whether it is verse.
    """

    authors: tuple[str, ...]
    works: tuple[str, ...]
    author: NDArray[np.int64]
    work: NDArray[np.int64]
    verse: NDArray[np.bool_]

    @classmethod
    def of(cls, source: Document) -> SourceFacts:
        """Collect the facts of a document."""
        authors, author = _numbered([segment.author or "" for segment in source])
        works, work = _numbered([work_key(s.author, s.work) for s in source])
        return cls(authors, works, author, work, verse_works(source))


@dataclass(frozen=True, slots=True)
class Habits:
    """How much more often than chance readers refer to authors and works, as logarithms.

    Attributes
    ----------
    authors, works
        For each reader, what is known of each author or work.
    """

    authors: Mapping[str, Mapping[str, float]]
    works: Mapping[str, Mapping[str, float]]

    def knows(self, reader: str) -> bool:
        """Tell whether anything is known of a reader."""
        return reader in self.authors

    def columns(
        self, reader: str, facts: SourceFacts, segments: NDArray[np.int64], *, in_verse: bool
    ) -> NDArray[np.float32]:
        """Return the columns `HABITS` of source segments for a reader."""
        known = [
            np.array([table.get(name, 0.0) for name in names], np.float32)
            for table, names in (
                (self.authors.get(reader, {}), facts.authors),
                (self.works.get(reader, {}), facts.works),
            )
        ]
        verse = facts.verse[segments]
        return np.stack(
            [
                known[0][facts.author[segments]],
                known[1][facts.work[segments]],
                (verse & in_verse).astype(np.float32),
                (verse & (not in_verse)).astype(np.float32),
            ],
            axis=1,
        )


class Readings:
    """References by readers to authors and works, from which habits are learnt.

    Parameters
    ----------
    facts
        Of the source segments.
    readers
        Who refers, a name for each query.
    sources
        The source segments each query refers to; a query counts once, whatever their number.
    """

    def __init__(
        self, facts: SourceFacts, readers: Sequence[str], sources: Sequence[NDArray[np.int64]]
    ) -> None:
        self._facts = facts
        self._readers = readers
        self._authors = _shares(facts.author, len(facts.authors), sources)
        self._works = _shares(facts.work, len(facts.works), sources)

    def habits(self, without: int | None = None) -> Habits:
        """Return what the references say.

        Parameters
        ----------
        without
            A query whose own references are not to be known: for training on it.
        """
        used = np.ones(len(self._readers), bool)
        if without is not None:
            used[without] = False
        left = {reader for reader, kept in zip(self._readers, used, strict=True) if kept} - {""}
        readers = sorted(left if without is None else left & {self._readers[without]})
        return Habits(self._tables(readers, used, "author"), self._tables(readers, used, "work"))

    def _tables(
        self, readers: Sequence[str], used: NDArray[np.bool_], what: str
    ) -> dict[str, dict[str, float]]:
        facts = self._facts
        counts = self._authors if what == "author" else self._works
        names = facts.authors if what == "author" else facts.works
        number = facts.author if what == "author" else facts.work
        chance, others = (
            (_CHANCE_OF_AUTHOR, _OTHERS_OF_AUTHOR)
            if what == "author"
            else (_CHANCE_OF_WORK, _OTHERS_OF_WORK)
        )
        size = np.bincount(number, minlength=len(names)) / max(len(number), 1)
        everybody = counts[used].sum(axis=0)
        common = (everybody + chance * size) / (everybody.sum() + chance)
        tables = {}
        for reader in readers:
            own = used & np.array([name == reader for name in self._readers], bool)
            refers = counts[own].sum(axis=0)
            likely = (refers + others * common) / (refers.sum() + others)
            ratio = np.log(likely / np.maximum(size, 1e-12))
            tables[reader] = dict(zip(names, ratio.round(4).tolist(), strict=True))
        return tables


def _shares(
    number: NDArray[np.int64], size: int, sources: Sequence[NDArray[np.int64]]
) -> NDArray[np.float64]:
    """Return how the references of each query are shared by names."""
    shares = np.zeros((len(sources), size))
    for row, own in enumerate(sources):
        shares[row] = np.bincount(number[own], minlength=size) / max(len(own), 1)
    return shares


def _numbered(names: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    distinct = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return tuple(distinct), np.array([distinct[name] for name in names], np.int64)
