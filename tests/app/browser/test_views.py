"""The four views in a real browser: hostile texts, two readers, many pairs, keys, languages."""

import json
import re
from importlib import resources

import pytest

from locisimiles.app.projects.collection import ProjectCollection

ATTACK = "<script>window.attacked=1</script><img src=x onerror=window.attacked=1>{{constructor}}"
LABELS = """() => [...document.querySelectorAll('[aria-label]')]
  .map((e) => e.getAttribute('aria-label')).join('\\n')"""
VIEWS = ("Texts and search", "Read", "Table", "Numbers", "Map")


def open_view(page, name):
    page.get_by_role("tab", name=name).click()
    page.locator(f".q-tab--active:has-text('{name}')").wait_for()
    page.wait_for_timeout(300)


def go_to(page, running, project):
    page.goto(f"{running.address}/project/{project}")
    page.locator(".candidate.chosen").wait_for()


# The page asks for the theme when it is connected, and listens to its tabs after that.
EARLY = """() => {
  const original = window.matchMedia.bind(window);
  window.matchMedia = (query) => {
    const tab = [...document.querySelectorAll('.q-tab')].find((e) => e.textContent === 'Numbers');
    if (tab && !window.clicked) { window.clicked = true; tab.click(); }
    return original(query);
  };
}"""


def test_a_tab_chosen_before_the_page_is_complete_is_shown(page, running, example):
    page.add_init_script(f"({EARLY})()")
    page.goto(f"{running.address}/project/{example}")
    page.locator(".figures").wait_for()
    assert page.evaluate("window.clicked")
    assert page.locator(".candidate.chosen").count() == 0


def test_hostile_texts_are_texts_in_every_view(page, running, ask):
    made = ask.post("/projects", json={"title": f"Evil {ATTACK}"}).json()["id"]
    line = f'{ATTACK}","haesit uox faucibus {ATTACK}","{ATTACK}","{ATTACK}"\n'
    for side in ("query", "source"):
        table = "id,text,author,work\n" + "".join(f'"{n}{line}' for n in range(3))
        done = ask.put(f"/projects/{made}/texts/{side}/x.csv", content=table.encode())
        assert done.status_code == 200
    ask.post(f"/projects/{made}/search", json={"method": "bm25", "k": 3})
    page.goto(f"{running.address}/project/{made}")
    page.get_by_role("tab", name="Read").click()
    page.locator(".candidate.chosen").wait_for(timeout=60_000)
    row = ask.get(f"/projects/{made}/results").json()["rows"][0]
    pair = {name: row[name] for name in ("query_id", "source_id")}
    ask.put(
        f"/projects/{made}/judgements",
        json={**pair, "verdict": "cit.", "note": ATTACK, "reader": ATTACK[:90]},
    )
    for name in VIEWS:
        open_view(page, name)
        assert page.evaluate("window.attacked") is None, name
    open_view(page, "Read")
    assert ATTACK in page.locator(".query-card").inner_text()
    page.goto(running.address)
    page.get_by_text(f"Evil {ATTACK}").wait_for()
    assert page.evaluate("window.attacked") is None


def test_two_browsers_see_each_others_verdicts(page, browser, running, example, ask):
    go_to(page, running, example)
    with browser.new_context(locale="en-GB") as context:
        context.add_cookies(
            [{"name": "locisimiles_reader", "value": "Bob", "url": running.address}]
        )
        other = context.new_page()
        go_to(other, running, example)
        page.keyboard.press("c")
        page.get_by_text("1 judged").wait_for()
        other.locator(".others", has_text="without a name: cit.").wait_for(timeout=60_000)
        other.keyboard.press("r")
        other.get_by_text("1 judged").wait_for()
        other.get_by_role("tab", name="Numbers").click()
        other.get_by_text("Cohen’s κ").wait_for()
    page.keyboard.press("k")
    page.locator(".others", has_text="Bob: reject").wait_for(timeout=60_000)
    kept = ask.get(f"/projects/{example}/judgements").json()
    assert sorted((one["reader"], one["verdict"]) for one in kept) == [
        ("", "cit."),
        ("Bob", "reject"),
    ]
    assert len({(one["query_id"], one["source_id"]) for one in kept}) == 1


