import codecs
import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.corpus.formats.tables import looks_like_table
from locisimiles.errors import EmptyInputError, MalformedInputError, MissingColumnError

CELLS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_commas_semicolons_and_tabs_part_cells(read, delimiter, newline):
    rows = [["id", "text", "year"], ["a", "arma", "-19"], ["b", "uirum", "-18"]]
    document = read("csv", newline.join(delimiter.join(row) for row in rows) + newline)
    assert (document.ids, document.texts) == (("a", "b"), ("arma", "uirum"))
    assert dict(document.meta) == {"year": ("-19", "-18")}


def test_the_separator_is_the_one_between_id_and_text(read):
    document = read("csv", "id;text;a,b,c,d\n1;arma, uirum, cano;x\n")
    assert document.texts == ("arma, uirum, cano",)


@pytest.mark.parametrize(
    "data",
    [
        "id,text\na,aër\n".encode(),
        codecs.BOM_UTF8 + "id,text\na,aër\n".encode(),
        "id,text\na,aër\n".encode("cp1252"),
        codecs.BOM_UTF16_LE + "id,text\na,aër\n".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "id,text\r\na,aër\r\n".encode("utf-16-be"),
    ],
)
def test_common_encodings_are_read(read, data):
    assert read("csv", data)["a"].text == "aër"


def test_a_guessed_encoding_is_reported(read):
    document = read("csv", "id,text\na,aër\n".encode("cp1252"))
    assert document.report.messages() == ["text.csv: not UTF-8, read as CP1252 (Latin-1)"]


def test_quoted_cells_may_contain_separators_quotes_and_line_breaks(read):
    document = read("csv", 'id,text\r\na,"Arma, ""uirum""\r\ncano"\r\nb,Troiae\r\n')
    assert document.texts == ('Arma, "uirum"\r\ncano', "Troiae")


def test_rows_are_counted_as_a_spreadsheet_counts_them(read):
    document = read("csv", 'id,text\na,"arma\nuirum\ncano"\n\nb,\n')
    assert document.report.messages() == ["text.csv: 1 row skipped, the text is empty (row 4)"]


def test_a_cell_of_several_megabytes_is_read(read):
    text = "arma uirumque cano " * 200_000
    assert read("csv", f'id,text\na,"{text}"\n').texts == (text.strip(),)


def test_metadata_columns_are_kept_in_order_and_case(read):
    document = read("csv", "Zeit,id,text,Anmerkung\n1,a,arma, x \n")
    assert dict(document.meta) == {"Zeit": ("1",), "Anmerkung": (" x ",)}


def test_short_rows_are_padded(read):
    document = read("csv", "id,text,year\na,arma\n")
    assert document["a"].meta == {}


def test_empty_cells_beyond_the_header_do_no_harm(read):
    assert read("csv", "id,text\na,arma,,\n").texts == ("arma",)


def test_rows_that_are_longer_than_the_header_are_refused(read):
    with pytest.raises(MalformedInputError) as caught:
        read("csv", "id,text\na,arma\nb,arma, uirumque\n")
    assert str(caught.value) == (
        "text.csv, row 3: the row has 3 cells, the header 2; "
        'name every column, and put texts that contain the separator in quotation marks (")'
    )


@pytest.mark.parametrize("data", ['id,text\na,"arma\nb,uirum\n', 'id,text\na,"arma"uirum\n'])
def test_a_quotation_mark_out_of_place_is_refused_with_its_row(read, data):
    with pytest.raises(MalformedInputError) as caught:
        read("csv", data)
    assert str(caught.value).startswith("text.csv, row 2: the table is broken here (")
    assert str(caught.value).endswith(
        'look for a quotation mark (") that is never closed, or stands inside a cell'
    )


def test_a_quotation_mark_inside_a_cell_that_begins_otherwise_is_text(read):
    assert read("csv", 'id,text\na,dixit "abeo" ille\n').texts == ('dixit "abeo" ille',)


def test_empty_lines_are_ignored(read):
    document = read("csv", "\n\nid,text\n\na,arma\n,\n  ,  \nb,uirum\n\n")
    assert document.ids == ("a", "b")
    assert document.report.messages() == []


def test_a_header_in_quotes_is_understood(read):
    assert read("csv", '"id";"text"\n"a";"arma"\n').texts == ("arma",)


@pytest.mark.parametrize("text", ['"Quo tenditis?" inquit', '"Quo tenditis?', '"Quo "Arma"'])
def test_a_tsv_file_without_quoting_keeps_its_quotation_marks_and_says_so(read, text):
    document = read("tsv", f"id\ttext\na\t{text}\nb\tuirum\n")
    assert document.texts == (text, "uirum")
    assert document.report.messages() == ['text.tsv: quotation marks (") read as part of the text']


def test_a_tsv_file_with_quoting_is_read_with_it(read):
    assert read("tsv", 'id\ttext\na\t"Arma\tuirum"\n').texts == ("Arma\tuirum",)


def test_a_tsv_file_of_uneven_rows_is_refused(read):
    with pytest.raises(MalformedInputError, match="row 2: the row has 3 cells, the header 2"):
        read("tsv", "id\ttext\na\tarma\tuirum\n")


def test_a_tsv_file_is_not_split_at_commas(read):
    with pytest.raises(MissingColumnError, match="the columns are id,text"):
        read("tsv", "id,text\na,arma\n")


@pytest.mark.parametrize("kind", ["csv", "tsv"])
def test_a_file_of_line_breaks_and_a_byte_order_mark_is_empty(read, kind):
    with pytest.raises(EmptyInputError) as caught:
        read(kind, codecs.BOM_UTF8 + b"\n\n")
    assert str(caught.value) == f"text.{kind}: the file is empty"


def test_old_line_ends_are_understood(read):
    assert read("csv", "id,text\ra,arma\rb,uirum\r").ids == ("a", "b")


@pytest.mark.parametrize(
    "text", ["id,text", "\nid;text\n1;a", "ID\tText\r\n", '"seg_id","text"', 'id,"text']
)
def test_a_table_is_recognised_by_its_first_line(text):
    assert looks_like_table(text)


@pytest.mark.parametrize("text", ["id|text", "Arma, uirum", ""])
def test_other_first_lines_are_not_table_headers(text):
    assert not looks_like_table(text)


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=5, unique_by=lambda r: r[0].strip()
    ),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_any_ids_and_texts_survive_writing_and_reading(read, rows, delimiter, encoding):
    rows = [(i, t, m) for i, t, m in rows if i.strip() and t.strip()] or [("a", "arma", "")]
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter)
    writer.writerows([("id", "text", "note"), *rows])
    document = read("csv", stream.getvalue().encode(encoding))
    assert document.ids == tuple(i.strip() for i, _, _ in rows)
    assert document.texts == tuple(t.strip() for _, t, _ in rows)
    assert document.meta["note"] == tuple(m for _, _, m in rows)


def test_rows_that_are_skipped_in_a_tsv_file_without_quoting_are_counted_once(read):
    document = read("tsv", 'id\ttext\na\t\nb\t"Quo tenditis?" inquit\n')
    assert document.report.skipped == 1


def test_a_quotation_that_runs_over_rows_of_a_tsv_file_does_not_swallow_them(read):
    document = read("tsv", 'id\ttext\na\t"Quo tenditis?\nb\tQui genus?"\n')
    assert document.ids == ("a", "b")


def test_the_separator_is_found_before_old_line_ends_too(read):
    assert read("csv", "id;text\ra;arma, uirum, cano, Troiae\r").ids == ("a",)
