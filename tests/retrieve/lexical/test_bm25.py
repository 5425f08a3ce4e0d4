"""BM25: the formula, and what must not change its results."""

import random
from collections import Counter
from math import inf, log, nan

import pytest

from locisimiles import (
    BM25,
    Document,
    ParameterError,
    Segment,
    load_example_query,
    load_example_source,
)
from locisimiles.retrieve.lexical.terms import term_function

KINDS = ["lemma", "surface"]
ALL = 10_000


def document(*texts, prefix="s"):
    return Document.from_segments(Segment(f"{prefix}{n}", t) for n, t in enumerate(texts, start=1))


def search(queries, source, *, k=ALL, **parameters):
    """Return, for each query id, its candidates as pairs of source id and score."""
    candidates = BM25(**parameters).index(source).search(queries, k)
    found = {query_id: [] for query_id in queries.ids}
    for query, position, score in zip(
        candidates.query, candidates.source, candidates.score, strict=True
    ):
        found[queries.ids[query]].append((source.ids[position], float(score)))
    return found


def lucene(queries, source, *, terms, k1, b):
    """Return all positive scores, computed as the formula is written."""
    function = term_function(terms)

    def to_terms(text):
        return function([text])[0]

    segments = {segment.id: Counter(to_terms(segment.text)) for segment in source}
    containing = Counter(term for counts in segments.values() for term in counts)
    average = sum(counts.total() for counts in segments.values()) / len(segments)

    def weight(term, counts):
        rarity = log(1 + (len(segments) - containing[term] + 0.5) / (containing[term] + 0.5))
        norm = k1 * (1 - b + b * counts.total() / average)
        return rarity * counts[term] / (counts[term] + norm)

    return {
        query.id: {
            segment_id: sum(weight(term, counts) for term in to_terms(query.text) if term in counts)
            for segment_id, counts in segments.items()
            if not counts.keys().isdisjoint(to_terms(query.text))
        }
        for query in queries
    }


@pytest.fixture(scope="module")
def query():
    return load_example_query()


@pytest.fixture(scope="module")
def source():
    return load_example_source()


@pytest.mark.parametrize(("k1", "b"), [(1.5, 0.75), (1.2, 0.0), (2.0, 1.0), (0.0, 0.5)])
@pytest.mark.parametrize("terms", KINDS)
def test_scores_are_those_of_the_formula(query, source, terms, k1, b):
    found = search(query, source, terms=terms, k1=k1, b=b)
    expected = lucene(query, source, terms=terms, k1=k1, b=b)
    assert {q: dict(pairs).keys() for q, pairs in found.items()} == {
        q: scores.keys() for q, scores in expected.items()
    }
    assert [score for q in query.ids for _, score in found[q]] == pytest.approx(
        [expected[q][s] for q in query.ids for s, _ in found[q]], abs=1e-5
    )


def test_a_word_that_a_query_repeats_counts_each_time():
    source = document("arma cano", "uox haesit")
    once, twice = search(document("arma", "arma arma"), source, terms="surface").values()
    assert twice == [("s1", pytest.approx(2 * once[0][1]))]


@pytest.mark.parametrize("terms", KINDS)
def test_candidates_come_best_first(query, source, terms):
    found = search(query, source, terms=terms)
    assert found == {
        query_id: sorted(pairs, key=lambda pair: (-pair[1], pair[0]))
        for query_id, pairs in found.items()
    }


@pytest.mark.parametrize("terms", KINDS)
def test_the_first_ten_begin_the_first_hundred(query, source, terms):
    ten = search(query, source, k=10, terms=terms)
    hundred = search(query, source, k=100, terms=terms)
    assert ten == {query_id: pairs[:10] for query_id, pairs in hundred.items()}
    assert max(map(len, hundred.values())) == 100


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("terms", KINDS)
def test_the_order_of_the_source_does_not_matter(query, source, terms, seed):
    shuffled = source.select(random.Random(seed).sample(range(len(source)), len(source)))
    assert shuffled.ids != source.ids
    assert search(query, shuffled, terms=terms) == search(query, source, terms=terms)


