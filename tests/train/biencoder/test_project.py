"""Training a small bi-encoder on a toy benchmark."""

import itertools
import json
import random

import numpy as np
import pytest

from locisimiles import Document, InputError, OutputError, ParameterError, Segment
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.references import References
from locisimiles.models.families import PAPER_PROMPTS
from locisimiles.models.loading import load_encoder
from locisimiles.train.biencoder.project import BiEncoderSettings, train_biencoder

pytestmark = pytest.mark.train

QUERY_LETTERS, SOURCE_LETTERS = "abcdefghik", "lmnopqrstu"
QUICK = {"epochs": 15, "learning_rate": 3e-3, "ratio": 3, "hard_depth": 20, "batch_size": 16}


def toy_benchmark(count=40):
    """Return queries of two letters, and sources of the letters that these stand for."""
    pairs = random.Random(3).sample(list(itertools.combinations(range(10), 2)), count)
    queries = [f"{QUERY_LETTERS[a]} {QUERY_LETTERS[b]}" for a, b in pairs]
    sources = [f"{SOURCE_LETTERS[a]} {SOURCE_LETTERS[b]}" for a, b in pairs]
    return Benchmark(
        Document.from_segments(Segment(f"q{i}", text) for i, text in enumerate(queries)),
        Document.from_segments(Segment(f"s{i}", text) for i, text in enumerate(sources)),
        References.from_columns(
            range(count), range(count), label=[1] * count, fold=[i % 4 for i in range(count)]
        ),
    )


class CutError(Exception):
    """Interrupts a training."""


def cut_at(step):
    def progress(task, done, _total):
        if task.startswith("training") and done == step:
            raise CutError

    return progress


@pytest.fixture(scope="module")
def benchmark():
    return toy_benchmark()


@pytest.fixture(scope="module")
def trained(tiny_encoder, benchmark, tmp_path_factory):
    out = tmp_path_factory.mktemp("trained") / "out"
    settings = BiEncoderSettings(**QUICK)
    (model,) = train_biencoder(
        tiny_encoder, benchmark, out, settings, folds=[1], cache=out.with_name("cache")
    )
    return model


def test_the_loss_falls(trained):
    losses = trained.training["loss"]
    assert len(losses) == BiEncoderSettings(**QUICK).steps(120)
    assert np.mean(losses[-8:]) < 0.5 * np.mean(losses[:8])


def test_the_trained_model_retrieves_held_out_references(trained, tiny_encoder, benchmark):
    fold = benchmark.references.fold == 1
    queries = [benchmark.query.texts[i] for i in benchmark.references.query[fold]]

    def reciprocal_rank(encoder):
        scores = (
            encoder.encode(queries, "query") @ encoder.encode(benchmark.source.texts, "source").T
        )
        own = scores[np.arange(len(queries)), benchmark.references.source[fold]]
        return np.mean(1 / (scores >= own[:, None]).sum(axis=1))

    before = reciprocal_rank(load_encoder(tiny_encoder, prompts="paper"))
    after = reciprocal_rank(load_encoder(trained.model))
    assert after > 2 * before
    assert trained.training["retrieval"]["pooled MRR"] == pytest.approx(after, abs=1e-3)


def test_the_model_is_saved_with_its_prompts_and_without_pickles(trained):
    assert load_encoder(trained.model).prompts == PAPER_PROMPTS
    names = {path.name for path in trained.model.parent.rglob("*")}
    assert "model.safetensors" in names
    assert not any(name.endswith((".bin", ".pt", ".pkl", ".pth")) for name in names)
    assert "checkpoints" not in names


def test_the_manifest_records_the_training(trained, benchmark):
    training = json.loads((trained.model.parent / "training.json").read_text())
    assert training == trained.training
    assert training["fold"] == trained.fold == 1
    assert training["settings"]["learning_rate"] == 3e-3
    assert training["settings"]["prompts"] == {"query": "Query: ", "source": "Candidate: "}
    assert training["benchmark"]["query_sha256"] == benchmark.query.fingerprint()
    assert {"torch", "transformers", "numpy"} <= training["libraries"].keys()
    assert len(training["base"]["model_sha256"]) == 64
    assert training["evaluations"][-1]["step"] == len(training["loss"])


def test_the_held_out_fold_is_not_trained_on(trained, benchmark):
    held_out = benchmark.references.query[benchmark.references.fold == 1]
    with np.load(trained.model.parent / "pairs.npz") as pairs:
        assert not np.isin(pairs["query"], held_out).any()
        assert pairs["label"].sum() == 30
        assert len(pairs["label"]) == 120


