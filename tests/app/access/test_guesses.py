"""Wrong tokens."""

import pytest

from locisimiles.app.access import guesses
from locisimiles.app.access.guesses import Guesses


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_an_address_waits_until_its_oldest_guess_is_a_minute_old():
    clock = Clock()
    seen = Guesses(clock)
    for second in range(10):
        clock.now = float(second)
        assert seen.seconds_to_wait("a") == 0
        seen.add("a")
    assert seen.seconds_to_wait("a") == 51
    clock.now = 60.0
    assert seen.seconds_to_wait("a") == 0
    seen.add("a")
    assert seen.seconds_to_wait("a") == 1


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("10.0.0.1", "10.0.0.2", False),
    ],
)
def test_a_network_of_ipv6_is_one_guesser(one, other, same):
    seen = Guesses(lambda: 0.0)
    for _ in range(10):
        seen.add(one)
    assert bool(seen.seconds_to_wait(other)) is same


def test_addresses_are_forgotten_so_that_memory_does_not_grow(monkeypatch):
    monkeypatch.setattr(guesses, "_MOST_ADDRESSES", 3)
    seen = Guesses(lambda: 0.0)
    for number in range(100):
        seen.add(str(number))
    assert len(seen._times) == 3
