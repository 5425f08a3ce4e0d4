"""``locisimiles query``."""

import csv

import pytest

from locisimiles import load_example_query, load_example_source, write_results
from locisimiles.files.parquet_columns import read_columns
from locisimiles.pipeline import Pipeline


@pytest.fixture(scope="module")
def hits(tmp_path_factory):
    path = tmp_path_factory.mktemp("hits") / "hits.parquet"
    found = Pipeline("bm25", k=3).run(query=load_example_query(), source=load_example_source())
    write_results(found, path)
    return path


def test_results_are_asked_with_sql(program, hits, tmp_path):
    done = program("query", hits, "SELECT max(rank) AS last, count(*) FROM results;")
    assert done.out.splitlines()[0].split("\t") == ["last", "count_star()"]
    assert done.out.splitlines()[1].split("\t")[0] == "3"
    first = "SELECT query_id, score FROM results WHERE rank = 1 ORDER BY query_id"
    assert program("query", hits, first, "-o", tmp_path / "first.csv").code == 0
    with (tmp_path / "first.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert rows[0].keys() == {"query_id", "score"}
    assert program("query", hits, first, "-o", tmp_path / "first.parquet").code == 0
    again = read_columns(tmp_path / "first.parquet").columns["query_id"].tolist()
    assert again == [row["query_id"] for row in rows]
    assert len(again) > 10


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT nothing FROM results", "nothing"),
        ("SELEC 1", "SELEC"),
        ("", "one SELECT statement"),
        ("SELECT 1; SELECT 2", "one SELECT statement"),
        ("COPY results TO 'stolen.csv'", "one SELECT statement"),
        ("DROP VIEW results", "one SELECT statement"),
        ("SET enable_external_access = true", "one SELECT statement"),
        ("SELECT * FROM read_csv('secret.csv')", "disabled"),
        ("SELECT * FROM 'secret.csv'", "disabled"),
        ("SELECT * FROM read_text('secret.csv')", "disabled"),
        ("SELECT * FROM results WHERE rank = 'many'", "many"),
        ("SELECT * FROM paths", "paths"),
        ("SELECT error('\x1b[2J')", "2J"),
    ],
)
@pytest.mark.parametrize("output", [[], ["-o", "out.parquet"]], ids=["screen", "file"])
def test_a_query_reads_the_results_and_nothing_else(
    program, hits, tmp_path, monkeypatch, *, sql, message, output
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.csv").write_text("a\n1\n", encoding="utf-8")
    done = program("query", hits, sql, *output)
    assert done.code == 1
    assert message in done.err
    assert done.err.count("\n") == 1
    assert "\x1b" not in done.err
    assert {path.name for path in tmp_path.iterdir()} == {"secret.csv"}


def test_what_is_no_parquet_file_is_refused(program, tmp_path):
    assert "Parquet" in program("query", tmp_path / "hits.csv", "SELECT 1").err
    assert "file not found" in program("query", tmp_path / "hits.parquet", "SELECT 1").err
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 no PAR1")
    assert "not a readable Parquet" in program("query", tmp_path / "bad.parquet", "SELECT 1").err


def test_the_file_is_not_its_own_output(program, hits):
    before = hits.read_bytes()
    done = program("query", hits, "SELECT 1 AS one", "-o", hits, "--overwrite")
    assert done.code == 1
    assert hits.read_bytes() == before
