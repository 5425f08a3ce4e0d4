"""Read word vectors from files of common formats.

=======================  ==========================================================================
``.npz``                 ours (``locisimiles train vectors``)
word2vec, text           ``.txt``, ``.vec``: a line with two numbers, then a word and its vector per
                         line; written by fastText and by gensim's ``save_word2vec_format``
word2vec, binary         ``.bin``: the same with vectors of four-byte floats
fastText                 ``.bin``: words and subwords
gensim                   ``.kv``, ``.model``: only if the file is declared trusted
=======================  ==========================================================================

The format is recognized by content. Nothing in a file is executed, with one exception: gensim's own
files are pickles, which can run any code, and are refused unless the user trusts them.
"""

from __future__ import annotations

import mmap
from contextlib import suppress
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
from locisimiles.installation import install_command
from locisimiles.models.fasttext_files import FASTTEXT_MAGIC, Cursor, read_fasttext
from locisimiles.models.vectors import Rows, Subwords, WordVectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["read_vectors"]

_LONGEST_HEADER = 64


def read_vectors(path: str | Path, *, trust: bool = False) -> WordVectors:
    r"""Read word vectors of any format in the table above.

    Parameters
    ----------
    path
        The file.
    trust
        Whether the file may be a pickle of gensim, which can run any code.

    Raises
    ------
    InputError
        If the file cannot be read, has another format, or is damaged; the message names the row or
        byte.
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
                raise EmptyInputError("models.empty_file", file=str(path))
            if start[:2] == b"PK":
                return WordVectors.load(path)
            if start[:1] == b"\x80":
                return _read_pickle(path, trust=trust)
            # Mapped, not read: some files are larger than the memory.
            content = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError("files.unreadable", file=str(path), reason=reason) from error
    if start[: len(FASTTEXT_MAGIC)] == FASTTEXT_MAGIC:
        return read_fasttext(content, str(path))
    with content:
        return _read_word2vec(content, str(path))


def _read_word2vec(content: mmap.mmap, file: str) -> WordVectors:
    begin = content.find(b"\n", 0, _LONGEST_HEADER) + 1
    header = content[: max(begin - 1, 0)].split()
    if len(header) != 2 or not all(part.isdigit() for part in header):  # noqa: PLR2004
        if content[:2] == b"\x1f\x8b":
            raise UnknownFormatError("models.packed_vectors", file=file)
        raise UnknownFormatError("models.no_vectors", file=file)
    count, dimensions = map(int, header)
    if not count or not dimensions:
        raise EmptyInputError(
            "models.empty_vectors", file=file, row=1, words=count, dimensions=dimensions
        )
    # The least a file can need: words of one letter, and numbers of one digit.
    if count * (2 * dimensions + 1) > len(content) - begin + 1:
        raise MalformedInputError(
            "models.too_much_announced", file=file, row=1, words=count, dimensions=dimensions
        )
    end = content.find(b"\n", begin)
    line = content[begin : end if end >= 0 else len(content)]
    read = _read_text if _is_text_row(line, dimensions) else _read_binary
    words, matrix = read(content, begin, count, dimensions, file)
    return WordVectors.from_matrix(words, matrix)


def _is_text_row(line: bytes, dimensions: int) -> bool:
    """Tell whether a row is text: the bytes of floats hardly ever spell numbers."""
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
    content.seek(begin)
    for row, line in enumerate(iter(content.readline, b""), start=2):
        # Words may contain spaces, numbers may not.
        fields = line.strip().rsplit(None, dimensions)
        if len(words) == count:
            raise MalformedInputError("models.word_count", file=file, row=row, words=count)
        numbers = np.empty(0, np.float32)
        with suppress(ValueError):
            numbers = np.array(fields[1:], np.bytes_).astype(np.float32)
        if numbers.shape != (dimensions,) or not np.isfinite(numbers).all():
            raise MalformedInputError("models.bad_row", file=file, row=row, dimensions=dimensions)
        matrix[len(words)] = numbers
        try:
            words.append(fields[0].decode("utf-8"))
        except UnicodeDecodeError as error:
            raise DecodingError("files.not_text", file=file, row=row, encoding="UTF-8") from error
    if len(words) < count:
        raise MalformedInputError("models.word_count", file=file, row=row + 1, words=count)
    return words, matrix


def _read_binary(
    content: mmap.mmap, begin: int, count: int, dimensions: int, file: str
) -> tuple[list[str], NDArray[np.float32]]:
    words: list[str] = []
    matrix = np.empty((count, dimensions), np.float32)
    cursor = Cursor(content, file, begin)
    for number in range(count):
        # word2vec ends rows with a line break, gensim does not.
        while content[cursor.at : cursor.at + 1] == b"\n":
            cursor.at += 1
        words.append(cursor.word(b" "))
        cursor.require(words[-1] != "")
        matrix[number] = cursor.floats(dimensions)
    cursor.require(not content[cursor.at : cursor.at + 2].strip(b"\n"))
    broken = np.flatnonzero(~np.isfinite(matrix).all(axis=1))
    if len(broken):
        raise MalformedInputError("models.vector_not_finite", file=file, word=words[broken[0]])
    return words, matrix


def _read_pickle(path: Path, *, trust: bool) -> WordVectors:
    if not trust:
        raise UnsafeInputError("models.untrusted_pickle", file=str(path))
    try:
        from gensim.models import KeyedVectors
    except ImportError as error:
        raise MissingDependencyError(
            "models.gensim_missing", install=install_command(library="gensim")
        ) from error
    try:
        loaded = KeyedVectors.load(str(path))
        return _from_gensim(getattr(loaded, "wv", loaded))
    except MemoryError:
        raise
    except Exception as error:  # a pickle can raise anything
        raise MalformedInputError(
            "models.gensim_failed", file=str(path), reason=str(error)
        ) from error


def _from_gensim(vectors: Any) -> WordVectors:  # noqa: ANN401 - gensim is untyped
    words = [str(word) for word in vectors.index_to_key]
    parts = None
    if getattr(vectors, "bucket", 0) and vectors.max_n >= vectors.min_n > 0:
        buckets = Rows(np.array(vectors.vectors_ngrams, np.float32))
        parts = Subwords(buckets, int(vectors.min_n), int(vectors.max_n))
    return WordVectors.from_matrix(words, np.array(vectors.vectors, np.float32), parts)
