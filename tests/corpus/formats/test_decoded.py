import pytest

from locisimiles.corpus import ReadReport
from locisimiles.corpus.formats.decoded import read_text
from locisimiles.files.raw import RawInput


@pytest.mark.parametrize(
    ("data", "encoding", "remarks"),
    [
        ("aër", None, []),
        ("aër", "utf-8", []),
        ("aër", "cp1252", ["a.txt: not UTF-8, read as CP1252 (Latin-1)"]),
    ],
)
def test_an_encoding_that_was_guessed_is_reported(data, encoding, remarks):
    report = ReadReport()
    assert read_text(RawInput("a.txt", data.encode(encoding or "utf-8")), report) == data
    assert report.messages() == remarks


def test_an_encoding_that_the_user_names_is_not_reported():
    report = ReadReport()
    assert read_text(RawInput("a.txt", b"a\xebr"), report, encoding="cp1252") == "aër"
    assert report.messages() == []
