"""Results as a notebook shows them: the first pairs, with the words that answer each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.results.characters import for_html
from locisimiles.results.highlights import aligned_references, marks_of, pieces

if TYPE_CHECKING:
    from collections.abc import Iterable

    from locisimiles.corpus import Segment
    from locisimiles.results.base import ResultColumns
    from locisimiles.results.highlights import Mark

__all__ = ["notebook_table"]

_SHOWN = 20
# Colours that can be told apart on white and on black; the same as in the report.
_COLOURS = ("#e69f00", "#56b4e9", "#009e73", "#d55e00", "#cc79a7", "#0072b2")
_LEFT = "text-align: left; vertical-align: top"


def notebook_table(results: ResultColumns) -> str:
    """Return the first pairs as a table in HTML. Texts are escaped; there is no script.

    Examples
    --------
    >>> from locisimiles import BM25, Document, Pipeline, Segment
    >>> query = Document.from_segments([Segment("q<1>", "uox faucibus")])
    >>> source = Document.from_segments([Segment("s", "et vox")])
    >>> html = notebook_table(Pipeline(BM25()).run(query, source))
    >>> "q&lt;1&gt;" in html, html.count("<mark")
    (True, 2)
    """
    shown = results[:_SHOWN]
    judged = any(reference.kind for reference in shown)
    rows, last = [], ""
    for reference, alignment, explanation in aligned_references(shown):
        query_marks, source_marks = marks_of(alignment)
        new = reference.query.id != last
        last = reference.query.id
        cells = [
            _cell(_segment(reference.query, query_marks) if new else ""),
            _cell(str(reference.rank)),
            _cell(f"{reference.score:.2f}"),
            *([_cell(for_html(reference.kind))] if judged else []),
            _cell(_segment(reference.source, source_marks) + _reason(explanation)),
        ]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    titles = ["query", "rank", _score_title(results), *(["type"] if judged else []), "source"]
    head = "".join(f'<th style="{_LEFT}">{title}</th>' for title in titles)
    return (
        f"<div><table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        f"<p>{_caption(results, len(shown))}</p></div>"
    )


def _score_title(results: ResultColumns) -> str:
    return "score" if results.probabilities is None else "probability"


def _caption(results: ResultColumns, shown: int) -> str:
    said = (
        f"{len(results):,} candidates for {len(results.query):,} query segments in "
        f"{len(results.source):,} source segments"
    )
    return said if shown == len(results) else f"{said}; the first {shown} are shown"


def _cell(content: str) -> str:
    return f'<td style="{_LEFT}">{content}</td>'


def _segment(segment: Segment, marks: Iterable[Mark]) -> str:
    text = "".join(
        for_html(piece) if number is None else _mark(for_html(piece), number)
        for piece, number in pieces(segment.text, marks)
    )
    return f'<b><bdi>{for_html(segment.id)}</bdi></b><br><span lang="la" dir="auto">{text}</span>'


def _mark(escaped: str, number: int) -> str:
    colour = _COLOURS[number % len(_COLOURS)]
    style = f"background: none; color: inherit; border-bottom: 3px solid {colour}"
    return f'<mark style="{style}">{escaped}</mark>'


def _reason(explanation: str) -> str:
    return f"<br><small>{for_html(explanation)}</small>" if explanation else ""
