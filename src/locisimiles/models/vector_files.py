"""Read word vectors from the files of other programs.

=======================  ==========================================================================
``.npz``                 ours (``locisimiles train vectors``)
word2vec, text           ``.txt``, ``.vec``: a line with two numbers, then a word and its vector a
                         line; what fastText and gensim's ``save_word2vec_format`` write
word2vec, binary         ``.bin``: the same with vectors as four bytes a number
fastText                 ``.bin``: words and subwords
gensim                   ``.kv``, ``.model``: read only where it is said that the file is trusted
=======================  ==========================================================================

What a file is, is seen from its content. Nothing in it is executed, except that gensim's own files
are pickles, which can hold any program: they are refused unless they are trusted.
"""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.errors import (
    DecodingError,
    EmptyInputError,
    InputError,
    MalformedInputError,
    MissingDependencyError,
    UnknownFormatError,
    UnsafeInputError,
)
from locisimiles.models.fasttext_files import FASTTEXT_MAGIC, read_fasttext
from locisimiles.models.vectors import Rows, Subwords, WordVectors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["read_vectors"]

_LONGEST_HEADER = 64
_LONGEST_WORD = 4096
_BYTES = 4


def read_vectors(path: str | Path, *, trust: bool = False) -> WordVectors:
    r"""Read word vectors of any format in the table above.

    Parameters
    ----------
    path
        The file.
    trust
        Whether the file may be a pickle of gensim, and run whatever program it holds.

    Raises
    ------
    InputError
        If the file cannot be read, is of no such format, or breaks its rules; the message says in
        which row or at which byte.
    UnsafeInputError
        If it is a pickle and not trusted.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "vectors.vec")
    ...     _ = file.write_text("2 3\nuox 1 0 0\nfaux 0 0.5 0\n")
    ...     read_vectors(file).words
    ('uox', 'faux')
    """
    path = Path(path)
    try:
        with path.open("rb") as stream:
            start = stream.read(_LONGEST_HEADER)
            if not start:
                raise EmptyInputError("the file is empty", file=str(path))
            if start[:2] == b"PK":
                return WordVectors.load(path)
            if start[:1] == b"\x80":
                return _read_pickle(path, trust=trust)
            # Mapped, not read: the largest files are larger than some machines' memory.
            content = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        problem = f"it cannot be read: {error.strerror or error}"
        raise InputError(problem, file=str(path)) from error
    if start[: len(FASTTEXT_MAGIC)] == FASTTEXT_MAGIC:
        return read_fasttext(content, str(path))
    with content:
        return _read_word2vec(content, str(path))


def _read_word2vec(content: mmap.mmap, file: str) -> WordVectors:
    begin = content.find(b"\n", 0, _LONGEST_HEADER) + 1
    header = content[: max(begin - 1, 0)].split()
    if len(header) != 2 or not all(part.isdigit() for part in header):  # noqa: PLR2004
        hint = "give vectors in the format of word2vec, fastText or locisimiles"
        if content[:2] == b"\x1f\x8b":
            hint = "unpack it first (gunzip)"
        raise UnknownFormatError("this is no file of word vectors", file=file, hint=hint)
    count, dimensions = map(int, header)
    if not count or not dimensions:
        raise EmptyInputError(f"it announces {count} words of {dimensions}", file=file, row=1)
    # A word of one letter and digits of one each: nothing smaller can hold what is announced.
    if count * (2 * dimensions + 1) > len(content) - begin + 1:
        raise MalformedInputError(
            f"it announces {count:,} words of {dimensions:,} dimensions, more than it has room for",
            file=file,
            row=1,
            hint="the file may be cut off",
        )
    end = content.find(b"\n", begin)
    line = content[begin : end if end >= 0 else len(content)]
    read = _read_text if _is_text_row(line, dimensions) else _read_binary
    words, matrix = read(content, begin, count, dimensions, file)
    return WordVectors.from_matrix(words, matrix)


