"""The methods by name."""

import pytest

from locisimiles import BM25, ParameterError, make_retriever
from locisimiles.retrieve import METHODS, Combined, MethodOptions, TfIdf, change_settings


def test_these_are_the_methods():
    assert list(METHODS) == [
        "bm25",
        "bm25-surface",
        "bm25-analyses",
        "bm25-bigrams",
        "bm25-skipgrams",
        "bm25-characters",
        "tfidf-lemma",
        "tfidf-lemma-bigrams",
        "tfidf-surface",
        "ngrams",
        "ngrams-surface",
        "word2vec",
        "fasttext",
        "contextual",
        "late",
        "dense",
        "default",
        "fusion",
    ]


def test_a_required_option_is_asked_for():
    assert "--vectors" in METHODS["fasttext"].needs
    with pytest.raises(ParameterError, match="--vectors"):
        make_retriever("fasttext")


@pytest.mark.parametrize("name", ["dense", "contextual", "late", "default"])
def test_our_encoder_is_used_unless_another_is_named(name):
    assert not METHODS[name].needs
    assert make_retriever(name).model == "latin"
    assert make_retriever(name, MethodOptions(model="e5-small")).model == "e5-small"


def test_options_reach_the_method():
    assert make_retriever("default") == Combined()
    assert make_retriever("default", MethodOptions(priors=False)) == Combined(priors=False)
    assert make_retriever("bm25", MethodOptions(lemmatizer="context")) == BM25(lemmatizer="context")
    assert make_retriever("dense", MethodOptions(model="folder")).model == "folder"


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


@pytest.mark.parametrize("name", ["BM25", " bm25 ", "Bm25"])
def test_a_method_is_known_however_its_name_is_written(name):
    assert make_retriever(name) == make_retriever("bm25")


@pytest.mark.parametrize("name", ["bm52", "", "bm 25"])
def test_an_unknown_method_is_refused_with_the_choices(name):
    with pytest.raises(ParameterError) as caught:
        make_retriever(name)
    choices = f"choose one of {', '.join(METHODS)}"
    assert str(caught.value) == f"unknown method {name!r}; {choices}"


def test_settings_are_changed_by_name():
    retriever = change_settings(make_retriever("ngrams"), {"window": "5", "complura": "none"})
    assert (retriever.window, retriever.complura) == (5, None)
    assert change_settings(TfIdf(), {"sublinear_tf": "no"}) == TfIdf(sublinear_tf=False)
    assert change_settings(BM25(), {}) == BM25()
    changed = change_settings(Combined(), {"weights": "mine.json", "depth": "20", "priors": "no"})
    assert (changed.weights, changed.depth, changed.priors) == ("mine.json", 20, False)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"windw": "5"}, "unknown setting 'windw'; choose one of terms, n, window"),
        ({"window": "wide"}, "'wide' is not a valid value of the setting window"),
        ({"window": "-1"}, "window"),
    ],
)
def test_invalid_settings_are_refused(settings, problem):
    with pytest.raises(ParameterError, match=problem):
        change_settings(make_retriever("ngrams"), settings)


def test_only_what_may_be_none_can_be_none():
    assert change_settings(make_retriever("late"), {"lists": "none"}).lists is None
    for settings in ({"window": "none"}, {"depth": "2.5"}):
        with pytest.raises(ParameterError, match="is not a valid value"):
            change_settings(make_retriever("late"), settings)


def test_a_setting_that_is_none_by_default_is_read_by_its_kind():
    changed = change_settings(make_retriever("dense"), {"revision": "main", "max_length": "64"})
    assert (changed.revision, changed.max_length) == ("main", 64)
    with pytest.raises(ParameterError, match="unknown setting 'approximate'"):
        change_settings(changed, {"approximate": "3"})
