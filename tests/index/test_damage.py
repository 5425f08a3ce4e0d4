"""No flipped bit and no truncation goes unnoticed: a check names it, and so does a search."""

import json
import random

import pytest

from locisimiles import Index, InputError, Pipeline, load_example_query, load_example_source
from locisimiles.index import check_index, shards
from locisimiles.index.manifest import Manifest
from locisimiles.late import IndexEncoder, Late
from support.indexes import WordEncoder, works


def test_a_flipped_bit_of_the_manifest_is_noticed(tmp_path):
    Index.build(tmp_path, works(1, 2), WordEncoder()).close()
    expected = Manifest.read(tmp_path)
    path = tmp_path / "index.json"
    whole = path.read_bytes()
    for place in range(len(whole)):
        flipped = bytearray(whole)
        flipped[place] ^= (1, 4, 16)[place % 3]
        path.write_bytes(flipped)
        try:
            same = Manifest.read(tmp_path) == expected  # with another blank, say
        except InputError as error:
            same = str(tmp_path) in str(error)
        assert same
    for size in range(0, len(whole) - 1, 29):
        path.write_bytes(whole[:size])
        with pytest.raises(InputError):
            check_index(tmp_path)


def test_a_manifest_of_an_earlier_version_has_no_checksum(tmp_path):
    Index.build(tmp_path, works(1, 2)).close()
    expected, path = Manifest.read(tmp_path), tmp_path / "index.json"
    content = json.loads(path.read_text())
    del content["checksum"]
    path.write_text(json.dumps(content))
    assert Manifest.read(tmp_path) == expected


@pytest.fixture(scope="module")
def folder(tmp_path_factory, tiny_latin):
    """Return an index of the examples, in several shards."""
    before = shards._SEGMENTS_PER_SHARD
    shards._SEGMENTS_PER_SHARD = 64
    folder = tmp_path_factory.mktemp("examples") / "i"
    Index.build(folder, load_example_source(), IndexEncoder(tiny_latin)).close()
    shards._SEGMENTS_PER_SHARD = before
    return folder


def test_a_search_finds_the_same_or_names_the_damaged_file(folder, tiny_latin):
    query = load_example_query()[:2]
    pipelines = [
        Pipeline("bm25", k=5),
        Pipeline(Late(tiny_latin, cache=None), k=5, classifier=None),
    ]
    expected = [pipeline.run(query, Index.open(folder)).candidates for pipeline in pipelines]
    moments, named = random.Random(1), 0
    for path in Index.open(folder).manifest.paths(folder):
        whole = path.read_bytes()
        for _ in range(2):
            flipped = bytearray(whole)
            flipped[moments.randrange(len(whole))] ^= 1 << moments.randrange(8)
            path.write_bytes(flipped)
            assert [found for found, _ in check_index(folder)] == [path]
            for pipeline, found in zip(pipelines, expected, strict=True):
                try:
                    good = pipeline.run(query, Index.open(folder)).candidates == found
                except InputError as error:
                    good = path.name in str(error)
                    named += 1
                assert good
        path.write_bytes(whole)
    assert named >= 3
