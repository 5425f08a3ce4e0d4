"""Works of literature, as the catalogue describes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Work"]


@dataclass(frozen=True, slots=True)
class Work:
    """A work of literature, independent of editions.

    Attributes
    ----------
    name
        Its name in the library: ``vergil.aeneid``.
    abbreviation
        The first part of its segments' ids, as in the benchmark: ``verg. aen.``
    year
        Approximate year of completion; negative before our era.
    colon
        Whether ``:`` at the end of a verse line ends a segment, as in the benchmark.
    urn
        CTS work identifier, such as ``phi0690.phi003``; empty if unknown.
    known_as
        Names of the work in files: Tesserae tags, identifiers of the Corpus Corporum.
    """

    name: str
    author: str
    title: str
    abbreviation: str
    year: int
    genre: Literal["verse", "prose"]
    colon: Literal["never", "line-end"]
    urn: str
    known_as: tuple[str, ...]

    @property
    def verse(self) -> bool:
        """Whether it is written in verse."""
        return self.genre == "verse"

    @property
    def author_name(self) -> str:
        """The author: the first part of `name`."""
        return self.name.partition(".")[0]
