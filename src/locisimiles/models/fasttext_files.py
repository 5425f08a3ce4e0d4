"""Read fastText models (``.bin``).

The layout, little-endian: two int32 (magic number, version); twelve int32 and a double (settings);
the dictionary (three int32, two int64, then for each entry its bytes up to a zero byte, an int64
and a byte); a byte that is 1 for compressed models; the matrix (two int64, then floats), with a row
for each word, then one for each bucket of n-grams.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import DecodingError, MalformedInputError, UnknownFormatError
from locisimiles.models.subwords import subword_means
from locisimiles.models.vectors import Rows, Subwords, WordVectors

if TYPE_CHECKING:
    import mmap

    from numpy.typing import NDArray

__all__ = ["FASTTEXT_MAGIC", "Cursor", "read_fasttext"]

FASTTEXT_MAGIC = struct.pack("<i", 793712314)
_VERSIONS = (11, 12)
_SUPERVISED = 3
_WORD_ENTRY = 0
_LONGEST_WORD = 4096
_END_OF_SENTENCE = "</s>"


def read_fasttext(content: mmap.mmap | bytes, file: str) -> WordVectors:
    """Read a fastText model with the vectors of its words and of its subwords.

    The bytes of the file are not copied, so large models need little memory. An InputError says at
    which byte the file is damaged, or that it is compressed or of another version.
    """
    cursor = Cursor(content, file, at=len(FASTTEXT_MAGIC))
    settings = _read_settings(cursor)
    words = _read_dictionary(cursor)
    if cursor.numbers("<?")[0]:
        raise UnknownFormatError("models.fasttext_compressed", file=file)
    matrix = _read_matrix(cursor, len(words) + settings.buckets, settings.dimensions)
    word_rows, buckets = matrix[: len(words)], matrix[len(words) :]
    if settings.longest < 1 or not settings.buckets:
        return WordVectors.from_matrix(words, word_rows)
    means = subword_means(words, buckets, settings.shortest, settings.longest, word_rows)
    if _END_OF_SENTENCE in words:
        # The end of a sentence is not a word and has no subwords.
        place = words.index(_END_OF_SENTENCE)
        means[place] = word_rows[place]
    parts = Subwords(Rows(buckets), settings.shortest, settings.longest)
    return WordVectors.from_matrix(words, means, parts)


@dataclass(frozen=True, slots=True)
class _Settings:
    dimensions: int
    buckets: int
    shortest: int
    longest: int


class Cursor:
    """Reads one value after another; errors name the byte."""

    def __init__(self, content: mmap.mmap | bytes, file: str, at: int) -> None:
        self.content = content
        self.file = file
        self.at = at

    def numbers(self, layout: str) -> tuple[int, ...]:
        """Return the next numbers, in a layout of `struct`."""
        size = struct.calcsize(layout)
        self.require(self.at + size <= len(self.content))
        values = struct.unpack(layout, self.content[self.at : self.at + size])
        self.at += size
        return values

    def word(self, stop: bytes = b"\0") -> str:
        """Return the word before the next `stop`."""
        end = self.content.find(stop, self.at, self.at + _LONGEST_WORD)
        self.require(end >= 0)
        try:
            word = self.content[self.at : end].decode("utf-8")
        except UnicodeDecodeError as error:
            raise DecodingError("models.word_not_utf8", file=self.file, at=self.at) from error
        self.require("\n" not in word)
        self.at = end + 1
        return word

    def floats(self, count: int) -> NDArray[np.float32]:
        """Return the next floats, as a view of the content."""
        self.require(self.at + 4 * count <= len(self.content))
        values = np.frombuffer(self.content, "<f4", count, self.at)
        self.at += 4 * count
        return values

    def require(self, sound: bool) -> None:  # noqa: FBT001
        """Raise a MalformedInputError if the file is not sound here."""
        if not sound:
            raise MalformedInputError("models.damaged", file=self.file, at=self.at)


def _read_settings(cursor: Cursor) -> _Settings:
    (version,) = cursor.numbers("<i")
    if version not in _VERSIONS:
        raise UnknownFormatError("models.unknown_format", file=cursor.file, found=str(version))
    values = cursor.numbers("<12i")
    dimensions, model, buckets, shortest, longest = (values[at] for at in (0, 7, 8, 9, 10))
    cursor.numbers("<d")
    if version < max(_VERSIONS) and model == _SUPERVISED:
        longest = 0  # older classifiers have no subwords, whatever their settings say
    cursor.require(dimensions > 0 and buckets >= 0 and (longest <= 0 or 0 <= shortest <= longest))
    return _Settings(dimensions, buckets, max(shortest, 1), longest)


def _read_dictionary(cursor: Cursor) -> list[str]:
    entries, word_count, _ = cursor.numbers("<3i")
    _, pruned = cursor.numbers("<2q")
    cursor.require(0 < word_count <= entries)
    if pruned > 0:
        raise UnknownFormatError("models.fasttext_pruned", file=cursor.file)
    cursor.require(cursor.at + entries * (1 + struct.calcsize("<qb")) <= len(cursor.content))
    words: list[str] = []
    for _ in range(entries):
        word = cursor.word()
        _, kind = cursor.numbers("<qb")
        if kind == _WORD_ENTRY:  # others are labels of a classifier
            words.append(word)
    cursor.require(len(words) == word_count)
    return words


def _read_matrix(cursor: Cursor, rows: int, columns: int) -> NDArray[np.float32]:
    cursor.require(cursor.numbers("<2q") == (rows, columns))
    begin, values = cursor.at, cursor.floats(rows * columns)
    if not all(np.isfinite(block).all() for block in np.array_split(values, rows // 65536 + 1)):
        raise MalformedInputError("models.damaged", file=cursor.file, at=begin)
    return values.reshape(rows, columns)
