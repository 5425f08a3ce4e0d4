"""Judgements, what is undone of them, and batches, compared with lists of Python."""

import math
import random
from itertools import count

import pytest

from locisimiles.app.storage.stored_values import load_alignment, stored_value
from locisimiles.app.storage.tables.batches import BatchChange, Pairs, count_batch, put_batch
from locisimiles.app.storage.tables.blindness import (
    Blindness,
    is_independent,
    known_until,
    read_blindness,
    rename_blindness,
    switch_blindness,
)
from locisimiles.app.storage.tables.judgements import (
    StoredJudgement,
    count_judgements,
    find_decision,
    find_judgement,
    first_change_by_others,
    judgement_revision,
    judgements_of_pair,
    put_judgement,
    read_decisions,
    read_judgements,
    readers_with_verdicts,
    redo_judgement,
    undo_judgement,
)
from locisimiles.app.storage.tables.renaming import Renamed, rename_reader
from locisimiles.app.storage.tables.settings import read_setting, write_setting
from locisimiles.errors import InputError, ParameterError

PAIRS = [(f"q{n}", f"s{m}") for n in range(3) for m in range(2)]
VERDICTS = ["cit.", "cf.", "reject", "unsure", None]
CLOCK = count(1000)


@pytest.fixture
def connection(project):
    with project.database.writing() as connection:
        yield connection


def judge(connection, reader, pair, verdict, note="", *, time=None, **said):
    """Judge a pair as the app does."""
    before = find_judgement(connection, *pair, reader)
    time = float(next(CLOCK)) if time is None else time
    after = StoredJudgement(*pair, verdict, reader, note, time, **said)
    return put_judgement(connection, before, after)


def of(connection, reader):
    """Return verdicts and notes of a reader by pair."""
    return {
        (one.query_id, one.source_id): (one.verdict, one.note)
        for one in read_judgements(connection, reader)
    }


@pytest.mark.parametrize("seed", range(6))
def test_any_judgements_are_done_undone_and_redone(connection, seed):
    chance = random.Random(seed)
    readers = ["Ann", "Bob"]
    now = {reader: {} for reader in readers}
    done = {reader: [] for reader in readers}
    undone = {reader: [] for reader in readers}
    for _ in range(60):
        reader = chance.choice(readers)
        step = chance.choice(["judge", "judge", "undo", "redo"])
        before = dict(now[reader])
        if step == "judge":
            pair = chance.choice(PAIRS)
            verdict, note = chance.choice(VERDICTS), chance.choice(["", "", "a", "b"])
            judge(connection, reader, pair, verdict, note)
            now[reader].pop(pair, None)
            if verdict is not None or note:
                now[reader][pair] = verdict, note
            done[reader].append((before, dict(now[reader])))
            undone[reader].clear()
        elif step == "undo":
            found = undo_judgement(connection, reader)
            assert (found is None) == (not done[reader])
            if found:
                change = done[reader].pop()
                undone[reader].append(change)
                now[reader] = dict(change[0])
        else:
            found = redo_judgement(connection, reader)
            assert (found is None) == (not undone[reader])
            if found:
                change = undone[reader].pop()
                done[reader].append(change)
                now[reader] = dict(change[1])
        for one in readers:
            assert of(connection, one) == now[one]
            assert count_judgements(connection, one) == len(now[one])
        named = [one for one in readers if any(verdict for verdict, _ in now[one].values())]
        assert readers_with_verdicts(connection) == named


def test_judgements_are_listed_oldest_first_and_those_of_a_pair_by_reader(connection):
    for reader, pair in (("Bob", PAIRS[1]), ("Ann", PAIRS[1]), ("Bob", PAIRS[0])):
        judge(connection, reader, pair, "cf.", independent=reader == "Ann")
    listed = [(one.reader, one.query_id, one.source_id) for one in read_judgements(connection)]
    assert listed == [("Bob", *PAIRS[1]), ("Ann", *PAIRS[1]), ("Bob", *PAIRS[0])]
    both = judgements_of_pair(connection, *PAIRS[1])
    assert [(one.reader, one.independent) for one in both] == [("Ann", True), ("Bob", False)]
    assert find_judgement(connection, *PAIRS[2], "Ann").verdict is None
    assert find_judgement(connection, *PAIRS[0], "Bob").verdict == "cf."


