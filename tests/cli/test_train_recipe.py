"""``locisimiles train all``, ``compare`` and ``card``."""

import json
import shutil
import sys

import pytest

TREEBANK = "# work Prima\nmagnus\tmagnus\tADJ\ncanis\tcanis\tNOUN\nlatrat\tlatro\tVERB\n"
CORPUS = "agricolam uocat\nagricolam uocat nauta\nagricolam laudat\n"
RECIPE = """
[[stage]]
name = "lemmatizer"
command = ["train", "lemmatizer", "{data}/bank.tsv", "-o", "{run}/mine.npz", "--overwrite"]
outputs = [{ file = "mine.npz" }]
figures = [{ name = "forms", pattern = '([0-9,]+) forms' }]

[[stage]]
name = "frequencies"
command = [
    "train", "frequencies", "{data}/corpus.txt", "--fewest", "1",
    "-o", "{run}/f.npz", "--overwrite",
]
uses = ["latin/data/lemmatizer.npz"]
outputs = [{ file = "f.npz" }]

[[stage]]
name = "network"
gpu = true
command = ["train", "encoder", "{data}/corpus.txt", "-o", "{run}/encoder"]
outputs = [{ file = "encoder/encoder/config.json" }]
"""


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "bank.tsv").write_text(TREEBANK, encoding="utf-8")
    (folder / "corpus.txt").write_text(CORPUS, encoding="utf-8")
    (tmp_path / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    return folder


CPU_STAGES = ("--stage", "lemmatizer", "--stage", "frequencies", "--recipe", "recipe.toml")


def test_stages_run_and_are_skipped_when_done(data, program):
    done = program("train", "all", "data", "-o", "run", *CPU_STAGES)
    assert (done.code, done.out) == (0, "")
    stages = json.loads((data.parent / "run" / "manifest.json").read_text())["stages"]
    assert stages["lemmatizer"]["figures"] == {"forms": 3.0}
    again = program("train", "all", "data", "-o", "run", *CPU_STAGES)
    assert again.err.splitlines()[:2] == ["lemmatizer: done already", "frequencies: done already"]
    listed = program("train", "all", "data", "-o", "run", "--dry-run", "--recipe", "recipe.toml")
    rows = [line.split("\t")[:3] for line in listed.out.splitlines()]
    assert rows[1:] == [
        ["lemmatizer", "done", "CPU"],
        ["frequencies", "done", "CPU"],
        ["network", "to do", "GPU"],
    ]


def test_a_stage_that_fails_says_so_and_can_be_repeated(data, program):
    (data / "bank.tsv").write_text("# work Prima\n", encoding="utf-8")
    failed = program("train", "all", "data", "-o", "run", *CPU_STAGES)
    assert failed.code == 1
    assert "'locisimiles train lemmatizer' failed" in failed.err
    assert not (data.parent / "run" / "manifest.json").exists()
    (data / "bank.tsv").write_text(TREEBANK, encoding="utf-8")
    assert program("train", "all", "data", "-o", "run", *CPU_STAGES).code == 0


def test_runs_are_compared_and_described(data, program):
    program("train", "all", "data", "-o", "run", *CPU_STAGES)
    shutil.copytree(data.parent / "run", data.parent / "other")
    same = program("train", "compare", "run", "other", "--recipe", "recipe.toml")
    assert (same.code, same.out.count("yes"), same.out.count("no")) == (0, 3, 0)
    manifest = data.parent / "other" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"forms": 3.0', '"forms": 2.0'))
    differ = program("train", "compare", "run", "other", "--recipe", "recipe.toml")
    assert (differ.code, differ.out.count("\tno")) == (1, 1)
    card = program("train", "card", "run", "--recipe", "recipe.toml")
    assert card.out.startswith("# How these models were made\n\n## lemmatizer\n")


def test_a_gpu_stage_needs_a_gpu(data, program, monkeypatch):  # noqa: ARG001
    monkeypatch.setitem(sys.modules, "torch", None)
    failed = program(
        "train", "all", "data", "-o", "run", "--stage", "network", "--recipe", "recipe.toml"
    )
    assert failed.code == 1
    assert "torch" in failed.err
    assert "Traceback" not in failed.err


def test_an_unknown_stage_is_an_error(data, program):  # noqa: ARG001
    failed = program("train", "all", "data", "-o", "run", "--stage", "lemmatiser")
    assert failed.code == 1
    assert "lemmatizer, frequencies, vectors" in failed.err


def test_there_is_nothing_to_compare(data, program):  # noqa: ARG001
    failed = program("train", "compare", "run", "other")
    assert failed.code == 1
    assert "no run" in failed.err
