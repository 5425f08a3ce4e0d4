"""HTML: a report in one file to read, sort, filter and print, without network access."""

from __future__ import annotations

import base64
import json
from importlib import resources
from string import Template
from typing import TYPE_CHECKING, TextIO

from locisimiles.corpus.citations import cite
from locisimiles.export.html_plots import author_plot, density_plot, score_plot
from locisimiles.files.hashing import sha256_of
from locisimiles.results.characters import for_html
from locisimiles.results.columns import DIGITS
from locisimiles.results.groups import grouped_references
from locisimiles.results.highlights import marks_of, pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from locisimiles.corpus import Segment
    from locisimiles.evidence.alignment import Alignment
    from locisimiles.results import PairJudgement, Reference, Results
    from locisimiles.results.groups import Grouped
    from locisimiles.results.highlights import Mark

__all__ = ["json_in_script", "write_html"]

_COLOURS = 8
_HEADINGS = (("Query", "text"), ("Source", "text"), ("Rank", "number"), ("Score", "number"))
_JUDGED_HEADINGS = (("Probability", "number"), ("Type", "text"))
_READ_HEADINGS = (("Verdict", "text"), ("Note", "text"))
_HIGHEST_FIRST = ("Score", "Probability")


def write_html(results: Results, stream: TextIO) -> None:
    """Write a report of the results."""
    before, after = _asset("report.html").split("$rows")
    values = _values(results)
    stream.write(Template(before).substitute(values))
    read = results.judgements is not None
    stream.writelines(_row(found, read=read) for found in grouped_references(results))
    stream.write(Template(after).substitute(values))


