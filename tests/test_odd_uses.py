"""What users of pandas and scikit-learn try: each works, or the error says what to do instead."""

import copy
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from locisimiles import (
    BM25,
    ClassificationPipeline,
    Document,
    ParameterError,
    Pipeline,
    Segment,
    TfIdf,
    load_example_query,
    load_example_source,
    pretty_print,
    write_results,
)

QUERY, SOURCE = load_example_query(), load_example_source()
ROWS = Pipeline(BM25(), k=3).run(QUERY, SOURCE)
JUDGED = Pipeline(k=2).run(QUERY, SOURCE)


def _pickled(value):
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize(
    "rows",
    [[0, 2], (0, 2), range(0, 4, 2), np.array([0, 2]), pd.Index([0, 2]), [-len(ROWS), 2]],
)  # fmt: skip
def test_rows_may_be_listed_in_any_way(rows):
    assert list(ROWS[rows]) == [ROWS[0], ROWS[2]]


@pytest.mark.parametrize("frame", [ROWS.to_pandas(), ROWS.to_polars(), ROWS.to_arrow()])
def test_a_column_of_a_data_frame_makes_a_mask(frame):
    scores = np.asarray(frame["score"])
    assert ROWS[scores > 12].rank.tolist() == ROWS[ROWS.candidates.score > 12].rank.tolist()


def test_a_mask_may_be_one_that_could_have_missing_values():
    mask = ROWS.to_pandas()["score"].gt(12).astype("boolean")
    assert len(ROWS[mask]) == mask.sum()
    with pytest.raises(ParameterError, match="rows cannot be chosen"):
        ROWS[mask.where(mask)]


@pytest.mark.parametrize(
    "rows",
    ["score", None, 1.0, True, np.True_, [0.5, 1.5], ["0"], {1, 2}, iter([1]),
     np.ones((2, 2), bool)],
)  # fmt: skip
def test_what_chooses_no_rows_says_what_does(rows):
    message = "not the number of a row|a number, a slice, a mask or a list of numbers"
    with pytest.raises(ParameterError, match=message):
        ROWS[rows]


def test_a_row_beyond_the_results_is_named():
    for wrong in (len(ROWS), [0, len(ROWS)], -len(ROWS) - 1):
        with pytest.raises(IndexError, match=f"there are {len(ROWS)} pairs"):
            ROWS[wrong]
    with pytest.raises(IndexError, match="there is no row 999: there are 42 segments"):
        QUERY[999]
    with pytest.raises(IndexError, match="there is no row 1000000"):
        ROWS.explain(10**6)


def test_empty_results_have_all_views():
    empty = ROWS[:0]
    assert (list(empty), bool(empty), empty.parallels()) == ([], False, [])
    assert empty.to_pandas().columns.tolist() == ROWS.to_pandas().columns.tolist()
    assert (empty.to_polars().height, empty.to_arrow().num_rows) == (0, 0)
    assert "0 candidates" in empty._repr_html_()
    assert len(empty.filter(rank=1)) == len(empty.distinct()) == len(empty[[]]) == 0


@pytest.mark.parametrize(
    "of", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))]
)
@pytest.mark.parametrize("explained", [False, True])
def test_results_can_be_copied_and_pickled(of, explained):
    if explained:
        ROWS.explain(0)
    again = of(ROWS)
    assert list(again) == list(ROWS)
    assert again.explain(0).sentence == ROWS.explain(0).sentence


@pytest.mark.parametrize("pipeline", [Pipeline("BM25", k=1), Pipeline(TfIdf(), k=1)])
def test_pipelines_can_be_copied_and_pickled(pipeline):
    found = pipeline.run(QUERY, SOURCE)
    for again in (copy.deepcopy(pipeline), _pickled(pipeline)):
        assert list(again.run(QUERY, SOURCE)) == list(found)


def test_a_pipeline_says_what_it_does():
    assert repr(Pipeline(BM25(b=0.4), k=3)) == (
        "Pipeline(BM25(terms='lemma', k1=1.5, b=0.4, lemmatizer='fast'), classifier=None, k=3, "
        "depth=100)"
    )


@pytest.mark.parametrize("kind", ["cit", "cit.", ["cit."]])
def test_a_type_may_be_written_with_or_without_its_stop(kind):
    found = JUDGED.filter(kind=kind)
    assert 0 < len(found) < len(JUDGED)
    assert {one.kind for one in found} == {"cit."}


def test_several_types_may_be_asked_for():
    assert len(JUDGED.filter(kind=["cit.", "cf"])) == len(JUDGED.filter(kind="cit")) + len(
        JUDGED.filter(kind="cf")
    )


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        ({"rank": "1"}, "rank must be a number"),
        ({"probability": "0.5"}, "probability must be a number"),
        ({"probability": 50}, "between 0 and 1"),
        ({"score": float("nan")}, "score must be a number"),
        ({"where": 0.5}, "not a condition"),
        ({"where": "rank == 1"}, "not a condition"),
        ({"kind": "quotation"}, "choose one of"),
        ({"kind": 1}, "kind must be a text or a list of texts"),
        ({"query": QUERY[0]}, "query must be a text or a list of texts"),
        ({"source_author": "Nobody"}, "choose one of Virgil"),
    ],
)
def test_a_condition_that_makes_no_sense_is_refused(conditions, message):
    with pytest.raises(ParameterError, match=message):
        JUDGED.filter(**conditions)


