"""A ranking that a project learns from its verdicts."""

import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from locisimiles import ParameterError, read_results
from locisimiles.app.judging import learning
from locisimiles.app.judging.learning import Learning
from locisimiles.app.judging.learnt_ranking import MajorityVerdicts, StoredResults
from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.projects.inputs import use_example
from locisimiles.app.results import ResultFilter, ResultTable
from locisimiles.app.results.exporting import SHIPPED_COLUMN, export_file, stored_results
from locisimiles.app.results.statistics import compute_statistics
from locisimiles.app.search.status import resume_search
from locisimiles.app.storage import schema
from locisimiles.app.storage.sqlite import SqliteStorage
from locisimiles.app.workspace import Workspace
from locisimiles.export import EXPORT_SUFFIXES


def whole(project):
    """Return every result as it is stored, with all its columns."""
    with project.database.reading() as connection:
        return [tuple(row) for row in connection.execute("SELECT * FROM result ORDER BY row")]


def judge_all(project, verdict_of, limit=100, reader="Ann"):
    with project.database.writing() as connection:  # many at once, which `Judging` does not offer
        for row in ResultTable(project.database).page(limit=limit).rows:
            connection.execute(
                "INSERT INTO judgement (query_id, source_id, reader, verdict, time) "
                "VALUES (?, ?, ?, ?, 0) ON CONFLICT (query_id, source_id, reader) "
                "DO UPDATE SET verdict = excluded.verdict",
                [row["query_id"], row["source_id"], reader, verdict_of(row)],
            )


def virgil_only(row):
    return "cit." if row["source_author"] == "Virgil" else "reject"


@pytest.fixture
def project(searched):
    """Return the example with probabilities that say nothing of authors."""
    with searched.database.writing() as connection:
        connection.execute(
            "UPDATE result SET cit = 0.5 / (rank + 1), cf = 0.25 / (rank + 1), "
            "probability = 0.75 / (rank + 1), type = 'cit.'"
        )
    return searched


def test_unjudged_pairs_like_accepted_ones_come_first(project):
    judge_all(project, virgil_only)
    report = Learning(project).learn()
    assert (report.yes + report.no, report.applied, report.helps) == (100, True, True)
    assert report.average_precision[1] > report.average_precision[0]
    assert report.log_loss[1] < report.log_loss[0]
    assert report.new_in_first > 0
    assert ("author", "Virgil") in [
        (kind, name) for kind, name, value in report.effects if value > 0
    ]
    unjudged = (
        ResultTable(project.database, "Ann")
        .page(ResultFilter(status="unjudged"), order="probability")
        .rows
    )
    before = sorted(unjudged, key=lambda row: -row["shipped"])
    accepted = [[virgil_only(row) == "cit." for row in rows[:20]] for rows in (before, unjudged)]
    assert sum(accepted[1]) > sum(accepted[0])


def test_ranks_and_filters_follow_and_what_was_shipped_can_be_seen(project):
    judge_all(project, virgil_only)
    shipped = {
        row["row"]: row["probability"]
        for row in ResultTable(project.database).page(limit=1000).rows
    }
    Learning(project).learn("always")
    found = ResultTable(project.database)
    rows = found.page(limit=1000).rows
    assert {row["row"]: row["shipped"] for row in rows} == shipped
    for position in {row["query"] for row in rows}:
        own = [row for row in rows if row["query"] == position]
        assert [row["rank"] for row in own] == list(range(1, len(own) + 1))
        chances = [row["probability"] for row in own]
        assert chances == sorted(chances, reverse=True)
    wanted = [row["row"] for row in rows if row["probability"] >= 0.5]
    assert found.rows(ResultFilter(least_probability=0.5)) == wanted
    first = found.page(order="informative", limit=1).rows[0]
    assert abs(first["probability"] - 0.5) == min(abs(row["probability"] - 0.5) for row in rows)
    assert compute_statistics(project).measure == "learnt_probability"


def test_undo_brings_back_every_bit(project):
    before = whole(project)
    judge_all(project, virgil_only)
    own = Learning(project)
    own.learn("always")
    once = whole(project)
    assert once != before
    judge_all(project, lambda _: "reject")
    own.learn("always")
    assert whole(project) != once
    assert own.state().steps == 2
    assert own.undo()
    assert whole(project) == once
    assert own.state().report.yes > 0
    assert own.undo()
    assert whole(project) == before
    assert not own.undo()
    assert compute_statistics(project).measure == "probability"


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.sampled_from(["cit.", "cf.", "reject", "unsure"]), min_size=1, max_size=12),
       st.integers(1, 3))  # fmt: skip
def test_the_shipped_ranking_comes_back_whatever_was_judged_and_learnt(project, verdicts, times):
    before, own = whole(project), Learning(project)
    places = iter(range(10_000))
    judge_all(project, lambda _: verdicts[next(places) % len(verdicts)], limit=40)
    for _ in range(times):
        try:
            own.learn("always")
        except ParameterError:
            assert set(verdicts) == {"unsure"}
    assert own.restore() == (set(verdicts) != {"unsure"})
    assert whole(project) == before


