"""Results that come back from files, of ours and of the published package."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import (
    Candidates,
    Document,
    InputError,
    MalformedInputError,
    MissingColumnError,
    ParameterError,
    Results,
    Segment,
    UnknownFormatError,
    write_results,
)
from locisimiles.corpus import LocusMark
from locisimiles.export.reading import read_results
from locisimiles.export.tables import READABLE_SUFFIXES
from locisimiles.results.columns import result_rows

TEXTS = st.text(st.characters(codec="utf-8"), max_size=12)
PEER_CLI = (
    "query_id,query_text,source_id,source_text,similarity,probability,above_threshold\n"
    "hier. 1,haesit uox,verg. 2,uox,0.400000,0.250000,No\n"
    "hier. 1,haesit uox,verg. 1,et uox haesit,0.900000,0.987654,Yes\n"
    "hier. 2,nihil,,,,,\n"
)
PEER_CSV = (
    "query_id,source_id,source_text,candidate_score,judgment_score,predicted_class_id,"
    "predicted_label,class_probabilities\n"
    "hier. 1,verg. 1,et uox haesit,,0.875,1,cit.,"
    '"{""cf."": 0.25, ""cit."": 0.625, ""none"": 0.125}"\n'
)
PEER_JSON = {
    "hier. 1": [
        {
            "source_id": "verg. 1",
            "source_text": "et uox",
            "candidate_score": None,
            "judgment_score": 1.0,
        },
        {
            "source_id": "verg. 2",
            "source_text": "uox",
            "candidate_score": 0.5,
            "judgment_score": 0.25,
        },
    ],
    "hier. 2": [],
}


@st.composite
def any_results(draw):
    """Draw results with texts of all sorts, in the order that results have."""

    def document(letter, size):
        return Document.from_segments(
            Segment(
                f"{letter}{n} {draw(TEXTS)}",
                draw(TEXTS),
                author=draw(TEXTS),
                work=draw(TEXTS),
                locus=draw(TEXTS),
                loci=tuple(
                    draw(st.lists(st.builds(LocusMark, TEXTS, st.integers(0, 9)), max_size=2))
                ),
                meta={"urn": draw(TEXTS), "year": draw(TEXTS)},
            )
            for n in range(size)
        )

    sizes = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    rows = []
    for query in range(sizes[0]):
        scores = sorted(draw(st.lists(st.floats(0, 99, width=32), max_size=sizes[1])), reverse=True)
        rows += [(query, source, score) for source, score in enumerate(scores)]
    columns = np.array(rows, np.float64).reshape(-1, 3)
    judged = None
    if draw(st.booleans()):
        judged = np.array([[0.25, 0.5, 0.25]] * len(rows), np.float32).reshape(-1, 3)
    return Results(
        document("q", sizes[0]),
        document("s", sizes[1]),
        Candidates(
            columns[:, 0].astype(np.int32),
            columns[:, 1].astype(np.int32),
            columns[:, 2].astype(np.float32),
        ),
        {"k": draw(st.integers()), "note": draw(TEXTS)},
        judged,
    )


def filled(results):
    """Return the rows without cells that are empty, whose column may be left out."""
    return [
        {name: cell for name, cell in row.items() if cell != ""} for row in result_rows(results)
    ]


@pytest.mark.parametrize("suffix", READABLE_SUFFIXES)
@given(results=any_results())
def test_written_results_are_read_back(tmp_path_factory, suffix, results):
    path = tmp_path_factory.mktemp("back") / f"hits{suffix}"
    write_results(results, path)
    back = read_results(path)
    assert filled(back) == filled(results)
    assert back.manifest == results.manifest
    assert (back.probabilities is None) == (results.probabilities is None or not len(results))


@pytest.mark.parametrize("suffix", READABLE_SUFFIXES)
def test_rewriting_results_gives_the_same_file(tmp_path, judged, suffix):
    write_results(judged, tmp_path / f"one{suffix}")
    write_results(read_results(tmp_path / f"one{suffix}"), tmp_path / f"two{suffix}")
    assert (tmp_path / f"two{suffix}").read_bytes() == (tmp_path / f"one{suffix}").read_bytes()


def test_results_read_from_a_file_become_tei_with_the_same_addresses(tmp_path, judged):
    write_results(judged, tmp_path / "hits.csv")
    write_results(read_results(tmp_path / "hits.csv"), tmp_path / "back.xml")
    write_results(judged, tmp_path / "hits.xml")
    assert (tmp_path / "back.xml").read_bytes() == (tmp_path / "hits.xml").read_bytes()


def test_guarded_tables_are_read_on_request(tmp_path, judged):
    write_results(judged, tmp_path / "hits.csv", spreadsheet_safe=True)
    assert "'=fabula" in read_results(tmp_path / "hits.csv").source
    back = read_results(tmp_path / "hits.csv", guarded=True)
    assert list(result_rows(back)) == list(result_rows(judged))


def test_a_table_saved_with_semicolons_is_read(tmp_path):
    path = tmp_path / "hits.csv"
    path.write_text("query_id;source_id;score\na;b;0.5\n", encoding="utf-8")
    assert [reference.score for reference in read_results(path)] == [0.5]


def test_rows_are_ordered_by_rank(tmp_path):
    path = tmp_path / "hits.csv"
    path.write_text(
        "query_id,source_id,score,rank\nq1,b,1,2\nq2,a,1,1\nq1,a,1,1\n", encoding="utf-8"
    )
    back = read_results(path)
    assert [(r.query.id, r.source.id, r.rank) for r in back] == [
        ("q1", "a", 1), ("q1", "b", 2), ("q2", "a", 1)
    ]  # fmt: skip


def test_missing_texts_are_taken_from_documents(tmp_path):
    path = tmp_path / "hits.csv"
    path.write_text("query_id,source_id,score\nq2,s1,1\n", encoding="utf-8")
    query = Document.from_segments([Segment("q1", "cano"), Segment("q2", "arma")])
    source = Document.from_segments([Segment("s1", "arma uirumque")])
    (reference,) = read_results(path, query=query, source=source)
    assert (reference.query.text, reference.source.text) == ("arma", "arma uirumque")
    with pytest.raises(InputError, match=r"row 2: the source document has no segment 's1'"):
        read_results(path, query=query, source=query)


def test_files_of_the_published_command_line_are_read(tmp_path):
    path = tmp_path / "theirs.csv"
    path.write_text(PEER_CLI, encoding="utf-8")
    back = read_results(path)
    assert [(r.query.id, r.source.id, r.rank) for r in back] == [
        ("hier. 1", "verg. 1", 1), ("hier. 1", "verg. 2", 2)
    ]  # fmt: skip
    assert [round(r.score, 6) for r in back] == [0.987654, 0.25]
    assert back.query.ids == ("hier. 1", "hier. 2")  # also what nothing was found for
    assert back.source["verg. 1"].text == "et uox haesit"


def test_files_of_the_published_app_are_read(tmp_path):
    path = tmp_path / "theirs.csv"
    path.write_text(
        "Query_Segment_ID,Query_Text,Source_Segment_ID,Source_Text,Similarity,Probability,"
        "Above_Threshold\nhier. 1,haesit uox,verg. 1,uox,0.5,0.75,Yes\n",
        encoding="utf-8",
    )
    (reference,) = read_results(path)
    assert (reference.query.text, reference.source.id, reference.score) == (
        "haesit uox", "verg. 1", 0.75
    )  # fmt: skip


def test_files_of_the_published_to_csv_are_read_with_classes(tmp_path):
    path = tmp_path / "theirs.csv"
    path.write_text(PEER_CSV, encoding="utf-8")
    (reference,) = read_results(path)
    assert reference.score == 0.875
    assert reference.probabilities == (0.125, 0.625, 0.25)
    assert reference.query.text == ""


def test_files_of_the_published_to_json_are_read(tmp_path):
    path = tmp_path / "theirs.json"
    path.write_text(json.dumps(PEER_JSON), encoding="utf-8")
    back = read_results(path)
    assert [(r.query.id, r.source.id, r.score) for r in back] == [
        ("hier. 1", "verg. 1", 1.0), ("hier. 1", "verg. 2", 0.25)
    ]  # fmt: skip
    assert back.probabilities is None


def test_a_table_with_yes_or_no_is_read(tmp_path):
    path = tmp_path / "theirs.csv"
    path.write_text("query_id,source_id,above_threshold\na,b,No\na,c,Yes\n", encoding="utf-8")
    assert [(r.source.id, r.score) for r in read_results(path)] == [("c", 1.0), ("b", 0.0)]


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        ("", MissingColumnError, "no column 'query_id'"),
        ("a,b\n1,2\n", MissingColumnError, "no column 'query_id'; the columns are a, b"),
        ("query_id,source_id,Score,score\na,b,1,2\n", MissingColumnError, "two columns are called"),
        ("query_id,source_id\na,b\n", MissingColumnError, "there is no column 'score'"),
        ("query_id,source_id,score\na,b,x\n", MalformedInputError, "row 2: 'x' is not a number"),
        ("query_id,source_id,score\na,b,nan\n", MalformedInputError, "'nan' is not a number"),
        ("query_id,source_id,score\na,b,1\na,b,1\n", MalformedInputError, "already in row 2"),
        ("query_id,source_id,score\n,b,1\n", InputError, "row 2: the query_id is empty"),
        ("query_id,source_id,score\na,b,1,2\n", MalformedInputError, "4 cells"),
        ('query_id,source_id,score\na,"b,1\n', MalformedInputError, "the table is broken"),
        (
            "query_id,source_id,score,query_text\na,b,1,x\na,c,1,y\n",
            MalformedInputError,
            "row 3: the text of 'a' differs from a row above",
        ),
    ],
)
def test_a_broken_table_is_an_error_that_names_the_row(tmp_path, content, error, message):
    path = tmp_path / "hits.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(error, match=message) as caught:
        read_results(path)
    assert caught.value.file == str(path)


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".xlsx", ".parquet", ".csv"])
@pytest.mark.parametrize(
    "content",
    [
        b"[1, 2]",
        b"{",
        b"nonsense",
        b"\xff\xfe\x00\xd8",
        b"PK\x03\x04",
        b"PAR1",
        b'{"references": 3}',
    ],
)
def test_malformed_content_is_an_input_error(tmp_path, suffix, content):
    path = tmp_path / f"hits{suffix}"
    path.write_bytes(content)
    with pytest.raises(InputError):
        read_results(path)


def test_a_wrong_or_missing_file_is_an_input_error(tmp_path):
    with pytest.raises(UnknownFormatError, match=r"use one of \.csv"):
        read_results(tmp_path / "hits.html")
    with pytest.raises(InputError, match="file not found"):
        read_results(tmp_path / "hits.csv")


@pytest.mark.parametrize("suffix", READABLE_SUFFIXES)
def test_other_columns_are_written_again(tmp_path, suffix):
    table = tmp_path / "colleague.csv"
    table.write_text(
        "query_id,source_id,score,Verdict,note,probability,candidate_score,query_text,source_text\n"
        'q,s1,0.5,cit.,"=sic, ""bene""",0.9,7,arma,arma\n'
        "q,s2,0.75,,,0.1,8,arma,cano\n",
        encoding="utf-8",
    )
    read = read_results(table)
    assert read.further == {
        "verdict": ("", "cit."), "note": ("", '=sic, "bene"'),
        "probability": ("0.1", "0.9"), "candidate_score": ("8", "7"),
    }  # fmt: skip
    again = read_results(write_results(read, tmp_path / f"again{suffix}")[0])
    assert again.further == read.further
    assert again.candidates.score.tolist() == [0.75, 0.5]


