"""A cross-encoder of ours reads pairs without torch."""

import hashlib
import json
import shutil
import sys

import numpy as np
import pytest

from locisimiles.errors import InputError, MissingDependencyError, ParameterError
from locisimiles.models.onnx_cross_encoder import OnnxCrossEncoder
from locisimiles.models.onnx_encoder import OnnxEncoder

QUERIES = ["vox faucibus haesit", "Arma virumque cano,", "nosce te", "", "uox " * 40]
SOURCES = ["arma uirum", "haesit uox", "te nosce te", "cano", "faucibus " * 30, ",;"]


def every_pair():
    query, source = np.meshgrid(np.arange(len(QUERIES)), np.arange(len(SOURCES)), indexing="ij")
    return query.ravel().astype(np.int32), source.ravel().astype(np.int32)


@pytest.fixture
def encoder(tiny_cross):
    return OnnxCrossEncoder(tiny_cross, threads=1)


@pytest.fixture
def copy(tiny_cross, tmp_path):
    return shutil.copytree(tiny_cross, tmp_path / "copy")


def test_a_pair_gets_the_same_numbers_in_any_company_and_order(encoder):
    query, source = every_pair()
    whole = encoder.logits(QUERIES, SOURCES, query, source)
    assert whole.shape == (30, 3)
    assert np.isfinite(whole).all()
    assert len(np.unique(whole.round(4), axis=0)) > 20
    order = np.random.default_rng(0).permutation(len(query))
    mixed = encoder.logits(QUERIES, SOURCES, query[order], source[order])
    np.testing.assert_array_equal(mixed, whole[order])
    for row in (0, 7, 29):
        alone = encoder.logits(
            [QUERIES[query[row]]], [SOURCES[source[row]]], np.array([0]), np.array([0])
        )
        np.testing.assert_allclose(alone[0], whole[row], atol=1e-6)


def test_several_threads_give_what_one_gives(tiny_cross, encoder):
    pairs = every_pair()
    np.testing.assert_array_equal(
        OnnxCrossEncoder(tiny_cross, threads=3).logits(QUERIES, SOURCES, *pairs),
        encoder.logits(QUERIES, SOURCES, *pairs),
    )


def test_query_and_source_are_not_the_same(encoder):
    there = encoder.logits(["arma"], ["uox haesit"], np.array([0]), np.array([0]))
    back = encoder.logits(["uox haesit"], ["arma"], np.array([0]), np.array([0]))
    assert np.abs(there - back).max() > 1e-3


def test_each_side_is_cut_off_after_half_of_the_budget(encoder):
    long, longer = "uox " * 10, "uox " * 10 + "arma"
    same = encoder.logits([long, longer], ["te"], np.array([0, 1]), np.array([0, 0]))
    np.testing.assert_array_equal(same[0], same[1])
    short = encoder.logits(
        ["uox " * 9, "uox " * 9 + "arma"], ["te"], np.arange(2), np.zeros(2, int)
    )
    assert np.abs(short[0] - short[1]).max() > 1e-3


def test_no_pairs_need_no_network(copy):
    (copy / "crossencoder.onnx").write_bytes(b"nothing")
    nothing = np.empty(0, np.int32)
    assert OnnxCrossEncoder(copy).logits(QUERIES, SOURCES, nothing, nothing).shape == (0, 3)


def test_progress_ends_where_it_should(encoder):
    seen = []
    encoder.logits(QUERIES, SOURCES, *every_pair(), progress=lambda *call: seen.append(call))
    assert seen[0][1] == 0
    assert seen[-1] == ("reading pairs", 30, 30)


@pytest.mark.parametrize(
    ("query", "source", "message"),
    [
        ([5], [0], "beyond the 5 query segments"),
        ([0], [-1], "beyond the 6 source segments"),
        ([0, 1], [0], "query and source must have equal length"),
    ],
)
def test_pairs_outside_the_texts_are_refused(encoder, query, source, message):
    with pytest.raises(ParameterError, match=message):
        encoder.logits(QUERIES, SOURCES, np.array(query), np.array(source))


def test_threads_must_be_at_least_one(tiny_cross):
    with pytest.raises(ParameterError, match=r"threads must be at least 1 \(got 0\)"):
        OnnxCrossEncoder(tiny_cross, threads=0)


@pytest.mark.parametrize("name", ["crossencoder.onnx", "crossencoder.json", "tokenizer.json"])
def test_a_missing_file_is_named(copy, name):
    (copy / name).unlink()
    with pytest.raises(InputError, match=rf"not a locisimiles model: {name} is missing"):
        OnnxCrossEncoder(copy)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, "unknown format 2"),
        ({"pooling": "max"}, "pooling or matches"),
        ({"matches": 1}, "pooling or matches"),
        ({"budget": 0}, "budget is 0"),
        ({"network": {"vocabulary": "many"}}, "vocabulary is 'many'"),
    ],
)
def test_invalid_settings_are_refused(copy, change, message):
    path = copy / "crossencoder.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(InputError, match=message):
        OnnxCrossEncoder(copy)


