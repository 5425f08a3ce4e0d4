"""The script that compares cross-encoders inside the ensemble, with recorded predictions."""

import json
import sys
from functools import partial

import numpy as np
import pytest

import crossencoder_layers as module
import harness
from locisimiles.learn.default import UNTRAINED
from locisimiles.learn.fold_models import learn_each_for_fold
from locisimiles.learn.predictions import PredictionBook, left_out_sets
from locisimiles.retrieve import Combined, Late


def book(benchmark, logits):
    """Return predictions for all pairs, the same for every set of left-out folds."""
    query, source = np.indices((len(benchmark.query), len(benchmark.source))).reshape(2, -1)
    answers = dict.fromkeys(left_out_sets(benchmark.folds), (query, source, logits))
    return PredictionBook.of_logits(benchmark.query.ids, benchmark.source.ids, answers)


@pytest.fixture
def found(tiny, tiny_latin, tmp_path, monkeypatch, capsys):
    """Run the script with one cross-encoder that knows the references, and one that guesses."""
    label = np.zeros((len(tiny.query), len(tiny.source)), int)
    label[tiny.references.query, tiny.references.source] = tiny.references.label
    random = np.random.default_rng(0)
    book(tiny, 6.0 * np.eye(3)[label.ravel()]).save(tmp_path / "good.npz")
    book(tiny, random.normal(size=(label.size, 3))).save(tmp_path / "bad.npz")
    tiny.save(tmp_path / "set")
    late = Late(tiny_latin, exact=True, cache=None)
    search = Combined(weights=UNTRAINED, depth=8, late=late)
    monkeypatch.setattr(
        module, "learn_each_for_fold", partial(learn_each_for_fold, combined=search)
    )
    monkeypatch.setattr(harness, "RESULTS", tmp_path)
    files = [f"{name}={tmp_path / name}.npz" for name in ("good", "bad")]
    arguments = ["script", str(tmp_path / "set"), *files, "--folds", "0", "2"]
    monkeypatch.setattr(sys, "argv", arguments)
    module.main()
    assert "fold 1" not in capsys.readouterr().out
    return json.loads((tmp_path / "crossencoder_layers.json").read_text())


def test_cross_encoders_are_compared_with_the_first(found):
    assert found["folds"] == [0, 2]
    networks = found["networks"]
    assert list(networks) == ["good", "bad", module.WITHOUT]
    good, bad, without = networks.values()
    assert set(good["lost"].values()) == {0.0}
    assert without[module.ALONE] is None
    assert good[module.ALONE][0] > bad[module.ALONE][0]
    for own in (bad, without):
        assert own["lost"]["AP"] == pytest.approx(good["AP"] - own["AP"], abs=0.01)
    assert len(good["F1 of the folds"]["cit"]) == 2
    assert good["AP"] > without["AP"]


def test_the_figures_are_those_of_a_fold_learnt_alone(found, tiny, tiny_latin, tmp_path):
    """Sharing features and search between cross-encoders changes nothing."""
    from classification_quality import average_precisions
    from locisimiles.benchmark.sets.pools import FoldPools
    from locisimiles.learn.fold_models import learn_for_fold

    late = Late(tiny_latin, exact=True, cache=None)
    search = Combined(weights=UNTRAINED, depth=8, late=late)
    recorded = PredictionBook.load(tmp_path / "bad.npz")
    own = []
    for fold in (0, 2):
        judge = learn_for_fold(FoldPools(tiny), fold, recorded, combined=search)
        own.append(average_precisions(judge.document().grid))
    assert found["networks"]["bad"]["AP (any, cit, cf)"] == pytest.approx(np.mean(own, axis=0))
