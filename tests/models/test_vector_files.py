"""Vectors from the files of other programs, whole and broken."""

import contextlib
import gzip
import os
import pickle
import struct

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from locisimiles.errors import (
    DecodingError,
    EmptyInputError,
    InputError,
    MalformedInputError,
    UnknownFormatError,
    UnsafeInputError,
)
from locisimiles.models.vector_files import read_vectors
from locisimiles.models.vectors import WordVectors

WORDS = ["uox", "ſermo", "faux"]
MATRIX = np.array([[1, -0.5, 0.25], [0, 2, 1e-3], [10, 0, 0]], np.float32)
TEXT = b"3 3\nuox 1 -0.5 0.25\n\xc5\xbfermo 0 2.0 1e-3 \nfaux 1e1 0 0\n"


def binary(*, end=b""):
    rows = zip(WORDS, MATRIX, strict=True)
    return b"3 3\n" + b"".join(w.encode() + b" " + row.tobytes() + end for w, row in rows)


def read(tmp_path, content, **options):
    path = tmp_path / "vectors.any"
    path.write_bytes(content)
    return read_vectors(path, **options)


@pytest.mark.parametrize(
    "content",
    [TEXT, TEXT.replace(b"\n", b"\r\n"), TEXT[:-1], binary(), binary(end=b"\n")],
    ids=["text", "text of Windows", "no last line break", "binary", "binary with line breaks"],
)
def test_both_formats_of_word2vec_are_read(tmp_path, content):
    vectors = read(tmp_path, content)
    assert list(vectors.words) == WORDS
    assert np.array_equal(vectors.rows.all(), MATRIX)


def test_a_binary_file_may_have_line_breaks_among_its_numbers(tmp_path):
    numbers = b"\n\n\n\n" * 3
    vectors = read(tmp_path, b"1 3\nuox " + numbers)
    assert vectors.rows.all().tobytes() == numbers


def test_words_may_have_spaces_in_a_text(tmp_path):
    assert read(tmp_path, b"1 2\nres publica 1 2\n").words == ("res publica",)


def test_our_own_files_are_read(tmp_path):
    WordVectors.from_matrix(WORDS, MATRIX).save(tmp_path / "v.npz")
    assert list(read_vectors(tmp_path / "v.npz").words) == WORDS


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (b"", EmptyInputError, "is empty"),
        (b"0 3\n", EmptyInputError, "0 words"),
        (b"3 0\n", EmptyInputError, "of 0"),
        (b"arma uirumque\n", UnknownFormatError, "not a word vector file"),
        (b"3\nuox 1\n", UnknownFormatError, "not a word vector file"),
        (b"-3 3\nuox 1 2 3\n", UnknownFormatError, "not a word vector file"),
        (gzip.compress(TEXT, mtime=0), UnknownFormatError, "decompress it first"),
        (b"999999999 999\nuox 1 2\n", MalformedInputError, "row 1: .* more than the file can hold"),
        (
            b"3 3\nuox 1 0\n" + b"x 1 0 0\n" * 3,
            MalformedInputError,
            "row 2: expected a word and 3 finite",
        ),
        (
            TEXT.replace(b"2.0", b"zwei"),
            MalformedInputError,
            "row 3: expected a word and 3 finite numbers",
        ),
        (
            TEXT.replace(b"2.0", b"nan"),
            MalformedInputError,
            "row 3: expected a word and 3 finite numbers",
        ),
        (TEXT.replace(b"\xc5", b"\xff"), DecodingError, "row 3: not UTF-8 text"),
        (
            TEXT + b"os 1 1 1\n",
            MalformedInputError,
            "row 5: .* the 3 words announced in its first line",
        ),
        (TEXT[: TEXT.index(b"faux")] + b" " * 20, MalformedInputError, "row 4"),
        (b"3 3\n" + TEXT[4:].replace(b"faux", b""), MalformedInputError, "row 4"),
        (binary()[:-1], MalformedInputError, "damaged at byte 44"),
        (binary() + b"mos", MalformedInputError, "damaged at byte 56"),
        (binary().replace(b"\xc5", b"\xff"), DecodingError, "the word at byte 20 is not UTF-8"),
        (b"1 1\nuox " + struct.pack("<f", np.inf), MalformedInputError, "vector of 'uox'"),
    ],
)
def test_a_broken_file_is_an_error_that_says_where(tmp_path, content, error, message):
    with pytest.raises(error, match=message) as caught:
        read(tmp_path, content)
    assert caught.value.file.endswith("vectors.any")


@pytest.mark.parametrize("content", [TEXT, binary()], ids=["text", "binary"])
def test_a_file_cut_off_anywhere_is_an_error(tmp_path, content):
    # A text may lose its last line break, or a digit that is not missed.
    ends_of_numbers = {len(TEXT) - 1} if content is TEXT else set()
    for size in set(range(len(content))) - ends_of_numbers:
        with pytest.raises(InputError):
            read(tmp_path, content[:size])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(
    st.sampled_from([b"", b"2 2\n", b"1 3\nuox ", b"\x80\x04", b"\xba\x16\x4f\x2f"]),
    st.binary(max_size=120),
)
def test_any_bytes_are_vectors_or_an_input_error(tmp_path, start, rest):
    with contextlib.suppress(InputError):
        assert len(read(tmp_path, start + rest)) > 0


class Harmful:
    """Makes a folder when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (self.path,)


def test_a_pickle_is_refused_and_not_run(tmp_path):
    harm = tmp_path / "harm"
    with pytest.raises(UnsafeInputError, match="save_word2vec_format"):
        read(tmp_path, pickle.dumps(Harmful(str(harm))))
    assert not harm.exists()


@pytest.mark.parametrize("name", ["none.bin", "."])
def test_a_missing_file_is_an_error(tmp_path, name):
    with pytest.raises(InputError, match="cannot be read"):
        read_vectors(tmp_path / name)


@pytest.mark.train
@pytest.mark.parametrize("suffix", [".txt", ".bin"])
def test_what_gensim_writes_is_read(tmp_path, suffix):
    from gensim.models import KeyedVectors

    vectors = KeyedVectors(3)
    vectors.add_vectors(WORDS, MATRIX)
    path = tmp_path / f"v{suffix}"
    vectors.save_word2vec_format(str(path), binary=suffix == ".bin")
    read_back = read_vectors(path)
    assert list(read_back.words) == WORDS
    assert np.allclose(read_back.rows.all(), MATRIX)


@pytest.mark.train
def test_a_trusted_file_of_gensim_is_read(tmp_path):
    from gensim.models import KeyedVectors

    vectors = KeyedVectors(3)
    vectors.add_vectors(WORDS, MATRIX)
    vectors.save(str(tmp_path / "v.kv"))
    with pytest.raises(UnsafeInputError):
        read_vectors(tmp_path / "v.kv")
    read_back = read_vectors(tmp_path / "v.kv", trust=True)
    assert list(read_back.words) == WORDS
    assert np.array_equal(read_back.rows.all(), MATRIX)


@pytest.mark.train
def test_a_trusted_pickle_of_something_else_is_an_error(tmp_path):
    with pytest.raises(MalformedInputError, match="was it saved by gensim"):
        read(tmp_path, pickle.dumps([1, 2, 3]), trust=True)
