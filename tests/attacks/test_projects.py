"""Project files from elsewhere: names that lead out of folders, scripts, triggers, views."""

import shutil
import sqlite3
from contextlib import closing, suppress

import pytest

from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.projects.inputs import add_file, remove_input, use_example
from locisimiles.app.projects.project import SIDES
from locisimiles.app.results import ResultTable
from locisimiles.app.results.exporting import stored_results
from locisimiles.app.search import jobs as jobs_module
from locisimiles.app.search.jobs import Jobs
from locisimiles.app.search.parameters import SearchParameters
from locisimiles.app.search.status import request_search, search_status
from locisimiles.app.search.worker import SearchRun
from locisimiles.app.storage import sqlite
from locisimiles.app.storage.tables.searches import sign_search
from locisimiles.app.ui.markup import candidate
from locisimiles.app.ui.translator import Translator
from locisimiles.errors import InputError, LocisimilesError
from locisimiles.export import write_results

SCRIPT = "<img src=x onerror=alert(1)>"


@pytest.fixture
def collection(tmp_path, monkeypatch):
    monkeypatch.setenv("LOCISIMILES_DATA", str(tmp_path / "data"))
    return ProjectCollection(tmp_path / "projects")


@pytest.fixture(scope="module")
def searched(tmp_path_factory):
    """Return the file of a project that was searched."""
    project = ProjectCollection(tmp_path_factory.mktemp("sent")).create("Received")
    use_example(project)
    SearchRun(project, request_search(project, SearchParameters(method="bm25", k=3))).run()
    with closing(sqlite3.connect(project.database.path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return project.database.path


@pytest.fixture
def received(collection, searched, tmp_path):
    """Return a project that someone else searched, and what changes its file as they like."""
    shutil.copy(searched, tmp_path / "projects")
    project = collection.open("received")
    with project.database.writing() as connection:
        sign_search(connection, 1, project.database.storage.sign)

    def change(*statements, writable_schema=False):
        with closing(sqlite3.connect(project.database.path)) as connection:
            if writable_schema:
                connection.execute("PRAGMA writable_schema = ON")
            connection.execute("PRAGMA ignore_check_constraints = ON")
            for statement in statements:
                connection.execute(statement)
            connection.commit()
        # As a program does that sees the file for the first time.
        sqlite.forget_checks()

    return project, change


def _loosened(table):
    """Return the statement that makes a table take values of any type, by force."""
    return (
        "UPDATE sqlite_schema SET sql = replace(replace(sql, ') STRICT, WITHOUT', ') WITHOUT'), "
        f"') STRICT', ')') WHERE name = '{table}'"
    )


@pytest.mark.parametrize(
    "name",
    ["../../../evil.csv", "/evil.csv", "..", "a/../../evil.csv", "..\\evil.csv", ".bashrc", ""],
)
def test_a_name_in_a_project_leads_to_no_other_folder(collection, received, tmp_path, name):
    project, change = received
    outside = tmp_path / "evil.csv"
    stored = str(outside) if name.startswith("/") else name
    change(
        "INSERT INTO input (side, kind, name, content) "
        f"VALUES ('query', 'file', '{stored}', CAST('id,text' AS BLOB))"
    )
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(LocisimilesError):
        add_file(collection.open(project.id), "query", "a.csv", b"id,text\nx,arma\n")
    after = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert {path.name for path in after - before} <= {"received.sqlite-wal", "received.sqlite-shm"}
    assert not outside.exists()


def test_such_an_input_can_be_removed(collection, received):
    project, change = received
    change("INSERT INTO input (side, kind, name, content) VALUES ('query', 'file', '../x', x'61')")
    again = collection.open(project.id)
    remove_input(again, "query", "../x")
    assert [one.name for one in again.texts.inputs("query")] == ["example-query.csv"]


@pytest.mark.parametrize("column", ["rank", "score", "probability", "cit"])
def test_text_in_a_column_of_numbers_is_refused(collection, received, column):
    project, change = received
    change(_loosened("result"), "PRAGMA writable_schema = RESET", writable_schema=True)
    with closing(sqlite3.connect(project.database.path)) as connection:
        loose = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'result'")
        assert "STRICT" not in loose.fetchone()[0]
        connection.execute(f"UPDATE result SET {column} = ? WHERE row = 1", [SCRIPT])
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_schema SET sql = sql || ' STRICT' WHERE name = 'result'")
        connection.commit()
    sqlite.forget_checks()
    with pytest.raises(InputError):
        collection.open(project.id)


@pytest.mark.parametrize("name", ["rank", "row", "type", "note", "verdict", "source_author"])
def test_no_value_of_a_row_becomes_markup(received, name):
    project, _ = received
    row = {
        "verdict": None, "note": "", "decision": None,
        **ResultTable(project.database, "").page(texts=True).rows[0],
        "probability": 0.5,
    }  # fmt: skip
    try:
        shown = candidate({**row, name: SCRIPT}, translate=Translator("en"))
    except (ValueError, KeyError):
        return  # no number, no verdict
    assert "<img" not in shown


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER gone AFTER INSERT ON judgement BEGIN DELETE FROM judgement; END",
        "CREATE VIEW more AS SELECT 1",
        "CREATE TABLE more (a TEXT)",
        "CREATE INDEX more ON result (abs(score))",
        "CREATE VIRTUAL TABLE more USING fts5(a)",
        "DROP INDEX result_by_pair",
        "ALTER TABLE setting ADD COLUMN more TEXT AS (hex(randomblob(1000000000)))",
    ],
)
def test_tables_of_others_are_refused(collection, received, statement):
    project, change = received
    try:
        change(statement)
    except sqlite3.OperationalError:
        pytest.skip("this SQLite cannot do it")
    with pytest.raises(InputError, match="tables"):
        collection.open(project.id)


