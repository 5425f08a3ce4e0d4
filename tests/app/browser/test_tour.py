"""The tour in a real browser: with the mouse, by keyboard, on a phone, twice."""

import json

import pytest

from locisimiles.app.ui.tour import STEPS
from locisimiles.app.ui.translator import Translator

SERIOUS = """async () => (await axe.run()).violations
  .filter((one) => ['serious', 'critical'].includes(one.impact))
  .map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' | '))"""
# Whether the part of a step is framed, and frame and dialog are in the window.
FRAMED = """(part) => {
  const target = [...document.querySelectorAll(part)].find((one) => one.getClientRects().length);
  const ring = document.querySelector('.tour-ring:not([hidden])');
  if (!target || !ring) return false;
  const frame = ring.getBoundingClientRect(), box = target.getBoundingClientRect();
  const tour = document.querySelector('.tour').getBoundingClientRect();
  return frame.width > 0 && Math.abs(frame.left - Math.max(box.left - 6, 2)) < 3
    && Math.abs(frame.top - Math.max(box.top - 6, 2)) < 3
    && tour.left >= 0 && tour.top >= 0 && tour.right <= innerWidth && tour.bottom <= innerHeight
    && document.documentElement.scrollWidth <= innerWidth;
}"""
FOCUS = "() => document.activeElement.closest('.tour') !== null"


@pytest.fixture(scope="module")
def toured(running, chromium):
    """Take the first steps of the tour, so that the example is searched; return its address."""
    with chromium.open().new_context(locale="en-GB") as context:
        page = context.new_page()
        page.goto(running.address)
        page.get_by_role("button", name="Take the two-minute tour").click()
        page.locator(".tour", has_text="Step 1 of 8").wait_for()
        page.get_by_text("The search is complete.").wait_for(timeout=60_000)
        # The search does not lead away from the step.
        assert page.locator(".q-tab--active").inner_text() == "Texts and search"
        return page.url.split("?")[0]


def step(page, number, language="en"):
    """Wait for a step, with its frame and its dialog in place."""
    place = Translator(language)("tour_place", number=number, total=len(STEPS))
    page.locator(".tour", has_text=place).wait_for()
    page.wait_for_function(FRAMED, arg=STEPS[number - 1].part)


def assert_accessible(page, axe):
    page.evaluate(axe)
    problems = page.evaluate(SERIOUS)
    assert problems == [], json.dumps(problems, indent=1)


def test_it_leads_through_all_views(page, running, toured, axe):
    page.goto(running.address)
    page.get_by_role("button", name="Take the two-minute tour").click()
    views = {"texts": "Texts and search", "read": "Read", "table": "Table", "numbers": "Numbers"}
    for number, one in enumerate(STEPS, start=1):
        step(page, number)
        assert page.locator(".q-tab--active").inner_text() == views[one.view]
        assert page.get_by_role("dialog").get_by_role("button", name="Back").count() == (number > 1)
        if number == len(STEPS):
            assert_accessible(page, axe)
        page.locator(".tour-next").click()
    page.locator(".tour").wait_for(state="detached")
    assert page.url.startswith(toured)  # the same project, searched once
    assert "tour=" not in page.url
    assert page.evaluate("document.activeElement.id") == "results"
    for place in ("", "/help"):
        page.goto(f"{running.address}{place}")
        again = page.get_by_role("button", name="Take the tour again")
        again.wait_for()
    again.click()
    step(page, 1)
    assert page.url.startswith(toured)
    assert not page.problems


def test_it_works_with_keys_and_keys_of_the_page_rest(page, toured, ask):
    page.goto(f"{toured}?view=texts&tour=1")
    step(page, 1)
    assert page.evaluate(FOCUS)
    page.keyboard.press("Enter")
    step(page, 2)
    page.keyboard.press("c")  # would accept the pair
    for _ in range(6):
        page.keyboard.press("Tab")
        assert page.evaluate(FOCUS)
    page.locator(".tour").get_by_role("button", name="Back").focus()
    page.keyboard.press("Enter")
    step(page, 1)
    page.keyboard.press("Escape")
    page.locator(".tour").wait_for(state="detached")
    project = toured.rsplit("/", 1)[1]
    assert ask.get(f"/projects/{project}/judgements").json() == []
    page.get_by_role("tab", name="Read").click()
    page.locator(".candidate.chosen").wait_for()
    page.keyboard.press("?")  # keys work again
    page.get_by_text("previous pair").wait_for()
    page.reload()
    page.locator(".candidate.chosen").wait_for()
    assert page.locator(".tour").count() == 0


def test_on_a_phone_in_german_and_dark(browser, running, toured, axe):
    german = Translator("de")
    size = {"width": 390, "height": 780}
    theme = {"name": "locisimiles_theme", "value": "dark", "url": running.address}
    with browser.new_context(viewport=size, locale="de-DE") as context:
        context.add_cookies([theme])
        page = context.new_page()
        page.goto(f"{toured}?view=texts&tour=1")
        for number, one in enumerate(STEPS, start=1):
            step(page, number, "de")
            shown = page.locator(".tour").inner_text()
            assert german(f"tour_{one.name}") in shown
            assert german(f"tour_{one.name}_title") in shown
            if number == 2:
                assert_accessible(page, axe)
            page.locator(".tour-next").click()
        page.locator(".tour").wait_for(state="detached")
