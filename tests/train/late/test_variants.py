"""A plan of variants runs, resumes, and names what it measured."""

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.train

from locisimiles.errors import MalformedInputError  # noqa: E402
from locisimiles.train.encoder.job import main as pretrain  # noqa: E402
from locisimiles.train.encoder.piece_files import write_piece_files  # noqa: E402
from locisimiles.train.encoder.weights import read_tensors  # noqa: E402
from locisimiles.train.late.pieces import PieceTable, TuningData, rarity  # noqa: E402
from locisimiles.train.late.recovery import network_config, recover_weights  # noqa: E402
from locisimiles.train.late.search_set import SearchSet  # noqa: E402
from locisimiles.train.late.variants import VariantRunner, main, read_plan  # noqa: E402

VOCABULARY = 70
PLAN = """
[[variant]]
name = "rules"
pairs = { rules = 1.0 }
layers = 1
dimensions = 8
settings = { steps = 3, batch = 4 }

[[variant]]
name = "mined"
start = "rules"
pairs = { rules = 0.5, other = 0.5 }
mined = 20
layers = 1
dimensions = 8
settings = { steps = 3, batch = 4 }
"""


def table(random, count):
    bounds = np.concatenate([[0], np.cumsum(random.integers(3, 12, count))]).astype(np.int64)
    pieces = random.integers(5, VOCABULARY, bounds[-1]).astype(np.uint16)
    return PieceTable(pieces, np.ones(bounds[-1], bool), bounds)


@pytest.fixture
def folder(tmp_path):
    random = np.random.default_rng(0)
    data = tmp_path / "data"
    data.mkdir()
    sources = table(random, 50)
    for kind in ("rules", "other"):
        TuningData(
            sources,
            table(random, 30),
            rarity(sources, VOCABULARY),
            random.integers(0, 50, 30).astype(np.int32),
            random.integers(-1, 50, (30, 4)).astype(np.int32),
            np.arange(50, dtype=np.int32),
        ).save(data / f"pairs-{kind}.npz")
    columns = np.array([0, 1], np.int32), np.array([3, 4], np.int32), np.array([False, True])
    SearchSet(table(random, 2), sources, *columns).save(data / "search-small.npz")
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    pieces = random.integers(5, VOCABULARY, 4_000).astype(np.uint16)
    paths = write_piece_files(pieces, tmp_path, each=3_000)
    sizes = {"vocabulary": VOCABULARY, "width": 16, "layers": 1, "heads": 2, "length": 16}
    options = [f"--{name}={value}" for name, value in {**sizes, "batch-size": 4}.items()]
    assert not pretrain([*map(str, paths), "-o", str(tmp_path / "p"), "--steps", "4", *options])
    return tmp_path


def run(folder, *options):
    names = "plan.toml", "data", "p/encoder", "out"
    return main([*(str(folder / name) for name in names), "--device", "cpu", *options])


def test_variants_are_tuned_and_measured_once(folder):
    assert run(folder, "--only", "rules") == 0
    assert run(folder) == 0
    assert run(folder) == 0
    lines = (folder / "out" / "results.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    assert [row["name"] for row in rows] == ["rules", "mined"]
    assert set(rows[0]["figures"]["small"]) >= {"R@10", "cf. R@100", "MRR"}
    assert (folder / "out" / "mined.safetensors").exists()
    log = json.loads((folder / "p" / "log.json").read_text())
    assert (log["steps"], log["pieces"]) == (4, 4_000)


def test_without_time_nothing_is_run(folder):
    assert run(folder, "--seconds", "-1") == 3
    assert not (folder / "out" / "results.jsonl").exists()


def test_a_variant_that_fails_is_tried_again_by_the_same_command(folder, monkeypatch, capsys):
    (folder / "plan.toml").write_text(PLAN.replace('start = "rules"\n', ""), encoding="utf-8")
    as_it_is = VariantRunner.run

    def run_some(runner, variant):
        if variant.name == "rules":
            raise torch.OutOfMemoryError("no memory")
        return as_it_is(runner, variant)

    with monkeypatch.context() as patch:
        patch.setattr(VariantRunner, "run", run_some)
        assert run(folder) == 3
    assert "rules failed (no memory)" in capsys.readouterr().out
    assert run(folder) == 0
    lines = (folder / "out" / "results.jsonl").read_text().splitlines()
    assert [json.loads(line)["name"] for line in lines] == ["mined", "rules"]


FURTHER = """
[[variant]]
name = "as it is"
layers = 2
dimensions = 8

[[variant]]
name = "rules"
pairs = { rules = 1.0 }
layers = 2
dimensions = 8
settings = { steps = 3, batch = 4, rate = 1e-2 }

[[variant]]
name = "mean"
start = ["as it is", "rules"]
layers = 2
dimensions = 8
"""


def test_a_tuned_encoder_is_tuned_further_and_weights_are_averaged(folder, tiny_latin):
    config = network_config(tiny_latin)
    plan = FURTHER.replace("dimensions = 8", f"dimensions = {len(head(tiny_latin))}")
    plan = plan.replace("layers = 2", f"layers = {config.layers}")
    (folder / "plan.toml").write_text(plan, encoding="utf-8")
    names = "plan.toml", "data"
    out = folder / "further"
    given = [*(str(folder / name) for name in names), str(tiny_latin), str(out)]
    assert main([*given, "--device", "cpu"]) == 0
    first, tuned, mean = (
        read_tensors(out / f"{name}.safetensors")["head.weight"].numpy()
        for name in ("as it is", "rules", "mean")
    )
    np.testing.assert_allclose(first, head(tiny_latin), atol=2e-3)
    assert np.abs(tuned - first).max() > 1e-4
    np.testing.assert_allclose(mean, (first + tuned) / 2, atol=1e-3)
    rows = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    assert [row["loss"] > 0 for row in rows] == [False, True, False]


def head(folder):
    return recover_weights(folder)["head.weight"]


def test_an_unknown_setting_is_named(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text('[[variant]]\nname = "a"\npairs = {}\nsped = 3\n', encoding="utf-8")
    with pytest.raises(MalformedInputError, match="sped"):
        read_plan(path)