@pytest.mark.usefixtures("must_end")
def test_an_endless_view_does_not_keep_the_list_of_projects(collection, received):
    _, change = received
    collection.create("Mine")
    endless = (
        "CREATE VIEW setting AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
        "SELECT 'title' AS name, max(i) AS value FROM n"
    )
    change("DROP TABLE setting", endless)
    assert [entry.title for entry in collection.all()] == ["Mine"]


def test_a_project_of_an_earlier_version_is_checked_before_it_is_changed(tmp_path, monkeypatch):
    from locisimiles.app.storage import schema

    migrations = schema.MIGRATIONS
    monkeypatch.setattr(schema, "MIGRATIONS", migrations[:3])
    project = ProjectCollection(tmp_path).create("Old")
    with closing(sqlite3.connect(project.database.path)) as connection:
        connection.execute(
            "CREATE TRIGGER t BEFORE DELETE ON search BEGIN UPDATE setting SET value = 'x'; END"
        )
        connection.commit()
    monkeypatch.setattr(schema, "MIGRATIONS", migrations)
    sqlite.forget_checks()
    with pytest.raises(InputError, match="tables"):
        ProjectCollection(tmp_path).open(project.id)


def test_a_script_among_old_values_stops_the_migration(tmp_path, monkeypatch):
    from locisimiles.app.storage import schema

    migrations = schema.MIGRATIONS
    monkeypatch.setattr(schema, "MIGRATIONS", migrations[:9])
    project = ProjectCollection(tmp_path).create("Old")
    with project.database.writing() as connection:
        connection.execute(
            "INSERT INTO learning (time, state, report, correction) VALUES (?, 'reset', '', '')",
            [SCRIPT],
        )
    monkeypatch.setattr(schema, "MIGRATIONS", migrations)
    with pytest.raises(InputError):
        ProjectCollection(tmp_path).open(project.id)


@pytest.mark.parametrize("state", ["waiting", "running"])
def test_a_search_from_elsewhere_does_not_start_by_itself(collection, received, monkeypatch, state):
    project, change = received
    started = []
    monkeypatch.setattr(jobs_module.subprocess, "Popen", lambda *a, **_: started.append(a))
    change(
        f"UPDATE search SET state = '{state}', parameters = "
        """'{"method": "default", "settings": {"weights": "/dev/zero"}}'"""
    )
    jobs = Jobs()
    assert jobs.resume_interrupted([collection.open(project.id)]) == 0
    assert started == []
    with collection.open(project.id).database.reading() as connection:
        row = connection.execute("SELECT state, message FROM search").fetchone()
    assert row["state"] == "cancelled"
    assert "app.search_from_elsewhere" in row["message"]


