"""Indexes of library texts in the cache: found again, built again when damaged, evicted."""

import hashlib
import json
import os
import shutil

import numpy as np
import pytest

from locisimiles import Document, TextNotInstalledError
from locisimiles.corpus import ReadOptions
from locisimiles.corpus.library import Catalogue, Edition, Library, catalogue
from locisimiles.index import Index, changes, parts
from locisimiles.index import kept as kept_module
from locisimiles.index.kept import KeptIndexes, are_library_names
from locisimiles.index.locks import waiting
from support.indexes import WordEncoder, by_id

LINES = {
    "vergil.eclogues": "Tityre tu patulae recubans sub tegmine fagi",
    "vergil.aeneid": "arma uirumque cano Troiae qui primus ab oris",
    "horace.odes": "Maecenas atauis edite regibus o et praesidium",
}


class Counting(WordEncoder):
    """Counts the texts it encodes."""

    def __init__(self):
        self.texts = 0

    def encode(self, texts, progress):
        self.texts += len(texts)
        return super().encode(texts, progress)


def content(name, more=""):
    tag = Catalogue.shipped().works[name].abbreviation
    rows = [f"<{tag} 1.{row}>\t{LINES[name]}." for row in (1, 2, 3)]
    return "\n".join([*rows, f"<{tag} 1.4>{more}", ""]).encode()


def install(monkeypatch, files):
    """Install a library of these files, which the catalogue knows."""
    works = Catalogue.shipped().works
    editions = [
        Edition(name, "tesserae", f"{name}.tess", "", len(data), hashlib.sha256(data).hexdigest())
        for name, data in files.items()
    ]
    small = Catalogue([works[name] for name in files], editions)
    monkeypatch.setattr(catalogue, "_shipped", lambda: small)
    for data in files.values():
        Library().keep_copy(data)


@pytest.fixture(autouse=True)
def library(tmp_path, monkeypatch):
    """An installed library of three works; a row of each has no text."""
    monkeypatch.setenv("LOCISIMILES_DATA", str(tmp_path / "data"))
    install(monkeypatch, {name: content(name) for name in LINES})
    return Library().root / "tesserae"


@pytest.fixture
def kept(tmp_path):
    return KeptIndexes(tmp_path / "indexes")


@pytest.fixture
def encoder():
    return Counting()


def test_the_second_search_reads_and_encodes_nothing(kept, encoder, monkeypatch):
    index = kept.of_library(["vergil", "horace.odes"], encoder)
    assert by_id(index) == by_id(Document("vergil", "horace.odes"))
    assert encoder.texts == 9
    assert index.report.skipped == 3
    monkeypatch.setattr("locisimiles.index.kept.Document", None)
    again = kept.of_library(["Virgil", "horace"], encoder)  # the same files
    assert (encoder.texts, again.fingerprint()) == (9, index.fingerprint())
    assert again.folder == index.folder
    assert str(again.report) == str(index.report)


def test_an_index_depends_on_encoder_options_and_files(kept, encoder, monkeypatch):
    first = kept.of_library(["vergil"], encoder)
    others = [
        kept.of_library(["vergil"], None),
        kept.of_library(["vergil"], encoder, ReadOptions(colon="always")),
        kept.of_library(["vergil.eclogues"], encoder),
    ]
    files = {name: content(name) for name in LINES}
    files["vergil.aeneid"] = files["vergil.aeneid"].replace(b"Tr", b"tr")
    install(monkeypatch, files)
    others.append(kept.of_library(["vergil"], encoder))
    assert len({first.folder, *(other.folder for other in others)}) == 5
    assert by_id(others[-1]) == by_id(Document("vergil"))
    assert by_id(others[-1]) != by_id(first)


def test_an_index_depends_on_the_code_that_reads_texts(kept, monkeypatch):
    first = kept.of_library(["vergil"], None)
    monkeypatch.setattr("locisimiles.index.kept._code_sha256", lambda: "other")
    assert kept.of_library(["vergil"], None).folder != first.folder


def test_works_that_indexes_share_are_encoded_once(kept, encoder):
    kept.of_library(["vergil"], encoder)
    index = kept.of_library(["vergil", "horace"], encoder)
    assert encoder.texts == 9
    assert by_id(index) == by_id(Document("vergil", "horace"))
    assert kept.nbytes < sum(one.nbytes for one in kept.all())


