"""Late interaction, with an encoder that needs no model."""

import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from locisimiles import Document, ParameterError, Segment, load_example_query, load_example_source
from locisimiles.index import PreparedDocument
from locisimiles.late.search import Late
from locisimiles.latin import tokenize
from locisimiles.retrieve import MethodOptions, change_settings, make_retriever

# Few lists and a small depth, so that a few hundred sources are enough to be left out.
VARIANTS = [
    {},
    {"lists": 40, "probes": 3, "depth": 30},
    {"exact": True},
    {"power": 1.5, "window": 3},
]
EVERYTHING = 10_000


def document(*texts, prefix="s"):
    return Document.from_segments(Segment(f"{prefix}{n}", t) for n, t in enumerate(texts, start=1))


@pytest.fixture(scope="module")
def query():
    return load_example_query()


@pytest.fixture(scope="module")
def source():
    return load_example_source()


@pytest.fixture
def index(context_encoder):
    return lambda source, **options: Late(context_encoder, cache=None, **options).index(source)


@pytest.fixture
def search(index):
    def run(queries, source, *, k=EVERYTHING, **options):
        found = index(source, **options).search(queries, k)
        return {
            query_id: [
                (source.ids[at], score) for at, score in zip(*found.of_query(q), strict=True)
            ]
            for q, query_id in enumerate(queries.ids)
        }

    return run


def naive(encoder, query_text, source, *, window=5, power=3.0):
    """Return the scores of a query as the formula is written."""

    def pieces(text):
        words = [token.text for token in tokenize(text) if not token.text.isdigit()]
        return [piece for word in words for piece in encoder.cut(word)]

    have = [set(pieces(text)) for text in source.texts]
    weights = [
        np.log((len(source) + 1) / (sum(piece in own for own in have) + 1))
        for piece in pieces(query_text)
    ]
    asking = encoder.encode_pieces([query_text]).vectors
    scores = {}
    for segment in source:
        answers = encoder.encode_pieces([segment.text]).vectors
        best = [max((max(float(v @ u), 0) for u in answers), default=0) for v in asking]
        c = [weight * cosine**power for weight, cosine in zip(weights, best, strict=True)]
        windows = [sum(c[a : a + window]) for a in range(max(len(c) - window, 0) + 1)]
        scores[segment.id] = max(windows) / window
    return scores


@pytest.mark.parametrize("options", [{}, {"window": 2, "power": 1.0}, {"exact": True}])
def test_scores_are_those_of_the_formula(search, context_encoder, query, source, options):
    few = source[:40]
    settings = {name: value for name, value in options.items() if name != "exact"}
    found = search(query[:4], few, **options)
    for segment in query[:4]:
        expected = naive(context_encoder, segment.text, few, **settings)
        assert len(found[segment.id]) > 20
        for source_id, score in found[segment.id]:
            assert score == pytest.approx(expected[source_id], rel=0.03, abs=0.02)


def test_words_without_a_common_lemma_find_each_other(search):
    found = search(document("clarus sonus"), document("tempora mores", "uox alta", "arma uirum"))
    assert found["s1"][0][0] == "s2"


def test_words_find_each_other_by_a_piece_they_share(search):
    found = search(document("sideribus"), document("tempora mores", "moribus", "uox alta"))
    assert found["s1"][0][0] == "s2"  # ##bus


def test_a_short_cue_in_a_long_sentence_is_found(search, source):
    cue = "arma uirumque cano"
    filling = " ".join(f"zz{'x' * n}" for n in range(1, 12))
    found = search(document(f"{filling} {cue} {filling}"), source, k=1)
    assert found["s1"][0][0] == search(document(cue), source, k=1)["s1"][0][0]


@pytest.mark.parametrize("options", VARIANTS)
def test_the_first_ten_begin_the_first_hundred_and_those_all(search, query, source, options):
    ten, hundred, everything = (
        search(query, source, k=k, **options) for k in (10, 100, EVERYTHING)
    )
    assert ten == {query_id: pairs[:10] for query_id, pairs in hundred.items()}
    assert hundred == {query_id: pairs[:100] for query_id, pairs in everything.items()}
    assert max(map(len, hundred.values())) == 100


@pytest.mark.parametrize("options", VARIANTS)
def test_the_order_of_source_and_queries_does_not_matter(search, query, source, options):
    shuffled = source.select(random.Random(1).sample(range(len(source)), len(source)))
    assert search(query[::-1], shuffled, **options) == search(query, source, **options)


@pytest.mark.parametrize("options", VARIANTS)
def test_a_source_that_is_there_twice_scores_the_same_twice(search, query, source, options):
    copies = (Segment(f"{segment.id}*", segment.text) for segment in source)
    for pairs in search(query[:5], Document.from_segments([*source, *copies]), **options).values():
        scores = dict(pairs)
        assert scores
        assert all(scores[source_id.rstrip("*") + "*"] == score for source_id, score in pairs)


def test_the_best_of_the_first_stage_are_scored_exactly(search, query, source):
    exact = search(query, source, exact=True)
    found = search(query, source, lists=40, probes=10, depth=30, k=10)
    hits = [pair in exact[query_id][:10] for query_id, pairs in found.items() for pair in pairs]
    assert np.mean(hits) > 0.9


