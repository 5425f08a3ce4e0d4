"""Pairs that are no candidates: of the same work or author, or with a later source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from locisimiles.checks import check_choice
from locisimiles.corpus.library.catalogue import Catalogue
from locisimiles.corpus.library.dates import id_tag, works_of, years_of
from locisimiles.corpus.library.sigla import plain_name

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.corpus.library.works import Work

__all__ = ["EXCLUSIONS", "Exclude", "Exclusion", "checked_exclusions"]

Exclude = Literal["same-work", "same-author", "later"]
EXCLUSIONS: tuple[Exclude, ...] = get_args(Exclude)
"""What can be excluded."""


def checked_exclusions(kinds: Iterable[str]) -> tuple[Exclude, ...]:
    """Return kinds of exclusions, each once and in order, or raise a ParameterError."""
    kinds = [kinds] if isinstance(kinds, str) else list(kinds)
    for kind in kinds:
        check_choice(EXCLUSIONS, exclude=kind)
    return tuple(kind for kind in EXCLUSIONS if kind in kinds)


class Exclusion:
    """Which source segments are no candidates of which query segments.

    What is unknown excludes nothing: a segment without author, work or date stays a candidate, and
    has all candidates. A segment is never a candidate of itself (the same id and text).

    Parameters
    ----------
    kinds
        ``same-work`` and ``same-author`` exclude segments of the query's own; they are known by
        the catalogue, else by their names. Without titles, segments are of one work if their ids
        begin alike (``letter 1``, ``letter 2``). ``later`` excludes works written after the
        query's.
    query, source
        The documents.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> aeneid = Segment("a", "arma", author="Virgil", work="Aeneis")
    >>> epic = Segment("b", "arma", author="Vergilius", work="Aeneid")
    >>> bellum = Segment("c", "bella", author="Lucan", work="Pharsalia")
    >>> texts = Document.from_segments([aeneid, epic, bellum])
    >>> Exclusion(["same-work"], texts, texts).of_query(0).tolist()
    [True, True, False]
    >>> Exclusion(["later"], texts, texts).of_query(0).tolist()
    [True, False, True]
    """

    def __init__(self, kinds: Iterable[str], query: Document, source: Document) -> None:
        self.kinds = checked_exclusions(kinds)
        numbers: dict[Hashable, int] = {}
        # What is unknown has another number on either side, so it never equals anything.
        self._query = _facts(query, numbers, unknown=-1)
        self._source = _facts(source, numbers, unknown=-2)
        itself = (source.index(name) if name in source else -1 for name in query.ids)
        self._itself = np.fromiter(itself, np.int64, len(query))
        for row in np.flatnonzero(self._itself >= 0).tolist():
            if query.texts[row] != source.texts[int(self._itself[row])]:
                self._itself[row] = -1

    def unknown(self, kind: str) -> tuple[int, int]:
        """Return how many query and source segments have no known work, author or year."""
        unknown = np.isinf if kind == "later" else np.signbit
        own, other = (
            int(unknown(facts[kind].astype(np.float64)).sum())
            for facts in (self._query, self._source)
        )
        return own, other

    def key(self, query: int) -> Hashable:
        """Return a key that queries share which exclude the same segments."""
        return *(float(self._query[kind][query]) for kind in self.kinds), int(self._itself[query])

    def of_query(self, query: int) -> NDArray[np.bool_]:
        """Tell which source segments are excluded from a query segment."""
        sources = len(self._source["later"])
        return self.of_pairs(np.full(sources, query), np.arange(sources))

    def of_pairs(
        self, query: NDArray[np.integer[Any]], source: NDArray[np.integer[Any]]
    ) -> NDArray[np.bool_]:
        """Tell which pairs are excluded."""
        excluded: NDArray[np.bool_] = self._itself[query] == source
        for kind in self.kinds:
            own, other = self._query[kind][query], self._source[kind][source]
            excluded |= (other > own) & np.isfinite(other) if kind == "later" else other == own
        return excluded


def _facts(
    document: Document, numbers: dict[Hashable, int], unknown: int
) -> dict[str, NDArray[Any]]:
    """Return the numbers of works and authors, and the years, of all segments."""
    tags = map(id_tag, document.ids)
    keys = list(zip(document.authors, document.works, tags, works_of(document), strict=True))
    named: dict[Hashable, tuple[int, int]] = {}
    for key in dict.fromkeys(keys):
        author, work = _author(key[0], key[3]), _work(*key)
        named[key] = (
            numbers.setdefault(("work", work), len(numbers)) if work else unknown,
            numbers.setdefault(("author", author), len(numbers)) if author else unknown,
        )
    columns = np.array([named[key] for key in keys], np.int64).reshape(-1, 2)
    names = dict(zip(("same-work", "same-author"), columns.T, strict=True))
    return {**names, "later": years_of(document)}


def _author(author: str, work: Work | None) -> str:
    """Return the name of an author in the catalogue, else their own; empty if unknown."""
    if work is not None:
        return work.author_name
    found = {one.author_name for one in Catalogue.shipped().names.find(author)} if author else set()
    return found.pop() if len(found) == 1 else plain_name(author or "")


def _work(author: str, title: str, tag: str, work: Work | None) -> tuple[str, ...] | None:
    if work is not None:
        return (work.name,)
    if title:
        return _author(author, None), plain_name(title)
    return (_author(author, None), "", tag) if tag else None
