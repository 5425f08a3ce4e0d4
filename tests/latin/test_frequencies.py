"""How common words are, and pairs of them."""

import math
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.errors import InputError, MalformedInputError
from locisimiles.files.arrays import load_arrays, save_arrays
from locisimiles.latin import Frequencies, frequencies

LEMMAS = ["et", "res", "publicus", "uox", "fauces"]


def make(pairs=None, lemmas=LEMMAS, counts=(90, 50, 20, 10, 3), sentences=100):
    pairs = {(1, 2): 20, (3, 4): 3} if pairs is None else pairs
    keys = sorted(pairs, key=lambda pair: pair[0] * len(lemmas) + pair[1])
    return Frequencies(
        sentences=sentences,
        lemmas=list(lemmas),
        counts=np.array(counts, np.int32),
        pairs=np.array([a * len(lemmas) + b for a, b in keys], np.int64),
        pair_counts=np.array([pairs[key] for key in keys], np.int32),
        window=5,
        fewest=2,
    )


def saved_and_loaded(frequencies):
    with tempfile.TemporaryDirectory() as folder:
        frequencies.save(Path(folder) / "a.npz")
        return Frequencies.load(Path(folder) / "a.npz")


def leb128(numbers):
    """Seven bits a byte, the low ones first, the eighth says that more follow."""
    written = bytearray()
    for number in numbers:
        while number > 127:
            written.append(number % 128 + 128)
            number //= 128  # noqa: PLW2901
        written.append(number)
    return bytes(written)


def test_lemmas_are_counted():
    assert [make().count(lemma) for lemma in ("et", "fauces", "nescioquid", "")] == [90, 3, 0, 0]


def test_pairs_are_counted_in_either_order():
    frequencies = make()
    assert frequencies.pair_count("res", "publicus") == frequencies.pair_count("publicus", "res")
    assert frequencies.pair_count("res", "publicus") == 20


@pytest.mark.parametrize(
    ("one", "other"), [("et", "uox"), ("res", "res"), ("res", "nescio"), ("nescio", "res")]
)
def test_an_unknown_pair_has_count_zero(one, other):
    assert make().pair_count(one, other) == 0


def test_a_pair_after_the_last_has_count_zero():
    assert make(pairs={}).pair_count("uox", "fauces") == 0
    assert make(pairs={(0, 1): 4}).pair_count("uox", "fauces") == 0


def test_rarity_is_the_logarithm_of_the_inverse_share_of_sentences():
    frequencies = make()
    assert frequencies.rarity("uox") == pytest.approx(math.log(10))
    assert frequencies.rarity("nescioquid") == pytest.approx(math.log(100))
    assert frequencies.rarity("et") < frequencies.rarity("uox") < frequencies.rarity("fauces")


@settings(deadline=None, max_examples=50)
@given(
    st.integers(2, 3000),
    st.dictionaries(st.integers(0), st.integers(1, 10**9), max_size=20),
    st.integers(0, 2**31 - 1),
)
def test_counts_are_read_as_they_were_written(size, numbers, count):
    lemmas = [f"lemma{n}" for n in range(size)]
    pairs = {(n % (size - 1), size - 1): own for n, own in numbers.items()}
    written = make(pairs, lemmas, [count] * size, sentences=2**31)
    read = saved_and_loaded(written)
    assert (read.sentences, read.lemmas, read.window, read.fewest) == (2**31, tuple(lemmas), 5, 2)
    np.testing.assert_array_equal(read.counts, written.counts)
    np.testing.assert_array_equal(read.pairs, written.pairs)
    allowed = np.maximum(written.pair_counts * 0.05, 1)
    assert (np.abs(read.pair_counts - written.pair_counts) <= allowed).all()
    assert (read.counts.dtype, read.pairs.dtype) == (np.int32, np.int64)


@settings(deadline=None, max_examples=50)
@given(st.sets(st.integers(0, 2**62)))
def test_pairs_are_written_as_gaps_in_as_few_bytes_as_each_needs(pairs):
    keys = sorted(pairs)
    counted = Frequencies(
        1, ["a"], np.ones(1, np.int32), np.array(keys, np.int64), np.ones(len(keys), np.int32), 5, 2
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.npz"
        counted.save(path)
        written = load_arrays(path)["gaps"]
    np.testing.assert_array_equal(np.cumsum(frequencies._from_bytes(written)), keys)
    gaps = [b - a for a, b in zip([0, *keys], keys, strict=False)]
    assert written.tobytes() == leb128(gaps)


@pytest.mark.parametrize("written", [[0x80], [1, 0xFF], [0xFF] * 9 + [1]])
def test_incomplete_and_too_large_numbers_are_refused(written):
    with pytest.raises(ValueError, match="number"):
        frequencies._from_bytes(np.array(written, np.uint8))


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 13, 100, 1000, 12_345, 1_000_000])
def test_counts_of_pairs_are_right_to_within_one_or_five_percent(count):
    read = saved_and_loaded(make({(1, 2): count}))
    assert read.pair_count("res", "publicus") == pytest.approx(count, rel=0.05, abs=1)


