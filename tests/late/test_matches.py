"""Which words answer each other, put together from their pieces."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.late.matches import match_words
from locisimiles.late.pieces import Pieces
from locisimiles.late.scoring import Scoring, score_texts


def words(*pieces_of_words, weight=None):
    """Return words of one text; each is given as the vectors of its pieces."""
    rows = np.array([row for own in pieces_of_words for row in own], np.int8).reshape(-1, 2)
    number = np.repeat(np.arange(len(pieces_of_words)), [len(own) for own in pieces_of_words])
    start = number.astype(np.int32) * 5
    column = np.ones(len(rows), np.float32) if weight is None else np.array(weight, np.float32)
    piece = np.arange(len(rows), dtype=np.int32)
    return Pieces(rows, column, start, start + 4, np.array([0, len(rows)]), piece)


EAST, NORTH, WEST, BETWEEN = [127, 0], [0, 127], [-127, 0], [76, 102]


def test_the_best_match_of_a_word_contributes_most():
    query = words([EAST], [NORTH], [WEST], weight=[2, 3, 4])
    found = match_words(query, words([BETWEEN], [EAST]), Scoring())
    assert found.cosines == pytest.approx(
        np.array([[0.5984, 1], [0.8031, 0], [-0.5984, -1]]), abs=1e-3
    )
    near, nearest = found.best()
    assert near.query == (0, 4)
    assert near.source == (5, 9)
    assert (near.cosine, near.contribution) == pytest.approx((1, 2))
    assert nearest.query == (5, 9)
    assert nearest.source == (0, 4)
    assert nearest.contribution == pytest.approx(3 * 0.8031**3, abs=1e-2)
    assert found.window == (0, 3)
    assert found.score == pytest.approx((2 + 3 * 0.8031**3) / 5, abs=1e-3)
    assert len(found.best(least=0.9)) == 1


def test_if_nothing_contributes_the_nearest_word_matches():
    found = match_words(words([WEST]), words([EAST], [BETWEEN]), Scoring())
    (answer,) = found.best(least=-1)
    assert answer.source == (5, 9)
    assert answer.contribution == 0


def test_pieces_of_a_word_are_reported_together():
    # Each piece alone is nearest to another word; the first word of the source has both.
    query = words([EAST, NORTH], [NORTH], weight=[2, 3, 1])
    found = match_words(query, words([BETWEEN, EAST], [NORTH]), Scoring())
    assert found.query_spans == ((0, 4), (5, 9))
    assert found.source_spans == ((0, 4), (5, 9))
    assert found.cosines == pytest.approx(
        np.array([[(1 + 0.8031) / 2, (0 + 1) / 2], [0.8031, 1]]), abs=1e-3
    )
    assert found.contributions == pytest.approx(
        np.array([[2 + 3 * 0.8031**3, 3], [0.8031**3, 1]]), abs=1e-3
    )
    first, second = found.best()
    assert (first.query, first.source) == ((0, 4), (0, 4))
    assert first.contribution == pytest.approx(2 + 3 * 0.8031**3, abs=1e-3)
    assert (second.query, second.source) == ((5, 9), (5, 9))
    # Scores are those of pieces, whichever words they are of.
    assert found.score == pytest.approx((2 + 3 + 1) / 5)


def test_the_word_with_the_rarer_shared_piece_matches():
    query = words([EAST, NORTH], weight=[1, 5])
    (answer,) = match_words(query, words([EAST], [NORTH]), Scoring()).best()
    assert answer.source == (5, 9)
    (answer,) = match_words(
        words([EAST, NORTH], weight=[5, 1]), words([EAST], [NORTH]), Scoring()
    ).best()
    assert answer.source == (0, 4)


def test_the_best_window_is_named():
    query = words([NORTH], [EAST], [EAST], [NORTH])
    found = match_words(query, words([EAST]), Scoring(window=2))
    assert found.window == (1, 3)
    assert found.score == pytest.approx(1)


def test_the_best_window_of_pieces_is_named_by_the_words_it_touches():
    query = words([NORTH, NORTH], [WEST, EAST], [EAST, NORTH, NORTH], [NORTH])
    found = match_words(query, words([EAST]), Scoring(window=2))
    assert found.window == (1, 3)
    assert found.score == pytest.approx(1)
    assert match_words(query, words([EAST]), Scoring(window=20)).window == (0, 4)


@pytest.mark.parametrize(("query", "source"), [([], [[EAST]]), ([[EAST]], []), ([], [])])
def test_texts_without_words_have_no_matches(query, source):
    found = match_words(words(*query), words(*source), Scoring())
    assert found.cosines.shape == (len(query), len(source))
    assert found.contributions.shape == (len(query), len(source))
    assert found.best(least=-1) == []
    assert found.window == (0, len(query))
    assert found.score == 0


texts = st.lists(st.integers(1, 3), min_size=1, max_size=7)


@given(query=texts, source=texts, width=st.integers(1, 6), seed=st.integers(0, 1000))
def test_words_are_compared_as_a_plain_computation_does(query, source, width, seed):
    random = np.random.default_rng(seed)

    def drawn(sizes):
        turns = [random.uniform(0, 2 * np.pi, size=size) for size in sizes]
        rows = [np.rint(127 * np.stack([np.cos(t), np.sin(t)], axis=1)) for t in turns]
        return words(*rows, weight=random.uniform(0.1, 5, size=sum(sizes)))

    asking, answering = drawn(query), drawn(source)
    scoring = Scoring(window=width)
    found = match_words(asking, answering, scoring)
    assert found.score == score_texts(asking, answering, np.array([0]), scoring)[0, 0]

    def members(sizes):
        ends = np.cumsum(sizes).tolist()
        return [range(end - size, end) for size, end in zip(sizes, ends, strict=True)]

    def cosine(i, j):
        both = asking.vectors[i], answering.vectors[j]
        product = sum(int(a) * int(b) for a, b in zip(*both, strict=True))
        return min(max(product / 127**2, -1), 1)

    for row, own in enumerate(members(query)):
        contributions = []
        for column, other in enumerate(members(source)):
            best = [max(cosine(i, j) for j in other) for i in own]
            assert found.cosines[row, column] == pytest.approx(sum(best) / len(own), abs=1e-5)
            weight = asking.weight[list(own)].tolist()
            contributions.append(sum(max(c, 0) ** 3 * w for c, w in zip(best, weight, strict=True)))
        assert found.contributions[row] == pytest.approx(contributions, abs=1e-4)
        answer = found.best(least=-1)[row]
        assert answer.contribution == pytest.approx(max(contributions), abs=1e-4)
    best = [max(max(cosine(i, j), 0) for j in range(sum(source))) ** 3 for i in range(sum(query))]
    begins = range(max(sum(query) - width, 0) + 1)
    values = [c * float(weight) for c, weight in zip(best, asking.weight, strict=True)]
    sums = [sum(values[begin : begin + width]) for begin in begins]
    near = [begin for begin in begins if sums[begin] > max(sums) - 1e-4]
    word = np.repeat(np.arange(len(query)), query).tolist()
    assert found.window in [
        (word[begin], word[min(begin + width, len(word)) - 1] + 1) for begin in near
    ]
