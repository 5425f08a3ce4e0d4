"""Where a reader stands, and what the keys do."""

import pytest

from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.results import ResultFilter
from locisimiles.app.workspace import Adjudication, Workspace


@pytest.fixture
def workspace(searched):
    made = Workspace(searched, "Ann")
    made.begin()
    return made


def verdicts(workspace):
    return [one.verdict for one in Judging(workspace.project).all("Ann")]


def test_reading_starts_with_the_first_pair(workspace):
    assert (workspace.row, workspace.query) == (1, 0)


def test_moving_stops_at_both_ends(workspace):
    assert not workspace.move(backwards=True)
    assert workspace.move()
    assert workspace.row == 2
    assert workspace.move(backwards=True)
    workspace.go_to(210)
    assert not workspace.move()
    assert workspace.row == 210


def test_a_verdict_moves_on_to_the_next_pair(workspace):
    workspace.judge("cit.")
    workspace.judge("reject")
    assert workspace.row == 3
    assert verdicts(workspace) == ["cit.", "reject"]


def test_a_verdict_does_not_move_on_without_advance(workspace):
    workspace.advance = False
    workspace.judge("cit.")
    assert workspace.row == 1


def test_removing_a_verdict_does_not_move_on(workspace):
    workspace.judge("cit.")
    workspace.go_to(1)
    workspace.judge(None)
    assert (workspace.row, verdicts(workspace)) == (1, [])


def test_unjudged_first_offers_one_after_the_other(workspace):
    workspace.order = "unjudged"
    workspace.begin()
    seen = []
    for _ in range(4):
        seen.append(workspace.row)
        workspace.judge("reject")
    assert seen == [1, 2, 3, 4]
    assert workspace.row == 5


def test_with_only_unjudged_pairs_judging_goes_through_the_text(workspace):
    workspace.narrow(status="unjudged")
    for _ in range(3):
        workspace.judge("cf.")
    assert workspace.row == 4
    assert workspace.results.rows(workspace.wanted)[0] == 4


def test_another_filter_keeps_the_pair_if_possible(workspace):
    workspace.narrow(source_author="Virgil")
    assert workspace.row == 1
    workspace.narrow(source_author="Ovid")
    assert workspace.results.pair(workspace.row).row["source_author"] == "Ovid"
    workspace.narrow(source_author="Nobody")
    assert workspace.row is None
    assert not workspace.move()
    workspace.judge("cit.")
    assert verdicts(workspace) == []


def test_a_pair_that_no_longer_meets_the_filter_is_followed_by_the_next_in_the_text(workspace):
    workspace.narrow(status="unjudged")
    workspace.advance = False
    workspace.go_to(5)
    workspace.judge("reject")
    assert workspace.row == 5
    assert workspace.move()
    assert workspace.row == 6
    workspace.go_to(5)
    assert workspace.move(backwards=True)
    assert workspace.row == 4


def test_a_segment_without_pairs_can_be_read(workspace):
    workspace.narrow(source_author="Ovid")
    workspace.go_to_query(0)
    assert (workspace.query, workspace.row) == (0, None)


def test_undo_goes_where_it_was_done(workspace):
    workspace.judge("cit.")
    workspace.go_to(50)
    assert workspace.undo()
    assert (workspace.row, verdicts(workspace)) == (1, [])
    assert not workspace.undo()


def test_a_note_that_says_the_same_is_not_written_again(workspace):
    assert workspace.write_note("look up", workspace.pair)
    assert not workspace.write_note("look up", workspace.pair)
    assert workspace.undo()
    assert not workspace.undo()


def test_an_order_can_be_reversed(workspace):
    workspace.order, workspace.backwards = "score", True
    workspace.begin()
    rows = workspace.results.rows(order="score", backwards=True)
    scores = [workspace.results.pair(row).row["score"] for row in rows[:5]]
    assert scores == sorted(scores)
    assert workspace.row == rows[0]


def test_a_pair_that_a_search_has_dropped_is_left(workspace):
    workspace.go_to(7)
    workspace.stay_if_there()
    assert workspace.row == 7
    with workspace.project.database.writing() as connection:
        connection.execute("DELETE FROM result WHERE row = 7")
    workspace.stay_if_there()
    assert workspace.row == 1


def test_a_hidden_pair_stays_current_if_it_still_exists(workspace):
    workspace.narrow(status="unjudged")
    workspace.advance = False
    workspace.judge("cit.")
    workspace.stay_if_there()
    assert workspace.row == 1


@pytest.fixture
def disagreed(workspace):
    """Return an adjudication of the third, fifth and seventh pair."""
    judging = Judging(workspace.project)
    for row in range(1, 9):
        pair = workspace.results.pair(row).row
        for reader, verdict in (("Ann", "cit."), ("Bob", "cf." if row in (3, 5, 7) else "cit.")):
            judging.judge(pair["query_id"], pair["source_id"], reader=reader, verdict=verdict)
    return Adjudication(workspace)


def test_adjudication_begins_with_the_first_disagreement(workspace, disagreed):
    assert disagreed.rows() == disagreed.undecided() == [3, 5, 7]
    assert disagreed.begin() == (3, 0)
    assert workspace.row == 3
    assert not disagreed.move(backwards=True)
    assert disagreed.move()
    assert workspace.row == 5
    disagreed.begin()
    assert workspace.row == 5
    assert [one.reader for one in disagreed.judgements()] == ["Ann", "Bob"]


