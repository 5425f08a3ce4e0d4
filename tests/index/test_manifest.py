"""Manifests of indexes: what anyone may have written is checked before it is used."""

import json
from dataclasses import replace

import pytest

from locisimiles import InputError
from locisimiles.index.manifest import Manifest, PartEntry, Stored, is_index

MANIFEST = Manifest(
    generation=3,
    made_with={"format": 1, "lemmatizer": "fast", "encoder": None},
    parts=(
        PartEntry("aa", "01", "Vergil", "Aeneis", 4, 0),
        PartEntry("ab", "02", "", "Letters", 5, 0),
        PartEntry("ac", "03", "", "", 6, 0),
    ),
    shards=((Stored("ba", "04"), 2), (Stored("bb", "05"), 1)),
    totals=Stored("ca", "06"),
    sha256="07",
)


def changed(folder, change):
    """Write the manifest, and again with a change, as somebody who knows the checksum would."""
    MANIFEST.write(folder)
    path = folder / "index.json"
    content = json.loads(path.read_text())
    del content["checksum"]  # earlier versions wrote none
    change(content)
    path.write_text(json.dumps(content))


def test_what_was_written_is_read(tmp_path):
    MANIFEST.write(tmp_path)
    assert Manifest.read(tmp_path) == MANIFEST
    assert is_index(tmp_path)
    assert MANIFEST.segments == 15
    assert [part.name for part in MANIFEST.parts] == ["Vergil: Aeneis", "Letters", ""]
    assert [path.relative_to(tmp_path).as_posix() for path in MANIFEST.paths(tmp_path)] == [
        "parts/aa.arrays", "parts/ab.arrays", "parts/ac.arrays",
        "shards/ba.arrays", "shards/bb.arrays", "totals/ca.arrays",
    ]  # fmt: skip
    assert not MANIFEST.has_vectors
    assert replace(MANIFEST, made_with={"encoder": {"model": "m"}}).has_vectors


def test_the_checksum_is_of_the_content_not_of_its_order(tmp_path):
    """Other programs may write the members of an object in another order."""
    MANIFEST.write(tmp_path)
    path = tmp_path / "index.json"
    content = json.loads(path.read_text())
    path.write_text(json.dumps(dict(reversed(content.items()))))
    assert Manifest.read(tmp_path) == MANIFEST
    path.write_text(json.dumps({**content, "generation": 4}))
    with pytest.raises(InputError, match=r"index\.json"):
        Manifest.read(tmp_path)


def test_a_folder_without_one_is_no_index(tmp_path):
    assert not is_index(tmp_path)
    assert not is_index(tmp_path / ("a" * 5000))
    (tmp_path / "index.json").mkdir()
    assert not is_index(tmp_path)
    with pytest.raises(InputError, match="holds no index"):
        Manifest.read(tmp_path)


WRONG = {
    "key of a part leads elsewhere": lambda m: m["parts"][0].update(key="../../etc"),
    "key is empty": lambda m: m["shards"][0].update(key=""),
    "key is a number": lambda m: m["totals"].update(key=7),
    "hash is none": lambda m: m["totals"].update(sha256="xyz"),
    "author is a number": lambda m: m["parts"][1].update(author=7),
    "work is a list": lambda m: m["parts"][1].update(work=["a"]),
    "fewer than no segments": lambda m: m["parts"][0].update(segments=-1),
    "pieces as text": lambda m: m["parts"][0].update(pieces="7"),
    "half a segment": lambda m: m["parts"][0].update(segments=1.5),
    "yes segments": lambda m: m["parts"][0].update(segments=True),
    "generation below nought": lambda m: m.update(generation=-1),
    "generation as text": lambda m: m.update(generation="x"),
    "another number of parts": lambda m: m["shards"][0].update(parts=3),
    "shards below nought": lambda m: (
        m["shards"][0].update(parts=-1), m["shards"][1].update(parts=4)
    ),
    "no encoder": lambda m: m["made_with"].pop("encoder"),
    "made with nothing": lambda m: m.update(made_with=None),
    "parts as a number": lambda m: m.update(parts=1),
    "a column too many": lambda m: m.update(more=1),
    "a column too few": lambda m: m.pop("totals"),
    "a member of a part too many": lambda m: m["parts"][0].update(more=1),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_values_of_no_use_are_damage(tmp_path, name):
    changed(tmp_path, WRONG[name])
    with pytest.raises(InputError, match=r"index\.json"):
        Manifest.read(tmp_path)


def test_an_index_may_be_of_nothing_and_of_the_first_generation(tmp_path):
    def empty(manifest):
        manifest["parts"][2].update(segments=0)
        manifest.update(generation=0)

    changed(tmp_path, empty)
    assert Manifest.read(tmp_path).segments == 9
    assert Manifest.read(tmp_path).generation == 0
