"""``locisimiles index``, and searches of an index."""

import csv
import json
import re
from functools import partial
from importlib import import_module

import pytest

from locisimiles.examples import example_path
from locisimiles.late import Late


@pytest.fixture
def texts(tmp_path):
    """Return two tables with a work each."""
    paths = []
    for author, work, text in (
        ("Vergil", "Aeneis", "arma uirumque cano"),
        ("Horace", "Ars", "uox"),
    ):
        path = tmp_path / f"{work}.csv"
        with path.open("w", newline="") as stream:
            table = csv.writer(stream)
            table.writerow(["seg_id", "author", "work", "text"])
            table.writerows([f"{work} {row}", author, work, f"{text} {row}"] for row in (1, 2))
        paths.append(path)
    return paths


def test_an_index_is_built_changed_and_checked(program, texts, tmp_path, tiny_latin):
    aeneis, ars = texts
    folder = tmp_path / "poets"
    built = program("index", "build", folder, aeneis, "--model", tiny_latin)
    assert built.code == 0
    assert "2 segments of 1 works, vectors of tiny_latin" in built.err
    added = program("index", "add", folder, aeneis, ars, "--model", tiny_latin)
    assert "1 work added" in added.err
    assert "generation 2" in added.err
    info = program("index", "info", folder)
    assert [line.split()[:3] for line in info.out.splitlines()[-2:]] == [
        ["Horace", "Ars", "2"],
        ["Vergil", "Aeneis", "2"],
    ]
    assert "no damage" in program("index", "check", folder).err
    removed = program("index", "remove", folder, "vergil")
    assert "removed Vergil: Aeneis" in removed.err
    again = program("index", "build", folder, aeneis)
    assert again.code == 1
    assert "holds an index already" in again.err


def test_damage_is_named(program, texts, tmp_path):
    folder = tmp_path / "poets"
    program("index", "build", folder, *texts, "--model", "none")
    (path,) = (folder / "shards").iterdir()
    content = bytearray(path.read_bytes())
    content[-200] ^= 1
    path.write_bytes(content)
    checked = program("index", "check", folder)
    assert checked.code == 1
    assert str(path) in checked.out
    assert "is damaged" in checked.err
    searched = program("search", texts[0], folder, "--method", "bm25")
    assert searched.code == 1
    assert path.name in searched.err.replace("\n", "")


@pytest.mark.parametrize("method", ["bm25", "ngrams"])
def test_an_index_is_searched_as_its_texts_are(program, tmp_path, method):
    folder, query, source = tmp_path / "i", example_path("query.csv"), example_path("source.csv")
    program("index", "build", folder, source, "--model", "none")
    tables = []
    for number, sources in enumerate((source, folder)):
        path = tmp_path / f"{number}.csv"
        done = program("search", query, sources, "--method", method, "-k", 3, "-o", path)
        assert done.code == 0
        tables.append(path.read_text())
    assert tables[0] == tables[1]
    manifest = json.loads((tmp_path / "1.csv.manifest.json").read_text())
    assert manifest["source"]["segments"] == 204
    alone = program("search", query, folder, source)
    assert alone.code == 1
    assert "searched alone" in alone.err


def test_evidence_is_found_in_an_index(program, tmp_path):
    folder, query, source = tmp_path / "i", example_path("query.csv"), example_path("source.csv")
    program("index", "build", folder, source, "--model", "none")
    pair = "hier. epist. 130.5.5.3", "verg. aen. 2.774.1"
    shown = [
        program("explain", *pair, "--query", query, "--source", sources, "--json").out
        for sources in (source, folder)
    ]
    assert shown[0]
    assert json.loads(shown[0]) == json.loads(shown[1])


def test_all_pairs_of_a_search_have_the_same_evidence(program, tmp_path, monkeypatch):
    monkeypatch.setattr("locisimiles.evidence.finder._AT_ONCE", 7)
    folder, query, source = tmp_path / "i", example_path("query.csv"), example_path("source.csv")
    program("index", "build", folder, source, "--model", "none")
    options = ["--method", "bm25", "-k", 2, "--explain", "-o"]
    tables = []
    for number, sources in enumerate((source, folder)):
        path = tmp_path / f"{number}.json"
        assert program("search", query, sources, *options, path).code == 0
        # The manifest says in which order the sources were.
        tables.append(json.loads(path.read_text()) | {"manifest": None})
    assert tables[0] == tables[1]


def test_a_build_says_what_late_interaction_misses(program, texts, tmp_path, monkeypatch):
    small = program("index", "build", tmp_path / "small", *texts)
    assert "exact" not in small.err
    source = example_path("source.csv")
    monkeypatch.setattr("locisimiles.late.search.enough_probes", lambda *_: 1)
    monkeypatch.setattr(import_module("locisimiles.cli.index"), "Late", partial(Late, depth=20))
    large = program("index", "build", tmp_path / "large", source)
    found = re.search(
        r"finds (\S+) % of the first 10, (\S+) % of the first 100, .* \(means of 16", large.err
    )
    assert found
    assert 1 < float(found[2]) < float(found[1]) <= 100
