"""How fast the app starts, how much memory it needs, how it bears 100,000 pairs.

    python benchmarks/app.py
    python benchmarks/app.py --database postgresql://USER@HOST/NAME

Starts ``locisimiles app`` as a process of its own, five times, and asks for the first page. Then a
project with 100,000 pairs is made, and asked for pages and filters over HTTP. Where Chromium is
installed (``CHROMIUM``, or ``/usr/bin/chromium``), the table is scrolled and filtered in it, and
tasks that keep the page busy for more than 50 ms are listed. Writes
``benchmarks/results/app.json``.

With ``--database``, the same project is made in a folder and in that database, and both are asked
by turns for pages and for what the views need besides; the project is deleted at the end. Writes
``benchmarks/results/app_postgres.json``.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.results import ResultTable
from locisimiles.app.results.statistics import compute_statistics
from locisimiles.app.storage import open_storage
from locisimiles.app.workspace import Workspace
from locisimiles.examples import load_example_query, load_example_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from locisimiles.app.projects.project import Project

RESULTS = Path(__file__).parent / "results"
PAIRS, CANDIDATES = 100_000, 10
ASKED = {
    "first page": "",
    "page in the middle": "&offset=50000",
    "by author": "&source_author=Ovid",
    "by score, from the middle": "&order=score&offset=50000",
    "unjudged": "&status=unjudged",
    "by words": "&words=uox",
    "rarest words first": "&order=rarity",
}
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-background-networking "
    "--disable-component-update --disable-sync --no-first-run"
).split()


def many_pairs(project: Project, pairs: int) -> None:
    """Fill a project with pairs of the example texts, the query repeated under new ids."""
    query, source = load_example_query(), load_example_source()
    project.set_texts("source", (), source)
    queries = pairs // CANDIDATES
    with project.database.writing() as connection:
        connection.executemany(
            "INSERT INTO segment VALUES ('query', ?, ?, ?, ?, ?, ?, '', '{}')",
            (
                (n, f"{s.id}#{n}", s.text, s.author, s.work, s.locus)
                for n, s in ((n, query[n % len(query)]) for n in range(queries))
            ),
        )
        connection.executemany(
            "INSERT INTO result (query, source, rank, score, query_id, source_id, query_author, "
            "query_work, source_author, source_work, shared, rarity, alignment, explanation) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'uox', ?, '[]', 'Shares uox (1 word).')",
            (
                (
                    n,
                    m,
                    rank,
                    20.0 / rank,
                    f"{q.id}#{n}",
                    s.id,
                    q.author,
                    q.work,
                    s.author,
                    s.work,
                    m,
                )
                for n, q in ((n, query[n % len(query)]) for n in range(queries))
                for rank, m in (
                    (r, (7 * n + 13 * r) % len(source)) for r in range(1, 1 + CANDIDATES)
                )
                for s in (source[m],)
            ),
        )
        connection.execute(
            "INSERT INTO search (parameters, state, created, finished_queries) "
            "VALUES ('{}', 'done', 0, ?)",
            [queries],
        )


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


@contextmanager
def running_app(
    folder: Path, environment: Mapping[str, str] | None = None
) -> Iterator[tuple[str, int, float]]:
    """Start the app; yield its address, its process and the seconds to the first page."""
    port = free_port()
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "locisimiles", "app", "--no-browser", "--port", str(port)],
        stderr=subprocess.DEVNULL,
        env={**os.environ, "LOCISIMILES_PROJECTS": str(folder), **(environment or {})},
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


def resident_megabytes(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def processor_seconds(pid: int) -> float:
    """Return what a process has computed, whatever else the machine does."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def timed(ask: Callable[[], object], times: int = 5) -> float:
    """Return the median of the seconds an answer takes."""
    took = []
    for _ in range(times):
        began = time.perf_counter()
        ask()
        took.append(time.perf_counter() - began)
    return round(statistics.median(took), 4)


def answer(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=60) as answered:
        content: bytes = answered.read()
    return content


def results_address(address: str, project: str, more: str) -> str:
    return f"{address}/api/v1/projects/{project}/results?texts=true&limit=200{more}"


def over_http(address: str, project: str) -> dict[str, float]:
    return {
        name: timed(partial(answer, results_address(address, project, more)))
        for name, more in ASKED.items()
    }


def by_turns(here: Callable[[], object], there: Callable[[], object]) -> dict[str, float]:
    """Return the medians of two, both of which suffer from whatever else the machine does."""
    took = [(timed(here, 1), timed(there, 1)) for _ in range(9)]
    return {
        name: round(statistics.median(times), 4)
        for name, times in zip(("SQLite", "PostgreSQL"), zip(*took, strict=True), strict=True)
    }


