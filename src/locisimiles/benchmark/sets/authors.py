"""The authors and works of the published benchmark."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from locisimiles.corpus.library import Catalogue, Work

__all__ = ["QUERY_AUTHORS", "SOURCE_AUTHORS", "works_by"]

QUERY_AUTHORS = ("Jerome", "Lactantius", "Valerius Flaccus")
"""The citing authors, of the query segments."""

SOURCE_AUTHORS = (
    "Cicero",
    "Ovid",
    "Virgil",
    "Martial",
    "Lucan",
    "Statius",
    "Horace",
    "Propertius",
    "Lucretius",
    "Catullus",
    "Tibullus",
)
"""The cited authors, of the source segments."""

# The paper lists only the Thebaid, and its count of Statius' segments leaves no room for more.
_NOT_IN_THE_PAPER = frozenset(["statius.silvae", "statius.achilleid"])


def works_by(authors: Sequence[str], catalogue: Catalogue) -> Iterator[Work]:
    """Yield the works of these authors in the benchmark, in the catalogue's order.

    Examples
    --------
    >>> from locisimiles.corpus.library import Catalogue
    >>> [work.title for work in works_by(["Statius"], Catalogue.shipped())]
    ['Thebais']
    """
    for work in catalogue.works.values():
        if work.author in authors and work.name not in _NOT_IN_THE_PAPER:
            yield work
