"""A colleague's judgements."""

import openpyxl
import pytest

from locisimiles import InputError, MalformedInputError, MissingColumnError, OutputError
from locisimiles.export.judgements import Judgement, read_judgements, write_judgements


def table(folder, *rows, header="query_id,source_id,verdict,reader,note"):
    path = folder / "judged.csv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_judgements_are_read_with_reader_and_note(tmp_path):
    path = table(tmp_path, "a,b,cit.,MR,uox faucibus", "a,c,reject,MR,", "a,d,,,")
    assert read_judgements(path) == (
        Judgement("a", "b", "cit.", "MR", "uox faucibus"),
        Judgement("a", "c", "reject", "MR", ""),
    )


@pytest.mark.parametrize(
    ("word", "verdict"),
    [("cit", "cit."), ("CF.", "cf."), (" cf ", "cf."), ("rejected", "reject"), ("?", "unsure")],
)
def test_verdicts_have_several_spellings(tmp_path, word, verdict):
    (one,) = read_judgements(table(tmp_path, f"a,b,{word}", header="query_id,source_id,verdict"))
    assert one == Judgement("a", "b", verdict)


def test_judgements_are_read_from_a_workbook(tmp_path):
    book = openpyxl.Workbook()
    for row in (["query_id", "source_id", "verdict"], ["a", "b", "unsure"]):
        book.active.append(row)
    book.save(tmp_path / "judged.xlsx")
    assert read_judgements(tmp_path / "judged.xlsx") == (Judgement("a", "b", "unsure"),)


def test_several_readers_may_judge_a_pair_but_none_twice(tmp_path):
    assert len(read_judgements(table(tmp_path, "a,b,cit.,MR,", "a,b,cf.,JS,"))) == 2
    with pytest.raises(MalformedInputError, match=r"row 3: the same reader already .* in row 2"):
        read_judgements(table(tmp_path, "a,b,cit.,MR,", "a,b,cf.,MR,"))


def test_an_invalid_row_is_an_error_that_names_it(tmp_path):
    with pytest.raises(MalformedInputError, match=r"row 2: unknown verdict 'perhaps'; use cit\."):
        read_judgements(table(tmp_path, "a,b,perhaps,,"))
    with pytest.raises(InputError, match="row 2: the source_id is empty"):
        read_judgements(table(tmp_path, "a,,cit.,,"))
    with pytest.raises(MissingColumnError, match="no column 'verdict'"):
        read_judgements(table(tmp_path, "a,b", header="query_id,source_id"))


WRITTEN = (
    Judgement("a", "b", "cit.", "Ann", "=1+1", "2026-01-02", independent=True),
    Judgement("a", "c", None, "Bo", "-- cf. Hagendahl", "", adjudicated=False),
    Judgement("a", "c", "reject", "", "", "", adjudicated=True),
)


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".xlsx", ".json"])
def test_what_is_written_is_read_again_and_holds_no_formula(tmp_path, suffix):
    path = tmp_path / f"judged{suffix}"
    path.write_bytes(write_judgements(WRITTEN, suffix))
    assert read_judgements(path, guarded=suffix != ".json") == WRITTEN
    if suffix == ".xlsx":
        cells = [cell for row in openpyxl.load_workbook(path).active for cell in row]
        assert "f" not in {cell.data_type for cell in cells}
    elif suffix != ".json":
        assert b"\t=1" not in path.read_bytes()
        assert b",=1" not in path.read_bytes()


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".xlsx", ".json"])
def test_no_judgements_are_written_and_read(tmp_path, suffix):
    path = tmp_path / f"judged{suffix}"
    path.write_bytes(write_judgements([], suffix))
    assert read_judgements(path) == ()


@pytest.mark.parametrize("suffix", [".parquet", ".txt", "", "csv"])
def test_no_other_format_is_written(suffix):
    with pytest.raises(OutputError, match="csv"):
        write_judgements(WRITTEN, suffix)
