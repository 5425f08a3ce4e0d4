"""The script that sets trainings side by side, with tiny encoders."""

import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.train

from locisimiles import Document, Segment  # noqa: E402
from locisimiles.benchmark.sets.dataset import Benchmark  # noqa: E402
from locisimiles.benchmark.sets.references import References  # noqa: E402
from locisimiles.files.arrays import load_arrays  # noqa: E402

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "crossencoder_ablations.py"


@pytest.fixture
def script(monkeypatch, tmp_path):
    """Return a function that runs the script, and gives back what it has written as results."""
    described = importlib.util.spec_from_file_location("crossencoder_ablations", SCRIPT)
    module = importlib.util.module_from_spec(described)
    described.loader.exec_module(module)
    monkeypatch.setattr(module, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(module, "DRAWN", {name: module.DRAWN[name] for name in [module.USUAL]})
    monkeypatch.setattr(module, "TRAINED", {"seed 43": {"seed": 43}})

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", [str(SCRIPT), *map(str, arguments)])
        module.main()
        if arguments[0] != "report":
            return None
        written = json.loads((tmp_path / "results.json").read_text())
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


def test_settings_and_bases_stand_side_by_side(
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


def test_what_is_done_is_not_done_again_and_time_is_kept(
    script, small_set, tiny_pretrained, tmp_path, capsys
):
    prepare = ("prepare", small_set, tiny_pretrained, tmp_path, "--layers", 1, "--folds", 0)
    script(*prepare, "--base", "same")
    script("run", tmp_path, "--limit", 0)
    assert not (tmp_path / "logits.npz").exists()
    for _ in range(2):
        script("run", tmp_path)
    assert capsys.readouterr().out.count("base same|0") == 1
