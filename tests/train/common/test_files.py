"""Files of a run: its settings, and failures that name the file."""

import json
import lzma

import pytest

from locisimiles.errors import InputError, MalformedInputError, OutputError
from locisimiles.train.common.files import file_sha256, keep_settings, make_folder, reading


def test_the_same_settings_are_kept(tmp_path):
    settings = {"steps": 3, "files": [{"name": "ā"}], "none": None, "rate": 1e-5}
    keep_settings(tmp_path / "run.json", settings)
    written = (tmp_path / "run.json").read_bytes()
    keep_settings(tmp_path / "run.json", settings)
    assert (tmp_path / "run.json").read_bytes() == written


def test_different_settings_are_refused_and_named(tmp_path):
    path = tmp_path / "run.json"
    keep_settings(path, {"steps": 3, "seed": 1})
    for settings, names in (({"steps": 3, "seed": 2}, "seed"), ({"steps": 4}, "seed, steps")):
        with pytest.raises(InputError, match=rf"run\.json: .* different settings \({names}\)"):
            keep_settings(path, settings)
    assert json.loads(path.read_text()) == {"steps": 3, "seed": 1}


def test_settings_that_are_missing_differ_from_none(tmp_path):
    keep_settings(tmp_path / "run.json", {"steps": 3, "synonyms": None})
    with pytest.raises(InputError, match=r"\(synonyms\)"):
        keep_settings(tmp_path / "run.json", {"steps": 3})


def test_ignored_settings_may_differ_and_are_updated(tmp_path):
    path = tmp_path / "run.json"
    keep_settings(path, {"steps": 3, "version": "1"}, ignored=["version"])
    keep_settings(path, {"steps": 3, "version": "2"}, ignored=["version"])
    assert json.loads(path.read_text())["version"] == "2"
    with pytest.raises(InputError, match=r"\(steps\)"):
        keep_settings(path, {"steps": 4, "version": "2"}, ignored=["version"])


@pytest.mark.parametrize(("content", "error"), [("{", MalformedInputError), ("[]", InputError)])
def test_other_files_are_refused(tmp_path, content, error):
    (tmp_path / "run.json").write_text(content)
    with pytest.raises(error, match=r"run\.json"):
        keep_settings(tmp_path / "run.json", {"steps": 3})


def test_files_that_cannot_be_written_are_named(tmp_path):
    with pytest.raises(OutputError, match=r"run\.json"):
        keep_settings(tmp_path / "none" / "run.json", {})
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="file cannot be written: File exists"):
        make_folder(tmp_path / "file")


def test_files_that_cannot_be_read_are_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.txt: the file cannot be read: No such file"):
        file_sha256(tmp_path / "none.txt")
    with pytest.raises(MalformedInputError, match=r"x\.xz: damaged"), reading(tmp_path / "x.xz"):
        lzma.decompress(b"no archive")


def test_only_failures_of_reading_are_caught(tmp_path):
    with pytest.raises(ZeroDivisionError), reading(tmp_path, KeyError):
        raise ZeroDivisionError
    with pytest.raises(MalformedInputError, match="damaged"), reading(tmp_path, KeyError):
        raise KeyError("x")
