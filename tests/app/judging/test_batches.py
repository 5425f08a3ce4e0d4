"""Verdicts on many pairs at once, in both kinds of storage."""

import random
import tracemalloc

import pytest

from locisimiles import ParameterError
from locisimiles.app.judging.verdicts import ChosenPairs, Judging
from locisimiles.app.results import ResultFilter, ResultTable
from locisimiles.app.storage.tables.rankings import add_ranking, put_ranks

EVERYTHING = ChosenPairs(all_of=ResultFilter())


@pytest.fixture
def judging(searched):
    return Judging(searched)


@pytest.fixture
def pairs(searched):
    """Return ids of all pairs by row, in order."""
    rows = ResultTable(searched.database).columns(("row", "query_id", "source_id"), order="reading")
    return {row[0]: (row[1], row[2]) for row in rows}


def told(judging):
    """Return everything that is stored about each judgement."""
    return {(one.query_id, one.source_id, one.reader): one for one in judging.all()}


def verdicts(judging, reader="Ann"):
    return {(j.query_id, j.source_id): j.verdict for j in judging.all(reader)}


def test_rows_get_one_verdict_and_one_note(judging, pairs):
    rows = tuple(pairs)[3:9]
    count = judging.judge_many(ChosenPairs(rows), reader="Ann", verdict="cit.", note="topos")
    assert count == (6, 6, 0, 0)
    assert verdicts(judging) == {pairs[row]: "cit." for row in rows}
    assert {one.note for one in judging.all()} == {"topos"}


def test_a_filter_chooses_pairs_but_those_left_out(judging, searched, pairs):
    wanted = ResultFilter(source_author="Virgil", best=3)
    found = ResultTable(searched.database).rows(wanted)
    left_out = tuple(found[:2])
    count = judging.judge_many(ChosenPairs(left_out, wanted), reader="Ann", verdict="reject")
    assert count.chosen == count.changed == len(found) - 2 > 5
    assert verdicts(judging) == {pairs[row]: "reject" for row in found[2:]}


def test_what_a_running_search_adds_is_not_judged_unseen(judging, pairs):
    last = sorted(pairs)[99]
    everything = ChosenPairs(all_of=ResultFilter(), until=last)
    assert judging.judge_many(everything, reader="Ann", verdict="reject").chosen == 100
    assert verdicts(judging).keys() == {pair for row, pair in pairs.items() if row <= last}


def test_a_filter_may_depend_on_the_verdicts_that_are_given(judging, pairs):
    first, *_ = pairs
    judging.judge(*pairs[first], reader="Ann", verdict="cit.")
    chosen = ChosenPairs(all_of=ResultFilter(status="unjudged"))
    assert judging.judge_many(chosen, reader="Ann", verdict="reject").changed == len(pairs) - 1
    assert judging.judge_many(chosen, reader="Ann", verdict="cf.") == (0, 0, 0, 0)
    assert verdicts(judging)[pairs[first]] == "cit."


def test_undo_restores_each_judgement_exactly_and_redo_repeats_them(judging, pairs):
    rows = tuple(pairs)[:12]
    judging.judge(*pairs[rows[0]], reader="Ann", verdict="cit.", note="mine")
    judging.judge(*pairs[rows[1]], reader="Ann", note="only a note")
    judging.judge(*pairs[rows[2]], reader="Ann", verdict="reject")
    judging.judge(*pairs[rows[3]], reader="Bob", verdict="unsure")
    before = told(judging)
    count = judging.judge_many(ChosenPairs(rows), reader="Ann", verdict="reject", note="all")
    assert count == (12, 12, 1, 2)
    after = told(judging)
    assert after != before

    undone = judging.undo("Ann")
    assert (undone.query_id, undone.source_id) == pairs[rows[0]]
    assert (undone.verdict, undone.note) == ("cit.", "mine")
    assert told(judging) == before
    assert judging.redo("Ann").verdict == "reject"
    assert told(judging) == after
    assert judging.redo("Ann") is None
    judging.undo("Ann")
    assert judging.undo("Ann").verdict is None  # the change before the batch
    assert judging.undo("Bob") is not None
    assert len(told(judging)) == 2


def test_what_stays_the_same_is_no_change(judging, pairs):
    rows = tuple(pairs)[:4]
    judging.judge(*pairs[rows[0]], reader="Ann", verdict="cf.")
    before = told(judging)[*pairs[rows[0]], "Ann"]
    assert judging.judge_many(ChosenPairs(rows), reader="Ann", verdict="cf.") == (4, 3, 0, 0)
    assert told(judging)[*pairs[rows[0]], "Ann"] == before
    assert judging.judge_many(ChosenPairs(rows), reader="Ann", verdict="cf.") == (4, 0, 0, 0)
    judging.undo("Ann")
    assert verdicts(judging) == {pairs[rows[0]]: "cf."}


def test_verdicts_are_withdrawn_and_notes_stay(judging, pairs):
    rows = tuple(pairs)[:3]
    judging.judge(*pairs[rows[0]], reader="Ann", verdict="cf.", note="kept")
    judging.judge(*pairs[rows[1]], reader="Ann", verdict="cf.")
    assert judging.judge_many(ChosenPairs(rows), reader="Ann", verdict=None) == (3, 2, 2, 0)
    assert [(one.verdict, one.note) for one in judging.all()] == [(None, "kept")]