def test_a_decision_moves_on_to_what_is_undecided(workspace, disagreed):
    workspace.go_to(5)
    seen = []
    for _ in range(3):
        seen.append(workspace.row)
        disagreed.decide("cf.")
    assert seen == [5, 7, 3]
    assert (workspace.row, disagreed.undecided()) == (3, [])
    assert disagreed.begin() == (3, 3)
    assert disagreed.rows() == [3, 5, 7]
    assert workspace.undo()
    assert disagreed.undecided() == [3]
    row = workspace.results.pair(5).row
    assert (row["decision"], row["decided_by"], row["verdict"]) == ("cf.", "Ann", "cit.")


def test_a_withdrawn_decision_and_its_note_stay_with_the_pair(workspace, disagreed):
    workspace.go_to(5)
    disagreed.write_note("so")
    assert disagreed.write_note("so be it", continues=True)
    assert not disagreed.write_note("so be it")
    assert (disagreed.decision().verdict, disagreed.decision().note) == (None, "so be it")
    workspace.advance = False
    disagreed.decide("reject")
    disagreed.decide(None)
    assert workspace.row == 5
    assert disagreed.undecided() == [3, 5, 7]


def test_filters_hold_for_disagreements(workspace, disagreed):
    workspace.narrow(status="accepted", best=4)
    assert disagreed.rows() == [3, 7]
    disagreed.begin()
    disagreed.decide("cf.")
    workspace.narrow(status="undecided", best=None)
    assert disagreed.rows() == [5, 7]
    workspace.narrow(status="reject")
    assert disagreed.begin() == (0, 0)
    assert workspace.row is None
    assert disagreed.decision() is None
    disagreed.decide("cf.")


def test_a_blind_reader_forgets_filters_about_others(workspace, disagreed):
    disagreed.decide("cf.")
    assert workspace.results.page(texts=True).rows[0]["decision"] == "cf."
    workspace.wanted = ResultFilter(status="decided", best=3)
    workspace.forget_hidden()
    assert workspace.wanted.status == "decided"
    Judging(workspace.project).set_blind("Ann", on=True)
    workspace.forget_hidden()
    assert workspace.wanted == ResultFilter(best=3)
    assert {row["decision"] for row in workspace.results.page().rows} == {None}
    assert workspace.results.pair(1).row["decided_by"] is None


@pytest.fixture
def guessed(searched):
    with searched.database.writing() as connection:
        connection.execute("UPDATE result SET probability = (row * 37 % 211) / 211.0")
    made = Workspace(searched, "Ann")
    made.choose_search(None)
    return made


def probability(workspace):
    return workspace.results.pair(workspace.row).row["probability"]


def test_with_probabilities_the_most_probable_pairs_are_read_first(guessed):
    assert guessed.order == "probability"
    seen = [probability(guessed)]
    while guessed.move():
        seen.append(probability(guessed))
    assert seen == sorted(seen, reverse=True)
    assert len(seen) == 210
    while guessed.move(backwards=True):
        pass
    assert probability(guessed) == seen[0]


def test_a_chosen_order_stays(guessed):
    guessed.order = "reading"
    guessed.choose_search(None)
    assert (guessed.order, guessed.row) == ("reading", 1)


def test_judging_walks_down_the_probabilities(guessed):
    guessed.narrow(status="unjudged")
    seen = []
    for _ in range(5):
        seen.append(probability(guessed))
        guessed.judge("reject")
    assert seen == sorted(seen, reverse=True)
    assert len(set(seen)) == 5


def test_what_a_search_adds_moves_neither_the_reader_nor_the_list(guessed):
    for _ in range(4):
        guessed.move()
    guessed.freeze(running=True)
    before, position = guessed.row, guessed.position()
    with guessed.project.database.writing() as connection:
        connection.execute(
            "INSERT INTO result (row, search, query, source, rank, score, probability, query_id, "
            "source_id, query_author, query_work, source_author, source_work, shared, alignment, "
            "explanation) SELECT row + 1000, search, query, source, rank + 100, score, 0.999, "
            "query_id || 'x', source_id, query_author, query_work, source_author, source_work, "
            "shared, alignment, explanation FROM result WHERE row <= 12"
        )
    guessed.stay_if_there()
    assert (guessed.row, guessed.position(), guessed.count_new()) == (before, position, 12)
    assert guessed.move()
    assert guessed.position() == position + 1
    guessed.freeze(running=False)
    assert (guessed.position(), guessed.count_new()) == (position + 13, 0)


def test_a_segment_without_pairs_is_not_left_when_others_get_some(workspace):
    with workspace.project.database.writing() as connection:
        connection.execute("DELETE FROM result WHERE query = 9")
    workspace.go_to_query(9)
    assert workspace.stay_if_there()
    assert (workspace.query, workspace.row) == (9, None)


def test_a_note_belongs_to_its_pair_wherever_the_reader_is(workspace):
    pair = workspace.pair
    with workspace.project.database.writing() as connection:
        connection.execute("DELETE FROM result WHERE row = 1")
    assert not workspace.stay_if_there()
    assert workspace.write_note("look up", pair)
    assert [(one.query_id, one.source_id) for one in Judging(workspace.project).all()] == [pair]