def json_in_script(value: object) -> str:
    """Return JSON that is safe inside a script element."""
    text = json.dumps(value, ensure_ascii=True)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _asset(name: str) -> str:
    return (resources.files("locisimiles.export") / "data" / name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    digest = bytes.fromhex(sha256_of(content))
    return f"sha256-{base64.b64encode(digest).decode()}"


def _values(results: Results) -> dict[str, str]:
    """Return the values of the template, escaped."""
    style, script = _asset("report.css"), _asset("report.js")
    manifest = dict(results.manifest)
    judged, explained = results.probabilities is not None, results.explanations is not None
    return {
        # The hashes allow only this style sheet and script, whatever a text contains.
        "style": style,
        "style_hash": _hash(style),
        "script": script,
        "script_hash": _hash(script),
        "candidates": f"{len(results):,}",
        "queries": f"{_searched(manifest.get('query'), len(results.query)):,}",
        "sources": f"{_searched(manifest.get('source'), len(results.source)):,}",
        "version": for_html(str(manifest.get("locisimiles", ""))),
        "near": "; those that are only near in meaning have a dotted line" if explained else "",
        "expected": for_html(_expected(manifest)),
        "figures": "".join(plot(results) for plot in (score_plot, density_plot, author_plot)),
        "authors": _author_options(results),
        "least": "probability" if judged else "score",
        "table_class": " class=explained" if explained else "",
        "headings": _headings(judged=judged, read=results.judgements is not None),
        "manifest": for_html(json.dumps(manifest, ensure_ascii=False, indent=1)),
        "manifest_json": json_in_script(manifest),
    }


def _expected(manifest: Mapping[str, object]) -> str:
    """Return how many references to expect, and what that assumes; empty if unknown."""
    known = manifest.get("references")
    numbers = (
        [known.get(name) for name in ("pairs", "expected", "low", "high")]
        if isinstance(known, dict)
        else [None]
    )
    if not all(isinstance(number, int | float) for number in numbers):
        return ""
    pairs, expected, low, high = numbers
    return (
        f" About {expected:.0f} of {pairs:,} are expected to be references (90 % interval: "
        f"{low:,} to {high:,}). {manifest.get('assumption', '')}"
    ).rstrip()


def _searched(described: object, known: int) -> int:
    """Return the number of segments searched; results read from a file have only some."""
    segments = described.get("segments") if isinstance(described, dict) else None
    return segments if isinstance(segments, int) else known


def _author_options(results: Results) -> str:
    authors = {results.source.authors[row] for row in set(results.candidates.source.tolist())}
    return "".join(
        f'<option value="{author}">{author}</option>'
        for author in map(for_html, sorted(filter(None, authors)))
    )


def _headings(*, judged: bool, read: bool) -> str:
    headings = (
        *_HEADINGS,
        *(_JUDGED_HEADINGS if judged else ()),
        *(_READ_HEADINGS if read else ()),
        ("Shared", "text"),
    )
    classes = {"Query": "", "Source": "", **dict.fromkeys(("Note", "Shared"), ' class="words"')}
    return "".join(
        f'<th scope="col" data-kind="{kind}"{classes.get(name, " class=number")}'
        f"{' data-first=highest' if name in _HIGHEST_FIRST else ''}>"
        f'<button type="button">{name}</button></th>'
        for name, kind in headings
    )


def _row(found: Grouped, *, read: bool) -> str:
    reference, alignment, explanation, parallels, passage = found
    score = round(reference.score, DIGITS)
    query_marks, source_marks = marks_of(alignment)
    cells = [
        _segment(reference.query, query_marks, alignment),
        _segment(
            reference.source,
            source_marks,
            alignment,
            _passage(reference, passage) + _parallels(parallels),
        ),
        _value(reference.rank),
        _value(score),
    ]
    judged, least = reference.probabilities, score
    if judged is not None:
        least = round(judged.reference, DIGITS)
        cells += [_value(least), _type(reference, judged.kind)]
    if read:
        cells += _judgement(reference.judgement)
    shared = for_html(" ".join(alignment.lemmas))
    why = f'<span class="why">{for_html(explanation)}</span>' if explanation else ""
    cells.append(f'<td data-value="{shared}">{shared}{why}</td>')
    author = for_html(reference.source.author)
    return f'<tr data-least="{least}" data-author="{author}">{"".join(cells)}</tr>\n'


def _type(reference: Reference, machine: str) -> str:
    """Return the type; with that of the classifier, if a reader overruled it."""
    if reference.kind == machine:
        return _value(machine)
    shown = for_html(reference.kind)
    return f'<td data-value="{shown}">{shown} <span class="meta">(machine: {machine})</span></td>'


def _judgement(judgement: PairJudgement | None) -> list[str]:
    """Return the cells with the verdict that counts, and with all verdicts and notes."""
    if judgement is None:
        return [_value(""), _value("")]
    verdict = for_html(judgement.verdict or "")
    decided = ", adjudicated" if judgement.adjudicated else ""
    by = ", ".join(filter(None, (judgement.reader, judgement.date[:10])))
    by = f'<span class="why">{for_html(by)}{decided}</span>' if by or decided else ""
    note = f'<span class="text">{for_html(judgement.note)}</span>' if judgement.note else ""
    several = judgement.readers if len(judgement.readers) > 1 else ()
    others = "".join(
        f'<span class="why">{for_html(one.reader or "?")}: {for_html(one.verdict or "–")}'
        f"{f' – {for_html(one.note)}' if one.note else ''}</span>"
        for one in several
    )
    return [
        f'<td data-value="{verdict}">{verdict}{by}</td>',
        f'<td data-value="{for_html(judgement.note)}">{note}{others}</td>',
    ]


def _value(value: str | float) -> str:
    shown = for_html(str(value))
    return f'<td data-value="{shown}">{shown}</td>'


def _passage(reference: Reference, passage: str) -> str:
    """Return the verses that belong together, if there are several."""
    joined = passage != cite(reference.source)
    return f'<span class="meta">{for_html(passage)}</span>' if joined else ""


def _parallels(parallels: Iterable[Reference]) -> str:
    """Return the sources with nearly the same words, one beneath the other."""
    listed = "".join(
        f'<span class="text"><bdi>{for_html(one.source.id)}</bdi> <span class="meta">'
        f"rank {one.rank}, {round(one.score, DIGITS)}{_said(one.judgement)}</span> "
        f'<span lang="la">{for_html(one.source.text)}</span></span>'
        for one in parallels
    )
    return f"<details open><summary>also in</summary>{listed}</details>" if listed else ""


def _said(judgement: PairJudgement | None) -> str:
    verdict = "" if judgement is None else judgement.verdict
    return f", {for_html(verdict)}" if verdict else ""


def _segment(
    segment: Segment, marks: Iterable[Mark], alignment: Alignment, beneath: str = ""
) -> str:
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
        f'<bdi>{meta}</bdi><span class="text" lang="la" dir="auto">{text}</span>{beneath}</td>'
    )


def _classes(number: int, alignment: Alignment) -> str:
    alike = alignment.pairs[number].bond in ("form", "lemma")
    return f"g{number % _COLOURS}{'' if alike else ' near'}"