def what_views_need(project: Project) -> dict[str, Callable[[], object]]:
    """Return what is asked besides pages."""
    workspace = Workspace(project)
    workspace.go_to(workspace.rows()[PAIRS // 2])
    return {
        "judge and go on": lambda: workspace.judge("cf."),
        "numbers": lambda: compute_statistics(project),
        "map": lambda: ResultTable(project.database).links(),
        "bars of the text": lambda: ResultTable(project.database).by_query(),
    }


def compare(folder: Path, url: str) -> dict[str, Any]:
    """Ask a folder and a database the same."""
    storages = (open_storage(folder), open_storage(None, url))
    here, there = (
        ProjectCollection(storage).create("benchmark of the app") for storage in storages
    )
    try:
        filling = {}
        for name, project in (("SQLite", here), ("PostgreSQL", there)):
            filling[name] = timed(partial(many_pairs, project, PAIRS), 1)
        with there.database.writing() as connection:
            connection.execute("ANALYZE")  # as the server itself does within a minute
        with (
            running_app(folder) as (one, _, _),
            running_app(folder, storages[1].environment()) as (other, _, _),
        ):
            pages = {
                name: by_turns(
                    partial(answer, results_address(one, here.id, more)),
                    partial(answer, results_address(other, there.id, more)),
                )
                for name, more in ASKED.items()
            }
        needed = what_views_need(there)
        return {
            "pairs": PAIRS,
            "load of the machine": round(os.getloadavg()[0], 1),
            "seconds to write them": filling,
            "seconds over HTTP, 200 rows with texts": pages,
            "seconds in the app": {
                name: by_turns(ask, needed[name]) for name, ask in what_views_need(here).items()
            },
        }
    finally:
        ProjectCollection(storages[1]).delete(there.id)
        storages[1].close()


def in_browser(address: str, project: str) -> dict[str, Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1300, "height": 850})
        page.goto(f"{address}/project/{project}")
        page.wait_for_selector(".candidate")
        page.get_by_role("tab", name="Table").click()
        page.wait_for_selector(".ag-row .latin-cell")
        page.wait_for_timeout(1500)
        page.evaluate(
            "() => { window.busy = []; new PerformanceObserver(list => list.getEntries().forEach("
            "e => window.busy.push(e.duration))).observe({type: 'longtask'}); }"
        )
        page.locator(".ag-body-viewport").hover()
        for _ in range(60):
            page.mouse.wheel(0, 1500)
            page.wait_for_timeout(50)
        for step in range(20):
            page.evaluate(
                "s => { const v = document.querySelector('.ag-body-viewport');"
                " v.scrollTop = v.scrollHeight * s / 20; }",
                step,
            )
            page.wait_for_timeout(100)
        scrolling = page.evaluate("() => window.busy.splice(0)")
        began = time.perf_counter()
        page.get_by_label("Words in either text").fill("femina")
        page.wait_for_function(
            "() => { const c = document.querySelector('[role=status]');"
            " return c && !c.textContent.startsWith('100'); }"
        )
        page.wait_for_selector(".ag-row .latin-cell")
        filtering = time.perf_counter() - began
        browser.close()
    return {
        "tasks over 50 ms while scrolling": len(scrolling),
        "longest task while scrolling (ms)": round(max(scrolling, default=0)),
        "filter typed to rows shown (s)": round(filtering, 3),
    }


def keep(measured: dict[str, Any], name: str) -> None:
    (RESULTS / name).write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    for title, value in measured.items():
        print(f"{title}: {value}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--database", default="", help="postgresql://USER@HOST/NAME")
    arguments = parser.parse_args()
    if arguments.database:
        with tempfile.TemporaryDirectory() as name:
            keep(compare(Path(name), arguments.database), "app_postgres.json")
        return
    measured: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        starts, computed = [], []
        for _ in range(arguments.starts):
            with running_app(folder) as (_, pid, seconds):
                starts.append(round(seconds, 3))
                computed.append(processor_seconds(pid))
                memory = resident_megabytes(pid)
        measured["start to first page (s)"] = {
            "median": statistics.median(starts), "all": starts, "bar": 3,
            "of that computing": statistics.median(computed),
            "load of the machine": round(os.getloadavg()[0], 1), "cores": os.cpu_count(),
        }  # fmt: skip
        measured["memory after the first page (MB)"] = {"measured": round(memory), "bar": 400}
        project = ProjectCollection(folder).create("many")
        many_pairs(project, PAIRS)
        with running_app(folder) as (address, pid, _):
            measured["pairs"] = PAIRS
            measured["seconds over HTTP, 200 rows with texts"] = over_http(address, project.id)
            if Path(CHROMIUM).exists():
                measured["in Chromium"] = in_browser(address, project.id)
            measured["memory after that (MB)"] = round(resident_megabytes(pid))
    keep(measured, "app.json")


if __name__ == "__main__":
    main()
