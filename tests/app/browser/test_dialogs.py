"""Every dialog and menu of the app: accessible, light and dark, and within a phone."""

import json

from locisimiles.app.projects.collection import ProjectCollection

PROBLEMS = """async (part) => (await axe.run(part)).violations
  .filter((one) => ['serious', 'critical'].includes(one.impact))
  .map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' | '))"""
SETTLED = '() => !document.querySelector(\'[class*="-enter-active"], [class*="-leave-active"]\')'
# What of a dialog or menu sticks out of the window, or cannot be scrolled to.
OUTSIDE = """(part) => [...document.querySelectorAll(part)].flatMap((one) => {
  const card = one.querySelector('.q-dialog__inner > *') ?? one;
  const box = card.getBoundingClientRect();
  const wide = [...one.querySelectorAll('*')].filter((inner) => inner.scrollWidth
    > inner.clientWidth + 1 && getComputedStyle(inner).overflowX === 'auto');
  const out = box.left < -1 || box.right > innerWidth + 1 || box.top < -1
    || box.bottom > innerHeight + 1;
  return [...(out ? [one.outerHTML.slice(0, 200)] : []),
    ...wide.map((inner) => 'scrolls sideways: ' + inner.outerHTML.slice(0, 200))];
})"""
# Nothing fades, so nothing has to be waited for.
AT_ONCE = """document.addEventListener('DOMContentLoaded', () => {
  const style = document.createElement('style');
  style.textContent = '* { transition: none !important; animation: none !important; }';
  document.head.append(style);
});"""
DIALOG, MENU = ".q-dialog", ".q-menu"


def by_key(key):
    return lambda page: page.keyboard.press(key)


def by_button(name, **options):
    return lambda page: page.get_by_role("button", name=name, **options).first.click()


def by_class(name):
    return lambda page: page.locator(f".{name}").first.click()


def from_export_menu(label):
    def do(page):
        page.get_by_role("button", name="Export").click()
        page.get_by_text(label).click()

    return do


def a_question_about_many(page):
    page.get_by_role("button", name="Select all").click()
    page.locator(".batch-cit").click()


IN_READING = {
    "note": (by_key("n"), DIALOG),
    "keys": (by_key("?"), DIALOG),
    "learning": (by_key("l"), DIALOG),
    "source": (by_key("s"), DIALOG),
    "filters": (by_button("Filters"), DIALOG),
    "reader": (by_button("Your name as a reader"), DIALOG),
    "apparatus": (from_export_menu("Apparatus fontium…"), DIALOG),
    "import": (from_export_menu("Import judgements"), DIALOG),
    "word": (by_class("candidate.chosen .word"), MENU),
    "export": (by_button("Export"), MENU),
    "notices": (by_button("Notices"), MENU),
    "language": (by_button("Language"), MENU),
    "order": (by_class("order"), MENU),
}
IN_TABLE = {
    "columns": (by_button("Columns"), MENU),
    "question about many": (a_question_about_many, DIALOG),
}
IN_TEXTS = {
    "paste": (by_class("paste-query"), DIALOG),
    "library": (by_class("library-source"), DIALOG),
    "facts": (by_button("Author, work and date of own.txt"), DIALOG),
    "rename": (by_button("Name of the search"), DIALOG),
    "delete": (by_button("Delete this search"), DIALOG),
}


class Visitor:
    """Opens dialogs, looks at them in light and dark, and closes them."""

    def __init__(self, page, axe):
        self._page, self._axe = page, axe
        self.found = {}

    def look_at(self, dialogs):
        self._page.evaluate(self._axe)
        for name, (do, part) in dialogs.items():
            do(self._page)
            self._page.locator(part).last.wait_for()
            self._page.wait_for_function(SETTLED)
            for theme in ("light", "dark"):
                if found := self._problems(theme, part):
                    self.found[f"{name}, {theme}"] = found
            self._close(name, part)

    def _problems(self, theme, part):
        page = self._page
        page.emulate_media(color_scheme=theme)
        page.locator(f"body.body--{theme}").wait_for()
        found = [*page.evaluate(PROBLEMS, part), *page.evaluate(OUTSIDE, part)]
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append("the page is wider than the window")
        return found

    def _close(self, name, part):
        if name == "paste":  # must not be closed by accident
            self._page.get_by_role("button", name="Cancel").click()
        else:
            self._page.keyboard.press("Escape")
        self._page.locator(part).first.wait_for(state="detached")


def test_dialogs_are_accessible_and_fit_a_phone(browser, running, example, ask, axe):
    with ProjectCollection(running.folder).open(example).database.writing() as connection:
        connection.execute("UPDATE result SET cit = 0.9 / rank, cf = 0, probability = 0.9 / rank")
    rows = ask.get(f"/projects/{example}/results").json()["rows"]
    pair = {name: rows[0][name] for name in ("query_id", "source_id")}
    ask.put(f"/projects/{example}/judgements", json={**pair, "verdict": "reject"})
    with browser.new_context(locale="en-GB", viewport={"width": 390, "height": 800}) as context:
        page = context.new_page()
        page.add_init_script(AT_ONCE)
        visitor = Visitor(page, axe)
        place = f"{running.address}/project/{example}"
        page.goto(f"{place}?view=read")
        page.locator(".candidate.chosen").wait_for()
        visitor.look_at(IN_READING)
        page.goto(f"{place}?view=table")
        page.locator(".ag-row .latin-cell").first.wait_for()
        visitor.look_at(IN_TABLE)
        ask.put(f"/projects/{example}/texts/query/own.txt", content=b"uox faucibus haesit.")
        page.goto(f"{place}?view=texts")
        page.get_by_text("own.txt", exact=True).wait_for()
        page.locator(".search-line").first.wait_for()
        visitor.look_at(IN_TEXTS)
        page.goto(running.address)
        page.get_by_role("button", name="Delete").first.wait_for()
        visitor.look_at({"delete a project": (by_button("Delete"), DIALOG)})
    assert visitor.found == {}, json.dumps(visitor.found, indent=1, ensure_ascii=False)
