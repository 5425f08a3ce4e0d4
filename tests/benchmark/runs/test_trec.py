"""TREC runs and qrels."""

import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from locisimiles.benchmark.metrics.hits import find_hits
from locisimiles.benchmark.metrics.ranking import Recall, ReciprocalRank
from locisimiles.benchmark.runs.trec import read_qrels, read_run, write_qrels, write_run
from locisimiles.benchmark.sets.references import Label, References
from locisimiles.candidates import Candidates, tie_order
from locisimiles.corpus import Document, Segment
from locisimiles.errors import InputError, OutputError


def document(*ids):
    return Document.from_segments([Segment(segment_id, "arma") for segment_id in ids])


QUERY = document("hier. epist. 1.1", "hier. epist. 1.2", "100%20")
SOURCE = document("verg. aen. 1.1", "b", "a")


def columns(candidates):
    return list(
        zip(
            candidates.query.tolist(),
            candidates.source.tolist(),
            candidates.score.tolist(),
            strict=True,
        )
    )


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "run.trec"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


def test_a_run_has_six_fields_whatever_the_ids(tmp_path):
    path = tmp_path / "run.trec"
    found = Candidates.join(
        [(np.array([0, 2]), np.array([2.5, 1 / 3])), (np.array([1]), np.ones(1))]
    )
    write_run(path, found, QUERY, SOURCE, name="my run")
    assert path.read_text().splitlines() == [
        "hier.%20epist.%201.1 Q0 verg.%20aen.%201.1 1 2.5 my%20run",
        "hier.%20epist.%201.1 Q0 a 2 0.333333343 my%20run",
        "hier.%20epist.%201.2 Q0 b 1 1 my%20run",
    ]
    assert columns(read_run(path, QUERY, SOURCE)) == columns(found)


def test_scores_decide_the_order_then_ids(file):
    path = file("100%2520 Q0 b 1 1 x\n100%2520 Q0 a 2 1 x\n100%2520 Q0 verg.%20aen.%201.1 3 9 x\n")
    assert columns(read_run(path, QUERY, SOURCE)) == [(2, 0, 9.0), (2, 2, 1.0), (2, 1, 1.0)]


def test_scores_that_differ_in_late_digits_stay_in_order(file):
    lines = ["100%2520 Q0 b 1 1.00000000002 x", "100%2520 Q0 a 2 1.00000000001 x"]
    assert read_run(file("\n".join(lines)), QUERY, SOURCE).source.tolist() == [1, 2]


def test_tabs_allow_plain_ids(file):
    path = file("hier. epist. 1.1\tQ0\tverg. aen. 1.1\t1\t2.5\tx\r\n\r\n")
    assert columns(read_run(path, QUERY, SOURCE)) == [(0, 0, 2.5)]


def test_tabs_may_separate_encoded_ids(file):
    assert len(read_run(file("100%2520 Q0\tb 1\t\t2.5 x"), QUERY, SOURCE)) == 1


def test_an_empty_run_has_no_candidates(file):
    assert len(read_run(file("\n"), QUERY, SOURCE)) == 0