def test_a_ranking_that_does_not_help_is_applied_only_on_request(project):
    places = iter(range(1000))
    judge_all(project, lambda _: ("cit.", "reject", "reject")[next(places) % 3])
    before = whole(project)
    report = Learning(project).learn()
    assert (report.helps, report.applied) == (False, False)
    assert whole(project) == before
    assert Learning(project).learn("always").applied
    assert whole(project) != before


@pytest.mark.parametrize("verdict", ["cit.", "reject"])
def test_one_kind_of_verdict_is_too_little_to_tell(project, verdict):
    judge_all(project, lambda _: verdict)
    report = Learning(project).learn()
    assert (report.helps, report.average_precision, report.applied) == (None, None, False)


def test_the_majority_decides_and_ties_are_left_out(project):
    rows = ResultTable(project.database).page(limit=5).rows
    votes = [["cit.", "cf.", "reject"], ["cit.", "reject"], ["unsure", "unsure"],
             ["unsure", "reject"], ["cf."]]  # fmt: skip
    for row, own in zip(rows, votes, strict=True):
        for reader, verdict in enumerate(own):
            Judging(project).judge(
                row["query_id"], row["source_id"], reader=str(reader), verdict=verdict
            )
    Judging(project).judge("elsewhere", "nowhere", reader="0", verdict="cit.")
    Judging(project).judge(rows[0]["query_id"], "x", reader="0", note="no verdict")
    report = Learning(project).learn("never")
    assert (report.yes, report.no, report.left_out, report.elsewhere) == (2, 1, 2, 1)
    with project.database.reading() as connection:
        verdicts = MajorityVerdicts.read(connection, StoredResults.read(connection, 1).key)
    assert dict(zip(verdicts.rows.tolist(), verdicts.label.tolist(), strict=True)) == {
        0: True, 3: False, 4: True,
    }  # fmt: skip


def test_nothing_can_be_learnt_from_nothing(project, searched, projects):
    with pytest.raises(ParameterError, match="no verdicts"):
        Learning(project).learn()
    judge_all(project, lambda _: "unsure")
    with pytest.raises(ParameterError, match="no verdicts"):
        Learning(project).learn("always")
    with searched.database.writing() as connection:
        connection.execute("UPDATE result SET probability = NULL WHERE row = 7")
    with pytest.raises(ParameterError, match="probabilities"):
        Learning(searched).learn()
    with pytest.raises(ParameterError, match="no results yet"):
        Learning(projects.create("empty")).learn()
    with pytest.raises(ParameterError, match="unknown apply 'perhaps'"):
        Learning(project).learn("perhaps")


def test_nothing_is_learnt_while_a_search_runs(project):
    judge_all(project, virgil_only)
    with project.database.writing() as connection:
        connection.execute("UPDATE search SET state = 'running'")
    with pytest.raises(ParameterError, match="a search is running"):
        Learning(project).learn()


def test_results_that_change_meanwhile_are_not_overwritten(project, monkeypatch):
    judge_all(project, virgil_only)

    measure = learning.check_correction

    def slow(*arguments):
        monkeypatch.setattr(learning, "check_correction", measure)
        Learning(project).learn("always")  # another process is faster
        return measure(*arguments)

    monkeypatch.setattr(learning, "check_correction", slow)
    with pytest.raises(ParameterError, match="changed meanwhile"):
        Learning(project).learn("always")
    assert Learning(project).state().steps == 1


def test_a_new_search_has_the_shipped_ranking_and_the_old_one_keeps_its_own(project, search):
    judge_all(project, virgil_only)
    Learning(project).learn("always")
    search(project, k=3)
    state = Learning(project).state()
    assert (state.report, state.was_reset, state.steps) == (None, False, 0)
    assert Learning(project, 1).state().steps == 1
    assert {row["shipped"] for row in ResultTable(project.database).page(limit=1000).rows} == {None}
    assert not Learning(project).undo()


def test_a_resumed_search_ends_a_learnt_ranking(project):
    before = whole(project)
    judge_all(project, virgil_only)
    Learning(project).learn("always")
    with project.database.writing() as connection:
        connection.execute("UPDATE search SET state = 'cancelled', finished_queries = 3")
    assert resume_search(project) is not None
    assert whole(project) == before
    assert Learning(project).state().was_reset


def test_other_texts_keep_a_learnt_ranking(project):
    judge_all(project, virgil_only)
    Learning(project).learn("always")
    before = whole(project)
    use_example(project)
    assert Learning(project).state().steps == 1
    assert whole(project) == before