def test_the_same_counts_are_the_same_bytes(tmp_path):
    for name in ("a.npz", "b.npz"):
        make().save(tmp_path / name)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_counts_of_nothing_can_be_kept():
    read = saved_and_loaded(make({}, [], []))
    assert (read.lemmas, read.count("")) == ((), 0)


@pytest.mark.parametrize("name", ["facts", "lemmas", "counts", "gaps", "pair_steps"])
def test_an_incomplete_file_is_not_a_frequency_file(tmp_path, name):
    path = tmp_path / "a.npz"
    make().save(path)
    save_arrays(path, {key: array for key, array in load_arrays(path).items() if key != name})
    with pytest.raises(MalformedInputError, match=r"a\.npz: not a frequency file"):
        Frequencies.load(path)


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"no\.npz: the file cannot be read"):
        Frequencies.load(str(tmp_path / "no.npz"))


def test_the_shipped_counts_are_loaded_once_and_in_order():
    shipped = Frequencies.shipped()
    assert shipped is Frequencies.shipped()
    assert len(shipped.lemmas) == len(set(shipped.lemmas)) == len(shipped.counts)
    assert len(shipped.pairs) == len(shipped.pair_counts)
    assert (np.diff(shipped.pairs) > 0).all()
    first, second = np.divmod(shipped.pairs, len(shipped.lemmas))
    assert (first < second).all()
    assert shipped.counts.max() <= shipped.sentences


def test_common_words_are_common_in_the_shipped_counts():
    shipped = Frequencies.shipped()
    assert shipped.count("et") > shipped.count("uox") > 0
    assert shipped.rarity("et") < shipped.rarity("uox") < shipped.rarity("nescioquidquam")


def test_rows_are_those_of_the_lemmas():
    assert make().rows_of(["fauces", "nix", "et", ""]).tolist() == [4, -1, 0, -1]
    assert make().rows_of([]).tolist() == []


@settings(max_examples=40)
@given(
    st.dictionaries(
        st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda pair: pair[0] < pair[1]),
        st.integers(2, 90),
    ),
    st.lists(st.tuples(st.integers(-1, 4), st.integers(-1, 4))),
)
def test_many_pairs_are_counted_as_each_alone_is(pairs, asked):
    one, other = (np.array([pair[side] for pair in asked], np.int64) for side in (0, 1))
    found = make(pairs).pair_counts_of(one, other)
    expected = [pairs.get((min(pair), max(pair)), 0) if min(pair) >= 0 else 0 for pair in asked]
    assert (found.dtype, found.tolist()) == (np.int32, expected)


def test_a_pair_with_an_unknown_lemma_has_count_zero():
    # -1 and 3 of 5 lemmas would have the same number as no pair; -1 and 0 that of another.
    frequencies = make({(0, 4): 7, (1, 2): 20})
    rows = frequencies.rows_of(["nescioquid", "et", "fauces"])
    assert frequencies.pair_counts_of(rows[[0, 0, 0]], rows).tolist() == [0, 0, 0]


@pytest.mark.parametrize(("key", "fits"), [(-1, False), (0, True), (24, True), (25, False)])
def test_pairs_are_of_lemmas_that_there_are(key, fits):
    one = {"pairs": np.array([key], np.int64), "pair_counts": np.array([3], np.int32)}
    changed = replace(make(), **one)
    if fits:
        changed.check()
    else:
        with pytest.raises(ValueError, match="contradict"):
            changed.check()


@pytest.mark.parametrize(
    "change",
    [
        {"sentences": 0},
        {"counts": np.ones(4, np.int32)},
        {"pair_counts": np.ones(3, np.int32)},
        {"pairs": np.array([7, 7], np.int64)},
        {"pairs": np.array([19, 7], np.int64)},
    ],
)
def test_columns_that_contradict_each_other_are_refused(change):
    with pytest.raises(ValueError, match="contradict"):
        replace(make(), **change).check()