def test_a_pair_has_one_decision_which_is_undone_like_a_judgement(connection):
    pair = PAIRS[0]
    assert find_decision(connection, *pair) == StoredJudgement(
        *pair, None, "", "", 0.0, adjudicated=True
    )
    for reader, verdict in (("Ann", "cit."), ("Bob", "cf.")):
        before = find_decision(connection, *pair)
        after = StoredJudgement(*pair, verdict, reader, "", float(next(CLOCK)), adjudicated=True)
        put_judgement(connection, before, after)
    assert [(one.reader, one.verdict) for one in read_decisions(connection)] == [("Bob", "cf.")]
    assert read_judgements(connection) == []
    assert undo_judgement(connection, "Bob").reader == "Ann"
    assert find_decision(connection, *pair).verdict == "cit."
    undo_judgement(connection, "Ann")
    assert read_decisions(connection) == []


def test_revisions_change_with_each_change(connection):
    seen = {judgement_revision(connection)}
    for step in (
        lambda: judge(connection, "Ann", PAIRS[0], "cf."),
        lambda: undo_judgement(connection, "Ann"),
        lambda: redo_judgement(connection, "Ann"),
        lambda: undo_judgement(connection, "Ann"),
        lambda: judge(connection, "Ann", PAIRS[0], "cit."),
    ):
        before = judgement_revision(connection)
        step()
        assert judgement_revision(connection) != before
        seen.add(before)
    assert len(seen) >= 3


def test_notes_in_a_row_are_one_change(connection):
    pair = PAIRS[0]
    judge(connection, "Ann", pair, "cf.")
    for note in ("a", "ab", "abc"):
        before = find_judgement(connection, *pair, "Ann")
        after = StoredJudgement(*pair, "cf.", "Ann", note, float(next(CLOCK)))
        put_judgement(connection, before, after, continues=note != "a")
    assert of(connection, "Ann") == {pair: ("cf.", "abc")}
    undo_judgement(connection, "Ann")
    assert of(connection, "Ann") == {pair: ("cf.", "")}
    undo_judgement(connection, "Ann")
    assert of(connection, "Ann") == {}


def test_a_note_does_not_continue_another_change(connection):
    one, two = PAIRS[:2]
    judge(connection, "Ann", one, "cf.", "a")
    for pair, verdict in ((two, "cf."), (one, "cit.")):
        before = find_judgement(connection, *pair, "Ann")
        after = StoredJudgement(*pair, verdict, "Ann", "b", float(next(CLOCK)))
        put_judgement(connection, before, after, continues=True)
    undo_judgement(connection, "Ann")
    assert of(connection, "Ann") == {one: ("cf.", "a"), two: ("cf.", "b")}
    undo_judgement(connection, "Ann")
    assert of(connection, "Ann") == {one: ("cf.", "a")}


def test_others_judged_first_unless_that_was_undone(connection):
    pair = PAIRS[0]
    mine = StoredJudgement(*pair, None, "Ann", "", 0.0)
    judge(connection, "Ann", pair, "cf.")
    judge(connection, "Bob", PAIRS[1], "cf.")
    assert first_change_by_others(connection, mine) is None
    first = judge(connection, "Bob", pair, "cit.")
    judge(connection, "Bob", pair, None)
    assert first_change_by_others(connection, mine) == first.time  # what was withdrawn counts
    undo_judgement(connection, "Bob")
    undo_judgement(connection, "Bob")
    assert first_change_by_others(connection, mine) is None


# Batches.


def chosen(pairs):
    """Return pairs as a statement that a batch may be chosen by."""
    rows = " UNION ALL ".join(
        f"SELECT CAST(? AS TEXT) AS query_id, CAST(? AS TEXT) AS source_id, {place} AS place"
        for place in range(len(pairs))
    )
    return Pairs(rows, [name for pair in pairs for name in pair])


@pytest.mark.parametrize("seed", range(12))
def test_a_batch_says_of_each_pair_what_one_judgement_would(project, projects, seed):
    chance = random.Random(seed)
    other = projects.create("Other")
    with project.database.writing() as one, other.database.writing() as each:
        for _ in range(14):
            said = chance.choice(["Ann", "Bob"]), chance.choice(PAIRS), chance.choice(VERDICTS)
            note, independent = chance.choice(["", "x"]), chance.random() < 0.5
            moment = float(next(CLOCK))
            for connection in (one, each):
                judge(connection, *said, note, time=moment, independent=independent)
        pairs = chance.sample(PAIRS, 4)
        keeps, verdict = chance.random() < 0.3, chance.choice(VERDICTS)
        note = chance.choice([None, "", "new", "x"])
        moment, until = float(next(CLOCK)), chance.choice([0.0, math.inf, float(next(CLOCK)) - 8])
        before, changed, verdicts, notes = of(each, "Ann"), 0, 0, 0
        for pair in pairs:
            old = find_judgement(each, *pair, "Ann")
            to = old.verdict if keeps else verdict
            text = old.note if note is None else note
            if (to, text) == (old.verdict, old.note):
                continue
            changed += 1
            verdicts += old.verdict is not None and to != old.verdict
            notes += bool(old.note) and text != old.note
            first = first_change_by_others(each, old)
            knew_nothing = first is None or first > until
            if keeps or to == old.verdict:
                independent = old.independent
            elif to is None or (old.verdict is not None and not old.independent):
                independent = False
            else:
                independent = knew_nothing
            new = StoredJudgement(*pair, to, "Ann", text, moment, independent)
            put_judgement(each, old, new)
        change = BatchChange("Ann", None if keeps else verdict, keeps, note, moment, until)
        counted = count_batch(one, chosen(pairs), change)
        assert put_batch(one, chosen(pairs), change) == counted
        assert tuple(counted) == (4, changed, verdicts, notes)
        assert sorted(map(repr, read_judgements(one))) == sorted(map(repr, read_judgements(each)))
        if changed:
            after = of(one, "Ann")
            undo_judgement(one, "Ann")
            assert of(one, "Ann") == before
            redo_judgement(one, "Ann")
            assert of(one, "Ann") == after


