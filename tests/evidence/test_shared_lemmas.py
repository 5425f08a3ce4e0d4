"""Shared lemmas of many pairs are those of their alignments."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import load_example_query, load_example_source
from locisimiles.evidence import Aligner
from locisimiles.evidence import shared_lemmas as module
from locisimiles.evidence.shared_lemmas import shared_lemmas

# Forms of few lemmas, and forms that may have several, so that words compete for partners.
WORDS = [
    *("arma", "armis", "armo", "uirum", "uiri", "uires", "cano", "canis", "canes", "canorum"),
    *("amor", "amoris", "oris", "ora", "et", "que", "est", "esse", "edere", "XII", "uirumque"),
]
texts_of_words = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)


def aligned(texts, queries, sources):
    found = Aligner().align([texts[row] for row in queries], [texts[row] for row in sources])
    return [alignment.lemmas for alignment in found]


def shared(texts, queries, sources):
    rows = np.array(queries, np.int64), np.array(sources, np.int64)
    return shared_lemmas(texts, *rows)


@given(st.lists(texts_of_words, min_size=1, max_size=6))
def test_pairs_share_what_their_alignments_say(texts):
    queries, sources = (rows.ravel().tolist() for rows in np.indices((len(texts), len(texts))))
    assert shared(texts, queries, sources) == aligned(texts, queries, sources)


def test_real_pairs_share_what_their_alignments_say():
    texts = [*load_example_query().texts[:20], *load_example_source().texts[:60]]
    queries, sources = np.indices((20, 60)).reshape(2, -1)
    pairs = queries.tolist(), (sources + 20).tolist()
    found = shared(texts, *pairs)
    assert found == aligned(texts, *pairs)
    assert max(map(len, found)) > 2


def test_a_long_text_and_no_pair():
    texts = ["arma uirum " * 200, "uiri armis cano uires", ""]
    pairs = [0, 1, 2, 0], [1, 0, 0, 0]
    assert shared(texts, *pairs) == aligned(texts, *pairs)
    assert shared(texts, [], []) == []


def test_only_pairs_whose_order_is_in_doubt_are_aligned(monkeypatch):
    asked = []

    class Watched(Aligner):
        def align_rows(self, words, texts, query_rows, source_rows):
            asked.extend(query_rows.tolist())
            return super().align_rows(words, texts, query_rows, source_rows)

    monkeypatch.setattr(module, "Aligner", Watched)
    # The second has "uir" once and "arma" once: which "uir" of the first it answers is open.
    texts = ["uirum arma cano uiri", "armis uirum", "uiri et uires"]
    assert shared(texts, [0, 1, 0], [1, 0, 2]) == aligned(texts, [0, 1, 0], [1, 0, 2])
    assert asked == [0]


@pytest.mark.parametrize("rows", [([0, 0], [1, 1]), ([1, 0, 1], [0, 0, 1])])
def test_pairs_may_come_in_any_order_and_twice(rows):
    texts = ["arma uirumque cano", "cano arma"]
    assert shared(texts, *rows) == aligned(texts, *rows)
