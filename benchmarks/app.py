"""How fast the app starts, how much memory it needs, and how fast it is with many pairs.

    python benchmarks/app.py
    python benchmarks/app.py --pairs 1000000
    python benchmarks/app.py --database postgresql://USER@HOST/NAME

Starts ``locisimiles app`` in its own process, five times, and requests the first page; then
requests pages and filters of a project with 100,000 pairs over HTTP. Where Chromium is installed
(``CHROMIUM``, or ``/usr/bin/chromium``), judges pairs with a key, scrolls and filters the table in
it, and lists tasks that keep the page busy for more than 50 ms. Then measures every view with
1,000,000 pairs that have probabilities: any page, in every order and with filters, the next pair, a
verdict, the figures. Where we want a limit kept, it stands beside as ``bar``. Writes
``benchmarks/results/app.json``; with ``--pairs``, only the rows of that number.

With ``--database``, creates the same project in a folder and in that database, and requests pages
and what else the views need from both in turn; deletes the project at the end. Writes
``benchmarks/results/app_postgres.json``.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
import urllib.request
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import RESULTS, parser, running_app, save_results, timings
from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.results import ORDERS, ResultFigures, ResultFilter, ResultTable
from locisimiles.app.results.places import find_places
from locisimiles.app.results.statistics import compute_statistics
from locisimiles.app.results.summary import compute_summary
from locisimiles.app.storage import open_storage
from locisimiles.app.workspace import Workspace
from locisimiles.examples import load_example_query, load_example_source

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from locisimiles.app.projects.project import Project

PAIRS, MANY_PAIRS, CANDIDATES = 100_000, 1_000_000, 10
REQUESTS = {
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


def many_pairs(project: Project, pairs: int, *, probable: bool = False) -> None:
    """Fill a project with pairs of the example texts, the query repeated under new ids.

    If `probable`, they have probabilities, most of them small, and types.
    """
    query, source = load_example_query(), load_example_source()
    project.set_texts("source", (), source)
    queries = pairs // CANDIDATES
    with project.database.writing() as connection:
        connection.executemany(
            "INSERT INTO segment VALUES ('query', 1, ?, ?, ?, ?, ?, ?, '', '{}')",
            (
                (n, f"{s.id}#{n}", s.text, s.author, s.work, s.locus)
                for n, s in ((n, query[n % len(query)]) for n in range(queries))
            ),
        )
        connection.executemany(
            "INSERT INTO result (search, query, source, rank, score, query_id, source_id, "
            "query_author, query_work, source_author, source_work, shared, rarity, alignment, "
            "explanation) "
            "VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'uox', ?, '[]', 'Shares uox (1 word).')",
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
            "INSERT INTO search (parameters, state, created, finished_queries, query_edition, "
            "source_edition) SELECT '{}', 'done', 0, ?, 1, number FROM edition "
            "WHERE side = 'source' AND is_current = 1",
            [queries],
        )
        if probable:
            connection.execute(
                "UPDATE result SET probability = (row * 7919 % 999983) / 999983.0 * "
                "((row * 104729) % 999979) / 999979.0 / rank, "
                "type = CASE WHEN row % 3 = 0 THEN 'cit.' ELSE 'cf.' END"
            )
            connection.execute("UPDATE result SET score = probability")


FILTERS = {
    "all": ResultFilter(),
    "one author, unjudged": ResultFilter(source_author="Ovid", status="unjudged"),
    "words": ResultFilter(words="femina"),
    "probable": ResultFilter(least_probability=0.5),
    "rare words": ResultFilter(most_rarity=20),
    "judged": ResultFilter(status="judged"),
}


def slowest(requests: dict[str, Callable[[], object]]) -> dict[str, Any]:
    """Return the slowest of some requests, by processor time: what others do does not count."""
    computed: dict[str, float] = {}
    waited: dict[str, float] = {}
    for name, request in requests.items():
        tries = []
        for _ in range(2):
            began, computing = time.perf_counter(), time.process_time()
            request()
            tries.append((time.process_time() - computing, time.perf_counter() - began))
        computed[name], waited[name] = (round(min(both), 3) for both in zip(*tries, strict=True))
    worst = max(computed, key=lambda name: computed[name])
    return {
        "slowest": computed[worst], "which": worst, "on the clock": waited[worst],
        "median": round(statistics.median(computed.values()), 3), "requests": len(computed),
    }  # fmt: skip


def every_view(project: Project) -> dict[str, Any]:
    """Measure what the views request, in every order and with filters that keep few or many."""
    results, workspace = ResultTable(project.database), Workspace(project)
    workspace.choose_search(None)
    for _ in range(200):
        workspace.judge("cf.")
    pages: dict[str, Callable[[], object]] = {}
    steps: dict[str, Callable[[], object]] = {}
    places: dict[str, Callable[[], object]] = {}
    for name, wanted in FILTERS.items():
        total = results.count(wanted)
        for order in ORDERS:
            for at in (0, total // 2, max(total - 200, 0)):
                pages[f"{name}, by {order}, from {at}"] = partial(
                    results.page, wanted, order=order, offset=at, limit=200, texts=True
                )
            middle = results.page(wanted, order=order, offset=total // 2, limit=1).rows[0]["row"]
            for backwards in (False, True):
                steps[f"{name}, by {order}{', back' if backwards else ''}"] = partial(
                    results.neighbour, middle, wanted, order=order, backwards=backwards
                )
            places[f"{name}, by {order}"] = partial(results.position, middle, wanted, order=order)
    bars = partial(ResultFigures(project.database).bars, 120, MANY_PAIRS // CANDIDATES)
    views: dict[str, Callable[[], object]] = {}
    for name, wanted in FILTERS.items():
        views |= {
            f"numbers, {name}": partial(compute_statistics, project, wanted),
            f"map, {name}": partial(results.links, wanted),
            f"dot plot, {name}": partial(find_places, project, wanted),
            f"bars of the text, {name}": partial(bars, wanted),
        }
    views["dot plot, as it opens"] = partial(find_places, project, likely="probable")
    return {
        "measured in": "seconds of computing",
        "pages of the table": slowest(pages) | {"bar": 1},
        "next and previous pair": slowest(steps),
        "place of a pair in the table": slowest(places),
        "figures": slowest(views),
        "summary": slowest({"summary": partial(compute_summary, project)}),
        "judge and go on": slowest({"verdict": partial(workspace.judge, "cf.")}),
    }


def with_many(folder: Path) -> dict[str, Any]:
    """Measure a project with a million pairs, in this process and in a browser."""
    project = ProjectCollection(folder).create("million")
    seconds = timed(partial(many_pairs, project, MANY_PAIRS, probable=True), 1)
    measured: dict[str, Any] = {
        "load of the machine": round(os.getloadavg()[0], 1),
        "seconds to write them": seconds,
        **every_view(project),
    }
    with running_app(folder) as (address, pid, _):
        measured["seconds over HTTP, 200 rows with texts"] = over_http(address, project.id)
        if Path(CHROMIUM).exists():
            measured["in Chromium"] = views_in_browser(address, project.id)
        measured["memory after that (MB)"] = round(resident_megabytes(pid))
    return measured


def views_in_browser(address: str, project: str) -> dict[str, float]:
    """Return the seconds from opening a view, or pressing a key, to what it shows."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1300, "height": 850})
        took = {}

        def measure(name: str, do: Callable[[], object], shown: str) -> None:
            began = time.perf_counter()
            do()
            page.locator(shown).first.wait_for()
            took[name] = round(time.perf_counter() - began, 3)
            page.wait_for_timeout(1500)

        def tab(name: str) -> Callable[[], object]:
            return page.get_by_role("tab", name=name, exact=True).click

        def chosen() -> str:
            row = page.locator(".candidate.chosen").get_attribute("data-row")
            return f".candidate.chosen:not([data-row='{row}'])"

        measure("open", lambda: page.goto(f"{address}/project/{project}"), ".candidate.chosen")
        measure("next pair", lambda: page.keyboard.press("j"), chosen())
        measure("verdict", lambda: page.keyboard.press("r"), chosen())
        measure("table", tab("Table"), ".ag-row .latin-cell")
        measure("verdict in the table", lambda: page.keyboard.press("r"), chosen())
        measure("numbers", tab("Numbers"), ".figure canvas")
        measure("map", tab("Map"), ".figure-of-flows canvas")
        measure("read again", tab("Read"), ".candidate.chosen")
        browser.close()
    return took