def test_a_search_of_another_installation_waits_for_its_user(
    collection, received, tmp_path, monkeypatch
):
    project, change = received
    change("UPDATE search SET state = 'running'")
    monkeypatch.setenv("LOCISIMILES_DATA", str(tmp_path / "another machine"))
    assert Jobs().resume_interrupted([collection.open(project.id)]) == 0
    status = search_status(project)
    assert (status.state, status.can_resume) == ("cancelled", True)


def test_our_own_search_goes_on(collection, received, monkeypatch):
    project, change = received
    change("UPDATE search SET state = 'running'")
    resumed = []
    monkeypatch.setattr(Jobs, "resume", lambda *given: resumed.append(given[2]) or True)
    assert Jobs().resume_interrupted([collection.open(project.id)]) == 1
    assert resumed == [1]


def test_one_bad_project_does_not_keep_others_from_going_on(collection, received, monkeypatch):
    project, change = received
    change("UPDATE search SET state = 'running'")
    good = collection.open(project.id)
    bad = collection.create("Bad")
    with bad.database.writing() as connection:
        connection.execute(
            "INSERT INTO search (parameters, state, created) VALUES ('[', 'running', 0)"
        )
    monkeypatch.setattr(Jobs, "resume", lambda *_: True)
    assert Jobs().resume_interrupted([bad, good]) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE result SET score = 9e999",
        "UPDATE result SET probability = -1",
        "UPDATE result SET probability = 7.5",
        "UPDATE result SET alignment = '{'",
        "UPDATE segment SET meta = '['",
        "UPDATE search SET manifest = 'x'",
        "UPDATE search SET parameters = 'x'",
        "UPDATE result SET query = -1 WHERE row = 1",
        "UPDATE search SET state = 'odd'",
        "INSERT OR REPLACE INTO setting VALUES ('reading', '[')",
    ],
)
def test_values_that_we_never_write_are_refused(collection, received, statement):
    project, change = received
    change(statement)
    with pytest.raises(InputError, match=r"damaged|tables"):
        collection.open(project.id)


def test_a_text_of_broken_letters_is_an_error_of_ours(collection, received):
    project, change = received
    change("UPDATE segment SET text = CAST(x'ff' AS TEXT)")
    with pytest.raises(InputError, match="damaged"):
        collection.open(project.id).document("query")


@pytest.mark.parametrize(
    "statement",
    [
        """INSERT OR REPLACE INTO setting VALUES ('reading', '{"segmentation": "odd"}')""",
        """INSERT OR REPLACE INTO setting VALUES ('reading', '{"stray": 1}')""",
        "INSERT OR REPLACE INTO setting VALUES ('reading', '7')",
        "INSERT OR REPLACE INTO setting VALUES ('facts_query', '[1]')",
        """INSERT OR REPLACE INTO setting VALUES ('facts_query', '{"a.csv": {"author": 7}}')""",
        """INSERT OR REPLACE INTO setting VALUES ('facts_query', '{"a.csv": 7}')""",
        "UPDATE result SET alignment = '7'",
        "UPDATE result SET alignment = '[[1, 2]]'",
        """UPDATE result SET alignment = '[["a", 1, 2, 3, "form"]]'""",
        "UPDATE search SET manifest = '[]'",
        """UPDATE search SET manifest = '{"references": {"odd": 1}}'""",
        "UPDATE segment SET meta = '7'",
        "UPDATE segment SET marks = 'x'",
        "UPDATE segment SET marks = '9999999:x'",
        "INSERT INTO remark VALUES ('query', 9, '[{}]')",
        "INSERT INTO remark VALUES ('query', 9, '7')",
        """INSERT INTO remark VALUES ('query', 9, '[{"code": "no.such"}]')""",
        "UPDATE search SET message = '[7]'",
        "INSERT INTO setting VALUES ('blind:Ann', '[1, 2, 3]')",
        "INSERT INTO setting VALUES ('blind:Ann', '{}')",
    ],
)
def test_values_of_another_shape_are_errors_of_ours(collection, received, statement):
    project, change = received
    change(statement)
    with suppress(LocisimilesError):
        opened = collection.open(project.id)
        for side in SIDES:
            for message in opened.texts.remarks(side):
                message.text("de")
            with suppress(LocisimilesError):
                opened.document(side)
        with suppress(LocisimilesError):
            status = search_status(opened)
            assert status is None or not status.message or status.message.text("fr")
        with suppress(LocisimilesError):
            ResultTable(opened.database, "Ann").count()
        with suppress(LocisimilesError):
            for row in ResultTable(opened.database, "").page(texts=True).rows:
                pair = ResultTable(opened.database, "").pair(row["row"])
                assert candidate({**row, "decision": None}, translate=Translator(), pair=pair)
        add_file(opened, "query", "b.csv", b"id,text\nx,arma\n")


