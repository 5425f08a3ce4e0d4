"""The files of an encoder."""

import json
import sys
from types import SimpleNamespace

import pytest

from locisimiles import InputError, MissingDependencyError
from locisimiles.errors import UnsafeInputError
from locisimiles.models.checkpoints import find_checkpoint, write_sentence_config
from locisimiles.models.families import NO_PROMPTS, PAPER_PROMPTS, Prompts


@pytest.fixture
def plain(tmp_path):
    """Return a folder that looks like a plain model."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "bert"}')
    (folder / "model.safetensors").write_bytes(b"numbers")
    return folder


def write(folder, name, content):
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(content), encoding="utf-8")


def module(kind, path=""):
    return {"type": f"sentence_transformers.models.{kind}", "path": path}


def test_a_plain_model_says_nothing_of_how_it_is_used(plain):
    found = find_checkpoint(plain)
    assert (found.folder, found.weights) == (plain, plain)
    assert (found.pooling, found.prompts, found.max_length) == (None, NO_PROMPTS, None)


def test_what_is_written_beside_a_model_is_read_again(plain):
    write_sentence_config(plain, pooling="cls", prompts=PAPER_PROMPTS, dimensions=8, max_length=77)
    found = find_checkpoint(str(plain))
    assert (found.pooling, found.prompts, found.max_length) == ("cls", PAPER_PROMPTS, 77)


def test_a_sentence_transformers_model_may_keep_its_weights_in_a_folder(plain):
    inner = plain / "0_Transformer"
    inner.mkdir()
    for name in ("config.json", "model.safetensors"):
        (plain / name).rename(inner / name)
    write(plain, "modules.json", [module("Transformer", "0_Transformer"), module("Pooling", "1_P")])
    write(plain, "1_P/config.json", {"pooling_mode_mean_tokens": True, "pooling_mode_cls": False})
    write(inner, "sentence_bert_config.json", {"max_seq_length": 33})
    found = find_checkpoint(plain)
    assert (found.weights, found.pooling, found.max_length) == (inner, "mean", 33)


@pytest.mark.parametrize(
    ("config", "pooling"),
    [
        ({"pooling_mode": "mean"}, "mean"),
        ({"pooling_mode": "cls"}, "cls"),
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, "cls"),
    ],
)
def test_older_and_newer_poolings_are_understood(plain, config, pooling):
    write(plain, "modules.json", [module("Transformer"), module("Pooling", "1_Pooling")])
    write(plain, "1_Pooling/config.json", {"word_embedding_dimension": 8, **config})
    assert find_checkpoint(plain).pooling == pooling


@pytest.mark.parametrize(
    "config",
    [
        {"pooling_mode_max_tokens": True},
        {"pooling_mode": "lasttoken"},
        {"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": True},
        {},
    ],
)
def test_other_poolings_are_refused_by_name(plain, config):
    write(plain, "modules.json", [module("Transformer"), module("Pooling", "1_Pooling")])
    write(plain, "1_Pooling/config.json", config)
    with pytest.raises(InputError, match="not supported; use a model that pools by mean or cls"):
        find_checkpoint(plain)


def test_prompts_may_have_older_names(plain):
    write(
        plain,
        "config_sentence_transformers.json",
        {"prompts": {"query": "q: ", "passage": "p: ", "document": ""}},
    )
    assert find_checkpoint(plain).prompts == Prompts("q: ", "p: ")


def test_empty_prompts_leave_those_of_the_family(plain):
    folder = plain.rename(plain.with_name("multilingual-e5-small"))
    write(folder, "config_sentence_transformers.json", {"prompts": {"query": "", "document": ""}})
    assert find_checkpoint(folder).prompts == Prompts("query: ", "passage: ")
    assert find_checkpoint(folder).pooling == "mean"


@pytest.mark.parametrize("path", ["../elsewhere", "/etc", "a/../../b", "..\\b"])
def test_modules_outside_the_model_are_refused(plain, path):
    write(plain, "modules.json", [module("Transformer", path)])
    with pytest.raises(UnsafeInputError, match="is outside the model's folder"):
        find_checkpoint(plain)


def test_modules_we_do_not_know_are_refused_by_name(plain):
    write(plain, "modules.json", [module("Transformer"), module("Dense", "2_Dense")])
    with pytest.raises(InputError, match="a module of the kind 'Dense', which is not supported"):
        find_checkpoint(plain)


@pytest.mark.parametrize("name", ["config.json", "modules.json"])
@pytest.mark.parametrize("content", ["{", "3", "\x00", "[" * 100_000])
def test_a_broken_configuration_is_reported_with_its_file(plain, name, content):
    (plain / name).write_text(content)
    with pytest.raises(InputError, match=name):
        find_checkpoint(plain)


def test_weights_that_may_run_code_are_refused(plain):
    (plain / "model.safetensors").rename(plain / "pytorch_model.bin")
    with pytest.raises(InputError, match=r"only pytorch_model\.bin, which may run code"):
        find_checkpoint(plain)


def test_a_folder_without_a_model_is_reported(tmp_path):
    with pytest.raises(InputError, match=r"there is no model here: config\.json is missing"):
        find_checkpoint(tmp_path)


@pytest.mark.parametrize("name", ["./nowhere", "/nowhere/at/all", "~/nowhere", "a/b/c", "a\\b", ""])
def test_what_can_only_be_a_folder_is_not_looked_for_on_the_hub(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(InputError, match="there is no"):
        find_checkpoint(name)


def test_a_fingerprint_tells_contents_apart(plain):
    before = find_checkpoint(plain).fingerprint()
    assert find_checkpoint(plain).fingerprint() == before
    (plain / "model.safetensors").write_bytes(b"numberz")
    assert find_checkpoint(plain).fingerprint() != before


def test_a_fingerprint_does_not_depend_on_the_place(plain):
    before = find_checkpoint(plain).fingerprint()
    assert find_checkpoint(plain.rename(plain.with_name("other"))).fingerprint() == before


def pretend_hub(monkeypatch, answer):
    calls = []

    def snapshot_download(name, **options):
        calls.append((name, options))
        if isinstance(answer, Exception):
            raise answer
        return str(answer)

    hub = SimpleNamespace(snapshot_download=snapshot_download)
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    return calls


def test_a_model_of_the_hub_is_fetched_at_its_revision_without_code(monkeypatch, plain):
    calls = pretend_hub(monkeypatch, plain)
    found = find_checkpoint("e5-base", revision="abc123")
    ((name, options),) = calls
    assert name == "intfloat/multilingual-e5-base"
    assert options["revision"] == "abc123"
    assert not any("py" in pattern or "bin" in pattern for pattern in options["allow_patterns"])
    assert (found.pooling, found.prompts) == ("mean", Prompts("query: ", "passage: "))
    assert (found.name, found.revision) == (name, "abc123")


@pytest.mark.parametrize(
    "error", [OSError("no such model\nmore"), ValueError("bad name"), OSError()]
)
def test_a_model_that_cannot_be_fetched_is_reported_in_one_line(monkeypatch, error):
    pretend_hub(monkeypatch, error)
    with pytest.raises(InputError, match="'me/mine@v1' is not a folder and cannot be fetched") as e:
        find_checkpoint("me/mine", revision="v1")
    assert "\n" not in str(e.value)


def test_our_own_mistakes_are_not_hidden(monkeypatch):
    pretend_hub(monkeypatch, ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        find_checkpoint("me/mine")


def test_the_hub_needs_its_library(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingDependencyError, match="pip install 'huggingface-hub"):
        find_checkpoint("me/mine")
