"""The table in a real browser: keywords in context, hits, and many pairs judged at once."""

import re

import pytest

from locisimiles.app.projects.collection import ProjectCollection

ROWS = ".ag-center-cols-container .ag-row"
# What a cell shows: its words, and for each matching word its number.
CELL = """(cell) => ({
  text: cell.innerText,
  numbers: [...cell.querySelectorAll('mark[data-n]')].map((mark) => mark.dataset.n),
  hits: [...cell.querySelectorAll('mark.hit')].map((mark) => mark.textContent),
  title: cell.querySelector('.kwic').title,
})"""
# Where the keyword stands in its cell, from 0 to 1.
MIDDLE = """(cell) => {
  const [box, word] = [cell, cell.querySelector('.keyword')].map((e) => e.getBoundingClientRect());
  return ((word.left + word.right) / 2 - box.left) / box.width;
}"""
FITS = """(cell) => [...cell.querySelectorAll('.kwic > *')]
  .every((part) => part.scrollWidth <= part.clientWidth + 1)"""
WIDE = "document.documentElement.scrollWidth <= innerWidth"


def open_table(page, running, project, search=""):
    page.goto(f"{running.address}/project/{project}?view=table{search}")
    page.locator(f"{ROWS} .kwic mark").first.wait_for()
    page.wait_for_timeout(300)


def cell(page, index, column):
    return page.locator(f"{ROWS}[row-index='{index}'] .ag-cell[col-id={column}]")


def wait_for_selected(page, count):
    page.wait_for_function(f"document.querySelectorAll('{ROWS}.selected-row').length === {count}")


def verdicts(ask, project):
    judged = ask.get(f"/projects/{project}/judgements").json()
    return {(one["query_id"], one["source_id"]): one["verdict"] for one in judged}


def first_pairs(ask, project, count):
    rows = ask.get(f"/projects/{project}/results", params={"limit": count}).json()["rows"]
    return [(row["query_id"], row["source_id"]) for row in rows]


def test_both_texts_are_keywords_in_context(page, running, example):
    open_table(page, running, example)
    both = 0
    for index in range(8):
        query, source = (cell(page, index, f"{side}_text") for side in ("query", "source"))
        assert query.bounding_box()["y"] == source.bounding_box()["y"]
        shown = [one.evaluate(CELL) for one in (query, source)]
        for one, place in zip(shown, (query, source), strict=True):
            words = one["text"].replace("…", "").split()
            assert set(words) <= set(one["title"].split())  # whole words of the text
            assert place.evaluate(FITS)
            assert 0.4 < place.evaluate(MIDDLE) < 0.6
        both += bool(set(shown[0]["numbers"]) & set(shown[1]["numbers"]))
    assert both == 8
    mark = cell(page, 0, "query_text").locator("mark").first
    assert "underline" in mark.evaluate("e => getComputedStyle(e).textDecorationLine")
    assert "1" in mark.evaluate("e => getComputedStyle(e, '::after').content")
    # Both texts are in view at once.
    right = cell(page, 0, "source_text").bounding_box()
    assert right["x"] + right["width"] <= 1300
    assert page.evaluate(WIDE)

    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(500)
    assert page.evaluate(WIDE)
    assert cell(page, 0, "query_text").evaluate(FITS)
    assert cell(page, 0, "query_text").bounding_box()["width"] <= 330
    page.locator(".ag-body-viewport").evaluate("e => 1")
    page.locator(".ag-center-cols-viewport").evaluate("e => { e.scrollLeft = 600; }")
    cell(page, 0, "source_text").locator(".kwic").wait_for()
    assert page.evaluate(WIDE)
    assert page.problems == []


