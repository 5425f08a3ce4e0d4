"""The postings of an index on disk give the scores of plain sums, to the last bit."""

import numpy as np
import pytest

from locisimiles import BM25, Document, Index, Segment
from locisimiles.index import shards
from locisimiles.retrieve.lexical import postings

WORDS = "et non arma uir cano uox faux haereo dico facio 12".split()


def drawn(count, seed, longest=9):
    """Return texts in which the first words are common."""
    random = np.random.default_rng(seed)
    odds = np.array([1 / (place + 1) for place in range(len(WORDS))])
    return [
        " ".join(random.choice(WORDS, random.integers(0, longest), p=odds / odds.sum()))
        for _ in range(count)
    ]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """Return an index in several shards."""
    before = shards._SEGMENTS_PER_SHARD
    shards._SEGMENTS_PER_SHARD = 64
    folder = tmp_path_factory.mktemp("index") / "i"
    texts = drawn(400, 0)
    document = Document.from_segments(
        Segment(f"s{row}", text, "author", f"work {row // 20}") for row, text in enumerate(texts)
    )
    index = Index.build(folder, document)
    shards._SEGMENTS_PER_SHARD = before
    assert len(index.manifest.shards) > 2
    return index


def plain_scores(index, query):
    """Return the scores of a query as their formula says, term by term, in single precision."""
    rows = [[word for word in text.split() if not word.isdigit()] for text in index.texts]
    lengths = np.array(list(map(len, rows)), np.float64)
    norm = 1.5 * (1 - 0.75 + 0.75 * lengths / lengths.mean())
    scores = np.zeros(len(rows), np.float32)
    terms = [word for word in query.split() if not word.isdigit()]
    for term in sorted(set(terms)):
        containing = sum(term in row for row in rows)
        rarity = np.log(1 + (len(rows) - containing + 0.5) / (containing + 0.5))
        for place, row in enumerate(rows):
            count = row.count(term)
            weight = np.float32(rarity * count / (count + norm[place]))
            scores[place] += weight * np.float32(terms.count(term))
    return scores


@pytest.mark.parametrize("common", [2, 16, 10_000])
@pytest.mark.parametrize("kept", [0, 300, 1 << 23])
def test_scores_are_plain_sums(index, monkeypatch, common, kept):
    # So that every term, some, or none is a column, and postings are read in turn or at once.
    monkeypatch.setattr(postings, "_COMMON", common)
    monkeypatch.setattr(postings, "_MOST_KEPT", kept)
    texts = [*drawn(12, 1), "nusquam", "et et et arma", "12"]
    queries = Document.from_segments(Segment(str(n), text) for n, text in enumerate(texts))
    found = BM25().index(index).search(queries, len(index))
    for row, text in enumerate(texts):
        scores = plain_scores(index, text)
        sources, values = found.of_query(row)
        assert sources.tolist() == sorted(
            np.flatnonzero(scores).tolist(), key=lambda at: (-scores[at], index.ids[at])
        )
        assert values.astype(np.float32).tobytes() == scores[sources].tobytes()


def test_lemmas_are_counted_in_the_order_they_are_asked_for(index):
    stored = index.lemma_rows("fast")
    asked = ["uox", "nusquam", "et", "12", "arma"]
    found = stored.counts(asked)
    for lemma, (segments, counts) in zip(asked, found, strict=True):
        own = [text.split().count(lemma) for text in index.texts]
        expected = [] if lemma == "12" else np.flatnonzero(own).tolist()
        assert segments.tolist() == expected
        assert counts.tolist() == [own[at] for at in expected]
    assert stored.rows(asked).tolist() == [counts.sum() for _, counts in found]
    assert stored.counts([]) == []


def test_rare_terms_are_read_together_and_the_most_common_one_by_one(index, monkeypatch):
    stored = index.lemma_rows("fast")
    rows = sorted(stored.rows(["et", "arma", "uox"]).tolist())
    monkeypatch.setattr(postings, "_MOST_KEPT", sum(rows[:2]))
    asked = []
    counts = type(stored).counts
    monkeypatch.setattr(
        type(stored), "counts", lambda self, names: asked.append(list(names)) or counts(self, names)
    )
    BM25().index(index).search(Document.from_segments([Segment("q", "arma uox et")]), 5)
    assert asked == [["uox", "arma"], ["et"]]
