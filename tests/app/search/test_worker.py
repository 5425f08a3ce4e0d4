"""The process that searches, and those that start it."""

import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from locisimiles import BM25, ParameterError
from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.projects.inputs import add_file, use_example
from locisimiles.app.results import ResultTable
from locisimiles.app.results.exporting import stored_results
from locisimiles.app.search import parameters
from locisimiles.app.search import status as status_module
from locisimiles.app.search import worker as searching
from locisimiles.app.search.jobs import Jobs
from locisimiles.app.search.parameters import SearchParameters
from locisimiles.app.search.status import (
    cancel_search,
    fail_search,
    request_search,
    resume_search,
    search_status,
)
from locisimiles.app.search.worker import Lost, SearchRun
from locisimiles.app.storage.tables.searches import add_search, find_search
from locisimiles.classify.selection import Selection
from locisimiles.messages import Message
from locisimiles.models.identity import model_sha256
from locisimiles.models.onnx_encoder import OnnxEncoder
from locisimiles.pipeline import Pipeline, Searcher
from locisimiles.retrieve.combined.weights import CombinedWeights

only_sqlite = pytest.mark.parametrize("storage", ["sqlite"], indirect=True)
"""For what is slow, and is the same wherever projects are."""


def everything(project):
    with project.database.reading() as connection:
        return [tuple(row) for row in connection.execute("SELECT * FROM result ORDER BY row")]


def wait(project, until, seconds=60):
    end = time.monotonic() + seconds
    while not until(status := search_status(project)):
        assert time.monotonic() < end, status
        time.sleep(0.05)
    return status


@pytest.fixture
def many(projects):
    """Return a project that takes a while: 400 query segments, many blocks."""
    project = projects.create("many")
    line = "haesit uox faucibus numero {} et omnia tuta timeo.\n"
    add_file(project, "query", "q.txt", "".join(map(line.format, range(400))).encode())
    add_file(project, "source", "s.txt", "".join(map(line.format, range(300))).encode())
    return project


def count_queries(monkeypatch, counts):
    """Note the size of each block that is searched."""
    search = Searcher.block

    def counted(self, query, begin, end):
        counts.append(end - begin)
        return search(self, query, begin, end)

    monkeypatch.setattr(Searcher, "block", counted)


@pytest.fixture
def jobs():
    made = Jobs()
    yield made
    made.close()


def test_blocks_find_what_one_block_finds(searched, projects, search, monkeypatch):
    monkeypatch.setattr(searching, "BLOCK", 5)
    other = projects.create("other")
    use_example(other)
    search(other)
    assert everything(other) == everything(searched)


@only_sqlite
def test_the_default_method_finds_the_same_in_blocks(
    projects, search, monkeypatch, tiny_latin, tmp_path
):
    found = []
    weights = tmp_path / "weights.json"
    sha256 = model_sha256(OnnxEncoder(tiny_latin))
    replace(CombinedWeights.shipped(), encoder_sha256=sha256).save(weights)
    settings = {"model": str(tiny_latin), "weights": str(weights)}
    monkeypatch.setattr(parameters, "SETTINGS", settings)
    for block in (64, 5):
        monkeypatch.setattr(searching, "BLOCK", block)
        project = projects.create("default")
        use_example(project)
        search(project, method="default", settings=settings)
        found.append(everything(project))
    assert found[0] == found[1]


def test_a_stopped_search_resumes_where_it_stopped(searched, projects, monkeypatch):
    monkeypatch.setattr(searching, "BLOCK", 5)
    monkeypatch.setattr(searching, "_FIRST_BLOCK", 5)
    project = projects.create("stopped")
    use_example(project)
    number = request_search(project, SearchParameters(method="bm25", k=5))
    kept = SearchRun._keep

    def keep_some(self, rows, finished, *more):
        if finished > 20:
            raise KeyboardInterrupt  # as a power cut would, it says nothing to the project
        kept(self, rows, finished, *more)

    monkeypatch.setattr(SearchRun, "_keep", keep_some)
    with pytest.raises(KeyboardInterrupt):
        SearchRun(project, number).run()
    status = search_status(project)
    assert (status.state, status.finished_queries) == ("running", 20)
    monkeypatch.setattr(SearchRun, "_keep", kept)
    monkeypatch.setattr(searching, "_DEAD_AFTER_S", 0.2)
    asked = []
    count_queries(monkeypatch, asked)
    SearchRun(project, number).run()
    assert sum(asked) == 42 - 20
    assert everything(project) == everything(searched)
    assert search_status(project).state == "done"


