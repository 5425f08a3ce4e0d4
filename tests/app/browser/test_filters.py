"""Filters in a real browser: one row, a chip for each that is set, the others in a drawer."""

import pytest

ACTIVE = "document.activeElement.getAttribute('aria-label') || document.activeElement.innerText"


def open_example(page, running, example, search=""):
    page.goto(f"{running.address}/project/{example}{search}")
    page.locator(".candidate.chosen").wait_for()


def chips(page):
    return [text.split("\n")[0] for text in page.locator(".filter-chip").all_inner_texts()]


def test_filters_are_set_in_a_drawer_and_removed_by_their_chips(page, running, example):
    open_example(page, running, example)
    assert page.locator(".filter-row").bounding_box()["height"] < 60
    assert chips(page) == []
    page.get_by_role("button", name="Filters").focus()
    page.keyboard.press("Enter")
    drawer = page.get_by_role("dialog", name="Filters")
    drawer.get_by_role("combobox", name="Cited author").click()
    page.get_by_role("option", name="Virgil").click()
    drawer.get_by_label("Best n per segment").fill("2")
    page.wait_for_url("**best=2**")
    page.locator(".filter-chip").nth(1).wait_for()
    assert drawer.get_by_role("status").inner_text() in page.locator(".count").inner_text()
    page.keyboard.press("Escape")
    drawer.wait_for(state="detached")
    page.wait_for_function(f"({ACTIVE}).includes('Filters')")

    page.reload()
    page.locator(".candidate.chosen").wait_for()
    assert chips(page) == ["Cited author: Virgil", "Best n per segment: 2"]
    remove = page.get_by_role("button", name="Remove this filter (Best n per segment: 2)")
    remove.focus()
    page.keyboard.press("Enter")
    remove.wait_for(state="detached")
    page.wait_for_function(f"({ACTIVE}).includes('Cited author: Virgil')")  # the chip beside it
    page.keyboard.press("Space")
    page.get_by_text("210 of 210 pairs").wait_for()
    page.wait_for_function(f"({ACTIVE}).includes('Filters')")
    page.wait_for_url(lambda url: "source_author" not in url)
    assert page.get_by_role("button", name="Clear all filters").count() == 0
    assert page.problems == []


def test_all_filters_are_cleared_at_once_with_words(page, running, example):
    open_example(page, running, example, "?status=unjudged&words=uox&source_author=Virgil")
    assert page.get_by_label("Words in either text").input_value() == "uox"
    assert "Status: not judged" in page.locator(".chips").inner_text()
    page.get_by_role("button", name="Clear all filters").focus()
    page.keyboard.press("Enter")
    page.get_by_text("210 of 210 pairs").wait_for()
    page.wait_for_function(f"({ACTIVE}).includes('Filters')")
    assert page.get_by_label("Words in either text").input_value() == ""


@pytest.mark.parametrize("language", ["de", "fr"])
def test_chips_and_drawer_fit_a_phone(browser, running, example, axe, language):
    with browser.new_context(locale=language, viewport={"width": 390, "height": 800}) as context:
        opened = context.new_page()
        open_example(opened, running, example, "?status=unjudged&best=3&source_author=Virgil")
        assert opened.locator(".filter-chip").count() == 3
        wide = "document.documentElement.scrollWidth <= innerWidth"
        assert opened.evaluate(wide)
        opened.locator(".open-filters").click()
        opened.locator(".filter-drawer").wait_for()
        assert opened.evaluate(wide)
        opened.evaluate(axe)
        found = opened.evaluate("async () => (await axe.run()).violations")
        serious = [one for one in found if one["impact"] in ("serious", "critical")]
        assert [(one["id"], [n["html"] for n in one["nodes"]]) for one in serious] == []