def test_a_note_alone_leaves_verdicts(judging, pairs):
    rows = tuple(pairs)[:2]
    judging.judge(*pairs[rows[0]], reader="Ann", verdict="cf.")
    judging.judge_many(ChosenPairs(rows), reader="Ann", note="see Hagendahl")
    assert verdicts(judging) == {pairs[rows[0]]: "cf.", pairs[rows[1]]: None}
    judging.judge(*pairs[rows[1]], reader="Ann", note="more", continues=True)
    judging.undo("Ann")  # a note never continues that of a batch
    assert {one.note for one in judging.all()} == {"see Hagendahl"}


def test_nothing_is_stored_when_only_counted(judging, pairs):
    row = next(iter(pairs))
    judging.judge(*pairs[row], reader="Ann", verdict="cit.", note="n")
    before = told(judging)
    counted = judging.judge_many(EVERYTHING, reader="Ann", verdict="cf.", note="m", only_count=True)
    assert counted == (len(pairs), len(pairs), 1, 1)
    assert told(judging) == before
    assert judging.undo("Ann").verdict is None


def test_rows_of_other_searches_and_unknown_rows_are_left_out(judging, pairs):
    assert judging.judge_many(ChosenPairs((10**9,)), reader="Ann", verdict="cit.").chosen == 0
    other = ChosenPairs(tuple(pairs), search=99)
    assert judging.judge_many(other, reader="Ann", verdict="cit.").chosen == 0


def test_bad_judgements_are_refused(judging):
    with pytest.raises(ParameterError, match="unknown verdict"):
        judging.judge_many(EVERYTHING, reader="Ann", verdict="maybe")
    judging.set_blind("Ann", on=True)
    with pytest.raises(ParameterError, match="blind"):
        judging.judge_many(
            ChosenPairs(all_of=ResultFilter(status="disagreement")), reader="Ann", verdict="cit."
        )
    assert judging.all() == []


@pytest.mark.parametrize("blind", ["never", "from the beginning", "later", "no more"])
def test_independence_is_that_of_verdicts_given_one_by_one(judging, pairs, blind):
    chance = random.Random(3)
    rows = tuple(pairs)[:40]

    def others_judge():
        for row in chance.sample(rows, 12):
            judging.judge(*pairs[row], reader="Bob", verdict=chance.choice(["cit.", None]))
            if chance.random() < 0.3:
                judging.undo("Bob")

    def said():
        return {
            (one.query_id, one.source_id): (one.verdict, one.note, one.independent)
            for one in judging.all("Ann")
        }

    judging.set_blind("Ann", on=blind in {"from the beginning", "no more"})
    for row in chance.sample(rows, 10):
        judging.judge(*pairs[row], reader="Ann", verdict=chance.choice(["cit.", "cf."]))
    others_judge()
    judging.set_blind("Ann", on=blind in {"from the beginning", "later"})
    others_judge()
    seen = set()
    for verdict in ("cf.", "cit.", None, "reject"):
        judging.judge_many(ChosenPairs(rows), reader="Ann", verdict=verdict)
        together = said()
        judging.undo("Ann")
        for row in rows:
            judging.judge(*pairs[row], reader="Ann", verdict=verdict)
        assert said() == together
        seen |= {independent for _, _, independent in together.values()}
    assert seen == ({True} if blind == "from the beginning" else {True, False})


def test_a_blind_reader_chooses_in_the_ranking_that_is_shown(judging, searched):
    with searched.database.writing() as connection:
        rows = connection.execute("SELECT row, rank FROM result").fetchall()
        add_ranking(connection, 1, "{}", "{}")
        put_ranks(connection, 1, [(row[1], 0.5, 6 - row[1], row[0]) for row in rows])
    judging.set_blind("Ann", on=True)
    shown = {}
    for reader in ("Ann", "Bob"):
        chosen = ChosenPairs(all_of=ResultFilter(best=1))
        judging.judge_many(chosen, reader=reader, verdict="cit.")
        found = ResultTable(searched.database, reader).columns(
            ("query_id", "source_id"), ResultFilter(best=1)
        )
        shown[reader] = {tuple(row) for row in found}
        assert set(verdicts(judging, reader)) == shown[reader]
    assert shown["Ann"].isdisjoint(shown["Bob"])


def test_a_renamed_reader_undoes_what_moved(judging, pairs):
    rows = tuple(pairs)[:5]
    judging.judge_many(ChosenPairs(rows), reader="", verdict="cit.")
    judging.judge(*pairs[rows[0]], reader="Ann", verdict="cf.")
    assert judging.rename("", "Ann") == (4, 1)
    judging.undo("Ann")
    judging.undo("Ann")
    assert [(one.reader, one.verdict) for one in judging.all()] == [("", "cit.")]


def test_memory_does_not_grow_with_pairs(judging, searched, pairs):
    with searched.database.writing() as connection:
        connection.executemany(
            "INSERT INTO result (row, search, query, source, rank, score, query_id, source_id, "
            "query_author, query_work, source_author, source_work, shared, alignment, explanation)"
            " VALUES (?, 1, 0, 0, ?, 1, ?, 's', '', '', '', '', '', '[]', '')",
            [(n + 1000, n + 1000, f"extra {n}") for n in range(20_000)],
        )
    tracemalloc.start()
    try:
        count = judging.judge_many(EVERYTHING, reader="Ann", verdict="reject")
        judging.undo("Ann")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count.changed == len(pairs) + 20_000
    assert most < 1_000_000
    assert judging.all() == []