def test_the_order_of_the_queries_does_not_matter(query, source):
    assert search(query[::-1], source) == search(query, source)


def test_a_query_finds_the_same_alone_and_among_others(query, source):
    assert search(query[3:4], source)[query.ids[3]] == search(query, source)[query.ids[3]]


@pytest.mark.parametrize("terms", KINDS)
def test_u_and_v_i_and_j_and_case_do_not_matter(query, source, terms):
    spelt = str.maketrans("uvij", "vuji")
    other = Document.from_segments(Segment(s.id, s.text.translate(spelt).upper()) for s in source)
    assert search(query, other, terms=terms) == search(query, source, terms=terms)


@pytest.mark.parametrize("copy_id", ["aaa", "zzz"])
def test_a_copy_of_a_source_scores_alike_and_ties_come_in_the_order_of_ids(query, source, copy_id):
    original = source["verg. aen. 2.774.1"]
    doubled = Document.from_segments([*source, Segment(copy_id, original.text)])
    first, second = search(query, doubled)["hier. epist. 130.5.5.3"][:2]
    assert first[1] == second[1]
    assert [first[0], second[0]] == sorted([copy_id, original.id])


@pytest.mark.parametrize("terms", KINDS)
@pytest.mark.parametrize("text", ["", " ", "... 3 / —", "xyzzy"])
def test_a_query_without_known_words_finds_nothing(source, terms, text):
    assert search(document(text, prefix="q"), source, terms=terms) == {"q1": []}


def test_a_query_without_words_leaves_the_others_alone(source):
    queries = document("", "arma uirumque cano", "...", prefix="q")
    found = search(queries, source)
    assert (found["q1"], found["q3"]) == ([], [])
    assert found["q2"][0][0] == "verg. aen. 1.1.1"


@pytest.mark.parametrize("texts", [("...", "", "3"), ("",), ()])
def test_a_source_without_any_word_gives_nothing(texts):
    assert search(document("arma", prefix="q"), document(*texts)) == {"q1": []}


@pytest.mark.parametrize("texts", [("", "arma"), ("...", "arma"), ("", "arma", "")])
def test_a_source_segment_without_words_is_never_found(texts):
    found = search(document("arma", prefix="q"), document(*texts))
    assert [source_id for source_id, _ in found["q1"]] == ["s2"]


def test_no_queries_find_nothing_at_all(source):
    assert search(document(), source) == {}


@pytest.mark.parametrize("k", [0, -3])
def test_k_must_be_at_least_one(k):
    with pytest.raises(ParameterError, match=rf"^k must be at least 1 \(got {k}\)$"):
        BM25().index(document("arma")).search(document("arma"), k)


@pytest.mark.parametrize("k1", [-0.1, -inf, nan])
def test_an_invalid_k1_is_refused(k1):
    with pytest.raises(ParameterError, match=rf"^k1 must be at least 0 \(got {k1}\)"):
        BM25(k1=k1)


@pytest.mark.parametrize("b", [-0.1, 1.1, inf, nan])
def test_an_invalid_b_is_refused(b):
    with pytest.raises(ParameterError, match=rf"^b must be between 0 and 1 \(got {b}\)$"):
        BM25(b=b)


def test_an_infinite_k1_is_refused():
    with pytest.raises(ParameterError):
        BM25(k1=inf)


def test_unknown_terms_are_refused():
    with pytest.raises(ParameterError, match="choose one of lemma, surface"):
        BM25(terms="stem")


def test_the_parameters_name_everything():
    assert BM25(terms="surface", k1=1.0, b=0.5).parameters() == {
        "name": "bm25",
        "terms": "surface",
        "k1": 1.0,
        "b": 0.5,
    }
