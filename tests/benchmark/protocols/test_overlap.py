"""The overlap protocol."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.benchmark.metrics.correlation import spearman
from locisimiles.benchmark.metrics.measurement import find
from locisimiles.benchmark.protocols import PairGrid, evaluate_overlap, shared_lemmas
from locisimiles.benchmark.protocols.overlap import correctness
from locisimiles.benchmark.sets.references import References
from locisimiles.classify.thresholds import Argmax, Thresholds
from locisimiles.corpus import Document, Segment
from locisimiles.errors import ParameterError
from locisimiles.evidence import align

LABEL = np.array([[1, 2, 0, 0], [1, 1, 2, 0], [2, 1, 0, 2]])
PREDICTED = np.array([[1, 0, 2, 0], [0, 1, 2, 0], [2, 0, 0, 1]])
OVERLAP = np.array([[5, 2, 4, 0], [2, 6, 1, 0], [3, 1, 1, 0]])


def grid(predicted=PREDICTED, label=LABEL, fold=0):
    query, source = np.nonzero(label)
    references = References.from_columns(query, source, label[query, source])
    return PairGrid.from_references(np.eye(3)[predicted], references, fold=fold)


def decisions(fold, rule):
    return rule.decide(fold.probabilities)


def test_a_decision_is_right_if_it_is_the_label():
    right = correctness(grid(), decisions(grid(), Argmax()))
    assert right.tolist() == (PREDICTED == LABEL).tolist()


def test_correctness_may_be_the_probability_of_the_label():
    probabilities = np.array([[[0.1, 0.7, 0.2], [0.3, 0.3, 0.4]]])
    references = References.from_columns([0, 0], [0, 1], [1, 2])
    fold = PairGrid.from_references(probabilities, references)
    right = correctness(fold, decisions(fold, Argmax()), right="probability")
    assert right.tolist() == [[0.7, 0.4]]


def test_a_pair_predicted_to_be_both_types_is_right():
    references = References.from_columns([0], [0], [2])
    fold = PairGrid.from_references(np.full((1, 2, 3), 0.5), references)
    assert correctness(fold, decisions(fold, Thresholds(0.5, 0.5))).tolist() == [[1.0, 0.0]]


def test_correlations_by_label():
    found = evaluate_overlap([grid()], [OVERLAP], Argmax())
    right = PREDICTED == LABEL
    members = {
        "cit": LABEL == 1,
        "cf": LABEL == 2,
        "pooled": LABEL > 0,
        "none": LABEL == 0,
        "all": LABEL >= 0,
    }
    assert list(dict.fromkeys(one.group for one in found)) == list(members)
    for group, member in members.items():
        expected = spearman(OVERLAP[member], right[member])
        rho, p_value = (find(found, group, f"{name}, all folds") for name in ("Spearman", "p"))
        assert (rho.mean, p_value.mean, rho.n) == (expected.rho, expected.p_value, member.sum())
    assert find(found, "cit", "Spearman").mean > 0.8  # 5 and 6 are right, 2 and 1 wrong
    assert find(found, "none", "Spearman").mean < 0  # the one error shares four lemmas


def test_folds_are_correlated_together_and_one_by_one():
    half = grid(PREDICTED[:, ::-1], LABEL[:, ::-1], fold=1)
    found = evaluate_overlap([grid(), half], [OVERLAP, np.zeros_like(OVERLAP)], Argmax())
    assert find(found, "cit", "Spearman, all folds").n == 8
    first, second = find(found, "cit", "Spearman").fold_value
    assert first > 0.8
    assert np.isnan(second)  # overlap is constant there


def test_overlap_must_fit_the_grid():
    for overlap in ([], [OVERLAP.T]):
        with pytest.raises(ParameterError, match="overlap"):
            evaluate_overlap([grid()], overlap, Argmax())


def test_an_unknown_kind_of_correctness_is_an_error():
    with pytest.raises(ParameterError, match="decision, probability"):
        evaluate_overlap([grid()], [OVERLAP], Argmax(), right="always")


WORDS = st.lists(
    st.sampled_from("arma uirumque cano et in Troiae qui primus ab oris armis".split()), min_size=1
)
TEXTS = st.lists(WORDS.map(" ".join), min_size=1, max_size=4)


@settings(deadline=None, max_examples=30)
@given(TEXTS, TEXTS)
def test_shared_lemmas_are_those_of_the_evidence(queries, sources):
    query, source = (
        Document.from_segments([Segment(str(at), text) for at, text in enumerate(texts)])
        for texts in (queries, sources)
    )
    expected = [[len(align(one, two).lemmas) for two in sources] for one in queries]
    content = shared_lemmas(query, source)
    assert content.tolist() == expected
    assert (shared_lemmas(query, source, function_words=True) >= content).all()


def test_function_words_may_count():
    query = Document.from_segments([Segment("a", "et arma in Troia")])
    source = Document.from_segments([Segment("b", "et in armis")])
    assert shared_lemmas(query, source).tolist() == [[1]]
    assert shared_lemmas(query, source, function_words=True).tolist() == [[3]]
