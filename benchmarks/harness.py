"""What the scripts beside this one share: options, clocks, processes, tables and results."""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

RESULTS = Path(__file__).parent / "results"


def parser(description: str) -> argparse.ArgumentParser:
    """Return a parser of options whose help begins with the docstring of a script."""
    return argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def timings(
    work: Callable[[], object], times: int = 1, clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    """Return the seconds that some work takes, each time it is done."""
    taken = []
    for _ in range(times):
        began = clock()
        work()
        taken.append(clock() - began)
    return taken


def in_rounds(
    workers: Mapping[str, Callable[[slice], NDArray[Any]]], size: int, rounds: int
) -> dict[str, tuple[NDArray[Any], dict[str, float]]]:
    """Let each worker do a part of the work in turn, so that other load slows all alike.

    Return the output of each, and its seconds on the clock and of the processor.
    """
    outputs: dict[str, list[NDArray[Any]]] = {name: [] for name in workers}
    taken = {name: {"seconds": 0.0, "cpu_seconds": 0.0} for name in workers}
    for part in range(rounds):
        rows = slice(size * part // rounds, size * (part + 1) // rounds)
        for name, work in workers.items():
            began, used = time.perf_counter(), time.process_time()
            outputs[name].append(work(rows))
            taken[name]["seconds"] += time.perf_counter() - began
            taken[name]["cpu_seconds"] += time.process_time() - used
    return {name: (np.concatenate(parts), taken[name]) for name, parts in outputs.items()}


def add_ratios(rows: Sequence[dict[str, Any]], speed: str, cpu_speed: str) -> None:
    """Compare the speeds of rows with the best of the first two, which are those of torch."""
    best, best_cpu = (max(row[key] for row in rows[:2]) for key in (speed, cpu_speed))
    for row in rows:
        row["times_torch"] = round(row[speed] / best, 2)
        row["times_torch_by_cpu"] = round(row[cpu_speed] / best_cpu, 2)


def peak_megabytes() -> float:
    """Return the most memory that this process has needed so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def in_fresh_process(
    code: str,
    *arguments: str,
    python: str | Path = sys.executable,
    given: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> str:
    """Run code in a new interpreter, with text on its standard input; return what it prints."""
    return subprocess.run(
        [str(python), "-c", code, *arguments],
        input=given,
        check=True,
        capture_output=True,
        text=True,
        env=environment,
    ).stdout


@contextmanager
def running_app(
    folder: Path, environment: Mapping[str, str] | None = None
) -> Iterator[tuple[str, int, float]]:
    """Start the app on a folder of projects; yield address, process, seconds to the first page."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "locisimiles", "app", "--no-browser", "--port", str(port)],
        stderr=subprocess.DEVNULL,
        env={
            **os.environ,
            "LOCISIMILES_PROJECTS": str(folder),
            "LOCISIMILES_NO_TOKEN": "1",
            **(environment or {}),
        },
    )
    address = f"http://127.0.0.1:{port}"
    try:
        while True:
            try:
                urllib.request.urlopen(f"{address}/", timeout=10).read()
                break
            except (urllib.error.URLError, ConnectionError):
                if process.poll() is not None:
                    raise
                time.sleep(0.02)
        yield address, process.pid, time.perf_counter() - began
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)


def average_precision(score: NDArray[Any], truth: NDArray[np.bool_], relevant: int) -> float:
    """Return average precision in percent; `relevant` counts those that were not found, too."""
    hits = truth[np.argsort(-score, kind="stable")]
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return 100 * float((precision * hits).sum() / max(relevant, 1))


def print_table(rows: Iterable[Mapping[str, object]]) -> None:
    """Print rows under the names of their columns."""
    listed = list(rows)
    heads = list(dict.fromkeys(name for row in listed for name in row))
    cells = [heads, *([_cell(row.get(head, "")) for head in heads] for row in listed)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for first, *others in cells:
        line = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        print("  ".join([first.ljust(widths[0]), *line]), flush=True)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1 else f"{value:,.2f}"
    is_count = isinstance(value, int) and not isinstance(value, bool)
    return f"{value:,}" if is_count else str(value)


def save_results(name: str, content: Mapping[str, object], path: Path | None = None) -> None:
    """Write results to ``results/NAME.json``, or to another file."""
    path = path or RESULTS / f"{name}.json"
    path.parent.mkdir(exist_ok=True)
    text = json.dumps(content, indent=1, ensure_ascii=False)
    path.write_text(f"{text}\n", encoding="utf-8")