@only_sqlite
def test_probabilities_are_stored(project, search, monkeypatch):
    use_example(project)
    search_block = Searcher.block

    def judged(self, query, begin, end):
        results = search_block(self, query, begin, end)
        thoughts = np.tile(np.array([0.25, 0.25, 0.5], np.float32), (len(results), 1))
        return replace(results, probabilities=thoughts)

    monkeypatch.setattr(Searcher, "block", judged)
    search(project)
    row = ResultTable(project.database).page(limit=1).rows[0]
    assert (row["probability"], row["type"]) == (0.75, "cf.")
    assert stored_results(project).probabilities[0].tolist() == [0.25, 0.25, 0.5]


def test_the_manifest_names_the_whole_query(searched):
    manifest = stored_results(searched).manifest
    assert manifest["query"]["sha256"] == searched.document("query").fingerprint()
    assert manifest["retriever"] == dict(BM25().parameters())


def test_a_cancelled_search_does_nothing_more(project):
    use_example(project)
    number = request_search(project, SearchParameters(method="bm25"))
    cancel_search(project)
    with pytest.raises(Lost):
        SearchRun(project, number).run()


def test_a_search_of_another_live_process_is_left_alone(project, monkeypatch):
    monkeypatch.setattr(searching, "_BEAT_S", 0.05)
    use_example(project)
    number = request_search(project, SearchParameters(method="bm25"))
    first, second = SearchRun(project, number), SearchRun(project, number)
    begun, over = threading.Event(), threading.Event()
    monkeypatch.setattr(first, "_search", lambda *_: (begun.set(), over.wait(60)), raising=True)
    thread = threading.Thread(target=first.run)
    thread.start()
    begun.wait(60)
    try:
        with pytest.raises(Lost):
            second.run()
        assert search_status(project).state == "running"
    finally:
        over.set()
        thread.join()
    assert search_status(project).state == "done"


def test_a_new_search_replaces_the_old_one_and_keeps_judgements(searched, search):
    Judging(searched).judge(
        "hier. epist. 130.5.5.3", "verg. aen. 2.774.1", reader="", verdict="cf."
    )
    search(searched, k=2)
    page = ResultTable(searched.database).page(limit=1000)
    assert max(row["rank"] for row in page.rows) == 2
    assert page.rows[0]["verdict"] == "cf."


@only_sqlite
def test_a_job_searches_in_a_process_of_its_own(searched, projects, jobs):
    project = projects.create("process")
    use_example(project)
    jobs.start(project, SearchParameters(method="bm25", k=5))
    assert wait(project, lambda s: not s.is_busy).state == "done"
    assert everything(project) == everything(searched)


def test_a_job_can_be_cancelled_and_resumed(many, jobs):
    jobs.start(many, SearchParameters(method="bm25", k=3))
    wait(many, lambda s: s.finished_queries > 0)
    jobs.cancel(many)
    status = search_status(many)
    assert status.state == "cancelled"
    assert 0 < status.finished_queries < 400
    assert status.can_resume
    assert jobs.resume(many)
    status = wait(many, lambda s: not s.is_busy)
    assert (status.state, status.finished_queries, status.message) == ("done", 400, None)
    with many.database.reading() as connection:
        assert connection.execute("SELECT COUNT(DISTINCT query) FROM result").fetchone()[0] == 400


