"""Lemmas of an index on disk, compared with those of the texts, one by one."""

from collections import Counter

import numpy as np
import pytest

from locisimiles import Index
from locisimiles.index import PreparedDocument, shards
from locisimiles.index import lemmas as lemma_rows
from locisimiles.latin import STOPWORDS
from support.indexes import works


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """Return an index in several shards."""
    before = shards._SEGMENTS_PER_SHARD
    shards._SEGMENTS_PER_SHARD = 4
    index = Index.build(tmp_path_factory.mktemp("lemmas") / "i", works(*range(9)))
    shards._SEGMENTS_PER_SHARD = before
    assert len(index.manifest.shards) > 2
    return index


@pytest.fixture(scope="module")
def lemmas(index):
    """Return the lemmas of each text, in the order of its words; figures have none."""
    words = PreparedDocument(index).words
    names = np.array([*words.lexicon.lemmas], object)
    return [
        [one for one in names[words.lemma[begin:end]].tolist() if not one.isdigit()]
        for begin, end in zip(words.bounds[:-1], words.bounds[1:], strict=True)
    ]


def test_segments_with_a_lemma_and_how_often(index, lemmas):
    stored = index.lemma_rows("fast")
    wanted = [*sorted({lemma for text in lemmas for lemma in text}), "nusquam"]
    expected = {
        lemma: {row: text.count(lemma) for row, text in enumerate(lemmas) if lemma in text}
        for lemma in wanted
    }
    for lemma, (segment, count) in zip(wanted, stored.counts(wanted), strict=True):
        assert dict(zip(segment.tolist(), count.tolist(), strict=True)) == expected[lemma]
        assert segment.tolist() == sorted(segment.tolist())
    often = Counter(lemma for text in lemmas for lemma in text)
    assert stored.rows(wanted).tolist() == [often[lemma] for lemma in wanted]


def test_long_and_short_runs_of_segments_are_the_same(index, monkeypatch):
    stored = index.lemma_rows("fast")
    wanted = ["et", "uox", "nusquam", "arma", "fatum"]
    expected = [(a.tolist(), b.tolist()) for a, b in stored.counts(wanted)]
    for least in (1, 2, 3):
        monkeypatch.setattr(lemma_rows, "_LONG", least)
        found = [(a.tolist(), b.tolist()) for a, b in stored.counts(wanted)]
        assert found == expected


def test_the_words_of_segments_are_counted(index, lemmas):
    assert index.lemma_rows("fast").lengths.tolist() == [len(text) for text in lemmas]
    begins = index.lemma_rows("fast").begins
    assert begins == sorted(begins)
    assert (begins[0], begins[-1]) == (0, len(lemmas))


def test_places_are_those_among_all_content_words(index, lemmas):
    content = [(row, one) for row, text in enumerate(lemmas) for one in text
               if one not in STOPWORDS]  # fmt: skip
    for lemma in ("uox", "fatum", "Troia", "nusquam"):
        expected = [(row, place) for place, (row, one) in enumerate(content) if one == lemma]
        segments, places = index.lemma_rows("fast").places(lemma)
        assert list(zip(segments.tolist(), places.tolist(), strict=True)) == expected
    assert any(one == "uox" for _, one in content)


def test_a_shard_knows_its_lemmas(index):
    for shard in index.lemma_rows("fast").shards:
        assert shard.lemmas == sorted(set(shard.lemmas))
        for number, lemma in enumerate(shard.lemmas):
            assert shard.number(lemma) == number
        assert shard.number("nusquam") is None
        assert shard.number("") is None
        assert len(shard.bounds) == len(shard.lemmas) + 1
        every = np.arange(shard.bounds[-1])
        at = shard.at(every, "segment", "tag")
        whole = shard.columns(np.arange(len(shard.lemmas)), "segment", "tag")
        assert [column.tolist() for column in at] == [column.tolist() for column in whole]
        assert max(at[1], default=0) < len(shard.tags)
        assert shard.clauses >= len(shard.lengths) - 1