def test_a_batch_that_was_given_up_does_not_come_back(connection):
    def batch(pairs, verdict):
        change = BatchChange("Ann", verdict, False, None, float(next(CLOCK)), math.inf)
        put_batch(connection, chosen(pairs), change)

    batch(PAIRS[:2], "cit.")
    undo_judgement(connection, "Ann")
    batch(PAIRS[2:4], "cf.")
    undo_judgement(connection, "Ann")
    assert of(connection, "Ann") == {}
    assert redo_judgement(connection, "Ann") is not None
    assert of(connection, "Ann") == dict.fromkeys(PAIRS[2:4], ("cf.", ""))
    assert redo_judgement(connection, "Ann") is None


# Readers.


def test_a_renamed_reader_keeps_all_that_the_new_name_has_not_judged(connection):
    judge(connection, "Ann", PAIRS[0], "cf.")
    judge(connection, "Ann", PAIRS[1], "cit.")
    judge(connection, "Eve", PAIRS[1], "reject")
    assert rename_reader(connection, "Ann", "Ann") == Renamed(0, 0)
    assert rename_reader(connection, "Ann", "Eve") == Renamed(1, 1)
    assert of(connection, "Eve") == {PAIRS[0]: ("cf.", ""), PAIRS[1]: ("reject", "")}
    assert of(connection, "Ann") == {PAIRS[1]: ("cit.", "")}
    undo_judgement(connection, "Eve")
    undo_judgement(connection, "Eve")
    assert of(connection, "Eve") == {}
    assert of(connection, "Ann") == {PAIRS[1]: ("cit.", "")}


def test_a_verdict_that_the_new_name_withdrew_once_is_taken_over_and_can_be_undone(connection):
    for verdict in ("reject", None, "unsure", None):
        judge(connection, "Eve", PAIRS[0], verdict)
    given = judge(connection, "Ann", PAIRS[0], "cf.", "note", independent=True)
    assert rename_reader(connection, "Ann", "Eve") == Renamed(1, 0)
    (taken,) = read_judgements(connection, "Eve")
    assert (taken.verdict, taken.note, taken.time) == ("cf.", "note", given.time)
    assert taken.independent
    assert undo_judgement(connection, "Eve").independent is False
    assert of(connection, "Eve") == {}
    undo_judgement(connection, "Eve")
    assert of(connection, "Eve") == {PAIRS[0]: ("unsure", "")}


def test_a_decision_gets_the_new_name(connection):
    before = find_decision(connection, *PAIRS[0])
    after = StoredJudgement(*PAIRS[0], "cf.", "Ann", "", 5.0, adjudicated=True)
    put_judgement(connection, before, after)
    rename_reader(connection, "Ann", "Eve")
    assert find_decision(connection, *PAIRS[0]).reader == "Eve"


def test_decisions_and_what_is_undone_of_them_get_the_new_name(connection):
    pair = PAIRS[0]
    for reader in ("Ann", "Bob"):
        before = find_decision(connection, *pair)
        after = StoredJudgement(*pair, "cf.", reader, "", float(next(CLOCK)), adjudicated=True)
        put_judgement(connection, before, after)
    rename_reader(connection, "Ann", "Eve")
    assert find_decision(connection, *pair).reader == "Bob"
    assert undo_judgement(connection, "Bob").reader == "Eve"
    assert undo_judgement(connection, "Eve").verdict is None