def test_the_locus_of_a_long_citation_is_never_cut_off(page, running, ask):
    made = ask.post("/projects", json={"title": "Long names"}).json()["id"]
    for side, author in (("query", "Marcus Longinus Rhetor"), ("source", "Pseudo-Maro Minor")):
        table = (
            f'id,text,author,work,locus\na,uox faucibus haesit,{author},De naufragiis,"12.345"\n'
        )
        ask.put(f"/projects/{made}/texts/{side}/t.csv", content=table.encode())
    ask.post(f"/projects/{made}/search", json={"method": "bm25", "k": 1})
    open_table(page, running, made)
    for side in ("query", "source"):
        place = cell(page, 0, f"{side}_id")
        assert place.locator(".cited-locus").inner_text() == "12.345"
        assert place.evaluate(
            """cell => cell.querySelector('.cited-locus').getBoundingClientRect().right
              <= cell.getBoundingClientRect().right
              && cell.querySelector('.cited-work').scrollWidth
              > cell.querySelector('.cited-work').clientWidth"""
        )
    assert place.locator(".citation").get_attribute("title").startswith("Pseudo-Maro Minor, De nau")


HITS = {
    '"vox faucibus"': {"vox", "uox", "faucibus"},
    "lemma:haereo": {"haesit", "haesi", "haerent"},
    "fauc*": {"faucibus"},
}


def test_hits_of_phrases_lemmas_and_wildcards_are_marked_in_both_texts(page, running, example):
    open_table(page, running, example)
    for words, hits in HITS.items():
        page.get_by_label("Words in either text").fill("")
        page.locator(".pair mark.hit").first.wait_for(state="detached")
        page.get_by_label("Words in either text").fill(words)
        page.locator(".kwic mark.hit").first.wait_for()
        for side in ("query", "source"):
            found = page.locator(f".ag-cell[col-id={side}_text] mark.hit").all_inner_texts()
            assert found
            assert {one.lower() for one in found} <= hits
        page.locator(".pair .query-card mark.hit").first.wait_for()
    hit = page.locator(".kwic mark.hit").first
    assert hit.evaluate("e => getComputedStyle(e).borderTopStyle") == "solid"
    page.locator(".legend", has_text="words searched for").wait_for()
    assert page.problems == []


def test_hits_are_marked_in_reading(page, running, example):
    page.goto(f"{running.address}/project/{example}?view=read&words=%22vox+faucibus%22")
    for place in (".reading", ".query-card", ".candidates"):
        page.locator(f"{place} mark.hit").first.wait_for()
        found = "".join(page.locator(f"{place} mark.hit").all_text_contents()).lower()
        assert set(found.replace("uox", "").replace("vox", "").split("faucibus")) <= {"", " "}
    # Of a word that matches, too, the number stays.
    assert page.locator(".query-card mark[data-n] mark.hit").count() == 2
    page.locator(".legend", has_text="words searched for").wait_for()
    page.get_by_role("button", name="Clear all filters").click()
    page.locator("mark.hit").first.wait_for(state="detached")
    assert page.locator("mark.hit:visible").count() == 0
    assert page.problems == []


def test_a_range_of_the_mouse_is_judged_and_undone_as_one(page, running, example, ask):
    open_table(page, running, example)
    pairs = first_pairs(ask, example, 8)
    cell(page, 1, "choice").click()
    cell(page, 5, "query_text").click(modifiers=["Shift"])
    page.get_by_text("5 selected").wait_for()
    cell(page, 3, "rank").click(modifiers=["Control"])
    page.get_by_text("4 selected").wait_for()
    wait_for_selected(page, 4)
    assert not cell(page, 3, "choice").locator("input").is_checked()
    assert cell(page, 4, "choice").locator("input").is_checked()
    assert page.locator(f"{ROWS}.chosen-row[row-index='0']").count() == 1  # the pair stays
    page.get_by_label("Note for all").fill("topos")
    page.get_by_role("button", name="Allusion (f)").click()
    page.get_by_text("4 judged").wait_for()
    assert verdicts(ask, example) == {pairs[n]: "cf." for n in (1, 2, 4, 5)}
    assert {one["note"] for one in ask.get(f"/projects/{example}/judgements").json()} == {"topos"}
    wait_for_selected(page, 0)
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("0 judged").wait_for()
    assert verdicts(ask, example) == {}
    page.get_by_role("button", name="Redo").click()
    page.get_by_text("4 judged").wait_for()
    assert page.problems == []


