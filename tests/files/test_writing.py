import pytest

from locisimiles.errors import OutputError
from locisimiles.files.writing import atomic, make_folder


def test_an_unfinished_file_leaves_the_existing_one_untouched(tmp_path):
    def lines():
        yield "new"
        raise RuntimeError

    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(RuntimeError), atomic(path) as stream:
        stream.writelines(lines())
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_is_created_with_its_parents(tmp_path):
    folder = tmp_path / "a" / "b"
    assert make_folder(folder) == folder
    assert make_folder(folder).is_dir()
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="file cannot be written: File exists"):
        make_folder(tmp_path / "file")
