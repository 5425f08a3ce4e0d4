"""Starting a search, following it, and what it says when it is done."""

import json
import re
import time
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.app.browser.test_whole_way import QUERY, SOURCE

from locisimiles.app.projects.collection import ProjectCollection


def in_view(page, locator):
    box, height = locator.bounding_box(), page.viewport_size["height"]
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= height


def made_project(ask, title, query=QUERY, source=SOURCE):
    made = ask.post("/projects", json={"title": title}).json()["id"]
    for side, name, text in (("query", "q.txt", query), ("source", "s.csv", source)):
        if text:
            ask.put(f"/projects/{made}/texts/{side}/{name}", content=text.encode())
    return made


def test_start_is_in_view_and_says_what_it_lacks(page, running, ask):
    made = made_project(ask, "Start", source="")
    page.goto(f"{running.address}/project/{made}")
    start = page.get_by_role("button", name="Start the search")
    page.get_by_text("Add at least one source to start.").wait_for()
    assert start.is_disabled()
    assert in_view(page, start)
    ask.delete(f"/projects/{made}/texts/query/q.txt")
    page.get_by_text("Add a text to examine and at least one source to start.").wait_for()
    many = "".join(f"uox faucibus haesit {number}.\n" for number in range(60))
    ask.put(f"/projects/{made}/texts/query/long.txt", content=many.encode())
    ask.put(f"/projects/{made}/texts/source/s.csv", content=SOURCE.encode())
    page.set_viewport_size({"width": 390, "height": 700})
    page.reload()
    page.get_by_text("60 segments").wait_for()
    assert page.evaluate("document.documentElement.scrollHeight") > 700
    assert in_view(page, start)
    assert start.is_enabled()
    assert page.problems == []


def test_one_progress_names_the_phase_and_the_time_left(page, running, ask):
    many = "".join(f"uox faucibus haesit et {word} tenebat.\n" for word in QUERY.split() * 12)
    made = made_project(ask, "Progress", query=many)
    page.goto(f"{running.address}/project/{made}")
    page.get_by_role("button", name="Start the search").click()
    bar = page.get_by_role("progressbar", name="Progress of the search")
    bar.wait_for()
    page.get_by_text(re.compile(r"\w+ · \d+% · ")).first.wait_for()
    assert 0 <= float(bar.get_attribute("aria-valuenow")) <= 1
    page.locator(".candidate.chosen").wait_for(timeout=60_000)
    assert ask.get(f"/projects/{made}/search").json()["share"] == 1
    assert page.problems == []


ROW_IDS = """() => Array.from(
  document.querySelectorAll('.ag-row'), (row) => row.getAttribute('row-id'))"""
LINE = "haesit uox faucibus numero {} et omnia tuta timeo.\n"


@pytest.fixture
def long_search(ask):
    """Return a project whose search is under way for longer than a test takes."""
    made = made_project(
        ask,
        "Long",
        query="".join(map(LINE.format, range(6000))),
        source="id,text,author,work\n"
        + "".join(f"s{n},{LINE.format(n).strip()},Author {n},Opus\n" for n in range(300)),
    )
    ask.post(f"/projects/{made}/search", json={"method": "bm25", "k": 10})
    while searched(ask, made) == 0:
        time.sleep(0.05)
    yield made
    ask.delete(f"/projects/{made}/search")


def searched(ask, made):
    status = ask.get(f"/projects/{made}/search").json()
    assert status["state"] in ("waiting", "running"), status
    return status["finished_queries"]


def wait_for_blocks(page, ask, made, blocks=2):
    """Wait until more segments are searched, and the page has had time to notice."""
    for _ in range(blocks):
        before = searched(ask, made)
        while searched(ask, made) == before:
            time.sleep(0.05)
    page.wait_for_timeout(2000)


def test_first_results_are_read_and_judged_while_the_search_runs(page, running, ask, long_search):
    made = long_search
    page.goto(f"{running.address}/project/{made}?view=read")
    page.locator(".candidate.chosen").wait_for()
    page.get_by_text(re.compile(r"provisional, [\d,]+ of 6,000 segments searched")).wait_for()
    for key in "cj":
        row = page.locator(".candidate.chosen").get_attribute("data-row")
        page.keyboard.press(key)
        page.locator(f".candidate.chosen:not([data-row='{row}'])").wait_for()
    page.get_by_text("1 judged").wait_for()
    page.wait_for_timeout(300)  # the page follows the keys
    page.locator(".text-side .list").evaluate("(list) => { list.scrollTop = 700; }")
    page.wait_for_timeout(300)
    before, shown = page.url, page.locator(".candidate.chosen .link").inner_text()
    page.keyboard.press("n")
    note = page.get_by_role("dialog").get_by_label("Note")
    note.fill("see ")
    wait_for_blocks(page, ask, made)
    page.keyboard.type("Hagendahl")  # the focus is still in the note
    page.wait_for_timeout(500)
    assert note.input_value() == "see Hagendahl"
    assert (page.url, page.locator(".candidate.chosen .link").inner_text()) == (before, shown)
    assert page.locator(".text-side .list").evaluate("(list) => list.scrollTop") == 700
    searched(ask, made)  # it still runs
    notes = [one["note"] for one in ask.get(f"/projects/{made}/judgements").json()]
    assert "see Hagendahl" in notes
    assert page.problems == []


