import pytest

from locisimiles.errors import MalformedInputError, OutputError
from locisimiles.files.json_files import read_json_object, write_json
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


def test_json_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "a.json"
    content = {"uirum": ["æ", 1.5, None], "arma": {}}
    write_json(path, content, sort_keys=True)
    assert read_json_object(path) == content
    assert path.read_text(encoding="utf-8").startswith('{\n "arma": {},\n "uirum": [\n  "æ",')


def test_only_objects_are_read_as_objects(tmp_path):
    path = tmp_path / "a.json"
    write_json(path, [])
    with pytest.raises(MalformedInputError, match="not a JSON object"):
        read_json_object(path)
