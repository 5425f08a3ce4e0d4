"""Benchmarks on disk and in memory."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import Document, Segment
from locisimiles.benchmark.sets.dataset import Benchmark, changed_files
from locisimiles.benchmark.sets.references import Label, References
from locisimiles.errors import InputError, MalformedInputError, OutputError, ParameterError

FILES = ("query.csv", "source.csv", "labels.csv", "manifest.json")


def segments(side, n, **fields):
    return Document.from_segments(Segment(f"{side}{i}", f"verba {i}", **fields) for i in range(n))


@pytest.fixture
def small():
    return Benchmark(
        query=segments("q", 3, author="Jerome", work="Epistulae", locus="1.1"),
        source=segments("s", 4, author="Virgil"),
        references=References.from_columns(
            query=[0, 0, 2], source=[3, 1, 0], label=[1, 2, 1], fold=[1, 1, 0]
        ),
        name="small",
        manifest={"note": "by hand"},
        provenance=("a", "b, c", ""),
    )


@pytest.fixture
def folder(tmp_path):
    def folder(
        labels, query="seg_id,text\nq1,uox\nq2,arma\n", source="seg_id,text\ns1,vox\n", **more
    ):
        for name, content in {"labels": labels, "query": query, "source": source}.items():
            (tmp_path / f"{name}.csv").write_text(content, "utf-8")
        for name, content in more.items():
            (tmp_path / f"{name}.json").write_text(content, "utf-8")
        return tmp_path

    return folder


def columns(references):
    return {
        name: getattr(references, name).tolist()
        for name in ("query", "source", "label", "fold", "grade")
    }


def test_what_was_saved_is_loaded(small, tmp_path):
    small.save(tmp_path / "deep" / "set")
    again = Benchmark.load(tmp_path / "deep" / "set")
    assert again.query == small.query
    assert again.source == small.source
    # Loaded references come in order of query and source.
    assert columns(again.references) == {
        "query": [0, 0, 2],
        "source": [1, 3, 0],
        "label": [Label.CF, Label.CIT, Label.CIT],
        "fold": [1, 1, 0],
        "grade": [1, 1, 1],
    }
    assert again.provenance == ("b, c", "a", "")
    assert again.name == "small"
    assert again.manifest["note"] == "by hand"
    assert again.folds == (0, 1)


def test_files_are_as_documented(small, tmp_path):
    small.save(tmp_path)
    assert (tmp_path / "query.csv").read_text("utf-8").splitlines()[:2] == [
        "seg_id,author,work,locus,text",
        "q0,Jerome,Epistulae,1.1,verba 0",
    ]
    assert (tmp_path / "labels.csv").read_text("utf-8").splitlines() == [
        "query_id,source_id,label,fold,provenance",
        'q0,s1,cf,1,"b, c"',
        "q0,s3,cit,1,a",
        "q2,s0,cit,0,",
    ]
    manifest = json.loads((tmp_path / "manifest.json").read_text("utf-8"))
    assert manifest["counts"] == {
        "query_segments": 3,
        "source_segments": 4,
        "query_segments_with_references": 2,
        "source_segments_with_references": 3,
        "references": 3,
        "cit": 2,
        "cf": 1,
        "references_per_fold": {"0": 1, "1": 2},
    }
    assert set(manifest["sha256"]) == set(FILES[:3])


def test_the_same_set_gives_the_same_bytes(small, tmp_path):
    small.save(tmp_path / "a")
    small.save(tmp_path / "b")
    Benchmark.load(tmp_path / "a").save(tmp_path / "c")
    for name in FILES:
        content = (tmp_path / "a" / name).read_bytes()
        assert (tmp_path / "b" / name).read_bytes() == content
        assert (tmp_path / "c" / name).read_bytes() == content


def test_a_set_without_folds_labels_and_manifest(folder):
    benchmark = Benchmark.load(folder("query_id,source_id\nq2,s1\n"))
    assert columns(benchmark.references) == {
        "query": [1], "source": [0], "label": [Label.CIT], "fold": [-1], "grade": [1],
    }  # fmt: skip
    assert benchmark.folds == ()
    assert benchmark.manifest == {}
    assert benchmark.name == folder("query_id,source_id\nq2,s1\n").name


def test_a_graded_set_keeps_its_grades(folder, tmp_path):
    benchmark = Benchmark.load(folder("query_id,source_id,label,grade\nq1,s1,cf,0.25\n"))
    assert benchmark.references.grade.tolist() == [0.25]
    benchmark.save(tmp_path / "again")
    assert (tmp_path / "again" / "labels.csv").read_text("utf-8") == (
        "query_id,source_id,label,fold,provenance,grade\nq1,s1,cf,,,0.25\n"
    )


def test_further_columns_of_segments_are_kept(folder, tmp_path):
    made = folder("query_id,source_id\nq1,s1\n", query="year,id,text\n395,q1,uox\n")
    Benchmark.load(made).save(tmp_path / "again")
    assert (tmp_path / "again" / "query.csv").read_text("utf-8") == (
        "seg_id,author,work,locus,text,year\nq1,,,,uox,395\n"
    )


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ("query_id,source_id\nq1,s1\nq7,s1\n", "labels.csv, row 3: there is no query segment 'q7'"),
        ("query_id,source_id\nq1,x\n", "labels.csv, row 2: there is no source segment 'x'"),
        ("query_id,source_id,label\nq1,s1,yes\n", "labels.csv, row 2: the label 'yes' is unknown"),
        ("query_id,source_id,fold\nq1,s1,0\nq1,s1,1\n", "labels.csv, row 3: the query 'q1' is in"),
        ("query_id,source_id\n", "labels.csv: the table has no rows"),
        ("a,b\n1,2\n", "labels.csv, row 1: there is no column 'query_id'"),
    ],
)
def test_mistakes_in_labels_are_named(folder, labels, message):
    with pytest.raises(InputError, match=message):
        Benchmark.load(folder(labels))


def test_mistakes_in_segments_and_manifest_are_named(folder):
    labels = "query_id,source_id\nq1,s1\n"
    with pytest.raises(InputError, match=r"query.csv, row 3: the id 'q1' is already used in row 2"):
        Benchmark.load(folder(labels, query="seg_id,text\nq1,uox\nq1,arma\n"))
    with pytest.raises(MalformedInputError, match=r"manifest.json: this is no JSON file"):
        Benchmark.load(folder(labels, manifest="{"))
    with pytest.raises(MalformedInputError, match=r"manifest.json: this is no JSON object"):
        Benchmark.load(folder(labels, manifest="[]"))


@pytest.mark.parametrize("name", FILES[:3])
def test_a_missing_file_is_named(small, tmp_path, name):
    small.save(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(InputError, match=f"there is no file {name}; a benchmark is a folder"):
        Benchmark.load(tmp_path)


def test_changed_files(small, tmp_path):
    small.save(tmp_path)
    assert changed_files(tmp_path) == []
    with (tmp_path / "labels.csv").open("a") as stream:
        stream.write("q1,s1,cit,0,\n")
    (tmp_path / "query.csv").unlink()
    assert changed_files(tmp_path) == ["query.csv", "labels.csv"]
    (tmp_path / "manifest.json").unlink()
    assert changed_files(tmp_path) == []


def test_where_nothing_can_be_written(small, tmp_path):
    (tmp_path / "file").write_text("here")
    with pytest.raises(OutputError, match=r"cannot be made"):
        small.save(tmp_path / "file")


def test_progress(small, tmp_path):
    small.save(tmp_path)
    calls = []
    Benchmark.load(tmp_path, progress=lambda *call: calls.append(call))
    assert calls == [("loading", n, 3) for n in range(4)]


def test_what_does_not_fit_together_is_refused(small):
    beyond = References.from_columns([0], [4], [1])
    with pytest.raises(ParameterError, match=r"beyond the source segments"):
        Benchmark(small.query, small.source, beyond)
    with pytest.raises(ParameterError, match=r"one provenance for each"):
        Benchmark(small.query, small.source, small.references, provenance=("a",))


def test_own_folds(small):
    folded = small.with_folds(2, seed=3)
    assert folded.folds == (0, 1)
    assert folded.references.fold[0] == folded.references.fold[1] != folded.references.fold[2]
    assert folded.manifest == {"note": "by hand", "folds": {"n": 2, "seed": 3}}
    assert small.folds == (0, 1)
    assert small.references.fold.tolist() == [1, 1, 0]


cells = st.text(st.characters(codec="utf-8", exclude_characters="\0\ufeff"), max_size=8).map(
    str.strip
)


@given(st.lists(cells, min_size=1, max_size=5, unique=True), cells, st.data())
def test_any_text_survives(tmp_path_factory, ids, cell, data):
    folder = tmp_path_factory.mktemp("set")
    document = Document.from_segments(
        Segment(f"id{name}", f"x{cell}x", f"y{cell}y", f"z{cell}z") for name in ids
    )
    positions = data.draw(st.lists(st.integers(0, len(ids) - 1), min_size=1, unique=True))
    positions.sort()
    references = References.from_columns(positions, positions, np.ones(len(positions)))
    Benchmark(document, document, references, provenance=(f"p{cell}p",) * len(positions)).save(
        folder
    )
    again = Benchmark.load(folder)
    assert again.query == again.source == document
    assert columns(again.references) == columns(references)
    assert again.provenance == (f"p{cell}p",) * len(positions)


@given(st.binary(max_size=60) | st.text(',"\n\rqs012cit.f', max_size=60).map(str.encode))
def test_any_labels_load_or_are_refused_politely(tmp_path_factory, content):
    folder = tmp_path_factory.mktemp("set")
    for name in ("query.csv", "source.csv"):
        (folder / name).write_text("seg_id,text\nq,uox\ns,tu\n", "utf-8")
    (folder / "labels.csv").write_bytes(b"query_id,source_id,label,fold\n" + content)
    problem = ""
    try:
        assert len(Benchmark.load(folder).references)
    except InputError as error:
        problem = str(error)
    assert not problem or "labels.csv" in problem
