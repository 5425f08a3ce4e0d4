"""Weights taken back from an int8 network are those it was written from, but for rounding."""

import numpy as np
import pytest

from locisimiles.errors import InputError, MalformedInputError
from locisimiles.models.onnx_encoder import OnnxEncoder
from locisimiles.progress import silent
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


@pytest.mark.train
def test_the_shipped_network_is_recovered_as_it_is(tmp_path):
    torch = pytest.importorskip("torch")
    from locisimiles.train.encoder.folder import read_vocabulary
    from locisimiles.train.late.pieces import PieceTable
    from locisimiles.train.late.tuning import piece_vectors
    from locisimiles.train.late.variants import Variant, VariantRunner

    folder = OnnxEncoder.shipped_path()
    texts = ["arma uirum que cano , troiae qui primus ab oris", "odi et amo"]
    shipped = OnnxEncoder(folder).encode_pieces(texts).vectors
    runner = VariantRunner(tmp_path, folder, tmp_path, device="cpu", progress=silent)
    tokenizer = read_vocabulary(folder / "tokenizer.json", runner.vocabulary)
    table = PieceTable.from_sentences(tokenizer, [text.split() for text in texts])
    batch = table.batch([0, 1], np.ones(runner.vocabulary, np.float32))
    with torch.no_grad():
        vectors, _, present = piece_vectors(runner.model(Variant("as it is")).eval(), batch, "cpu")
    ours = vectors[present].numpy()
    assert ours.shape == shipped.shape
    assert ((ours * shipped).sum(1) > 0.999).all()


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
