"""Exported encoders: the same bytes each time, and the same vectors as in torch."""

import hashlib
import json
import sys

import numpy as np
import pytest

from locisimiles import InputError, MissingDependencyError, OutputError
from locisimiles.models.onnx_encoder import OnnxEncoder

pytestmark = pytest.mark.train

TEXTS = ["Arma virumque cano,", "vox faucibus haesit", "nosce te", "canis et arma et uirum que"]


@pytest.fixture(scope="module")
def exported(tiny_latin_script, tmp_path_factory):
    pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("exported")
    return tiny_latin_script.make(folder).eval(), folder


def export(model, folder, **options):
    from locisimiles.train.late.export import export_late

    export_late(model, folder / "tokenizer.json", folder, trained={"on": "nothing"}, **options)


def in_torch(model, encoder, text):
    """Return the projected vectors of the pieces of a text."""
    import torch

    pieces = encoder._tokenizer.read([text]).number.tolist()
    with torch.no_grad():
        hidden, projected = model(torch.tensor([[2, *pieces, 3]]))
    return hidden[0, 1:-1].numpy(), projected[0, 1:-1].numpy()


def test_the_tiny_encoder_is_exported_byte_by_byte(exported, tiny_latin):
    for path in sorted(tiny_latin.iterdir()):
        assert (exported[1] / path.name).read_bytes() == path.read_bytes(), path.name


def test_float32_equals_torch(exported, tmp_path):
    model, folder = exported
    (tmp_path / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())
    export(model, tmp_path, precision="float32", longest=24)
    encoder = OnnxEncoder(tmp_path, threads=1)
    for text in TEXTS:
        hidden, projected = in_torch(model, encoder, text)
        np.testing.assert_allclose(encoder.encode_tokens([text]).vectors, hidden, atol=2e-5)
        pieces = encoder._tokenizer.read([text])
        expected = projected[pieces.is_word[pieces.unit]]
        expected /= np.linalg.norm(expected, axis=1, keepdims=True)
        np.testing.assert_allclose(encoder.encode_pieces([text]).vectors, expected, atol=2e-5)


def test_int8_is_close_to_torch_and_smaller(exported, tmp_path):
    model, folder = exported
    encoder = OnnxEncoder(folder, threads=1)
    for text in TEXTS:
        hidden, _ = in_torch(model, encoder, text)
        found = encoder.encode_tokens([text]).vectors
        cosine = (found * hidden).sum(1) / np.linalg.norm(found, axis=1)
        assert (cosine / np.linalg.norm(hidden, axis=1)).min() > 0.99
    assert not np.allclose(found, hidden, atol=1e-5)
    (tmp_path / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())
    export(model, tmp_path, precision="float32")
    sizes = [(path / "encoder.onnx").stat().st_size for path in (folder, tmp_path)]
    assert sizes[0] < sizes[1]


def test_padding_does_not_change_vectors(exported):
    import torch

    model, _ = exported
    row = torch.tensor([[2, 20, 30, 3]])
    padded = torch.nn.functional.pad(row, (0, 3))
    with torch.no_grad():
        expected = model(row)
        found = model(padded, padded > 0)
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(ours[:, :4], theirs, atol=1e-5)
    assert model.head.weight.shape == (8, 16)


def test_the_settings_describe_the_files(exported):
    _, folder = exported
    settings = json.loads((folder / "encoder.json").read_text())
    written = (folder / "encoder.onnx").read_bytes()
    assert settings["encoder_sha256"] == hashlib.sha256(written).hexdigest()
    assert settings["trained"] == {"on": "nothing"}
    assert (settings["format"], settings["dimensions"], settings["longest"]) == (1, 8, 24)


def test_unreadable_and_unwritable_files_are_reported(exported, tmp_path):
    from locisimiles.train.late.export import export_late

    model, folder = exported
    with pytest.raises(InputError, match=r"none\.json: the file cannot be read"):
        export_late(model, tmp_path / "none.json", tmp_path, trained={})
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        export_late(model, folder / "tokenizer.json", tmp_path / "file", trained={})


def test_a_missing_library_is_reported(exported, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingDependencyError, match=r"onnx is not installed; .*pip install 'onnx"):
        export(exported[0], tmp_path)
