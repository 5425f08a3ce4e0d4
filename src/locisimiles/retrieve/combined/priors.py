"""Author priors: how much more often than chance an author refers to other authors and works.

Priors ignore the words of a pair. An author has only their own priors: a poet's would mislead with
a theologian. Authors and works outside the training data are neither preferred nor penalised.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.candidates import Features
from locisimiles.index import PreparedDocument

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document

__all__ = [
    "PRIOR_COLUMNS",
    "AuthorPriors",
    "SourceWorks",
    "verse_column",
    "verse_works",
    "work_names",
]

PRIOR_COLUMNS = ("author", "work", "verse_in_verse", "verse_in_prose")
"""The columns of priors: the author and work of the source, and verse in verse or prose."""

_LEAST_VERSE = 0.3
_LINE_END = "/"


def verse_works(document: Document) -> NDArray[np.bool_]:
    """Tell for each segment whether it belongs to a work in verse.

    Parsers of verse mark line ends with `` / ``.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> segments = [Segment("a", "arma / cano", work="Aeneis"), Segment("b", "arma", work="Epist.")]
    >>> verse_works(Document.from_segments(segments)).tolist()
    [True, False]
    """
    texts = PreparedDocument.of(document)
    names, number = texts.works_column
    work = _numbered([f"{author}: {work}" for author, work in names])[1][number]
    lines = (texts.count(_LINE_END) > 0).astype(float)
    share = np.bincount(work, lines) / np.maximum(np.bincount(work), 1)
    in_verse: NDArray[np.bool_] = (share >= _LEAST_VERSE)[work]
    return in_verse


def verse_column(document: PreparedDocument) -> NDArray[np.bool_]:
    """Return `verse_works`, found once; blocks of the document keep what the whole work is."""
    return document.column("verse", lambda: verse_works(document))


@dataclass(frozen=True, slots=True, eq=False)
class SourceWorks:
    """Authors, works and form of source segments.

    `authors` and `works` are the distinct names, `author` and `work` the positions of each
    segment's among them; `verse` tells whether it is verse.
    """

    authors: tuple[str, ...]
    works: tuple[str, ...]
    author: NDArray[np.int64]
    work: NDArray[np.int64]
    verse: NDArray[np.bool_]

    @classmethod
    def of(cls, source: Document) -> SourceWorks:
        """Collect them from a document."""
        names, number = PreparedDocument.of(source).works_column
        authors, author = _numbered([author for author, _ in names])
        works, work = _numbered([f"{author}: {work}" for author, work in names])
        return cls(authors, works, author[number], work[number], verse_works(source))


@dataclass(frozen=True, slots=True)
class AuthorPriors:
    """How much more often than chance an author refers to authors and works, as log-ratios."""

    authors: Mapping[str, Mapping[str, float]]
    works: Mapping[str, Mapping[str, float]]

    def knows(self, author: str) -> bool:
        """Tell whether an author has priors."""
        return author in self.authors

    def columns(
        self, author: str, works: SourceWorks, segments: NDArray[np.int64], *, in_verse: bool
    ) -> Features:
        """Return the columns `PRIOR_COLUMNS` of some source segments.

        The query has this `author`, and is verse or not.
        """
        by_author, by_work = (
            np.array([ratios.get(name, 0.0) for name in names], np.float32)
            for ratios, names in (
                (self.authors.get(author, {}), works.authors),
                (self.works.get(author, {}), works.works),
            )
        )
        verse = works.verse[segments]
        columns = [
            by_author[works.author[segments]],
            by_work[works.work[segments]],
            (verse & in_verse).astype(np.float32),
            (verse & (not in_verse)).astype(np.float32),
        ]
        return Features(PRIOR_COLUMNS, np.stack(columns, axis=1))


def work_names(document: Document) -> list[str]:
    """Return the name of the work of each segment, with its author."""
    pairs = zip(document.authors, document.works, strict=True)
    return [f"{author or ''}: {work or ''}" for author, work in pairs]


def _numbered(names: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return tuple(numbers), np.array([numbers[name] for name in names], np.int64)
