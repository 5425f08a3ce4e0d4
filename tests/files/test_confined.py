"""Work in a process of its own, with limited memory and time."""

import os
import signal
import subprocess
import sys
import time

import pytest

from locisimiles import ParameterError, UnsafeInputError
from locisimiles.files import confined as module
from locisimiles.files.confined import confined
from locisimiles.files.limits import Limits
from support.hungry import (
    compute,
    end,
    fail_oddly,
    fail_with_a_file,
    grow,
    grow_elsewhere,
    limits_there,
    refuse,
)

LIMITS = Limits(memory=200 * 1000**2, seconds=1)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits as Linux has them")


def test_the_work_is_done_elsewhere_with_the_limits():
    assert confined(os.getpid, limits=LIMITS, file="a.txt") != os.getpid()
    assert confined(limits_there, limits=LIMITS, file="a.txt") == LIMITS
    assert confined(sorted, [2, 1], reverse=True, limits=LIMITS, file="a.txt") == [2, 1]


def test_what_it_raises_is_raised_here():
    with pytest.raises(ParameterError) as raised:
        confined(refuse, limits=LIMITS, file="a.txt")
    assert raised.value.message.values == {"file": "a.txt"}


@pytest.mark.parametrize(("work", "said"), [(fail_oddly, "a.txt:7"), (fail_with_a_file, "here")])
def test_what_cannot_be_sent_is_told_with_its_place(work, said):
    """Else a mistake of ours would look like a crash, or like another mistake."""
    with pytest.raises(RuntimeError, match=said) as raised:
        confined(work, limits=LIMITS, file="a.txt")
    assert work.__name__ in str(raised.value)


@pytest.mark.parametrize("work", [grow, grow_elsewhere])
def test_too_much_memory_is_an_error_of_ours(work):
    assert confined(grow, 100, limits=LIMITS, file="a.txt") == 100 * 1000**2
    with pytest.raises(UnsafeInputError, match="txt: reading takes more than 200 MB of memory"):
        confined(work, 300, limits=LIMITS, file="a.txt")


def test_endless_computing_is_an_error_of_ours(monkeypatch):
    monkeypatch.setattr(module, "_PATIENCE", 300)  # the machine may be busy
    with pytest.raises(UnsafeInputError, match="more than 1 seconds"):
        confined(compute, limits=LIMITS, file="a.txt")


def test_a_process_that_waits_for_ever_is_an_error_of_ours(monkeypatch):
    monkeypatch.setattr(module, "_PATIENCE", 0.1)
    with pytest.raises(UnsafeInputError, match=r"more than 0\.1 seconds"):
        confined(time.sleep, 60, limits=LIMITS, file="a.txt")


@pytest.mark.parametrize(
    ("number", "problem"),
    [(signal.SIGSEGV, "crashed"), (signal.SIGKILL, "more than 200 MB of memory")],
)
def test_a_process_that_ends_is_an_error_of_ours(number, problem):
    with pytest.raises(UnsafeInputError, match=problem):
        confined(end, number, limits=LIMITS, file="a.txt")
    assert confined(abs, -1, limits=LIMITS, file="a.txt") == 1  # the next one is served


def test_without_such_processes_the_work_is_done_here(monkeypatch):
    monkeypatch.setattr(module, "_IS_POSSIBLE", False)
    assert confined(os.getpid, limits=LIMITS, file="a.txt") == os.getpid()
    assert confined(limits_there, limits=LIMITS, file="a.txt") == LIMITS


def test_it_works_in_a_program_that_was_started_by_name(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from locisimiles.files.confined import confined\n"
        "from locisimiles.files.limits import Limits\n"
        "if __name__ == '__main__':\n"
        "    print(confined(len, 'arma', limits=Limits(), file='a.txt'))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("4\n", "")
