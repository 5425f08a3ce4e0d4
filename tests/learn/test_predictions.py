"""Predictions of cross-encoders: recorded, saved, and found by the ids of segments."""

import json

import numpy as np
import pytest

from locisimiles import Document, MalformedInputError, ParameterError, Segment
from locisimiles.classify import Pairs
from locisimiles.files.arrays import load_arrays, save_arrays
from locisimiles.learn.predictions import PredictionBook, WantedPredictions, left_out_sets


def document(*names):
    return Document.from_segments(Segment(name, f"verba {name}") for name in names)


QUERY, SOURCE = document("q0", "q1", "q2"), document("s0", "s1")
LOGITS = np.log(np.array([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.6, 0.2, 0.2]]))


@pytest.fixture
def book():
    """Two cross-encoders, asked about the pairs (2, 0), (0, 1), (0, 0), and about none."""
    answers = np.array([2, 0, 0]), np.array([0, 1, 0]), LOGITS
    nothing = np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros((0, 3), np.float16)
    return PredictionBook.of_logits(QUERY.ids, SOURCE.ids, {(): nothing, (0, 1): answers})


def test_predictions_are_found_for_pairs_in_any_order(book):
    found = book.without([1, 0]).probabilities(Pairs(QUERY, SOURCE, [0, 0, 2], [0, 1, 0]))
    np.testing.assert_allclose(found, [[0.6, 0.2, 0.2], [0.1, 0.8, 0.1], [0.5, 0.3, 0.2]], 1e-5)


def test_predictions_are_found_by_id_in_other_documents(book):
    query, source = document("new", "q2"), document("s1", "other", "s0")
    pairs = Pairs(query, source, [1, 1, 0, 1], [2, 0, 2, 1])
    found = book.without((0, 1)).probabilities(pairs)
    assert found[0] == pytest.approx([0.5, 0.3, 0.2])
    assert np.isnan(found[1:]).all()


def test_an_empty_record_has_no_predictions(book):
    found = book.without(()).probabilities(Pairs(QUERY, SOURCE, [0], [0]))
    assert np.isnan(found).all()
    assert book.without((0, 1)).probabilities(Pairs(QUERY, SOURCE, [], [])).shape == (0, 3)


def test_missing_predictions_are_an_error(book):
    with pytest.raises(ParameterError, match=r"without the folds 0, 2; create them"):
        book.without([2, 0])


def test_saved_predictions_can_be_loaded(book, tmp_path):
    file = tmp_path / "predictions.npz"
    book.save(file)
    loaded = PredictionBook.load(file)
    assert set(loaded.records) == {(), (0, 1)}
    pairs = Pairs(QUERY, SOURCE, [0, 0, 2, 1], [0, 1, 0, 0])
    one, two = (own.without((0, 1)).probabilities(pairs) for own in (book, loaded))
    np.testing.assert_allclose(one, two, atol=1e-3)


@pytest.mark.parametrize("missing", ["query", "source", "left_out", "key_1", "chances_0"])
def test_incomplete_files_are_refused(book, tmp_path, missing):
    file = tmp_path / "predictions.npz"
    book.save(file)
    arrays = load_arrays(file)
    del arrays[missing]
    save_arrays(file, arrays)
    with pytest.raises(MalformedInputError, match="not a file of predictions"):
        PredictionBook.load(file)


def test_predictions_of_the_wrong_shape_are_refused(book, tmp_path):
    file = tmp_path / "predictions.npz"
    book.save(file)
    arrays = load_arrays(file)
    save_arrays(file, {**arrays, "chances_1": arrays["chances_1"][1:]})
    with pytest.raises(MalformedInputError, match="not a file of predictions"):
        PredictionBook.load(file)


def test_parameters_identify_the_predictions(book):
    told = book.without((0, 1)).parameters()
    assert json.loads(json.dumps(told)) == told
    assert told != book.without(()).parameters()


def test_wanted_pairs_are_collected():
    wanted = WantedPredictions()
    for _ in range(2):  # asked twice, noted once
        found = wanted.without((3, 1)).probabilities(Pairs(QUERY, SOURCE, [0, 2], [1, 0]))
        assert found.tolist() == [pytest.approx([1 / 3] * 3)] * 2
    wanted.without([2])
    assert wanted.pairs == {(1, 3): {("q0", "s1"), ("q2", "s0")}, (2,): set()}


def test_each_cross_encoder_leaves_out_at_most_two_folds():
    assert len(left_out_sets(range(5))) == 16
    assert left_out_sets([4, 2]) == [(), (2,), (4,), (2, 4)]
