"""The help page in a real browser, in all languages."""

import json

import pytest

from locisimiles.app.ui.keys import ACTIONS
from locisimiles.app.ui.translator import Translator

SERIOUS = """async () => (await axe.run()).violations
  .filter((one) => ['serious', 'critical'].includes(one.impact))
  .map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' | '))"""


def test_help_is_a_link_in_the_header_and_back_returns(page, running, example):
    page.goto(f"{running.address}/project/{example}?view=read")
    page.locator(".candidate.chosen").wait_for()
    page.get_by_role("link", name="Help").click()
    page.get_by_role("heading", name="How to read probabilities").wait_for()
    assert page.locator(".help-keys dt").all_inner_texts() == list(ACTIONS)
    page.go_back()
    page.locator(".candidate.chosen").wait_for()


@pytest.mark.parametrize("language", ["en", "de", "it", "fr"])
def test_help_speaks_four_languages(browser, running, axe, language):
    t = Translator(language)
    with browser.new_context(locale=language, viewport={"width": 390, "height": 800}) as context:
        opened = context.new_page()
        opened.goto(f"{running.address}/help")
        for name in ("help_views", "keys", "help_probabilities", "help_citing"):
            opened.get_by_role("heading", name=t(name), exact=True).wait_for()
        for name in ("texts", "read", "table", "numbers", "map"):
            assert opened.get_by_text(t(f"help_{name}")).count() == 1
        wide = "document.documentElement.scrollWidth <= innerWidth"
        assert opened.evaluate(wide)
        opened.evaluate(axe)
        problems = opened.evaluate(SERIOUS)
        assert problems == [], json.dumps(problems, indent=1)
