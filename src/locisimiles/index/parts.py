"""Parts: one work each, with all that is derived from its texts alone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from locisimiles.files.hashing import framed, sha256_of
from locisimiles.index.columns import packed
from locisimiles.index.documents import PreparedDocument
from locisimiles.index.manifest import FORMAT
from locisimiles.latin import Lemmatizer
from locisimiles.latin.clauses import clause_numbers
from locisimiles.latin.lemmatizers import describe_lemmatizer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress

__all__ = ["META", "EncodedPieces", "PieceSource", "Work", "made_with", "part_arrays", "works_of"]

META = "meta "
"""Begins the names of further columns in a file."""
_KEY = 32
_COUNTED = {"spaces": " ", "slashes": "/"}


@dataclass(frozen=True, slots=True, eq=False)
class EncodedPieces:
    """The pieces of texts: vectors in bytes, ids in the encoder's vocabulary, and their list.

    Text ``i`` has the pieces from ``bounds[i]`` to ``bounds[i + 1]``.
    """

    vectors: NDArray[np.int8]
    piece: NDArray[np.int32]
    bounds: NDArray[np.int64]
    list_of_piece: NDArray[np.int32]


class PieceSource(Protocol):
    """Encodes the texts of an index; see `locisimiles.late.IndexEncoder`."""

    def describe(self) -> Mapping[str, object]:
        """Return all that the pieces depend on besides the texts; it must fit into JSON."""

    def encode(self, texts: Sequence[str], progress: Progress) -> EncodedPieces:
        """Return the pieces of texts."""


def made_with(encoder: PieceSource | None) -> dict[str, Any]:
    """Return all that parts depend on besides the texts."""
    return {
        "format": FORMAT,
        **describe_lemmatizer("fast"),
        "encoder": None if encoder is None else dict(encoder.describe()),
    }


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """The segments of one work."""

    author: str
    work: str
    segments: PreparedDocument
    marks: Sequence[str]

    @property
    def name(self) -> str:
        """Author and work, for people."""
        return ": ".join(filter(None, (self.author, self.work)))

    def key(self, made: Mapping[str, Any]) -> str:
        """Return the name of its file, which depends on all that its content depends on."""
        own = self.segments
        columns = [own.ids, own.texts, own.loci, self.marks, *own.meta.values()]
        head = json.dumps(
            [dict(made), self.author, self.work, len(own), list(own.meta)], sort_keys=True
        )
        return sha256_of(chain(framed([head]), *map(framed, columns)))[:_KEY]


def works_of(document: Document) -> Iterator[Work]:
    """Yield the works of a document, each with its segments in their order."""
    prepared = PreparedDocument.of(document)
    names, number = prepared.works_column
    if len(names) > 1:
        prepared.tokens  # noqa: B018 - of all texts together, which is faster
    marks = document.marks
    for place, (author, work) in enumerate(names):
        rows = np.flatnonzero(number == place).tolist()
        yield Work(author, work, prepared.select(rows), [marks[row] for row in rows])


def part_arrays(
    work: Work, encoder: PieceSource | None, progress: Progress
) -> dict[str, NDArray[Any]]:
    """Return the arrays of a part."""
    own = work.segments
    arrays: dict[str, NDArray[Any]] = {
        **packed("ids", own.ids),
        **packed("texts", own.texts),
        **packed("loci", own.loci),
        **packed("marks", work.marks),
    }
    for name, column in own.meta.items():
        arrays |= packed(META + name, column)
    for name, sign in _COUNTED.items():
        arrays[name] = own.count(sign).astype(np.int32)
    arrays |= _words(own)
    if encoder is not None:
        pieces = encoder.encode(own.texts, progress)
        arrays["vectors"] = pieces.vectors
        arrays["piece"] = pieces.piece
        arrays["piece bounds"] = pieces.bounds
        arrays["list"] = pieces.list_of_piece
    return arrays


def _words(own: PreparedDocument) -> dict[str, NDArray[Any]]:
    """Return lemma, part of speech and clause of each word; figures are left out."""
    tokens = own.tokens
    distinct, word = np.unique(tokens.word, return_inverse=True)
    written = [tokens.vocabulary[number] for number in distinct.tolist()]
    lemmatizer = Lemmatizer.shipped()
    lemma_of_word, lemmas = _numbered(lemmatizer.lemmatize(written, "fast"))
    tag_of_word, tags = _numbered(lemmatizer.parts_of_speech(written))
    figures = np.array([lemma.isdigit() for lemma in lemmas], bool)
    lemma = lemma_of_word[word]
    kept = ~figures[lemma]
    counts = np.diff(np.concatenate([[0], np.cumsum(kept)])[tokens.bounds])
    clause = clause_numbers(own.texts, tokens)
    return {
        **packed("lemmas", lemmas),
        **packed("tags", tags),
        "lemma": lemma[kept].astype(np.int32),
        "tag": tag_of_word[word][kept].astype(np.int32),
        "clause": clause[kept].astype(np.int32),
        "word bounds": np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
    }


def _numbered(names: Sequence[str]) -> tuple[NDArray[np.int64], list[str]]:
    """Return the numbers of names in alphabetical order, and the distinct names."""
    distinct = sorted(set(names))
    numbers = {name: number for number, name in enumerate(distinct)}
    return np.array([numbers[name] for name in names], np.int64), distinct
