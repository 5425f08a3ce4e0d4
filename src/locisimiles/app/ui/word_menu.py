"""The entry of a word, in a menu beside it: lemmas, dictionary, forms and frequencies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nicegui import run, ui

from locisimiles.app.results.words import forms_in_project, look_up
from locisimiles.errors import LocisimilesError
from locisimiles.results.characters import for_html

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nicegui.events import GenericEventArguments

    from locisimiles.app.results.words import LemmaFacts, WordFacts
    from locisimiles.app.ui.translator import Translator
    from locisimiles.app.ui.view import Page

__all__ = ["WordMenu", "word_entry"]

_ANCHOR = re.compile(r"word-\d+")
_MOST_ENTRIES = 4
_MOST_FORMS = 12


class WordMenu:
    """A menu that opens beside the word that a reader asks about."""

    def __init__(self, page: Page) -> None:
        self._page, self._t = page, page.translate
        self._asked = 0
        with ui.menu().props("no-parent-event") as self._menu:
            self._menu.classes("word-menu").props("role=dialog")
            self._menu.props["aria-label"] = self._t("word_entry")
            # It has the focus, so that the keys that scroll a long entry do.
            self._body = ui.html(sanitize=False).classes("word-entry")
            self._body.props('tabindex="0" autofocus')
        ui.on("loci_word", self._look_up)

    async def _look_up(self, event: GenericEventArguments) -> None:
        form, anchor = (str(event.args.get(name, "")) for name in ("form", "anchor"))
        if _ANCHOR.fullmatch(anchor) is None:
            return
        self._asked += 1
        asked = self._asked
        try:
            word = await run.io_bound(look_up, form)
        except LocisimilesError:  # a sign, but no word
            return
        if word is None or asked != self._asked:
            return
        self._body.set_content(word_entry(word, None, translate=self._t))
        self._menu.props(f"target=#{anchor}")
        self._menu.open()
        # The texts of a project are cut into words when somebody first asks, which takes a while.
        forms = await run.io_bound(self._forms, word)
        if forms is not None and asked == self._asked:
            self._body.set_content(word_entry(word, forms, translate=self._t))

    def _forms(self, word: WordFacts) -> dict[str, dict[str, dict[str, int]]]:
        workspace = self._page.workspace
        lemmas = dict.fromkeys(one.lemma for part in word.parts for one in part.lemmas)
        return {
            lemma: forms_in_project(workspace.project, lemma, workspace.searched)
            for lemma in lemmas
        }


def word_entry(
    word: WordFacts,
    forms: Mapping[str, Mapping[str, Mapping[str, int]]] | None,
    *,
    translate: Translator,
) -> str:
    """Return the entry of a word; `forms` are counted by lemma and side, or not yet."""
    parts = []
    for part in word.parts:
        shown = [
            _lemma(
                lemma,
                None if forms is None else forms[lemma.lemma],
                sentences=word.all_sentences,
                alone=len(part.lemmas) == 1,
                translate=translate,
            )
            for lemma in part.lemmas
        ]
        form = f'<h2 class="form" lang="la">{for_html(part.form)}</h2>'
        parts.append(f"<section>{form}{''.join(shown)}</section>")
    source = for_html(translate("word_source"))
    return f'{"".join(parts)}<p class="meta">{source}</p>'


def _lemma(
    facts: LemmaFacts,
    forms: Mapping[str, Mapping[str, int]] | None,
    *,
    sentences: int,
    alone: bool,
    translate: Translator,
) -> str:
    share = f' <span class="meta">{translate.percent(facts.probability)}</span>'
    entries = "".join(
        f'<dt><b lang="la">{for_html(entry.headword)}</b>'
        f'{for_html(", " if entry.grammar else "")}<span lang="la">{for_html(entry.grammar)}</span>'
        f'</dt><dd lang="en">{for_html("; ".join(entry.senses))}</dd>'
        for entry in facts.entries[:_MOST_ENTRIES]
    )
    entries = (
        f"<dl>{entries}</dl>"
        if entries
        else f'<p class="meta">{for_html(translate("word_no_entry"))}</p>'
    )
    counted = translate("word_in_latin", count=facts.sentences, total=sentences)
    here = "" if forms is None else _here(forms, translate)
    lemma = f'<p><i lang="la">{for_html(facts.lemma)}</i>{"" if alone else share}</p>'
    if alone and facts.entries:
        lemma = ""  # the headword says it
    return f'<div class="lemma">{lemma}{entries}{here}<p class="meta">{for_html(counted)}</p></div>'


def _here(forms: Mapping[str, Mapping[str, int]], translate: Translator) -> str:
    """Return how often the forms of a lemma occur on each side."""
    lines = []
    for side in ("query", "source"):
        counts = forms[side]
        if not counts:
            continue
        listed = ", ".join(
            f'<span lang="la">{for_html(form)}</span> {translate.number(count)}'
            for form, count in list(counts.items())[:_MOST_FORMS]
        )
        more = len(counts) - _MOST_FORMS
        dots = " …" if more > 0 else ""
        total = translate(f"word_in_{side}", count=sum(counts.values()))
        lines.append(f"<li>{for_html(total)}: {listed}{dots}</li>")
    return f'<ul class="others">{"".join(lines)}</ul>' if lines else ""
