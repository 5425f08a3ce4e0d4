"""The library in a real browser: searched by any name, downloaded, added, searched."""

import pytest
from tests.app import small_library
from tests.app.browser.conftest import App
from tests.app.small_library import Mirror, content
from tests.corpus.library.conftest import WebServer


class Internet:
    """A place to download from that can be gone for a while."""

    def __init__(self):
        self.mirror = Mirror(WebServer())
        self.address = self.mirror.server.address
        self._is_gone = False
        answer = self.mirror.server._server.script[0]
        self.mirror.server.script(lambda request: None if self._is_gone else answer(request))

    def go(self):
        self._is_gone = True

    def come_back(self):
        self._is_gone = False


@pytest.fixture(scope="module")
def internet():
    internet = Internet()
    yield internet
    internet.mirror.stop()


@pytest.fixture(scope="module")
def running(tmp_path_factory, internet):
    """Return an app with a library of six small texts, none of them installed."""
    folder = tmp_path_factory.mktemp("running")
    app = App(
        folder,
        program=(small_library.__file__,),
        LOCISIMILES_DATA=str(folder / "data"),
        STAND_IN=internet.address,
    )
    yield app
    ours = [line for line in app.stop().splitlines() if "locisimiles/app" in line]
    assert not ours


@pytest.fixture
def opened(page, running, ask):
    """Return the id of an empty project whose page is open."""
    made = ask.post("/projects", json={"title": "From the library"}).json()["id"]
    page.goto(f"{running.address}/project/{made}")
    page.locator(".library-source").wait_for()
    return made


@pytest.fixture
def library(page, opened):  # noqa: ARG001 - its page is needed
    """Return the open dialog."""
    page.locator(".library-source").click()
    card = page.locator(".library-card")
    card.locator(".library-list").wait_for()
    return card


def wait_for_works(card, count):
    card.get_by_text(f"{count} work" + ("s" if count != 1 else ""), exact=True).wait_for()
    assert card.locator(".work").count() == count


def test_works_are_found_by_any_name_date_and_genre(page, library):
    wait_for_works(library, 6)
    words = library.get_by_label("Author or work")
    for name, title in (("Énéide", "Aeneis"), ("Odes", "Carmina"), ("Verg. Aen.", "Aeneis")):
        words.fill(name)
        wait_for_works(library, 1)
        library.get_by_role("checkbox", name=title).wait_for()
    words.fill("Ilias")
    library.get_by_text("No work matches.").wait_for()
    words.fill("")
    wait_for_works(library, 6)
    date = library.get_by_label("Date")
    date.fill("before 20 BC")
    wait_for_works(library, 3)
    date.fill("Augustan")
    library.get_by_text("'Augustan' is no period").wait_for()
    date.fill("AD 14 – AD 100")
    wait_for_works(library, 1)
    date.fill("")
    library.get_by_label("Genre").click()
    page.get_by_role("option", name="prose").click()
    wait_for_works(library, 1)
    library.get_by_text("not available for download").wait_for()
    assert library.get_by_role("checkbox", name="In Catilinam").is_disabled()
    assert page.problems == []


def test_all_works_of_an_author_are_downloaded_with_progress_added_and_searched(
    page, library, opened, ask, internet
):
    internet.mirror.held.add("vergil.georgics")
    library.get_by_label("Author or work").fill("vergil")
    wait_for_works(library, 3)
    library.get_by_role("checkbox", name="Virgil all 3 works").check()
    library.get_by_text("3 works chosen").wait_for()
    library.get_by_label("Edition of Virgil, Aeneis").select_option("Perseus Digital Library")
    library.get_by_role("button", name="Add 3 works").click()
    library.wait_for(state="detached")

    page.get_by_text("Downloading 2 of 3: Virgil, Georgica").wait_for()
    states = page.locator(".text-states li")
    assert states.nth(0).text_content().endswith("installed")
    share = float(
        page.locator(".addition").get_by_role("progressbar").get_attribute("aria-valuenow")
    )
    assert 1 / 4 < share < 2 / 3  # of the bytes
    assert states.nth(2).text_content().endswith("waiting")
    page.get_by_role("tab", name="Map").click()  # the page stays alive
    page.get_by_role("tab", name="Texts").click()
    page.get_by_text("Downloading 2 of 3").wait_for()
    internet.mirror.held.clear()
    internet.mirror.release.set()
    page.get_by_text("3 texts added").first.wait_for()
    page.get_by_text("Virgil, Aeneis (Perseus Digital Library)").wait_for()
    page.locator(".addition").wait_for(state="detached")
    place = f"/projects/{opened}"
    assert ask.get(f"{place}/texts/source").json()["inputs"] == [
        "vergil.eclogues@tesserae", "vergil.georgics@tesserae", "vergil.aeneid@perseus",
    ]  # fmt: skip

    ask.put(f"{place}/texts/query/q.txt", content="arma cano Troiae fagi")
    ask.post(f"{place}/search", json={"method": "bm25", "k": 3})
    page.get_by_role("tab", name="Read", selected=True).wait_for()
    page.locator(".candidate").first.wait_for()
    assert page.problems == []