def test_a_range_of_the_keyboard_is_judged_after_a_question(page, running, example, ask):
    pairs = first_pairs(ask, example, 6)
    for pair, verdict in zip(pairs, ("cit.", "cf."), strict=False):
        one = {"query_id": pair[0], "source_id": pair[1], "verdict": verdict, "note": "mine"}
        ask.put(f"/projects/{example}/judgements", json=one)
    before = ask.get(f"/projects/{example}/judgements").json()
    open_table(page, running, example)
    cell(page, 0, "query_id").click()
    page.locator(f"{ROWS}.chosen-row[row-index='0']").wait_for()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press(" ")
    page.get_by_text("1 selected").wait_for()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+ ")
    page.get_by_text("4 selected").wait_for()
    page.keyboard.press("f")
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Judge 4 selected pairs?").wait_for()
    dialog.get_by_text("1 verdict of yours would be replaced").wait_for()
    page.keyboard.press("r")  # keys are dead under a dialog
    dialog.get_by_role("button", name="Cancel").click()
    dialog.wait_for(state="detached")
    assert ask.get(f"/projects/{example}/judgements").json() == before
    wait_for_selected(page, 4)
    cell(page, 3, "choice").focus()
    page.keyboard.press("f")
    page.get_by_role("dialog").get_by_role("button", name="Replace").click()
    page.get_by_text("4 judged").wait_for()
    assert verdicts(ask, example) == dict.fromkeys(pairs[:4], "cf.")
    page.wait_for_function("!document.querySelector('.q-dialog__inner')")
    page.keyboard.press("z")
    page.get_by_text("2 judged").wait_for()
    assert ask.get(f"/projects/{example}/judgements").json() == before
    assert page.problems == []


def test_all_that_meet_the_filter_are_selected(page, running, example, ask):
    open_table(page, running, example, "&words=lemma:haereo")
    total = ask.get(f"/projects/{example}/results", params={"words": "lemma:haereo"}).json()[
        "total"
    ]
    cell(page, 0, "query_id").click()
    page.keyboard.press("Control+a")
    page.get_by_text(f"{total} selected").wait_for()
    assert page.locator(ROWS).count() > 5
    wait_for_selected(page, page.locator(ROWS).count())
    page.keyboard.press("Escape")
    page.locator(".batch").wait_for(state="hidden")
    wait_for_selected(page, 0)
    page.keyboard.press("r")  # without a selection, keys judge the current pair
    page.get_by_text("1 judged").wait_for()
    page.get_by_role("button", name="Select all").click()
    page.get_by_text(f"{total} selected").wait_for()
    cell(page, 2, "choice").click()
    page.get_by_text(f"{total - 1} selected").wait_for()
    cell(page, 4, "choice").focus()
    page.keyboard.press("r")
    page.get_by_text(f"{total - 1} judged").wait_for()
    page.get_by_role("button", name="Select all").click()
    page.get_by_text(f"{total} selected").wait_for()
    page.get_by_role("button", name="Clear all filters").click()  # what is not in view is not kept
    page.locator(".batch").wait_for(state="hidden")
    wait_for_selected(page, 0)
    assert page.problems == []


