"""``locisimiles app``."""

import pytest
from typer.testing import CliRunner

from locisimiles.app import server
from locisimiles.cli import app
from locisimiles.errors import InputError, ParameterError

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
    assert (context.folder, context.tokens) == (tmp_path, None)
    assert (options["host"], options["port"], options["show"]) == ("127.0.0.1", 8765, True)
    assert "http://127.0.0.1:8765/" in done.stderr


def test_no_browser_is_opened_if_none_is_wanted(served, tmp_path):
    run("--projects", str(tmp_path), "--port", "9000", "--no-browser")
    assert (served[0][1]["port"], served[0][1]["show"]) == (9000, False)


def test_for_other_machines_a_token_is_made_and_printed(served, tmp_path):
    done = run("--projects", str(tmp_path), "--host", "0.0.0.0")
    ((token, user),) = served[0][0].tokens.items()
    assert user == "reader"
    assert len(token) >= 32
    assert f"/?token={token}" in done.stderr.replace("\n", "")
    assert served[0][1]["show"] is False


def test_users_have_tokens_of_their_own(served, tmp_path):
    path = tmp_path / "users.txt"
    path.write_text("# our readers\nAnn a-long-secret-of-ann\nbob a-long-secret-of-bob\n")
    done = run("--projects", str(tmp_path), "--host", "0.0.0.0", "--users", str(path))
    assert served[0][0].tokens == {"a-long-secret-of-ann": "ann", "a-long-secret-of-bob": "bob"}
    assert "secret" not in done.stderr


@pytest.mark.parametrize("text", ["ann short\n", "", "ann\n", "a/b a-long-secret-of-ann\n", TWICE])
def test_a_file_of_users_that_is_wrong_is_told(served, tmp_path, text):
    path = tmp_path / "users.txt"
    path.write_text(text)
    done = run("--host", "0.0.0.0", "--users", str(path))
    assert isinstance(done.exception, InputError)
    assert served == []


def test_a_token_makes_no_sense_on_this_machine_alone(served):
    assert isinstance(run("--token", "x").exception, ParameterError)
    assert served == []