def test_our_columns_take_precedence_over_others(tmp_path, judged):
    further = {"score": ("a", "b", "c"), "alignment": ("a", "b", "c")}
    path = write_results(replace(judged, further=further), tmp_path / "hits.jsonl")[0]
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [row["score"] for row in rows] == [0.9688, 0.75, 0.5]
    assert [row["alignment"] for row in rows] == ["a", "b", "c"]


def test_further_columns_fit_the_pairs(judged):
    with pytest.raises(ParameterError, match=r"further\['note'\] must have equal length"):
        replace(judged, further={"note": ("a",)})


@pytest.mark.parametrize(
    ("column", "cell", "message"),
    [
        ("query_loci", "zzz", "where lines begin"),
        ("query_loci", "1@x", "where lines begin"),
        ("probability_cit", "7", "not probabilities"),
        ("probability_cit", "-0.1", "not probabilities"),
        ("probability_cit", "0.8", "not probabilities"),
    ],
)
def test_invalid_cells_are_named(tmp_path, column, cell, message):
    cells = {"probability_cit": "0.5", "query_loci": "1.1@0", column: cell}
    path = tmp_path / "hits.csv"
    path.write_text(
        "query_id,source_id,score,probability_cf,query_loci,probability_cit\n"
        f"q,s,1,0.25,{cells['query_loci']},{cells['probability_cit']}\n",
        encoding="utf-8",
    )
    with pytest.raises(MalformedInputError, match=message) as error:
        read_results(path)
    assert "row 2" in str(error.value)


