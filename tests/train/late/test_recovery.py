"""Weights taken back from an int8 network are those it was written from, but for rounding."""

import numpy as np
import pytest

from locisimiles.errors import InputError, MalformedInputError
from locisimiles.train.late.recovery import network_config, recover_weights


@pytest.fixture
def folder(tiny_latin, tmp_path):
    for path in tiny_latin.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


def test_sizes_are_those_of_the_settings(tiny_latin):
    config, weights = network_config(tiny_latin), recover_weights(tiny_latin)
    assert weights["encoder.pieces.weight"].shape == (config.vocabulary, config.width)
    layers = {name.split(".")[2] for name in weights if name.startswith("encoder.layers.")}
    assert len(layers) == config.layers
    assert weights["encoder.layers.0.into.weight"].shape == (2 * config.inner, config.width)


@pytest.mark.train
def test_weights_differ_by_half_a_step_at_most(tiny_latin, tiny_latin_script, tmp_path):
    pytest.importorskip("torch")
    model = tiny_latin_script.make(tmp_path)
    recovered = recover_weights(tiny_latin)
    assert list(model.state_dict()) == list(recovered)
    for name, tensor in model.state_dict().items():
        weight = tensor.numpy()
        assert recovered[name].shape == weight.shape, name
        highest = 127 if name == "encoder.pieces.weight" else 64
        step = np.abs(weight).max(axis=-1, keepdims=True) / highest
        assert (np.abs(recovered[name] - weight) <= 0.51 * step + 1e-6).all(), name


@pytest.mark.parametrize("kept", [0, 10, 5000, -1])
def test_a_damaged_network_is_refused(folder, kept):
    path = folder / "encoder.onnx"
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(MalformedInputError, match=r"encoder\.onnx"):
        recover_weights(folder)


def test_another_graph_is_refused(folder):
    # A graph (field 7) without nodes.
    (folder / "encoder.onnx").write_bytes(b"\x3a\x00")
    with pytest.raises(MalformedInputError):
        recover_weights(folder)


def test_a_folder_without_network_is_named(folder):
    (folder / "encoder.onnx").unlink()
    with pytest.raises(InputError, match=r"encoder\.onnx"):
        recover_weights(folder)
