"""Hostile models, counts, treebanks and corpora: each an error of ours, nothing executed."""

import gc
import io
import lzma
import pickle
import warnings
import zipfile
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from locisimiles.errors import InputError, LocisimilesError
from locisimiles.files.arrays import load_arrays, pack_strings, save_arrays
from locisimiles.latin import Frequencies, Lemmatizer
from locisimiles.latin.guesser import FEATURES
from locisimiles.latin.model import LemmaModel
from locisimiles.train.common.corpora import count_forms, read_sentences
from locisimiles.train.lemmatizer.treebanks import read_treebank

LOADERS = pytest.mark.parametrize("load", [load_arrays, Lemmatizer.load, Frequencies.load])


class Bomb:
    """What is executed when it is unpickled."""

    def __reduce__(self):
        return (pytest.exit, ("a pickle was executed",))


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)
    return stream.getvalue()


def header(text):
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def shaped(shape):
    return header(b"{'descr': '<f8', 'fortran_order': False, 'shape': (%s,), }\n" % shape)


def zipped(*members, method=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return stream.getvalue()


def patched(data, at, value):
    """Change a field of two bytes in every entry of the directory of a zip file."""
    data = bytearray(data)
    place = data.find(b"PK\x01\x02")
    while place >= 0:
        data[place + at : place + at + 2] = value.to_bytes(2, "little")
        place = data.find(b"PK\x01\x02", place + 4)
    return bytes(data)


def damaged(data):
    return data[:60] + b"\xff" * 30 + data[90:]


GOOD = zipped(("a.npy", npy(np.arange(1000))))
HOSTILE = {
    "empty": b"",
    "text": b"arma uirumque cano",
    "null bytes": bytes(1000),
    "a pickle": pickle.dumps(Bomb()),
    "a pickle in a member": zipped(("a.npy", npy(np.array([Bomb()], object)))),
    "zip garbage": b"PK\x03\x04garbage",
    "an end of nothing": b"PK\x05\x06" + bytes(10),
    "code in a header": zipped(("a.npy", header(b"__import__('os').abort()\n"))),
    "no such type": zipped(
        ("a.npy", header(b"{'descr': 'zz', 'fortran_order': 0, 'shape': ()}\n"))
    ),
    "a negative size": zipped(("a.npy", shaped(b"-3"))),
    "a header that is not text": zipped(("a.npy", b"\x93NUMPY\x03\x00\x04\0\0\0\xff\xff\xff\n")),
    "a version nobody knows": zipped(("a.npy", b"\x93NUMPY\x09\x00abc")),
    "less than announced": zipped(("a.npy", shaped(b"1000"))),
    "wrong checksums": zipped(("a.npy", npy(np.arange(9))), method=zipfile.ZIP_STORED).replace(
        b"\x08\0\0\0\0\0\0\0", b"\x09\0\0\0\0\0\0\0", 1
    ),
    "an array alone": npy(np.arange(3)),
    "damaged compression": damaged(GOOD),
    "a lock": patched(GOOD, 8, 1),
    "an unknown feature": patched(GOOD, 8, 0x20),
    "an unknown compression": patched(GOOD, 10, 99),
    "half a header": zipped(("a.npy", header(b"{'descr': '<f8'\n"))),
    "more than memory": zipped(("a.npy", shaped(b"1152921504606846975"))),
    "a member that is no array": zipped(("a.npy", b"arma")),
    **{f"cut at {end}": GOOD[:end] for end in (1, 4, 30, 100, -1, -22, -50)},
}


@LOADERS
@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_hostile_file_is_refused(tmp_path, load, data):
    (tmp_path / "a.npz").write_bytes(data)
    with pytest.raises(InputError, match=r"a\.npz: "):
        load(tmp_path / "a.npz")


def test_a_damaged_file_is_closed_again(tmp_path):
    (tmp_path / "a.npz").write_bytes(GOOD[:-1])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises(InputError):
            load_arrays(tmp_path / "a.npz")
        gc.collect()
    assert [str(warning.message) for warning in caught] == []


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary())
def test_any_bytes_are_refused(tmp_path, data):
    (tmp_path / "a.npz").write_bytes(data)
    with pytest.raises(InputError):
        load_arrays(tmp_path / "a.npz")


# Files that have all the arrays a model has, but not with what belongs into them.