@only_sqlite
def test_a_search_resumed_before_its_process_has_ended_continues(many, jobs, monkeypatch):
    monkeypatch.setattr("locisimiles.app.search.jobs._end", lambda process: process.terminate())
    jobs.start(many, SearchParameters(method="bm25", k=3))
    wait(many, lambda s: s.finished_queries > 0)
    jobs.cancel(many)
    assert jobs.resume(many)
    status = wait(many, lambda s: not s.is_busy)
    assert (status.state, status.finished_queries, status.message) == ("done", 400, None)


def test_a_search_resumed_just_when_its_process_ends_does_not_fail(many, jobs, monkeypatch):
    """As if a process ended between being taken up again and waiting for its turn."""
    resume = status_module.resume_search

    def slowly(project, number):
        number = resume(project, number)
        for process in list(jobs._running.values()):
            process.kill()
            process.wait()
        time.sleep(0.3)  # the thread that watches it has time to do harm
        return number

    jobs.start(many, SearchParameters(method="bm25", k=3))
    wait(many, lambda s: s.finished_queries > 0)
    cancel_search(many)
    monkeypatch.setattr(status_module, "resume_search", slowly)
    assert jobs.resume(many)
    status = wait(many, lambda s: not s.is_busy)
    assert (status.state, status.message) == ("done", None)


def test_a_search_resumed_while_its_end_is_noticed_continues(many, jobs, monkeypatch):
    fail = status_module.fail_search

    def slowly(*arguments):
        time.sleep(0.5)
        fail(*arguments)

    monkeypatch.setattr(status_module, "fail_search", slowly)
    jobs.start(many, SearchParameters(method="bm25", k=3))
    wait(many, lambda s: s.finished_queries > 0)
    jobs.cancel(many)
    assert jobs.resume(many)
    assert wait(many, lambda s: not s.is_busy).state == "done"


@only_sqlite
def test_a_killed_process_loses_nothing(many, jobs):
    jobs.start(many, SearchParameters(method="bm25", k=3))
    wait(many, lambda s: s.finished_queries > 0)
    (process,) = jobs._running.values()
    process.kill()
    status = wait(many, lambda s: not s.is_busy)
    assert status.state == "failed"
    assert status.message == Message("app.search_ended")
    assert jobs.resume(many)
    assert wait(many, lambda s: not s.is_busy).state == "done"


@only_sqlite
def test_after_a_crash_of_the_app_the_search_resumes(many):
    first = Jobs()
    first.start(many, SearchParameters(method="bm25", k=3))
    wait(many, lambda s: s.finished_queries > 0)
    first.close()  # the project still says that the search is under way, as after a crash
    assert search_status(many).is_busy
    second = Jobs()
    try:
        assert second.resume_interrupted([many]) == 1
        assert wait(many, lambda s: not s.is_busy).state == "done"
    finally:
        second.close()


@only_sqlite
def test_the_reason_of_a_failed_search_is_stored(project, jobs):
    use_example(project)
    with project.database.writing() as connection:  # as a newer version may have stored it
        add_search(connection, SearchParameters(settings={"magic": "1"}).as_json())
    jobs.resume(project)
    status = wait(project, lambda s: not s.is_busy)
    assert status.state == "failed"
    assert "„magic“" in status.message.text("de")


@only_sqlite
@pytest.mark.parametrize(
    "wrong",
    [{"method": "magic"}, {"k": 0}, {"k": 100_000}, {"lemmatizer": "hub:x"},
     {"method": "bm25", "settings": {"colour": "red"}}, {"budget": 0}, {"budget": 2.5},
     {"precision": 80}, {"threshold": float("nan")}, {"budget": 9, "precision": 0.5}],
)  # fmt: skip
def test_wrong_parameters_are_refused_at_once(project, wrong):
    use_example(project)
    with pytest.raises(ParameterError):
        request_search(project, SearchParameters(**wrong))


def test_without_texts_there_is_no_search(project):
    with pytest.raises(ParameterError, match="no text to examine"):
        request_search(project, SearchParameters())