@pytest.mark.parametrize("length", [10, 100, 5000, 20_000])
def test_a_file_cut_short_is_an_error_of_ours(collection, received, length):
    project, _ = received
    with closing(sqlite3.connect(project.database.path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path = project.database.path
    path.write_bytes(path.read_bytes()[:length])
    sqlite.forget_checks()
    with pytest.raises(InputError):
        collection.open(project.id)


@pytest.mark.parametrize("page", range(1, 40, 3))
def test_a_damaged_page_is_an_error_of_ours(collection, received, page):
    project, _ = received
    with closing(sqlite3.connect(project.database.path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode = DELETE")
    path = project.database.path
    data = bytearray(path.read_bytes())
    data[page * 4096 : page * 4096 + 200] = b"\xa5" * 200
    path.write_bytes(data)
    sqlite.forget_checks()
    with suppress(LocisimilesError):  # a page may be free
        opened = collection.open(project.id)
        ResultTable(opened.database, "").page(texts=True)
        opened.document("query")


def test_a_page_damaged_while_the_project_is_open_is_an_error_of_ours(collection, received):
    project, _ = received
    opened = collection.open(project.id)
    with closing(sqlite3.connect(opened.database.path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with opened.database.path.open("r+b") as stream:
        stream.seek(4096)
        stream.write(b"\xa5" * 4096 * 60)
    with pytest.raises(LocisimilesError):
        opened.document("source")


PARALLEL = {
    "each beneath the next": "(SELECT b.source_id FROM result b WHERE b.query = result.query "
    "AND b.search = result.search AND b.rank = result.rank % 3 + 1)",
    "all beneath none": "'nobody'",
    "all beneath a script": f"'{SCRIPT}'",
    "all beneath the last": "(SELECT b.source_id FROM result b WHERE b.query = result.query "
    "AND b.search = result.search AND b.rank = 3)",
    "beneath a source of another segment": "(SELECT source_id FROM result WHERE row = 1)",
    "beneath a million letters": "CAST(zeroblob(1000000) AS TEXT)",
}


@pytest.mark.parametrize("name", PARALLEL)
def test_no_result_vanishes_beneath_others(collection, received, name):
    project, change = received
    expected = [row["row"] for row in ResultTable(project.database, "").page().rows]
    change(f"UPDATE result SET parallel_to = {PARALLEL[name]} WHERE source_id != {PARALLEL[name]}")
    opened = collection.open(project.id)
    table = ResultTable(opened.database, "")
    rows = table.page(texts=True).rows
    assert [row["row"] for row in rows] == expected
    assert any(row["parallel_to"] for row in rows)
    for row in rows:
        assert "<img" not in candidate({**row, "decision": None}, translate=Translator())
    results = stored_results(opened)
    assert len(results) == table.count()
    for suffix in (".csv", ".html", ".xml", ".graphml"):
        path = opened.database.path.with_suffix(suffix)
        write_results(results, path)
        assert b"<img src=x" not in path.read_bytes() or suffix == ".csv"


def test_a_result_beneath_itself_is_refused(collection, received):
    project, change = received
    change("UPDATE result SET parallel_to = source_id WHERE row = 1")
    with pytest.raises(InputError, match="damaged"):
        collection.open(project.id)
