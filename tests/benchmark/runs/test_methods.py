"""Methods by name, and their training sets."""

import pytest

from locisimiles.benchmark.runs.methods import (
    describe_methods,
    find_method,
    load_plugin,
    method_names,
    register_method,
    unregister_method,
)
from locisimiles.benchmark.runs.rows import PROTOCOLS
from locisimiles.benchmark.sets.pools import fold_pool, training_set
from locisimiles.errors import InputError, ParameterError
from locisimiles.retrieve import BM25


@pytest.fixture
def registered():
    yield register_method("mine", "My own", BM25)
    unregister_method("mine")


def test_retrievers_and_classifiers_have_names():
    assert {"bm25", "tfidf-lemma-bigrams", "shared-lemmas"} <= set(method_names())
    assert all(describe_methods().values())


def test_retrievers_are_measured_by_retrieval_and_classifiers_by_the_rest():
    assert find_method("BM25").name == find_method("bm25").name
    assert find_method("bm25").protocols == ("retrieval",)
    of_classifiers = tuple(name for name, kind in PROTOCOLS.items() if kind == "classifier")
    assert find_method("shared-lemmas").protocols == of_classifiers


def test_another_lemmatizer_is_part_of_the_name():
    method = find_method("bm25", lemmatizer="context")
    assert (method.name, method.make()) == ("bm25+context", BM25(lemmatizer="context"))


@pytest.mark.parametrize("name", ["bm25-surface", "tfidf-surface"])
def test_methods_without_lemmas_ignore_the_lemmatizer(name):
    assert find_method(name, lemmatizer="context").name == name


def test_a_registered_method_is_found(registered):
    assert find_method("mine") is registered
    assert "mine" in method_names()
    assert not registered.baseline


@pytest.mark.parametrize("name", ["bm25", "mine", "", "A", "a b", "a/b", "-a", "..", "a+b"])
@pytest.mark.usefixtures("registered")
def test_taken_and_invalid_names_are_refused(name):
    with pytest.raises(ParameterError):
        register_method(name, "x", BM25)


def test_an_unknown_kind_is_refused():
    with pytest.raises(ParameterError, match="retriever, classifier"):
        register_method("other", "x", BM25, kind="ranker")


def test_an_unknown_method_is_refused_with_the_choices():
    with pytest.raises(ParameterError, match="choose one of bm25, "):
        find_method("bm52")


def test_a_plugin_registers_methods(tmp_path):
    path = tmp_path / "plugin.py"
    path.write_text(
        "from locisimiles import BM25\n"
        "from locisimiles.benchmark.runs.methods import register_method\n"
        "register_method('plugged', 'From a file', lambda: BM25(k1=2))\n"
    )
    try:
        load_plugin(path)
        assert find_method("plugged").make() == BM25(k1=2)
    finally:
        unregister_method("plugged")


def test_a_missing_plugin_is_an_error(tmp_path):
    with pytest.raises(InputError, match="file not found"):
        load_plugin(tmp_path / "none.py")


def test_a_training_set_has_no_query_of_the_fold_document(tiny):
    training = training_set(tiny, 1)
    assert set(training.query.ids).isdisjoint(fold_pool(tiny, 1).query.ids)
    assert training.folds == (0, 2)
    assert training.source.ids == tiny.source.ids


def test_a_training_set_keeps_the_other_references(tiny):
    def pairs(benchmark):
        return {
            (benchmark.query.ids[q], benchmark.source.ids[s], int(label))
            for q, s, label, fold in zip(
                benchmark.references.query,
                benchmark.references.source,
                benchmark.references.label,
                benchmark.references.fold,
                strict=True,
            )
            if fold != 1
        }

    assert pairs(training_set(tiny, 1)) == pairs(tiny)


@pytest.mark.parametrize(("name", "priors"), [("default", True), ("default-no-priors", False)])
def test_the_default_uses_the_chosen_lemmatizer(name, priors):
    assert find_method(name).name == name
    method = find_method(name, lemmatizer="context")
    assert method.name == f"{name}+context"
    for made in (method.learn().combined, method.shipped()):
        assert (made.lemmatizer, made.priors) == ("context", priors)
    assert find_method(name).learn().combined.lemmatizer == "fast"
