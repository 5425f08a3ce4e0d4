"""What readers said of a pair side by side, and the decision between them, as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.app.ui.markup import VERDICT_CLASSES, verdict_buttons, verdict_chip
from locisimiles.results.characters import for_html

if TYPE_CHECKING:
    from collections.abc import Iterable

    from locisimiles.app.judging.verdicts import StoredJudgement
    from locisimiles.app.ui.translator import Translator

__all__ = ["decision_box", "readers_side_by_side"]


def readers_side_by_side(judgements: Iterable[StoredJudgement], translate: Translator) -> str:
    """Return a column for each reader: name, verdict, date, note."""
    columns = "".join(_column(one, translate) for one in judgements)
    label = for_html(translate("adjudication_readers"))
    return f'<ul class="readers-said" aria-label="{label}">{columns}</ul>'


def _column(one: StoredJudgement, translate: Translator) -> str:
    name = "" if one.verdict is None else VERDICT_CLASSES[one.verdict]
    facts = [_date(one.time, translate)]
    if one.independent:
        facts.append(translate("independent"))
    return (
        f'<li class="said {name}"><p class="place">'
        f"<strong>{for_html(one.reader or translate('nameless'))}</strong> "
        f"{verdict_chip(one.verdict, translate)}</p>"
        f'<p class="meta">{for_html(" · ".join(filter(None, facts)))}</p>{_note(one.note)}</li>'
    )


def decision_box(decision: StoredJudgement, translate: Translator) -> str:
    """Return the decision as it stands, and the buttons that make it."""
    tools = "".join(
        f'<button type="button" class="tool" data-do="{name}">'
        f"{for_html(translate(text))} <kbd>{key}</kbd></button>"
        for name, text, key in (
            ("note", "note", "n"),
            ("previous", "previous_pair", "k"),
            ("next", "next_pair", "j"),
        )
    )
    label = for_html(translate("decision"))
    return (
        f'<section class="decision-box" aria-label="{label}"><p class="place">'
        f"<strong>{label}</strong> {_state(decision, translate)}</p>{_note(decision.note)}"
        f'<div class="verdicts" role="group" aria-label="{label}">'
        f"{verdict_buttons(decision.verdict, translate)}{tools}</div></section>"
    )


def _state(decision: StoredJudgement, translate: Translator) -> str:
    if decision.verdict is None:
        return f'<span class="meta">{for_html(translate("undecided"))}</span>'
    said = translate("decided_by", verdict=_short(decision, translate), reader=decision.reader)
    return (
        f'<span class="chip decided">{for_html(said)}</span> '
        f'<span class="meta">{for_html(_date(decision.time, translate))}</span>'
    )


def _short(one: StoredJudgement, translate: Translator) -> str:
    return translate(f"verdict_{VERDICT_CLASSES[str(one.verdict)]}")


def _note(note: str) -> str:
    return f'<p class="own-note">{for_html(note)}</p>' if note else ""


def _date(time: float, translate: Translator) -> str:
    return translate.moment(time) if time else ""