def test_a_range_follows_the_order_that_is_shown(page, running, example, ask):
    open_table(page, running, example)
    head = page.locator(".ag-header-cell[col-id=source_id]")
    orders = {"source_id": head.click, "score": lambda: choose_order(page, "best score first")}
    for order, reorder in orders.items():
        reorder()
        rows = ask.get(f"/projects/{example}/results", params={"order": order}).json()["rows"]
        first = f"{ROWS}[row-index='0'][row-id='{rows[0]['row']}']"
        page.locator(first).wait_for()
        cell(page, 1, "choice").click()
        page.get_by_text("1 selected").wait_for()
        cell(page, 3, "query_id").click(modifiers=["Shift"])
        page.get_by_text("3 selected").wait_for()
        wait_for_selected(page, 3)
        assert sorted(
            int(row.get_attribute("row-id")) for row in page.locator(f"{ROWS}.selected-row").all()
        ) == sorted(row["row"] for row in rows[1:4])
        page.keyboard.press("Escape")
        page.locator(".batch").wait_for(state="hidden")
    assert page.problems == []


def choose_order(page, name):
    page.get_by_role("combobox", name="Order").click()
    page.get_by_role("option", name=name).click()


def test_verdicts_are_withdrawn_together(page, running, example, ask):
    ask.post(f"/projects/{example}/judgements/batch", json={"all": {"best": 1}, "verdict": "cit."})
    judged = len(verdicts(ask, example))
    open_table(page, running, example)
    page.get_by_text(f"{judged} judged").wait_for()
    page.get_by_role("button", name="Select all").click()
    page.get_by_role("button", name="Withdraw").click()
    page.get_by_role("dialog").get_by_text(f"{judged} verdicts of yours").wait_for()
    page.get_by_role("dialog").get_by_role("button", name="Replace").click()
    page.get_by_text("0 judged").wait_for()
    assert verdicts(ask, example) == {}
    page.get_by_role("button", name="Undo").click()
    page.get_by_text(f"{judged} judged").wait_for()
    assert page.problems == []


def test_the_table_is_accessible(page, running, example, axe):
    page.emulate_media(color_scheme="dark")
    open_table(page, running, example, "&words=lemma:haereo")
    cell(page, 0, "choice").click()
    page.get_by_text("1 selected").wait_for()
    page.wait_for_timeout(500)
    page.evaluate(axe)
    found = page.evaluate("() => axe.run('#results', {runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa']})")
    assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []


CUT_OFF = """() => [...document.querySelectorAll('.ag-header-cell-text')]
  .filter((head) => head.scrollWidth > head.clientWidth
    || head.scrollHeight > head.clientHeight + 1
    || head.getBoundingClientRect().bottom
      > head.closest('.ag-header').getBoundingClientRect().bottom)
  .map((head) => head.textContent)"""


@pytest.mark.parametrize("language", ["en", "de", "it", "fr"])
def test_no_head_is_cut_off(browser, running, example, language):
    with ProjectCollection(running.folder).open(example).database.writing() as connection:
        connection.execute("UPDATE result SET probability = 0.9 / rank, type = 'cit.'")
    names = "probability type rank rarity verdict query_author source_author source_work"
    with browser.new_context(locale=language, viewport={"width": 1800, "height": 850}) as context:
        page = context.new_page()
        page.goto(f"{running.address}/project/{example}?view=table&columns={names}")
        page.locator(".ag-row .ag-cell[col-id=probability]").first.wait_for()
        head = page.locator(".ag-header-cell[col-id=probability] .ag-header-cell-text")
        head.click()  # an arrow needs room, too
        page.locator(".ag-header-cell[col-id=probability] .ag-sort-descending-icon").wait_for()
        page.wait_for_timeout(300)
        assert page.locator(".ag-header-cell-text").count() >= 8
        assert page.evaluate(CUT_OFF) == []


def test_decimals_are_those_of_the_language(browser, running, example):
    context = browser.new_context(viewport={"width": 1300, "height": 850}, locale="de-DE")
    page = context.new_page()
    page.goto(f"{running.address}/project/{example}?view=table")
    cell = page.locator(".ag-row[row-index='0'] .ag-cell[col-id=score]")
    shown = cell.filter(has_text=re.compile(r"^\d+,\d\d$"))
    shown.wait_for()
    assert "." not in shown.inner_text()
    context.close()
