"""Read the models that fastText writes (``.bin``).

The layout, little-endian: two int32 (a magic number, the version); twelve int32 and a double
(the settings of training); the dictionary (three int32, two int64, then for each entry its bytes
up to a zero byte, an int64 and a byte); a byte that is 1 for compressed models; the matrix (two
int64, then floats), first a row for each word, then one for each bucket of n-grams.
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

__all__ = ["FASTTEXT_MAGIC", "read_fasttext"]

FASTTEXT_MAGIC = struct.pack("<i", 793712314)
_VERSIONS = (11, 12)
_SUPERVISED = 3
_WORD_ENTRY = 0
_LONGEST_WORD = 4096
_END_OF_SENTENCE = "</s>"


def read_fasttext(content: mmap.mmap | bytes, file: str) -> WordVectors:
    """Read a fastText model with the vectors of its words and of its subwords.

    Parameters
    ----------
    content
        The bytes of the file; not copied, so that large models need little memory.
    file
        Its name, for error messages.

    Raises
    ------
    InputError
        If it is cut off, compressed, or of another version; the message says at which byte.
    """
    reader = _Reader(content, file, at=len(FASTTEXT_MAGIC))
    settings = _read_settings(reader)
    words = _read_dictionary(reader)
    if reader.numbers("<?")[0]:
        raise UnknownFormatError(
            "this fastText model is compressed", file=file, hint="give the .bin, not the .ftz file"
        )
    matrix = _read_matrix(reader, len(words) + settings.buckets, settings.dimensions)
    own, buckets = matrix[: len(words)], matrix[len(words) :]
    if settings.longest < 1 or not settings.buckets:
        return WordVectors.from_matrix(words, own)
    means = subword_means(words, buckets, settings.shortest, settings.longest, own)
    if _END_OF_SENTENCE in words:
        # It is a sign, not a word, and has no subwords.
        place = words.index(_END_OF_SENTENCE)
        means[place] = own[place]
    parts = Subwords(Rows(buckets), settings.shortest, settings.longest)
    return WordVectors.from_matrix(words, means, parts)


@dataclass(frozen=True, slots=True)
class _Settings:
    dimensions: int
    buckets: int
    shortest: int
    longest: int


class _Reader:
    """Reads numbers one after the other, and says where the file ends too early."""

    def __init__(self, content: mmap.mmap | bytes, file: str, at: int) -> None:
        self.content = content
        self.file = file
        self.at = at

    def numbers(self, layout: str) -> tuple[int, ...]:
        size = struct.calcsize(layout)
        self.need(size)
        found = struct.unpack(layout, self.content[self.at : self.at + size])
        self.at += size
        return found

    def word(self) -> str:
        end = self.content.find(b"\0", self.at, self.at + _LONGEST_WORD)
        if end < 0:
            raise self.broken("a word does not end")
        try:
            word = self.content[self.at : end].decode("utf-8")
        except UnicodeDecodeError as error:
            raise DecodingError(
                f"a word is not UTF-8, at byte {self.at:,}", file=self.file
            ) from error
        if "\n" in word:
            raise self.broken("a word has a line break in it")
        self.at = end + 1
        return word

    def need(self, size: int) -> None:
        if self.at + size > len(self.content):
            raise self.broken("the file ends too early")

    def broken(self, problem: str) -> MalformedInputError:
        return MalformedInputError(
            f"{problem}, at byte {self.at:,}", file=self.file, hint="the file may be cut off"
        )


def _read_settings(reader: _Reader) -> _Settings:
    (version,) = reader.numbers("<i")
    if version not in _VERSIONS:
        raise UnknownFormatError(
            f"this is fastText's format {version}, we read {_VERSIONS}", file=reader.file
        )
    values = reader.numbers("<12i")
    dimensions, model, buckets, shortest, longest = (values[at] for at in (0, 7, 8, 9, 10))
    reader.numbers("<d")
    if version < max(_VERSIONS) and model == _SUPERVISED:
        longest = 0  # older classifiers had no subwords, whatever their settings say
    if dimensions < 1 or buckets < 0 or (longest > 0 and not 0 <= shortest <= longest):
        raise reader.broken("the settings make no sense")
    return _Settings(dimensions, buckets, max(shortest, 1), longest)


def _read_dictionary(reader: _Reader) -> list[str]:
    entries, word_count, _ = reader.numbers("<3i")
    _, pruned = reader.numbers("<2q")
    if entries < 0 or not 0 < word_count <= entries:
        raise reader.broken(f"{word_count} words among {entries} entries make no sense")
    if pruned > 0:
        raise UnknownFormatError("this fastText model is pruned", file=reader.file)
    reader.need(entries * (1 + struct.calcsize("<qb")))
    words: list[str] = []
    for _ in range(entries):
        word = reader.word()
        _, kind = reader.numbers("<qb")
        if kind == _WORD_ENTRY:  # the others are labels of a classifier
            words.append(word)
    if len(words) != word_count:
        raise reader.broken(f"there are {len(words):,} words, not {word_count:,}")
    return words


def _read_matrix(reader: _Reader, rows: int, columns: int) -> NDArray[np.float32]:
    height, width = reader.numbers("<2q")
    if (height, width) != (rows, columns):
        raise reader.broken(f"vectors are {height:,} × {width:,}, not {rows:,} × {columns:,}")
    reader.need(4 * rows * columns)
    values = np.frombuffer(reader.content, "<f4", rows * columns, reader.at)
    if not all(np.isfinite(part).all() for part in np.array_split(values, rows // 65536 + 1)):
        raise reader.broken("a vector has numbers that are none")
    matrix: NDArray[np.float32] = values.reshape(rows, columns)
    return matrix
