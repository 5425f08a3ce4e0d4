"""Cookies and addresses that work once."""

import pytest

from locisimiles.app.access.logins import Logins
from locisimiles.app.access.tokens import Token

ANN, BOB = Token("a-long-secret-of-ann", "ann"), Token("a-long-secret-of-bob", "bob", until=5000.0)
DAY = 86_400


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def logins(clock):
    return Logins([ANN, BOB], clock=clock)


def test_a_cookie_ends_after_thirty_days(logins, clock):
    cookie = logins.cookie(ANN)
    clock.now += 30 * DAY - 1
    assert logins.user_of_cookies([cookie]) == "ann"
    clock.now += 1
    assert logins.user_of_cookies([cookie]) is None


def test_a_cookie_ends_with_its_token(logins, clock):
    cookie = logins.cookie(BOB)
    assert logins.seconds(BOB) == 4000
    clock.now = 5000.0
    assert logins.user_of_cookies([cookie]) is None
    assert Logins([ANN], clock=clock).user_of_cookies([cookie]) is None


def test_a_cookie_survives_a_restart(logins, clock):
    assert Logins([ANN], clock=clock).user_of_cookies([logins.cookie(ANN)]) == "ann"


def test_with_a_key_the_token_may_change(clock):
    before = Logins([Token("before-restarting-it", "")], key="of this machine", clock=clock)
    after = Logins([Token("after-restarting-it", "")], key="of this machine", clock=clock)
    cookie = before.cookie(before.tokens[0])
    assert after.user_of_cookies([cookie]) == ""
    other = Logins(after.tokens, key="of another machine", clock=clock)
    assert other.user_of_cookies([cookie]) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda cookie: "9" + cookie,
        lambda cookie: cookie[:-1],
        lambda cookie: cookie.replace(".", ".0"),
        lambda cookie: cookie.partition(".")[2],
        lambda cookie: "٣" + cookie[1:],
        lambda _: ".",
        lambda _: "9" * 5000,
        lambda _: "1.\ud800",
        lambda _: "a-long-secret-of-ann",
    ],
)
def test_a_changed_cookie_is_none(logins, change):
    assert logins.user_of_cookies([change(logins.cookie(ANN))]) is None


def test_an_odd_cookie_hides_no_valid_one(logins):
    assert logins.user_of_cookies(["odd", "", ".", logins.cookie(BOB)]) == "bob"


def test_a_one_time_secret_ends_after_ten_minutes(logins, clock):
    first, second = logins.one_time_secret(), logins.one_time_secret()
    clock.now += 599
    assert logins.redeem(first) == ANN
    clock.now += 1
    assert logins.redeem(second) is None


@pytest.mark.parametrize("secret", ["", "wrong", "\ud800", ANN.secret])
def test_nothing_else_is_a_one_time_secret(logins, secret):
    logins.one_time_secret()
    assert logins.redeem(secret) is None