GOOD = "hier.%20epist.%201.1 Q0 a 1 2.5 x\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD + "nobody Q0 a 1 2.5 x", "row 2: unknown query segment 'nobody'"),
        (GOOD + "100%2520 Q0 nobody 1 2 x", "row 2: unknown source segment 'nobody'"),
        (GOOD + GOOD, "row 2: the pair of 'hier. epist. 1.1' and 'a' occurs twice"),
        (GOOD + "hier. epist. 1.2 Q0 a 1 2.5 x", "row 2: 8 fields instead of 6"),
        (GOOD + "100%2520 Q0 a 1", "row 2: 4 fields"),
        (GOOD + "100%2520 Q0 a 1 high x", "row 2: the score 'high' is not a finite number"),
        (GOOD + "100%2520 Q0 a 1 nan x", "row 2: the score 'nan' is not a finite number"),
        (GOOD + "100%2520 Q0 a 1 inf x", "row 2: the score 'inf' is not a finite number"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_an_invalid_line_is_named(file, text, said):
    with pytest.raises(InputError) as caught:
        read_run(file(text), QUERY, SOURCE)
    assert said in str(caught.value)
    assert "run.trec" in str(caught.value)


def test_missing_required_queries_are_an_error(file):
    path = file(GOOD)
    assert len(read_run(path, QUERY, SOURCE, required=[0])) == 1
    with pytest.raises(
        InputError, match=r"2 required queries have no line, the first is 'hier\. epist\. 1\.2'"
    ):
        read_run(path, QUERY, SOURCE, required=np.array([0, 1, 2]))


def test_unusable_files_are_errors(tmp_path):
    with pytest.raises(InputError, match="nowhere"):
        read_run(tmp_path / "nowhere", QUERY, SOURCE)
    with pytest.raises(OutputError):
        write_run(tmp_path / "no" / "run", Candidates.join([]), QUERY, SOURCE)


REFERENCES = References.from_columns([1, 0, 1], [2, 0, 1], [1, 2, 2], grade=[1, 2, 0.5])


def test_qrels_hold_types_and_grades(tmp_path):
    path = tmp_path / "qrels"
    write_qrels(path, REFERENCES, QUERY, SOURCE)
    assert path.read_text().splitlines() == [
        "hier.%20epist.%201.1 cf verg.%20aen.%201.1 2",
        "hier.%20epist.%201.2 cf b 0.5",
        "hier.%20epist.%201.2 cit a 1",
    ]
    read = read_qrels(path, QUERY, SOURCE)
    assert read.query.tolist() == [0, 1, 1]
    assert read.source.tolist() == [0, 1, 2]
    assert read.label.tolist() == [2, 2, 1]
    assert read.grade.tolist() == [2, 0.5, 1]
    assert read.fold.tolist() == [-1, -1, -1]


def test_qrels_of_others_may_lack_types_and_list_negatives(file):
    read = read_qrels(file("100%2520 0 a 1\n100%2520 0 b 0\n"), QUERY, SOURCE, label=Label.CF)
    assert (read.source.tolist(), read.label.tolist()) == ([2], [2])
    assert len(read_qrels(file(""), QUERY, SOURCE)) == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("100%2520 0 a 1\nx 0 a 1", "row 2: unknown query segment 'x'"),
        ("100%2520 0 a 1\n100%2520 0 a 0", "row 2: the pair of '100%20' and 'a'"),
        ("100%2520 0 a", "row 1: 3 fields instead of 4"),
        ("100%2520 0 a yes", "row 1: the grade 'yes'"),
    ],
)
def test_invalid_qrels_are_named(file, text, said):
    with pytest.raises(InputError) as caught:
        read_qrels(file(text), QUERY, SOURCE)
    assert said in str(caught.value)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_written_run_is_read_back(tmp_path, data):
    characters = st.characters(exclude_categories=["Cs"])
    ids = st.lists(
        st.text(characters, min_size=1, max_size=6).filter(str.strip),
        min_size=1,
        max_size=4,
        unique=True,
    )
    query, source = document(*data.draw(ids)), document(*data.draw(ids))
    cells = [(q, s) for q in range(len(query)) for s in range(len(source))]
    pairs = data.draw(st.lists(st.sampled_from(cells), unique=True))
    scores = [data.draw(st.floats(0.5, 4, width=32)) for _ in pairs]
    positions = np.array(pairs, np.int32).reshape(-1, 2).T
    found = Candidates.ranked(*positions, np.array(scores, np.float32), tie_order(source.ids))
    write_run(tmp_path / "run", found, query, source)
    assert columns(read_run(tmp_path / "run", query, source)) == columns(found)


def test_ir_measures_reads_our_files(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = pytest.importorskip("ir_measures", reason="ir-measures is not installed")
    references = References.from_columns([0, 0, 1], [0, 1, 2], [1, 2, 1])
    found = Candidates.join(
        [(np.array([2, 0]), np.array([2.5, 0.5])), (np.array([2, 1]), np.array([3.5, 1.5]))]
    )
    write_run(tmp_path / "run", found, QUERY, SOURCE)
    write_qrels(tmp_path / "qrels", references, QUERY, SOURCE)
    values = theirs.calc_aggregate(
        [theirs.RR, theirs.R @ 2],
        theirs.read_trec_qrels(str(tmp_path / "qrels")),
        theirs.read_trec_run(str(tmp_path / "run")),
    )
    hits = find_hits(found, references)
    assert values[theirs.RR] == pytest.approx(ReciprocalRank().values(hits).mean())
    assert values[theirs.R @ 2] == pytest.approx(Recall(2).values(hits).mean())