@pytest.mark.parametrize("segment_id", ["nope", 0, QUERY[0]])
def test_an_unknown_id_is_named(segment_id):
    for ask in (ROWS.for_query, QUERY.index):
        with pytest.raises(KeyError, match="no segment has the id"):
            ask(segment_id)


def test_a_document_contains_its_segments_and_their_ids():
    assert QUERY[0] in QUERY
    assert QUERY.ids[0] in QUERY
    assert Segment(QUERY.ids[0], "other words") not in QUERY
    assert 0 not in QUERY


@pytest.mark.parametrize("key", [1.5, None, [0, 2]])
def test_a_document_has_segments_by_number_id_and_slice(key):
    with pytest.raises(ParameterError, match="not the number of a row"):
        QUERY[key]


def test_columns_are_a_list():
    with pytest.raises(ParameterError, match=r'columns must be a list; write \["score"\]'):
        ROWS.to_pandas("score")


@pytest.mark.parametrize(
    "text",
    [["arma"], "arma uirumque cano", Path("letter.txt"), None, pd.Series(["arma"]),
     pl.DataFrame({"text": ["arma"]}), (one for one in ["arma"])],
)  # fmt: skip
@pytest.mark.parametrize("pipeline", [Pipeline("bm25"), ClassificationPipeline()])
def test_only_documents_are_searched(pipeline, text):
    with pytest.raises(ParameterError, match=r"query must be a Document .* make one with"):
        pipeline.run(text, SOURCE)
    with pytest.raises(ParameterError, match="source must be a Document"):
        pipeline.run(QUERY, text)
    with pytest.raises(ParameterError, match="must be a Document"):
        Pipeline("bm25").prepare(SOURCE).run(text)
    with pytest.raises(ParameterError, match="must be a Document"):
        Pipeline("bm25").prepare(text)


@pytest.mark.parametrize(
    ("retriever", "message"),
    [
        (None, "neither the name of a retriever nor one"),
        (3, "neither the name of a retriever nor one"),
        (["bm25"], "neither the name of a retriever nor one"),
        (BM25, r"BM25 is a class; give an object: BM25\(\)"),
        ("tfidf", "choose one of bm25, .*tfidf-lemma"),
        ("", "choose one of"),
    ],
)
def test_a_retriever_is_a_name_or_an_object(retriever, message):
    with pytest.raises(ParameterError, match=message):
        Pipeline(retriever)


@pytest.mark.parametrize("classifier", [3, ["ensemble"], Pipeline])
def test_a_classifier_is_a_name_or_an_object(classifier):
    message = r"is a class|neither the name of a classifier"
    with pytest.raises(ParameterError, match=message):
        Pipeline(classifier=classifier)
    with pytest.raises(ParameterError, match=message):
        ClassificationPipeline(classifier)


@pytest.mark.parametrize("number", ["5", 2.5, True, float("nan"), [5]])
def test_numbers_of_candidates_are_whole(number):
    for make in (lambda: Pipeline(k=number), lambda: Pipeline(depth=number),
                 lambda: ClassificationPipeline(k=number)):  # fmt: skip
        with pytest.raises(ParameterError, match="must be a whole number"):
            make()
    assert Pipeline(k=np.int64(5)).k == 5


@pytest.mark.parametrize("value", ["x", None, True, [1.2]])
def test_parameters_are_numbers(value):
    with pytest.raises(ParameterError, match="b must be a number"):
        BM25(b=value if value is not None else "None")
    with pytest.raises(ParameterError, match="k1 must be a number"):
        BM25().set_params(k1="1.2")
    with pytest.raises(ParameterError, match="unknown terms '2'"):
        BM25(2)


def test_texts_are_plain_strings_wherever_they_come_from():
    document = Document.from_texts(np.array(["arma", "uirum"]), np.array(["a", "b"]))
    assert {type(one) for one in (*document.texts, *document.ids)} == {str}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Document.from_segments(["arma"]), "'arma' is not a Segment"),
        (lambda: Document.from_segments([Segment(None, "arma")]), "None is not text"),
        (lambda: Document.from_segments([Segment("a", b"arma")]), "b'arma' is not text"),
        (lambda: Document.from_pandas(["arma"]), r"a data frame has columns \(got list\)"),
        (lambda: Document(None), "None is not the name of an input"),
        (lambda: Document(["a.txt"]), "list is not the name of an input"),
        (lambda: Document(pd.DataFrame({"text": ["arma"]})), r"Document.from_pandas\(\)"),
    ],
)
def test_a_document_says_what_it_is_made_of(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


def test_the_name_of_a_file_may_be_bytes(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("arma uirumque cano\n", encoding="utf-8")
    assert Document(bytes(path)) == Document(path) == Document(str(path))


@pytest.mark.parametrize("wrong", [list(ROWS), ROWS.to_pandas(), None])
def test_only_results_are_written_and_printed(wrong, tmp_path):
    for write in (lambda: write_results(wrong, tmp_path / "hits.csv"), lambda: pretty_print(wrong)):
        with pytest.raises(ParameterError, match="these are not Results"):
            write()
    assert not list(tmp_path.iterdir())
