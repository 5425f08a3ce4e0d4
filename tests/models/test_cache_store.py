"""Entries of a cache in one file."""

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from locisimiles.errors import OutputError
from locisimiles.models.cache_store import CacheStore

LARGE = 1 << 40
DAY = 86_400


@pytest.fixture
def path(tmp_path):
    return tmp_path / "deep" / "vectors.sqlite"


@pytest.fixture
def store(path):
    return CacheStore(path, LARGE)


@pytest.fixture
def days(monkeypatch):
    """Return a function that moves the clock."""
    now = time.time()
    moved = [0]
    monkeypatch.setattr(time, "time", lambda: now + moved[0] * DAY)

    def move(count):
        moved[0] += count

    return move


def test_entries_are_found_by_kind_and_key(store):
    store.put("a", {b"1": b"one", b"2": b""})
    store.put("b", {b"1": b"other"})
    assert store.find("a", [b"1", b"2", b"3"]) == {b"1": b"one", b"2": b""}
    assert store.find("b", [b"1", b"2"]) == {b"1": b"other"}
    assert store.find("c", [b"1"]) == {}


def test_nothing_is_created_by_looking(store, path):
    assert store.find("a", [b"1"]) == {}
    assert (store.kinds(), store.nbytes, store.remove_unused_since(10**6)) == ([], 0, 0)
    assert not path.parent.exists()


def test_many_keys_are_found(store):
    contents = {number.to_bytes(4, "big"): bytes([number % 256]) for number in range(2500)}
    store.put("a", contents)
    assert store.find("a", list(contents)) == contents


def test_a_damaged_entry_is_not_found(store, path):
    store.put("a", {b"1": b"one", b"2": b"two"})
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE entry SET content = ? WHERE key = ?", [b"onE", b"1"])
    assert store.find("a", [b"1", b"2"]) == {b"2": b"two"}


@pytest.mark.parametrize("content", [b"", b"PK", b"garbage" * 1000])
def test_a_foreign_file_is_replaced(store, path, content):
    path.parent.mkdir()
    path.write_bytes(content)
    assert store.find("a", [b"1"]) == {}
    store.put("a", {b"1": b"one"})
    assert store.find("a", [b"1"]) == {b"1": b"one"}


@pytest.mark.parametrize("place", range(0, 1 << 14, 1 << 11))
def test_damaged_pages_never_give_wrong_contents(store, path, place):
    contents = {bytes([number] * 16): bytes([number]) * 100 for number in range(100)}
    store.put("a", contents)
    damaged = bytearray(path.read_bytes())
    damaged[place : place + 64] = bytes(byte ^ 255 for byte in damaged[place : place + 64])
    path.write_bytes(damaged)
    found = store.find("a", list(contents))
    assert found.items() <= contents.items()


def test_a_file_of_another_version_is_emptied(store, path):
    store.put("a", {b"1": b"one"})
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    assert store.find("a", [b"1"]) == {}
    store.put("a", {b"1": b"new"})
    assert store.find("a", [b"1"]) == {b"1": b"new"}


def test_the_least_recently_used_go_first(path, days):
    store = CacheStore(path, 3_000_000)
    old, used = ({bytes([n, m]): bytes(1000) for m in range(200)} for n in (1, 2))
    store.put("a", old | used)
    days(3)
    assert len(store.find("a", list(used))) == 200
    for number in range(3, 20):
        store.put("a", {bytes([number, m]): bytes(1000) for m in range(200)})
        days(1)
        store.find("a", list(used))
    assert store.nbytes <= 3_000_000
    assert len(store.find("a", list(used))) == 200
    assert store.find("a", list(old)) == {}


def test_what_was_not_used_for_long_can_be_removed(store, days):
    store.put("a", {b"1": b"one"})
    days(10)
    store.put("a", {b"2": b"two"})
    today = int(time.time() // DAY)
    assert store.remove_unused_since(today - 5) == 1
    assert store.find("a", [b"1", b"2"]) == {b"2": b"two"}


def test_what_it_holds_can_be_listed(store):
    store.put("small", {b"1": b"one"})
    store.put("large", {b"1": bytes(100), b"2": bytes(100)})
    assert [(kind.settings, kind.entries, kind.nbytes) for kind in store.kinds()] == [
        ("large", 2, 200), ("small", 1, 3),
    ]  # fmt: skip


def test_several_may_write_at_the_same_time(path):
    def write(number):
        CacheStore(path, LARGE).put("a", {bytes([number, n]): bytes([number]) for n in range(20)})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(16)))
    keys = [bytes([number, n]) for number in range(16) for n in range(20)]
    assert CacheStore(path, LARGE).find("a", keys) == {key: key[:1] for key in keys}


def test_a_folder_that_cannot_be_written_is_reported(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError):
        CacheStore(tmp_path / "file" / "vectors.sqlite", LARGE).put("a", {b"1": b""})
