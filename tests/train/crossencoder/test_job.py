"""A job file is written here, and run on a machine with little more than torch."""

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.train

from safetensors.torch import load_file, save_file  # noqa: E402

from locisimiles import Document, Segment  # noqa: E402
from locisimiles.benchmark.sets.dataset import Benchmark  # noqa: E402
from locisimiles.benchmark.sets.references import References  # noqa: E402
from locisimiles.errors import InputError, MalformedInputError, ParameterError  # noqa: E402
from locisimiles.files.arrays import load_arrays, save_arrays  # noqa: E402
from locisimiles.models.pair_pieces import TextPieces  # noqa: E402
from locisimiles.progress import silent  # noqa: E402
from locisimiles.train.crossencoder.job import (  # noqa: E402
    CrossEncoderJob,
    _Runner,
    main,
    run_job,
)
from locisimiles.train.crossencoder.network import load_cross_encoder  # noqa: E402
from locisimiles.train.crossencoder.preparation import fold_pairs, prepare_job  # noqa: E402
from locisimiles.train.crossencoder.sampling import (  # noqa: E402
    SyntheticPairs,
    label_synthetic_pairs,
)
from locisimiles.train.crossencoder.settings import CrossEncoderSettings  # noqa: E402
from locisimiles.train.crossencoder.training import predict  # noqa: E402
from locisimiles.train.encoder.folder import read_config  # noqa: E402
from locisimiles.train.late.recovery import recover_weights  # noqa: E402

SETTINGS = CrossEncoderSettings(
    strategy="qry,rnd", ratio=2, epochs=2, batch_size=4, rate=1e-3, synthetic_batch_size=4, layers=1
)
ONLY_THESE = """
import sys
for name in "typer rich lxml openpyxl platformdirs onnx onnxruntime transformers scipy".split():
    sys.modules[name] = None
from locisimiles.train.crossencoder.job import main
sys.exit(main(sys.argv[1:]))
"""


def benchmark():
    words = "arma uirum cano troiae qui primus ab oris italiam fato profugus".split()
    rng = np.random.default_rng(0)

    def document(name, count):
        return Document.from_segments(
            Segment(f"{name}{row}", " ".join(rng.choice(words, rng.integers(3, 9))))
            for row in range(count)
        )

    return Benchmark(
        document("q", 6),
        document("s", 20),
        References.from_columns(
            [0, 1, 2, 3, 4], [3, 1, 4, 1, 5], label=[1, 2, 1, 2, 1], fold=[0, 0, 1, 1, 1]
        ),
    )


@pytest.fixture
def job(tiny_pretrained, tmp_path):
    own = benchmark()
    synthetic = SyntheticPairs(
        TextPieces(np.arange(5, 17, dtype=np.uint16), np.array([0, 4, 8, 12])),
        TextPieces(np.arange(5, 20, dtype=np.uint16), np.array([0, 5, 10, 15])),
        label_synthetic_pairs(np.array([0, 1, 2]), np.array([[1], [2], [-1]]), sources=3),
    )
    score = {
        0: (np.array([0, 1, 1], np.int32), np.array([7, 8, 19], np.int32)),
        1: (np.array([4, 2], np.int32), np.array([5, 4], np.int32)),
    }
    path = tmp_path / "job.npz"
    train = {fold: fold_pairs(own, fold, SETTINGS) for fold in (0, 1)}
    prepare_job(path, own, tiny_pretrained, SETTINGS, train=train, score=score, synthetic=synthetic)
    return path


def test_pairs_of_a_fold_exclude_its_queries():
    own = benchmark()
    for fold, queries in ((0, {2, 3, 4}), (1, {0, 1}), (None, {0, 1, 2, 3, 4})):
        pairs = fold_pairs(own, fold, SETTINGS)
        assert set(pairs.query.tolist()) == queries
        assert len(pairs) == 3 * (pairs.label > 0).sum()


@pytest.mark.parametrize("strategy", ["qry,rnd", "rnd,rnd"])
def test_references_keep_their_labels(strategy):
    own = benchmark()
    pairs = fold_pairs(own, None, replace(SETTINGS, strategy=strategy, ratio=4))
    columns = own.references.query.tolist(), own.references.source.tolist()
    known = dict(zip(zip(*columns, strict=True), own.references.label.tolist(), strict=True))
    for query, source, label in zip(pairs.query, pairs.source, pairs.label, strict=True):
        assert label == known.get((int(query), int(source)), 0)
    assert len(pairs) == 25


