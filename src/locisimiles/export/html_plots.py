"""Plots of a report as inline SVG, with labels for screen readers."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.networks import count_citations, measure_density
from locisimiles.results.characters import for_html

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locisimiles.results import Results

__all__ = ["author_plot", "density_plot", "score_plot"]

_WIDTH, _HEIGHT, _MARGIN = 420, 170, 28
_BINS = 20
_CELL, _LONGEST_NAME = 26, 18
_MOST_AUTHORS = 30
_FAINTEST, _STRONGEST = 0.1, 0.5  # so that the number on it stays legible


def score_plot(results: Results) -> str:
    """Draw the distribution of probabilities, or of scores without a classifier."""
    judged = results.probabilities
    what = "Scores" if judged is None else "Probabilities"
    values = results.candidates.score if judged is None else judged[:, 1:].sum(axis=1)
    finite = values[np.isfinite(values)].astype(np.float64)
    if not len(finite):
        return ""
    span = (float(min(0.0, finite.min())), float(finite.max())) if judged is None else (0.0, 1.0)
    counts, edges = np.histogram(finite, bins=_BINS, range=span)
    labels = [f"{low:.3g} to {high:.3g}" for low, high in pairwise(edges.tolist())]
    ends = f"{edges[0]:.3g}", f"{edges[-1]:.3g}"
    return _bars(f"{what} of the candidates", counts.tolist(), labels, ends)


def density_plot(results: Results) -> str:
    """Draw the number of references along the query text."""
    if not len(results):
        return ""
    density = measure_density(results)
    labels = [f"{one} – {other}" for one, other in zip(density.first, density.last, strict=True)]
    ends = density.first[0], density.last[-1]
    title = f"References along the text ({_what_counts(results)})"
    return _bars(title, density.references.tolist(), labels, ends)


def _what_counts(results: Results) -> str:
    judged = results.probabilities is not None
    counted = "those that are probable" if judged else "the best candidate of each segment"
    return f"{counted}, and as readers judged" if results.judgements is not None else counted


def _bars(title: str, counts: Sequence[int], labels: Sequence[str], ends: tuple[str, str]) -> str:
    most = max(*counts, 1)
    width = (_WIDTH - 2 * _MARGIN) / len(counts)
    floor, room = _HEIGHT - _MARGIN, _HEIGHT - 2 * _MARGIN
    bars = "".join(
        f'<rect class="bar" x="{_MARGIN + place * width:.1f}" '
        f'y="{floor - room * count / most:.1f}" '
        f'width="{max(width - 1, 0.5):.1f}" height="{room * count / most:.1f}">'
        f"<title>{for_html(label)}: {count}</title></rect>"
        for place, (count, label) in enumerate(zip(counts, labels, strict=True))
    )
    first, last = (for_html(_short(end)) for end in ends)
    axis = (
        f'<line class="axis" x1="{_MARGIN}" y1="{floor}" x2="{_WIDTH - _MARGIN}" y2="{floor}"/>'
        f'<text x="{_MARGIN}" y="{_HEIGHT - 10}">{first}</text>'
        f'<text x="{_WIDTH - _MARGIN}" y="{_HEIGHT - 10}" text-anchor="end">{last}</text>'
        f'<text x="{_MARGIN}" y="{_MARGIN - 8}">{most}</text>'
    )
    label = f"{title}: {len(counts)} bars, the highest {most}"
    return _figure(title, label, (_WIDTH, _HEIGHT), bars + axis)


def author_plot(results: Results) -> str:
    """Draw who cites whom as a grid; darker cells have more references."""
    matrix = count_citations(results, level="author")
    if not matrix.references.size:
        return ""
    totals = (matrix.references.sum(axis=axis) for axis in (1, 0))
    rows, columns = (np.sort(np.argsort(-t, kind="stable")[:_MOST_AUTHORS]) for t in totals)
    counts = matrix.references[np.ix_(rows, columns)]
    citing = [matrix.citing[row].label for row in rows.tolist()]
    cited = [matrix.cited[column].label for column in columns.tolist()]
    omitted = matrix.references.size > counts.size
    left = 12 + 7 * max(len(_short(name)) for name in citing)
    top = 12 + 6 * max(len(_short(name)) for name in cited)
    cells = []
    for (row, column), count in np.ndenumerate(counts):
        if not count:
            continue
        x, y = left + column * _CELL, top + row * _CELL
        strength = _FAINTEST + (_STRONGEST - _FAINTEST) * count / counts.max()
        named = f"{for_html(citing[row])} → {for_html(cited[column])}: {count}"
        cells.append(
            f'<rect class="cell" x="{x}" y="{y}" width="{_CELL}" height="{_CELL}" '
            f'fill-opacity="{strength:.2f}"><title>{named}</title></rect>'
            f'<text x="{x + _CELL / 2}" y="{y + 17}" text-anchor="middle">{count}</text>'
        )
    row_names = (
        f'<text x="{left - 6}" y="{top + row * _CELL + 17}" text-anchor="end">'
        f"{for_html(_short(name))}</text>"
        for row, name in enumerate(citing)
    )
    column_names = (
        f'<text transform="translate({left + column * _CELL + 17} {top - 6}) rotate(-60)">'
        f"{for_html(_short(name))}</text>"
        for column, name in enumerate(cited)
    )
    size = left + len(cited) * _CELL + 4 * _LONGEST_NAME, top + len(citing) * _CELL + 4
    label = f"Who cites whom: {len(citing)} citing and {len(cited)} cited authors"
    which = f"{_what_counts(results)}; the {_MOST_AUTHORS} most frequent authors of each side"
    title = f"Who cites whom ({which if omitted else _what_counts(results)})"
    return _figure(title, label, size, "".join([*cells, *row_names, *column_names]))


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _figure(title: str, label: str, size: tuple[int, int], content: str) -> str:
    return (
        f'<figure><svg role="img" aria-label="{for_html(label)}" width="{size[0]}" '
        f'height="{size[1]}" viewBox="0 0 {size[0]} {size[1]}">{content}</svg>'
        f"<figcaption>{for_html(title)}</figcaption></figure>\n"
    )
