"""One writer, many readers; a folder that cannot be locked is an error that names it."""

import gc
import os
import sys
from types import SimpleNamespace

import pytest

from locisimiles import OutputError
from locisimiles.index.locks import ReaderLock, no_readers, waiting, writing

NEEDS_FLOCK = pytest.mark.skipif(os.name != "posix", reason="needs shared locks")


def test_there_is_one_writer_at_a_time(tmp_path):
    with (
        writing(tmp_path),
        pytest.raises(OutputError, match="another program") as caught,
        writing(tmp_path),
    ):
        pass
    assert str(tmp_path) in str(caught.value)
    with writing(tmp_path):  # the first has let it go
        assert sorted(path.name for path in tmp_path.iterdir()) == ["readers.lock", "writer.lock"]


def test_a_lock_is_let_go_after_an_error(tmp_path):
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), writing(tmp_path):
            _ = 1 / 0
    path = tmp_path / "one.lock"
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), waiting(path, wait=False):
            _ = 1 / 0


@pytest.mark.parametrize("lock", [writing, lambda folder: waiting(folder / "one.lock")])
def test_a_folder_that_is_none_cannot_be_written(tmp_path, lock):
    (tmp_path / "file").write_text("arma")
    for name in ("missing", "file"):
        with (
            pytest.raises(OutputError, match=f"{name}.* cannot be written"),
            lock(tmp_path / name),
        ):
            pass


def test_who_does_not_wait_is_told_what_is_busy(tmp_path):
    path = tmp_path / "abc.lock"
    with (
        waiting(path),
        pytest.raises(OutputError) as caught,
        waiting(path, wait=False),
    ):
        pass
    assert str(tmp_path / "abc") in str(caught.value)
    assert "abc.lock" not in str(caught.value)
    assert path.exists()


@NEEDS_FLOCK
def test_readers_share_and_keep_the_writer_from_deleting(tmp_path):
    with writing(tmp_path):
        pass
    one, two = ReaderLock(tmp_path), ReaderLock(tmp_path)
    one.close()
    one.close()  # once more is no error
    with no_readers(tmp_path) as alone:
        assert not alone
    del two
    gc.collect()
    with no_readers(tmp_path) as alone:
        assert alone
    with no_readers(tmp_path) as alone:  # it was let go
        assert alone


def test_a_reader_needs_no_lock_where_nobody_wrote(tmp_path):
    lock = ReaderLock(tmp_path / "missing")
    lock.close()
    assert [*tmp_path.iterdir()] == []


class Windows:
    """The locks of Windows: exclusive, of some bytes of a file, and never waited for."""

    LK_NBLCK = 2

    def __init__(self):
        self.held = set()

    def locking(self, handle, mode, size):
        assert (mode, size > 0) == (self.LK_NBLCK, True)
        file = os.fstat(handle).st_ino
        if file in self.held:
            raise OSError(13, "Permission denied")
        self.held.add(file)


def test_on_windows_readers_take_no_lock(tmp_path, monkeypatch):
    """There, files in use cannot be deleted; so readers need none, and must not be kept out."""
    windows = Windows()
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(
        sys.modules, "msvcrt", SimpleNamespace(LK_NBLCK=windows.LK_NBLCK, locking=windows.locking)
    )
    with writing(tmp_path), pytest.raises(OutputError, match="another program"), writing(tmp_path):
        pass
    readers = [ReaderLock(tmp_path), ReaderLock(tmp_path)]
    with no_readers(tmp_path) as alone:
        assert alone
    with no_readers(tmp_path) as alone:  # somebody else deletes just now
        assert not alone
    for reader in readers:
        reader.close()
