import pytest

from locisimiles.corpus import ReadReport
from locisimiles.corpus.formats.records import has_segment_columns, segments_from_rows
from locisimiles.errors import EmptyInputError, MissingColumnError, SegmentIdError
from locisimiles.files.tables import named_rows


def _table(names, *rows, report=None):
    numbered = named_rows(names, enumerate(map(list, rows), start=2), "a.csv")
    return segments_from_rows(names, numbered, "a.csv", report or ReadReport())


@pytest.mark.parametrize(
    ("names", "answer"),
    [
        (["seg_id", "text"], True),
        (["ID", " Text "], True),
        (["segment_id", "author", "TEXT"], True),
        (["id", "body"], False),
        (["text"], False),
        ([], False),
    ],
)
def test_a_table_of_segments_has_an_id_and_a_text_column(names, answer):
    assert has_segment_columns(names) is answer


@pytest.mark.parametrize("name", ["id", "ID", "Id", "seg_id", "Seg_ID", "segment_id", " id "])
def test_the_id_column_is_found_whatever_its_case(name):
    assert _table([name, "text"], ["a", "arma"]).ids == ["a"]


@pytest.mark.parametrize("name", ["text", "Text", "TEXT", "text "])
def test_the_text_column_is_found_whatever_its_case(name):
    assert _table(["id", name], ["a", "arma"]).texts == ["arma"]


def test_seg_id_wins_over_other_id_columns():
    columns = _table(["id", "seg_id", "text"], ["7", "a", "arma"])
    assert (columns.ids, columns.meta) == (["a"], {"id": ["7"]})


def test_author_work_and_locus_have_columns_of_their_own():
    columns = _table(
        ["Author", "WORK", "locus", "id", "text"], [" Virgil ", "Aeneis", "1.1", "a", "arma"]
    )
    assert (columns.authors, columns.works, columns.loci) == (["Virgil"], ["Aeneis"], ["1.1"])
    assert columns.meta == {}


def test_columns_that_mean_nothing_to_us_are_metadata_under_their_own_names():
    columns = _table(["id", "text", "Year ", ""], ["a", "arma", " -19 ", "x"])
    assert columns.meta == {"Year": [" -19 "]}


def test_ids_and_texts_are_stripped():
    columns = _table(["id", "text"], [" a ", "\tarma\n"])
    assert (columns.ids, columns.texts) == (["a"], ["arma"])


def test_a_row_without_text_is_skipped_and_reported():
    report = ReadReport()
    columns = _table(["id", "text"], ["a", " "], ["", ""], ["c", "arma"], report=report)
    assert (columns.ids, columns.rows) == (["c"], [4])
    assert report.messages() == ["a.csv: 2 rows skipped, the text is empty (rows 2, 3)"]


def test_a_repeated_id_is_refused_with_both_rows():
    with pytest.raises(SegmentIdError) as caught:
        _table(["id", "text"], ["a", "arma"], ["b", "uirum"], [" a", "cano"])
    assert str(caught.value) == (
        "a.csv, row 4: the id 'a' is already used in row 2; ids must be unique"
    )


def test_the_id_of_a_skipped_row_may_be_used_again():
    assert _table(["id", "text"], ["a", ""], ["a", "arma"]).ids == ["a"]


def test_a_text_without_id_is_refused_with_its_row():
    with pytest.raises(SegmentIdError) as caught:
        _table(["id", "text"], ["a", "arma"], [" ", "uirum"])
    assert str(caught.value) == "a.csv, row 3: the id is empty; give every row an id of its own"


@pytest.mark.parametrize(
    ("names", "wanted", "found"),
    [
        (["id", "body"], "'text'", "id, body"),
        (["no", "text"], "'seg_id' (or 'id')", "no, text"),
        (["", " "], "'seg_id' (or 'id')", "–"),
        (["\x1b[2J"], "'seg_id' (or 'id')", "�[2J"),
    ],
)
def test_a_missing_column_is_named_with_the_present_ones(names, wanted, found):
    with pytest.raises(MissingColumnError) as caught:
        _table(names)
    assert str(caught.value) == (
        f"a.csv, row 1: there is no column {wanted}; the columns are {found}; "
        "the first row must name a column 'seg_id' (or 'id') and a column 'text'"
    )


@pytest.mark.parametrize("names", [["id", "text", "Text"], ["id", "ID ", "text"]])
def test_two_columns_of_the_same_name_are_refused(names):
    with pytest.raises(MissingColumnError, match=r"row 1: two columns are called '.*'; rename one"):
        _table(names)


def test_several_columns_without_a_name_are_ignored():
    assert _table(["id", "text", "", ""], ["a", "arma", "x", "y"]).meta == {}


def test_a_table_without_any_text_is_an_error():
    with pytest.raises(EmptyInputError) as caught:
        _table(["id", "text"], ["a", ""])
    assert str(caught.value) == "a.csv: no row contains text"


def test_equal_metadata_are_kept_once():
    columns = _table(["id", "text", "x"], ["a", "arma", "".join("uv")], ["b", "c", "".join("uv")])
    assert columns.meta["x"][0] is columns.meta["x"][1]
