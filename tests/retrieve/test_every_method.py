"""What must hold for every method that needs nothing but the package."""

from dataclasses import replace

import pytest

from locisimiles import Document, Segment, load_example_query, load_example_source
from locisimiles.retrieve import METHODS, make_retriever

NAMES = [method.name for method in METHODS.values() if not method.needs]
BY_ENCODER = ["contextual", "late", "dense", "default"]


@pytest.fixture
def source(name):
    """Return sources; a few for encoders, which take their time."""
    return load_example_source()[: 15 if name in BY_ENCODER else None]


@pytest.fixture
def query(name):
    return load_example_query()[: 5 if name in BY_ENCODER else None]


def ranked(name, source, query, k):
    found = make_retriever(name).index(source).search(query, k)
    return [
        [(source.ids[at], round(score, 4)) for at, score in zip(*found.of_query(q), strict=True)]
        for q in range(len(query))
    ]


@pytest.mark.parametrize("name", NAMES)
def test_the_first_ten_are_the_first_of_a_hundred(name, source, query):
    few = [[at for at, _ in own] for own in ranked(name, source, query, 10)]
    many = [[at for at, _ in own] for own in ranked(name, source, query, 100)]
    assert few == [own[:10] for own in many]
    assert any(few)


@pytest.mark.parametrize("name", NAMES)
def test_turning_the_sources_round_changes_nothing(name, source, query):
    turned = Document.from_segments(reversed(list(source)))
    assert ranked(name, source, query, 20) == ranked(name, turned, query, 20)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "fusion"])
def test_a_source_that_is_there_twice_scores_the_same_twice(name, source, query):
    twice = Document.from_segments([*source, *(replace(s, id=f"{s.id}*") for s in source)])
    for own in ranked(name, twice, query, 40):
        scores = dict(own)
        pairs = [(at, f"{at}*") for at in scores if f"{at}*" in scores]
        assert all(scores[one] == scores[other] for one, other in pairs)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", ["", " ... 12 "])
def test_a_query_without_words_finds_nothing_and_is_no_error(name, source, text):
    query = Document.from_segments([Segment("q", text)])
    assert ranked(name, source, query, 10) == [[]]


@pytest.mark.parametrize("name", NAMES)
def test_a_word_that_is_nowhere_finds_nothing_but_by_an_encoder_which_reads_letters(name, source):
    (found,) = ranked(name, source, Document.from_segments([Segment("q", "zzzzz")]), 10)
    assert bool(found) == (name in BY_ENCODER)


@pytest.mark.parametrize("name", NAMES)
def test_a_source_is_found_by_its_own_words_first(name, source):
    few = [row for row in range(len(source)) if len(source.texts[row].split()) > 5][:5]
    found = ranked(name, source, source.select(few), 1)
    assert [own[0][0] for own in found] == [source.ids[row] for row in few]
