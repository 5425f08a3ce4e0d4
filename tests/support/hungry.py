"""Work that takes too much, for processes that do not know the tests."""

import os
import time

import numpy as np

from locisimiles import ParameterError
from locisimiles.files.limits import current_limits


def limits_there():
    return current_limits()


def refuse():
    raise ParameterError("files.not_found", file="a.txt")


def grow(megabytes):
    return len(bytearray(megabytes * 1000**2))


def grow_elsewhere(megabytes):
    """Ask a library for memory that says nothing when there is none, as some do."""
    try:
        np.ones(megabytes * 1000**2, np.uint8)
    except MemoryError:
        os.abort()


def compute():
    while True:
        pass


def end(number):
    os.kill(os.getpid(), number)
    time.sleep(60)


class UnsendableError(Exception):
    """Takes two arguments, but tells pickle of one, as errors of some libraries do."""

    def __init__(self, file, line):
        super().__init__(f"{file}:{line}")


def fail_oddly():
    raise UnsendableError("a.txt", 7)


def fail_with_a_file():
    error = ValueError("here")
    error.stream = open(os.devnull)  # noqa: PTH123, SIM115 - it cannot be pickled
    raise error