def test_damage_anywhere_is_repaired(kept, encoder):
    index = kept.of_library(["vergil"], encoder)
    expected, folder = by_id(index), index.folder
    index.close()
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix in (".arrays", ".json")]
    assert len(paths) == 6
    for path in paths:
        whole = path.read_bytes()
        flipped = bytearray(whole)
        flipped[len(whole) // 2] ^= 16
        for damaged in (bytes(flipped), whole[: len(whole) // 2], b"", b"{}", None):
            if damaged is None:
                path.unlink()
            else:
                path.write_bytes(damaged)
            found = kept.of_library(["vergil"], encoder)
            assert by_id(found) == expected
            found.close()
            assert path.read_bytes() == whole


def test_another_index_in_its_place_is_not_trusted(kept, encoder):
    wanted = kept.of_library(["vergil.aeneid"], encoder)
    expected = by_id(wanted)
    other = kept.of_library(["horace"], encoder)
    for names in (["about.json"], ["index.json", "parts", "shards", "totals"], None):
        for name in names or [path.name for path in other.folder.iterdir()]:
            path, place = other.folder / name, wanted.folder / name
            if path.is_dir():
                shutil.rmtree(place)
                shutil.copytree(path, place)
            else:
                shutil.copy(path, place)
        assert by_id(kept.of_library(["vergil.aeneid"], encoder)) == expected


def test_a_part_with_other_texts_under_its_name_is_not_trusted(kept, encoder):
    wanted, other = (kept.of_library([name], encoder) for name in ("vergil.aeneid", "horace"))
    expected = by_id(wanted)
    wanted.close()
    (part,), (of_other,) = ([*(index.folder / "parts").iterdir()] for index in (wanted, other))
    part.unlink()  # it is the same file as in other indexes
    shutil.copy(of_other, part)
    assert by_id(kept.of_library(["vergil.aeneid"], encoder)) == expected


def test_a_shard_of_others_under_its_name_is_not_trusted(kept, encoder):
    """It is whole, and only its manifest could tell; a build without one must not take it."""
    wanted, other = (kept.of_library([name], encoder) for name in ("vergil.aeneid", "horace"))
    expected, folder = hashes(wanted.folder), wanted.folder
    wanted.close()
    for kind in ("shards", "totals"):
        (path,), (of_other,) = ([*(one / kind).iterdir()] for one in (folder, other.folder))
        shutil.copy(of_other, path)
        (folder / "index.json").unlink()
        kept.of_library(["vergil.aeneid"], encoder).close()
        assert hashes(folder) == expected


def test_an_index_that_cannot_be_deleted_is_left(kept, encoder, monkeypatch):
    """Windows deletes no file that is in use; what uses it must not fail for that."""
    folder = kept.of_library(["vergil"], encoder).folder

    def refused(*_, **__):
        raise PermissionError(13, "in use")

    for name in ("unlink", "remove", "rmdir"):
        monkeypatch.setattr(os, name, refused)
    kept.remove()
    monkeypatch.undo()
    assert any(folder.rglob("*.arrays"))


def test_an_index_that_is_being_built_is_not_deleted(kept):
    folder = kept.of_library(["horace"], None).folder
    with waiting(folder.with_name(f"{folder.name}.lock")):
        kept.remove()
        assert folder.exists()
    kept.remove()
    assert not folder.exists()


def test_what_would_be_built_is_not_known(kept, encoder):
    assert kept.known(["vergil"], encoder) is None
    assert not kept.folder.exists()  # looking makes nothing
    index = kept.of_library(["vergil"], encoder)
    assert kept.known(["vergil"], encoder).folder == index.folder
    assert kept.known(["vergil"], None) is None
    assert kept.known(["vergil"], encoder, ReadOptions(colon="always")) is None
    assert encoder.texts == 6


def test_the_size_of_an_index_is_that_of_its_files(kept, encoder):
    one, two = kept.of_library(["vergil"], encoder), kept.of_library(["horace", "vergil"], encoder)
    for index in (one, two):
        (described,) = (each for each in kept.all() if each.folder == index.folder)
        sizes = [path.stat().st_size for path in index.folder.rglob("*") if path.is_file()]
        assert described.nbytes == sum(sizes)
    distinct = {path.stat().st_ino: path.stat().st_size for path in kept.folder.rglob("*")
                if path.is_file()}  # fmt: skip
    assert kept.nbytes == sum(distinct.values())


def test_a_build_that_was_interrupted_goes_on(kept, encoder, monkeypatch):
    commit = changes._Change.commit
    monkeypatch.setattr(changes._Change, "commit", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        kept.of_library(["vergil"], encoder)
    monkeypatch.setattr(changes._Change, "commit", commit)
    assert kept.all() == []
    assert by_id(kept.of_library(["vergil"], encoder)) == by_id(Document("vergil"))
    assert encoder.texts == 6


def test_the_least_recently_used_are_removed(kept, encoder, monkeypatch):
    folders = []
    for age, name in enumerate(("vergil.eclogues", "vergil.aeneid", "horace")):
        folders.append(kept.of_library([name], encoder).folder)
        os.utime(folders[-1] / "about.json", (age, age))
    kept.of_library(["vergil.eclogues"], encoder)
    assert [one.folder for one in kept.all()] == [folders[0], folders[2], folders[1]]
    monkeypatch.setenv("LOCISIMILES_CACHE_SIZE", str(kept.nbytes))
    limit, latest = kept.nbytes, kept.of_library(["vergil"], None).folder
    left = [one.folder for one in kept.all()]
    assert left == [latest, folders[0], folders[2], folders[1]][: len(left)]
    assert 2 <= len(left) < 4
    assert kept.nbytes <= limit
    monkeypatch.setenv("LOCISIMILES_CACHE_SIZE", "1")
    last = kept.of_library(["horace"], None)
    assert [one.folder for one in kept.all()] == [
        last.folder
    ]  # that in use stays, whatever its size
    assert by_id(last) == by_id(Document("horace"))


def test_an_open_index_can_be_read_after_its_removal(kept):
    index = kept.of_library(["vergil"], None)
    expected = by_id(Document("vergil"))
    kept.remove(unused_since=0)
    assert len(kept.all()) == 1
    kept.remove()
    assert kept.all() == []
    assert kept.nbytes == 0
    if os.name == "posix":
        assert by_id(index) == expected


def test_what_is_no_library_name_is_told_apart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "vergil").write_text("arma")
    assert are_library_names(["horace", "Verg. Aen."])
    for names in ([], ["-"], [""], ["horace", "vergil"], [str(tmp_path)]):
        assert not are_library_names(names)
    assert are_library_names(["no\0name"])


def test_a_text_that_is_not_installed_is_an_error(kept, library):
    (library / "horace.odes.tess").unlink()
    with pytest.raises(TextNotInstalledError):
        kept.of_library(["horace"], None)
    assert not kept.folder.exists()


def test_a_kept_index_is_an_index(kept, encoder):
    index = kept.of_library(["vergil"], encoder)
    assert isinstance(index, Index)
    assert index.vectors() is not None
    (described,) = kept.all()
    assert (described.names, described.encoder, described.segments) == (("vergil",), "words", 6)


def earlier_words(_, tokens):
    return np.zeros(len(tokens.word), np.int64)


def test_parts_of_an_earlier_version_are_made_again(kept, encoder, monkeypatch, tmp_path):
    """Another version may cut words differently, and its parts have the same names."""
    monkeypatch.setattr(kept_module, "_code_sha256", lambda: "earlier")
    monkeypatch.setattr(parts, "clause_numbers", earlier_words)
    files = {name: content(name, "hic et nunc; alibi: alias") for name in LINES}
    install(monkeypatch, files)
    kept.of_library(["vergil"], encoder)
    monkeypatch.undo()
    monkeypatch.setenv("LOCISIMILES_DATA", str(tmp_path / "data"))
    install(monkeypatch, files)
    index = kept.of_library(["vergil"], encoder)
    fresh = KeptIndexes(tmp_path / "fresh").of_library(["vergil"], encoder)
    assert index.fingerprint() == fresh.fingerprint()
    assert hashes(index.folder) == hashes(fresh.folder)


def hashes(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*.arrays"))}


def test_an_index_of_an_earlier_version_is_built_again(kept, encoder):
    """They named neither the manifest's hash nor its checksum, and had other formats."""
    index = kept.of_library(["vergil"], encoder)
    expected, about = by_id(index), json.loads((index.folder / "about.json").read_text())
    manifest = json.loads((index.folder / "index.json").read_text())
    for name, stored, column in (
        ("about.json", about, "sha256"),
        ("index.json", manifest, "format"),
    ):
        earlier = {key: value for key, value in stored.items() if key != column}
        for old in (earlier, {**earlier, column: 0}):
            (index.folder / name).write_text(json.dumps(old))
            assert kept.known(["vergil"], encoder) is None
            assert by_id(kept.of_library(["vergil"], encoder)) == expected


def test_what_is_being_built_is_as_old_as_its_folder(kept):
    """It has no description yet."""
    folder = kept.folder / "half"
    (folder / "parts").mkdir(parents=True)
    os.utime(folder, (1000, 1000))
    kept.remove(unused_since=1000)
    assert folder.exists()
    kept.remove(unused_since=1001)
    assert not folder.exists()


def test_an_index_is_as_old_as_its_last_use(kept):
    folder = kept.of_library(["horace"], None).folder
    os.utime(folder / "about.json", (1000, 1000))
    assert kept.all()[0].last_used == 1000
    kept.remove(unused_since=1000)
    assert folder.exists()
    kept.known(["horace"], None)
    kept.remove(unused_since=1001)
    assert folder.exists()
    os.utime(folder / "about.json", (1000, 1000))
    kept.remove(unused_since=1001)
    assert not folder.exists()


def test_a_damaged_description_is_shown_as_unknown(kept):
    folder = kept.of_library(["horace"], None).folder
    (folder / "about.json").write_text("{")
    (described,) = kept.all()
    assert (described.names, described.encoder, described.segments) == (("?",), "", 0)
    assert described.nbytes > 0
