"""The leaderboard."""

import json
from dataclasses import replace

import pytest

from locisimiles.benchmark.report.leaderboard import Leaderboard, entries_of
from locisimiles.benchmark.runs.loading import Runs
from locisimiles.errors import InputError, ParameterError


@pytest.fixture(scope="module")
def entries(tiny_runs):
    return entries_of(Runs.read(tiny_runs), submitted_by="A. Name", link="https://example.org")


@pytest.fixture
def broken(entries, tmp_path):
    """Write a leaderboard with one thing changed."""

    def write(change):
        path = tmp_path / "board.json"
        Leaderboard().merged(entries).save(path)
        content = json.loads(path.read_text(encoding="utf-8"))
        change(content)
        path.write_text(json.dumps(content), encoding="utf-8")
        return path

    return write


def test_every_method_has_an_entry_with_its_main_figures(entries):
    assert [entry.method for entry in entries] == ["bm25", "shared-lemmas", "tfidf-surface"]
    metrics = {(row.protocol, row.metric) for entry in entries for row in entry.rows}
    assert ("retrieval", "R@10") in metrics
    assert ("classification", "F1") in metrics
    assert not any(protocol == "author-pairs" for protocol, _ in metrics)


def test_a_saved_leaderboard_is_loaded(entries, tmp_path):
    board = Leaderboard().merged(entries)
    board.save(tmp_path / "board.json")
    assert Leaderboard.load(tmp_path / "board.json") == board


def test_the_order_of_additions_does_not_matter(entries):
    one, two = Leaderboard().merged(entries), Leaderboard().merged(reversed(entries))
    assert one == two


def test_an_entry_is_added_once(entries):
    board = Leaderboard().merged(entries)
    assert board.merged(entries) == board


def test_another_submitter_has_another_entry(entries):
    others = [replace(entry, submitted_by="B. Name") for entry in entries]
    assert len(Leaderboard().merged(entries).merged(others).entries) == 6


def test_another_set_has_another_entry(entries):
    other = replace(entries[0], benchmark={**entries[0].benchmark, "name": "other"})
    assert len(Leaderboard().merged([entries[0], other]).entries) == 2


def test_an_entry_that_differs_is_refused_without_replace(entries):
    board = Leaderboard().merged(entries)
    changed = replace(entries[0], rows=entries[0].rows[:3])
    with pytest.raises(ParameterError, match=r"another entry of .bm25. by .A\. Name."):
        board.merged([changed])
    assert changed in board.merged([changed], replace=True).entries


def test_standings_begin_with_the_best(entries):
    ranked = Leaderboard().merged(entries).standings("retrieval", "pooled", "MRR")
    means = [row.mean for _, row in ranked]
    assert len(means) == 2
    assert means == sorted(means, reverse=True)


def test_a_submitter_is_required(tiny_runs):
    with pytest.raises(ParameterError, match="submitter"):
        entries_of(Runs.read(tiny_runs), submitted_by=" ")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda c: c.update(format=2), r"unknown format \(expected 1\)"),
        (lambda c: c.pop("entries"), "the list 'entries' is missing"),
        (lambda c: c["entries"].append(3), "row 4: not a JSON object"),
        (lambda c: c["entries"][1].pop("method"), "row 2: 'method' is missing"),
        (lambda c: c["entries"][0].update(submitted_by=""), "row 1: 'submitted_by' is missing"),
        (lambda c: c["entries"][0].update(trained="yes"), "'trained'"),
        (lambda c: c["entries"][0]["benchmark"].pop("sha256"), "'benchmark' is missing or invalid"),
        (
            lambda c: c["entries"][0]["benchmark"]["sha256"].update(query="ab"),
            "'benchmark' is missing",
        ),
        (lambda c: c["entries"][0].update(rows=[]), "'rows' is missing"),
        (lambda c: c["entries"][0]["rows"][0].pop("n"), "not a result row"),
        (lambda c: c["entries"][0]["rows"][0].update(mean="high"), "'mean' is missing or invalid"),
        (
            lambda c: c["entries"][0]["rows"][0].update(protocol="guess"),
            "'protocol' is missing or invalid",
        ),
    ],
)
def test_an_invalid_file_is_refused(broken, change, problem):
    with pytest.raises(InputError, match=problem):
        Leaderboard.load(broken(change))