def test_views_are_linked(page, running, example, ask):
    go_to(page, running, example)
    open_view(page, "Map")
    page.get_by_text("As a list").click()
    page.get_by_role("button", name="Lactantius, Divinae institutiones → Ovid").click()
    page.locator(".candidate.chosen", has_text="Ovid").wait_for()
    wanted = {"source_author": "Ovid", "query_work": "Divinae institutiones", "best": 1}
    total = ask.get(f"/projects/{example}/results", params=wanted).json()["total"]
    page.get_by_text(f"{total} of 210 pairs").wait_for()
    open_view(page, "Table")
    page.wait_for_function(
        "total => document.querySelectorAll('.ag-center-cols-container .ag-row').length === total",
        arg=total,
    )
    cited = page.locator(".ag-center-cols-container .ag-cell[col-id=source_id]").all_inner_texts()
    assert {place.split()[0] for place in cited} == {"Ov."}
    page.get_by_role("button", name="Clear all filters").click()
    page.get_by_text("210 of 210 pairs").wait_for()


def test_the_map_is_counted_again_where_it_is(page, running, example, ask):
    go_to(page, running, example)
    open_view(page, "Map")
    page.get_by_text("As a list").click()
    entry = page.get_by_role("button", name="→").first
    entry.wait_for()
    first = ask.get(f"/projects/{example}/results").json()["rows"][0]
    pair = {name: first[name] for name in ("query_id", "source_id")}
    ask.put(f"/projects/{example}/judgements", json={**pair, "verdict": "cit."})
    page.get_by_text("1 judged").wait_for()
    page.wait_for_timeout(300)
    assert entry.is_visible()  # what was opened stays open
    assert page.locator(".view [role=img] canvas").first.is_visible()
    assert not page.problems


def test_neighbours_come_when_asked_for(page, running, example, ask):
    go_to(page, running, example)
    assert page.locator(".context").count() == 0
    page.keyboard.press("b")
    page.locator(".query-card .context").wait_for()
    second = ask.get(f"/projects/{example}/texts/query").json()["segments"][1]["text"]
    assert page.locator(".query-card .context").inner_text() == second


def test_the_table_is_sorted_by_its_heads_and_keys_follow(page, running, example):
    go_to(page, running, example)
    open_view(page, "Table")
    page.locator(".ag-header-cell[col-id=score]").click()
    scores = page.locator(".ag-center-cols-container .ag-cell[col-id=score]")
    page.wait_for_function(
        "() => { const c = [...document.querySelectorAll('.ag-row .ag-cell[col-id=score]')]"
        ".map(e => parseFloat(e.textContent)); return c.length > 5 && Math.max(...c) > 8; }"
    )
    shown = [float(text) for text in scores.all_inner_texts()[:5]]
    assert shown == sorted(shown, reverse=True)
    for index in (0, 1):
        if index == 0:
            page.locator(".ag-center-cols-container .ag-row[row-index='0']").click()
        else:
            page.keyboard.press("j")
        page.locator(f".ag-row.chosen-row[row-index='{index}']").first.wait_for()
        cell = page.locator(f".ag-row[row-index='{index}'] .ag-cell[col-id=source_id]")
        page.locator(".pair .link", has_text=cell.inner_text()).wait_for()


def test_probabilities_can_be_seen_and_filtered(page, running, example, ask):
    with ProjectCollection(running.folder).open(example).database.writing() as connection:
        connection.execute(
            "UPDATE result SET cit = 0.9 / rank, cf = 0, probability = 0.9 / rank, type = 'cit.'"
        )
    go_to(page, running, example)
    page.get_by_text("probability 0.90 cit.").first.wait_for()
    page.get_by_role("button", name="Filters").click()
    page.get_by_label("Minimum probability").fill("0.8")
    page.locator(".count", has_text="42 of 210 pairs").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    page.locator(".candidate.chosen .judge.cit").click()
    page.get_by_text("1 judged").wait_for()
    open_view(page, "Numbers")
    page.get_by_role("img", name="Calibration").wait_for()
    open_view(page, "Table")
    page.locator(".ag-header-cell[col-id=probability]").wait_for()
    (kept,) = ask.get(f"/projects/{example}/judgements").json()
    assert kept["verdict"] == "cit."


def test_all_can_be_done_with_the_keyboard(page, running, example, ask):
    go_to(page, running, example)
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.verdict") == "reject":
            break
    page.keyboard.press("Enter")
    page.get_by_text("1 judged").wait_for()
    page.keyboard.press("?")
    page.get_by_text("previous pair").wait_for()
    (kept,) = ask.get(f"/projects/{example}/judgements").json()
    assert kept["verdict"] == "reject"


