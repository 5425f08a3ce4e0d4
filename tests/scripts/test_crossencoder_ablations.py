"""The script that compares trainings of cross-encoders, with tiny encoders."""

import json
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.train

import crossencoder_ablations as module  # noqa: E402
import harness  # noqa: E402
from locisimiles import Document, Segment  # noqa: E402
from locisimiles.benchmark.sets.dataset import Benchmark  # noqa: E402
from locisimiles.benchmark.sets.references import References  # noqa: E402
from locisimiles.files.arrays import load_arrays  # noqa: E402


@pytest.fixture
def script(monkeypatch, tmp_path):
    """Return a function that runs the script and returns the results it writes."""
    usual = {module.USUAL: module.DRAWN[module.USUAL]}
    monkeypatch.setattr(harness, "RESULTS", tmp_path)
    monkeypatch.setattr(module, "DRAWN", usual)
    monkeypatch.setattr(module, "TRAINED", {"seed 43": {"seed": 43}})

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["script", *map(str, arguments)])
        module.main()
        if arguments[0] != "report":
            return None
        written = json.loads((tmp_path / "crossencoder_ablations.json").read_text())
        return written["folds"], written["average precision (any, cit, cf)"]

    return run


@pytest.fixture
def small_set(tmp_path):
    drawn = ("".join(np.random.default_rng(row).choice(list("abcdefgh"), 4)) for row in range(24))
    words = [f"{word} arma" for word in drawn]  # so that BM25 finds others too
    benchmark = Benchmark(
        Document.from_segments(Segment(f"q{row}", word) for row, word in enumerate(words)),
        Document.from_segments(Segment(f"s{row}", word) for row, word in enumerate(words)),
        References.from_columns(range(24), range(24), label=[1, 2] * 12, fold=[0, 0, 1, 1] * 6),
        name="small",
    )
    benchmark.save(tmp_path / "set")
    return tmp_path / "set"


def test_settings_and_bases_are_compared(
    script, small_set, tiny_pretrained, tiny_encoder, tmp_path
):
    jobs, elsewhere = tmp_path / "jobs", tmp_path / "elsewhere"
    layers = ("--layers", 1, "--folds", 0)
    script("prepare", small_set, tiny_pretrained, jobs, *layers)
    script("prepare", small_set, tiny_pretrained, jobs, *layers, "--base", "same")
    script("prepare", small_set, tiny_pretrained, jobs, *layers, "--base", "new", "--untrained")
    script("run", jobs)
    script("bases", small_set, elsewhere, tiny_pretrained, tiny_encoder, *layers, "--device", "cpu")

    logits = {key: value for out in (jobs, elsewhere) for key, value in load(out).items()}
    ours = f"base {tiny_pretrained.name}|0"
    usual = "the paper's settings|0"
    assert set(logits) == {
        usual, "seed 43|0", "base same|0", "base new|0", ours, f"base {tiny_encoder}|0",
    }  # fmt: skip
    np.testing.assert_array_equal(logits[usual], logits["base same|0"])
    np.testing.assert_allclose(logits[usual], logits[ours], atol=2e-3)  # kept as halves
    for other in set(logits) - {usual, "base same|0", ours}:
        assert np.abs(logits[usual] - logits[other]).max() > 0.01, other

    folds, figures = script("report", small_set, jobs, elsewhere)
    assert folds == [0]
    assert figures["base same"] == figures["the paper's settings"]
    assert {f"base {tiny_encoder}", "the paper's settings, 5 candidates"} < set(figures)
    assert all(0 <= value <= 100 for row in figures.values() for value in row)


def load(out):
    return {key: np.asarray(rows) for key, rows in load_arrays(out / "logits.npz").items()}


def test_finished_trainings_are_skipped_and_the_limit_is_kept(
    script, small_set, tiny_pretrained, tmp_path, capsys
):
    prepare = ("prepare", small_set, tiny_pretrained, tmp_path, "--layers", 1, "--folds", 0)
    script(*prepare, "--base", "same")
    script("run", tmp_path, "--limit", 0)
    assert not (tmp_path / "logits.npz").exists()
    for _ in range(2):
        script("run", tmp_path)
    assert capsys.readouterr().out.count("base same|0") == 1
