"""Texts as HTML. All texts of users are escaped here."""

from __future__ import annotations

from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

from locisimiles.app.results.passages import passage_of, side_of
from locisimiles.app.ui.passages import copy_buttons, marked, passage
from locisimiles.app.workspace import KEYS
from locisimiles.corpus.citations import cite, cited_work, printed_locus
from locisimiles.results.characters import for_html

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from locisimiles.app.projects.project import Side, StoredSegment
    from locisimiles.app.results import PairDetails
    from locisimiles.app.search.status import SearchStatus
    from locisimiles.app.ui.translator import Translator
    from locisimiles.classify.selection import Expectation

__all__ = [
    "VERDICT_CLASSES",
    "candidate",
    "expected_text",
    "legend",
    "marked",
    "overview",
    "progress_text",
    "reading_list",
    "reasons",
    "segment_card",
    "share_of",
    "verdict_buttons",
    "verdict_chip",
]

VERDICT_CLASSES = {"cit.": "cit", "cf.": "cf", "reject": "reject", "unsure": "unsure"}


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
    hits: Iterable[Sequence[Sequence[int]]] = (),
) -> str:
    """Return the text of the query, with bars in the margin where something was found.

    `hits` are those of each segment.
    """
    items = []
    work: str | None = None
    for segment, own in zip(segments, chain(hits, repeat(())), strict=False):
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
            f'<span class="latin" lang="la">{marked(segment.text, (), own)}</span></button></li>'
        )
    return f'<ol class="reading">{"".join(items)}</ol>'


def legend(translate: Translator) -> str:
    """Return what the marks in texts mean, while a word filter is set."""
    hit, match = (for_html(translate(name)) for name in ("legend_hits", "legend_matches"))
    return f'<mark class="hit">{hit}</mark> <mark class="w0 u0" data-n="1">{match}</mark>'


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


def segment_card(
    segment: StoredSegment,
    pair: PairDetails | None,
    context: tuple[str, str] | None,
    *,
    side: Side = "query",
    translate: Translator,
    hits: Sequence[Sequence[int]] = (),
) -> str:
    """Return a segment on one side of a pair, with the aligned words in colour."""
    first = 0 if side == "query" else 2
    spans = [word[first : first + 2] for word in pair.alignment] if pair else []
    where = translate.named_beside(cite(segment), segment.author, segment.work)
    before, after = context or ("", "")
    return (
        f'<div class="query-card"><p class="place"><strong>{for_html(cite(segment))}</strong> '
        f'<span class="meta">{for_html(where)}</span>'
        f"{copy_buttons(side, segment.position, translate)}</p>"
        f'<p class="latin large words" lang="la" role="group" {_words_label(translate)}>'
        f"{_faint(before)}"
        f"{passage(passage_of(segment), spans, hits, translate=translate, words=True)}"
        f"{_faint(after)}</p></div>"
    )


def candidate(
    row: Mapping[str, Any],
    *,
    translate: Translator,
    pair: PairDetails | None = None,
    context: tuple[str, str] | None = None,
    glosses: Mapping[str, tuple[str, ...]] | None = None,
    hits: Sequence[Sequence[int]] = (),
    beneath: Sequence[Mapping[str, Any]] = (),
) -> str:
    """Return one candidate, a row with texts; if it is the current pair, with its details.

    Rows with parallel sources are named beneath.
    """
    chosen = pair is not None
    spans = [word[2:4] for word in row["alignment"]]
    before, after = context or ("", "")
    # Only the words of the chosen pair can be looked up: a click on another candidate chooses it.
    text = passage(
        side_of(row, "source"), spans, hits, translate=translate, coloured=chosen, words=chosen
    )
    group = f' words" role="group" {_words_label(translate)}' if chosen else '"'
    body = f'<p class="latin{group} lang="la">{_faint(before)}{text}{_faint(after)}</p>'
    details = ""
    if pair is not None:
        details = _details(pair, translate, glosses or {}, shown=context is not None)
    return (
        f'<li class="candidate{" chosen" if chosen else ""}" data-do="row" '
        f'data-row="{int(row["row"])}">{_head(row, translate, chosen=chosen)}{body}'
        f"{_also_in(beneath, translate)}{details}</li>"
    )


def _passage_locus(row: Mapping[str, Any]) -> str:
    """Return the verses that belong together, else the locus of the segment."""
    return str(row.get("passage_locus", row.get("source_locus", "")))


def _also_in(beneath: Sequence[Mapping[str, Any]], translate: Translator) -> str:
    """Return the sources with nearly the same words, each a button that chooses its pair."""
    if not beneath:
        return ""
    listed = ", ".join(
        f'<button type="button" class="link" data-do="row" data-row="{int(row["row"])}">'
        f"{for_html(cite(side_of(row, 'source')))}</button> ({int(row['rank'])})"
        f"{verdict_chip(row['verdict'], translate) if row['verdict'] else ''}"
        for row in beneath
    )
    return f'<p class="meta also">{for_html(translate("also_in"))} {listed}</p>'


