"""A reader's context: the source as a text to scroll, and words looked up in the dictionary."""

import time

import pytest

LONG = 400

SERIOUS = """async () => (await axe.run()).violations
  .filter((one) => ['serious', 'critical'].includes(one.impact))
  .map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' | '))"""
FOCUSED = "document.activeElement.className"
TOP = "e => e.getBoundingClientRect().top"
FIRST = "Number(document.querySelector('.source-passage').dataset.position)"
LAST = "Number([...document.querySelectorAll('.source-passage')].at(-1).dataset.position)"


def open_example(page, running, example):
    page.goto(f"{running.address}/project/{example}?view=read")
    page.locator(".candidate.chosen").wait_for()


def open_source(page):
    page.keyboard.press("s")
    page.locator(".source-passage.cited").wait_for()
    page.wait_for_function("document.activeElement.matches('.source-scroll')")


def look_up(page, word):
    word.click()
    page.locator(".word-entry .lemma, .word-entry p").first.wait_for()


def close_entry(page):
    page.keyboard.press("Escape")
    page.locator(".q-menu").wait_for(state="detached")


@pytest.fixture(scope="module")
def long_source(running):
    """Return the id of a project with a long source, cited in the middle, and another work."""
    import httpx

    rows = [f"aen. {n},Virgil,Aeneis,{n},arma virumque {_word(n)} canit" for n in range(LONG)]
    rows += ["ov. 1,Ovid,Fasti,1,tempora cum causis Latium digesta per annum"]
    source = "seg_id,author,work,locus,text\n" + "\n".join(rows)
    query = f"seg_id,text\nq 1,{_word(200)}que quid est\nq 2,{_word(203)} et {_word(20)} non est\n"
    with httpx.Client(base_url=f"{running.address}/api/v1", timeout=60) as client:
        project = client.post("/projects", json={"title": "Long source"}).json()["id"]
        for side, text in (("query", query), ("source", source)):
            client.put(f"/projects/{project}/texts/{side}/a.csv", content=text.encode())
        client.post(f"/projects/{project}/search", json={"method": "bm25", "k": 3})
        for _ in range(600):
            if client.get(f"/projects/{project}/search").json()["state"] == "done":
                return project
            time.sleep(0.05)
    raise AssertionError("the search did not end")


def _word(number):
    letters = "bcdfglmnprst"
    return "".join(f"{letters[int(digit)]}a" for digit in f"{number:03}") + "rus"


def test_the_source_opens_at_the_cited_passage(page, running, example, axe):
    open_example(page, running, example)
    chosen = page.locator(".candidate.chosen")
    opener = chosen.get_by_role("button", name="Source text")
    opener.focus()
    page.keyboard.press("Enter")
    cited = page.locator(".source-passage.cited")
    cited.wait_for()
    page.wait_for_function("document.activeElement.matches('.source-scroll')")
    assert page.locator(".source-title").inner_text().startswith("Verg. Aen.")
    words = chosen.locator("mark").all_inner_texts()
    assert cited.locator("mark").all_inner_texts() == words != []
    box = page.locator(".source-scroll").bounding_box()
    assert box["y"] <= cited.bounding_box()["y"] < box["y"] + box["height"]
    page.evaluate(axe)
    assert page.evaluate(SERIOUS) == []
    page.keyboard.press("Escape")
    page.locator(".source-card").wait_for(state="detached")
    page.wait_for_function("document.activeElement.dataset.do === 'source_text'")
    assert page.problems == []


def test_verse_has_its_line_numbers(page, running, example):
    open_example(page, running, example)
    open_source(page)
    passage = page.locator(".source-passage", has_text="Tum vero ancipiti mentem")
    assert passage.locator(".line-number").all_inner_texts() == ["3.47", "48"]
    # A single line stands like the others.
    assert page.locator(".cited .line-number").all_inner_texts() == ["2.774"]


def test_the_source_goes_on_as_it_is_scrolled(page, running, long_source):
    open_example(page, running, long_source)
    open_source(page)
    cited = page.locator(".source-passage.cited")
    assert cited.get_attribute("data-position") == "200"
    assert page.evaluate(LAST) < LONG - 1
    page.wait_for_function(f"{FIRST} < 175")  # what is near the first passages, at once
    first = page.evaluate(FIRST)
    # Earlier passages are added above, and what is read stays where it is.
    page.locator(".source-scroll").evaluate("e => { e.scrollTop = 400; }")
    read = page.locator(f".source-passage[data-position='{first + 12}']")
    there = read.evaluate(TOP)
    page.wait_for_function(f"{FIRST} < {first}")
    assert abs(read.evaluate(TOP) - there) <= 1
    for _ in range(20):
        page.keyboard.press("Home")
        if page.evaluate(FIRST) == 0:
            break
        page.wait_for_timeout(50)
    assert page.evaluate(FIRST) == 0
    for _ in range(40):
        page.keyboard.press("End")
        if page.evaluate(LAST) == LONG - 1:
            break
        page.wait_for_timeout(50)
    positions = page.evaluate(
        "[...document.querySelectorAll('.source-passage')].map((e) => Number(e.dataset.position))"
    )
    assert positions == list(range(LONG))  # each once, in order, and nothing of Ovid
    page.get_by_role("button", name="Cited passage").click()
    page.wait_for_function(
        "Math.abs(document.querySelector('.cited').getBoundingClientRect().top) < innerHeight"
    )
    assert page.problems == []


