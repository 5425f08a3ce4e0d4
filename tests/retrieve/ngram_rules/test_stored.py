"""Rules find in an index on disk what they find in the texts, whatever is read of it."""

import numpy as np
import pytest

from locisimiles import Document, Index, Segment
from locisimiles.index import shards
from locisimiles.retrieve.ngram_rules import NgramRules
from locisimiles.retrieve.ngram_rules.pairs import word_pairs
from locisimiles.retrieve.ngram_rules.words import Words

WORDS = "uox haesit faucibus arma uirumque cano et in, tristi; uoces. haerere 12 armis".split()


def drawn(count, seed):
    random = np.random.default_rng(seed)
    return [" ".join(random.choice(WORDS, random.integers(0, 10))) for _ in range(count)]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """Return an index in several shards."""
    before = shards._SEGMENTS_PER_SHARD
    shards._SEGMENTS_PER_SHARD = 64
    document = Document.from_segments(
        Segment(f"s{row}", text, "author", f"work {row // 20}")
        for row, text in enumerate(drawn(400, 0))
    )
    index = Index.build(tmp_path_factory.mktemp("index") / "i", document)
    shards._SEGMENTS_PER_SHARD = before
    assert len(index.manifest.shards) > 2
    return index


@pytest.mark.parametrize("k", [3, 400])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"window": 1, "complura": None},
        {"window": 9, "complura": 2, "pos_words": 2, "pos": ("NOUN", "VERB")},
        {"n": 3, "complura": None, "pos_words": 0},
        {"complura": 1, "min_score": 3.0},
        {"max_in_source": 40},
    ],
)
def test_an_index_gives_what_its_texts_give(index, settings, k):
    queries = Document.from_segments(
        Segment(f"q{row}", text) for row, text in enumerate([*drawn(30, 1), "", "nusquam", "arma"])
    )
    plain = Document.from_segments(index)
    rules = NgramRules(**settings)
    found = rules.index(index).search(queries, k)
    assert len(found)
    assert found == rules.index(plain).search(queries, k)


def test_a_batch_that_shares_nothing_reads_nothing(index):
    queries = Document.from_segments([Segment("q", "nusquam gentium, 12"), Segment("p", "")])
    assert len(NgramRules().index(index).search(queries, 9)) == 0


def test_of_equally_distant_words_the_first_counts_even_if_others_between_are_left_out():
    # Rows of an index lack the words that no query has: only their places tell how far they are.
    words = Words(
        term=np.array([1, 3, 2, 1, 2]),
        segment=np.zeros(5, np.int32),
        clause=np.zeros(5, np.int64),
        form=np.array([10, 30, 20, 11, 21], np.int32),
        place=np.array([0, 1, 3, 7, 10]),
    )
    pairs = word_pairs(words, 3)
    (row,) = np.flatnonzero((pairs.distance == 3) & (pairs.key == (1 << 32 | 2)))
    assert (pairs.form[row], pairs.other_form[row]) == (10, 20)
