"""A workbook of very many rows takes minutes: commands say so before they begin."""

import pytest

from locisimiles.cli import files

TABLE = "query_id,source_id,score\n" + "".join(f"q{n},s{n},1\n" for n in range(6))
TEXTS = "id,text\n" + "".join(f"{n},uox faucibus haesit\n" for n in range(4))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in (("hits.csv", TABLE), ("q.csv", TEXTS), ("s.csv", TEXTS)):
        (tmp_path / name).write_text(content)
    return tmp_path


def noted(done):
    assert done.code == 0, done.err
    return [line for line in done.err.splitlines() if "may take minutes" in line]


@pytest.mark.parametrize(
    ("most", "output", "notes"), [(5, "a.xlsx", 1), (6, "a.xlsx", 0), (5, "a.csv", 0)]
)
def test_export(program, monkeypatch, most, output, notes):
    monkeypatch.setattr(files, "_MANY_ROWS", most)
    found = noted(program("export", "hits.csv", "-o", output))
    assert len(found) == notes
    assert all("6 rows" in line and ".parquet" in line for line in found)


@pytest.mark.parametrize(
    ("options", "rows"),
    [(["-k", "2"], 8), (["--budget", "3", "--classifier", "ensemble"], 3)],
)  # fmt: skip
def test_search(program, monkeypatch, options, rows):
    for most, notes in ((rows, 0), (rows - 1, 1)):
        monkeypatch.setattr(files, "_MANY_ROWS", most)
        search = ("search", "q.csv", "s.csv", "--method", "bm25", "--overwrite", *options)
        found = noted(program(*search, "-o", "a.xlsx"))
        assert len(found) == notes
        assert noted(program(*search, "-o", "a.csv")) == noted(program(*search)) == []


def test_reading(program, folder, monkeypatch):
    assert noted(program("export", "hits.csv", "-o", "a.xlsx")) == []
    size = (folder / "a.xlsx").stat().st_size
    for most, notes in ((size, 0), (size - 1, 1)):
        monkeypatch.setattr(files, "_MANY_BYTES", most)
        assert len(noted(program("export", "a.xlsx", "-o", "b.csv", "--overwrite"))) == notes


def test_merging(program, monkeypatch):
    plan = "job plan j q.csv i --method bm25 --classifier none"
    for command in ("index build i s.csv --model none", plan, "job run j --jobs 1"):
        assert program(*command.split()).code == 0
    for most, notes in ((12, 0), (11, 1)):
        monkeypatch.setattr(files, "_MANY_ROWS", most)
        assert len(noted(program(*"job merge j -k 3 --overwrite -o a.xlsx".split()))) == notes
