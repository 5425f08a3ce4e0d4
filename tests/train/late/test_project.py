"""Late interaction is trained in a folder, in as many runs as it takes."""

import json
import shutil

import numpy as np
import pytest

from locisimiles import Document, Segment
from locisimiles.errors import (
    InputError,
    MalformedInputError,
    MissingColumnError,
    OutputError,
    ParameterError,
)
from locisimiles.models.onnx_encoder import OnnxEncoder

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.train

from locisimiles.train.encoder.folder import read_config  # noqa: E402
from locisimiles.train.encoder.weights import load_pretrained  # noqa: E402
from locisimiles.train.late import project as project_module  # noqa: E402
from locisimiles.train.late import tuning  # noqa: E402
from locisimiles.train.late.project import LateProject  # noqa: E402
from locisimiles.train.late.tuning import TuneSettings  # noqa: E402

WORDS = "arma uir cano uox fauces haereo nosco mare lex ignis gladius silua mons uentus".split()
SETTINGS = TuneSettings(steps=4, batch=8)


@pytest.fixture(scope="module")
def sources():
    texts = [" ".join([*WORDS[i:], *WORDS[:i]][:4]) for i in range(len(WORDS))]
    return Document.from_segments(Segment(str(i), text) for i, text in enumerate(texts))


@pytest.fixture(scope="module")
def context(tmp_path_factory):
    path = tmp_path_factory.mktemp("context") / "context.txt"
    path.write_text("nunc autem sic dixit ille dum ambulat in horto.\n" * 2, encoding="utf-8")
    return path


@pytest.fixture
def prepared(tmp_path, tiny_pretrained, sources, context):
    project = LateProject(tmp_path / "p")
    assert project.prepare(tiny_pretrained, sources, [context], pairs=40) == 40
    return project


@pytest.fixture
def prepare_again(tiny_pretrained, sources, context):
    def prepare(folder, encoder=tiny_pretrained, sources=sources, contexts=(context,), **options):
        return LateProject(folder).prepare(encoder, sources, contexts, **{"pairs": 40, **options})

    return prepare


def test_the_exported_model_equals_torch(prepared, tmp_path):
    found = prepared.tune(2, 8, SETTINGS)
    assert (found.queries, 0 <= found.first <= 1) == (4, True)
    prepared.export(tmp_path / "model", "float32")
    encoder = OnnxEncoder(tmp_path / "model", threads=1)
    for text in ("arma uirumque cano,", "uox faucibus haesit"):
        pieces = encoder._tokenizer.read([text])
        numbers = torch.tensor([[2, *pieces.number.tolist(), 3]])
        with torch.no_grad():
            _, projected = prepared.model()(numbers)
        expected = torch.nn.functional.normalize(projected[0, 1:-1], dim=-1).numpy()
        expected = expected[pieces.is_word[pieces.unit]]
        np.testing.assert_allclose(encoder.encode_pieces([text]).vectors, expected, atol=1e-4)
    settings = json.loads((tmp_path / "model" / "encoder.json").read_text())
    assert settings["trained"]["tuning"]["layers"] == 2
    assert settings["trained"]["pairs"]["contexts"][0]["name"] == "context.txt"
    assert settings["trained"]["held_out"]["queries"] == 4
    assert str(tmp_path) not in json.dumps(settings)


def test_finished_steps_are_not_repeated(prepared, prepare_again, monkeypatch):
    found = prepared.tune(1, 4, SETTINGS)
    files = {path: path.stat().st_mtime_ns for path in prepared.folder.glob("*.*")}
    monkeypatch.setattr(project_module, "make_rule_pairs", None)
    monkeypatch.setattr(project_module, "tune", None)
    assert prepare_again(prepared.folder) == 40
    assert LateProject(prepared.folder).tune(1, 4, SETTINGS) == found
    assert files == {path: path.stat().st_mtime_ns for path in prepared.folder.glob("*.*")}
    assert not (prepared.folder / "checkpoints").exists()


def test_an_interrupted_training_resumes(prepared, tmp_path, monkeypatch):
    monkeypatch.setattr(tuning, "_SAVE_EVERY", 2)
    monkeypatch.setattr(tuning, "_REPORT_EVERY", 1)
    shutil.copytree(prepared.folder, tmp_path / "whole")
    whole = LateProject(tmp_path / "whole")
    whole.tune(1, 4, SETTINGS)

    def interrupt(what, done, _):
        if what.startswith("tuning") and done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prepared.tune(1, 4, SETTINGS, progress=interrupt)
    assert (prepared.folder / "checkpoints").exists()
    with pytest.raises(InputError, match="no trained encoder yet"):
        prepared.model()
    LateProject(prepared.folder).tune(1, 4, SETTINGS)
    for one, other in zip(prepared.model().parameters(), whole.model().parameters(), strict=True):
        torch.testing.assert_close(one, other)


def test_preparing_is_the_same_each_time(prepared, prepare_again, tmp_path):
    prepare_again(tmp_path / "other")
    files = [folder / "pairs.npz" for folder in (prepared.folder, tmp_path / "other")]
    assert files[0].read_bytes() == files[1].read_bytes()
    prepare_again(tmp_path / "third", seed=1)
    assert (tmp_path / "third" / "pairs.npz").read_bytes() != files[0].read_bytes()


