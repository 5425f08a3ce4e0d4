"""Texts as HTML. All texts of users are escaped here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from locisimiles.app.results.passages import passage_of, side_of
from locisimiles.app.ui.passages import copy_buttons, marked, passage
from locisimiles.app.workspace import KEYS
from locisimiles.corpus.citations import cite, cited_work, printed_locus
from locisimiles.export.characters import for_html

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from locisimiles.app.projects.project import StoredSegment
    from locisimiles.app.results import PairDetails
    from locisimiles.app.search.status import SearchStatus
    from locisimiles.app.ui.translator import Translator
    from locisimiles.classify.selection import Expectation

__all__ = [
    "candidate",
    "expected_text",
    "marked",
    "overview",
    "progress_text",
    "query_heading",
    "reading_list",
    "share_of",
]

_CLASSES = {"cit.": "cit", "cf.": "cf", "reject": "reject", "unsure": "unsure"}


def expected_text(references: Expectation | None, translate: Translator) -> str:
    """Return how many references to expect; empty if no classifier has judged the pairs.

    Examples
    --------
    >>> from locisimiles.app.ui.translator import Translator
    >>> from locisimiles.classify.selection import Expectation
    >>> expected_text(Expectation(120, 56.7, 41, 72), Translator("en"))
    'about 57 references expected (90%: 41 to 72)'
    """
    if references is None:
        return ""
    return translate(
        "expected",
        expected=round(references.expected),
        low=round(references.low),
        high=round(references.high),
    )


def progress_text(status: SearchStatus, translate: Translator) -> str:
    """Return how much of the text was searched; empty if all was."""
    if status.state == "done":
        return ""
    key = "provisional_share" if status.is_busy else "incomplete_share"
    return translate(
        key,
        done=translate.number(status.finished_queries),
        total=translate.number(status.queries),
    )


def reading_list(
    segments: Iterable[StoredSegment],
    counts: Mapping[int, tuple[int, int, float]],
    *,
    current: int,
    values: tuple[float, float],
    translate: Translator,
) -> str:
    """Return the text of the query, with bars in the margin where something was found."""
    items = []
    work: str | None = None
    for segment in segments:
        before, work = work, cited_work(segment)
        # The work is named where it begins; below, its loci are enough.
        place = printed_locus(segment.locus) if segment.locus and work == before else cite(segment)
        found, accepted, best = counts.get(segment.position, (0, 0, values[0]))
        share = 100 * share_of(best, values)
        here = segment.position == current
        title = translate("candidates_here", count=found, accepted=accepted)
        dots = f'<span class="dots" aria-hidden="true">{"●" * min(accepted, 3)}</span>'
        items.append(
            f'<li><button type="button" class="segment{" here" if here else ""}" '
            f'data-do="query" data-query="{segment.position}" title="{for_html(title)}"'
            f"{' aria-current=true' if here else ''}>"
            f'<span class="margin" aria-hidden="true"><span class="bar" '
            f'style="width:{share:.0f}%"></span></span>{dots}'
            f'<span class="locus">{for_html(place)}</span> '
            f'<span class="latin" lang="la">{for_html(segment.text)}</span></button></li>'
        )
    return f'<ol class="reading">{"".join(items)}</ol>'


def share_of(value: float, values: tuple[float, float]) -> float:
    """Return where a value lies between the least and the greatest, from 0 to 1.

    Examples
    --------
    >>> share_of(3.0, (1.0, 5.0))
    0.5
    """
    least, greatest = values
    return min(max((value - least) / ((greatest - least) or 1.0), 0.0), 1.0)


def overview(shares: Sequence[tuple[int, float]], *, translate: Translator, label: str = "") -> str:
    """Return the whole text as a row of bars that lead to its parts."""
    bars = "".join(
        f'<span data-do="query" data-query="{position}" style="--share:{share:.3f}"></span>'
        for position, share in shares
    )
    label = for_html(label or translate("density"))
    return f'<div class="overview" role="img" aria-label="{label}">{bars}</div>'


def query_heading(
    segment: StoredSegment,
    pair: PairDetails | None,
    context: tuple[str, str] | None,
    *,
    translate: Translator,
) -> str:
    """Return the current query segment, with the words aligned to a pair in colour."""
    spans = [word[:2] for word in pair.alignment] if pair else []
    where = ", ".join(filter(None, (segment.author, segment.work)))
    before, after = context or ("", "")
    return (
        f'<div class="query-card"><p class="place"><strong>{for_html(cite(segment))}</strong> '
        f'<span class="meta">{for_html(where)}</span>'
        f"{copy_buttons('query', segment.position, translate)}</p>"
        f'<p class="latin large" lang="la">{_faint(before)}'
        f"{passage(passage_of(segment), spans, translate=translate)}{_faint(after)}</p></div>"
    )


def candidate(
    row: Mapping[str, Any],
    *,
    translate: Translator,
    pair: PairDetails | None = None,
    context: tuple[str, str] | None = None,
    glosses: Mapping[str, tuple[str, ...]] | None = None,
) -> str:
    """Return one candidate, a row with texts; if it is the current pair, with its details."""
    chosen = pair is not None
    spans = [word[2:4] for word in row["alignment"]]
    before, after = context or ("", "")
    body = (
        f'<p class="latin" lang="la">{_faint(before)}'
        f"{passage(side_of(row, 'source'), spans, translate=translate, coloured=chosen)}"
        f"{_faint(after)}</p>"
    )
    details = ""
    if pair is not None:
        details = _details(pair, translate, shown=context is not None) + _glosses(glosses or {})
    return (
        f'<li class="candidate{" chosen" if chosen else ""}" data-do="row" '
        f'data-row="{row["row"]}">{_head(row, translate, chosen=chosen)}{body}{details}</li>'
    )


def _head(row: Mapping[str, Any], translate: Translator, *, chosen: bool) -> str:
    where = ", ".join(filter(None, (row["source_author"], row["source_work"])))
    verdict = row["verdict"]
    chips = ""
    if verdict:
        name = _CLASSES[verdict]
        chips = f'<span class="chip {name}">{for_html(translate(f"verdict_{name}"))}</span>'
    if row["note"]:
        chips += f'<span class="chip note">{for_html(translate("note"))}</span>'
    copy = copy_buttons("source", int(row["source"]), translate) if chosen else ""
    return (
        f'<p class="place"><button type="button" class="link" data-do="row" '
        f'data-row="{row["row"]}"{" aria-current=true" if chosen else ""}>{row["rank"]}. '
        f"{for_html(cite(side_of(row, 'source')))}</button> "
        f'<span class="meta">{for_html(where)}</span>'
        f'<span class="values">{_values(row, translate)}</span>{chips}{copy}</p>'
    )


def _values(row: Mapping[str, Any], translate: Translator) -> str:
    if row["probability"] is not None:
        kind = f" {row['type']}" if row["type"] else ""
        value = f"{translate.number(float(row['probability']))}{for_html(kind)}"
        if row.get("shipped") is None:
            return f"{for_html(translate('probability'))} {value}"
        shipped = f"{for_html(translate('shipped'))} {translate.number(float(row['shipped']))}"
        return f"{for_html(translate('learnt_probability'))} {value} ({shipped})"
    return f"{for_html(translate('score'))} {translate.number(float(row['score']))}"


def _details(pair: PairDetails, translate: Translator, *, shown: bool) -> str:
    verdict = pair.row["verdict"]
    buttons = "".join(
        f'<button type="button" class="judge {_CLASSES[name]}" data-do="judge" '
        f'data-verdict="{name}" aria-pressed="{str(name == verdict).lower()}">'
        f"{for_html(translate(f'accept_{_CLASSES[name]}'))} <kbd>{key}</kbd></button>"
        for key, name in KEYS.items()
    )
    tools = "".join(
        f'<button type="button" class="tool" data-do="{name}"{pressed}>'
        f"{for_html(translate(name))} <kbd>{key}</kbd></button>"
        for name, key, pressed in (
            ("note", "n", ""),
            ("context", "b", f' aria-pressed="{str(shown).lower()}"'),
            ("glosses", "g", ""),
        )
    )
    others = "".join(
        f"<li>{for_html(str(o['reader']) or translate('nameless'))}: "
        f"{for_html(_verdict(o['verdict'], translate))} {for_html(str(o['note']))}</li>"
        for o in pair.others
    )
    note = pair.row["note"]
    # Projects of earlier versions store an English sentence.
    explanation = for_html(translate.explanation(pair.explanation))
    language = translate.language if pair.explanation.startswith("[") else "en"
    return (
        f'<div class="verdicts" role="group" aria-label="{for_html(translate("verdict"))}">'
        f"{buttons}{tools}</div>"
        + (f'<p class="own-note">{for_html(str(note))}</p>' if note else "")
        + f'<p class="why" lang="{language}">{explanation}</p>'
        + (f'<ul class="others">{others}</ul>' if others else "")
    )


def _verdict(verdict: object, translate: Translator) -> str:
    return translate(f"verdict_{_CLASSES[str(verdict)]}") if verdict else "–"


def _glosses(glosses: Mapping[str, tuple[str, ...]]) -> str:
    items = "".join(
        f'<li><i lang="la">{for_html(lemma)}</i>: {for_html(", ".join(senses))}</li>'
        for lemma, senses in glosses.items()
    )
    return f'<ul class="others" lang="en">{items}</ul>' if items else ""


def _faint(text: str) -> str:
    return f'<span class="context">{for_html(text)}</span> ' if text else ""
