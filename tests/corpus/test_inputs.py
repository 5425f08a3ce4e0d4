import io
import sys

import pytest

from locisimiles.corpus import ReadReport
from locisimiles.corpus.inputs import FileToRead, list_files
from locisimiles.errors import EmptyInputError, InputError, MalformedInputError
from locisimiles.files.raw import RawInput


def _opened(path, report=None, **choices):
    return list(FileToRead(path).open(report or ReadReport(), **choices))


def test_a_file_is_one_file(write):
    path = write("a.csv", "id,text")
    assert list_files(path, ReadReport()) == [FileToRead(path)]
    assert _opened(path) == [RawInput(str(path), b"id,text")]


def test_a_path_may_be_a_string(write):
    path = write("a.csv", "id,text")
    assert list_files(str(path), ReadReport()) == [FileToRead(path)]


def test_a_dash_is_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"arma")))
    [file] = list_files("-", ReadReport())
    assert list(file.open(ReadReport())) == [RawInput("<stdin>", b"arma")]


def test_a_folder_stands_for_its_files_in_order_of_name(tmp_path, write):
    names = ["b.txt", "a/z.txt", "a/b/c.txt", "a.txt"]
    paths = [write(name, "arma") for name in names]
    found = list_files(tmp_path, ReadReport())
    assert [file.path for file in found] == sorted(paths)
    assert not any(file.by_itself for file in found)


def test_clutter_in_a_folder_is_ignored(tmp_path, write):
    for name in (".DS_Store", ".git/config", "__MACOSX/a.txt", "Thumbs.db", "sub/desktop.ini"):
        write(name, "x")
    kept = write("a.txt", "arma")
    assert [file.path for file in list_files(tmp_path, ReadReport())] == [kept]


def test_a_folder_without_files_is_an_error_that_names_it(tmp_path):
    with pytest.raises(EmptyInputError) as caught:
        list_files(tmp_path, ReadReport())
    assert str(caught.value) == f"{tmp_path}: the folder contains no files"


def test_a_folder_inside_a_hidden_one_is_read(tmp_path, write):
    path = write(".cache/texts/a.txt", "arma")
    files = list_files(tmp_path / ".cache" / "texts", ReadReport())
    assert [file.path for file in files] == [path]


@pytest.mark.parametrize("name", ["missing/a.csv", "/nonexistent/a.csv"])
def test_a_path_that_leads_nowhere_is_an_error_that_names_it(name):
    with pytest.raises(InputError) as caught:
        list_files(name, ReadReport())
    assert str(caught.value) == f"{name}: file not found"


def test_a_name_that_is_neither_file_nor_text_gets_a_suggestion(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        list_files("vergli", ReadReport())
    assert str(caught.value).startswith(
        "vergli: neither a file nor a text of the library has this name; did you mean vergil"
    )


def test_the_members_of_a_zip_file_come_in_the_order_of_their_names(write_zip):
    path = write_zip("texts.zip", {"b.txt": "uirum", "a/c.txt": "arma", "a/": ""})
    assert _opened(path) == [
        RawInput(f"{path}/a/c.txt", b"arma", by_itself=False),
        RawInput(f"{path}/b.txt", b"uirum", by_itself=False),
    ]


def test_clutter_in_a_zip_file_is_ignored(write_zip):
    path = write_zip("t.zip", {"__MACOSX/._a.txt": "x", ".hidden": "x", "a.txt": "arma"})
    assert [raw.name for raw in _opened(path)] == [f"{path}/a.txt"]


@pytest.mark.parametrize("members", [{"a/": ""}, {".hidden": "x"}])
def test_a_zip_file_without_texts_is_an_error_that_names_it(write_zip, members):
    path = write_zip("t.zip", members)
    with pytest.raises(EmptyInputError) as caught:
        _opened(path)
    assert str(caught.value) == f"{path}: the zip file contains no files"


def test_a_zip_file_is_known_by_its_content_whatever_its_name(write_zip):
    path = write_zip("texts.dat", {"a.txt": "arma"})
    assert [raw.data for raw in _opened(path)] == [b"arma"]


def test_a_zip_file_inside_a_zip_file_is_left_out_with_a_note(write_zip):
    inner = write_zip("inner.zip", {"a.txt": "arma"}).read_bytes()
    path = write_zip("outer.zip", {"inner.zip": inner, "b.txt": "uirum"})
    report = ReadReport()
    assert [raw.data for raw in _opened(path, report)] == [b"uirum"]
    assert report.messages() == [
        f"{path}/inner.zip: left out, zip files inside zip files are not opened"
    ]


def test_a_workbook_inside_a_zip_file_is_kept(write_zip):
    workbook = write_zip("w.xlsx", {"xl/workbook.xml": "<workbook/>"}).read_bytes()
    path = write_zip("outer.zip", {"W.XLSX": workbook})
    assert [raw.data for raw in _opened(path)] == [workbook]


def test_a_workbook_is_not_unpacked(write_zip):
    path = write_zip("w.xlsx", {"xl/workbook.xml": "<workbook/>"})
    assert [raw.name for raw in _opened(path)] == [str(path)]


def test_a_zip_file_named_as_a_workbook_is_not_unpacked(write_zip):
    path = write_zip("w.zip", {"a.txt": "arma"})
    assert [raw.name for raw in _opened(path, kind="xlsx")] == [str(path)]


def test_a_damaged_zip_file_is_an_error_that_names_it(write_zip):
    path = write_zip("t.zip", {"a.txt": "arma"})
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(MalformedInputError) as caught:
        _opened(path)
    assert str(caught.value) == f"{path}: the zip file is damaged (File is not a zip file)"


def test_a_link_to_a_file_in_the_same_folder_is_followed(tmp_path, write):
    path = write("a.txt", "arma")
    (tmp_path / "b.txt").symlink_to(path)
    report = ReadReport()
    assert len(list_files(tmp_path, report)) == 2
    assert report.messages() == []


def test_a_link_to_a_folder_is_read_or_reported(tmp_path, write):
    write("texts/more/b.txt", "uirum")
    (tmp_path / "texts" / "linked").symlink_to(tmp_path / "texts" / "more")
    report = ReadReport()
    files = list_files(tmp_path / "texts", report)
    assert len(files) == 2 or report.messages()


def test_an_empty_name_is_not_the_current_folder(monkeypatch, tmp_path, write):
    write("a.txt", "arma")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        list_files("", ReadReport())
    assert str(caught.value) == "the name of an input is empty; name a file, a folder or a text"
