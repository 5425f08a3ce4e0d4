"""The features of pairs: where they come from, and what they do not depend on."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles import Document, Segment
from locisimiles.classify.base import Pairs
from locisimiles.classify.comparison import ComparableTexts
from locisimiles.classify.pair_features import (
    GROUPS,
    PAIR_FEATURES,
    PRIORS,
    PairFeatures,
    column_names,
    expanded,
    prior_columns,
    standing,
)
from locisimiles.classify.word_features import WORD_FEATURES
from locisimiles.index import PreparedDocument, TextPart
from locisimiles.late.index import LateIndex
from locisimiles.late.pieces import PieceEncoder, PieceWeights
from locisimiles.late.scoring import VIEWS
from locisimiles.late.search import Late
from locisimiles.retrieve.combined.priors import AuthorPriors

NOTHING = np.zeros(0, np.int64)


def document(*texts, prefix="s", **facts):
    return Document.from_segments(
        Segment(f"{prefix}{n}", text, **facts) for n, text in enumerate(texts)
    )


QUERY = document("uox haesit faucibus", "arma cano", "et uox", prefix="q")
SOURCE = document("et vox faucibus haesit", "arma uirumque", "uox", "amor", "uox", "regem regi")
PAIRS = Pairs.every(QUERY, SOURCE)


@pytest.fixture(scope="module")
def features(tiny_latin):
    return PairFeatures(PieceWeights(np.array([3, 5, 0, 2]), 9), Late(tiny_latin, cache=None))


@pytest.fixture(scope="module")
def table(features):
    """All pairs of the two documents."""
    return features.columns(PAIRS)


def column(table, name):
    return table[name].tolist()


def test_blocks_have_whole_queries_and_the_features_of_all_pairs(features, table, monkeypatch):
    order = np.random.default_rng(1).permutation(len(PAIRS))
    for size in (1, 7, 13, 10_000):
        monkeypatch.setattr("locisimiles.classify.pair_features._PAIRS_AT_ONCE", size)
        seen = []
        for rows, block in features.blocks(PAIRS.select(order)):
            assert len(rows) <= max(size, len(SOURCE))
            assert np.array_equal(block.values, table.values[order[rows]])
            queries = set(PAIRS.query_rows[order[rows]].tolist())
            assert not queries & {query for other in seen for query in other}
            seen.append(queries)
        assert sum(map(len, seen)) == len(QUERY)


def test_progress_goes_on_from_block_to_block(features, monkeypatch):
    monkeypatch.setattr("locisimiles.classify.pair_features._PAIRS_AT_ONCE", 1)
    reported = []
    features.columns(PAIRS, progress=lambda task, *steps: reported.append((task, *steps)))
    words = [steps for task, *steps in reported if task == "comparing words"]
    assert words == [[0, 3], [1, 3], [2, 3], [3, 3]]


def test_there_is_a_name_for_each_column(table):
    assert table.names == PAIR_FEATURES
    assert table.values.shape == (18, len(PAIR_FEATURES))
    assert table.values.dtype == np.float32
    assert len(set(PAIR_FEATURES)) == len(PAIR_FEATURES) == sum(map(len, GROUPS.values()))
    assert PRIORS == ("author", "work")


def test_columns_of_words_are_those_of_a_comparison(table):
    texts = ComparableTexts(TextPart.of([*QUERY.texts, *SOURCE.texts]))
    for number in range(len(QUERY)):
        found = texts.compare(number, len(QUERY) + np.arange(len(SOURCE)))
        expected = np.column_stack([feature(found) for feature in WORD_FEATURES.values()])
        rows = table.select(tuple(WORD_FEATURES))[number * 6 : number * 6 + 6]
        np.testing.assert_allclose(rows, expected, rtol=1e-6)


def test_columns_of_late_interaction_are_those_of_its_index(features, table):
    index = features.late.index(SOURCE).reweighted(features.pieces)
    views = index.score(QUERY, PAIRS.query_rows, PAIRS.source_rows)
    for view in VIEWS:
        np.testing.assert_allclose(column(table, f"late {view}"), views[view], rtol=1e-6)


@pytest.mark.parametrize("name", ["late window", "near pair", "rarity"])
def test_places_and_leads_are_those_among_all_sources_of_a_query(table, name):
    place, lead = standing(PAIRS.query_rows, np.array(column(table, name), float))
    np.testing.assert_allclose(column(table, f"place of {name}"), place, rtol=1e-6)
    np.testing.assert_allclose(column(table, f"lead of {name}"), lead, rtol=1e-5, atol=1e-6)


def test_verse_is_recognised_by_work(features):
    verse = document("arma / cano", work="Aeneis")
    prose = document("uox", work="Epistulae")
    names = GROUPS["verse"]
    for query, source, expected in [
        (verse, verse, [1, 1, 1, 0]),
        (verse, prose, [1, 0, 0, 0]),
        (prose, verse, [0, 1, 0, 1]),
        (prose, prose, [0, 0, 0, 0]),
    ]:
        row = features.columns(Pairs(query, source, [0], [0]))
        assert [column(row, name) for name in names] == [[value] for value in expected]


@settings(max_examples=15)
@given(st.permutations(range(18)))
def test_the_order_of_pairs_does_not_matter(features, table, order):
    found = features.columns(PAIRS.select(np.array(order)))
    assert found.values.tolist() == table.values[order].tolist()


@settings(max_examples=15)
@given(st.permutations(range(6)))
def test_the_order_of_sources_does_not_matter(features, table, order):
    moved = SOURCE.select(order)
    found = features.columns(Pairs.every(QUERY, moved)).values
    expected = table.values.reshape(3, 6, -1)[:, order]
    assert found.reshape(3, 6, -1).tolist() == expected.tolist()


def test_sources_that_are_not_candidates_do_not_matter(features, table):
    more = Document.from_segments([*document("uox faucibus", "haesit", prefix="x"), *SOURCE])
    found = features.columns(Pairs(QUERY, more, PAIRS.query_rows, PAIRS.source_rows + 2))
    assert found.values.tolist() == table.values.tolist()


def test_other_queries_do_not_matter(features, table):
    own = PAIRS.query_rows == 0
    found = features.columns(PAIRS.select(own))
    assert found.values.tolist() == table.values[own].tolist()


def test_a_prepared_source_gives_the_same_columns_from_its_index(features, table, monkeypatch):
    query, source = PreparedDocument(QUERY), PreparedDocument(SOURCE)
    index = features.late.index(source)
    before = index.weights
    index.search(query, 3)
    monkeypatch.setattr(Late, "_build", lambda *_: pytest.fail("it was indexed again"))
    monkeypatch.setattr(PieceEncoder, "encode", lambda *_: pytest.fail("it was encoded again"))
    found = features.columns(Pairs.every(query, source))
    assert found.values.tolist() == table.values.tolist()
    assert index.weights is before


def test_a_prepared_source_is_weighed_once(features, table, monkeypatch):
    query, source = PreparedDocument(QUERY), PreparedDocument(SOURCE)
    features.late.index(source)
    weighed = []
    whole = LateIndex.reweighted

    def watched(index, weights):
        weighed.append(weights)
        return whole(index, weights)

    monkeypatch.setattr(LateIndex, "reweighted", watched)
    for _ in range(2):
        assert features.columns(Pairs.every(query, source)).values.tolist() == table.values.tolist()
    other = PairFeatures(PieceWeights(np.array([3, 5, 0, 2]), 900), features.late)
    assert other.columns(Pairs.every(query, source)).values.tolist() != table.values.tolist()
    assert features.columns(Pairs.every(query, source)).values.tolist() == table.values.tolist()
    assert weighed == [features.pieces, other.pieces, features.pieces]


@pytest.mark.parametrize(
    ("query", "source"), [(QUERY, SOURCE), (QUERY[:0], SOURCE), (QUERY, SOURCE[:0])]
)
def test_no_pairs_have_no_rows(features, query, source):
    found = features.columns(Pairs(query, source, NOTHING, NOTHING))
    assert found.values.shape == (0, len(PAIR_FEATURES))


def test_standing_by_hand():
    query = np.array([0, 0, 0, 0, 3, 5, 5])
    place, lead = standing(query, np.array([1.0, 4.0, 9.0, 0.5, 7.0, 2.0, 1.5]))
    assert np.expm1(place) == pytest.approx([2, 1, 0, 3, 0, 0, 1])
    assert lead.tolist() == [-8.0, -5.0, 5.0, -8.5, 7.0, 0.5, -0.5]


def test_ties_share_a_place():
    place, lead = standing(np.zeros(6, np.int64), np.array([0.0, 2.0, 5.0, 0.0, 2.0, 0.0]))
    # Two at the places 1 and 2, three at 3, 4 and 5: the middle of them.
    assert np.expm1(place) == pytest.approx([4, 1.5, 0, 4, 1.5, 4])
    assert lead.tolist() == [-5.0, -3.0, 3.0, -5.0, -3.0, -5.0]
    place, lead = standing(np.zeros(2, np.int64), np.array([2.0, 2.0]))
    assert (np.expm1(place).tolist(), lead.tolist()) == (pytest.approx([0.5, 0.5]), [0.0, 0.0])


SCORES = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from([0.0, 0.5, 1.0, 2.5, 7.0])), max_size=12
).map(sorted)


@given(SCORES)
def test_standing_agrees_with_a_naive_count(pairs):
    place, lead = standing(
        np.array([query for query, _ in pairs], np.int64), np.array([score for _, score in pairs])
    )
    for at, (query, score) in enumerate(pairs):
        rivals = [other for n, (q, other) in enumerate(pairs) if q == query and n != at]
        better = sum(other > score for other in rivals)
        assert place[at] == pytest.approx(math.log1p(better + rivals.count(score) / 2))
        best = max(rivals, default=0.0)
        assert lead[at] == score - best


def test_standing_of_nothing():
    assert [own.tolist() for own in standing(NOTHING, np.zeros(0))] == [[], []]


AUTHOR_PRIORS = AuthorPriors(
    {"Jerome": {"Virgil": 2.0, "Ovid": -1.0}, "Ambrose": {"Ovid": 3.0}},
    {"Jerome": {"Virgil: Aeneis": 0.5}},
)
WORKS = Document.from_segments(
    [
        Segment("a", "arma", author="Virgil", work="Aeneis"),
        Segment("b", "uox", author="Ovid", work="Fasti"),
        Segment("c", "lex"),
    ]
)


def test_priors_are_those_of_the_author_of_each_query():
    authors = [
        ("Jerome", AUTHOR_PRIORS),
        ("Ambrose", AUTHOR_PRIORS),
        ("", AUTHOR_PRIORS),
        ("Jerome", AuthorPriors({}, {})),
    ]
    pairs = Pairs(document(*"abcd"), WORKS, [1, 0, 0, 3, 2, 0], [1, 2, 0, 0, 0, 1])
    assert prior_columns(authors, pairs).values.tolist() == [
        [3.0, 0.0], [0.0, 0.0], [2.0, 0.5], [0.0, 0.0], [0.0, 0.0], [-1.0, 0.0]
    ]  # fmt: skip


def test_no_pairs_have_no_priors():
    pairs = Pairs(document("a"), WORKS, NOTHING, NOTHING)
    assert prior_columns([("Jerome", AUTHOR_PRIORS)], pairs).values.shape == (0, 2)


def test_columns_are_named():
    assert column_names(priors=False) == PAIR_FEATURES
    assert column_names(priors=True) == (*PAIR_FEATURES, *PRIORS)


@pytest.mark.parametrize(
    ("sources", "size"),
    [(7000, 0.0), (300, -1.26), (1, -1.26), (0, -1.26), (200_000, 1.341), (10**9, 1.341)],
)
def test_columns_are_multiplied_by_the_logarithm_of_the_number_of_sources(sources, size):
    wide = expanded(np.array([[2.0, -1.0], [0.5, 0.0]]), sources)
    for row, (a, b) in zip(wide.tolist(), [(2.0, -1.0), (0.5, 0.0)], strict=True):
        assert row == pytest.approx([a, b, size, a * size, b * size], abs=1e-3)


def test_an_empty_table_is_expanded():
    assert expanded(np.zeros((0, 3)), 100).shape == (0, 7)
