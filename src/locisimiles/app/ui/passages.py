"""A passage as HTML: lines of verse with numbers, quoted lines, and matching words marked."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from locisimiles.app.results.fragments import cut
from locisimiles.app.results.passages import COPY_FORMS
from locisimiles.app.results.words import word_spans
from locisimiles.corpus.citations import printed_locus
from locisimiles.corpus.lines import lines_of
from locisimiles.corpus.segmenter import VERSE_SEPARATOR
from locisimiles.results.characters import for_html
from locisimiles.results.highlights import Mark, number_marks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from locisimiles.app.projects.project import Side
    from locisimiles.app.ui.translator import Translator
    from locisimiles.corpus import Segment
    from locisimiles.corpus.lines import Line

__all__ = ["copy_buttons", "marked", "passage"]

_COLOURS, _UNDERLINES = 8, 5
_PLAIN = 'class="plain"'


def marked(
    text: str,
    spans: Iterable[Sequence[int]],
    hits: Iterable[Sequence[int]] = (),
    *,
    coloured: bool = True,
) -> str:
    """Return a text with words marked; the n-th words of two texts are aligned.

    Each has a number, and a colour and an underline, of which the numbers tell all words apart.
    Hits, of the words that a reader looks for, have lines above and below.

    Examples
    --------
    >>> marked("vox <b>", [(0, 3)])
    '<mark class="w0 u0" data-n="1">vox</mark> &lt;b&gt;'
    >>> marked("arma uirumque", [(5, 13)], [(5, 10)])
    'arma <mark class="w0 u0" data-n="1"><mark class="hit">uirum</mark>que</mark>'
    """
    return _marked(text, _marks(spans), hits, coloured=coloured, words=False)


def passage(
    segment: Segment,
    spans: Iterable[Sequence[int]],
    hits: Sequence[Sequence[int]] = (),
    *,
    translate: Translator,
    coloured: bool = True,
    words: bool = False,
    verse: bool = False,
) -> str:
    """Return the text of a segment: verse line by line, prose with the numbers of its sections.

    Lines with marked words count as quoted. With `words`, each word can be looked up;
    with `verse`, a single line is one of a poem, and the first of several has its whole locus.
    """
    marks = _marks(spans)
    lines = lines_of(segment)
    if len(lines) == 1 and not verse:
        return _marked(segment.text, marks, hits, coloured=coloured, words=words)
    in_lines = verse or VERSE_SEPARATOR in segment.text
    parts = []
    for number, line in enumerate(lines):
        start = line.start if number else 0  # what comes before the first mark belongs to it
        own = [
            Mark(max(mark.start, start) - start, min(mark.end, line.end) - start, mark.number)
            for mark in marks
            if mark.start < line.end and mark.end > start
        ]
        found = [(max(hit[0] - start, 0), min(hit[1], line.end) - start) for hit in hits]
        text = _marked(
            segment.text[start : line.end],
            own,
            [hit for hit in found if hit[0] < hit[1]],
            coloured=coloured,
            words=words,
        )
        if in_lines:
            whole = verse and not number
            parts.append(_verse_line(line, text, translate, quoted=bool(own), whole=whole))
        else:
            parts.append(_section(line, text))
    return ("" if in_lines else " ").join(parts)


def copy_buttons(side: Side, position: int, translate: Translator) -> str:
    """Return the buttons that copy a passage: as text, as BibTeX, as a CTS URN."""
    buttons = "".join(
        f'<button type="button" class="copy-as" data-do="copy" data-side="{side}" '
        f'data-position="{position}" data-form="{form}" '
        f'title="{for_html(translate(f"copy_{form}_long"))}">'
        f"{for_html(translate(f'copy_{form}'))}</button>"
        for form in COPY_FORMS
    )
    label = for_html(translate("copy"))
    return f'<span class="copy" role="group" aria-label="{label}">{label} {buttons}</span>'


def _marks(spans: Iterable[Sequence[int]]) -> list[Mark]:
    return number_marks((span[0], span[1]) for span in spans)


def _marked(
    text: str,
    marks: Iterable[Mark],
    hits: Iterable[Sequence[int]],
    *,
    coloured: bool,
    words: bool,
) -> str:
    written = _with_words if words else for_html
    parts = []
    for number, cuts in groupby(cut(text, marks, hits), key=lambda piece: piece.number):
        inner = "".join(
            f'<mark class="hit">{written(piece.text)}</mark>'
            if piece.is_hit
            else written(piece.text)
            for piece in cuts
        )
        style = _style(number) if number is not None and coloured else _PLAIN
        parts.append(inner if number is None else f"<mark {style}>{inner}</mark>")
    return "".join(parts)


def _with_words(text: str) -> str:
    """Return a text in which each word can have the focus; a script lets arrows move it."""
    parts, at = [], 0
    for start, end in word_spans(text):
        parts.append(for_html(text[at:start]))
        parts.append(f'<span class="word" tabindex="-1">{for_html(text[start:end])}</span>')
        at = end
    return "".join([*parts, for_html(text[at:])])


def _style(number: int) -> str:
    underline = number // _COLOURS % _UNDERLINES
    return f'class="w{number % _COLOURS} u{underline}" data-n="{number + 1}"'


def _verse_line(
    line: Line, text: str, translate: Translator, *, quoted: bool, whole: bool = False
) -> str:
    number = printed_locus(line.locus)
    if not whole:
        number = number.rpartition(".")[2]
    title = f' title="{for_html(translate("quoted_line"))}"' if quoted else ""
    return (
        f'<span class="verse-line{" quoted" if quoted else ""}"{title}>'
        f'<span class="line-number">{for_html(number)}</span> {text}</span>'
    )


def _section(line: Line, text: str) -> str:
    number = printed_locus(line.locus).rpartition(".")[2]
    return f'<span class="section-number">{for_html(number)}</span> {text}'
