"""Projects in a PostgreSQL database."""

import threading

import pytest

from locisimiles import DatabaseError, InputError, ParameterError
from locisimiles.app.judging.exchange import export_judgements, import_judgements
from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.storage.schema import MIGRATIONS

SECRET = "a-secret-of-ann"


@pytest.fixture(scope="module")
def module():
    pytest.importorskip("psycopg", reason="needs psycopg")
    from locisimiles.app.storage import postgres

    return postgres


def schemas(postgres):
    found = postgres.tell("SELECT nspname FROM pg_namespace WHERE nspname ~ 'locisimiles_'", "loci")
    return {name for (name,) in found}


def test_a_project_is_a_schema_with_a_number_and_a_line_in_the_catalogue(
    postgres, postgres_storage
):
    database = postgres_storage.create("ann", "letters")
    assert schemas(postgres) == {database.key} == {f"locisimiles_{database.number}"}
    catalogue = postgres.tell("SELECT owner, id, version FROM locisimiles.project", "loci")
    assert catalogue == [("ann", "letters", len(MIGRATIONS))]
    postgres_storage.delete("ann", "letters")
    assert schemas(postgres) == set()


@pytest.mark.parametrize(
    "name", ['x"; DROP SCHEMA locisimiles CASCADE; --', "'; DROP TABLE setting; --", "a\\'b"]
)
def test_names_are_values_and_never_sql(postgres, postgres_storage, name):
    """Behind the ids that are made of titles there is a second wall."""
    kept = postgres_storage.create("", "kept")
    made = postgres_storage.create(name, name)
    assert [one for one, _ in postgres_storage.all(name)] == [name]
    assert postgres_storage.open(name, name).key == made.key
    projects = ProjectCollection(postgres_storage)
    assert projects.create(name).title == name
    assert schemas(postgres) >= {kept.key, made.key}
    postgres_storage.delete(name, name)
    assert kept.exists()


def test_a_connection_serves_one_project_after_the_other(postgres_storage):
    insert = "INSERT INTO remark (side, number, text) VALUES ('query', ?, ?)"

    def texts(database, rows):
        with database.writing() as connection:
            connection.executemany(insert, rows)
        with database.reading() as connection:
            found = connection.execute("SELECT text FROM remark ORDER BY number")
            return [row["text"] for row in found]

    one, other = (postgres_storage.create("", name) for name in "ab")
    assert texts(one, [(1, "a"), (2, "b"), (70_000, "c")]) == ["a", "b", "c"]
    assert texts(other, [(1, "d"), (2, "e"), (70_000, "f")]) == ["d", "e", "f"]
    assert postgres_storage.connections.pool.get_stats()["pool_size"] == 1
    postgres_storage.delete("", "a")
    assert texts(postgres_storage.create("", "a"), [(1, "g")]) == ["g"]
    assert texts(other, [(3, "h")]) == ["d", "e", "h", "f"]


def test_a_number_is_never_reused(postgres_storage):
    gone = postgres_storage.create("", "a")
    postgres_storage.delete("", "a")
    assert postgres_storage.create("", "a").number > gone.number
    with pytest.raises(InputError, match="project has been deleted"), gone.writing():
        pass
    with pytest.raises(InputError, match="project has been deleted"), gone.reading() as connection:
        connection.execute("SELECT * FROM setting")


def test_a_project_that_cannot_be_created_leaves_nothing(postgres, postgres_storage, monkeypatch):
    broken = (*MIGRATIONS, "CREATE TABLE setting (a TEXT)")
    monkeypatch.setattr("locisimiles.app.storage.schema.MIGRATIONS", broken)
    with pytest.raises(DatabaseError, match="code 42P07"):
        postgres_storage.create("", "a")
    monkeypatch.setattr("locisimiles.app.storage.schema.MIGRATIONS", MIGRATIONS)
    assert (list(postgres_storage.all("")), schemas(postgres)) == ([], set())


def test_several_processes_may_start_at_the_same_time(postgres, module):
    postgres.tell("CREATE DATABASE fresh OWNER ann")
    made = []

    def begin():
        storage = module.PostgresStorage(postgres.address(database="fresh"))
        made.append(storage.create("", "one"))
        storage.close()

    threads = [threading.Thread(target=begin) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(one is not None for one in made) == 1
    assert len(made) == 4
    postgres.tell("DROP DATABASE fresh")


def test_a_database_without_utf8_is_refused(postgres, module):
    postgres.tell("CREATE DATABASE old OWNER ann TEMPLATE template0 ENCODING LATIN1 LOCALE 'C'")
    with pytest.raises(DatabaseError, match="every character; create one with createdb -E UTF8"):
        module.PostgresStorage(postgres.address(database="old"))
    postgres.tell("DROP DATABASE old")


def test_a_missing_permission_is_reported(postgres, module):
    postgres.tell("CREATE DATABASE foreign_one")
    with pytest.raises(DatabaseError, match="lacks a permission; grant it with GRANT CREATE"):
        module.PostgresStorage(postgres.address(database="foreign_one"))
    postgres.tell("DROP DATABASE foreign_one")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"password": "wrong-secret"}, "rejects this user or password; check"),
        ({"user": "nobody"}, "rejects this user or password; check"),
        ({"database": "none"}, "this database does not exist; create it with createdb"),
    ],
)
def test_a_refused_connection_is_reported_in_one_sentence(postgres, module, wrong, sentence):
    with pytest.raises(DatabaseError, match=sentence) as raised:
        module.PostgresStorage(postgres.address(**wrong))
    told = f"{raised.value!r} {raised.value}"
    assert not any(
        secret in told for secret in (postgres.password, "wrong-secret", "/tmp", "FATAL")
    )
    assert raised.value.__cause__ is None
    assert raised.value.__suppress_context__


