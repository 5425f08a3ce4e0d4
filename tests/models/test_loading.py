"""Loading encoders, and what can go wrong."""

import json
import shutil
import sys

import pytest

from locisimiles import InputError, MissingDependencyError, ParameterError
from locisimiles.models.loading import choose_encoder, load_encoder


@pytest.fixture
def copy(tiny_encoder, tmp_path):
    return shutil.copytree(tiny_encoder, tmp_path / "copy")


def change(folder, **entries):
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **entries}))


@pytest.mark.parametrize("library", ["torch", "transformers"])
@pytest.mark.parametrize("load", [load_encoder, choose_encoder])
def test_a_missing_library_is_reported(monkeypatch, library, load, tmp_path):
    for name in ("torch", "transformers", "safetensors"):
        monkeypatch.setitem(sys.modules, name, sys.modules.get(name, sys))
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(
        MissingDependencyError, match=rf"{library} is not installed; .*pip install .*'transformers"
    ):
        load(tmp_path)


@pytest.mark.parametrize(
    "wrong",
    [{"pooling": "max"}, {"prompts": "mine"}, {"max_length": 0}, {"batch_size": 0}],
)
def test_invalid_options_are_refused(wrong, tmp_path):
    with pytest.raises(ParameterError):
        load_encoder(tmp_path, **wrong)


def test_an_encoder_is_returned_unchanged():
    encoder = object()
    assert choose_encoder(encoder) is encoder


@pytest.mark.train
def test_a_model_is_loaded_once_until_it_changes(copy):
    first = choose_encoder(copy)
    assert choose_encoder(str(copy)) is first
    assert choose_encoder(copy, pooling="cls") is not first
    change(copy, hidden_dropout_prob=0.3)
    assert choose_encoder(copy) is not first


@pytest.mark.train
@pytest.mark.parametrize("layers", [(), (3,), (-4,)])
def test_unknown_layers_are_refused(tiny_encoder, layers):
    with pytest.raises(ParameterError, match="the model has 2 layers"):
        load_encoder(tiny_encoder, layers=layers)


@pytest.mark.train
def test_an_unknown_device_is_reported(tiny_encoder):
    with pytest.raises(ParameterError, match="cpu always works"):
        load_encoder(tiny_encoder, device="abacus")


@pytest.mark.train
@pytest.mark.parametrize(
    "entries",
    [
        {"model_type": "no-such-architecture"},
        {"hidden_size": 48},
        {"hidden_size": "wide"},
        {"num_attention_heads": 5},
        {"model_type": "x", "auto_map": {"AutoModel": "code.Model"}},
    ],
)
def test_a_broken_configuration_is_reported_without_a_traceback(copy, entries):
    change(copy, **entries)
    with pytest.raises(InputError, match="the model cannot be loaded") as e:
        load_encoder(copy)
    assert "\n" not in str(e.value)


@pytest.mark.train
@pytest.mark.parametrize("content", [b"", b"not tensors", b"\xff" * 100])
def test_broken_weights_are_reported(copy, content):
    (copy / "model.safetensors").write_bytes(content)
    with pytest.raises(InputError, match="the model cannot be loaded"):
        load_encoder(copy)


@pytest.mark.train
def test_missing_weights_are_refused(copy):
    from safetensors.torch import load_file, save_file

    tensors = load_file(copy / "model.safetensors")
    name = next(name for name in tensors if "layer.1.attention" in name)
    del tensors[name]
    save_file(tensors, copy / "model.safetensors", {"format": "pt"})
    with pytest.raises(InputError, match=r"lacks a weight, .*layer\.1\.attention"):
        load_encoder(copy)


@pytest.mark.train
def test_code_that_lies_beside_a_model_is_never_run(copy):
    change(copy, auto_map={"AutoModel": "code.Model"})
    (copy / "code.py").write_text("raise SystemExit('this ran')")
    assert load_encoder(copy).dimensions == 32


@pytest.mark.train
def test_a_model_without_a_tokenizer_is_reported(copy):
    for name in ("tokenizer.json", "vocab.txt", "tokenizer_config.json"):
        (copy / name).unlink(missing_ok=True)
    with pytest.raises(InputError, match="the model has no tokenizer"):
        load_encoder(copy)


@pytest.mark.train
def test_the_tokenizer_of_another_model_is_reported(copy):
    import transformers

    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(f"w{n}" for n in range(100))]
    (copy / "vocab.txt").write_text("\n".join(words))
    transformers.BertTokenizerFast(str(copy / "vocab.txt")).save_pretrained(copy)
    with pytest.raises(InputError, match="knows tokens that the model does not"):
        load_encoder(copy)


@pytest.mark.train
def test_loading_says_nothing(tiny_encoder, capfd):
    load_encoder(tiny_encoder)
    assert capfd.readouterr() == ("", "")


@pytest.mark.train
def test_a_model_of_the_hub_that_cannot_be_reached_is_reported(monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(InputError, match="cannot be fetched from the Hub"):
        load_encoder("nobody/no-such-model-at-all")
