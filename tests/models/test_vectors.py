"""Word vectors: looking up, rounding, keeping in a file."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from locisimiles.errors import InputError, MalformedInputError, OutputError, ParameterError
from locisimiles.files.arrays import load_arrays, save_arrays
from locisimiles.models.vectors import Rows, Subwords, WordVectors

MATRICES = arrays(
    np.float32,
    array_shapes(min_dims=2, max_dims=2, max_side=6),
    elements=st.floats(-1000, 1000, width=32),
)


def matrix(*rows):
    return np.array(rows, np.float32)


def with_subwords():
    buckets = np.random.default_rng(1).normal(size=(11, 3)).astype(np.float32)
    return WordVectors.from_matrix(
        ["uox", "faux"], matrix([1, 0, 0], [0, 2, 0]), Subwords(Rows(buckets), 3, 6)
    )


def test_words_are_found_however_they_are_spelt():
    vectors = WordVectors.from_matrix(["vir", "adfero"], matrix([1, 0], [0, 1]))
    assert [vectors.row(word) for word in ("vir", "uir", "affero", "mos")] == [0, 0, 1, -1]
    assert "uir" in vectors
    assert "mos" not in vectors


def test_of_two_words_of_one_spelling_the_first_counts():
    vectors = WordVectors.from_matrix(["uir", "vir", "uir"], matrix([1, 0], [0, 1], [1, 1]))
    assert [vectors.row("uir"), vectors.row("vir"), vectors.row("VIR")] == [0, 1, 0]


def test_unknown_words_and_zero_vectors_are_like_nothing():
    vectors = WordVectors.from_matrix(["uox", "nihil"], matrix([3, 4], [0, 0]))
    assert vectors.unit(["nihil", "mos"]).tolist() == [[0, 0], [0, 0]]
    assert vectors.similarity("uox", "nihil") == 0
    assert vectors.similarity("uox", "uox") == pytest.approx(1)


def test_neighbours_come_nearest_first_without_the_word_itself():
    vectors = WordVectors.from_matrix(["a", "b", "c", "d"], matrix([1, 0], [1, 1], [0, 1], [9, 1]))
    assert [word for word, _ in vectors.neighbours("a", 2)] == ["d", "b"]


def test_unknown_words_get_the_mean_of_their_subwords():
    vectors = with_subwords()
    unknown = vectors.subwords.vectors(["uoxque"])[0]
    assert vectors.unit(["uoxque"])[0] == pytest.approx(unknown / np.linalg.norm(unknown))
    assert vectors.unit(["uoxque"], use_subwords=False).tolist() == [[0, 0, 0]]
    assert vectors.unit(["uox"])[0].tolist() == [1, 0, 0]


def test_the_common_directions_of_all_vectors_are_removed():
    rng = np.random.default_rng(0)
    shared = np.outer(rng.normal(size=400) * 30, rng.normal(size=6))
    matrix_ = (shared + rng.normal(size=(400, 6)) + 20).astype(np.float32)
    words = [f"w{number}" for number in range(400)]
    moved = WordVectors.from_matrix(words, matrix_).centred(1).rows.all()
    assert moved.mean(axis=0) == pytest.approx(0, abs=1e-4)
    assert np.linalg.svd(moved)[1][-1] == pytest.approx(0, abs=1e-2)
    # As the definition says, with directions found in another way.
    spread = matrix_ - matrix_.mean(axis=0)
    main = np.linalg.svd(spread, full_matrices=False)[2][0]
    assert moved == pytest.approx(spread - np.outer(spread @ main, main), abs=1e-3)


def test_subwords_are_moved_with_the_words():
    vectors = with_subwords()
    made = vectors.subwords.vectors(["uoxque", "faucium"])
    words = WordVectors.from_matrix(
        [*vectors.words, "uoxque", "faucium"],
        np.concatenate([vectors.rows.all(), made]),
        vectors.subwords,
    ).centred(1)
    again = words.subwords.vectors(["uoxque", "faucium"])
    assert again == pytest.approx(words.rows.all()[2:], abs=1e-5)


def test_a_vector_of_zeros_stays_one():
    vectors = WordVectors.from_matrix(["a", "b", "c"], matrix([0, 0], [1, 2], [3, 1]))
    assert vectors.centred(0).unit(["a"]).tolist() == [[0, 0]]


@pytest.mark.parametrize("components", [-1, 3])
def test_not_all_directions_can_be_removed(components):
    with pytest.raises(ParameterError, match="components"):
        with_subwords().centred(components)


@given(MATRICES)
def test_rounding_is_off_by_half_a_step_at_most(values):
    rounded = Rows(values).rounded()
    step = np.abs(values).max(axis=1) / 127
    assert rounded.values.dtype == np.int8
    assert (np.abs(rounded.all() - values) <= 0.5001 * step[:, None] + 1e-30).all()


def test_rounding_twice_changes_nothing():
    once = Rows(matrix([1, 0.3], [0, 0])).rounded()
    assert once.rounded() is once


@pytest.mark.parametrize("compact", [False, True])
@pytest.mark.parametrize("subwords", [False, True])
def test_a_file_gives_back_what_was_saved(tmp_path, compact, subwords):
    vectors = with_subwords()
    if not subwords:
        vectors = WordVectors(vectors.words, vectors.rows)
    if compact:
        vectors = vectors.compact()
    vectors.save(tmp_path / "v.npz")
    loaded = WordVectors.load(tmp_path / "v.npz")
    assert loaded.words == vectors.words
    assert loaded.fingerprint() == vectors.fingerprint()
    assert (loaded.subwords is not None) == subwords
    assert np.array_equal(loaded.unit(["uox", "uoxque"]), vectors.unit(["uox", "uoxque"]))


def test_the_fingerprint_knows_words_and_numbers():
    prints = {
        WordVectors.from_matrix(words, numbers).fingerprint()
        for words, numbers in [
            (["a", "b"], matrix([1, 0], [0, 1])),
            (["a", "c"], matrix([1, 0], [0, 1])),
            (["a", "b"], matrix([1, 0], [0, 2])),
            (["a", "b"], matrix([1], [0])),
        ]
    }
    assert len(prints) == 4


def test_compact_vectors_can_be_cut_to_the_first_words():
    few = with_subwords().compact(1)
    assert few.words == ("uox",)
    assert len(few.rows) == 1
    assert len(few.subwords.buckets) == 11


@pytest.mark.parametrize(
    "change",
    [
        {"words": np.frombuffer(b"uox", np.uint8)},
        {"words": np.frombuffer(b"u\xffx\nfaux", np.uint8)},
        {"vectors": np.zeros(4, np.float32)},
        {"vectors": np.zeros((2, 3), np.float64)},
        {"vectors": np.array([[1, 0, np.nan], [0, 1, 0]], np.float32)},
        {"vectors_scales": np.ones(2, np.float32)},
        {"buckets": np.zeros((11, 2), np.float32)},
        {"buckets": np.zeros((0, 3), np.float32)},
        {"vector_facts": np.array([1, 5, 4])},
        {"vector_facts": np.array([7, 3, 6])},
        {"vector_facts": np.array([1])},
        {"vector_facts": None},
        {"vectors": None},
        {"words": None},
    ],
    ids=lambda change: str(sorted(change)),
)
def test_a_broken_file_is_an_error_that_names_it(tmp_path, change):
    path = tmp_path / "v.npz"
    with_subwords().save(path)
    parts = {**load_arrays(path), **change}
    save_arrays(path, {name: part for name, part in parts.items() if part is not None})
    with pytest.raises(MalformedInputError, match=r"v\.npz"):
        WordVectors.load(path)


def test_a_missing_file_and_a_missing_folder_are_errors(tmp_path):
    with pytest.raises(InputError, match=r"none\.npz"):
        WordVectors.load(tmp_path / "none.npz")
    with pytest.raises(OutputError, match="cannot be written"):
        with_subwords().save(tmp_path / "no" / "v.npz")


@pytest.mark.parametrize(
    "make",
    [
        lambda: Rows(np.zeros((2, 2), np.int8)),
        lambda: Rows(np.zeros((2, 2), np.int8), np.ones(3, np.float32)),
        lambda: WordVectors.from_matrix(["a"], np.zeros((2, 2), np.float32)),
        lambda: Subwords(Rows(np.zeros((2, 2), np.float32)), 0, 3),
    ],
)
def test_parts_that_do_not_fit_are_refused(make):
    with pytest.raises(ParameterError):
        make()