@pytest.mark.parametrize("place", ["127.0.0.1:1/loci", "/loci?host=/no/such/folder"])
def test_an_unreachable_database_is_reported_in_one_sentence(module, place):
    with pytest.raises(DatabaseError, match="cannot be reached; check its address") as raised:
        module.PostgresStorage(f"postgresql://ann:{SECRET}@{place}")
    assert not any(part in str(raised.value) for part in (SECRET, "127", "/no", "\n"))


@pytest.mark.parametrize(
    "address",
    [
        f"mysql://ann:{SECRET}@host/loci",
        f"host=/tmp password={SECRET}",
        f"postgresql://ann:{SECRET}@host:port/loci?colour=red",
        f"postgresql://ann:{SECRET}%zz@host/loci",
        "loci",
        "",
    ],
)
def test_a_wrong_address_is_refused_and_not_repeated(module, address):
    with pytest.raises(ParameterError, match="not the address of a PostgreSQL database") as raised:
        module.PostgresStorage(address)
    assert SECRET not in str(raised.value)
    assert raised.value.__suppress_context__


def test_no_object_shows_the_address(postgres, postgres_storage):
    database = postgres_storage.create("", "a")
    shown = [postgres_storage, postgres_storage.connections, database, database.key]
    assert postgres.password not in " ".join(map(repr, shown))


def test_a_lost_connection_is_reported_and_replaced(postgres, postgres_storage):
    database = postgres_storage.create("", "a")
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ann'"

    def write():
        with database.writing() as connection:
            connection.execute("INSERT INTO setting VALUES ('title', 'x')")
            postgres.tell(end)
            connection.execute("INSERT INTO setting VALUES ('more', 'x')")

    with pytest.raises(DatabaseError, match="was lost; try again when it is running"):
        write()
    with database.reading() as connection:
        assert connection.execute("SELECT COUNT(*) FROM setting").fetchone()[0] == 0
    postgres.tell(end)  # those that are idle are noticed before they are used
    with database.writing() as connection:
        connection.execute("INSERT INTO setting VALUES ('title', 'x')")


def test_a_server_that_comes_back_is_used_again(postgres, postgres_storage):
    database = postgres_storage.create("", "a")
    postgres.stop()
    try:
        with pytest.raises(DatabaseError, match="cannot be reached"):
            database.exists()
        with pytest.raises(DatabaseError, match="cannot be reached"):
            ProjectCollection(postgres_storage).all()
    finally:
        postgres.start()
    assert database.exists()


def test_waiting_too_long_for_a_writer_is_reported(postgres_storage, monkeypatch):
    monkeypatch.setattr(
        "locisimiles.app.storage.connections._LIMITS", "SET LOCAL lock_timeout = '100ms'"
    )
    database = postgres_storage.create("", "a")
    with database.writing():  # noqa: SIM117 - the inner one is what is tried
        with pytest.raises(DatabaseError, match="another user is changing the project"):
            with database.writing():
                pass


def test_an_id_too_long_for_an_index_is_reported(postgres_storage):
    judging = Judging(ProjectCollection(postgres_storage).create("a"))
    long = "".join(chr(0x4E00 + (n * n) % 20_000) for n in range(5000))  # which cannot be packed
    with pytest.raises(InputError, match="too long for the database"):
        judging.judge(long, "s", reader="", verdict="cit.")


def test_judgements_go_from_one_kind_of_storage_to_the_other(postgres_storage, tmp_path):
    projects = [ProjectCollection(p).create("a") for p in (postgres_storage, tmp_path)]
    there, here = map(Judging, projects)
    there.judge("q, 1", 's "λ"', reader="Ann", verdict="cit.", note="two\nlines; 100 %")
    there.judge("q", "s", reader="Bob", verdict="unsure")
    table = export_judgements(projects[0], ".csv")
    assert import_judgements(projects[1], "t.csv", table, reader="") == (2, 0, 0, 0)
    here.judge("q", "s", reader="Bob", verdict="reject")
    table = export_judgements(projects[1], ".csv")
    assert import_judgements(projects[0], "t.csv", table, reader="") == (0, 1, 1, 0)
    assert there.all() == here.all()


@pytest.mark.parametrize(
    ("value", "sentence"), [("a\0b", "NUL character"), (10**30, "number is too large")]
)
def test_values_that_postgres_cannot_store_are_reported(postgres_storage, value, sentence):
    database = postgres_storage.create("", "a")
    with pytest.raises(InputError, match=sentence), database.writing() as connection:
        connection.execute("UPDATE search SET message = ?, total = ?", [str(value), value])
