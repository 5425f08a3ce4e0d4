"""Export for other tools."""

import csv
import json

import pytest

from locisimiles import Document, Segment
from locisimiles.benchmark.sets.beir import export_beir
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.references import References
from locisimiles.errors import OutputError


@pytest.fixture
def benchmark():
    return Benchmark(
        Document.from_segments(
            [Segment("q 1", "uox"), Segment("q 2", "tu"), Segment("q 3", "ego")]
        ),
        Document.from_segments(
            [Segment("s 1", "vōx", "Virgil", "Aeneis", "1.1"), Segment("s\t2", "arma")]
        ),
        References.from_columns([1, 0, 0], [0, 1, 0], [1, 1, 2], fold=[1, 0, 0], grade=[1, 2, 0.5]),
    )


def qrels(folder, name):
    with (folder / "qrels" / f"{name}.tsv").open(encoding="utf-8", newline="") as stream:
        header, *rows = csv.reader(stream, delimiter="\t")
    assert header == ["query-id", "corpus-id", "score"]
    return rows


def test_segments(benchmark, tmp_path):
    export_beir(benchmark, tmp_path / "beir")
    lines = (tmp_path / "beir" / "corpus.jsonl").read_text("utf-8").splitlines()
    assert json.loads(lines[0]) == {
        "_id": "s 1",
        "title": "",
        "text": "vōx",
        "metadata": {"author": "Virgil", "work": "Aeneis", "locus": "1.1"},
    }
    assert len(lines) == 2
    queries = (tmp_path / "beir" / "queries.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["_id"] for line in queries] == ["q 1", "q 2", "q 3"]


def test_judgements(benchmark, tmp_path):
    written = export_beir(benchmark, tmp_path)
    names = {path.stem for path in written if path.suffix == ".tsv"}
    assert names == {
        "test", "test_cit", "test_cf", "train_fold0", "test_fold0", "train_fold1", "test_fold1",
    }  # fmt: skip
    everything = [["q 1", "s 1", "0.5"], ["q 1", "s\t2", "2"], ["q 2", "s 1", "1"]]
    assert qrels(tmp_path, "test") == everything
    assert qrels(tmp_path, "test_cf") == everything[:1]
    assert qrels(tmp_path, "test_cit") == everything[1:]
    assert qrels(tmp_path, "test_fold0") == qrels(tmp_path, "train_fold1") == everything[:2]
    assert qrels(tmp_path, "train_fold0") == qrels(tmp_path, "test_fold1") == everything[2:]


def test_a_set_without_folds_and_allusions(benchmark, tmp_path):
    plain = Benchmark(benchmark.query, benchmark.source, References.from_columns([0], [0], [1]))
    names = {path.name for path in export_beir(plain, tmp_path)}
    assert names == {"corpus.jsonl", "queries.jsonl", "test.tsv", "test_cit.tsv"}


def test_the_same_set_gives_the_same_bytes(benchmark, tmp_path):
    for path in export_beir(benchmark, tmp_path / "a"):
        again = tmp_path / "b" / path.relative_to(tmp_path / "a")
        export_beir(benchmark, tmp_path / "b")
        assert again.read_bytes() == path.read_bytes()


def test_a_folder_that_cannot_be_written_is_an_error(benchmark, tmp_path):
    (tmp_path / "file").write_text("here")
    with pytest.raises(OutputError, match="cannot be written"):
        export_beir(benchmark, tmp_path / "file")