def test_the_file_holds_only_the_texts_of_its_pairs(job, tiny_pretrained):
    own, read = benchmark(), CrossEncoderJob.read(job)
    assert read.settings == SETTINGS
    assert len(read.texts.query) == 5  # one query is in no pair
    whole = job.with_name("whole.npz")
    everything = np.arange(6, dtype=np.int32), np.arange(6, dtype=np.int32)
    train = {0: fold_pairs(own, 0, SETTINGS)}
    prepare_job(whole, own, tiny_pretrained, SETTINGS, train=train, score={0: everything})
    other = CrossEncoderJob.read(whole)
    for name in ("query", "source"):
        one = getattr(read.texts, name).select(getattr(read.train[0], name), 60)
        two = getattr(other.texts, name).select(getattr(other.train[0], name), 60)
        assert one.piece.tolist() == two.piece.tolist()
        assert one.bounds.tolist() == two.bounds.tolist()


def test_a_job_runs_without_the_libraries_of_the_package(job, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", ONLY_THESE, job, tmp_path / "out", "--device", "cpu"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    logits = load_arrays(tmp_path / "out" / "logits.npz")
    assert {name: own.shape for name, own in logits.items()} == {
        "logits_0": (3, 3), "logits_1": (2, 3),
    }  # fmt: skip
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "logits.npz", "log.json", "synthetic.safetensors", "fold-0.safetensors",
        "fold-1.safetensors",
    }  # fmt: skip
    log = json.loads((tmp_path / "out" / "log.json").read_text())
    assert log["fold-0"]["steps"] == 2 * 3


def test_a_job_resumes_after_its_time_limit(job, tmp_path):
    assert run_job(job, tmp_path / "whole")
    tries = 1
    while main([str(job), str(tmp_path / "parts"), "--limit", "0", "--device", "cpu"]) == 3:
        tries += 1
    assert tries > 5
    for name in ("logits_0", "logits_1"):
        whole, parts = (
            load_arrays(tmp_path / own / "logits.npz")[name] for own in ("whole", "parts")
        )
        np.testing.assert_allclose(whole, parts, atol=2e-3)


@pytest.mark.parametrize("pooling", ["parts", "cls"])
def test_the_weights_reproduce_the_logits(tiny_pretrained, tmp_path, pooling):
    own, path, score = benchmark(), tmp_path / "job.npz", {1: (np.array([4, 2]), np.array([5, 4]))}
    settings = replace(SETTINGS, pooling=pooling, epochs=3, rate=1e-2)
    train = {1: fold_pairs(own, 1, settings)}
    prepare_job(path, own, tiny_pretrained, settings, train=train, score=score, with_weights=False)
    assert run_job(path, tmp_path, encoder=tiny_pretrained)
    read = CrossEncoderJob.read(path)
    network = load_cross_encoder(
        tmp_path / "fold-1.safetensors", read_config(tiny_pretrained / "config.json")
    )
    assert (network.pooling, network.encoder.config.layers) == (pooling, 1)
    before = predict(read.base_network(path, tiny_pretrained), read.texts, *read.score[1])
    after = predict(network, read.texts, *read.score[1])
    written = load_arrays(tmp_path / "logits.npz")
    np.testing.assert_allclose(after, written["logits_1"], atol=1e-2)
    assert np.abs(before - after).max() > 0.1


def test_another_file_is_refused(tmp_path, capsys):
    (tmp_path / "x.npz").write_bytes(b"nothing")
    with pytest.raises(InputError):
        CrossEncoderJob.read(tmp_path / "x.npz")
    assert main([str(tmp_path / "x.npz"), str(tmp_path / "out")]) == 1
    assert "x.npz: " in capsys.readouterr().err
    save_arrays(tmp_path / "x.npz", {"about": np.zeros(2, np.uint8)})
    with pytest.raises(MalformedInputError, match="not a job file"):
        CrossEncoderJob.read(tmp_path / "x.npz")


