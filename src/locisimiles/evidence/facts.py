"""What is known of a pair, fact by fact: the material that its explanation is made of."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from locisimiles.evidence.alignment import Alignment, Span

__all__ = [
    "Changes",
    "Collocation",
    "Cue",
    "Elsewhere",
    "Evidence",
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
    lemma
        The lemma.
    in_source
        How many segments of the source document have it.
    in_library
        How many segments of the library have it; None if no library was given.
    in_background
        How many sentences of the counts that come with the package have it.
    """

    lemma: str
    in_source: int
    in_library: int | None
    in_background: int


@dataclass(frozen=True, slots=True)
class Collocation:
    """The rarest two shared lemmas that stand together on both sides.

    Attributes
    ----------
    lemmas
        The two, in the order of the query.
    in_source, in_library
        In how many segments they stand together, this source among them.
    in_background
        In how many sentences of the counts that come with the package; 0 means fewer than 4, and
        larger numbers are right to within 5 %.
    """

    lemmas: tuple[str, str]
    in_source: int
    in_library: int | None
    in_background: int


@dataclass(frozen=True, slots=True)
class Place:
    """Another place that has the same words.

    Attributes
    ----------
    id, author
        Of the segment.
    year
        When its work was finished, roughly; None if the catalogue does not know it.
    """

    id: str
    author: str
    year: int | None


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Where else the words are found.

    Attributes
    ----------
    lemmas
        Which words: those of the collocation, or the rarest shared one.
    count
        In how many other segments of source and library.
    undated
        How many of them have no known date.
    places
        Some of them, the earliest first; those of unknown date come last.
    """

    lemmas: tuple[str, ...]
    count: int
    undated: int
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Formula:
    """A sign that the words are a common expression, which nobody need have borrowed.

    Attributes
    ----------
    lemmas
        The words.
    reason
        What makes us think so.
    count
        In how many sentences of Latin, or segments of the source, they stand together.
    sentences, authors
        Of how many sentences of Latin; or by how many authors the segments are. The other is 0.
    """

    lemmas: tuple[str, str]
    reason: str
    count: int
    sentences: int = 0
    authors: int = 0


@dataclass(frozen=True, slots=True)
class Rival:
    """Another source that explains the words of the query better, and is not later than it.

    Attributes
    ----------
    id
        Of the other segment.
    lemmas
        The words of the query's stretch that it has close together.
    own_lemmas
        Those that this source has close together.
    """

    id: str
    lemmas: tuple[str, ...]
    own_lemmas: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cue:
    """A sign in the query that something is quoted.

    Attributes
    ----------
    kind
        ``attribution`` (*ut ait*), ``author`` (*Tullius*) or ``quotation`` (marks about the words).
    text
        As it is written.
    span
        Where it stands in the query.
    author
        Whom it names; empty if nobody.
    """

    kind: Literal["attribution", "author", "quotation"]
    text: str
    span: Span
    author: str = ""


@dataclass(frozen=True, slots=True)
class Changes:
    """How the query has the words of the source.

    Attributes
    ----------
    order
        ``same`` or ``other``; None for fewer than two shared lemmas.
    inflected
        How many shared lemmas have another form wherever they are aligned.
    synonyms
        How many words are answered by another word of similar meaning.
    query_words, source_words
        Over how many words the shared words stretch on each side, all words counted.
    verse_in_prose
        Whether the source is verse and the query prose, as far as we can tell.
    """

    order: Literal["same", "other"] | None
    inflected: int
    synonyms: int
    query_words: int
    source_words: int
    verse_in_prose: bool


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The segments beside one, for reading on; empty at the borders of its work."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why one may think that a query refers to a source, and why not.

    Attributes
    ----------
    query_id, source_id
        The pair.
    source_author
        Who wrote the source, as its document has it; empty if unknown.
    query_year, source_year
        When their works were finished, roughly; None if that is not known.
    alignment
        The words that answer each other.
    shared
        The lemmas that both have, in the order of the query.
    segments, library_segments
        How many segments the source document has, and how many others the library; what counts
        compare to.
    collocation, elsewhere, formula, rival
        None if there is nothing to say.
    cues
        Signs of quotation near the words, in the order of the query.
    changes
        How the words were changed.
    query_neighbours, source_neighbours
        The segments before and after.
    """

    query_id: str
    source_id: str
    source_author: str
    query_year: int | None
    source_year: int | None
    alignment: Alignment
    shared: tuple[SharedLemma, ...]
    segments: int
    library_segments: int
    collocation: Collocation | None
    elsewhere: Elsewhere | None
    formula: Formula | None
    rival: Rival | None
    cues: tuple[Cue, ...]
    changes: Changes
    query_neighbours: Neighbours
    source_neighbours: Neighbours

    @property
    def names_source_author(self) -> bool:
        """Whether the query names the author of the source near the words."""
        return bool(self.source_author) and self.source_author.casefold() in {
            cue.author.casefold() for cue in self.cues
        }

    @property
    def sentence(self) -> str:
        """The facts as one sentence."""
        from locisimiles.evidence.explanation import explanation  # which needs these types

        return explanation(self)

    def as_dict(self) -> dict[str, object]:
        """Return what a JSON file can hold, with the sentence."""
        return {**asdict(self), "sentence": self.sentence}
