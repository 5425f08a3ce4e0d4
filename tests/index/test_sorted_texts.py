"""Texts found among sorted bytes, compared with a search among the texts themselves."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from locisimiles.index.sorted_texts import SortedTexts, Wanted

# Few letters, so that many begin alike; some of several bytes, a zero, and half of a pair.
texts = st.text("ab\0z\u00e9\u0101\ud800\uffff\U00010000", max_size=40)


def packed(known):
    encoded = [text.encode("utf-8", "surrogatepass") for text in known]
    content = np.frombuffer(b"".join(encoded), np.uint8)
    return SortedTexts(content, np.cumsum([0, *map(len, encoded)], dtype=np.int64))


@given(st.sets(texts, max_size=30), st.lists(texts, max_size=30))
@example({"a", "a\0"}, ["a", "a\0", "a\0\0"])
@example({"a" * 24, "a" * 25, "a" * 23 + "b"}, ["a" * size for size in range(20, 30)])
@example({""}, ["", "a"])
def test_texts_are_found_where_they_stand(known, others):
    known = sorted(known)
    wanted = [*others, *known]
    expected = [known.index(text) if text in known else -1 for text in wanted]
    assert packed(known).find(Wanted(wanted)).tolist() == expected


def test_nothing_is_found_among_nothing():
    assert packed([]).find(Wanted(["arma", ""])).tolist() == [-1, -1]
    assert packed(["arma"]).find(Wanted([])).tolist() == []
