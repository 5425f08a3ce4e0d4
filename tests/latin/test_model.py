"""What the lemmatizer has learnt, as it is kept in a file."""

import zlib
from dataclasses import fields, replace

import numpy as np
import pytest

from locisimiles.errors import InputError, MalformedInputError
from locisimiles.files.arrays import load_arrays, save_arrays
from locisimiles.latin import Lemmatizer
from locisimiles.latin.guesser import Analysis, Rule
from locisimiles.latin.model import ORIGINS, LemmaModel, form_hash


def test_a_model_is_read_as_it_was_written(model, tmp_path):
    model.save(tmp_path / "a.npz")
    read = LemmaModel.load(tmp_path / "a.npz")
    for field in fields(LemmaModel):
        written, found = getattr(model, field.name), getattr(read, field.name)
        if isinstance(written, list):
            assert list(found) == written, field.name
        else:
            assert found.dtype == written.dtype, field.name
            np.testing.assert_array_equal(found, written)


def test_a_model_is_the_same_bytes_each_time(model, tmp_path):
    for name in ("a.npz", "b.npz"):
        model.save(tmp_path / name)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_the_analyses_of_a_form_have_probabilities(model):
    canis = model.analyses(model.rows["canis"])
    assert [analysis for analysis, _ in canis] == [
        Analysis("canis", "NOUN"),
        Analysis("cano", "VERB"),
    ]
    assert [chance for _, chance in canis] == pytest.approx([0.6, 0.4], abs=1 / 255)


def test_every_form_has_its_row(model):
    assert tuple(model.rows) == tuple(model.forms)
    assert tuple(model.forms[row] for row in model.rows.values()) == tuple(model.forms)


def test_the_last_resort_is_found_by_its_hash(model):
    assert model.last_resort("xerxen") == "xerxes"
    assert model.last_resort("arma") is None
    assert model.last_resort("\uffff" * 3) is None


def test_a_model_without_a_word_list_has_no_last_resort(make_model):
    assert make_model({"arma": [("arma", "NOUN", 1.0)]}).last_resort("arma") is None


def test_the_hash_of_a_form_is_its_crc():
    assert form_hash("123456789") == 0xCBF43926
    assert form_hash("ā") == zlib.crc32("ā".encode())


def test_the_guesser_knows_rules_and_counts(model):
    guesser = model.guesser
    assert guesser.rules["at"] == (10.0, [(Rule(2, "o", "VERB"), 1.0)])
    assert [rule for rule, _ in guesser.rules["arum"][1]] == [
        Rule(3, "", "NOUN"),
        Rule(4, "us", "ADJ"),
    ]
    assert guesser.known == {Analysis("silua", "NOUN"): 5, Analysis("amo", "VERB"): 2}
    assert guesser.known_lemmas == {"silua": 5, "amo": 2}
    assert "canis" in guesser.attested


@pytest.mark.parametrize("name", [field.name for field in fields(LemmaModel)])
def test_an_incomplete_file_is_not_a_model(model, tmp_path, name):
    model.save(tmp_path / "a.npz")
    arrays = load_arrays(tmp_path / "a.npz")
    del arrays[name.replace("analysis_", "reading_")]  # as files call it
    save_arrays(tmp_path / "a.npz", arrays)
    with pytest.raises(MalformedInputError, match=r"a\.npz: not a lemmatizer model; create one"):
        LemmaModel.load(tmp_path / "a.npz")


def test_a_file_with_other_arrays_is_not_a_model(model, tmp_path):
    model.save(tmp_path / "a.npz")
    save_arrays(tmp_path / "a.npz", {**load_arrays(tmp_path / "a.npz"), "more": np.zeros(1)})
    with pytest.raises(MalformedInputError, match="not a lemmatizer model"):
        LemmaModel.load(tmp_path / "a.npz")


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"no\.npz: the file cannot be read: No such file"):
        Lemmatizer.load(tmp_path / "no.npz")


def test_the_shipped_model_is_in_order():
    model = Lemmatizer.shipped()._model
    assert list(model.forms) == sorted(set(model.forms))
    assert len(model.start) == len(model.forms) + 1 == len(model.origin) + 1
    assert (np.diff(model.start) >= 1).all()
    assert model.start[-1] == len(model.analysis_lemma) == len(model.analysis_pos)
    assert model.analysis_lemma.max() < len(model.lemmas)
    assert model.analysis_pos.max() < len(model.tags)
    assert model.analysis_probability.min() > 0
    assert model.origin.max() < len(ORIGINS)
    assert model.rule_start[-1] == len(model.rule_cut) == len(model.rule_probability)
    assert (np.diff(model.resort_hash.astype(np.int64)) > 0).all()
    slots = len(model.context_weights)
    assert slots & (slots - 1) == 0


def test_the_shipped_analyses_have_the_most_likely_first():
    model = Lemmatizer.shipped()._model
    rises = np.diff(model.analysis_probability.astype(np.int64)) > 0
    new_form = np.zeros(len(model.analysis_probability), bool)
    new_form[model.start[:-1]] = True
    assert new_form[1:][rises].all()


NUMBERS = {
    "origin": len(ORIGINS), "rule_add": "additions", "analysis_lemma": "lemmas",
    "known_lemma": "lemmas", "resort_lemma": "lemmas", "analysis_pos": "tags", "known_pos": "tags",
    "rule_pos": "tags",
}  # fmt: skip


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_beyond_its_list_makes_a_model_unsound(model, name):
    size = NUMBERS[name] if name == "origin" else len(getattr(model, NUMBERS[name]))
    column = getattr(model, name).astype(np.int64)
    assert replace(model, **{name: column}).is_sound()
    for place in (0, -1):
        for number, sound in ((size, False), (-1, False), (size - 1, True), (0, True)):
            changed = column.copy()
            changed[place] = number
            assert replace(model, **{name: changed}).is_sound() is sound


def test_a_model_may_know_no_rules_and_no_counts(make_model):
    assert make_model({"arma": [("arma", "NOUN", 1.0)]}).is_sound()


COLUMNS = [field.name for field in fields(LemmaModel)]


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_of_another_length_make_a_model_unsound(model, name):
    """But for lists of names, which may have some that nothing uses."""
    column = getattr(model, name)
    longer = np.append(column, column[-1:]) if isinstance(column, np.ndarray) else [*column, "x"]
    sound = name in ("lemmas", "tags", "additions")
    assert replace(model, **{name: longer}).is_sound() is sound


@pytest.mark.parametrize("name", ["start", "rule_start"])
def test_bounds_that_do_not_ascend_make_a_model_unsound(model, name):
    bounds = getattr(model, name)
    for place, number in ((0, 1), (-1, bounds[-1] - 1), (-1, bounds[-1] + 1), (1, bounds[-1] + 1)):
        changed = bounds.copy()
        changed[place] = number
        assert not replace(model, **{name: changed}).is_sound()


def test_every_form_has_an_analysis_and_every_ending_may_have_none(model):
    without = model.start.copy()
    without[1] = without[0]
    assert not replace(model, start=without).is_sound()
    without = model.rule_start.copy()
    without[1] = without[0]
    assert replace(model, rule_start=without).is_sound()