def resident_megabytes(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process, whatever else the machine does."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def timed(request: Callable[[], object], times: int = 5) -> float:
    """Return the median of the seconds that a response takes."""
    return round(statistics.median(timings(request, times)), 4)


def response(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=60) as stream:
        content: bytes = stream.read()
    return content


def results_address(address: str, project: str, more: str) -> str:
    return f"{address}/api/v1/projects/{project}/results?texts=true&limit=200{more}"


def over_http(address: str, project: str) -> dict[str, float]:
    return {
        name: timed(partial(response, results_address(address, project, more)))
        for name, more in REQUESTS.items()
    }


def in_turn(here: Callable[[], object], there: Callable[[], object]) -> dict[str, float]:
    """Return the medians of two that run in turn, so that other load slows both."""
    took = [(timed(here, 1), timed(there, 1)) for _ in range(9)]
    return {
        name: round(statistics.median(times), 4)
        for name, times in zip(("SQLite", "PostgreSQL"), zip(*took, strict=True), strict=True)
    }


def requests_of_views(project: Project) -> dict[str, Callable[[], object]]:
    """Return what views request besides pages."""
    workspace = Workspace(project)
    middle = workspace.results.page(offset=PAIRS // 2, limit=1)
    workspace.go_to(middle.rows[0]["row"])
    return {
        "judge and go on": lambda: workspace.judge("cf."),
        "numbers": lambda: compute_statistics(project),
        "map": lambda: ResultTable(project.database).links(),
        "bars of the text": lambda: ResultFigures(project.database).bars(120, PAIRS // CANDIDATES),
    }


def compare(folder: Path, url: str) -> dict[str, Any]:
    """Send the same requests to a folder and to a database."""
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
                name: in_turn(
                    partial(response, results_address(one, here.id, more)),
                    partial(response, results_address(other, there.id, more)),
                )
                for name, more in REQUESTS.items()
            }
        needed = requests_of_views(there)
        return {
            "pairs": PAIRS,
            "load of the machine": round(os.getloadavg()[0], 1),
            "seconds to write them": filling,
            "seconds over HTTP, 200 rows with texts": pages,
            "seconds in the app": {
                name: in_turn(request, needed[name])
                for name, request in requests_of_views(here).items()
            },
        }
    finally:
        ProjectCollection(storages[1]).delete(there.id)
        storages[1].close()


def verdict(page: Page) -> float:
    """Judge the chosen pair with a key; return the seconds until the next one is chosen."""
    row = page.locator(".candidate.chosen").get_attribute("data-row")
    began = time.perf_counter()
    page.keyboard.press("r")
    page.locator(f".candidate.chosen:not([data-row='{row}'])").wait_for()
    took = time.perf_counter() - began
    page.wait_for_timeout(300)
    return took


def filter_table(page: Page, word: str) -> float:
    """Type a word to search for; return the seconds until the table shows what has it."""
    shown = page.locator(".count").inner_text()
    began = time.perf_counter()
    page.get_by_label("Words in either text").fill(word)
    page.wait_for_function(
        "shown => { const count = document.querySelector('.count');"
        " return count && count.innerText !== shown; }",
        arg=shown,
    )
    page.wait_for_selector(".ag-row .latin-cell")
    took = time.perf_counter() - began
    page.wait_for_timeout(500)
    return took


def against(seconds: list[float], bar: float) -> dict[str, Any]:
    """Return measurements with their median and what it should not exceed."""
    return {
        "median": round(statistics.median(seconds), 3),
        "all": [round(one, 3) for one in seconds], "bar": bar,
    }  # fmt: skip


def in_browser(address: str, project: str) -> dict[str, Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1300, "height": 850})
        page.goto(f"{address}/project/{project}")
        page.wait_for_selector(".candidate.chosen")
        page.wait_for_timeout(1500)
        judging = [verdict(page) for _ in range(9)]
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
        filtering = [
            filter_table(page, word) for word in ("femina", "uox", "femina", "uox", "femina")
        ]
        browser.close()
    return {
        "tasks over 50 ms while scrolling": len(scrolling),
        "longest task while scrolling (ms)": round(max(scrolling, default=0)),
        "filter typed to rows shown (s)": against(filtering, 0.6),
        "verdict to the next pair (s)": against(judging, 0.12),
    }


def report(name: str, measured: dict[str, Any]) -> None:
    for title, value in measured.items():
        print(f"{title}: {value}")
    save_results(name, measured)


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--starts", type=int, default=5)
    options.add_argument("--pairs", type=int, default=0, choices=(0, PAIRS, MANY_PAIRS))
    options.add_argument("--database", default="", help="postgresql://USER@HOST/NAME")
    arguments = options.parse_args()
    if arguments.database:
        with tempfile.TemporaryDirectory() as name:
            report("app_postgres", compare(Path(name), arguments.database))
        return
    measured = known_results() if arguments.pairs else {}
    if arguments.pairs != MANY_PAIRS:
        with tempfile.TemporaryDirectory() as name:
            measured |= with_some(Path(name), arguments.starts)
    if arguments.pairs != PAIRS:
        with tempfile.TemporaryDirectory() as name:
            measured["with 1,000,000 pairs"] = with_many(Path(name))
    report("app", measured)


def known_results() -> dict[str, Any]:
    path = RESULTS / "app.json"
    known: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return known


def with_some(folder: Path, times: int) -> dict[str, Any]:
    """Measure the start, and a project with 100,000 pairs."""
    measured: dict[str, Any] = {}
    starts, computed = [], []
    for _ in range(times):
        with running_app(folder) as (_, pid, seconds):
            starts.append(seconds)
            computed.append(processor_seconds(pid))
            memory = resident_megabytes(pid)
    measured["start to first page (s)"] = {
        **against(starts, 1.2),
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
    return measured


if __name__ == "__main__":
    main()