def test_others_see_that_the_ranking_has_changed(project):
    judge_all(project, virgil_only)
    revisions = [project.revision()]
    Learning(project).learn("always")
    revisions.append(project.revision())
    Learning(project).undo()
    revisions.append(project.revision())
    assert revisions[0].ranking == revisions[2].ranking != revisions[1].ranking
    assert revisions[0][:2] == revisions[1][:2]


def test_reading_continues_in_the_learnt_order_after_a_pair_was_judged(project):
    judge_all(project, virgil_only)
    Learning(project).learn("always")
    workspace = Workspace(project, "Bob")
    workspace.narrow(status="unjudged")
    workspace.advance = False
    order = workspace.results.rows()
    assert order != sorted(order)
    workspace.go_to(order[2])
    workspace.judge("reject")
    assert workspace.move()
    assert workspace.row == order[3]
    workspace.go_to(order[2])
    assert workspace.move(backwards=True)
    assert workspace.row == order[1]


def test_exports_carry_both_probabilities(project, tmp_path):
    judge_all(project, virgil_only)
    plain = export_file(project, ".csv")
    Learning(project).learn("always")
    path = tmp_path / "hits.csv"
    path.write_bytes(export_file(project, ".csv", ResultFilter(best=2)))
    read = read_results(path)
    rows = ResultTable(project.database).page(ResultFilter(best=2), limit=1000).rows
    assert [r.source.id for r in read] == [row["source_id"] for row in rows]
    assert [float(cell) for cell in read.further[SHIPPED_COLUMN]] == pytest.approx(
        [row["shipped"] for row in rows], abs=1e-4
    )
    chances = [r.probabilities for r in read]
    assert [c.reference for c in chances] == pytest.approx(
        [row["probability"] for row in rows], abs=2e-4
    )
    assert all(c.cit == pytest.approx(2 * c.cf, abs=2e-4) for c in chances)  # types stay as likely
    manifest = json.loads(export_file(project, ".json"))["manifest"]
    assert manifest["learnt"]["yes"] + manifest["learnt"]["no"] == 100
    Learning(project).undo()
    assert export_file(project, ".csv") == plain


@pytest.mark.parametrize("suffix", EXPORT_SUFFIXES)
def test_a_learnt_ranking_can_be_written_in_every_format(project, suffix):
    judge_all(project, virgil_only)
    Learning(project).learn("always")
    assert export_file(project, suffix, ResultFilter(best=1))


def test_a_project_of_the_previous_version_is_migrated(tmp_path, monkeypatch):
    monkeypatch.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:1])
    storage = SqliteStorage(tmp_path)
    with ProjectCollection(storage).create("old").database.writing() as connection:
        for row, verdict in enumerate(["cit.", "reject"], start=1):
            connection.execute(
                "INSERT INTO result (query, source, rank, score, probability, cit, cf, type, "
                "query_id, source_id, query_author, query_work, source_author, source_work, "
                "shared, alignment, explanation) VALUES (0, ?, ?, 0.5, 0.5, 0.5, 0, 'cit.', 'q', "
                "?, '', '', 'Virgil', '', '', '[]', '')",
                [row, row, str(row)],
            )
            connection.execute(
                "INSERT INTO judgement (query_id, source_id, reader, verdict, time) "
                "VALUES ('q', ?, '', ?, 0)",
                [str(row), verdict],
            )
    monkeypatch.undo()
    old = ProjectCollection(storage).open("old")
    assert old.revision().ranking == (0, 0)
    assert Learning(old).learn("always").applied
    with old.database.reading() as connection:
        rows = connection.execute("SELECT shipped, shipped_rank FROM result ORDER BY row")
        assert [tuple(row) for row in rows] == [(0.5, 1), (0.5, 2)]


def test_a_pair_with_probability_zero_can_be_exported(project):
    with project.database.writing() as connection:
        connection.execute("UPDATE result SET cit = 0, cf = 0, probability = 0 WHERE row = 1")
    judge_all(project, virgil_only)
    Learning(project).learn("always")
    results = stored_results(project, ResultFilter(query=0))
    assert np.isfinite(results.probabilities).all()


_APPLY_AND_HANG = """
import sys, time
from locisimiles.app.judging import learning
from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.storage import open_storage
put = learning.put_ranking
def hang(*given):
    put(*given)
    print("written, not yet kept", flush=True)
    time.sleep(60)
learning.put_ranking = hang
learning.Learning(ProjectCollection(open_storage()).open(sys.argv[1])).learn("always")
"""


def test_a_kill_in_the_middle_leaves_the_ranking_as_it_was(project):
    judge_all(project, virgil_only)
    before = whole(project)
    process = subprocess.Popen(
        [sys.executable, "-c", _APPLY_AND_HANG, project.id],
        stdout=subprocess.PIPE,
        env={**os.environ, **project.database.storage.environment()},
    )
    assert process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    again = ProjectCollection(project.database.storage).open(project.id)
    assert whole(again) == before
    assert Learning(again).state().report is None
    assert Learning(again).learn("always").applied
