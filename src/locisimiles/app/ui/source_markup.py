"""A source as a text to scroll: passages with their loci, and candidates in the margin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from locisimiles.app.results.passages import passage_of, side_of
from locisimiles.app.ui.passages import passage
from locisimiles.corpus.citations import cite, printed_locus
from locisimiles.corpus.lines import lines_of
from locisimiles.corpus.segmenter import VERSE_SEPARATOR
from locisimiles.results.characters import for_html

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from locisimiles.app.projects.project import StoredSegment
    from locisimiles.app.results import PairDetails
    from locisimiles.app.ui.translator import Translator

__all__ = ["source_passages", "source_text", "source_title"]

_MOST_PLACES = 4  # beside one passage
_ACCEPTED = {"cit.": "cit", "cf.": "cf", "reject": "reject", "unsure": "unsure"}


def source_title(name: str, work: str) -> str:
    """Return the heading of a text: how it is cited, and what it is."""
    return (
        f'<h2 class="source-title">{for_html(name)} <span class="meta">{for_html(work)}</span></h2>'
    )


def source_text(passages: str, *, name: str, extent: tuple[int, int], translate: Translator) -> str:
    """Return the box that scrolls; `extent` says where the work begins and ends."""
    return (
        f'<div class="source-scroll" tabindex="0" autofocus role="region" '
        f'aria-label="{for_html(name)}">'
        f'<ol class="source-text words" data-begin="{extent[0]}" data-end="{extent[1]}" '
        f'aria-label="{for_html(translate("words_label"))}">{passages}</ol></div>'
    )


def source_passages(
    segments: Iterable[StoredSegment],
    rows: Iterable[Mapping[str, Any]],
    *,
    pair: PairDetails | None,
    translate: Translator,
) -> str:
    """Return passages as items of a list; `rows` are the pairs of these passages."""
    by_position: dict[int, list[Mapping[str, Any]]] = {}
    for row in rows:
        by_position.setdefault(row["source"], []).append(row)
    listed = list(segments)
    # A line of a poem alone does not say that it is one.
    verse = any(VERSE_SEPARATOR in segment.text for segment in listed)
    return "".join(
        _passage(segment, by_position.get(segment.position, ()), pair, translate, verse=verse)
        for segment in listed
    )


def _passage(
    segment: StoredSegment,
    rows: Sequence[Mapping[str, Any]],
    pair: PairDetails | None,
    translate: Translator,
    *,
    verse: bool,
) -> str:
    cited = pair is not None and pair.row["source"] == segment.position
    spans = [word[2:4] for word in pair.alignment] if pair is not None and cited else []
    whole = passage_of(segment)
    locus = printed_locus(segment.locus) if segment.locus else cite(whole)
    text = passage(whole, spans, translate=translate, words=True, verse=verse)
    if verse and lines_of(whole)[0].locus:
        locus = ""  # stands before the line
    return (
        f'<li class="source-passage{" cited" if cited else ""}{"" if locus else " in-lines"}" '
        f'data-position="{segment.position}"{" aria-current=location" if cited else ""}>'
        f'<span class="locus">{for_html(locus)}</span>'
        f'<div class="latin" lang="la">{text}</div>{_places(rows, pair, translate)}</li>'
    )


def _places(
    rows: Sequence[Mapping[str, Any]], pair: PairDetails | None, translate: Translator
) -> str:
    """Return where a passage may be cited, as links to the pairs."""
    if not rows:
        return ""
    items = "".join(_place(row, pair, translate) for row in rows[:_MOST_PLACES])
    if len(rows) > _MOST_PLACES:
        more = translate("source_more", count=len(rows) - _MOST_PLACES)
        items += f'<li class="meta">{for_html(more)}</li>'
    label = for_html(translate("source_places"))
    return f'<ul class="source-places" aria-label="{label}">{items}</ul>'


def _place(row: Mapping[str, Any], pair: PairDetails | None, translate: Translator) -> str:
    here = pair is not None and pair.row["row"] == row["row"]
    verdict = _ACCEPTED.get(row["verdict"] or "", "")
    chip = ""
    if verdict:
        chip = f' <span class="chip {verdict}">{for_html(translate(f"verdict_{verdict}"))}</span>'
    return (
        f'<li><button type="button" class="link" data-do="row" data-row="{row["row"]}"'
        f' title="{for_html(row["query_text"])}"{" aria-current=true" if here else ""}>'
        f"{for_html(cite(side_of(row, 'query')))}</button>{chip}</li>"
    )
