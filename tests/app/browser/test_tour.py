"""The tour in a real browser: with the mouse, by keyboard, on a phone, twice."""

import json

import pytest

from locisimiles.app.ui.tour import STEPS
from locisimiles.app.ui.translator import Translator

SERIOUS = """async () => (await axe.run()).violations
  .filter((one) => ['serious', 'critical'].includes(one.impact))
  .map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' | '))"""
# How much of the framed part the frame covers, and whether dialog and frame are in the window.
FRAMED = """(part) => {
  const target = [...document.querySelectorAll(part)].find((one) => one.getClientRects().length);
  const ring = document.querySelector('.tour-ring').getBoundingClientRect();
  const box = target.getBoundingClientRect(), tour = document.querySelector('.tour').getBoundingClientRect();
  return {
    framed: ring.left <= box.left + 1 && ring.top <= box.top + 1 && ring.width > 0,
    inside: tour.left >= 0 && tour.top >= 0 && tour.right <= innerWidth && tour.bottom <= innerHeight,
    wide: document.documentElement.scrollWidth <= innerWidth,
  };
}"""
FOCUS = "() => document.activeElement.closest('.tour') !== null"


@pytest.fixture(scope="module")
def toured(running, browser):
    """Take the first steps of the tour, so that the example is searched; return its address."""
    with browser.new_context(locale="en-GB") as context:
        page = context.new_page()
        page.goto(running.address)
        page.get_by_role("button", name="Take the two-minute tour").click()
        page.locator(".tour", has_text="Step 1 of 8").wait_for()
        page.get_by_text("The search is complete.").wait_for(timeout=60_000)
        # The search does not lead away from the step.
        assert page.locator(".q-tab--active").inner_text() == "Texts and search"
        return page.url.split("?")[0]


def step(page, number):
    page.locator(".tour", has_text=f"Step {number} of {len(STEPS)}").wait_for()
    page.locator(".tour-ring:not([hidden])").wait_for()
    page.wait_for_timeout(450)  # the frame follows the view


def test_it_leads_through_all_views(page, running, toured):
    page.goto(running.address)
    page.get_by_role("button", name="Take the two-minute tour").click()
    views = {"texts": "Texts and search", "read": "Read", "table": "Table", "numbers": "Numbers"}
    for number, one in enumerate(STEPS, start=1):
        step(page, number)
        assert page.locator(".q-tab--active").inner_text() == views[one.view]
        assert page.evaluate(FRAMED, one.part) == {"framed": True, "inside": True, "wide": True}
        assert page.get_by_role("dialog").get_by_role("button", name="Back").count() == (number > 1)
        page.locator(".tour-next").click()
    page.locator(".tour").wait_for(state="detached")
    assert page.url.startswith(toured)  # the same project, searched once
    assert "tour=" not in page.url
    assert page.evaluate("document.activeElement.id") == "results"
    assert not page.problems


def test_it_works_with_keys_and_keys_of_the_page_rest(page, running, toured, ask):
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


def test_it_remembers_and_can_be_taken_again(page, running, toured):
    page.goto(f"{toured}?view=texts&tour=1")
    step(page, 1)
    page.get_by_role("button", name="End the tour").click()
    page.locator(".tour").wait_for(state="detached")
    for place in ("", "/help"):
        page.goto(f"{running.address}{place}")
        again = page.get_by_role("button", name="Take the tour again")
        again.wait_for()
    again.click()
    step(page, 1)
    assert page.url.startswith(toured)


@pytest.mark.parametrize("language", ["en", "de", "it", "fr"])
def test_on_a_phone_in_every_language(browser, running, toured, axe, language):
    t = Translator(language)
    size = {"width": 390, "height": 780}
    theme = {"name": "locisimiles_theme", "value": "dark", "url": running.address}
    with browser.new_context(viewport=size, locale=language) as context:
        context.add_cookies([theme])
        page = context.new_page()
        page.goto(f"{toured}?view=texts&tour=1")
        for number, one in enumerate(STEPS, start=1):
            place = t("tour_place", number=number, total=len(STEPS))
            page.locator(".tour", has_text=place).wait_for()
            page.wait_for_timeout(300)
            shown = page.locator(".tour").inner_text()
            assert t(f"tour_{one.name}") in shown
            assert t(f"tour_{one.name}_title") in shown
            if language == "en" or number == 1:
                page.wait_for_timeout(300)
                found = page.evaluate(FRAMED, one.part)
                assert found == {"framed": True, "inside": True, "wide": True}, one.name
            page.locator(".tour-next").click()
        page.locator(".tour").wait_for(state="detached")


def test_axe_finds_nothing_serious(page, running, toured, axe):
    page.goto(f"{toured}?view=texts&tour=1")
    for number in (1, 2):
        step(page, number)
        page.evaluate(axe)
        problems = page.evaluate(SERIOUS)
        assert problems == [], json.dumps(problems, indent=1)
        page.locator(".tour-next").click()
