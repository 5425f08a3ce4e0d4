"""The methods by name."""

import pytest

from locisimiles import BM25, ParameterError, make_retriever
from locisimiles.retrieve import METHODS, TfIdf


def test_these_are_the_methods():
    assert list(METHODS) == [
        "bm25",
        "bm25-surface",
        "tfidf-lemma",
        "tfidf-lemma-bigrams",
        "tfidf-surface",
    ]


@pytest.mark.parametrize(
    ("name", "retriever"),
    [
        ("bm25", BM25(terms="lemma")),
        ("bm25-surface", BM25(terms="surface")),
        ("tfidf-lemma", TfIdf()),
        ("tfidf-lemma-bigrams", TfIdf(ngrams=(1, 2))),
        ("tfidf-surface", TfIdf(terms="surface")),
    ],
)
def test_a_name_gives_a_retriever(name, retriever):
    assert make_retriever(name) == retriever


@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_described_and_called_by_its_name(name):
    assert METHODS[name].name == name
    assert METHODS[name].description


@pytest.mark.parametrize("name", ["bm52", "", "BM25", "bm25 "])
def test_an_unknown_method_is_refused_with_the_choices(name):
    with pytest.raises(ParameterError) as caught:
        make_retriever(name)
    choices = f"choose one of {', '.join(METHODS)}"
    assert str(caught.value) == f"there is no method {name!r}; {choices}"