def test_who_begins_blind_has_seen_nothing(connection):
    assert read_blindness(connection, "Ann") == Blindness(on=False, seen_until=0.0)
    assert known_until(connection, "Ann") == math.inf
    assert switch_blindness(connection, "Ann", on=True) == Blindness(on=True, seen_until=0.0)
    assert known_until(connection, "Ann") == 0.0
    assert switch_blindness(connection, "Ann", on=True) == Blindness(on=True, seen_until=0.0)
    assert not switch_blindness(connection, "Ann", on=False).on
    again = switch_blindness(connection, "Ann", on=True)
    assert again.seen_until > 1e9  # in between, all could be seen
    judge(connection, "Bob", PAIRS[0], "cf.")
    assert switch_blindness(connection, "Bob", on=True).seen_until > 1e9
    judge(connection, "Eve", PAIRS[0], None, "only a note")
    assert switch_blindness(connection, "Eve", on=True).seen_until == 0.0


@pytest.mark.parametrize(
    ("old", "new", "on", "seen"),
    [
        (None, None, False, 0.0),
        ("[true, 5.0]", None, True, 5.0),
        (None, "[true, 7.0]", True, 7.0),
        ("[true, 9.0]", "[true, 7.0]", True, 9.0),
        ("[true, 5.0]", "[true, 7.0]", True, 7.0),
        ("[false, 5.0]", "[true, 7.0]", True, math.inf),
        ("[true, 9.0]", "[false, 7.0]", False, 9.0),
    ],
)
def test_what_was_seen_under_the_old_name_may_have_been_seen(connection, old, new, on, seen):
    for name, stored in (("Ann", old), ("Eve", new)):
        if stored is not None:
            write_setting(connection, f"blind:{name}", stored)
    rename_blindness(connection, "Ann", "Eve")
    found = read_blindness(connection, "Eve")
    assert found.on is on
    assert found.seen_until == seen or (seen == math.inf and found.seen_until > 1e9)


def test_who_judged_openly_under_the_old_name_may_have_seen_all(connection):
    judge(connection, "Ann", PAIRS[0], "cf.")
    write_setting(connection, "blind:Eve", "[true, 7.0]")
    rename_blindness(connection, "Ann", "Eve")
    assert read_blindness(connection, "Eve").seen_until > 1e9


def test_a_verdict_is_independent_if_nothing_could_be_known(connection):
    pair = PAIRS[0]
    open_reader = StoredJudgement(*pair, None, "Ann", "", 0.0)
    assert is_independent(connection, open_reader, "cf.")  # nobody has said anything
    assert not is_independent(connection, open_reader, None)
    judge(connection, "Bob", pair, "cit.")
    assert not is_independent(connection, open_reader, "cf.")
    switch_blindness(connection, "Ann", on=True)
    assert is_independent(connection, open_reader, "cf.")
    write_setting(
        connection, "blind:Ann", f"[true, {first_change_by_others(connection, open_reader)}]"
    )
    assert not is_independent(connection, open_reader, "cf.")  # it was seen just then
    write_setting(connection, "blind:Ann", "[true, 0]")
    for independent in (False, True):
        given = StoredJudgement(*pair, "cf.", "Ann", "", 1.0, independent)
        assert is_independent(connection, given, "cf.") is independent
        assert is_independent(connection, given, "reject") is independent


def test_settings_are_replaced(connection):
    assert read_setting(connection, "a") == ""
    for value in ("x", "", "y"):
        write_setting(connection, "a", value)
        assert read_setting(connection, "a") == value


@pytest.mark.parametrize("error", [AttributeError, KeyError, TypeError, ValueError, RecursionError])
def test_a_stored_value_in_another_form_is_damage(error):
    with pytest.raises(InputError, match="damaged"), stored_value("meta"):
        raise error
    with pytest.raises(ParameterError), stored_value("meta"):
        raise ParameterError("files.no_select")
    with pytest.raises(OSError, match="disk"), stored_value("meta"):
        raise OSError("disk")


@pytest.mark.parametrize(
    "stored",
    ["7", "{", "[[0, 1, 2, 3]]", '[[0, 1, 2, "form"]]', '[[0, 1, 2, 3, 4, "form"]]',
     '[[0, 1, 2, 3, 4]]', '[[0, 1, 2, -1, "form"]]', '[[0, 1, true, 3, "form"]]',
     '[[0, 1, 2.0, 3, "form"]]', "[7]"],
)  # fmt: skip
def test_a_stored_alignment_in_another_form_is_damage(stored):
    with pytest.raises(InputError, match="damaged"):
        load_alignment(stored)


def test_a_stored_alignment_is_read():
    assert load_alignment('[[0, 0, 5, 9, "form"]]') == [[0, 0, 5, 9, "form"]]
    assert load_alignment("[]") == []
