"""The cache of indexes, when others can write there: searches find what the texts give."""

import hashlib
import json
import os
import shutil

import pytest

from locisimiles import Document, InputError
from locisimiles.corpus.library import Catalogue, Edition, Library, catalogue
from locisimiles.errors import LocisimilesError
from locisimiles.index.kept import KeptIndexes
from support.indexes import WordEncoder, by_id

NAMES = ("vergil.eclogues", "horace.odes")


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """The cache of a machine with two texts, one of which has an index."""
    monkeypatch.setenv("LOCISIMILES_DATA", str(tmp_path / "data"))
    works, editions = Catalogue.shipped().works, []
    for name in NAMES:
        data = f"<{works[name].abbreviation} 1.1>\tuox faucibus haesit {name}.\n".encode()
        sha256 = hashlib.sha256(data).hexdigest()
        editions.append((Edition(name, "tesserae", f"{name}.tess", "", len(data), sha256), data))
    small = Catalogue([works[name] for name in NAMES], [edition for edition, _ in editions])
    monkeypatch.setattr(catalogue, "_shipped", lambda: small)
    for _, data in editions:
        Library().keep_copy(data)
    cache = KeptIndexes(tmp_path / "indexes")
    cache.of_library(["vergil"], WordEncoder()).close()
    return cache


def described(change):
    """Return an attack that changes what is said of an index."""

    def attack(folder):
        about = json.loads((folder / "about.json").read_text())
        (folder / "about.json").write_text(json.dumps(change(about)))

    return attack


def written(name, content):
    def attack(folder):
        (folder / name).write_bytes(content)

    return attack


def instead(name, make):
    """Return an attack that puts something else in the place of a file or folder."""

    def attack(folder):
        path = folder / name
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
        make(path)

    return attack


ATTACKS = {
    "names that are a number": described(lambda a: {**a, "names": 7}),
    "names that are objects": described(lambda a: {**a, "names": [{"a": 1}, None]}),
    "names that command terminals": described(lambda a: {**a, "names": ["\033[2J"]}),
    "a million names": described(lambda a: {**a, "names": ["a"] * 1_000_000}),
    "a report that is a list": described(lambda a: {**a, "report": []}),
    "a report of nothing": described(lambda a: {**a, "report": None}),
    "a report of odd notes": described(lambda a: {**a, "report": {"notes": [7], "skipped": "x"}}),
    "no report": described(lambda a: {k: v for k, v in a.items() if k != "report"}),
    "a hash that is a list": described(lambda a: {**a, "sha256": []}),
    "files that are none": described(lambda a: {**a, "files": None}),
    "code that is an object": described(lambda a: {**a, "code": {}}),
    "a list": described(lambda a: [a]),
    "deep": written("about.json", b"[" * 100_000),
    "half a character": written("about.json", b'{"names": ["\\ud800"]}'),
    "no letters": written("about.json", b"\xff\xfe\x00"),
    "endless numbers": written("about.json", b'{"names": [1e999], "sha256": %b}' % (b"9" * 5000)),
    "a manifest of nothing": written("index.json", b"{}"),
    "a pipe": instead("about.json", os.mkfifo),
    "a device": instead("about.json", lambda path: path.symlink_to("/dev/zero")),
    "a folder for the description": instead("about.json", lambda path: path.mkdir()),
    "a pipe for the manifest": instead("index.json", os.mkfifo),
    "a link to nothing": instead("shards", lambda path: path.symlink_to("/nowhere/at/all")),
    "a file for the parts": instead("parts", lambda path: path.write_text("arma")),
}  # fmt: skip


@pytest.mark.skipif(os.name == "nt", reason="pipes and links of POSIX")
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_upon_the_cache_changes_no_result(kept, name):
    (folder,) = (one.folder for one in kept.all())
    ATTACKS[name](folder)
    for one in kept.all():
        assert all(isinstance(text, str) for text in one.names)
    with_encoder = WordEncoder()
    try:
        found = kept.of_library(["vergil"], with_encoder)
    except LocisimilesError:  # what cannot be mended goes with the cache
        kept.remove()
        found = kept.of_library(["vergil"], with_encoder)
    assert by_id(found) == by_id(Document("vergil"))
    assert found.vectors() is not None
    found.close()


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_filling_and_clearing_the_cache_deletes_nothing_elsewhere(kept, tmp_path):
    mine = tmp_path / "mine"
    (mine / "parts").mkdir(parents=True)
    for path in (mine / "about.json", mine / "parts" / "a.arrays"):
        path.write_text("{}")
    (kept.folder / "linked").symlink_to(mine)
    (folder,) = (one.folder for one in kept.all() if one.folder.name != "linked")
    shutil.rmtree(folder / "parts")
    (folder / "parts").symlink_to(mine / "parts")
    for _ in range(2):
        kept.of_library(["vergil"], WordEncoder()).close()
        assert not (folder / "parts").is_symlink()
    kept.remove()
    assert sorted(path.name for path in mine.rglob("*")) == ["a.arrays", "about.json", "parts"]


def test_a_text_that_is_none_of_the_library_is_no_index(kept):
    with pytest.raises(InputError):
        kept.known(["../vergil"], WordEncoder())
