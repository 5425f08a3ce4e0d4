"""Notes: kept however they are closed, undone and redone as one."""

import pytest


@pytest.fixture
def opened(page, running, example):
    page.goto(f"{running.address}/project/{example}")
    page.locator(".candidate.chosen").wait_for()
    return page


def write(page, text):
    page.keyboard.press("n")
    page.wait_for_function("document.activeElement.tagName === 'TEXTAREA'")
    page.keyboard.type(text)


def test_a_note_closed_with_escape_right_after_the_last_key_is_kept(opened, ask, example):
    write(opened, "see Hagendahl")
    opened.keyboard.press("Escape")
    opened.locator(".own-note", has_text="see Hagendahl").wait_for()
    (kept,) = ask.get(f"/projects/{example}/judgements").json()
    assert kept["note"] == "see Hagendahl"


def test_a_note_is_kept_if_the_page_is_left_right_after_the_last_key(opened, ask, example):
    write(opened, "see Hagendahl")
    opened.reload()
    opened.locator(".own-note", has_text="see Hagendahl").wait_for()
    (kept,) = ask.get(f"/projects/{example}/judgements").json()
    assert kept["note"] == "see Hagendahl"
    assert opened.problems == []


def test_a_note_is_undone_and_redone_as_one(opened):
    note = opened.locator(".own-note")
    write(opened, "one")
    opened.keyboard.press("Escape")
    note.get_by_text("one", exact=True).wait_for()
    write(opened, "two and ")
    opened.wait_for_timeout(700)  # a pause is no new step
    opened.keyboard.type("three ")
    opened.keyboard.press("Escape")
    opened.get_by_role("dialog").wait_for(state="hidden")
    whole = note.inner_text()
    assert "two and three" in whole
    opened.keyboard.press("z")
    note.get_by_text("one", exact=True).wait_for()
    opened.keyboard.press("z")
    note.wait_for(state="detached")
    opened.keyboard.press("y")
    note.get_by_text("one", exact=True).wait_for()
    opened.get_by_role("button", name="Redo").click()
    note.get_by_text("two and three").wait_for()
    assert note.inner_text() == whole
    opened.keyboard.press("y")
    opened.get_by_text("There is nothing to redo").first.wait_for()
    assert opened.problems == []
