"""A colleague's judgements."""

import openpyxl
import pytest

from locisimiles import InputError, MalformedInputError, MissingColumnError
from locisimiles.export.judgements import Judgement, read_judgements


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
