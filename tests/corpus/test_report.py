from locisimiles.corpus import ReadReport
from locisimiles.messages import Message


def test_an_empty_report_is_an_empty_text():
    report = ReadReport()
    assert (str(report), report.messages(), report.skipped) == ("", [], 0)


def test_one_skipped_row_is_reported_in_the_singular():
    report = ReadReport()
    report.skip("query.csv", 4, "corpus.empty_text")
    assert str(report) == "query.csv: 1 row skipped, the text is empty (row 4)"


def test_at_most_five_rows_are_named():
    report = ReadReport()
    for row in range(2, 10):
        report.skip("query.csv", row, "corpus.empty_text")
    assert report.messages() == [
        "query.csv: 8 rows skipped, the text is empty (rows 2, 3, 4, 5, 6 and 3 more)"
    ]


def test_five_rows_are_all_named():
    report = ReadReport()
    for row in range(2, 7):
        report.skip("query.csv", row, "corpus.empty_text")
    assert report.messages() == [
        "query.csv: 5 rows skipped, the text is empty (rows 2, 3, 4, 5, 6)"
    ]


def test_rows_are_grouped_by_file_and_reason():
    report = ReadReport()
    report.skip("a.csv", 2, "corpus.empty_text")
    report.skip("b.tess", 3, "corpus.empty_text")
    report.skip("a.csv", 5, "corpus.no_word")
    report.skip("a.csv", 6, "corpus.empty_text")
    assert report.skipped == 4
    assert report.messages() == [
        "a.csv: 2 rows skipped, the text is empty (rows 2, 6)",
        "b.tess: 1 row skipped, the text is empty (row 3)",
        "a.csv: 1 row skipped, it contains no word (row 5)",
    ]


def test_remarks_come_first():
    report = ReadReport()
    report.skip("query.csv", 4, "corpus.empty_text")
    report.note("query.csv", "corpus.read_as_cp1252")
    assert str(report).splitlines()[0] == "query.csv: not UTF-8, read as CP1252 (Latin-1)"


def test_reports_do_not_share_their_entries():
    ReadReport().note("query.csv", "corpus.read_as_cp1252")
    assert ReadReport().notes == []


def test_a_report_is_data_that_every_language_can_say():
    report = ReadReport()
    report.note("a.xlsx", "corpus.sheet_left_out", title="Notes")
    report.skip("a.xlsx", 4, "corpus.empty_text")
    note, skipped = report.remarks()
    assert note.values["remark"] == Message("corpus.sheet_left_out", {"title": "Notes"})
    assert note.text("de") == "a.xlsx: nur ein Blatt wird gelesen; ausgelassen: „Notes“"
    assert skipped.text("it") == "a.xlsx: 1 riga saltata, il testo è vuoto (riga 4)"
    assert [Message.from_json(remark.as_json()) for remark in (note, skipped)] == [note, skipped]
