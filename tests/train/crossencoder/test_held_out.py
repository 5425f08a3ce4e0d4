"""Cross-encoders predict held-out folds, in one job."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.train

from locisimiles import Document, Segment  # noqa: E402
from locisimiles.benchmark.sets.dataset import Benchmark  # noqa: E402
from locisimiles.benchmark.sets.pools import FoldPools  # noqa: E402
from locisimiles.benchmark.sets.references import References  # noqa: E402
from locisimiles.classify.base import Pairs  # noqa: E402
from locisimiles.cli import main  # noqa: E402
from locisimiles.errors import InputError  # noqa: E402
from locisimiles.files.arrays import load_arrays  # noqa: E402
from locisimiles.learn.default import UNTRAINED  # noqa: E402
from locisimiles.learn.predictions import PredictionBook, left_out_sets  # noqa: E402
from locisimiles.retrieve import Combined, Late  # noqa: E402
from locisimiles.train.crossencoder import held_out  # noqa: E402
from locisimiles.train.crossencoder.held_out import (  # noqa: E402
    HELD_OUT_SETTINGS,
    collect_predictions,
    prepare_predictions,
    share_job,
)
from locisimiles.train.crossencoder.job import CrossEncoderJob, run_job  # noqa: E402

WORDS = "arma uirum cano troiae primus oris litora fato profugus multum iactatus alto".split()
SETTINGS = replace(HELD_OUT_SETTINGS, samples=8, epochs=1, batch_size=4, at_once=4, layers=1)


def segments(name, author, extra):
    return Document.from_segments(
        Segment(
            f"{name}{n}",
            f"{WORDS[n % 12]} {WORDS[(n + 1) % 12]} {extra if n < 9 else WORDS[n % 7]}",
            author=author,
        )
        for n in range(20)
    )


def small(labels=(1, 2, 1) * 3):
    return Benchmark(
        segments("q", "Jerome", "dixit"),
        segments("s", "Virgil", "uenit"),
        References.from_columns(range(9), range(9), list(labels), fold=[0, 1, 2] * 3),
        name="small",
    )


@pytest.fixture(scope="module")
def search(tiny_latin):
    late = Late(tiny_latin, exact=True, cache=None)
    return Combined(weights=UNTRAINED, depth=8, late=late)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory, tiny_pretrained, search):
    folder = tmp_path_factory.mktemp("predictions")
    prepare_predictions(
        folder, FoldPools(small()), tiny_pretrained, settings=SETTINGS, combined=search
    )
    return folder


def test_a_folder_is_prepared_once_and_predicts_all_pairs(prepared):
    pools = FoldPools(small())
    assert collect_predictions(prepared, pools) is None
    assert run_job(prepared / "job.npz", prepared)
    book = collect_predictions(prepared, pools)
    assert set(book.records) == set(left_out_sets([0, 1, 2]))
    book.save(prepared / "predictions.npz")
    loaded = PredictionBook.load(prepared / "predictions.npz")
    pairs = load_arrays(prepared / "pairs.npz")
    place = left_out_sets([0, 1, 2]).index((1,))
    query, source = pairs[f"query_{place}"], pairs[f"source_{place}"]
    assert len(query)
    asked = Pairs(small().query, small().source, query, source)
    found = loaded.without((1,)).probabilities(asked)
    assert found.sum(axis=1) == pytest.approx(np.ones(len(query)), abs=2e-3)


def test_networks_predict_only_held_out_folds(prepared):
    pairs = load_arrays(prepared / "pairs.npz")
    references = small().references
    for number, left_out in enumerate(left_out_sets([0, 1, 2])):
        queries = set(pairs[f"query_{number}"].tolist())
        others = set(references.query[~np.isin(references.fold, left_out)].tolist())
        assert not queries & others
        assert bool(queries) == bool(left_out)


def test_training_pairs_have_no_query_of_a_held_out_fold(search):
    pools = FoldPools(small())
    examples = held_out.collect_examples(
        pools.benchmark, pools.source, replace(search, priors=False)
    )
    hard = held_out._hard_pairs(pools.benchmark, search, lambda *_: None)
    references = pools.benchmark.references
    for left_out in left_out_sets([0, 1, 2]):
        pairs = held_out._training_pairs(pools, examples, hard, left_out)
        unseen = {name for fold in left_out for name in pools.pool(fold).query.ids}
        trained = {pools.benchmark.query.ids[at] for at in pairs.query.tolist()}
        assert not trained & unseen
        kept = references.select(~np.isin(references.fold, left_out))
        assert np.count_nonzero(pairs.label) == len(kept)


def test_labels_of_held_out_folds_do_not_matter(prepared, search, tiny_pretrained, tmp_path):
    other = small([1, 2, 1, 1, 1, 1, 1, 2, 2])
    changed = np.flatnonzero(other.references.label != small().references.label)
    folds = set(other.references.fold[changed].tolist())
    prepare_predictions(
        tmp_path, FoldPools(other), tiny_pretrained, settings=SETTINGS, combined=search
    )
    one, two = (CrossEncoderJob.read(folder / "job.npz") for folder in (prepared, tmp_path))
    for number, left_out in enumerate(left_out_sets([0, 1, 2])):
        same = one.train[number].label.tolist() == two.train[number].label.tolist()
        assert same == (folds <= set(left_out))


def test_the_command_prepares_for_another_machine(
    tmp_path, tiny_pretrained, search, monkeypatch, capsys
):
    small().save(tmp_path / "small")
    prepare = held_out.prepare_predictions

    def smaller(*arguments, **options):
        prepare(*arguments, **{**options, "settings": SETTINGS, "combined": search})

    monkeypatch.setattr(held_out, "prepare_predictions", smaller)
    command = ["locisimiles", "train", "predictions", "small", str(tiny_pretrained), "-o", "out"]
    monkeypatch.chdir(tmp_path)
    for more, message in (["--only-prepare"], "but not finished"), ([], "wrote"), ([], "wrote"):
        monkeypatch.setattr(sys, "argv", [*command, *more])
        with pytest.raises(SystemExit) as end:
            main()
        assert end.value.code == 0
        assert message in "".join(capsys.readouterr())
    assert PredictionBook.load(tmp_path / "out" / "predictions.npz").without((0, 2))


def test_what_learns_from_teachers_has_their_pairs(prepared, tmp_path):
    share_job(prepared, tmp_path)
    for name in ("job.npz", "pairs.npz"):
        assert (tmp_path / name).read_bytes() == (prepared / name).read_bytes()
    with pytest.raises(InputError, match=r"job\.npz"):
        share_job(tmp_path / "nothing", tmp_path)


def test_the_command_learns_from_a_teacher(
    tmp_path, tiny_pretrained, prepared, monkeypatch, capsys
):
    teacher = tmp_path / "large"
    teacher.mkdir()
    share_job(prepared, teacher)
    assert run_job(teacher / "job.npz", teacher)
    small().save(tmp_path / "small")
    given = [str(tmp_path / "small"), str(tiny_pretrained), "-o", str(tmp_path / "taught")]
    command = ["locisimiles", "train", "predictions", *given, "--teacher", str(teacher)]
    monkeypatch.setattr(sys, "argv", command)
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 0
    assert "trained on all references" in "".join(capsys.readouterr())
    about = json.loads((tmp_path / "taught" / "cross-encoder" / "crossencoder.json").read_text())
    assert about["trained"]["teachers"] == 1
    alone, taught = (load_arrays(own / "logits.npz") for own in (teacher, tmp_path / "taught"))
    assert any((alone[name] != taught[name]).any() for name in alone)
