"""A retriever inside scikit-learn."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

from locisimiles import BM25, ParameterError, load_example_query, load_example_source
from locisimiles.integrations.sklearn import SourceScores

SOURCE = ["arma uirumque cano", "o decus Italiae uirgo", "et uox faucibus haesit"]


def test_scores_are_those_of_the_retriever():
    source, query = load_example_source(), load_example_query()
    scores = SourceScores("BM25", k=7).fit(source).transform(query)
    found = BM25().index(source).search(query, 7)
    assert scores.shape == (len(query), len(source))
    assert scores.nnz == len(found)
    np.testing.assert_array_equal(scores.toarray()[found.query, found.source], found.score)


def test_columns_are_named_after_sources():
    source = load_example_source()
    assert SourceScores().fit(source).get_feature_names_out().tolist() == list(source.ids)


def test_it_fits_into_a_pipeline_and_a_grid_search():
    def right(estimator, texts, wanted):
        return float((estimator.transform(texts).toarray().argmax(1) == wanted).mean())

    steps = make_pipeline(SourceScores(BM25()), MaxAbsScaler())
    assert steps.fit_transform(SOURCE).shape == (3, 3)
    search = GridSearchCV(
        SourceScores(BM25()),
        {"retriever__k1": [0.1, 2.0], "retriever__terms": ["surface", "lemma"]},
        scoring=right,
        cv=PredefinedSplit([0, 0, 0, -1, -1, -1]),
    )
    search.fit(SOURCE + SOURCE, np.array([0, 1, 2, 0, 1, 2]))
    assert search.best_score_ == 1
    assert search.best_estimator_.retriever.k1 in {0.1, 2.0}
    tried = {tuple(sorted(each.items())) for each in search.cv_results_["params"]}
    assert len(tried) == 4


def test_a_clone_is_not_fitted():
    fitted = SourceScores(BM25(k1=0.3)).fit(SOURCE)
    copy = clone(fitted)
    assert copy.retriever == fitted.retriever
    with pytest.raises(NotFittedError):
        copy.transform(["arma"])


def test_one_text_or_no_candidate_is_an_error():
    with pytest.raises(ParameterError, match="several texts"):
        SourceScores().fit("arma")
    with pytest.raises(ParameterError, match="k must be at least 1"):
        SourceScores(k=0).fit(SOURCE)
    assert SourceScores().fit(SOURCE).transform([]).shape == (0, 3)