def test_the_margin_leads_to_another_pair(page, running, long_source):
    open_example(page, running, long_source)
    open_source(page)
    other = page.locator(".source-passage[data-position='203'] .source-places .link")
    assert other.all_inner_texts() == ["q 2"]
    other.click()
    page.locator(".source-card").wait_for(state="detached")
    page.locator(".query-card", has_text="q 2").wait_for()
    page.wait_for_function("document.activeElement !== document.body")
    assert "to=aen.+203" in page.url
    open_source(page)
    assert page.locator(".source-passage.cited").get_attribute("data-position") == "203"


def test_a_click_looks_a_word_up(page, running, example, axe):
    open_example(page, running, example)
    row = page.url
    look_up(page, page.locator(".candidate.chosen .word", has_text="faucibus"))
    entry = page.locator(".word-entry")
    assert entry.locator(".form").inner_text() == "faucibus"
    assert entry.locator("dt").first.inner_text() == "faux, faucis, f."
    senses = entry.locator("dd").first
    assert "throat" in senses.inner_text()
    assert senses.get_attribute("lang") == "en"
    entry.locator(".others", has_text="In the sources").wait_for()
    assert "faucibus" in entry.locator(".others").inner_text()
    assert "sentences" in entry.inner_text()
    page.evaluate(axe)
    assert page.evaluate(SERIOUS) == []
    close_entry(page)
    assert page.evaluate("document.activeElement.textContent") == "faucibus"
    assert page.url == row
    assert page.problems == []


def test_an_enclitic_has_an_entry_of_its_own(page, running, example):
    open_example(page, running, example)
    look_up(page, page.locator(".candidate.chosen .word", has_text="steteruntque"))
    forms = page.locator(".word-entry .form")
    assert forms.all_inner_texts() == ["steterunt", "que"]
    headwords = page.locator(".word-entry dt b").all_inner_texts()
    assert headwords[0] == "sto"
    assert "-que" in headwords


def test_words_are_looked_up_by_keyboard(page, running, example, ask):
    open_example(page, running, example)
    words = page.locator(".query-card .word")
    stops = "es => es.filter((one) => one.tabIndex === 0).length"
    assert words.count() > 5
    assert words.evaluate_all(stops) == 1
    words.first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.textContent") == "faucibus"
    page.keyboard.press("Enter")
    page.locator(".word-entry .form", has_text="faucibus").wait_for()
    page.keyboard.press("c")  # judges nothing while an entry is read
    close_entry(page)
    assert page.evaluate("document.activeElement.textContent") == "faucibus"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.query-card') === null")
    assert ask.get(f"/projects/{example}/judgements").json() == []


def test_words_of_the_source_are_looked_up_too(page, running, example):
    open_example(page, running, example)
    open_source(page)
    page.wait_for_function("document.querySelector('.cited .word').tabIndex === 0")
    page.keyboard.press("Tab")
    page.wait_for_function("document.activeElement.matches('.cited .word')")
    assert page.evaluate("document.activeElement.textContent") == "Obstipui"
    page.keyboard.press("Enter")
    entry = page.locator(".word-entry")
    entry.locator("dt", has_text="obstupesco").wait_for()
    close_entry(page)
    assert page.locator(".source-card").is_visible()  # only the entry was closed
    assert page.evaluate("document.activeElement.textContent") == "Obstipui"


def test_names_without_an_entry_say_so(page, running, long_source):
    open_example(page, running, long_source)
    look_up(page, page.locator(".candidate.chosen mark .word").first)
    page.get_by_text("Not in the dictionary.").first.wait_for()
    page.locator(".word-entry .others", has_text="In your text once").wait_for()
    assert page.problems == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_both_fit_a_phone(browser, running, example, axe, theme):
    phone = {"width": 390, "height": 800}
    with browser.new_context(locale="de", viewport=phone, color_scheme=theme) as context:
        page = context.new_page()
        page.goto(f"{running.address}/project/{example}?view=read")
        page.locator(".candidate.chosen").wait_for()
        open_source(page)
        page.wait_for_function(  # when it has come in, it fills the screen
            """() => {
              const card = document.querySelector('.source-card');
              const {x, y, width, height} = card.getBoundingClientRect();
              return [x, y, width, height].join() === '0,0,390,800';
            }"""
        )
        look_up(page, page.locator(".source-passage.cited .word").first)
        entry = page.locator(".word-menu")
        page.wait_for_function(
            "document.querySelector('.word-menu').getBoundingClientRect().right <= innerWidth"
        )
        assert entry.bounding_box()["x"] >= 0
        page.wait_for_timeout(400)  # until it has faded in: contrast is measured
        page.evaluate(axe)
        assert page.evaluate(SERIOUS) == []
