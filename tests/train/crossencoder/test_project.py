"""Cross-encoders are trained on a toy benchmark, fold by fold."""

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.train

from locisimiles import Document, InputError, OutputError, ParameterError, Segment  # noqa: E402
from locisimiles.benchmark.sets.dataset import Benchmark  # noqa: E402
from locisimiles.benchmark.sets.references import References  # noqa: E402
from locisimiles.classify.base import Pairs  # noqa: E402
from locisimiles.classify.cross_encoder import CrossEncoderClassifier  # noqa: E402
from locisimiles.files.arrays import load_arrays  # noqa: E402
from locisimiles.train.crossencoder import training  # noqa: E402
from locisimiles.train.crossencoder.project import train_crossencoder  # noqa: E402
from locisimiles.train.crossencoder.settings import CrossEncoderSettings  # noqa: E402

QUICK = {
    "strategy": "qry,rnd", "ratio": 3, "epochs": 2, "batch_size": 16, "at_once": 8, "rate": 1e-3,
    "head_rate": 1e-2, "budget": 24, "checkpoint_every": 5,
}  # fmt: skip


class CutError(Exception):
    """The light went out."""


def cut_at(step):
    def progress(task, done, _total):
        if "training" in task and done >= step:
            raise CutError

    return progress


@pytest.fixture(scope="module")
def benchmark():
    """Return pairs: a repeated word makes a cit., its reverse a cf."""
    rng = np.random.default_rng(5)
    words = ["".join(rng.choice(list("abcdefgh"), 4)) for _ in range(24)]
    kinds = [1 + row % 2 for row in range(24)]
    sources = [word if kind == 1 else word[::-1] for word, kind in zip(words, kinds, strict=True)]
    return Benchmark(
        Document.from_segments(Segment(f"q{row}", word) for row, word in enumerate(words)),
        Document.from_segments(Segment(f"s{row}", word) for row, word in enumerate(sources)),
        References.from_columns(
            range(24), range(24), label=kinds, fold=[row // 2 % 2 for row in range(24)]
        ),
    )


@pytest.fixture(params=["transformer", "ours"])
def base(request, tiny_encoder, tiny_pretrained):
    return tiny_encoder if request.param == "transformer" else tiny_pretrained


def probabilities(folder, benchmark):
    rows = np.arange(len(benchmark.query))
    classifier = CrossEncoderClassifier(folder, device="cpu")
    return classifier.probabilities(Pairs(benchmark.query, benchmark.source, rows, rows))


def test_models_are_trained_and_used(base, benchmark, tmp_path):
    settings = CrossEncoderSettings(**{**QUICK, "epochs": 40, "rate": 3e-3, "mix": "even"})
    (trained,) = train_crossencoder(base, benchmark, tmp_path / "out", settings, folds=())
    assert (trained.fold, trained.model) == (None, tmp_path / "out" / "all" / "model")
    found = probabilities(trained.model, benchmark)[:, 1:].sum(axis=1)
    rows = np.arange(24)
    moved = Pairs(benchmark.query, benchmark.source, rows, np.roll(rows, 5))
    others = CrossEncoderClassifier(trained.model, device="cpu").probabilities(moved)
    assert found.mean() > others[:, 1:].sum(axis=1).mean() + 0.1
    training_log = json.loads((tmp_path / "out" / "all" / "training.json").read_text())
    assert training_log["settings"]["mix"] == "even"
    assert training_log["pairs"] == 24 * 4
    assert training_log["loss"][0] > training_log["loss"][-1]


def test_an_interrupted_training_resumes_and_ends_the_same(base, benchmark, tmp_path, monkeypatch):
    monkeypatch.setattr(training, "_REPORT_EVERY", 1)
    settings = CrossEncoderSettings(**{**QUICK, "epochs": 3})
    whole = train_crossencoder(base, benchmark, tmp_path / "whole", settings, folds=[1])
    with pytest.raises(CutError):
        train_crossencoder(
            base, benchmark, tmp_path / "cut", settings, folds=[1], progress=cut_at(7)
        )
    assert (tmp_path / "cut" / "fold-1" / "checkpoints" / "step-00000005").is_dir()
    parts = train_crossencoder(base, benchmark, tmp_path / "cut", settings, folds=[1], resume=True)
    one, two = (probabilities(found[0].model, benchmark) for found in (whole, parts))
    np.testing.assert_allclose(one, two, atol=1e-5)
    assert not (tmp_path / "cut" / "fold-1" / "checkpoints").exists()


def test_the_queries_of_the_held_out_fold_are_never_seen(tiny_pretrained, benchmark, tmp_path):
    settings = CrossEncoderSettings(**{**QUICK, "strategy": "qry,mix", "hard_depth": 6})
    trained = train_crossencoder(tiny_pretrained, benchmark, tmp_path, settings)
    assert [model.fold for model in trained] == [0, 1]
    for fold in (0, 1):
        pairs = load_arrays(tmp_path / f"fold-{fold}" / "pairs.npz")
        held_out = benchmark.references.query[benchmark.references.fold == fold]
        assert not set(pairs["query"].tolist()) & set(held_out.tolist())
        assert np.bincount(pairs["label"]).tolist() == [36, 6, 6]


def test_a_folder_in_use_and_different_settings_are_refused(tiny_pretrained, benchmark, tmp_path):
    settings = CrossEncoderSettings(**QUICK)
    train_crossencoder(tiny_pretrained, benchmark, tmp_path, settings, folds=[0])
    with pytest.raises(OutputError, match="is not empty"):
        train_crossencoder(tiny_pretrained, benchmark, tmp_path, settings, folds=[0])
    other = CrossEncoderSettings(**{**QUICK, "ratio": 2})
    with pytest.raises(InputError, match=r"different settings \(settings\)"):
        train_crossencoder(tiny_pretrained, benchmark, tmp_path, other, folds=[0], resume=True)
    with pytest.raises(ParameterError, match="no fold 7"):
        train_crossencoder(tiny_pretrained, benchmark, tmp_path, settings, folds=[7], resume=True)
