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


def test_what_is_saved_is_loaded(entries, tmp_path):
    board = Leaderboard().merged(entries)
    board.save(tmp_path / "board.json")
    assert Leaderboard.load(tmp_path / "board.json") == board


def test_the_order_of_additions_does_not_matter(entries):
    one, two = Leaderboard().merged(entries), Leaderboard().merged(reversed(entries))
    assert one == two


def test_the_same_entry_is_there_once(entries):
    board = Leaderboard().merged(entries)
    assert board.merged(entries) == board


def test_another_submitter_has_another_entry(entries):
    others = [replace(entry, submitted_by="B. Name") for entry in entries]
    assert len(Leaderboard().merged(entries).merged(others).entries) == 6


def test_another_set_has_another_entry(entries):
    other = replace(entries[0], benchmark={**entries[0].benchmark, "name": "other"})
    assert len(Leaderboard().merged([entries[0], other]).entries) == 2


def test_an_entry_that_differs_is_refused_unless_it_shall_replace(entries):
    board = Leaderboard().merged(entries)
    changed = replace(entries[0], rows=entries[0].rows[:3])
    with pytest.raises(ParameterError, match=r"another entry of .bm25. by .A\. Name."):
        board.merged([changed])
    assert changed in board.merged([changed], replace=True).entries


def test_the_best_stands_first(entries):
    ranked = Leaderboard().merged(entries).standings("retrieval", "pooled", "MRR")
    means = [row.mean for _, row in ranked]
    assert len(means) == 2
    assert means == sorted(means, reverse=True)


def test_somebody_must_have_measured(tiny_runs):
    with pytest.raises(ParameterError, match="submitter"):
        entries_of(Runs.read(tiny_runs), submitted_by=" ")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda c: c.update(format=2), "the format is not 1"),
        (lambda c: c.pop("entries"), "the list 'entries'"),
        (lambda c: c["entries"].append(3), "row 4: this entry is no JSON object"),
        (lambda c: c["entries"][1].pop("method"), "row 2: the entry has no method"),
        (lambda c: c["entries"][0].update(submitted_by=""), "row 1: the entry has no submitted_by"),
        (lambda c: c["entries"][0].update(trained="yes"), "trained"),
        (lambda c: c["entries"][0]["benchmark"].pop("sha256"), "does not name its set"),
        (lambda c: c["entries"][0]["benchmark"]["sha256"].update(query="ab"), "name its set"),
        (lambda c: c["entries"][0].update(rows=[]), "no rows"),
        (lambda c: c["entries"][0]["rows"][0].pop("n"), "other fields than"),
        (lambda c: c["entries"][0]["rows"][0].update(mean="high"), "wrong kind"),
        (lambda c: c["entries"][0]["rows"][0].update(protocol="guess"), "unknown protocol 'guess'"),
    ],
)
def test_a_file_with_a_mistake_is_refused(broken, change, problem):
    with pytest.raises(InputError, match=problem):
        Leaderboard.load(broken(change))