@pytest.mark.parametrize("text", ["", "   ", "... !? 12 —", "\ud800"])
@pytest.mark.parametrize("options", [{}, {"exact": True}])
def test_a_query_without_words_finds_nothing_and_is_no_error(search, source, text, options):
    found = search(document(text, "arma uirumque"), source, k=5, **options)
    assert found["s1"] == []
    assert len(found["s2"]) == 5


@pytest.mark.parametrize("options", [{}, {"exact": True}])
def test_sources_without_words_are_never_found(search, options):
    hostile = document("", "... 12", "uox", "arma", "\u0000", "et " * 5000)
    found = search(document("uox faucibus haesit", "et " * 5000), hostile, **options)
    assert {source_id for pairs in found.values() for source_id, _ in pairs} <= {"s3", "s4", "s6"}
    assert found["s1"][0][0] == "s3"
    assert found["s2"][0][0] == "s6"


@pytest.mark.parametrize("options", [{}, {"exact": True}])
def test_empty_documents_are_no_error(search, options):
    nothing = Document.from_segments([])
    assert search(document("uox"), nothing, **options) == {"s1": []}
    assert search(nothing, document("uox"), **options) == {}
    assert search(document("uox"), document("... 1"), **options) == {"s1": []}


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(texts=st.lists(st.text(max_size=30), max_size=5), asked=st.text(max_size=30))
def test_any_text_can_be_searched_and_compared(index, texts, asked):
    source = document(*texts)
    built = index(source)
    found = built.search(document(asked), 3)
    assert np.isfinite(found.score).all()
    for text in texts:
        compared = built.match(asked, text)
        assert all(asked[start:end].strip() for start, end in compared.query_spans)


def test_texts_are_encoded_once_even_by_another_run(context_encoder, tmp_path, source):
    queries = document("arma uirum", "arma uirum")
    first = Late(context_encoder, cache=tmp_path).index(source).search(queries, 10)
    assert sorted(context_encoder.encoded) == sorted({*source.texts, "arma uirum"})
    encoded = len(context_encoder.encoded)
    second = Late(context_encoder, cache=tmp_path).index(source).search(queries, 10)
    assert len(context_encoder.encoded) == encoded
    assert first == second


def test_the_manifest_says_what_made_the_scores(context_encoder):
    parameters = Late(context_encoder, window=6, cache=None).parameters()
    assert parameters["name"] == "late"
    assert parameters["model"] == "pieces in context"
    assert (parameters["window"], parameters["narrow"], parameters["wide"]) == (6, 3, 8)
    assert parameters["depth"] == Late(context_encoder).depth
    assert "depth" not in Late(context_encoder, exact=True).parameters()


@pytest.mark.parametrize(
    "setting", ["window", "narrow", "wide", "answer", "depth", "lists", "probes"]
)
def test_settings_must_be_at_least_one(setting):
    with pytest.raises(ParameterError, match=rf"{setting} must be at least 1 \(got 0\)"):
        Late(**{setting: 0})


@pytest.mark.parametrize("power", [0, -1, float("inf"), float("nan")])
def test_an_invalid_power_is_an_error(power):
    with pytest.raises(ParameterError, match="power"):
        Late(power=power)


def test_an_encoder_without_pieces_is_refused(word_encoder, source):
    with pytest.raises(ParameterError, match="has no vectors for late interaction"):
        Late(word_encoder).index(source)


def test_it_is_a_method_whose_model_and_settings_can_be_chosen():
    assert make_retriever("late").model == "latin"
    made = make_retriever("late", MethodOptions(model="folder"))
    changed = change_settings(made, {"window": "6", "exact": "yes", "lists": "12"})
    assert (changed.model, changed.window, changed.exact, changed.lists) == ("folder", 6, True, 12)


def test_prepared_texts_keep_their_index(context_encoder):
    late = Late(context_encoder, cache=None)
    source = PreparedDocument(document("uox faucibus", "arma uirumque", "haesit uox"))
    assert late.prepared_index(source) is None
    index = late.index(source)
    assert late.index(source) is late.prepared_index(source) is index
    # Pairs are scored alike whatever the first stage is, so any index will do for that.
    shallow = Late(context_encoder, cache=None, exact=True, depth=3)
    assert shallow.prepared_index(source) is index
    assert shallow.index(source) is not index
    # Other windows are something else, and so are other texts.
    assert Late(context_encoder, cache=None, window=4).prepared_index(source) is None
    assert late.prepared_index(source.select([0, 1])) is None


def test_texts_are_encoded_once_for_several_indexes(context_encoder):
    source = PreparedDocument(document("uox faucibus", "arma uirumque"))
    Late(context_encoder, cache=None).index(source)
    encoded = len(context_encoder.encoded)
    Late(context_encoder, cache=None, window=4, exact=True).index(source)
    assert len(context_encoder.encoded) == encoded


def test_queries_are_encoded_once_for_searching_and_scoring(context_encoder, query, source):
    index = Late(context_encoder, cache=None).index(source)
    rows, sources = np.arange(8).repeat(3), np.arange(24) % len(source)
    fresh = index.score(query, rows, sources)
    queries = PreparedDocument(query)
    index.search(queries, 2)
    encoded = len(context_encoder.encoded)
    again = index.score(queries, rows, sources)
    assert len(context_encoder.encoded) == encoded
    assert {view: own.tolist() for view, own in again.items()} == {
        view: own.tolist() for view, own in fresh.items()
    }