def test_without_internet_the_rest_is_added_and_one_can_try_again(
    page, library, ask, internet, opened
):
    place = f"/projects/{opened}/library/query"
    ask.post(place, json={"names": ["lucan"]})
    while ask.get(place).json()[0]["phase"] != "done":
        page.wait_for_timeout(50)
    internet.go()
    page.keyboard.press("Escape")
    library.wait_for(state="detached")
    page.locator(".library-source").click()
    library.get_by_role("checkbox", name="Bellum civile").check()
    library.get_by_role("checkbox", name="Carmina").check()
    library.get_by_role("button", name="Add 2 works").click()
    page.get_by_text("Lucan, Bellum civile (Tesserae Project)").wait_for()
    page.get_by_text("1 text could not be downloaded").wait_for()
    page.get_by_text("there is no connection to 127.0.0.1").wait_for()
    assert ask.get(f"/projects/{opened}/texts/source").json()["inputs"] == [
        "lucan.bellum_civile@tesserae"
    ]
    internet.come_back()
    page.get_by_role("button", name="Try again").click()
    page.get_by_text("Horace, Carmina (Tesserae Project)").wait_for()
    assert page.problems == []


def test_everything_can_be_done_with_the_keyboard_and_focus_returns(page, opened, ask):
    button = page.locator(".library-source")
    button.focus()
    page.keyboard.press("Enter")
    page.locator(".library-words input:focus").wait_for()
    page.keyboard.type("aen")
    wait_for_works(page.locator(".library-card"), 1)
    page.keyboard.press("Enter")
    page.get_by_text("1 work chosen").wait_for()
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    wait_for_works(page.locator(".library-card"), 6)
    for _ in range(3):  # Cicero cannot be chosen; then Horace, Lucan, and all of Virgil
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    page.get_by_text("3 works chosen").wait_for()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    page.get_by_text("4 works chosen").wait_for()
    page.keyboard.press("Enter")
    page.locator(".library-card").wait_for(state="detached")
    assert button.evaluate("(one) => one === document.activeElement")
    page.get_by_text("Virgil, Aeneis (").wait_for()
    assert len(ask.get(f"/projects/{opened}/texts/source").json()["inputs"]) == 4


def test_a_copy_of_a_text_that_cannot_be_downloaded_is_installed(page, library):
    library.get_by_text("Install your own copies").click()
    field = library.locator(".drop-copy input[type=file]")
    wrong = {"name": "a.txt", "mimeType": "text/plain", "buffer": b"quo usque tandem"}
    field.set_input_files(wrong)
    page.get_by_text("a.txt is not the version of any text in the catalogue").first.wait_for()
    right = content(small_library.ONLY_COPIES)
    field.set_input_files({**wrong, "name": "catilina.txt", "buffer": right})
    page.get_by_text("catilina.txt is installed").first.wait_for()
    library.get_by_role("checkbox", name="In Catilinam").check()
    library.get_by_text("1 work chosen").wait_for()


def test_the_library_is_accessible_on_a_phone_in_light_and_dark(page, library, axe):
    page.set_viewport_size({"width": 390, "height": 780})
    library.get_by_role("checkbox", name="Virgil").check()
    library.get_by_text("3 works chosen").wait_for()
    page.evaluate(axe)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.locator(f"body.body--{theme}").wait_for()
        page.wait_for_timeout(500)  # until colours have faded
        found = page.evaluate(
            "axe.run('.library-card', {runOnly: ['wcag2a', 'wcag2aa']}).then((r) => r.violations)"
        )
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
    assert library.evaluate("(card) => card.scrollWidth <= card.clientWidth")
    add = library.get_by_role("button", name="Add 3 works").bounding_box()
    assert add["y"] + add["height"] <= 780
