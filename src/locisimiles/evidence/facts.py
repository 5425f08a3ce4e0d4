"""The facts about a pair that its explanation is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from locisimiles.evidence.alignment import Span

__all__ = [
    "Changes",
    "Collocation",
    "Cue",
    "Elsewhere",
    "Formula",
    "Neighbours",
    "Place",
    "Rival",
    "SharedLemma",
]


@dataclass(frozen=True, slots=True)
class SharedLemma:
    """A lemma that both segments have, and how common it is.

    Attributes
    ----------
    in_source, in_library
        The number of segments that have it; None without a library.
    in_background
        The number of sentences that have it in the counts that come with the package.
    """

    lemma: str
    in_source: int
    in_library: int | None
    in_background: int


@dataclass(frozen=True, slots=True)
class Collocation:
    """The rarest two shared lemmas that stand together on both sides, in the order of the query.

    Attributes
    ----------
    in_source, in_library
        The number of segments in which they stand together, this source included.
    in_background
        The number of sentences, in the counts that come with the package; 0 means fewer than 4,
        larger numbers are exact to within 5 %.
    """

    lemmas: tuple[str, str]
    in_source: int
    in_library: int | None
    in_background: int


@dataclass(frozen=True, slots=True)
class Place:
    """Another segment with the same words, and roughly when its work was finished.

    `citation` is how scholars cite it, if that is known.
    """

    id: str
    author: str
    year: int | None
    citation: str = ""

    @property
    def cited(self) -> str:
        """Its citation, or else its id."""
        return self.citation or self.id


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Where else the words occur.

    Attributes
    ----------
    lemmas
        Those of the collocation, or the rarest shared lemma.
    count, undated
        The number of other segments in source and library, and of those without a known date.
    places
        Some of these segments, the earliest first, undated ones last.
    """

    lemmas: tuple[str, ...]
    count: int
    undated: int
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Formula:
    """A sign that the words are a common expression, which need not have been borrowed.

    Attributes
    ----------
    reason
        Why, in English.
    count
        The number of Latin sentences, or of segments of the source, in which they stand together.
    sentences, authors
        The total number of sentences, or the number of authors of the segments; the other is 0.
    """

    lemmas: tuple[str, str]
    reason: str
    count: int
    sentences: int = 0
    authors: int = 0


@dataclass(frozen=True, slots=True)
class Rival:
    """Another source, not later than the query, that explains its words better.

    Attributes
    ----------
    lemmas, own_lemmas
        The lemmas of the query that the rival, and this source, have close together.
    citation
        How scholars cite it, if that is known.
    """

    id: str
    lemmas: tuple[str, ...]
    own_lemmas: tuple[str, ...]
    citation: str = ""

    @property
    def cited(self) -> str:
        """Its citation, or else its id."""
        return self.citation or self.id


@dataclass(frozen=True, slots=True)
class Cue:
    """A sign of quotation in the query.

    Attributes
    ----------
    kind
        ``attribution`` (*ut ait*), ``author`` (*Tullius*) or ``quotation`` (quotation marks).
    author
        The author it names; empty if none.
    """

    kind: Literal["attribution", "author", "quotation"]
    text: str
    span: Span
    author: str = ""


@dataclass(frozen=True, slots=True)
class Changes:
    """How the query changes the words of the source.

    Attributes
    ----------
    order
        ``same`` or ``other``; None for fewer than two shared lemmas.
    inflected
        The number of shared lemmas that never have the same form.
    synonyms
        The number of words replaced by another of similar or related meaning.
    query_words, source_words
        The number of words from the first shared word to the last, on each side.
    verse_in_prose
        Whether the source is verse and the query prose, as far as known.
    verbatim
        Two or more neighbouring words in the same form and order, as the query writes them.
    """

    order: Literal["same", "other"] | None
    inflected: int
    synonyms: int
    query_words: int
    source_words: int
    verse_in_prose: bool
    verbatim: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The ids of the segments beside one; empty at the borders of its work."""

    before: str
    after: str
