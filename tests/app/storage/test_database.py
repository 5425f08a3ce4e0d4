"""What every store of projects can do."""

import threading

import pytest

from locisimiles import InputError, LocisimilesError
from locisimiles.app.storage import schema as module
from locisimiles.app.storage.schema import MIGRATIONS

INSERT = "INSERT INTO setting VALUES ('title', ?)"


@pytest.fixture
def database(storage):
    return storage.create("", "a")


def values(database):
    with database.reading() as connection:
        return [row["value"] for row in connection.execute("SELECT value FROM setting")]


def test_an_id_is_given_once(storage, database):
    assert storage.create("", "a") is None
    assert storage.create("ann", "a").key != database.key


def test_others_see_what_was_written(storage, database):
    with database.writing() as connection:
        connection.execute(INSERT, ["Jerome"])
    assert values(storage.open("", "a")) == ["Jerome"]


def test_an_old_project_is_migrated_and_keeps_its_content(storage, database, monkeypatch):
    with database.writing() as connection:
        connection.execute(INSERT, ["old"])
    more = "ALTER TABLE setting ADD COLUMN more REAL; CREATE TABLE weight (a TEXT, b BLOB);"
    monkeypatch.setattr(module, "MIGRATIONS", (*MIGRATIONS, more))
    for _ in range(2):
        with storage.open("", "a").reading() as connection:
            assert tuple(connection.execute("SELECT * FROM setting").fetchone()) == (
                "title", "old", None,
            )  # fmt: skip
            assert connection.execute("SELECT COUNT(*) FROM weight").fetchone()[0] == 0


def test_a_newer_project_is_refused(storage, database, monkeypatch):
    monkeypatch.setattr(module, "MIGRATIONS", (*MIGRATIONS, "CREATE TABLE more (a TEXT)"))
    storage.open("", "a")
    monkeypatch.setattr(module, "MIGRATIONS", MIGRATIONS)
    with pytest.raises(InputError, match="newer version"):
        storage.open("", "a")
    assert database.exists()


def test_a_failed_transaction_changes_nothing(database):
    with pytest.raises(LocisimilesError), database.writing() as connection:
        _ = connection.execute(INSERT, ["x"]), connection.execute(INSERT, ["x"])
    with pytest.raises(ZeroDivisionError), database.writing() as connection:
        connection.execute(INSERT, [str(1 / 0)])
    assert values(database) == []


def test_a_reader_sees_one_state_whatever_others_write(database):
    with database.reading() as connection:
        count = "SELECT COUNT(*) FROM setting"
        before = connection.execute(count).fetchone()[0]
        with database.writing() as other:
            other.execute(INSERT, ["new"])
        assert connection.execute(count).fetchone()[0] == before == 0
    assert values(database) == ["new"]


def test_writers_wait_for_each_other(database):
    with database.writing() as connection:
        connection.execute(INSERT, ["0"])

    def count():
        for _ in range(10):
            with database.writing() as connection:
                value = connection.execute("SELECT value FROM setting").fetchone()[0]
                connection.execute("UPDATE setting SET value = ?", [str(int(value) + 1)])

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert values(database) == ["40"]


def test_values_come_back_as_they_were(database):
    content = bytes(range(256))
    for _ in range(2):  # the second time with what the first has left
        with database.writing() as connection:
            connection.executemany("INSERT INTO remark VALUES ('query', ?, ?)", [(1, "a"), (2, "")])
    with database.writing() as connection:
        connection.executemany(
            "INSERT INTO input (side, kind, name, content) VALUES (?, 'file', ?, ?)",
            [("query", "λόγος % ? 'q' \\", content), ("source", "", None)],
        )
        changed = connection.execute("UPDATE input SET kind = 'file' WHERE name != ?", ["none"])
        assert changed.rowcount == 2
    with database.reading() as connection:
        first, second = connection.execute("SELECT * FROM input ORDER BY number").fetchall()
        assert connection.execute("SELECT '?%' FROM input WHERE number < 0").fetchone() is None
    assert (first["name"], first["content"]) == ("λόγος % ? 'q' \\", content)
    assert (second["number"], second["content"]) == (first["number"] + 1, None)
    assert dict(first) == dict(zip(first.keys(), tuple(first), strict=True))


def test_texts_are_sorted_by_code_points(database):
    names = ["a", "B", "ä", "Z", "a b", "a-b", "ab", "λ", "_", "𝔞"]
    with database.writing() as connection:
        connection.executemany("INSERT INTO setting VALUES (?, '')", [(name,) for name in names])
    with database.reading() as connection:
        rows = connection.execute("SELECT name FROM setting ORDER BY name").fetchall()
        between = connection.execute(
            "SELECT COUNT(*) FROM setting WHERE name > 'Z' AND name < 'a-'"
        ).fetchone()
    assert [row[0] for row in rows] == sorted(names)
    assert between[0] == sum("Z" < name < "a-" for name in names)


def test_numbers_keep_their_precision(database):
    with database.writing() as connection:
        connection.execute(
            "INSERT INTO search (parameters, state, created, total) VALUES ('', 'done', ?, ?)",
            [0.1 + 0.2, 2**40],
        )
    with database.reading() as connection:
        row = connection.execute("SELECT created, total FROM search").fetchone()
    assert tuple(row) == (0.1 + 0.2, 2**40)


@pytest.mark.parametrize("kind", ["reading", "writing"])
@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [("message", "\ud800", "half a character"), ("number", 10**30, "number is too large")],
)
def test_values_that_no_database_takes_are_refused(database, kind, column, value, sentence):
    opened = getattr(database, kind)()
    with pytest.raises(InputError, match=sentence), opened as connection:
        connection.execute(f"SELECT * FROM search WHERE {column} = ? LIMIT ?", [value, value])
