"""``locisimiles export``."""

from functools import partial

import openpyxl
import pytest

from locisimiles.export import EXPORT_SUFFIXES

HITS = "query_id,source_id,rank,score,query_text,source_text\nq,=s,1,0.5,uox haesit,et uox\n"


@pytest.fixture
def command(tmp_path, monkeypatch, program):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hits.csv").write_text(HITS, encoding="utf-8")
    return partial(program, "export")


@pytest.mark.parametrize("suffix", EXPORT_SUFFIXES)
def test_results_become_any_format(command, tmp_path, suffix):
    done = command("hits.csv", "-o", f"new{suffix}")
    assert done.code == 0
    assert f"wrote new{suffix}" in done.err
    assert (tmp_path / f"new{suffix}").stat().st_size > 0


def test_missing_texts_are_taken_from_a_document(command, tmp_path):
    (tmp_path / "theirs.csv").write_text("query_id,source_id,score\nq,s,1\n", encoding="utf-8")
    (tmp_path / "query.csv").write_text("seg_id,text\nq,arma uirumque\n", encoding="utf-8")
    assert command("theirs.csv", "-o", "new.xlsx", "--query", "query.csv").code == 0
    header, row = openpyxl.load_workbook(tmp_path / "new.xlsx")["references"].values
    assert dict(zip(header, row, strict=True))["query_text"] == "arma uirumque"


def test_pairs_of_a_file_are_explained(command, tmp_path):
    assert command("hits.csv", "-o", "new.csv", "--explain").code == 0
    assert "nowhere else in 1 segment;" in (tmp_path / "new.csv").read_text(encoding="utf-8")
    source = "seg_id,text\n=s,et uox\nt,uox\n"
    (tmp_path / "source.csv").write_text(source, encoding="utf-8")
    done = command("hits.csv", "-o", "all.csv", "--explain", "--source", "source.csv")
    assert done.code == 0
    assert "1 other place of 2 segments, t;" in (tmp_path / "all.csv").read_text(encoding="utf-8")


def test_tables_are_guarded_and_unguarded(command, tmp_path):
    assert command("hits.csv", "-o", "safe.csv", "--spreadsheet-safe").code == 0
    assert "\nq,'=s,1," in (tmp_path / "safe.csv").read_text(encoding="utf-8")
    assert command("safe.csv", "-o", "back.csv", "--guarded").code == 0
    assert "\nq,=s,1," in (tmp_path / "back.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing.csv", "-o", "new.csv"], "file not found"),
        (["hits.csv", "-o", "new.docx"], "unknown suffix"),
        (["hits.csv", "-o", "hits.csv", "--overwrite"], "is one of the inputs"),
        (["hits.csv", "-o", "new.html", "--spreadsheet-safe"], "leave out --spreadsheet-safe"),
    ],
)
def test_errors_are_reported(command, tmp_path, arguments, message):
    done = command(*arguments)
    assert done.code == 1
    assert message in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["hits.csv"]


def test_accepted_references_become_an_apparatus(command, tmp_path):
    judged = HITS.replace("\n", ",verdict,note\n", 1).replace("et uox\n", "et uox,cf.,ad loc.\n")
    (tmp_path / "judged.csv").write_text(judged, encoding="utf-8")
    assert command("judged.csv", "-o", "fontes.html", "--apparatus").code == 0
    assert "ad loc." in (tmp_path / "fontes.html").read_text(encoding="utf-8")
    assert "unknown suffix" in command("judged.csv", "-o", "fontes.csv", "--apparatus").err
    assert "accepted" in command("hits.csv", "-o", "none.docx", "--apparatus").err
