"""The index finds what a loop over all pairs finds, and nothing changes its results."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles import Document, ParameterError, Segment, load_example_query, load_example_source
from locisimiles.retrieve.ngram_rules import NgramRules, searching, shared_terms
from locisimiles.retrieve.ngram_rules import rules as rules_module

KINDS = ["lemma", "surface"]
SETTINGS = [
    {},
    {"terms": "surface", "pos_words": 0},
    {"n": 3, "complura": None},
    {"n": 4, "window": 6, "complura": None, "clause_ends": ""},
    {"window": 1, "complura": 2, "decay": 0.0},
    {"window": 10, "clause_ends": ".!?;:,", "reordered": 0.5},
    {"pos": ("NOUN",), "pos_words": 2, "max_collocations": 300, "min_score": 6.0},
]
WORDS = "uox haesit faucibus arma uirumque cano et in, tristi; uoces. haerere".split()


@pytest.fixture(scope="module")
def query():
    return load_example_query()


@pytest.fixture(scope="module")
def source():
    return load_example_source()


def check_agreement(found, expected):
    assert {q: dict(pairs).keys() for q, pairs in found.items()} == {
        q: scores.keys() for q, scores in expected.items()
    }
    for query_id, pairs in found.items():
        assert dict(pairs) == pytest.approx(expected[query_id], abs=1e-4)


@pytest.mark.parametrize("parameters", SETTINGS)
def test_the_index_finds_what_a_loop_over_all_pairs_finds(query, find, by_hand, parameters):
    queries, some = query[:20], load_example_source()[:60]
    found = find(queries, some, **parameters)
    assert any(found.values())
    check_agreement(found, by_hand(queries, some, **parameters))


@given(
    st.lists(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join), min_size=1, max_size=4),
    st.lists(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join), min_size=1, max_size=4),
    st.sampled_from(SETTINGS),
)
@settings(deadline=None, max_examples=60)
def test_the_same_for_texts_full_of_repetitions(find, by_hand, queries, sources, parameters):
    made = [
        Document.from_segments(Segment(str(place), text) for place, text in enumerate(texts))
        for texts in (queries, sources)
    ]
    check_agreement(find(*made, **parameters), by_hand(*made, **parameters))


@pytest.mark.parametrize("terms", KINDS)
def test_candidates_come_best_first(query, source, find, terms):
    found = find(query, source, terms=terms)
    assert found == {
        query_id: sorted(pairs, key=lambda pair: (-pair[1], pair[0]))
        for query_id, pairs in found.items()
    }


@pytest.mark.parametrize("terms", KINDS)
def test_the_first_ten_begin_the_first_hundred(query, source, find, terms):
    options = {"terms": terms, "window": 50, "clause_ends": "", "complura": 1}
    ten = find(query, source, k=10, **options)
    hundred = find(query, source, k=100, **options)
    assert ten == {query_id: pairs[:10] for query_id, pairs in hundred.items()}
    assert max(map(len, hundred.values())) > 10


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("terms", KINDS)
def test_the_order_of_the_source_does_not_matter(query, source, find, terms, seed):
    shuffled = source.select(random.Random(seed).sample(range(len(source)), len(source)))
    assert shuffled.ids != source.ids
    assert find(query, shuffled, terms=terms) == find(query, source, terms=terms)


def test_the_order_of_the_queries_does_not_matter(query, source, find):
    backwards = query.select(reversed(range(len(query))))
    assert find(backwards, source) == find(query, source)


def test_a_segment_that_stands_twice_has_the_same_score_twice(query, source, find):
    twice = Document.from_segments(
        [*source, *(Segment(f"{segment.id} bis", segment.text) for segment in source)]
    )
    found = find(query, twice)
    assert any(found.values())
    for pairs in found.values():
        scores = dict(pairs)
        assert all(scores[i.removesuffix(" bis")] == scores[i] for i in scores if " bis" in i)
        assert sum(" bis" in i for i in scores) * 2 == len(scores)


@pytest.mark.parametrize("text", ["", "   ", "et in", "... ; !", "1 2 3"])
def test_a_query_without_words_finds_nothing(source, find, make, text):
    assert find(make(text), source) == {"s1": []}


@pytest.mark.parametrize("texts", [[], [""], ["et in"], ["uox"]])
def test_a_source_without_pairs_of_words_has_nothing_to_find(find, make, texts):
    assert find(make("uox haesit"), make(*texts)) == {"s1": []}


def test_no_queries_find_nothing(source, make):
    assert len(NgramRules().index(source).search(make(), 10)) == 0


def test_batches_change_nothing(query, source, find, monkeypatch):
    whole = find(query, source, complura=2)
    monkeypatch.setattr(rules_module, "_SOURCE_BATCH", 7)
    monkeypatch.setattr(searching, "QUERY_BATCH", 5)
    monkeypatch.setattr(shared_terms, "_CELLS", 300)
    assert find(query, source, complura=2) == whole


def test_an_index_can_be_searched_again_after_it_met_new_words(query, source, make):
    index = NgramRules().index(source)
    index.search(make("inaudita uerba xyzzarum quuxorum"), 10)
    assert index.search(query, 10) == NgramRules().index(source).search(query, 10)


def test_a_verse_that_virgil_repeats_is_found_wherever_it_stands(query, source, find):
    first, second, third = find(query, source, k=3)["hier. epist. 130.5.5.3"]
    assert first[1] == second[1] == third[1] > 10
    assert [first[0], second[0], third[0]] == [
        "verg. aen. 12.867.1",
        "verg. aen. 2.774.1",
        "verg. aen. 3.47.1",
    ]


def test_a_text_that_repeats_itself_stays_cheap(find, make):
    text = "arma uirum " * 3000
    ((_, score),) = find(make(text), make(text), window=50)["s1"]
    assert score == find(make("arma uirum"), make("arma uirum"), window=50)["s1"][0][1]


def test_progress_is_reported_for_both_steps(query, source):
    heard = []
    index = NgramRules().index(source, progress=lambda *step: heard.append(step))
    index.search(query, 10, progress=lambda *step: heard.append(step))
    assert ("indexing", len(source), len(source)) in heard
    assert heard[-1] == ("searching", len(query), len(query))


def test_k_must_be_at_least_one(query, source):
    with pytest.raises(ParameterError, match=r"k must be at least 1 \(got 0\)"):
        NgramRules().index(source).search(query, 0)