def weights(folder):
    from safetensors.numpy import load_file

    return load_file(folder / "model.safetensors")


def same_weights(one, other):
    ours, theirs = weights(one), weights(other)
    return ours.keys() == theirs.keys() and all(np.array_equal(ours[k], theirs[k]) for k in ours)


SHORT = BiEncoderSettings(
    strategy="qry,rnd", ratio=1, epochs=2, batch_size=8, checkpoint_every=5, learning_rate=1e-3
)


def train_short(tiny_encoder, benchmark, out, **options):
    return train_biencoder(
        tiny_encoder, benchmark, out, SHORT, **{"folds": [0, 2], "measure": False, **options}
    )


@pytest.fixture(scope="module")
def uninterrupted(tiny_encoder, benchmark, tmp_path_factory):
    return train_short(tiny_encoder, benchmark, tmp_path_factory.mktemp("short") / "out")


@pytest.mark.parametrize("step", [3, 5, 13])
def test_an_interrupted_training_ends_with_the_same_weights(
    tiny_encoder, benchmark, uninterrupted, tmp_path, step
):
    with pytest.raises(CutError):
        train_short(tiny_encoder, benchmark, tmp_path, progress=cut_at(step))
    resumed = train_short(tiny_encoder, benchmark, tmp_path, resume=True)
    for ours, theirs in zip(resumed, uninterrupted, strict=True):
        assert same_weights(ours.model, theirs.model)
        assert ours.training["loss"] == theirs.training["loss"]


def test_a_damaged_checkpoint_falls_back_to_the_previous_one(
    tiny_encoder, benchmark, uninterrupted, tmp_path
):
    with pytest.raises(CutError):
        train_short(tiny_encoder, benchmark, tmp_path, progress=cut_at(13))
    checkpoints = sorted((tmp_path / "fold-0" / "checkpoints").iterdir())
    assert [path.name for path in checkpoints] == ["step-00000005", "step-00000010"]
    (checkpoints[1] / "model.safetensors").write_bytes(b"cut short")
    resumed = train_short(tiny_encoder, benchmark, tmp_path, resume=True)
    assert same_weights(resumed[0].model, uninterrupted[0].model)


def test_finished_folds_are_not_trained_again(tiny_encoder, benchmark, uninterrupted):
    steps = []
    again = train_short(
        tiny_encoder,
        benchmark,
        uninterrupted[0].model.parent.parent,
        resume=True,
        progress=lambda task, *_: steps.append(task),
    )
    assert steps == []
    assert again == uninterrupted
    assert not same_weights(again[0].model, again[1].model)


def test_a_run_is_not_resumed_with_different_settings(tiny_encoder, benchmark, uninterrupted):
    out = uninterrupted[0].model.parent.parent
    with pytest.raises(OutputError, match="is not empty"):
        train_short(tiny_encoder, benchmark, out)
    with pytest.raises(InputError, match=r"different settings \(settings\)"):
        train_biencoder(tiny_encoder, benchmark, out, BiEncoderSettings(), resume=True)
    with pytest.raises(InputError, match=r"different settings \(benchmark\)"):
        train_short(tiny_encoder, toy_benchmark(20), out, folds=[0], resume=True)


def test_a_folder_without_a_run_is_left_alone(tiny_encoder, benchmark, tmp_path):
    (tmp_path / "thesis.txt").write_text("all my work")
    with pytest.raises(InputError, match=r"run\.json: there is no run to resume"):
        train_short(tiny_encoder, benchmark, tmp_path, resume=True)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_without_folds_one_model_is_trained_on_everything(tiny_encoder, benchmark, tmp_path):
    (model,) = train_biencoder(
        tiny_encoder, benchmark, tmp_path, BiEncoderSettings(epochs=1, strategy="rnd,rnd"), folds=()
    )
    assert (model.fold, model.model) == (None, tmp_path / "all" / "model")
    with np.load(tmp_path / "all" / "pairs.npz") as pairs:
        assert pairs["label"].sum() == len(benchmark.references)
    assert "retrieval" not in model.training


@pytest.mark.parametrize("folds", [[9], [0, 9]])
def test_unknown_folds_are_reported(tiny_encoder, benchmark, tmp_path, folds):
    with pytest.raises(ParameterError, match="no fold 9; its folds: 0, 1, 2, 3"):
        train_biencoder(tiny_encoder, benchmark, tmp_path, folds=folds)