def test_two_searches_at_a_time_are_refused(project):
    use_example(project)
    request_search(project, SearchParameters(method="bm25"))
    with pytest.raises(ParameterError, match="a search is running"):
        request_search(project, SearchParameters(method="bm25"))
    with pytest.raises(ParameterError, match="a search is running"):
        add_file(project, "query", "a.txt", b"arma")


SELECTIONS = [{"budget": 50}, {"budget": 10_000}, {"precision": 0.75}, {"threshold": 0.72}, {}]


@pytest.mark.parametrize("block", [5, 64])
@pytest.mark.parametrize("selection", SELECTIONS)
def test_a_selection_is_made_from_the_whole_result(  # noqa: PLR0917
    project, search, monkeypatch, guessing, selection, block
):
    monkeypatch.setattr(searching, "BLOCK", block)
    use_example(project)
    search(project, **selection)
    whole = Pipeline(BM25(), k=5, classifier=guessing, selection=Selection(**selection)).run(
        query=project.document("query"), source=project.document("source")
    )
    found = stored_results(project)
    assert found.candidates.query.tolist() == whole.candidates.query.tolist()
    assert found.candidates.source.tolist() == whole.candidates.source.tolist()
    assert len(found) < 210 or selection in ({}, {"budget": 10_000})
    for name in ("references", "selection"):
        assert found.manifest.get(name) == whole.manifest.get(name)
    expected = search_status(project).references
    assert expected.as_dict() == whole.manifest["references"]
    assert expected.low < expected.expected < expected.high
    rows = ResultTable(project.database).page(limit=1000).rows
    ranks = [(row["query"], row["rank"]) for row in rows]
    assert all((query, rank - 1) in ranks for query, rank in ranks if rank > 1)


@pytest.mark.parametrize("selection", [{}, {"precision": 0.3}, {"threshold": 0.2}])
def test_probabilities_are_adapted_as_by_a_pipeline(project, search, adapting, selection):
    use_example(project)
    search(project, **selection)
    whole = Pipeline(BM25(), k=5, classifier=adapting, selection=Selection(**selection)).run(
        query=project.document("query"), source=project.document("source")
    )
    found = stored_results(project)
    assert 0 < len(found) == len(whole)
    assert found.candidates.source.tolist() == whole.candidates.source.tolist()
    assert found.probabilities == pytest.approx(whole.probabilities, abs=1e-6)
    if "threshold" in selection:  # segments whose pairs were dropped early count as hopeless
        return
    for name in ("references", "base_rate"):
        assert found.manifest[name] == whole.manifest[name]


def test_adapted_probabilities_are_the_classifiers_again_when_a_text_grows(
    project, search, adapting
):
    use_example(project)
    search(project)
    add_file(project, "query", "more.txt", b"Arma uirumque cano. Nihil aliud dixit.")
    search(project)
    reused = everything(project)
    with project.database.reading() as connection:
        assert find_search(connection, 2)["reuses"] == 1
    whole = Pipeline(BM25(), k=5, classifier=adapting).run(
        query=project.document("query"), source=project.document("source")
    )
    found = stored_results(project)
    assert len(reused) > len(found)
    assert found.probabilities == pytest.approx(whole.probabilities, abs=1e-6)
    assert found.manifest["base_rate"] == whole.manifest["base_rate"]


@pytest.mark.usefixtures("guessing")
def test_a_search_stopped_before_the_selection_is_selected_when_resumed(project, monkeypatch):
    monkeypatch.setattr(searching, "BLOCK", 5)
    monkeypatch.setattr(searching, "_DEAD_AFTER_S", 0.2)
    use_example(project)
    number = request_search(project, SearchParameters(method="bm25", k=5, budget=30))

    def crash(self, parameters):  # noqa: ARG001
        raise KeyboardInterrupt  # all blocks are kept, the end is not

    finish = SearchRun._finish
    monkeypatch.setattr(SearchRun, "_finish", crash)
    with pytest.raises(KeyboardInterrupt):
        SearchRun(project, number).run()
    status = search_status(project)
    assert (status.state, status.finished_queries, status.references) == ("running", 42, None)
    assert status.is_provisional
    assert ResultTable(project.database).count() > 30
    monkeypatch.setattr(SearchRun, "_finish", finish)
    SearchRun(project, number).run()
    status = search_status(project)
    assert (status.state, status.is_provisional) == ("done", False)
    assert ResultTable(project.database).count() == status.references.pairs == 30


