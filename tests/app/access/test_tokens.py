"""Tokens: files of users, expiry, and what can be guessed."""

import math
from datetime import datetime

import pytest

from locisimiles.app.access.tokens import Token, check_secret, find_token, new_secret, read_users
from locisimiles.errors import InputError, ParameterError


def test_secrets_are_new_and_long():
    assert len({new_secret() for _ in range(10)}) == 10
    assert len(new_secret()) >= 32


@pytest.mark.parametrize(
    "secret",
    ["", "a", "short", "a" * 40, "abababababababababab", "with a space in it", "ab\x00" * 9],
)
def test_secrets_that_can_be_guessed_are_refused(secret):
    with pytest.raises(ParameterError, match="at least 16 characters"):
        check_secret(secret)


def test_a_token_may_have_a_last_day(tmp_path):
    path = tmp_path / "users.txt"
    path.write_text("ann a-long-secret-of-ann\nbob a-long-secret-of-bob 2026-03-31\n")
    ann, bob = read_users(path)
    assert ann.until == math.inf
    last = datetime(2026, 3, 31, 23, 59).astimezone().timestamp()
    assert bob.is_valid(last)
    assert not bob.is_valid(last + 120)


@pytest.mark.parametrize("day", ["2026-13-01", "tomorrow", "31.3.2026", "99999-01-01"])
def test_a_day_that_is_none_is_reported(tmp_path, day):
    path = tmp_path / "users.txt"
    path.write_text(f"ann a-long-secret-of-ann {day}\n")
    with pytest.raises(InputError, match="no day until"):
        read_users(path)


def test_a_line_with_more_is_reported(tmp_path):
    path = tmp_path / "users.txt"
    path.write_text("ann a-long-secret-of-ann 2026-01-01 more\n")
    with pytest.raises(InputError, match="a name and a token"):
        read_users(path)


def test_an_expired_token_is_not_found():
    token = Token("a-long-secret-of-ann", "ann", until=100.0)
    assert find_token([token.secret], [token], lambda: 99.0) is token
    assert find_token([token.secret], [token], lambda: 100.0) is None
