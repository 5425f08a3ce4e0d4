"""``locisimiles app``."""

import re

import pytest
from typer.testing import CliRunner

from locisimiles.app import server
from locisimiles.cli import app
from locisimiles.errors import DatabaseError, InputError, ParameterError

TWICE = "ann a-long-secret\nbob a-long-secret\n"


@pytest.fixture
def served(monkeypatch):
    """Return what the server was asked to do; it does not do it."""
    calls = []

    def serve(context, **options):
        calls.append((context, options))
        options["ready"]()

    monkeypatch.setattr(server, "serve", serve)
    monkeypatch.setattr(server, "check_address", lambda *_: None)
    return calls


def run(*arguments):
    return CliRunner().invoke(app, ["app", *arguments])


def test_by_default_only_this_machine_is_served(served, tmp_path):
    done = run("--projects", str(tmp_path))
    assert done.exit_code == 0
    ((context, options),) = served
    assert (context.folder, context.users) == (tmp_path, ("",))
    assert (options["host"], options["port"], options["audit"]) == ("127.0.0.1", 8765, None)
    assert "http://127.0.0.1:8765/" in done.stderr


def test_a_quiet_run_still_says_where_it_runs(served, tmp_path):
    done = run("--projects", str(tmp_path), "--no-browser", "--quiet")
    said = done.stderr.replace("\n", "")
    assert "http://127.0.0.1:8765/" in said
    logins = served[0][1]["logins"]
    assert logins.redeem(once_of(said)).user == ""
    assert logins.tokens[0].secret in said
    assert "Ctrl+C" not in said


def once_of(text):
    return re.search(r"\?token=([\w-]+)", text)[1]


def test_browser_and_terminal_get_an_address_each_that_works_once(served, tmp_path):
    done = run("--projects", str(tmp_path))
    options = served[0][1]
    said = done.stderr.replace("\n", "")
    for once in (once_of(options["show"]), once_of(said)):
        assert options["logins"].redeem(once).user == ""
        assert options["logins"].redeem(once) is None
    secret = options["logins"].tokens[0].secret
    assert secret in said
    assert secret not in options["show"]


def test_a_browser_stays_logged_in_when_the_app_starts_again(served, tmp_path, monkeypatch):
    monkeypatch.setenv("LOCISIMILES_DATA", str(tmp_path))
    for _ in range(2):
        run("--projects", str(tmp_path))
    before, after = (options["logins"] for _, options in served)
    assert before.tokens != after.tokens
    assert after.user_of_cookies([before.cookie(before.tokens[0])]) == ""


def test_no_token_asks_for_none(served, tmp_path):
    done = run("--projects", str(tmp_path), "--no-token")
    assert (served[0][1]["logins"], served[0][1]["show"]) == (None, "/")
    assert "token" not in done.stderr


@pytest.mark.parametrize("secret", ["a", "short", "a" * 40])
def test_a_token_that_can_be_guessed_is_refused(served, secret):
    assert isinstance(run("--token", secret).exception, ParameterError)
    assert isinstance(run("--host", "0.0.0.0", "--token", secret).exception, ParameterError)
    assert served == []


def test_a_token_may_be_chosen_and_is_not_printed(served, tmp_path, monkeypatch):
    monkeypatch.setenv("LOCISIMILES_TOKEN", "chosen-in-the-environment")
    done = run("--projects", str(tmp_path))
    (token,) = served[0][1]["logins"].tokens
    assert (token.secret, token.user) == ("chosen-in-the-environment", "")
    assert "chosen" not in done.stderr


def test_no_browser_opens_none(served, tmp_path):
    run("--projects", str(tmp_path), "--port", "9000", "--no-browser")
    assert (served[0][1]["port"], served[0][1]["show"]) == (9000, "")


def test_for_other_machines_a_token_is_made_and_printed(served, tmp_path):
    done = run("--projects", str(tmp_path), "--host", "0.0.0.0")
    ((context, options),) = served
    (token,) = options["logins"].tokens
    assert (token.user, context.users) == ("reader", ("reader",))
    assert len(token.secret) >= 32
    assert token.secret in done.stderr.replace("\n", "")
    assert f"/?token={token.secret}" not in done.stderr.replace("\n", "")
    assert options["show"] == ""
    assert options["audit"] is not None


def test_users_have_tokens_of_their_own(served, tmp_path):
    path = tmp_path / "users.txt"
    path.write_text("# our readers\nAnn a-long-secret-of-ann\nbob a-long-secret-of-bob\n")
    done = run("--projects", str(tmp_path), "--host", "0.0.0.0", "--users", str(path))
    given = {token.secret: token.user for token in served[0][1]["logins"].tokens}
    assert given == {"a-long-secret-of-ann": "ann", "a-long-secret-of-bob": "bob"}
    assert served[0][0].users == ("ann", "bob")
    assert "secret" not in done.stderr


@pytest.mark.parametrize("text", ["ann short\n", "", "ann\n", "a/b a-long-secret-of-ann\n", TWICE])
def test_a_wrong_file_of_users_is_reported(served, tmp_path, text):
    path = tmp_path / "users.txt"
    path.write_text(text)
    done = run("--host", "0.0.0.0", "--users", str(path))
    assert isinstance(done.exception, InputError)
    assert served == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("--host", "0.0.0.0", "--no-token"),
        ("--no-token", "--token", "a-long-secret-of-ann"),
        ("--users", "users.txt"),
        ("--host", "0.0.0.0", "--users", "users.txt", "--token", "a-long-secret-of-ann"),
    ],
)
def test_options_that_contradict_each_other_are_refused(served, arguments):
    assert isinstance(run(*arguments).exception, ParameterError)
    assert served == []


def test_projects_may_be_in_a_database(served, postgres, tmp_path, monkeypatch):
    monkeypatch.setenv("LOCISIMILES_PROJECTS", str(tmp_path))
    by_option = run("--database", postgres.address())
    monkeypatch.setenv("LOCISIMILES_DATABASE", postgres.address())
    by_variable = run()
    assert (by_option.exit_code, by_variable.exit_code) == (0, 0)
    for (context, _), done in zip(served, (by_option, by_variable), strict=True):
        assert context.projects().all() == []
        assert context.storage.environment() == {"LOCISIMILES_DATABASE": postgres.address()}
        assert "postgresql:" not in done.output
        context.storage.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("address", "error"),
    [
        ("postgresql://ann:a-secret@127.0.0.1:1/loci", DatabaseError),
        ("mysql://ann:a-secret@host/loci", ParameterError),
    ],
)
def test_an_unusable_database_is_reported_at_once(served, address, error):
    pytest.importorskip("psycopg")
    done = run("--database", address)
    assert isinstance(done.exception, error)
    assert not any(part in str(done.exception) for part in ("secret", "127"))
    assert served == []


def test_a_folder_and_a_database_are_refused(served, tmp_path):
    done = run("--projects", str(tmp_path), "--database", "postgresql://host/loci")
    assert isinstance(done.exception, ParameterError)
    assert served == []
