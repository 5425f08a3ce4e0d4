"""The references that a retriever misses."""

import csv

import pytest
from typer.testing import CliRunner

from locisimiles import Document, InputError, ParameterError, Segment
from locisimiles.benchmark.runs.execution import run_benchmark
from locisimiles.benchmark.runs.misses import KINDS, count_kinds, examples, rank_references
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.benchmark.sets.references import Label, References
from locisimiles.cli import app

VERSE = "arma uirumque cano, Troiae qui primus ab oris / Italiam fato profugus"
QUERY = Document.from_segments(
    [
        Segment("q1", "arma uirumque cano dixit ille poeta", author="Jerome"),
        Segment("q2", "nulla hic similia leguntur", author="Jerome"),
        Segment("q3", "ecce profugus homo " + "et cetera nihil " * 14, author="Lactantius"),
    ]
)
SOURCE = Document.from_segments(
    [
        Segment("s1", VERSE, author="Virgil", work="Aeneid"),
        Segment("s2", "ferrum sub pectore condit / feruidus", author="Virgil", work="Aeneid"),
        Segment("s3", "profugus incertis errabat terris", author="Virgil", work="Aeneid"),
        Segment("s4", "profugus profugus homo", author="Ovid"),
    ]
)
LABELS = References.from_columns(
    [0, 1, 2], [0, 1, 2], label=[Label.CIT, Label.CF, Label.CF], fold=[0, 1, 1]
)


@pytest.fixture(scope="module")
def benchmark():
    return Benchmark(QUERY, SOURCE, LABELS, name="small")


@pytest.fixture(scope="module")
def runs(benchmark, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    run_benchmark(benchmark, ["bm25"], ["retrieval"], folder)
    return folder


def test_every_reference_has_its_rank(benchmark, runs):
    ranked = rank_references(benchmark, runs, "bm25")
    assert [(one.query.id, one.rank) for one in ranked] == [("q1", 1), ("q2", None), ("q3", 2)]
    assert [one.is_missed(1) for one in ranked] == [False, True, True]
    assert [one.is_missed(2) for one in ranked] == [False, True, False]


def test_a_reference_has_a_kind_in_each_respect(benchmark, runs):
    first, second, third = (
        tuple(one.kinds.values()) for one in rank_references(benchmark, runs, "bm25")
    )
    assert first == (
        "cit.", "3 or more shared words", "1–10 words", "unknown", "Jerome", "Virgil",
    )  # fmt: skip
    assert second[:3] == ("cf.", "0 shared words", "1–10 words")
    assert third[1:3] == ("1 shared word, common", "over 40 words")
    assert tuple(rank_references(benchmark, runs, "bm25")[0].kinds) == KINDS


def test_each_respect_counts_all_references(benchmark, runs):
    counts = count_kinds(rank_references(benchmark, runs, "bm25"), depth=1)
    for respect in KINDS:
        own = [count for count in counts if count.respect == respect]
        assert sum(count.references for count in own) == 3
        assert sum(count.missed for count in own) == 2
    by_type = {one.kind: one.share for one in counts if one.respect == "type"}
    assert by_type == {"cf.": 1.0, "cit.": 0.0}


def test_kinds_come_in_the_order_of_their_numbers(benchmark, runs):
    counts = count_kinds(rank_references(benchmark, runs, "bm25"))
    assert [one.kind for one in counts if one.respect == "shared words"] == [
        "0 shared words", "1 shared word, common", "3 or more shared words",
    ]  # fmt: skip
    assert [one.kind for one in counts if one.respect == "query length"] == [
        "1–10 words", "over 40 words",
    ]  # fmt: skip


def test_verse_is_told_from_prose(tmp_path):
    source = Document.from_segments(
        [Segment("verg. aen. 1.1", "arma uirumque cano"), Segment("x", "nil " * 40)]
    )
    query = Document.from_segments([Segment("q", "arma cano " + "nil " * 40)])
    both = Benchmark(query, source, References.from_columns([0, 0], [0, 1], label=[1, 1]))
    run_benchmark(both, ["bm25"], ["retrieval"], tmp_path)
    ranked = rank_references(both, tmp_path, "bm25")
    kinds = {one.source.id: one.kinds["form"] for one in ranked}
    assert kinds == {"verg. aen. 1.1": "verse in prose", "x": "prose in prose"}


def test_examples_are_spread_over_the_set(tiny, tiny_runs):
    references = rank_references(tiny, tiny_runs, "bm25")
    missed = [one for one in references if one.is_missed(1)]
    assert missed
    shown = examples(references, 1, n=1)
    assert all(len(some) == 1 and some[0].is_missed(1) for some in shown.values())
    every = examples(references, 1, n=100)
    assert sum(map(len, every.values())) == len(missed)


def test_single_folds_can_be_looked_at(benchmark, runs):
    assert [one.query.id for one in rank_references(benchmark, runs, "bm25", folds=[1])] == [
        "q2", "q3",
    ]  # fmt: skip
    with pytest.raises(ParameterError, match="unknown fold '7'; choose one of 0, 1"):
        rank_references(benchmark, runs, "bm25", folds=[7])


def test_without_a_run_the_error_says_how_to_make_it(benchmark, runs):
    with pytest.raises(InputError, match="no finished run of late") as raised:
        rank_references(benchmark, runs, "late")
    assert "--protocol retrieval --method late" in str(raised.value)


def test_the_command_counts_and_shows_examples(benchmark, runs, tmp_path):
    benchmark.save(tmp_path / "set")
    arguments = ["benchmark", "misses", str(tmp_path / "set"), "--runs", str(runs)]
    done = CliRunner().invoke(app, [*arguments, "--method", "bm25", "--top", "1"])
    assert done.exit_code == 0, done.output
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert ["type", "cf.", "2", "2", "100.0%"] in lines
    assert ["0 shared words", "q2", "s2", "cf.", "", ""] in [line[:6] for line in lines]
    # The word that a commentator may have noted is named.
    assert ["1 shared word, common", "q3", "s3", "cf.", "2", "profugus"] in [
        line[:6] for line in lines
    ]


def test_the_command_writes_all_misses(benchmark, runs, tmp_path):
    benchmark.save(tmp_path / "set")
    table = tmp_path / "misses.csv"
    arguments = ["benchmark", "misses", str(tmp_path / "set"), "--runs", str(runs)]
    done = CliRunner().invoke(app, [*arguments, "--method", "bm25", "--top", "1", "-o", str(table)])
    assert done.exit_code == 0, done.output
    with table.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [(row["query"], row["rank"], row["type"]) for row in rows] == [
        ("q2", "", "cf."), ("q3", "2", "cf."),
    ]  # fmt: skip
