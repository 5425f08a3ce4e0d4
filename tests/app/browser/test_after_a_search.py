"""Starting a search, following it, and what it says when it is done."""

import re

from tests.app.browser.test_whole_way import QUERY, SOURCE


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
