"""Shards: what searches read, merged from parts.

A shard holds the words of its parts by lemma, as positions: lemma → rows, each with its segment,
clause, place among content words, and part of speech. BM25, rules, word vectors and evidence all
count in these rows. It holds the vectors of pieces by list, for the first stage of late
interaction. There are counts in it, but no weights: those depend on the whole index, and are
computed when a query needs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.files.hashing import sha256_of
from locisimiles.index.columns import packed, unpacked
from locisimiles.latin import STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.files.array_files import ArrayFile
    from locisimiles.index.manifest import PartEntry

__all__ = ["shard_arrays", "shard_key", "sharded"]

_SEGMENTS_PER_SHARD = 1 << 15
_KEY = 32


def sharded(parts: Sequence[PartEntry]) -> list[list[PartEntry]]:
    """Assign parts to shards, which depends on nothing but the set of parts.

    Their number is a power of two, so that few changes move parts; a changed part rewrites one.
    """
    segments = sum(part.segments for part in parts)
    count = 1
    while count * _SEGMENTS_PER_SHARD < segments:
        count *= 2
    shards: list[list[PartEntry]] = [[] for _ in range(count)]
    for part in sorted(parts, key=lambda part: (part.author, part.work)):
        shards[int(part.key[:8], 16) % count].append(part)
    return [shard for shard in shards if shard]


def shard_key(parts: Sequence[PartEntry]) -> str:
    """Return the name of the file of a shard."""
    return sha256_of("\n".join(part.key for part in parts))[:_KEY]


def shard_arrays(parts: Sequence[ArrayFile]) -> dict[str, NDArray[Any]]:
    """Return the arrays of a shard."""
    arrays = _words(parts)
    if all("vectors" in part for part in parts):
        arrays |= _pieces(parts)
    return arrays


def _words(parts: Sequence[ArrayFile]) -> dict[str, NDArray[Any]]:
    lemma_numbers, lemmas = _merged(parts, "lemmas")
    tag_numbers, tags = _merged(parts, "tags")
    lemma = _joined(numbers[part.array("lemma")] for numbers, part in _both(lemma_numbers, parts))
    tag = _joined(numbers[part.array("tag")] for numbers, part in _both(tag_numbers, parts))
    lengths = _joined(np.diff(part.array("word bounds")) for part in parts)
    segment = np.repeat(np.arange(len(lengths)), lengths)
    clauses = [int(part.array("clause").max(initial=-1)) + 1 for part in parts]
    before = np.cumsum([0, *clauses])[:-1].tolist()
    clause = _joined(
        part.array("clause") + begin for part, begin in zip(parts, before, strict=True)
    )
    content = np.array([name not in STOPWORDS for name in lemmas], bool)[lemma]
    # Of a stop word: the place of the next content word.
    place = np.cumsum(content) - content
    order = np.argsort(lemma, kind="stable")
    bounds = np.concatenate([[0], np.cumsum(np.bincount(lemma, minlength=len(lemmas)))])
    return {
        **packed("lemmas", lemmas),
        **packed("tags", tags),
        "row bounds": bounds.astype(np.int64),
        "segment": segment[order].astype(np.int32),
        "clause": clause[order].astype(np.int32),
        "place": place[order].astype(np.int32),
        "tag": tag[order].astype(np.int32),
        "clauses": np.array([sum(clauses)], np.int64),
        "lengths": lengths.astype(np.int32),
        "segment of place": segment[content].astype(np.int32),
    }


def _pieces(parts: Sequence[ArrayFile]) -> dict[str, NDArray[Any]]:
    """Return vectors by list, and the number of segments that have each piece."""
    lengths = _joined(np.diff(part.array("piece bounds")) for part in parts)
    segment = np.repeat(np.arange(len(lengths)), lengths)
    list_of_piece = _joined(part.array("list") for part in parts)
    piece = _joined(part.array("piece") for part in parts)
    # Pieces stay in the order of texts within a list.
    order = np.argsort(list_of_piece, kind="stable")
    vectors = np.concatenate([part.array("vectors") for part in parts])
    size = max(int(piece.max(initial=-1)) + 1, 1)
    keys = np.sort(segment * size + piece)
    distinct = keys[np.diff(keys, prepend=-1) > 0]
    return {
        "piece lengths": lengths.astype(np.int32),
        "piece counts": np.bincount(distinct % size, minlength=size).astype(np.int32),
        "list bounds": _bounds(list_of_piece),
        "list segment": segment[order].astype(np.int32),
        "list vectors": vectors[order],
    }


def _bounds(numbers: NDArray[Any]) -> NDArray[np.int64]:
    """Return where the rows of each number begin when they are sorted."""
    return np.concatenate([[0], np.cumsum(np.bincount(numbers))]).astype(np.int64)


def _merged(parts: Sequence[ArrayFile], name: str) -> tuple[list[NDArray[np.int64]], list[str]]:
    """Return the distinct names of all parts in order, and the new numbers of each part's."""
    own = [unpacked(part, name) for part in parts]
    merged = sorted(set().union(*own))
    numbers = {text: number for number, text in enumerate(merged)}
    return [np.array([numbers[text] for text in texts], np.int64) for texts in own], merged


def _both(numbers: Sequence[NDArray[np.int64]], parts: Sequence[ArrayFile]) -> Any:  # noqa: ANN401
    return zip(numbers, parts, strict=True)


def _joined(columns: Any) -> NDArray[Any]:  # noqa: ANN401
    return np.concatenate([np.empty(0, np.int64), *columns])