def _is_text_row(line: bytes, dimensions: int) -> bool:
    """Tell whether a row is text: the bytes of floats do not happen to spell one."""
    fields = line.split()
    if len(fields) > dimensions and _is_number(fields[-1]):
        return True
    return len(fields) > 1 and _is_number(fields[1])


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _read_text(
    content: mmap.mmap, begin: int, count: int, dimensions: int, file: str
) -> tuple[list[str], NDArray[np.float32]]:
    words: list[str] = []
    matrix = np.empty((count, dimensions), np.float32)
    row = 0
    for row, line in enumerate(_lines(content, begin), start=2):
        # Some words have spaces in them; numbers have none.
        fields = line.strip().rsplit(None, dimensions)
        if len(words) == count:
            raise MalformedInputError(
                f"there are more words than the {count:,} announced", file=file, row=row
            )
        if len(fields) != dimensions + 1:
            problem = f"there are {len(fields)} fields, not a word and {dimensions} numbers"
            raise MalformedInputError(problem, file=file, row=row)
        try:
            matrix[len(words)] = np.array(fields[1:], np.bytes_).astype(np.float32)
        except ValueError as error:
            raise MalformedInputError(f"a number is none: {error}", file=file, row=row) from error
        if not np.isfinite(matrix[len(words)]).all():
            raise MalformedInputError("a number is not finite", file=file, row=row)
        words.append(_word(fields[0], file, row=row))
    if len(words) < count:
        raise MalformedInputError(
            f"it ends after {len(words):,} of {count:,} words",
            file=file,
            row=row + 1,
            hint="the file may be cut off",
        )
    return words, matrix


def _lines(content: mmap.mmap, begin: int) -> Iterator[bytes]:
    content.seek(begin)
    return iter(content.readline, b"")


def _read_binary(
    content: mmap.mmap, begin: int, count: int, dimensions: int, file: str
) -> tuple[list[str], NDArray[np.float32]]:
    words: list[str] = []
    width = _BYTES * dimensions
    matrix = np.empty((count, dimensions), np.float32)
    at = begin
    for number in range(count):
        # word2vec ends a row with a line break, gensim does not.
        while content[at : at + 1] == b"\n":
            at += 1
        space = content.find(b" ", at, at + _LONGEST_WORD)
        if space < 0 or space + 1 + width > len(content):
            raise MalformedInputError(
                f"word {number + 1:,} of {count:,} is not whole, at byte {at:,}",
                file=file,
                hint="the file may be cut off",
            )
        words.append(_word(content[at:space], file, at=at))
        matrix[number] = np.frombuffer(content[space + 1 : space + 1 + width], "<f4")
        at = space + 1 + width
    if content[at : at + 2].strip(b"\n"):
        raise MalformedInputError(f"more than {count:,} words, at byte {at:,}", file=file)
    broken = np.flatnonzero(~np.isfinite(matrix).all(axis=1))
    if len(broken):
        word = words[broken[0]]
        raise MalformedInputError(f"the vector of {word!r} has numbers that are none", file=file)
    return words, matrix


def _word(word: bytes, file: str, *, row: int | None = None, at: int | None = None) -> str:
    where = "" if at is None else f", at byte {at:,}"
    try:
        text = word.decode("utf-8")
    except UnicodeDecodeError as error:
        raise DecodingError(f"a word is not UTF-8{where}", file=file, row=row) from error
    if not text or "\n" in text:
        raise MalformedInputError(
            f"a vector has no word, or more than one{where}", file=file, row=row
        )
    return text


def _read_pickle(path: Path, *, trust: bool) -> WordVectors:
    if not trust:
        raise UnsafeInputError(
            "this is a pickle, which can run any program when it is read",
            file=str(path),
            hint="save the vectors with gensim's save_word2vec_format, or say that you trust it",
        )
    try:
        from gensim.models import KeyedVectors
    except ImportError as error:
        raise MissingDependencyError(
            "gensim is not installed, and its files are read with it",
            hint="install it with: pip install 'locisimiles[train]'",
        ) from error
    try:
        loaded = KeyedVectors.load(str(path))
        return _from_gensim(getattr(loaded, "wv", loaded))
    except Exception as error:  # what a pickle can raise has no end
        raise MalformedInputError(
            f"gensim cannot read it: {error}", file=str(path), hint="was it saved by gensim?"
        ) from error


def _from_gensim(vectors: Any) -> WordVectors:  # noqa: ANN401 - gensim is untyped
    words = [str(word) for word in vectors.index_to_key]
    parts = None
    if getattr(vectors, "bucket", 0) and vectors.max_n >= vectors.min_n > 0:
        buckets = Rows(np.array(vectors.vectors_ngrams, np.float32))
        parts = Subwords(buckets, int(vectors.min_n), int(vectors.max_n))
    return WordVectors.from_matrix(words, np.array(vectors.vectors, np.float32), parts)