def test_different_settings_are_refused(prepared, prepare_again, sources):
    for changes in ({"seed": 2}, {"pairs": 50}, {"contexts": ()}, {"sources": sources[:5]}):
        with pytest.raises(InputError, match=f"different settings .{next(iter(changes))}"):
            prepare_again(prepared.folder, **changes)
    prepared.tune(1, 4, SETTINGS)
    with pytest.raises(InputError, match=r"different settings \(layers\)"):
        prepared.tune(2, 4, SETTINGS)
    with pytest.raises(InputError, match=r"different settings \(settings\)"):
        prepared.tune(1, 4, TuneSettings(steps=5, batch=8))


def test_settings_may_change_until_a_step_starts(tmp_path, prepare_again, prepared):
    (tmp_path / "w.tsv").write_text("no wordnet")
    with pytest.raises(MissingColumnError, match="no column"):
        prepare_again(tmp_path / "q", synonyms=tmp_path / "w.tsv")
    assert prepare_again(tmp_path / "q") == 40
    with pytest.raises(ZeroDivisionError):
        prepared.tune(2, 4, SETTINGS, progress=lambda *_: 1 // 0)
    assert prepared.tune(1, 4, SETTINGS).queries == 4


def test_a_damaged_result_is_reported(prepared):
    prepared.tune(1, 4, SETTINGS)
    path = prepared.folder / "config.json"
    content = json.loads(path.read_text())
    for damaged in ({**content, "held_out": None}, {**content, "dimensions": "x"}, []):
        path.write_text(json.dumps(damaged))
        with pytest.raises(MalformedInputError, match="not the result of a training"):
            prepared.tune(1, 4, SETTINGS)


def test_more_layers_or_dimensions_than_the_encoder_has_are_refused(prepared):
    with pytest.raises(ParameterError, match=r"layers must be between 1 and 2 \(got 3\)"):
        prepared.tune(3, 4, SETTINGS)
    with pytest.raises(ParameterError, match=r"dimensions must be between 1 and 16 \(got 17\)"):
        prepared.tune(1, 17, SETTINGS)


def test_the_last_norm_is_reset_only_if_layers_are_left_out(tiny_pretrained):
    whole, cut = load_pretrained(tiny_pretrained), load_pretrained(tiny_pretrained, 1)
    assert len(cut.layers) == cut.config.layers == 1
    torch.testing.assert_close(cut.last.weight.detach(), torch.ones(16))
    torch.testing.assert_close(whole.last.weight.detach(), torch.full((16,), 1.5))
    torch.testing.assert_close(cut.layers[0].into.weight, whole.layers[0].into.weight)


def test_without_sources_there_is_nothing_to_allude_to(tmp_path, prepare_again):
    with pytest.raises(ParameterError, match="two content words"):
        prepare_again(tmp_path / "p", sources=Document.from_segments([]))
    with pytest.raises(ParameterError, match=r"pairs must be at least 10 \(got 3\)"):
        prepare_again(tmp_path / "p", pairs=3)


def test_nothing_is_tuned_before_it_is_prepared(tmp_path):
    with pytest.raises(InputError, match="no synthetic pairs yet"):
        LateProject(tmp_path).tune()
    with pytest.raises(InputError, match="no trained encoder yet"):
        LateProject(tmp_path).export(tmp_path / "model")


@pytest.mark.parametrize("name", ["encoder.safetensors", "config.json", "tokenizer.json"])
def test_missing_files_of_the_encoder_are_reported(name, tiny_pretrained, tmp_path, prepare_again):
    shutil.copytree(tiny_pretrained, tmp_path / "encoder")
    (tmp_path / "encoder" / name).unlink()
    with pytest.raises(InputError, match=name):
        prepare_again(tmp_path / "p", encoder=tmp_path / "encoder")


def changed(folder, copy, **changes):
    shutil.copytree(folder, copy)
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps({**config, **changes}))
    return copy


def test_a_vocabulary_of_another_network_is_refused(tiny_pretrained, tmp_path, prepare_again):
    encoder = changed(tiny_pretrained, tmp_path / "encoder", vocabulary=60)
    with pytest.raises(InputError, match="another network"):
        prepare_again(tmp_path / "p", encoder=encoder)


def test_weights_of_another_network_are_refused(tiny_pretrained, tmp_path):
    with pytest.raises(InputError, match="belong to another network"):
        load_pretrained(changed(tiny_pretrained, tmp_path / "a", width=8))
    with pytest.raises(InputError, match="belong to another network"):
        load_pretrained(changed(tiny_pretrained, tmp_path / "b", layers=3))
    (tmp_path / "b" / "encoder.safetensors").write_bytes(b"nothing")
    with pytest.raises(InputError, match="damaged"):
        load_pretrained(tmp_path / "b")


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"vocabulary": -1}', '{"vocabulary": "x"}'])
def test_an_invalid_config_is_reported(content, tmp_path):
    (tmp_path / "config.json").write_text(content)
    with pytest.raises(MalformedInputError):
        read_config(tmp_path / "config.json")


def test_missing_contexts_and_synonyms_are_reported(tmp_path, prepare_again):
    with pytest.raises(InputError, match=r"none\.txt"):
        prepare_again(tmp_path / "p", contexts=[tmp_path / "none.txt"])
    with pytest.raises(InputError, match=r"none\.tsv"):
        prepare_again(tmp_path / "p", synonyms=tmp_path / "none.tsv")


def test_a_folder_that_cannot_be_created_is_reported(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        LateProject(tmp_path / "file")
