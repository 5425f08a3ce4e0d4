"""The texts of the interface."""

import json
import re
from importlib import resources
from pathlib import Path
from typing import get_args

import pytest

from locisimiles.app.judging.verdicts import VERDICTS
from locisimiles.app.projects.additions import TextState
from locisimiles.app.results import STATUSES
from locisimiles.app.results.passages import COPY_FORMS
from locisimiles.app.search.parameters import LEMMATIZERS
from locisimiles.app.search.status import SearchState
from locisimiles.app.ui import (
    agreement_table,
    filter_bar,
    filter_panel,
    keys,
    project_page,
    table_view,
)
from locisimiles.app.ui.chart_files import PICTURES
from locisimiles.app.ui.help_page import HELP_VIEWS
from locisimiles.app.ui.tour import STEPS
from locisimiles.app.ui.translator import Translator
from locisimiles.corpus.options import Segmentation, StopAt
from locisimiles.errors import InputError
from locisimiles.export import APPARATUS_SUFFIXES, EXPORT_SUFFIXES
from locisimiles.messages import LANGUAGES, Message

CODE = "".join(
    path.read_text(encoding="utf-8")
    for path in Path(str(resources.files("locisimiles.app.ui"))).rglob("*.py")
)
KEPT = ("all", "budget", "precision", "threshold")
ORDERS = (*filter_bar._ORDERS, "probability", "informative", "score")
NAMED = {
    *(f"{kind}_{name.rstrip('.')}" for kind in ("verdict", "accept") for name in VERDICTS),
    *(f"status_{name.rstrip('.')}" for name in STATUSES),
    *(f"state_{name}" for name in get_args(SearchState)),
    *(f"format_{suffix[1:]}" for suffix in EXPORT_SUFFIXES),
    *(f"login_{part}" for part in ("button", "explanation", "token")),
    *(f"genre_{genre}" for genre in ("verse", "prose")),
    *(f"text_{state}" for state in get_args(TextState)),
    *(f"segmentation_{name}" for name in get_args(Segmentation)),
    *(f"stop_at_{name}" for name in get_args(StopAt)),
    *(f"lemmatizer_{name}" for name in LEMMATIZERS),
    *(f"column_{name}" for name, *_ in table_view._COLUMNS),
    *(f"filter_{name}" for name in filter_panel.CHOICES),
    *(f"order_{name}" for name in ORDERS),
    *(f"agreement_{name}" for name in agreement_table._HEADS),
    *(f"key_{key}" for key in keys.ACTIONS if key != "?"),
    *(f"help_{name}" for name in HELP_VIEWS),
    *(f"kept_{name}" for name in KEPT),
    *(f"apparatus_{suffix[1:]}" for suffix in APPARATUS_SUFFIXES),
    *(f"copied_{form}" for form in COPY_FORMS),
    *(f"copy_{form}" for form in COPY_FORMS),
    *(f"copy_{form}_long" for form in COPY_FORMS),
    *(f"chart_{kind}" for kind in PICTURES),
    *(f"tour_{step.name}{part}" for step in STEPS for part in ("", "_title")),
    *(f"limit_{name}" for name in KEPT[1:]),
    *(f"word_in_{side}" for side in ("query", "source")),
    *(f"{side}_{what}" for side in ("query", "source") for what in ("texts", "help")),
    *filter_panel.NUMBERS,
    *project_page._VIEWS,
}
"""Texts whose names the code puts together."""


def texts(language):
    path = resources.files("locisimiles.messages") / language / "ui.json"
    return json.loads(path.read_text(encoding="utf-8"))


def test_every_text_of_the_code_exists():
    used = set(re.findall(r'(?:translate|_t|\bt)\(\s*"(\w+)"', CODE))
    assert len(used) > 80
    assert used | NAMED <= set(texts("en"))


def test_every_text_is_used():
    names = {name.removesuffix("_one") for name in texts("en")} - NAMED
    assert [name for name in sorted(names) if f'"{name}"' not in CODE] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_neither_empty_nor_padded(language):
    assert all(text.strip() == text != "" for text in texts(language).values())


def test_values_fill_places_and_bring_none():
    assert Translator("en")("time_left", time="{time}") == "about {time} left"


def test_numbers_are_written_as_in_the_language():
    assert Translator("en")("segments", count=1200) == "1,200 segments"
    assert Translator("de")("segments", count=1200) == "1\u202f200 Segmente"
    assert Translator("de")("segments", count=1) == "1 Segment"


def test_messages_errors_tasks_and_methods_are_translated():
    german = Translator("de")
    assert german.show(Message("app.no_search", {"number": "3"})) == "es gibt keine Suche 3"
    assert german.show(InputError("files.not_found", file="a.txt", row=3)) == (
        "a.txt, Zeile 3: Datei nicht gefunden"
    )
    assert german.task("preparing evidence") == "Belege werden vorbereitet"
    assert german.method("bm25") == "BM25 über Lemmata"


def test_an_unknown_language_is_english():
    assert Translator("xx")("read") == "Read"