MODEL = {
    "forms": pack_strings(["arma", "canis"]),
    "lemmas": pack_strings(["arma", "canis", "cano"]),
    "tags": pack_strings(["NOUN", "VERB"]),
    "start": np.array([0, 1, 3], np.int32),
    "reading_lemma": np.array([0, 1, 2], np.int32),
    "reading_pos": np.array([0, 0, 1], np.uint8),
    "reading_probability": np.array([255, 200, 55], np.uint8),
    "origin": np.zeros(2, np.uint8),
    "known_lemma": np.array([0, 1, 2], np.int32),
    "known_pos": np.array([0, 0, 1], np.uint8),
    "known_count": np.array([1, 2, 3], np.int32),
    "endings": pack_strings(["is"]),
    "ending_total": np.array([3.0], np.float32),
    "rule_start": np.array([0, 1], np.int32),
    "rule_cut": np.array([2], np.uint8),
    "rule_add": np.array([0], np.uint16),
    "rule_pos": np.array([1], np.uint8),
    "rule_probability": np.array([1.0], np.float32),
    "additions": pack_strings(["o"]),
    "resort_hash": np.array([5], np.uint32),
    "resort_lemma": np.array([0], np.int32),
    "guess_weights": np.zeros(len(FEATURES)),
    "context_weights": np.zeros(16, np.int8),
    "context_scale": np.array([0.1]),
}
WORDS = ["arma", "canis", "amis", "uirumque", "zzz"]


def use_model(tmp_path, **changes):
    save_arrays(tmp_path / "a.npz", {**MODEL, **changes})
    lemmatizer = Lemmatizer.load(tmp_path / "a.npz")
    return lemmatizer.lemmatize(WORDS), lemmatizer.analyse(WORDS)


def test_the_unchanged_model_is_valid(tmp_path):
    names = {field.name.replace("analysis_", "reading_") for field in fields(LemmaModel)}
    assert MODEL.keys() == names
    assert use_model(tmp_path)[0] == ["arma", "canis", "amo", "uirum", "zzz"]


BROKEN_MODELS = {
    "forms that are not UTF-8": {"forms": np.array([255], np.uint8)},
    "no forms": {"forms": np.empty(0, np.uint8)},
    "no context": {"context_weights": np.empty(0, np.int8)},
    "no scale": {"context_scale": np.empty(0)},
    "no starts": {"start": np.empty(0, np.int32)},
    "too few starts": {"start": np.array([0, 1], np.int32)},
    "starts that go back": {"start": np.array([0, 3, 1], np.int32)},
    "lemmas that are not there": {"reading_lemma": np.array([0, 1, 99], np.int32)},
    "tags that are not there": {"reading_pos": np.array([0, 0, 99], np.uint8)},
    "an origin that is not there": {"origin": np.full(2, 9, np.uint8)},
    "too few origins": {"origin": np.zeros(1, np.uint8)},
    "too few weights": {"guess_weights": np.zeros(1)},
    "rules that add what is not there": {"rule_add": np.array([99], np.uint16)},
    "columns of different lengths": {"known_count": np.array([1], np.int32)},
    "rows instead of columns": {"reading_lemma": np.zeros((3, 3), np.int32)},
    "texts instead of numbers": {"start": np.array(["a", "b", "c"])},
    "numbers instead of texts": {"lemmas": np.array([0.5])},
}


@pytest.mark.parametrize("changes", BROKEN_MODELS.values(), ids=BROKEN_MODELS.keys())
def test_a_model_that_contradicts_itself_is_refused(tmp_path, changes):
    with pytest.raises(LocisimilesError):
        use_model(tmp_path, **changes)


COUNTS = {
    "facts": np.array([10, 5, 8]),
    "lemmas": pack_strings(["et", "uox"]),
    "counts": np.array([5, 2], np.int32),
    "gaps": np.array([1], np.uint8),
    "pair_steps": np.array([13], np.uint8),
}


def use_counts(tmp_path, **changes):
    save_arrays(tmp_path / "a.npz", {**COUNTS, **changes})
    counts = Frequencies.load(tmp_path / "a.npz")
    return counts.count("uox"), counts.pair_count("et", "uox"), counts.rarity("et")


def test_the_unchanged_counts_are_valid(tmp_path):
    assert use_counts(tmp_path)[:2] == (2, 3)