@pytest.mark.parametrize(
    ("locale", "word"), [("de-DE", "Lesen"), ("it-IT", "Lettura"), ("fr-FR", "Lecture")]
)
def test_the_language_is_the_browsers(browser, running, example, locale, word):
    with browser.new_context(locale=locale) as context:
        opened = context.new_page()
        opened.goto(f"{running.address}/project/{example}")
        opened.get_by_role("tab", name=word, exact=True).wait_for()
        assert opened.evaluate("document.documentElement.lang") == locale[:2]


def test_on_a_phone_nothing_overflows(browser, running, example):
    with browser.new_context(viewport={"width": 390, "height": 800}, locale="en-GB") as context:
        opened = context.new_page()
        go_to(opened, running, example)
        for name in VIEWS:
            opened.get_by_role("tab", name=name).click()
            opened.wait_for_timeout(500)
            wide = opened.evaluate("document.documentElement.scrollWidth")
            assert wide <= 390, name


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(page, running, example, axe, theme):
    page.context.add_cookies(
        [{"name": "locisimiles_theme", "value": theme, "url": running.address}]
    )
    page.goto(running.address)
    page.get_by_label("Title of a new project").wait_for()
    found = {"Start": serious(page, axe)}
    go_to(page, running, example)
    for name in VIEWS:
        open_view(page, name)
        page.wait_for_timeout(600)
        found[name] = serious(page, axe)
    assert {name: problems for name, problems in found.items() if problems} == {}


def serious(page, axe):
    page.evaluate(axe)
    violations = page.evaluate("async () => (await axe.run()).violations")
    return [
        f"{one['id']}: {node['html'][:160]}"
        for one in violations
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


def test_a_german_page_has_no_english_sentence(browser, running, example, ask):
    """Everything in the views is German, except texts of users."""
    table = b"id,text\na,uox faucibus haesit\nb,\n"
    made = ask.post("/projects", json={"title": "Briefe"}).json()["id"]
    ask.put(f"/projects/{made}/texts/query/q.csv", content=table)
    folder = resources.files("locisimiles.messages")
    catalogue = {
        language: json.loads((folder / language / "ui.json").read_text("utf-8"))
        for language in ("en", "de")
    }
    english = {
        text
        for key, text in catalogue["en"].items()
        if text != catalogue["de"][key] and len(text) > 8 and "{" not in text
    }
    english |= {"Shares ", "stand together", "no author", "the text is empty", "rows skipped",
                "Recommended", "searching", "segments", "This is a chart", "Jerome",
                "Lactantius,", "Virgil", "Horace"}  # fmt: skip
    with browser.new_context(locale="de-DE", viewport={"width": 1300, "height": 850}) as context:
        page = context.new_page()
        told = []
        page.goto(f"{running.address}/project/{made}")
        page.get_by_text(
            re.compile(r"q\.csv: 1 Zeile .*, der Text ist leer \(Zeile 3\)")
        ).wait_for()
        page.locator(".drop-source input[type=file]").set_input_files(
            {"name": "x.xml", "mimeType": "text/xml", "buffer": b"<TEI><text>"}
        )
        page.get_by_text("x.xml, Zeile 1: das XML ist fehlerhaft").wait_for()
        told.append(page.locator("body").inner_text())
        page.goto(
            f"{running.address}/project/{example}?view=table&source_author=Virgil&columns=source_author"
        )
        page.get_by_text("Zitierter Autor: Vergil").wait_for()  # links are the same everywhere
        page.locator(".ag-cell[col-id=source_author]", has_text="Vergil").first.wait_for()
        told.append(page.locator("body").inner_text())
        page.goto(f"{running.address}/project/{example}?view=table")
        page.get_by_role("tab", name="Lesen").click()
        page.get_by_text("Gemeinsam: haereo, uox, faux (3 Wörter").first.wait_for()
        page.get_by_text("Hieronymus, Epistulae").first.wait_for()
        for name in ("Texte und Suche", "Lesen", "Tabelle", "Zahlen", "Karte"):
            open_view(page, name)
            told += [page.locator("body").inner_text(), page.evaluate(LABELS)]
        page.goto(running.address)
        page.get_by_label("Titel eines neuen Projekts").wait_for()
        # Projects of other tests have English titles.
        page.evaluate("document.querySelectorAll('.project-line a').forEach(a => a.remove())")
        told.append(page.locator("body").inner_text())
    everything = "\n".join(told)
    assert {text for text in english if text in everything} == set()
    assert re.findall(r"\b(?:ui|app|progress|methods)\.[a-z]\w+", everything) == []
