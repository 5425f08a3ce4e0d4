"""``locisimiles rerun`` on the manifests of searches, jobs and benchmark runs."""

import json
import shutil

import pytest

from locisimiles.benchmark.runs.execution import run_benchmark
from support.small_set import small_set

QUERY = "id,text\nq1,Haesit uox faucibus\nq2,arma uirumque fero\nq3,nihil tale\n"
SOURCE = "id,text\ns1,et uox faucibus haesit\ns2,Arma uirumque cano\ns3,tu quoque litoribus\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "query.csv").write_text(QUERY)
    (tmp_path / "texts" / "source.csv").write_text(SOURCE)
    return tmp_path


@pytest.fixture
def searched(program, folder):
    def searched(*options):
        texts = ("texts/query.csv", "texts/source.csv")
        assert program("search", *texts, "-o", "hits.csv", *options).code == 0
        return folder / "hits.csv.manifest.json"

    return searched


SEARCHES = {
    "lexical": ("--method", "bm25", "--classifier", "none", "-k", "2"),
    "settings": ("--method", "bm25", "--set", "k1=1.2", "--explain", "--spreadsheet-safe"),
    "classified": ("--method", "bm25", "--classifier", "ensemble", "--threshold", "0.01"),
}


@pytest.mark.parametrize("options", SEARCHES.values(), ids=SEARCHES)
def test_a_search_gives_the_same_bytes(program, folder, searched, monkeypatch, options):
    manifest = searched(*options)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    monkeypatch.chdir("/")
    for name in (manifest, folder / "hits.csv"):
        done = program("rerun", name)
        assert (done.code, done.out) == (0, "hits.csv\tthe same bytes\n")
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_folder_can_be_moved_with_its_texts(program, folder, searched):
    searched("--method", "bm25", "--classifier", "none")
    shutil.move(folder / "texts", folder / "moved" / "texts")
    for path in folder.glob("hits.csv*"):
        shutil.move(path, folder / "moved" / path.name)
    assert program("rerun", "moved/hits.csv").code == 0


def test_what_differs_is_named(program, folder, searched):
    manifest = searched("--method", "bm25", "--classifier", "none")
    (folder / "texts" / "source.csv").write_text(SOURCE.replace("cano", "canit"))
    done = program("rerun", manifest)
    assert (done.code, done.out) == (1, "hits.csv\tdiffers\n")
    assert "the manifest differs in source: it was" in done.err
    assert "in query" not in done.err


def test_a_table_that_was_changed_is_noted(program, folder, searched):
    manifest = searched("--method", "bm25", "--classifier", "none")
    with (folder / "hits.csv").open("a") as stream:
        stream.write("\n")
    done = program("rerun", manifest)
    assert done.code == 0
    assert "note: hits.csv was changed after it was written" in done.err


@pytest.mark.parametrize(
    "change",
    [
        {"repeat": None},
        {"repeat": {"query": "a", "source": ["b"], "exec": "x"}},
        {"repeat": {"query": {"a": 1}, "source": ["b"]}},
        {"repeat": {"query": "a", "source": ["b"], "output": "c"}},
        {"repeat": {"query": "a", "source": ["b"], "k": "3"}},
        {"repeat": {"query": "a", "source": ["b"], "explain": 1}},
        {"repeat": {"query": "a"}},
        {"repeat": {"query": "a", "source": [["b"]]}},
        {"repeat": {"query": "-", "source": ["b"]}},
        {"repeat": {"query": "texts/none.csv", "source": ["texts/source.csv"]}},
    ],
)
def test_a_manifest_of_somebody_else_is_checked(program, searched, change):
    manifest = searched("--method", "bm25", "--classifier", "none")
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), **change}))
    done = program("rerun", manifest)
    assert done.code == 1
    assert done.err.startswith("error: ")


def test_a_manifest_without_a_file_is_an_error(program, folder):
    assert "file not found" in program("rerun", folder / "none.csv").err


def test_a_benchmark_run_gives_the_same_bytes(program, folder):
    small_set().save(folder / "small")
    (run, *_) = run_benchmark(small_set(), ["bm25"], ["retrieval"], folder / "runs", k=5)
    manifest = run.folder / "manifest.json"
    assert "--benchmark" in program("rerun", manifest).err
    done = program("rerun", manifest, "--benchmark", "small")
    assert done.code == 0, done.err
    assert done.out.splitlines() == [
        f"retrieval/bm25/{name}\tthe same bytes"
        for name in ("queries/results.json", "results.json", "run.trec")
    ]
    content = json.loads(manifest.read_text())
    content["files"]["run.trec"] = "0" * 64
    manifest.write_text(json.dumps(content))
    done = program("rerun", manifest, "--benchmark", "small")
    assert (done.code, "run.trec\tdiffers" in done.out) == (1, True)


def test_a_job_gives_the_same_bytes(program, folder):
    assert program("index", "build", "sources", "texts/source.csv", "--model", "none").code == 0
    plan = ("job", "plan", "letters", "texts/query.csv", "sources", "--method", "bm25")
    assert program(*plan, "--classifier", "none").code == 0
    assert program("job", "run", "letters").code == 0
    done = program("rerun", "letters")
    assert done.code == 0, done.err
    assert done.out.startswith("blocks/")
    assert done.out.endswith(".parquet\tthe same bytes\n")
    (block,) = (folder / "letters" / "blocks").glob("*.parquet")
    block.write_bytes(block.read_bytes()[:-1] + b"x")
    assert program("rerun", "letters").code == 1


@pytest.mark.parametrize("suffix", [".parquet", ".xlsx", ".json"])
def test_a_format_that_keeps_no_arguments_says_which_do(program, folder, suffix):
    texts = ("texts/query.csv", "texts/source.csv")
    output = folder / f"hits{suffix}"
    assert program("search", *texts, "--method", "bm25", "-o", output).code == 0
    done = program("rerun", output)
    assert done.code == 1
    assert f"hits{suffix}: it does not say how to repeat" in done.err
    assert ".csv, .tsv, .jsonl" in done.err
