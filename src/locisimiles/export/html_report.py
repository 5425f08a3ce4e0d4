"""HTML: one file to read, sort, filter and print, which never asks the network for anything."""

from __future__ import annotations

import base64
import hashlib
import json
from importlib import resources
from typing import TYPE_CHECKING, TextIO

from locisimiles.export.characters import for_html
from locisimiles.export.explained import ExplainedResults, explanations_of
from locisimiles.export.highlights import aligned, marks_in_query, marks_in_source, pieces
from locisimiles.export.html_plots import author_plot, density_plot, score_plot

if TYPE_CHECKING:
    from collections.abc import Iterable

    from locisimiles.corpus import Segment
    from locisimiles.evidence.alignment import Alignment
    from locisimiles.export.highlights import Mark
    from locisimiles.results import Reference, Results

__all__ = ["json_in_script", "write_html"]

_COLOURS = 8
_DIGITS = 4
_HEADINGS = (("Query", "text"), ("Source", "text"), ("Rank", "number"), ("Score", "number"))
_JUDGED_HEADINGS = (("Probability", "number"), ("Type", "text"))
_HIGHEST_FIRST = ("Score", "Probability")


def write_html(results: Results, stream: TextIO) -> None:
    """Write a report of the results."""
    style, script = _asset("report.css"), _asset("report.js")
    judged = results.probabilities is not None
    stream.write(_head(style, script))
    stream.write(_summary(results))
    stream.write('<section aria-label="Figures"><h2>Figures</h2><div class="figures">\n')
    stream.writelines((score_plot(results), density_plot(results), author_plot(results)))
    stream.write("</div></section>\n")
    stream.write(_controls(results))
    explained = isinstance(results, ExplainedResults)
    stream.write(_table_head(len(results), judged=judged, explained=explained))
    pairs = zip(aligned(results), explanations_of(results), strict=False)
    stream.writelines(_row(*pair, explanation) for pair, explanation in pairs)
    stream.write(
        '</tbody></table></div>\n<p><button id="more" hidden>Show all</button></p></section>\n'
    )
    stream.write(_manifest(results))
    stream.write(f"<script>{script}</script>\n</main></body></html>\n")


def json_in_script(value: object) -> str:
    r"""Write JSON that no browser takes for anything else inside a script element.

    Examples
    --------
    >>> json_in_script({"text": "</script><!--"})
    '{"text": "\\u003c/script\\u003e\\u003c!--"}'
    """
    text = json.dumps(value, ensure_ascii=True)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _asset(name: str) -> str:
    path = resources.files("locisimiles.export") / "data" / name
    return path.read_text(encoding="utf-8")


def _head(style: str, script: str) -> str:
    # Only this very style and script may run, whatever a text might smuggle in.
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>References found by locisimiles</title>\n<style>{style}</style></head>\n"
    )


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _summary(results: Results) -> str:
    version = for_html(str(results.manifest.get("locisimiles", "")))
    near = ""
    if isinstance(results, ExplainedResults):
        near = "; those that are only near in meaning have a dotted line"
    query = _searched(results.manifest.get("query"), len(results.query))
    source = _searched(results.manifest.get("source"), len(results.source))
    return (
        '<body><a class="skip" href="#references">To the references</a>\n<main>'
        "<header><h1>References found by locisimiles</h1>\n"
        f'<p class="meta">{len(results):,} candidates for {query:,} query segments '
        f"in {source:,} source segments; locisimiles {version}. "
        f"Words that answer each other have the same colour{near}.</p></header>\n"
    )


def _searched(described: object, known: int) -> int:
    """Return how many segments were searched; a file that was read back names only some."""
    told = described.get("segments") if isinstance(described, dict) else None
    return told if isinstance(told, int) else known


def _controls(results: Results) -> str:
    found = {results.source.authors[at] for at in set(results.candidates.source.tolist())}
    options = "".join(
        f'<option value="{for_html(author)}">{for_html(author)}</option>'
        for author in sorted(filter(None, found))
    )
    least = "score" if results.probabilities is None else "probability"
    return (
        '<section aria-label="References"><h2>References</h2>\n'
        '<div class="controls" id="controls" hidden>\n'
        '<label>Find words<input id="find" type="search"></label>\n'
        '<label>Cited author<select id="author"><option value="">all</option>'
        f"{options}</select></label>\n"
        f'<label>Least {least}<input id="least" type="number" step="any"></label>\n'
        '<span id="count" role="status" aria-live="polite"></span></div>\n'
    )


def _table_head(count: int, *, judged: bool, explained: bool) -> str:
    headings = (*_HEADINGS, *(_JUDGED_HEADINGS if judged else ()), ("Shared", "text"))
    classes = {"Query": "", "Source": "", "Shared": ' class="words"'}
    cells = "".join(
        f'<th scope="col" data-kind="{kind}"{classes.get(name, " class=number")}'
        f"{' data-first=highest' if name in _HIGHEST_FIRST else ''}>"
        f'<button type="button">{name}</button></th>'
        for name, kind in headings
    )
    return (
        f'<div class="table"><table id="references"{" class=explained" if explained else ""}>'
        f"<caption>{count:,} candidates; the headings sort them.</caption>\n"
        f"<thead><tr>{cells}</tr></thead>\n<tbody>\n"
    )


def _row(reference: Reference, alignment: Alignment, explanation: str) -> str:
    score = round(reference.score, _DIGITS)
    cells = [
        _segment(reference.query, marks_in_query(alignment), alignment),
        _segment(reference.source, marks_in_source(alignment), alignment),
        _value(reference.rank),
        _value(score),
    ]
    judged, least = reference.probabilities, score
    if judged is not None:
        least = round(judged.reference, _DIGITS)
        cells += [_value(least), _value(judged.kind)]
    shared = for_html(" ".join(alignment.lemmas))
    why = f'<span class="why">{for_html(explanation)}</span>' if explanation else ""
    cells.append(f'<td data-value="{shared}">{shared}{why}</td>')
    author = for_html(reference.source.author)
    return f'<tr data-least="{least}" data-author="{author}">{"".join(cells)}</tr>\n'


def _value(value: str | float) -> str:
    shown = for_html(str(value))
    return f'<td data-value="{shown}">{shown}</td>'


def _segment(segment: Segment, marks: Iterable[Mark], alignment: Alignment) -> str:
    text = "".join(
        for_html(piece)
        if number is None
        else f'<mark class="{_classes(number, alignment)}">{for_html(piece)}</mark>'
        for piece, number in pieces(segment.text, marks)
    )
    name = for_html(segment.id)
    about = ", ".join(filter(None, (segment.author, segment.work, segment.locus)))
    meta = f' <span class="meta">{for_html(about)}</span>' if about else ""
    return (
        f'<td data-value="{name}"><strong><bdi>{name}</bdi></strong>'
        f'<bdi>{meta}</bdi><span class="text" lang="la" dir="auto">{text}</span></td>'
    )


def _classes(number: int, alignment: Alignment) -> str:
    alike = alignment.pairs[number].bond in ("form", "lemma")
    return f"g{number % _COLOURS}{'' if alike else ' near'}"


def _manifest(results: Results) -> str:
    shown = json.dumps(dict(results.manifest), ensure_ascii=False, indent=1)
    return (
        "<section><details><summary>How this was found (manifest)</summary>"
        f"<pre>{for_html(shown)}</pre></details></section>\n"
        f'<script type="application/json" id="manifest">{json_in_script(dict(results.manifest))}'
        "</script>\n"
    )
