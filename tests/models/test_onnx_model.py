"""Folders with an encoder of ours, and what may be wrong with them."""

import hashlib
import json
import os
import shutil
import subprocess
import sys

import pytest

from locisimiles import InputError, MissingDependencyError, ParameterError
from locisimiles.models.loading import choose_encoder, choose_piecewise_encoder
from locisimiles.models.onnx_encoder import OnnxEncoder

FILES = ["encoder.onnx", "tokenizer.json", "encoder.json"]
CONTENTS = {
    "empty": b"",
    "text": b"arma uirumque cano",
    "null bytes": bytes(1000),
    "not UTF-8": b"\xff\xfe\xfa",
    "a list": b"[1, 2]",
    "an object": b"{}",
    "deep": b"[" * 100_000,
}


@pytest.fixture
def copy(tiny_latin, tmp_path):
    return shutil.copytree(tiny_latin, tmp_path / "copy")


def change(folder, **entries):
    path = folder / "encoder.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **entries}))


def replace(folder, name, content):
    """Put another file in the place of one, with a checksum that is right."""
    (folder / name).write_bytes(content)
    key = {"encoder.onnx": "encoder_sha256", "tokenizer.json": "tokenizer_sha256"}[name]
    change(folder, **{key: hashlib.sha256(content).hexdigest()})


def use(folder):
    return OnnxEncoder(folder).encode_pieces(["uox"])


def test_the_folder_that_is_changed_below_is_sound(copy):
    assert use(copy).vectors.shape == (1, 8)
    found = OnnxEncoder(copy)
    sizes = found.vocabulary, found.dimensions, found.piece_dimensions, found.longest
    assert sizes == (75, 16, 8, 24)


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_reported_with_advice(copy, name):
    (copy / name).unlink()
    with pytest.raises(InputError, match=rf"{name} is missing.*export the model again"):
        use(copy)


def test_a_missing_folder_is_reported(tmp_path):
    for choose in (OnnxEncoder, choose_piecewise_encoder):
        with pytest.raises(InputError, match=r"there is no folder .*none"):
            choose(tmp_path / "none")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS.keys())
def test_a_damaged_file_is_reported(copy, name, content):
    (copy / name).write_bytes(content)
    with pytest.raises(InputError, match=rf"{name}: .*again") as caught:
        use(copy)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["encoder.onnx", "tokenizer.json"])
@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS.keys())
def test_a_foreign_file_with_the_right_checksum_is_reported(copy, name, content, capfd):
    replace(copy, name, content)
    with pytest.raises(InputError, match=rf"{name}: .*again"):
        use(copy)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("end", [10, 1000, 15_000, -1])
def test_a_truncated_network_is_reported(copy, end):
    replace(copy, "encoder.onnx", (copy / "encoder.onnx").read_bytes()[:end])
    with pytest.raises(InputError, match=r"encoder\.onnx: "):
        use(copy)


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        ({"format": 2}, "unknown format 2; update locisimiles"),
        ({"format": None}, "format None"),
        ({"dimensions": 0}, "dimensions is 0"),
        ({"dimensions": "8"}, "dimensions is '8'"),
        ({"longest": -1}, "longest is -1"),
        ({"longest": True}, "longest is True"),
        ({"longest": 10**9}, "longest is 1000000000"),
        ({"network": None}, "vocabulary is None"),
        ({"network": {"vocabulary": 75}}, "width is None"),
        ({"dimensions": 9}, "inputs and outputs given in its settings"),
        ({"encoder_sha256": "0"}, "does not match the checksum in the model's settings"),
        ({"tokenizer_sha256": None}, "does not match the checksum in the model's settings"),
        ({"network": {"vocabulary": 70, "width": 16}}, "belongs to another network"),
    ],
)
def test_wrong_settings_are_reported(copy, entries, problem):
    change(copy, **entries)
    with pytest.raises(InputError, match=problem):
        use(copy)


def test_settings_that_promise_too_much_are_reported_on_use(copy):
    change(copy, longest=400)
    with pytest.raises(InputError, match=r"encoder\.onnx: the file cannot be used") as caught:
        OnnxEncoder(copy).encode_pieces(["uox faucibus haesit " * 20])
    assert "\n" not in str(caught.value)


def test_a_vocabulary_without_special_pieces_is_reported(copy):
    content = json.loads((copy / "tokenizer.json").read_text())
    content["added_tokens"] = []
    content["model"]["vocab"] = {"[UNK]": 1, "uox": 2}
    replace(copy, "tokenizer.json", json.dumps(content).encode())
    with pytest.raises(InputError, match="belongs to another network"):
        use(copy)


@pytest.mark.parametrize("library", ["onnxruntime", "tokenizers"])
def test_a_missing_library_is_reported(copy, monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingDependencyError, match=f"{library} is not installed"):
        use(copy)


def test_a_model_that_changed_is_opened_again(copy):
    first = choose_encoder(copy)
    assert choose_encoder(copy) is first
    change(copy, trained={"on": "more"})
    assert choose_encoder(copy) is not first


@pytest.mark.parametrize(
    "option",
    [
        {"revision": "main"},
        {"pooling": "cls"},
        {"prompts": "e5"},
        {"max_length": 10},
        {"layers": (-2,)},
        {"device": "cuda"},
    ],
)
def test_options_it_does_not_have_are_refused(copy, option):
    with pytest.raises(ParameterError, match=f"{next(iter(option))} cannot be set"):
        choose_encoder(copy, **option)
    choose_encoder(copy, pooling="mean", prompts="none", device="cpu")


def test_a_package_without_its_encoder_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr("locisimiles.models.onnx_model.__file__", str(tmp_path / "module.py"))
    for choose in (choose_encoder, choose_piecewise_encoder):
        with pytest.raises(InputError, match=r"'latin' does not come with this version.*--model"):
            choose("latin")


def test_the_encoder_of_the_package_is_called_latin(monkeypatch, tmp_path, tiny_latin):
    monkeypatch.setattr("locisimiles.models.onnx_model.__file__", str(tmp_path / "module.py"))
    folder = shutil.copytree(tiny_latin, tmp_path / "data" / "encoder")
    assert OnnxEncoder.shipped_path() == folder
    assert choose_encoder("latin").path == folder
    assert choose_piecewise_encoder("latin").describe()["model"] == "latin"


def test_onnxruntime_leaves_nothing_in_the_users_folder(tiny_latin, tmp_path):
    code = (
        "from locisimiles.models.onnx_encoder import OnnxEncoder\n"
        f"OnnxEncoder({str(tiny_latin)!r}).encode_pieces(['uox'])\n"
    )
    homes = {name: str(tmp_path) for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA")}
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, **homes})
    assert list(tmp_path.rglob("*")) == []
