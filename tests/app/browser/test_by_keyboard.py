"""The whole job by keyboard alone: from two texts to an apparatus, without a mouse."""

import re

QUERY = (
    "Haesit uox faucibus et inter ruborem atque pallorem uariae cogitationes mutabantur.\n"
    "Omnia etiam tuta timeo, ut ait gentilis poeta.\n"
)
SOURCE = (
    "obstipui steteruntque comae et uox faucibus haesit.\n"
    "incertae errat mens, omnia tuta timens.\n"
    "arma uirumque cano, Troiae qui primus ab oris.\n"
)
# What has the focus, as a screen reader would say it.
FOCUSED = """() => {
  const one = document.activeElement;
  if (one === document.body) return '';
  const copy = one.cloneNode(true);
  copy.querySelectorAll('[aria-hidden=true]').forEach((icon) => icon.remove());
  const by = (one.getAttribute('aria-labelledby') || '').split(' ')
    .map((id) => document.getElementById(id)).filter(Boolean).map((label) => label.textContent);
  const label = one.closest('label');
  return [one.getAttribute('aria-label'), ...by, label && label.textContent, copy.textContent,
    one.title].filter(Boolean).join(' ').replace(/\\s+/g, ' ').trim();
}"""
VISIBLE = """() => {
  const place = document.activeElement.getBoundingClientRect();
  return place.width > 0 && place.bottom > 0 && place.top < innerHeight;
}"""
# A dialog takes the focus when it has come up.
SETTLED = """() => document.activeElement.closest('.q-dialog')
  && !document.querySelector('[class*="-enter-active"]')"""
_MOST_STOPS = 60


class Keyboard:
    """A reader who has no mouse; counts the keys."""

    def __init__(self, page):
        self._page = page
        self.keys = 0

    def press(self, key):
        self.keys += 1
        self._page.keyboard.press(key)

    def type(self, text):
        self.keys += len(text)
        self._page.keyboard.insert_text(text)

    def go_to(self, name, *, backwards=False):
        """Press Tab until something with this name has the focus, and is in view."""
        passed = []
        for _ in range(_MOST_STOPS):
            self.press("Shift+Tab" if backwards else "Tab")
            passed.append(self._page.evaluate(FOCUSED))
            if re.search(name, passed[-1]):
                assert self._page.evaluate(VISIBLE), passed[-1]
                return
        raise AssertionError(f"no stop at {name!r}: {passed}")


def paste(keyboard, page, text, author):
    keyboard.go_to("^Paste a text")
    keyboard.press("Enter")
    card = page.locator(".text-card")
    card.wait_for()
    page.wait_for_function("document.activeElement.tagName === 'TEXTAREA'")
    keyboard.type(text)
    keyboard.go_to("Author")
    keyboard.type(author)
    keyboard.go_to("Add the text")
    keyboard.press("Enter")
    card.wait_for(state="detached")
    page.get_by_text(f"{author}.txt", exact=True).wait_for()
    page.wait_for_function("document.activeElement !== document.body")


def choose(keyboard, page, name, option):
    """Choose an option of a drop-down."""
    keyboard.go_to(name)
    keyboard.press("Enter")
    page.locator(".q-menu").wait_for()
    wanted = page.get_by_role("option", name=option).first
    for _ in range(_MOST_STOPS):
        if "q-manual-focusable--focused" in (wanted.get_attribute("class") or ""):
            break
        keyboard.press("ArrowDown")
    keyboard.press("Enter")
    page.locator(".q-menu").wait_for(state="detached")


def test_from_two_texts_to_an_apparatus_without_a_mouse(page, running, tmp_path):
    keyboard = Keyboard(page)
    page.goto(running.address)
    page.get_by_role("button", name="Create project").wait_for()
    keyboard.go_to("Title of a new project")
    keyboard.type("By keyboard")
    keyboard.press("Enter")
    page.locator(".drop-query").wait_for()

    paste(keyboard, page, QUERY, "Jerome")
    paste(keyboard, page, SOURCE, "Virgil")  # the next button with this name
    choose(keyboard, page, "Method", re.compile("^bm25 "))
    keyboard.go_to("Start the search")
    keyboard.press("Enter")
    page.locator(".candidate.chosen").wait_for()

    keyboard.press("c")
    page.get_by_text("1 judged").wait_for()
    for key, pressed in (("k", "true"), ("j", "false")):
        keyboard.press(key)
        page.locator(f".candidate.chosen .judge.cit[aria-pressed={pressed}]").wait_for()
    keyboard.press("n")
    page.get_by_role("dialog").wait_for()
    page.wait_for_function("document.activeElement.tagName === 'TEXTAREA'")
    keyboard.type("so too Hagendahl")
    keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    page.wait_for_function("document.activeElement !== document.body")
    keyboard.press("f")
    page.get_by_text("2 judged").wait_for()

    keyboard.go_to("^Export")
    keyboard.press("Enter")
    page.wait_for_function("document.activeElement.closest('.q-menu')")
    for _ in range(_MOST_STOPS):
        if page.evaluate(FOCUSED) == "Apparatus fontium…":
            break
        keyboard.press("ArrowDown")
    keyboard.press("Enter")
    page.wait_for_function(SETTLED)
    keyboard.go_to(re.escape("For print (.html)"))
    with page.expect_download() as download:
        keyboard.press("Enter")
    download.value.save_as(tmp_path / "apparatus.html")
    printed = (tmp_path / "apparatus.html").read_text(encoding="utf-8")
    assert "so too Hagendahl" in printed
    assert "Virgil" in printed
    assert page.problems == []
