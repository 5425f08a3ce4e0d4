"""Keys and focus in a real browser: alive where nobody types, dead under dialogs and menus."""

import re

FOCUS = """() => { const e = document.activeElement;
  return e === document.body ? 'body' : e.tagName + '.' + e.className; }"""

# The contrast of white or coloured text on each colour of notices, as WCAG counts it.
CONTRASTS = """() => {
  const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
    .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const notice = document.querySelector('.q-notification');
  return ['positive', 'negative', 'warning', 'info'].map((kind) => {
    notice.className = notice.className.replace(/bg-\\w+/, `bg-${kind}`);
    const style = getComputedStyle(notice);
    const [a, b] = [light(style.color), light(style.backgroundColor)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  });
}"""


def open_example(page, running, example):
    page.goto(f"{running.address}/project/{example}")
    page.locator(".candidate.chosen").wait_for()


def judged(ask, project):
    return len(ask.get(f"/projects/{project}/judgements").json())


def listen(page):
    """Remember what the page tells the server about keys."""
    page.evaluate("""() => {
      const tell = window.emitEvent;
      window.told = [];
      window.emitEvent = (name, ...values) => { window.told.push(name); tell(name, ...values); };
    }""")


def test_keys_live_after_a_drop_down_was_used(page, running, example, ask):
    open_example(page, running, example)
    page.get_by_role("combobox", name="Order").click()
    page.get_by_role("option", name="best score first").click()
    page.locator(".q-menu").wait_for(state="detached")
    assert page.evaluate("document.activeElement.closest('.q-select') !== null")
    page.keyboard.press("c")
    page.get_by_text("1 judged").wait_for()
    assert page.locator(".q-menu").count() == 0
    page.keyboard.press("r")
    page.get_by_text("2 judged").wait_for()
    assert judged(ask, example) == 2


def test_typing_never_judges(page, running, example, ask):
    open_example(page, running, example)
    page.get_by_label("Words in either text").fill("")
    page.get_by_label("Words in either text").press_sequentially("curfn")
    page.get_by_text("0 of 210 pairs").wait_for()
    assert judged(ask, example) == 0


def test_keys_are_dead_under_dialogs_and_menus(page, running, example, ask):
    open_example(page, running, example)
    listen(page)
    for opened in (
        lambda: page.keyboard.press("?"),
        lambda: page.get_by_role("button", name="Export").click(),
        lambda: page.get_by_role("button", name="Language").click(),
        lambda: page.get_by_role("button", name="Notices").click(),
        lambda: page.get_by_role("button", name="Your name as a reader").click(),
        lambda: page.keyboard.press("n"),
    ):
        opened()
        page.locator(".q-dialog__inner, .q-menu").first.wait_for()
        page.locator(".q-menu, .q-dialog").first.evaluate("e => e.focus()")
        page.evaluate("window.told = []")
        for key in "cfru":
            page.keyboard.press(key)
        told = page.evaluate("window.told")
        assert [name for name in told if name == "loci_key"] == []
        page.keyboard.press("Escape")
        page.locator(".q-dialog__inner, .q-menu").first.wait_for(state="detached")
        assert page.evaluate(FOCUS) != "body"
    assert [
        one for one in ask.get(f"/projects/{example}/judgements").json() if one["verdict"]
    ] == []


def test_a_link_skips_to_the_results(page, running, example):
    open_example(page, running, example)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the results"
    assert page.locator(".skip").evaluate("e => e.getBoundingClientRect().top") >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.closest('.candidate.chosen') !== null")
    assert page.evaluate("location.hash") == ""


def test_long_lists_are_one_stop_of_the_tab_key(page, running, example):
    open_example(page, running, example)
    stops = "(e) => [...document.querySelectorAll(e)].filter((one) => one.tabIndex === 0).length"
    assert page.locator(".segment").count() > 10
    assert page.evaluate(stops, ".segment") == 1
    assert page.evaluate(stops, ".candidates .link") == 1
    page.locator(".candidate.chosen > .place .link").focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.matches('.candidate.chosen > .also .link')")
    assert page.evaluate(stops, ".candidates .link") == 1
    page.locator(".segment.here").focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.query") == "1"
    page.keyboard.press("Enter")
    page.locator(".segment.here[data-query='1']").wait_for()
    page.wait_for_function("document.activeElement.matches('.segment.here[data-query=\"1\"]')")
    assert page.evaluate(stops, ".segment") == 1


def test_focus_stays_where_it_was_while_judging(page, running, example):
    open_example(page, running, example)
    page.locator(".candidate.chosen .judge.cit").focus()
    page.keyboard.press("Enter")
    page.get_by_text("1 judged").wait_for()
    page.wait_for_function("document.activeElement.matches('.candidate.chosen .judge.cit')")
    page.keyboard.press("j")
    page.locator(".judge.cit[aria-pressed=false]").wait_for()
    page.wait_for_function("document.activeElement.matches('.candidate.chosen .judge.cit')")
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(outline) == "solid"


def test_enter_and_space_choose_rows_of_the_table(page, running, example):
    open_example(page, running, example)
    page.get_by_role("tab", name="Table").click()
    page.locator(".ag-row[row-index='0'] .ag-cell").first.wait_for()
    page.locator(".ag-row[row-index='0'] .ag-cell[col-id=query_id]").click()
    page.locator(".ag-row.chosen-row[row-index='0']").first.wait_for()
    for index, key in ((1, "Enter"), (2, " ")):
        page.wait_for_function("document.activeElement.matches('.ag-cell')")
        page.keyboard.press("ArrowDown")
        page.keyboard.press(key)
        page.locator(f".ag-row.chosen-row[row-index='{index}']").first.wait_for()
    assert page.evaluate(FOCUS) != "body"


def test_notices_stay_in_a_list(page, running, example):
    open_example(page, running, example)
    page.keyboard.press("z")
    page.get_by_text("There is nothing to undo.").first.wait_for()
    page.locator(".q-notification").wait_for(state="detached")
    page.get_by_role("button", name="Notices").click()
    page.locator(".notice-list", has_text=re.compile(r"nothing to undo")).wait_for()
    assert page.locator(".notice-list .notice").count() == 1
    assert page.locator(".notice-count").inner_text() == "1"
    assert page.problems == []


def test_notices_can_be_read(page, running, example):
    open_example(page, running, example)
    page.keyboard.press("z")
    page.locator(".q-notification.bg-info").wait_for()
    contrasts = page.evaluate(CONTRASTS)
    assert len(contrasts) == 4
    assert min(contrasts) >= 4.5, contrasts
