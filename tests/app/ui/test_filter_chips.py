"""Chips name a filter and its value in words."""

import pytest

from locisimiles.app.results import ResultFilter
from locisimiles.app.ui.filter_chips import chip_text, search_name
from locisimiles.app.ui.translator import Translator
from locisimiles.messages import LANGUAGES

VALUES = {
    "query_author": "Jerome", "query_work": "", "source_author": "Virgil", "source_work": "Aeneid",
    "type": "cit.", "least_probability": 0.25, "least_score": 3.5, "most_rarity": 4, "best": 2,
    "status": "reject", "not_in": 1, "parallels": "once",
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_filter_has_words(language):
    assert set(VALUES) | {"words", "query"} == set(ResultFilter.__dataclass_fields__)
    for name, value in VALUES.items():
        text = chip_text(name, value, Translator(language), search="Before")
        assert name not in text
        assert "ui." not in text


def test_values_are_in_the_language():
    german = Translator("de")
    assert chip_text("query_work", "", german) == "Zitierendes Werk: unbekannt"
    assert chip_text("least_score", 3.5, german) == "Mindestpunktwert: 3,50"
    assert chip_text("best", 2, Translator("fr")) == "n meilleurs par segment\u00a0: 2"


def test_a_search_is_called_by_its_name_or_number(searched):
    english = Translator("en")
    assert search_name(searched, 1, english) == "Search 1"
    from locisimiles.app.search.stored_searches import StoredSearches

    StoredSearches(searched).rename(1, "First")
    assert search_name(searched, 1, english) == "First"
