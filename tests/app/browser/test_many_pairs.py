"""A hundred thousand pairs in a real browser: scrolled without a jerk, filtered in a moment.

These are the only tests with a clock. Whatever else a machine does makes them slower, never faster;
so each measurement is repeated, and it is enough that one of them stays under its limit. Where
other programs take the processor away, the limit grows by as much as they do, which is measured
beside.
"""

import runpy
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from locisimiles.app.projects.collection import ProjectCollection

PAIRS = 100_000
TRIES = 5
LONGEST_TASK_MS, LONGEST_FILTER_S = 200, 1.0
MOST_ROWS_IN_PAGE = 120

WATCH = """() => {
  window.busy = [];
  new PerformanceObserver((list) => list.getEntries().forEach((e) => window.busy.push(e.duration)))
    .observe({type: 'longtask'});
}"""
WORK = """(ms) => setTimeout(() => {
  const end = performance.now() + ms;
  while (performance.now() < end);
})"""
JUMP = """(share) => {
  const view = document.querySelector('.ag-body-viewport');
  view.scrollTop = view.scrollHeight * share;
}"""


@pytest.fixture(scope="module")
def many(running):
    """Return a project of a hundred thousand pairs."""
    made = ProjectCollection(running.folder).create("many")
    path = Path(__file__).parents[3] / "benchmarks" / "app.py"
    runpy.run_path(str(path))["many_pairs"](made, PAIRS)
    return made.id


@pytest.fixture
def table(page, running, many):
    """Return a page that shows the table, and remembers what it asked for."""
    page.wanted = []
    page.on("request", lambda request: page.wanted.append(urlsplit(request.url)))
    page.goto(f"{running.address}/project/{many}")
    page.locator(".candidate.chosen").wait_for()
    page.get_by_role("tab", name="Table").click()
    page.locator(".ag-row .latin-cell").first.wait_for()
    page.wait_for_timeout(500)
    page.evaluate(WATCH)
    return page


def crowding():
    """Return how many seconds pass while this process computes for one; 1 on a free machine."""
    began, computed = time.monotonic(), time.process_time()
    while time.process_time() < computed + 0.05:
        pass
    return max((time.monotonic() - began) / 0.05, 1.0)


def rows_in_page(page):
    return page.locator(".ag-center-cols-container .ag-row").count()


def scroll(page):
    """Go through the table; return the longest task meanwhile, and the most rows there were."""
    page.evaluate("() => { window.busy.length = 0; }")
    page.locator(".ag-body-viewport").hover()
    rows = 0
    for step in range(12):
        page.mouse.wheel(0, 1500)
        page.wait_for_timeout(50)
        if step % 3 == 0:
            page.evaluate(JUMP, step / 12)
            page.wait_for_timeout(150)
            rows = max(rows, rows_in_page(page))
    page.wait_for_timeout(200)  # what has just happened is told a little later
    return max(page.evaluate("() => window.busy"), default=0), rows


def test_many_pairs_scroll_smoothly(table):
    page = table
    page.evaluate(WORK, 2 * LONGEST_TASK_MS)
    page.wait_for_function("() => window.busy.length > 0")
    assert page.evaluate("() => Math.max(...window.busy)") > LONGEST_TASK_MS  # so it is told

    longest = []
    for _ in range(TRIES):
        crowded = crowding()
        task, rows = scroll(page)
        assert 5 < rows <= MOST_ROWS_IN_PAGE
        longest.append(task / max(crowded, crowding()))
        if longest[-1] <= LONGEST_TASK_MS:
            break
    assert min(longest) <= LONGEST_TASK_MS, longest

    page.evaluate(JUMP, 1)
    page.locator(f".ag-row[row-index='{PAIRS - 1}'] .ag-cell[col-id=query_id]").wait_for()
    pages = [parse_qs(one.query) for one in page.wanted if one.path.endswith("/results")]
    assert all(int(one["limit"][0]) <= 100 for one in pages)
    assert len({one["offset"][0] for one in pages}) > 5
    assert sum(int(one["limit"][0]) for one in pages) < PAIRS / 10
    assert page.problems == []


def test_many_pairs_are_filtered_in_a_moment(table, ask, many):
    page, took = table, []
    counts = {
        word: ask.get(f"/projects/{many}/results", params={"words": word}).json()["total"]
        for word in ("femina", "faucibus")
    }
    assert all(0 < count < PAIRS for count in counts.values())
    for number in range(TRIES):
        word = list(counts)[number % 2]
        shown = f"{counts[word]:,} of {PAIRS:,}"
        crowded, began = crowding(), time.monotonic()
        page.get_by_label("Words in either text").fill(word)
        page.get_by_text(shown).wait_for()
        page.get_by_text(word).first.wait_for()  # in the chosen pair, below the table
        took.append((time.monotonic() - began) / max(crowded, crowding()))
        assert rows_in_page(page) <= MOST_ROWS_IN_PAGE
        if took[-1] <= LONGEST_FILTER_S:
            break
    assert min(took) <= LONGEST_FILTER_S, took
    assert page.problems == []
