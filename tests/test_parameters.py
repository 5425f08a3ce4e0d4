"""Retrievers are cloned and changed as scikit-learn does it."""

import pytest
from sklearn.base import clone

from locisimiles import (
    BM25,
    Ensemble,
    ParameterError,
    Pipeline,
    load_example_query,
    load_example_source,
)
from locisimiles.retrieve import METHODS, Combined, Fusion, Late, MethodOptions, make_retriever

FASTTEXT = "fasttext"  # needs a file of vectors
NAMES = [name for name in METHODS if name != FASTTEXT]


@pytest.mark.parametrize("name", NAMES)
def test_a_clone_has_the_same_parameters_and_is_another_object(name):
    retriever = make_retriever(name)
    copy = clone(retriever)
    assert copy is not retriever
    assert copy.parameters() == retriever.parameters()
    assert copy.get_params(deep=False).keys() == retriever.get_params(deep=False).keys()


@pytest.mark.parametrize("name", NAMES)
def test_parameters_make_the_retriever_again(name):
    retriever = make_retriever(name)
    again = type(retriever)(**retriever.get_params(deep=False))
    assert again.parameters() == retriever.parameters()


def test_a_changed_clone_leaves_the_original_alone():
    original = BM25()
    changed = clone(original).set_params(k1=0.5)
    assert (original.k1, changed.k1) == (1.5, 0.5)


def test_parameters_change_in_place_as_grid_searches_expect():
    retriever = BM25()
    assert retriever.set_params(k1=0.5, b=0.1) is retriever
    assert (retriever.k1, retriever.b) == (0.5, 0.1)
    assert retriever == BM25(k1=0.5, b=0.1)
    assert hash(retriever) == hash(BM25(k1=0.5, b=0.1))


def test_an_invalid_value_changes_nothing():
    retriever = BM25()
    with pytest.raises(ParameterError, match="between 0 and 1"):
        retriever.set_params(k1=9, b=2)
    assert retriever == BM25()


@pytest.mark.parametrize("name", ["k2", "k1__x", "late__windows"])
def test_an_unknown_parameter_is_an_error(name):
    with pytest.raises(ParameterError, match="unknown parameter"):
        Combined(late=Late()).set_params(**{name: 1})


def test_parameters_of_parameters_are_changed_by_their_path():
    inner = Late(window=5)
    outer = Combined(late=inner)
    assert outer.get_params()["late__window"] == 5
    outer.set_params(late__window=7)
    assert outer.late.window == 7
    assert inner.window == 5  # may belong to others too


def test_classifiers_have_parameters_too():
    assert clone(Ensemble(priors=False)).priors is False


def test_a_prepared_search_keeps_the_parameters_of_its_index():
    retriever = BM25()
    searcher = Pipeline(retriever).prepare(load_example_source())
    before = searcher.run(load_example_query())
    retriever.set_params(k1=0.1)
    after = searcher.run(load_example_query())
    assert after.manifest == before.manifest
    assert after.manifest["retriever"]["k1"] == 1.5


@pytest.mark.parametrize("name", NAMES)
def test_names_have_no_case(name):
    wanted = make_retriever(name).parameters()
    assert make_retriever(name.upper()).parameters() == wanted
    assert Pipeline(name.title()).retriever.parameters() == wanted


def test_a_classifier_has_a_name_without_case():
    assert Pipeline("BM25", classifier="Ensemble").classifier == Ensemble()


def test_fusion_says_how_to_pass_a_name():
    with pytest.raises(ParameterError, match=r'make_retriever\("bm25"\)'):
        Fusion(("bm25", BM25()))


def test_an_option_is_a_parameter():
    options = MethodOptions(lemmatizer="context")
    assert make_retriever("Bm25", options).get_params()["lemmatizer"] == "context"