def test_pairs_beyond_the_segments_are_refused(tiny_pretrained, tmp_path):
    own = benchmark()
    beyond = {0: (np.array([6], np.int32), np.array([0], np.int32))}
    train = {0: fold_pairs(own, 0, SETTINGS)}
    with pytest.raises(ParameterError, match="beyond the 6 query segments"):
        prepare_job(tmp_path / "j.npz", own, tiny_pretrained, SETTINGS, train=train, score=beyond)


@pytest.fixture
def plain(tiny_pretrained, tmp_path):
    """A job that each of its two folds learns from pairs it can fit."""
    own, path = benchmark(), tmp_path / "plain.npz"
    settings = replace(SETTINGS, epochs=4, rate=1e-2, head_rate=1e-2, layers=2, dropout=0.0)
    train = {fold: fold_pairs(own, fold, settings) for fold in (0, 1)}
    score = {fold: (pairs.query, pairs.source) for fold, pairs in train.items()}
    prepare_job(path, own, tiny_pretrained, settings, train=train, score=score)
    return path


def logits(folder, fold):
    return load_arrays(folder / "logits.npz")[f"logits_{fold}"].astype(np.float32)


def distance(one, two):
    one, two = (torch.from_numpy(own).softmax(dim=1).numpy() for own in (one, two))
    return float(np.abs(one - two).mean())


def test_fewer_layers_can_be_asked_for(plain, tiny_pretrained, tmp_path):
    assert main([str(plain), str(tmp_path / "one"), "--layers", "1", "--fold", "1"]) == 0
    config = read_config(tiny_pretrained / "config.json")
    network = load_cross_encoder(tmp_path / "one" / "fold-1.safetensors", config)
    assert network.encoder.config.layers == 1
    with pytest.raises(ParameterError, match="layers"):
        run_job(plain, tmp_path / "many", layers=99)


def test_a_network_learns_what_its_teachers_think(plain, tmp_path):
    """Where teachers count most, a pair gets the class that they give it, not its label."""
    assert run_job(plain, tmp_path / "usual", folds=[1])
    teacher = tmp_path / "teacher"
    assert run_job(plain, teacher, folds=[1])
    weights = load_file(teacher / "fold-1.safetensors")
    turned = torch.tensor([1, 2, 0])  # thinks cf. of all that is no match
    for name in ("head.weight", "head.bias"):
        weights[name] = weights[name][turned].contiguous()
    save_file(weights, teacher / "fold-1.safetensors")
    job = CrossEncoderJob.read(plain)
    thinks = logits(teacher, 1)[:, turned.numpy()]
    for share, nearer in (0.99, True), (0.0, False):
        runner = replace(job, settings=replace(job.settings, teacher_share=share))
        out = tmp_path / f"share-{share}"
        out.mkdir()
        assert _Runner(runner, plain, out, None, None, [teacher], "cpu", silent).fold(1)
        found = logits(out, 1)
        assert (distance(found, thinks) < distance(found, logits(tmp_path / "usual", 1))) == nearer
        assert json.loads((out / "log.json").read_text())["fold-1"]["teachers"] == 1


def test_the_teacher_of_a_fold_has_held_out_the_same(plain, tmp_path):
    teacher = tmp_path / "teacher"
    assert run_job(plain, teacher, folds=[0])
    assert run_job(plain, tmp_path / "small", folds=[0], teachers=[teacher], layers=1)
    with pytest.raises(InputError, match="fold-1"):
        run_job(plain, tmp_path / "small", folds=[1], teachers=[teacher], layers=1)


def test_a_job_can_begin_with_an_int8_encoder(tiny_latin, tmp_path):
    own, path = benchmark(), tmp_path / "job.npz"
    train = {1: fold_pairs(own, 1, SETTINGS)}
    prepare_job(path, own, tiny_latin, SETTINGS, train=train, score={}, with_weights=False)
    read = CrossEncoderJob.read(path)
    begun = read.base_network(path, tiny_latin)
    recovered = recover_weights(tiny_latin)
    found = begun.encoder.state_dict()["pieces.weight"].numpy()
    np.testing.assert_array_equal(found, recovered["encoder.pieces.weight"])
    assert run_job(path, tmp_path, encoder=tiny_latin)
