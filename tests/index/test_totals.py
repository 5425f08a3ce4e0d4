"""What is known of a whole index and cannot be summed from its shards."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import Document, Index, Segment
from locisimiles.index import totals

TEXTS = st.lists(st.tuples(st.text("abé ", max_size=3), st.integers(0, 3)), max_size=40)


@given(TEXTS, st.integers(1, 9))
def test_a_sample_has_texts_of_all_lengths_in_their_order(texts, size):
    words, lengths = [text for text, _ in texts], [len(text) + many for text, many in texts]
    lengths = [
        length if words.index(word) == at else lengths[words.index(word)]
        for at, (word, length) in enumerate(zip(words, lengths, strict=True))
    ]
    rows = {}
    for row, word in enumerate(words):
        if lengths[row]:
            rows.setdefault(word, row)
    ordered = sorted(rows, key=lambda word: (lengths[rows[word]], len(word), word))
    places = np.unique(np.linspace(0, len(ordered) - 1, size).round().astype(int)) if rows else []
    chosen = sorted((ordered[place] for place in places), key=lambda word: (len(word), word))
    before, totals.SAMPLE = totals.SAMPLE, size
    try:
        found = totals.spread_sample(words, np.array(lengths, np.int64))
    finally:
        totals.SAMPLE = before
    assert found.tolist() == [rows[word] for word in chosen]


def test_the_fingerprint_is_that_of_the_texts(tmp_path):
    segments = [
        Segment(f"ū{n}", text, work=f"w{n % 2}") for n, text in enumerate("é uox \ud800".split())
    ]
    index = Index.build(tmp_path / "i", Document.from_segments(segments))
    assert index.fingerprint() == Document.from_segments(index).fingerprint()
