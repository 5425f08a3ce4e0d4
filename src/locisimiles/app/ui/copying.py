"""Copies a passage to the clipboard."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from nicegui import ui

from locisimiles.app.projects.project import SIDES
from locisimiles.app.results.passages import COPY_FORMS, copied
from locisimiles.app.ui.notices import notify
from locisimiles.errors import LocisimilesError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.app.projects.project import TextTable
    from locisimiles.app.ui.translator import Translator

__all__ = ["copy_passage"]

# Browsers lend the clipboard only to safe addresses; elsewhere, the older way works.
_COPY = """((text) => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const box = document.createElement('textarea');
  const before = document.activeElement;
  box.value = text;
  document.body.append(box);
  box.select();
  document.execCommand('copy');
  box.remove();
  if (before) before.focus();
})(TEXT)"""


def copy_passage(texts: TextTable, translate: Translator, wanted: Mapping[str, Any]) -> None:
    """Copy the passage that a clicked button names, in its form."""
    form = next(form for form in COPY_FORMS if form == wanted["form"])
    side = next(side for side in SIDES if side == wanted["side"])
    try:
        text = copied(texts, side, int(wanted["position"]), form)
    except LocisimilesError as error:
        notify(translate.show(error), "negative")
        return
    ui.run_javascript(_COPY.replace("TEXT", json.dumps(text)))
    notify(translate(f"copied_{form}"), "positive")
