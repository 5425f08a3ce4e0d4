"""Other processes that help to search an inverted index.

Threads wait for each other here, so the helpers are processes. Each is a Python of its own that
reads the postings from a temporary folder, is told on its standard input which block of queries to
search, and writes what it finds into the folder. Nothing is inherited from the process that starts
it: that works alike on all systems, whatever threads or devices that process has, and scripts need
no ``if __name__ == "__main__"``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.retrieve.candidates import best
from locisimiles.retrieve.lexical.postings import Postings

if TYPE_CHECKING:
    from types import TracebackType

    from numpy.typing import NDArray

__all__ = ["Found", "QueryBlock", "SearchWorkers", "search_block"]

Found = list[tuple["NDArray[np.intp]", "NDArray[np.float32]"]]

_WAITING = 2
_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]);"
    "from locisimiles.retrieve.search_workers import work; work(sys.argv[2])"
)


class QueryBlock(NamedTuple):
    """The terms of some queries.

    Attributes
    ----------
    term, weight
        The terms, and what each weighs.
    bounds
        The terms of query ``i`` are those from ``bounds[i]`` to ``bounds[i + 1]``.
    """

    term: NDArray[np.int64]
    weight: NDArray[np.float64]
    bounds: NDArray[np.int64]


def search_block(postings: Postings, places: NDArray[np.int64], k: int, block: QueryBlock) -> Found:
    """Return the best `k` segments for each query of a block."""
    return [
        best(postings.score(block.term[begin:end], block.weight[begin:end]), k, places)
        for begin, end in pairwise(block.bounds.tolist())
    ]


class SearchWorkers:
    """Processes that search blocks of queries, used in a ``with`` statement.

    At its end none is left, whatever happened. What a process does not do, because it could not
    start or was stopped, `results` does itself.

    Parameters
    ----------
    postings, places
        What is searched; see `SparseIndex`.
    k
        How many segments a query gets at most.
    count
        How many processes.
    """

    def __init__(self, postings: Postings, places: NDArray[np.int64], k: int, count: int) -> None:
        self._postings, self._places, self._k = postings, places, k
        self._count = count
        self._blocks: dict[int, QueryBlock] = {}
        self._waiting: list[tuple[subprocess.Popen[bytes], list[int]]] = []

    def __enter__(self) -> SearchWorkers:
        self._temporary = tempfile.TemporaryDirectory(prefix="locisimiles-")
        self._folder = Path(self._temporary.name)
        columns = {**self._postings.columns(), "places": self._places, "k": np.array(self._k)}
        _write(self._folder / "index.npz", columns)
        # A program that has Python in it may be something else than Python.
        count = self._count if sys.executable and not hasattr(sys, "frozen") else 0
        paths = json.dumps([str(path) for path in sys.path])
        command = [sys.executable, "-c", _START, paths, str(self._folder)]
        for _ in range(count):
            try:
                process = subprocess.Popen(  # noqa: S603 - our own Python, and what is above
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            except OSError:  # then there is one less
                break
            self._waiting.append((process, []))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process, _ in self._waiting:
            process.kill()
        for process, _ in self._waiting:
            process.communicate()
        self._temporary.cleanup()

    def take(self, number: int, block: QueryBlock) -> bool:
        """Give a block to a process that has little to do; False if all have enough."""
        for process, waiting in self._waiting:
            waiting[:] = [own for own in waiting if not self._result(own).exists()]
            if len(waiting) >= _WAITING or process.poll() is not None or process.stdin is None:
                continue
            _write(self._folder / f"block-{number}.npz", block._asdict())
            try:
                process.stdin.write(f"{number}\n".encode())
                process.stdin.flush()
            except OSError:  # it has just ended
                continue
            waiting.append(number)
            self._blocks[number] = block
            return True
        return False

    def results(self) -> dict[int, Found]:
        """Wait for the processes, and return what was found for each block they were given."""
        for process, _ in self._waiting:
            process.communicate()
        return {number: self._read(number) for number in self._blocks}

    def _read(self, number: int) -> Found:
        path = self._result(number)
        if not path.exists():
            return search_block(self._postings, self._places, self._k, self._blocks[number])
        with np.load(path) as columns:
            bounds = columns["bounds"][1:-1]
            sources, scores = (np.split(columns[name], bounds) for name in ("source", "score"))
        return list(zip(sources, scores, strict=True))

    def _result(self, number: int) -> Path:
        return self._folder / f"found-{number}.npz"


def work(folder: str) -> None:
    """Search blocks until there are no more; what a process of `SearchWorkers` does."""
    try:
        with np.load(Path(folder, "index.npz")) as columns:
            index = dict(columns)
        places, k = index.pop("places"), int(index.pop("k"))
        postings = Postings.from_columns(**index)
        for line in sys.stdin:
            with np.load(Path(folder, f"block-{int(line)}.npz")) as columns:
                block = QueryBlock(**columns)
            found = search_block(postings, places, k, block)
            nothing = np.empty(0, np.intp), np.empty(0, np.float32)
            sources, scores = zip(nothing, *found, strict=True)
            _write(
                Path(folder, f"found-{int(line)}.npz"),
                {
                    "source": np.concatenate(sources),
                    "score": np.concatenate(scores),
                    "bounds": np.cumsum([0, *map(len, scores[1:])]),
                },
            )
    except (KeyboardInterrupt, OSError):
        # Whoever started this process is told of it as well, and does what was not done.
        os._exit(1)


def _write(path: Path, columns: dict[str, NDArray[np.generic]]) -> None:
    """Write columns to a file that is there when it is complete."""
    new = path.with_suffix(".new")
    with new.open("wb") as stream:
        np.savez(stream, **columns)  # type: ignore[arg-type]
    new.replace(path)