@pytest.mark.usefixtures("guessing")
def test_a_search_cancelled_at_its_end_is_selected_when_resumed(project, monkeypatch):
    use_example(project)
    number = request_search(project, SearchParameters(method="bm25", k=5, budget=30))
    finish = SearchRun._finish

    def cancel_first(self, parameters):
        cancel_search(project)
        finish(self, parameters)

    monkeypatch.setattr(SearchRun, "_finish", cancel_first)
    with pytest.raises(Lost):
        SearchRun(project, number).run()
    assert search_status(project).state == "cancelled"
    assert ResultTable(project.database).count() > 30
    monkeypatch.setattr(SearchRun, "_finish", finish)
    assert search_status(project).can_resume
    resume_search(project)
    SearchRun(project, number).run()
    assert search_status(project).state == "done"
    assert ResultTable(project.database).count() == 30


def test_one_progress_over_all_phases_is_stored(project, monkeypatch):
    use_example(project)
    number = request_search(project, SearchParameters(method="bm25", k=1))
    told = []
    change = SearchRun._change

    def noting(self, connection, **columns):
        change(self, connection, **columns)
        told.append((columns.get("task"), columns.get("share")))

    monkeypatch.setattr(SearchRun, "_change", noting)
    SearchRun(project, number).run()
    shares = [share for _, share in told if share is not None]
    assert {"preparing", "searching"} <= {task for task, _ in told}
    assert shares == sorted(shares)
    assert 0 < shares[-2] < shares[-1] == 1.0
    assert search_status(project).share == 1.0


def test_blocks_grow_until_they_take_long(project, search, monkeypatch):
    use_example(project)
    asked = []
    count_queries(monkeypatch, asked)
    monkeypatch.setattr(searching, "_LONG_S", 1000.0)
    search(project)
    monkeypatch.setattr(searching, "_LONG_S", 0.0)
    search(project)
    assert asked == [4, 8, 16, 14, *[4] * 10, 2]


@pytest.mark.usefixtures("guessing")
def test_an_expectation_of_the_last_block_only_is_ignored(project, search):
    use_example(project)
    search(project)
    assert search_status(project).references.pairs == 210
    with project.database.writing() as connection:
        connection.execute("DELETE FROM result WHERE row = 1")
    assert search_status(project).references is None


def test_a_failed_search_keeps_its_own_texts(project):
    use_example(project)
    number = request_search(project, SearchParameters(method="bm25", k=5))
    with project.database.writing() as connection:
        connection.execute("UPDATE search SET finished_queries = 30")
    fail_search(project, number, Message("app.search_ended"))
    add_file(project, "query", "other.txt", b"haesit uox faucibus.\nomnia tuta timeo.\n")
    status = search_status(project)
    assert (status.state, status.finished_queries, status.can_resume) == ("failed", 30, True)
    assert status.queries == project.texts.count("query") - 2


def test_only_results_selected_at_the_end_are_provisional(project):
    use_example(project)
    for cut, provisional in (({}, False), ({"threshold": 0.5}, False), ({"precision": 0.5}, True)):
        request_search(project, SearchParameters(method="bm25", **cut))
        assert search_status(project).is_provisional == provisional
        cancel_search(project)


def test_a_selection_adds_a_classifier_to_any_method():
    assert SearchParameters(method="bm25").pipeline().classifier is None
    assert SearchParameters(method="bm25", threshold=0.5).pipeline().classifier is not None