def test_new_pairs_do_not_move_the_list_until_they_are_asked_for(page, running, ask, long_search):
    made = long_search
    page.goto(f"{running.address}/project/{made}?view=table&order=score")
    rows = page.locator(".ag-center-cols-container .ag-row")
    rows.first.wait_for()
    page.locator(".ag-row .latin-cell").first.wait_for()
    words = page.get_by_label("Words in either text")
    words.focus()
    page.wait_for_function(f"() => ({ROW_IDS})().every((id) => id !== null)")
    before = page.evaluate(ROW_IDS)
    wait_for_blocks(page, ask, made)
    new = page.get_by_role("button", name=re.compile(r"Show [\d,]+ new pairs"))
    new.wait_for()
    assert page.evaluate(ROW_IDS) == before
    assert words.evaluate("(field) => field === document.activeElement")
    listed = ask.get(f"/projects/{made}/results?limit=1").json()["total"]
    promised = int(re.sub(r"\D", "", new.inner_text()))
    assert 0 < promised < listed
    new.click()
    page.wait_for_function(  # the search may have found more in the meantime
        "(most) => { const button = document.querySelector('.show-new');"
        " return !button || Number(button.innerText.replace(/\\D/g, '')) < most; }",
        arg=promised,
    )
    searched(ask, made)  # it still runs
    assert page.problems == []


@pytest.fixture
def judged(running, example):
    """Return a project with probabilities; the first pairs of the text are improbable."""
    with ProjectCollection(running.folder).open(example).database.writing() as connection:
        connection.execute("UPDATE result SET probability = row / 300.0, score = row / 300.0")
        total, expected = connection.execute(
            "SELECT COUNT(*), SUM(probability) FROM result"
        ).fetchone()
        found = {"pairs": total, "expected": expected, "low": 60, "high": 90}
        connection.execute("UPDATE search SET manifest = ?", [json.dumps({"references": found})])
    return example


def test_the_summary_leads_into_the_results(page, running, ask, judged):
    page.goto(f"{running.address}/project/{judged}")
    summary = page.get_by_role("region", name="What was found")
    summary.get_by_text("About 74 references are to be expected among 210 pairs").wait_for()
    summary.get_by_text("(90% interval: 60 to 90)").wait_for()
    assert "order=probability" in page.url  # without being asked
    best = ask.get(f"/projects/{judged}/results?order=probability&limit=3").json()["rows"]
    walked = []
    for row in best:
        page.wait_for_function("(id) => location.search.includes(id)", arg=row["source_id"][-5:])
        walked.append(parse_qs(urlsplit(page.url).query)["to"][0])
        page.keyboard.press("j")
    assert walked == [row["source_id"] for row in best]
    summary.get_by_role("button", name="Read in the order of the text").click()
    page.wait_for_function("() => location.search.includes('order=reading')")
    summary.get_by_role("button", name="Hide the summary").click()
    summary.wait_for(state="hidden")
    page.get_by_role("tab", name="Texts").click()
    summary.get_by_text("Where they cluster").wait_for()
    summary.get_by_text("Most cited").wait_for()
    summary.locator(".summary-list").nth(1).get_by_role("button").first.click()
    page.get_by_text(re.compile("Cited author: ")).wait_for()
    page.locator(".candidate.chosen").wait_for()
    page.goto(f"{running.address}/project/{judged}")
    page.locator(".candidate.chosen").wait_for()
    page.wait_for_timeout(300)
    assert summary.count() == 0 or not summary.is_visible()  # closed is closed
    assert page.problems == []


def test_readers_who_come_back_see_their_text_first(page, running, judged):
    page.goto(f"{running.address}/project/{judged}")
    summary = page.get_by_role("region", name="What was found")
    summary.wait_for()
    page.keyboard.press("c")
    page.get_by_text("1 judged").wait_for()
    assert summary.is_visible()  # nothing moves under the reader
    page.goto(f"{running.address}/project/{judged}")
    page.locator(".candidate.chosen").wait_for()
    page.wait_for_timeout(300)
    assert summary.count() == 0 or not summary.is_visible()
    page.get_by_role("tab", name="Texts").click()
    summary.get_by_text("Where they cluster").wait_for()


def test_the_summary_is_accessible(page, running, judged, axe):
    page.goto(f"{running.address}/project/{judged}?view=texts")
    page.get_by_text("Where they cluster").wait_for()
    for dark in (False, True):
        page.emulate_media(color_scheme="dark" if dark else "light")
        page.reload()
        page.get_by_text("Where they cluster").wait_for()
        page.evaluate(axe)
        found = page.evaluate("() => axe.run('.summary').then((result) => result.violations)")
        assert [(one["id"], len(one["nodes"])) for one in found] == []