@pytest.mark.parametrize("name", ["crossencoder.onnx", "tokenizer.json"])
def test_changed_files_are_refused(copy, name):
    (copy / name).write_bytes((copy / name).read_bytes() + b" ")
    with pytest.raises(InputError, match=rf"{name}: the file does not match the checksum"):
        OnnxCrossEncoder(copy).logits(QUERIES, SOURCES, *every_pair())


def test_another_network_than_announced_is_refused(copy):
    path = copy / "crossencoder.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "pooling": "cls"}))
    with pytest.raises(InputError, match="cannot be used"):
        OnnxCrossEncoder(copy, threads=1).logits(QUERIES, SOURCES, *every_pair())


def test_a_missing_library_is_reported(encoder, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingDependencyError, match="onnxruntime is not installed"):
        encoder.logits(QUERIES, SOURCES, *every_pair())


def test_a_model_is_described_by_what_it_is_not_by_where_it_is(tiny_cross, copy):
    one, two = OnnxCrossEncoder(tiny_cross).describe(), OnnxCrossEncoder(copy).describe()
    assert one["model"] == "tiny_cross"
    assert one["model_sha256"] == two["model_sha256"]
    assert OnnxCrossEncoder(copy).name == "copy"


PAIR = (["vox faucibus haesit"], ["haesit uox"], np.array([0]), np.array([0]))


def change(path, **entries):
    """Change entries of a JSON file; None removes one."""
    content = {**json.loads(path.read_text()), **entries}
    path.write_text(json.dumps({name: value for name, value in content.items() if value}))


@pytest.fixture
def base(tiny_latin, tmp_path):
    return shutil.copytree(tiny_latin, tmp_path / "encoder")


@pytest.fixture
def sharing(tiny_cross, base, tmp_path):
    """Return a cross-encoder that names the encoder and has no tokenizer."""
    folder = shutil.copytree(tiny_cross, tmp_path / "cross")
    (folder / "tokenizer.json").unlink()
    sha256 = OnnxEncoder(base).sha256
    change(folder / "crossencoder.json", tokenizer_sha256=None, encoder_sha256=sha256)
    return folder


def test_it_gives_the_same_logits_as_with_a_tokenizer_of_its_own(tiny_cross, sharing, base):
    own, shared = OnnxCrossEncoder(tiny_cross), OnnxCrossEncoder(sharing, encoder=base)
    np.testing.assert_array_equal(shared.logits(*PAIR), own.logits(*PAIR))
    assert {**shared.describe(), "model": "tiny_cross"} == own.describe()


def test_another_encoder_is_an_error_that_names_both(sharing, base):
    expected, shipped = (OnnxEncoder(folder) for folder in (base, OnnxEncoder.shipped_path()))
    with pytest.raises(InputError) as caught:
        OnnxCrossEncoder(sharing)
    for part in (sharing, expected.sha256, shipped.path, shipped.sha256):
        assert str(part) in str(caught.value)


def test_an_encoder_that_has_changed_is_another_one(sharing, base):
    change(base / "encoder.json", longest=20)
    with pytest.raises(InputError, match="needs the encoder"):
        OnnxCrossEncoder(sharing, encoder=base)


def test_a_damaged_tokenizer_of_the_encoder_is_refused(sharing, base):
    (base / "tokenizer.json").write_text("{}")
    with pytest.raises(InputError, match=r"encoder.tokenizer\.json: the file does not match"):
        OnnxCrossEncoder(sharing, encoder=base).logits(*PAIR)


def test_a_tokenizer_of_its_own_comes_first(tiny_cross, tmp_path):
    folder = shutil.copytree(tiny_cross, tmp_path / "both")
    change(folder / "crossencoder.json", encoder_sha256="0" * 64)
    assert OnnxCrossEncoder(folder).tokenizer_file == folder / "tokenizer.json"


def test_the_shipped_cross_encoder_uses_the_tokenizer_of_the_shipped_encoder():
    encoder = OnnxEncoder(OnnxEncoder.shipped_path())
    cross = OnnxCrossEncoder(OnnxCrossEncoder.shipped_path())
    assert cross.tokenizer_file == encoder.path / "tokenizer.json"
    assert not (cross.path / "tokenizer.json").exists()


def test_the_hash_of_an_encoder_is_that_of_what_determines_its_vectors(base):
    before = OnnxEncoder(base)
    parts = [
        hashlib.sha256((base / name).read_bytes()).hexdigest()
        for name in ("encoder.onnx", "tokenizer.json")
    ]
    assert before.sha256 == hashlib.sha256("\n".join([*parts, "24", ""]).encode()).hexdigest()
    assert OnnxEncoder(base).sha256 == before.sha256
    moved = base.rename(base.with_name("moved"))
    change(moved / "encoder.json", trained={"on": "more"})
    assert OnnxEncoder(moved).sha256 == before.sha256
    settings = json.loads((moved / "encoder.json").read_text())
    for entry in ({"longest": 20}, {"encoder_sha256": "1"}, {"tokenizer_sha256": "1"}):
        change(moved / "encoder.json", **{**settings, **entry})
        assert OnnxEncoder(moved).sha256 != before.sha256
