"""Metrics of the paper's package, against counts by hand."""

import pytest

from locisimiles.compat import CandidateJudge, Document, GroundTruth, IntertextEvaluator
from locisimiles.errors import LocisimilesError


class Recorded:
    def __init__(self, found):
        self.found = found

    def run(self, **_):
        return self.found


@pytest.fixture
def texts():
    query, source = Document("query"), Document("source")
    for name in ("q1", "q2", "q3"):
        query.add_segment("arma", name)
    for name in ("s1", "s2", "s3", "s4"):
        source.add_segment("uirum", name)
    return query, source


@pytest.fixture
def make(texts):
    query, source = texts

    def evaluator(found, known, **options):
        listed = {
            query_id: [
                CandidateJudge(source[name], 1.0, score, *rest) for name, score, *rest in rows
            ]
            for query_id, rows in found.items()
        }
        return IntertextEvaluator(
            query_doc=query,
            source_doc=source,
            ground_truth=known,
            pipeline=Recorded(listed),
            **options,
        )

    return evaluator


FOUND = {"q1": [("s1", 0.9), ("s2", 0.6)], "q2": [("s3", 0.2)], "q3": [("s4", 0.7)]}
KNOWN = [
    {"query_id": "q1", "source_id": "s1", "label": 1},
    {"query_id": "q1", "source_id": "s3", "label": "cit."},
    {"query_id": "q2", "source_id": "s3", "label": "cf"},
    {"query_id": "q2", "source_id": "s1", "label": "no_match"},
]


def test_a_query_is_counted(make):
    one = make(FOUND, KNOWN, threshold=0.5).evaluate_single_query("q1")
    assert [one[name] for name in ("tp", "fp", "fn", "tn", "errors")] == [1, 1, 1, 1, 2]
    assert (one["precision"], one["recall"], one["f1"]) == (0.5, 0.5, 0.5)
    assert (one["accuracy"], one["smr"], one["fpr"], one["fnr"]) == (0.5, 0.5, 0.25, 0.25)


def test_wrong_links_count_in_all_queries_and_right_ones_where_some_are_known(make):
    micro = make(FOUND, KNOWN, threshold=0.5).evaluate(average="micro").iloc[0]
    assert [micro[name] for name in ("tp", "fp", "fn", "tn")] == [1, 2, 2, 7]
    assert micro["precision"] == 1 / 2  # of q1 and q2
    assert micro["recall"] == 1 / 3
    assert micro["fpr"] == 2 / 12  # of all
    matched = make(FOUND, KNOWN, threshold=0.5).evaluate(average="micro", with_match_only=True)
    assert matched.iloc[0]["fpr"] == 1 / 8


def test_macro_is_the_mean_of_queries(make):
    macro = make(FOUND, KNOWN, threshold=0.5).evaluate(average="macro").iloc[0]
    assert macro["precision"] == (0.5 + 0) / 2
    assert macro["smr"] == pytest.approx((0.5 + 0.25 + 0.25) / 3)


def test_the_best_threshold_is_found_and_used(make):
    evaluator = make(FOUND, KNOWN, threshold="auto", auto_threshold_metric="precision")
    best, every = evaluator.find_best_threshold(metric="precision")
    assert best["best_precision"] == max(every["precision"]) == 1.0
    assert evaluator.threshold == best["best_threshold"] == 0.7
    assert list(every["threshold"]) == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]


def test_fewer_candidates_are_measured_without_searching_again(make):
    evaluator = make(FOUND, KNOWN, threshold=0.5, top_k=5)
    found = evaluator.evaluate_k_values(k_values=[1, 2, 50])
    assert list(found) == [1, 2]
    assert (found[1]["fp"], found[2]["fp"]) == (1, 2)
    assert evaluator.evaluate(average="micro").iloc[0]["fp"] == 2
    with pytest.raises(LocisimilesError, match="5 or less"):
        evaluator.evaluate_k_values(k_values=[50])


def test_classes_are_measured_one_by_one(make):
    def judged(cit, cf):
        values = {"no_match": 1 - cit - cf, "cit": cit, "cf": cf}
        number, best = max(enumerate(values), key=lambda one: values[one[1]])
        return (cit + cf, number, best, values)

    found = {"q1": [("s1", *judged(0.7, 0.2)), ("s3", *judged(0.3, 0.6))]}
    rows = make(found, KNOWN, threshold=0.65).evaluate_multiclass(include_negative=True)
    counts = {row["label"]: (row["tp"], row["fp"], row["fn"]) for _, row in rows.iterrows()}
    assert counts == {"cit": (1, 0, 1), "cf": (0, 1, 1), "no_match": (9, 1, 0)}
    sure = make(found, KNOWN, threshold=0.65).evaluate_multiclass(strategy="thresholded")
    assert sure.set_index("label").loc["cf", "predicted"] == 0
    with pytest.raises(LocisimilesError, match="strategy"):
        make(found, KNOWN, threshold=0.5).evaluate_multiclass(strategy="best")


@pytest.mark.parametrize("options", [{"metric": "f2"}, {"average": "some"}])
def test_an_unknown_metric_is_an_error(make, options):
    with pytest.raises(LocisimilesError, match="choose one of"):
        make(FOUND, KNOWN, threshold=0.5).find_best_threshold(**options)


def test_a_table_needs_its_columns(tmp_path):
    (tmp_path / "known.csv").write_text("query_id,label\nq,1\n")
    with pytest.raises(LocisimilesError, match="there is no source_id"):
        GroundTruth(tmp_path / "known.csv")
    with pytest.raises(LocisimilesError, match="int holds no known references"):
        GroundTruth(7)


def test_ids_stay_text_and_labels_become_numbers(tmp_path):
    (tmp_path / "known.csv").write_text("query_id,source_id,label\n1,02,1\nq,s,cit.\n")
    known = GroundTruth(tmp_path / "known.csv")
    assert [tuple(vars(one).values())[:3] for one in known] == [("1", "02", 1), ("q", "s", "cit.")]
    again = GroundTruth(known.to_csv(tmp_path / "new" / "again.csv"))
    assert again.to_dataframe().equals(known.to_dataframe())
    assert GroundTruth(known.to_dataframe()).label_counts() == {1: 1, "cit.": 1}
