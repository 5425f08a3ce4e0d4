"""Cross-encoders that have not seen some folds are trained and asked, in one job."""

import sys
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.train

from locisimiles import Document, Segment  # noqa: E402
from locisimiles.arrays import load_arrays  # noqa: E402
from locisimiles.benchmark.learned_default import UNTRAINED  # noqa: E402
from locisimiles.benchmark.runs.evaluation import Ground  # noqa: E402
from locisimiles.benchmark.sets.dataset import Benchmark  # noqa: E402
from locisimiles.benchmark.sets.references import References  # noqa: E402
from locisimiles.cli import main  # noqa: E402
from locisimiles.learn.predictions import OpinionBook, left_out_sets  # noqa: E402
from locisimiles.retrieve import Combined, Late  # noqa: E402
from locisimiles.train.crossencoder import opinions  # noqa: E402
from locisimiles.train.crossencoder.job import CrossEncoderJob, run_job  # noqa: E402
from locisimiles.train.crossencoder.opinions import (  # noqa: E402
    OPINION_SETTINGS,
    collect_opinions,
    prepare_opinions,
)

WORDS = "arma uirum cano troiae primus oris litora fato profugus multum iactatus alto".split()
SETTINGS = replace(OPINION_SETTINGS, samples=8, epochs=1, batch_size=4, at_once=4, layers=1)


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
    folder = tmp_path_factory.mktemp("opinions")
    prepare_opinions(folder, Ground(small()), tiny_pretrained, settings=SETTINGS, combined=search)
    return folder


def test_a_folder_is_prepared_once_and_asked_to_the_end(prepared):
    ground = Ground(small())
    assert collect_opinions(prepared, ground) is None
    assert run_job(prepared / "job.npz", prepared)
    book = collect_opinions(prepared, ground)
    assert set(book.records) == set(left_out_sets([0, 1, 2]))
    book.save(prepared / "opinions.npz")
    loaded = OpinionBook.load(prepared / "opinions.npz")
    asked = load_arrays(prepared / "pairs.npz")
    place = left_out_sets([0, 1, 2]).index((1,))
    query, source = asked[f"query_{place}"], asked[f"source_{place}"]
    assert len(query)
    found = loaded.without((1,)).probabilities(small().query, small().source, query, source)
    assert found.sum(axis=1) == pytest.approx(np.ones(len(query)), abs=2e-3)


def test_each_is_asked_about_what_it_has_not_seen(prepared):
    asked = load_arrays(prepared / "pairs.npz")
    references = small().references
    for number, left_out in enumerate(left_out_sets([0, 1, 2])):
        queries = set(asked[f"query_{number}"].tolist())
        others = set(references.query[~np.isin(references.fold, left_out)].tolist())
        assert not queries & others
        assert bool(queries) == bool(left_out)


def test_what_is_trained_on_has_no_query_of_a_fold_that_is_left_out(search):
    ground = Ground(small())
    examples = opinions.collect_examples(ground.benchmark, replace(search, priors=False))
    hard = opinions._hard_pairs(ground.benchmark, search, lambda *_: None)
    references = ground.benchmark.references
    for left_out in left_out_sets([0, 1, 2]):
        pairs = opinions._training_pairs(ground, examples, hard, left_out)
        unseen = {name for fold in left_out for name in ground.pool(fold).query.ids}
        trained = {ground.benchmark.query.ids[at] for at in pairs.query.tolist()}
        assert not trained & unseen
        kept = references.select(~np.isin(references.fold, left_out))
        assert np.count_nonzero(pairs.label) == len(kept)


def test_labels_of_folds_that_are_left_out_do_not_matter(
    prepared, search, tiny_pretrained, tmp_path
):
    other = small([1, 2, 1, 1, 1, 1, 1, 2, 2])
    changed = np.flatnonzero(other.references.label != small().references.label)
    folds = set(other.references.fold[changed].tolist())
    prepare_opinions(tmp_path, Ground(other), tiny_pretrained, settings=SETTINGS, combined=search)
    one, two = (CrossEncoderJob.read(folder / "job.npz") for folder in (prepared, tmp_path))
    for number, left_out in enumerate(left_out_sets([0, 1, 2])):
        same = one.train[number].label.tolist() == two.train[number].label.tolist()
        assert same == (folds <= set(left_out))


def test_the_command_prepares_for_another_machine(
    tmp_path, tiny_pretrained, search, monkeypatch, capsys
):
    small().save(tmp_path / "small")
    prepare = opinions.prepare_opinions

    def smaller(*given, **named):
        prepare(*given, **named, settings=SETTINGS, combined=search)

    monkeypatch.setattr(opinions, "prepare_opinions", smaller)
    command = ["locisimiles", "train", "opinions", "small", str(tiny_pretrained), "-o", "out"]
    monkeypatch.chdir(tmp_path)
    for more, told in (["--only-prepare"], "not yet done"), ([], "wrote"), ([], "wrote"):
        monkeypatch.setattr(sys, "argv", [*command, *more])
        with pytest.raises(SystemExit) as end:
            main()
        assert end.value.code == 0
        assert told in "".join(capsys.readouterr())
    assert OpinionBook.load(tmp_path / "out" / "opinions.npz").without((0, 2))