@pytest.mark.parametrize("suffix", READABLE_SUFFIXES)
def test_judgements_are_read_and_written_again(tmp_path, read, suffix):
    write_results(read, tmp_path / f"one{suffix}")
    again = read_results(tmp_path / f"one{suffix}")
    assert again.judgements == read.judgements
    assert not again.further
    write_results(again, tmp_path / f"two{suffix}")
    one, two = (read_results(tmp_path / f"{name}{suffix}") for name in ("one", "two"))
    assert one.judgements == two.judgements
    if suffix in (".csv", ".tsv", ".json", ".jsonl"):
        assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes()


def test_a_judged_table_of_a_search_without_a_classifier_is_read(tmp_path, read):
    unsorted = replace(read, probabilities=None)
    write_results(unsorted, tmp_path / "hits.csv")
    again = read_results(tmp_path / "hits.csv")
    assert again.judgements == read.judgements
    assert [one.kind for one in again] == ["cf.", "cit.", "none"]


@pytest.mark.parametrize("cell", ["[1]", "{", "7", '[{"verdict": "perhaps"}]'])
def test_wrong_judgements_are_named(tmp_path, cell):
    rows = "query_id,source_id,score,verdict,note,reader,date,adjudicated,judgements\n"
    quoted = cell.replace('"', '""')
    (tmp_path / "hits.csv").write_text(f'{rows}q,s,1,cit.,,Ann,,,"{quoted}"\n')
    with pytest.raises(InputError, match=r"hits\.csv, row 2: "):
        read_results(tmp_path / "hits.csv")


def test_a_verdict_column_of_others_is_kept_as_it_is(tmp_path):
    (tmp_path / "hits.csv").write_text("query_id,source_id,score,verdict\nq,s,1,perhaps\n")
    again = read_results(tmp_path / "hits.csv")
    assert (again.judgements, again.further) == (None, {"verdict": ("perhaps",)})