BROKEN_COUNTS = {
    "too few facts": {"facts": np.array([1, 2])},
    "a single fact": {"facts": np.array(1)},
    "counts that are texts": {"counts": np.array(["a", "b"])},
    "lemmas that are not UTF-8": {"lemmas": np.array([255], np.uint8)},
    "lemmas that are numbers": {"lemmas": np.array([1.5])},
    "rows of gaps": {"gaps": np.array([[1, 2], [3, 4]], np.uint8)},
}
CONTRADICTORY_COUNTS = {
    "gaps that break off": {"gaps": np.array([1, 0x81, 0x81], np.uint8)},
    "gaps without end": {"gaps": np.array([0x81] * 30 + [1], np.uint8)},
    "too few counts": {"counts": np.array([1], np.int32)},
    "too few counts of pairs": {"pair_steps": np.empty(0, np.uint8)},
    "no sentences": {"facts": np.array([0, 5, 8])},
    "counts of several fields": {"counts": np.zeros(2, [("a", "i4"), ("b", "i4")])},
}


@pytest.mark.parametrize("changes", BROKEN_COUNTS.values(), ids=BROKEN_COUNTS.keys())
def test_a_file_without_counts_is_refused(tmp_path, changes):
    with pytest.raises(InputError, match=r"a\.npz: not a frequency file"):
        use_counts(tmp_path, **changes)


@pytest.mark.parametrize("changes", CONTRADICTORY_COUNTS.values(), ids=CONTRADICTORY_COUNTS.keys())
def test_counts_that_contradict_themselves_are_refused(tmp_path, changes):
    with pytest.raises(InputError):
        use_counts(tmp_path, **changes)


TREEBANK = b"1\tarma\tarma\tNOUN\t_\t_\t_\t_\t_\t_\n"
BAD_TEXTS = {
    "empty": b"",
    "nothing but lines": b"\n\n\n",
    "not UTF-8": b"arma\xff\xfe",
    "UTF-16": "arma\tarma\tNOUN\n".encode("utf-16"),
    "a byte of a character": "arma ā".encode()[:-1],
}
BAD_PACKED = {
    "not packed": b"arma",
    "damaged": lzma.compress(TREEBANK * 100)[:40] + b"\xff" * 40,
    "packed garbage": lzma.compress(b"\xff\xfe"),
    "packed nothing": lzma.compress(b""),
}
CUT_SHORT = {"cut": lzma.compress(TREEBANK * 100)[:-20], "empty": b""}


@pytest.mark.parametrize("name", ["a.conllu", "a.tsv", "a"])
@pytest.mark.parametrize("data", BAD_TEXTS.values(), ids=BAD_TEXTS.keys())
def test_a_bad_treebank_is_refused(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=f"{name}: "):
        read_treebank(tmp_path / name)


@pytest.mark.parametrize("data", BAD_TEXTS.values(), ids=BAD_TEXTS.keys())
def test_a_bad_corpus_is_refused(tmp_path, data):
    (tmp_path / "a.txt").write_bytes(data)
    with pytest.raises(InputError, match=r"a\.txt: "):
        count_forms([tmp_path / "a.txt"])


@pytest.mark.parametrize("data", BAD_PACKED.values(), ids=BAD_PACKED.keys())
def test_badly_compressed_files_are_refused(tmp_path, data):
    for name in ("a.conllu.xz", "a.tsv.xz"):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InputError):
            read_treebank(tmp_path / name)
    with pytest.raises(InputError):
        list(read_sentences(tmp_path / name))


@pytest.mark.parametrize("data", CUT_SHORT.values(), ids=CUT_SHORT.keys())
@pytest.mark.parametrize("read", [read_treebank, lambda path: list(read_sentences(path))])
def test_truncated_compressed_files_are_refused(tmp_path, data, read):
    (tmp_path / "a.conllu.xz").write_bytes(data)
    with pytest.raises(InputError):
        read(tmp_path / "a.conllu.xz")


@pytest.mark.parametrize("read", [read_treebank, lambda path: list(read_sentences(path))])
def test_an_impossible_file_name_is_refused(read):
    with pytest.raises(InputError):
        read("a\0b.conllu")


@pytest.mark.parametrize(
    "row",
    [b"1\tarma", b"1" + b"\t_" * 20, b"arma uirumque", b"\t", b"\xef\xbb\xbf# x", b" "],
)
def test_wrong_columns_are_refused_with_their_row(tmp_path, row):
    (tmp_path / "a.conllu").write_bytes(TREEBANK + b"\n" + row + b"\n")
    with pytest.raises(InputError, match=r"a\.conllu, row 3: \d+ columns? instead of 10"):
        read_treebank(tmp_path / "a.conllu")


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary() | st.text(alphabet="1a\t\n_#.-ā\x00\r").map(str.encode))
@pytest.mark.parametrize("name", ["a.conllu", "a.tsv"])
def test_any_bytes_are_a_treebank_or_refused(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    try:
        texts = read_treebank(tmp_path / name)
    except InputError:
        return
    assert sum(map(len, texts)) > 0
