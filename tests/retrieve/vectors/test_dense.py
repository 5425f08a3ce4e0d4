"""Dense retrieval, with an encoder that needs no model."""

import random

import numpy as np
import pytest

from locisimiles import Document, ParameterError, Segment
from locisimiles.retrieve.vectors.dense import Dense
from locisimiles.retrieve.vectors.nearest import IVF

VARIANTS = [{}, {"whitening": 16}, {"approximate": IVF(lists=12, probes=6)}]


def document(*texts, prefix="s"):
    return Document.from_segments(Segment(f"{prefix}{n}", t) for n, t in enumerate(texts, start=1))


@pytest.fixture
def search(word_encoder, search_with):
    def run(queries, source, *, k=10_000, **options):
        retriever = Dense(word_encoder, **{"cache": None, **options})
        return search_with(retriever, queries, source, k)

    return run


def test_scores_are_cosines_best_first(search, word_encoder, query, source):
    found = search(query[:5], source)
    for segment in query[:5]:
        own = word_encoder.encode([segment.text])[0]
        cosines = word_encoder.encode(list(source.texts)) @ own
        expected = {i: c for i, c in zip(source.ids, cosines, strict=True) if c > 1e-5}
        assert dict(found[segment.id]) == pytest.approx(expected, abs=1e-5)
        assert found[segment.id] == sorted(found[segment.id], key=lambda pair: (-pair[1], pair[0]))


def test_the_text_itself_comes_first(search, source):
    found = search(source[:20], source, k=1)
    assert all(pairs[0][1] == pytest.approx(1, abs=1e-5) for pairs in found.values())


def test_words_that_are_near_are_found_without_being_shared(search):
    found = search(document("sonus"), document("uox", "tempora", "mores"), k=1)
    assert found["s1"][0][0] == "s1"


@pytest.mark.parametrize("options", VARIANTS)
def test_the_first_ten_begin_the_first_hundred(search, query, source, options):
    ten, hundred = (search(query, source, k=k, **options) for k in (10, 100))
    assert ten == {query_id: pairs[:10] for query_id, pairs in hundred.items()}
    assert max(map(len, hundred.values())) > 10


@pytest.mark.parametrize("options", VARIANTS)
def test_the_order_of_source_and_queries_does_not_matter(search, query, source, options):
    shuffled = source.select(random.Random(1).sample(range(len(source)), len(source)))
    assert shuffled.ids != source.ids
    assert search(query[::-1], shuffled, **options) == search(query, source, **options)


@pytest.mark.parametrize("options", VARIANTS)
def test_a_duplicate_gets_an_equal_score(search, query, source, options):
    doubled = Document.from_segments(
        [*source, *(Segment(f"{segment.id}, again", segment.text) for segment in source)]
    )
    for pairs in search(query, doubled, **options).values():
        scores = dict(pairs)
        assert pairs
        assert all(scores[i] == scores[f"{i}, again"] for i in scores if not i.endswith("again"))


@pytest.mark.parametrize("options", VARIANTS)
@pytest.mark.parametrize("empty", ["", "  ", "…?!"])
def test_an_empty_text_finds_nothing_and_is_not_found(search, source, options, empty):
    assert search(document(empty, prefix="q"), source, **options) == {"q1": []}
    found = search(source[:3], document(empty, "uox haesit", "arma uirumque cano"), **options)
    assert all(source_id != "s1" for pairs in found.values() for source_id, _ in pairs)


@pytest.mark.parametrize("options", VARIANTS)
def test_an_empty_source_and_no_queries_are_no_problem(search, source, query, options):
    nothing = Document.from_segments([])
    assert set(map(len, search(query, nothing, **options).values())) == {0}
    assert search(nothing, source, **options) == {}


def test_approximate_search_reports_its_recall(word_encoder, query, source):
    def recall(approximate):
        index = Dense(word_encoder, approximate=approximate, cache=None).index(source)
        return index.recall(query, 10)

    few, many, every = (recall(IVF(lists=12, probes=probes)) for probes in (1, 6, 12))
    assert 0 < few < many < every == recall(None) == 1.0


def test_recall_is_what_it_says(word_encoder, query, source):
    index = Dense(word_encoder, approximate=IVF(lists=12, probes=2), cache=None).index(source)
    exact = Dense(word_encoder, cache=None).index(source).search(query, 10)
    found = index.search(query, 10)
    shares = [
        np.isin(exact.source[exact.query == q], found.source[found.query == q]).mean()
        for q in range(len(query))
    ]
    assert index.recall(query, 10, sample=len(query)) == pytest.approx(np.mean(shares))
    assert index.recall(Document.from_segments([]), 10) == 1.0


def test_vectors_are_computed_once_and_kept(tmp_path, word_encoder, query, source):
    dense = Dense(word_encoder, cache=tmp_path)
    first = dense.index(source).search(query, 10)
    count = len(word_encoder.encoded)
    assert count == len({*source.texts}) + len({*query.texts})
    assert dense.index(source).search(query, 10) == first
    assert len(word_encoder.encoded) == count
    for path in tmp_path.iterdir():
        path.write_bytes(b"damaged")
    assert dense.index(source).search(query, 10) == first
    assert len(word_encoder.encoded) == 2 * count


def test_another_encoder_has_vectors_of_its_own(tmp_path, word_encoder, source):
    Dense(word_encoder, cache=tmp_path).index(source)
    other = type(word_encoder)("other")
    Dense(other, cache=tmp_path).index(source)
    assert len(other.encoded) == len({*source.texts})


def test_what_matters_is_in_the_manifest(word_encoder):
    dense = Dense(word_encoder, whitening=8, approximate=IVF(probes=3), cache="somewhere")
    assert dense.parameters() == {
        "name": "dense",
        "model": "words",
        "whitening": 8,
        "approximate": {"lists": None, "probes": 3, "seed": 0},
    }


@pytest.mark.parametrize("wrong", [{"whitening": 0}, {"pooling": "max"}, {"prompts": "mine"}])
def test_invalid_options_are_refused(word_encoder, wrong):
    with pytest.raises(ParameterError):
        Dense(word_encoder, **wrong)


def test_k_must_be_at_least_one(word_encoder, source):
    with pytest.raises(ParameterError, match="k must be at least 1"):
        Dense(word_encoder, cache=None).index(source).search(source, 0)
