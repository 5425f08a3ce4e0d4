"""Each language of the app speaks for itself: sentences, names of authors, decimals, dates."""

import json
import re
from importlib import resources

import pytest
from tests.app.browser.test_views import LABELS

from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.ui.translator import Translator

NAMES = {
    "en": ("Jerome", "Virgil", "."),
    "de": ("Hieronymus", "Vergil", ","),
    "it": ("Girolamo", "Virgilio", ","),
    "fr": ("Jérôme", "Virgile", ","),
}
VIEWS = ("texts", "read", "table", "numbers", "map")
_LONG = 8


def sentences(language):
    path = resources.files("locisimiles.messages") / language / "ui.json"
    return json.loads(path.read_text("utf-8"))


def english_left(language, shown):
    """Return the English sentences that are shown in another language."""
    own = sentences(language)
    return {
        text
        for key, text in sentences("en").items()
        if language != "en" and len(text) > _LONG and "{" not in text
        if text != own[key] and text not in own.values() and text in shown
    }


@pytest.mark.parametrize("language", NAMES)
def test_a_language_speaks_for_itself(browser, running, example, language):
    t = Translator(language)
    citing, cited, comma = NAMES[language]
    with ProjectCollection(running.folder).open(example).database.writing() as connection:
        connection.execute(
            "UPDATE result SET cit = 0.9 / rank, cf = 0, probability = 0.9 / rank, type = 'cit.'"
        )
    with browser.new_context(locale=language, viewport={"width": 1300, "height": 850}) as context:
        page = context.new_page()
        place = f"{running.address}/project/{example}"
        page.goto(f"{place}?view=table&columns=query_author source_author probability")
        cells = page.locator(".ag-row[row-index='0'] .ag-cell")
        page.locator(
            ".ag-row[row-index='0'] .ag-cell[col-id=probability]", has_text=comma
        ).wait_for()
        row = {cell.get_attribute("col-id"): cell.inner_text() for cell in cells.all()}
        assert (row["query_author"], row["source_author"]) == (citing, cited)
        assert row["probability"] == f"0{comma}900"
        shown = [page.locator("body").inner_text()]
        page.goto(f"{place}?view=read&source_author=Virgil")  # links are the same everywhere
        page.locator(".filter-chip", has_text=cited).wait_for()
        page.get_by_text(f"{t('probability')} 0{comma}90").first.wait_for()
        assert page.evaluate("document.documentElement.lang") == language
        for view in VIEWS:
            name = t(view)
            page.get_by_role("tab", name=name, exact=True).click()
            page.locator(f".q-tab--active:has-text('{name}')").wait_for()
            page.wait_for_timeout(400)
            shown += [page.locator("body").inner_text(), page.evaluate(LABELS)]
        page.goto(f"{running.address}/help")
        page.get_by_text(t("help_lead")).wait_for()
        shown.append(page.locator("body").inner_text())
    everything = "\n".join(shown)
    assert english_left(language, everything) == set()
    if language != "en":
        assert not re.findall(r"\b(?:Virgil|Jerome)\b", everything)
    assert not re.findall(r"\b(?:ui|app|progress|methods)\.[a-z]\w+", everything)
    assert not re.findall(r"pip install|--[a-z]{3,}", everything)
