"""Cross-encoders say how likely each class of a pair is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from locisimiles import Document, Segment
from locisimiles.classify.base import Pairs
from locisimiles.classify.cross_encoder import CrossEncoderClassifier
from locisimiles.classify.logistic import softmax
from locisimiles.errors import InputError, ParameterError
from locisimiles.models.onnx_cross_encoder import OnnxCrossEncoder

QUERY = Document.from_segments([Segment("q", "vox haesit"), Segment("r", "arma cano")])
SOURCE = Document.from_segments([Segment("s", "uox faucibus haesit"), Segment("t", "nosce te")])
PAIRS = Pairs(QUERY, SOURCE, [0, 0, 1], [0, 1, 1])


def test_an_onnx_folder_gives_probabilities(tiny_cross):
    classifier = CrossEncoderClassifier(tiny_cross)
    found = classifier.probabilities(PAIRS)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-6)
    rows = PAIRS.query_rows, PAIRS.source_rows
    logits = OnnxCrossEncoder(tiny_cross).logits(QUERY.texts, SOURCE.texts, *rows)
    np.testing.assert_allclose(
        np.log(found[:, 1] / found[:, 0]), logits[:, 1] - logits[:, 0], atol=1e-5
    )


def test_parameters_say_which_model_it_is(tiny_cross):
    told = CrossEncoderClassifier(tiny_cross).parameters()
    assert told["classifier"] == "cross-encoder"
    assert told["model"] == "tiny_cross"
    assert len(told["model_sha256"]) == 64


def test_no_pairs_have_no_probabilities(tiny_cross):
    nothing = Pairs(QUERY, SOURCE, [], [])
    found = CrossEncoderClassifier(tiny_cross).probabilities(nothing)
    assert found.shape == (0, 3)


def test_a_missing_shipped_model_is_an_error(monkeypatch, tmp_path):
    monkeypatch.setattr("locisimiles.models.onnx_model.__file__", str(tmp_path / "m.py"))
    with pytest.raises(InputError, match="'latin' does not come with this version"):
        CrossEncoderClassifier()


def test_a_shipped_model_is_used_by_its_name(monkeypatch, tmp_path, tiny_cross):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "crossencoder").symlink_to(tiny_cross)
    monkeypatch.setattr("locisimiles.models.onnx_model.__file__", str(tmp_path / "m.py"))
    assert CrossEncoderClassifier().parameters()["model"] == "latin"


@pytest.mark.parametrize("option", [{"revision": "main"}, {"device": "cuda"}])
def test_onnx_models_take_no_revision_or_device(tiny_cross, option):
    with pytest.raises(ParameterError, match="cannot be chosen"):
        CrossEncoderClassifier(tiny_cross, **option)


@given(arrays.arrays(np.float32, (4, 3), elements=st.floats(-80, 80, width=32)))
def test_softmax_adds_up_to_one_and_keeps_the_order(logits):
    found = softmax(logits)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-5)
    shifted = softmax(logits + 1)
    np.testing.assert_allclose(found, shifted, atol=1e-4)
    top = found.max(axis=1)
    np.testing.assert_array_equal(found[np.arange(4), logits.argmax(axis=1)], top)
