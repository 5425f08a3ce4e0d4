"""The words of the interface."""

import json
import re
from importlib import resources

import pytest

from locisimiles.app.judging.verdicts import VERDICTS
from locisimiles.app.results.filters import STATUSES
from locisimiles.app.ui.catalogue import LANGUAGES, Messages, best_language
from locisimiles.export import EXPORT_SUFFIXES

FOLDER = resources.files("locisimiles.app.ui")
PLACES = re.compile(r"\{\w+\}")


def messages(language):
    return json.loads((FOLDER / "messages" / f"{language}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_messages_with_the_same_places(language):
    english, other = messages("en"), messages(language)
    assert list(other) == list(english)
    for key, text in english.items():
        assert sorted(PLACES.findall(other[key])) == sorted(PLACES.findall(text)), key
        assert other[key].strip() == other[key] != ""


def test_what_pages_say_is_in_the_catalogue():
    said = re.compile(r'(?:messages|_t|\bt)\(\s*"(\w+)"')
    used = {
        key
        for path in FOLDER.iterdir()
        if path.name.endswith(".py")
        for key in said.findall(path.read_text(encoding="utf-8"))
    }
    assert len(used) > 80
    assert used <= set(messages("en"))


def test_what_has_a_name_of_its_own_has_a_message():
    keys = set(messages("en"))
    assert {f"status_{status.rstrip('.')}" for status in STATUSES} <= keys
    assert {f"verdict_{verdict.rstrip('.')}" for verdict in VERDICTS} <= keys
    assert {f"accept_{verdict.rstrip('.')}" for verdict in VERDICTS} <= keys
    assert {f"format_{suffix[1:]}" for suffix in EXPORT_SUFFIXES} <= keys


def test_nothing_is_in_the_catalogue_that_nobody_says():
    code = "".join(
        path.read_text(encoding="utf-8") for path in FOLDER.iterdir() if path.name.endswith(".py")
    )
    made_up = ("accept_", "column_", "filter_", "format_", "kept_", "key_", "limit_", "order_",
               "state_", "status_", "verdict_", "query_", "source_")  # fmt: skip
    unused = [
        key
        for key in messages("en")
        if not key.startswith(made_up) and f'"{key.removesuffix("_one")}"' not in code
    ]
    assert unused == []


def test_values_take_their_places_and_cannot_bring_places_of_their_own():
    assert Messages("en")("time_left", time="{time}") == "{time} left"


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("de-AT,de;q=0.9", "de"), ("", "en"), ("ja, it;q=0.5", "it"), (";;;,,", "en")],
)
def test_the_best_language_is_the_first_we_have(accepted, language):
    assert best_language(accepted) == language


def test_an_unknown_language_is_english():
    assert Messages("xx")("read") == "Read"