def _head(row: Mapping[str, Any], translate: Translator, *, chosen: bool) -> str:
    cited = cite(side_of({**row, "source_locus": _passage_locus(row)}, "source"))
    where = translate.named_beside(cited, row["source_author"], row["source_work"])
    chips = verdict_chip(row["verdict"], translate) if row["verdict"] else ""
    if row.get("decision"):
        decision = translate(f"verdict_{VERDICT_CLASSES[row['decision']]}")
        said = translate("decided_by", verdict=decision, reader=row["decided_by"])
        chips += f'<span class="chip decided">{for_html(said)}</span>'
    if row["note"]:
        chips += f'<span class="chip note">{for_html(translate("note"))}</span>'
    copy = copy_buttons("source", int(row["source"]), translate) if chosen else ""
    return (
        f'<p class="place"><button type="button" class="link" data-do="row" '
        f'data-row="{int(row["row"])}"{" aria-current=true" if chosen else ""}>{int(row["rank"])}. '
        f"{for_html(cited)}</button> "
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


def _details(
    pair: PairDetails,
    translate: Translator,
    glosses: Mapping[str, tuple[str, ...]],
    *,
    shown: bool,
) -> str:
    buttons = verdict_buttons(pair.row["verdict"], translate)
    tools = "".join(
        f'<button type="button" class="tool" data-do="{name}"{pressed}>'
        f"{for_html(translate(name))} <kbd>{key}</kbd></button>"
        for name, key, pressed in (
            ("note", "n", ""),
            ("context", "b", f' aria-pressed="{str(shown).lower()}"'),
            ("glosses", "g", ""),
            ("source_text", "s", ""),
        )
    )
    others = "".join(
        f"<li>{for_html(str(o['reader']) or translate('nameless'))}: "
        f"{for_html(_verdict(o['verdict'], translate))} {for_html(str(o['note']))}</li>"
        for o in pair.others
    )
    note = pair.row["note"]
    decision = ""
    if pair.decision and pair.decision["note"]:
        decision = f"{translate('decision')}: {pair.decision['note']}"
    return (
        f'<div class="verdicts" role="group" aria-label="{for_html(translate("verdict"))}">'
        f"{buttons}{tools}</div>"
        + (f'<p class="own-note">{for_html(str(note))}</p>' if note else "")
        + reasons(pair, glosses, translate)
        + (f'<ul class="others">{others}</ul>' if others else "")
        + (f'<p class="decision">{for_html(decision)}</p>' if decision else "")
    )


def reasons(
    pair: PairDetails, glosses: Mapping[str, tuple[str, ...]], translate: Translator
) -> str:
    """Return why a pair may be a reference, with glosses of its words."""
    # Projects of earlier versions store an English sentence.
    language = translate.language if pair.explanation.startswith("[") else "en"
    explanation = for_html(translate.explanation(pair.explanation))
    return f'<p class="why" lang="{language}">{explanation}</p>{_glosses(glosses)}'


def verdict_buttons(verdict: object, translate: Translator) -> str:
    """Return a button for each verdict; the current one is pressed."""
    return "".join(
        f'<button type="button" class="judge {VERDICT_CLASSES[name]}" data-do="judge" '
        f'data-verdict="{name}" aria-pressed="{str(name == verdict).lower()}">'
        f"{for_html(translate(f'accept_{VERDICT_CLASSES[name]}'))} <kbd>{key}</kbd></button>"
        for key, name in KEYS.items()
    )


def verdict_chip(verdict: object, translate: Translator) -> str:
    """Return a verdict as a chip; a dash if there is none."""
    name = VERDICT_CLASSES.get(str(verdict), "")
    return f'<span class="chip {name}">{for_html(_verdict(verdict, translate))}</span>'


def _verdict(verdict: object, translate: Translator) -> str:
    return translate(f"verdict_{VERDICT_CLASSES[str(verdict)]}") if verdict else "–"


def _glosses(glosses: Mapping[str, tuple[str, ...]]) -> str:
    items = "".join(
        f'<li><i lang="la">{for_html(lemma)}</i>: {for_html(", ".join(senses))}</li>'
        for lemma, senses in glosses.items()
    )
    return f'<ul class="others" lang="en">{items}</ul>' if items else ""


def _words_label(translate: Translator) -> str:
    return f'aria-label="{for_html(translate("words_label"))}"'


def _faint(text: str) -> str:
    return f'<span class="context">{for_html(text)}</span> ' if text else ""
