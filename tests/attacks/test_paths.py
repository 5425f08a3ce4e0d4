"""Names that are not regular files: pipes, circular links, links outside, nonsense."""

import os
import sys

import pytest

from locisimiles.corpus import Document
from locisimiles.errors import EmptyInputError, InputError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes are of Unix")


def test_a_link_out_of_a_folder_is_skipped_with_a_note(tmp_path):
    (tmp_path / "secret.csv").write_text("id,text\nx,CLAVIS\n")
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.csv").write_text("id,text\na,arma\n")
    (folder / "b.csv").symlink_to("../secret.csv")
    (folder / "passwd.txt").symlink_to("/etc/passwd")
    document = Document(folder)
    assert document.ids == ("a",)
    assert document.report.messages() == [
        f"{folder}/b.csv: left out, the link leads out of the folder",
        f"{folder}/passwd.txt: left out, the link leads out of the folder",
    ]


def test_a_link_to_a_folder_outside_is_not_followed(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "b.csv").write_text("id,text\nx,CLAVIS\n")
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.csv").write_text("id,text\na,arma\n")
    (folder / "more").symlink_to(tmp_path / "outside")
    assert Document(folder).ids == ("a",)


def test_a_circular_link_in_a_folder_is_harmless(tmp_path):
    (tmp_path / "a.csv").write_text("id,text\na,arma\n")
    (tmp_path / "up").symlink_to(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    assert Document(tmp_path).ids == ("a",)


def test_a_link_that_the_user_named_is_followed(tmp_path):
    (tmp_path / "a.csv").write_text("id,text\na,arma\n")
    (tmp_path / "b").symlink_to("a.csv")
    assert Document(tmp_path / "b").ids == ("a",)


def test_a_dangling_link_is_an_error_that_names_it(tmp_path):
    (tmp_path / "b").symlink_to("a.csv")
    with pytest.raises(InputError, match="/b: file not found"):
        Document(tmp_path / "b")


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError) as caught:
        Document(tmp_path / "pipe")
    assert str(caught.value) == f"{tmp_path}/pipe: not a regular file"


@pytest.mark.parametrize("name", ["/dev/null", "/dev/zero"])
def test_a_device_is_not_read(name):
    with pytest.raises(InputError, match="not a regular file"):
        Document(name)


def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "a.csv").write_text("id,text\na,arma\n")
    assert Document(tmp_path).ids == ("a",)


def test_an_empty_folder_is_an_error_that_names_it(tmp_path):
    with pytest.raises(EmptyInputError, match="the folder contains no files"):
        Document(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_an_error_that_names_it(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("id,text\na,arma\n")
    path.chmod(0)
    with pytest.raises(InputError) as caught:
        Document(path)
    assert str(caught.value) == f"{path}: the file cannot be read: Permission denied"


def test_a_file_as_folder_is_an_error_that_names_it(tmp_path):
    (tmp_path / "a.csv").write_text("id,text\na,arma\n")
    with pytest.raises(InputError, match=r"a\.csv/b: file not found"):
        Document(tmp_path / "a.csv" / "b")


@pytest.mark.parametrize("name", ["a" * 5000, "x/" * 3000 + "y"])
def test_a_name_that_is_too_long_is_an_error_of_ours(name):
    with pytest.raises(InputError) as caught:
        Document(name)
    assert str(caught.value) == f"{name}: the file cannot be read: File name too long"


def test_an_impossible_file_name_is_an_error_of_ours():
    with pytest.raises(InputError):
        Document("a\0b")


def test_a_circular_link_is_an_error_of_ours(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(InputError):
        Document(tmp_path / "loop")
