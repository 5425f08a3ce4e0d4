"""Plain charts as SVG, without a library: lines with bands, and bars."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["COLOURS", "Series", "bar_chart", "line_chart"]

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#444444")
"""Okabe and Ito's colours, which most people can tell apart."""

_WIDTH, _HEIGHT = 720, 380
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 230, 40, 52
_TICKS = 5
_BAR = 15


@dataclass(frozen=True, slots=True)
class Series:
    """Points that belong together.

    Attributes
    ----------
    name
        The name in the legend.
    points
        Pairs of x and y.
    spread
        Half the width of the band at each point; no band if empty.
    labels
        The label of each point; none if empty.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    spread: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()


def line_chart(
    title: str, x_label: str, y_label: str, series: Sequence[Series], *, x_ticks: Sequence[float]
) -> str:
    """Draw lines over a logarithmic x axis; the y axis begins at 0.

    Examples
    --------
    >>> chart = line_chart("Recall", "k", "R@k", [Series("a", ((1, 0.2), (10, 0.6)))], x_ticks=[1])
    >>> chart[:4], chart.count("<polyline")
    ('<svg', 1)
    """
    points = [point for line in series for point in line.points]
    xs = [x for x, _ in points] or [1.0]
    low, high = math.log10(min(xs)), math.log10(max([*xs, min(xs) * 10]))
    top = _round_up(
        max((y + s for line in series for (_, y), s in _with_spread(line)), default=1.0)
    )

    def place(x: float, y: float) -> tuple[float, float]:
        across = (math.log10(x) - low) / (high - low)
        return (
            _LEFT + across * (_WIDTH - _LEFT - _RIGHT),
            _HEIGHT - _BOTTOM - min(y / top, 1) * (_HEIGHT - _TOP - _BOTTOM),
        )

    parts = _frame(title, x_label, y_label)
    parts += _grid(top, place, x_ticks, min(xs))
    for number, line in enumerate(series):
        parts += _line(line, COLOURS[number % len(COLOURS)], place)
    parts += _legend([line.name for line in series])
    return _svg(_WIDTH, _HEIGHT, title, parts)


def bar_chart(
    title: str,
    x_label: str,
    categories: Sequence[str],
    series: Sequence[tuple[str, Sequence[float | None]]],
) -> str:
    """Draw horizontal bars, one per category and series; None draws nothing.

    Examples
    --------
    >>> chart = bar_chart("F1", "F1", ["a", "b"], [("cit.", [0.5, None])])
    >>> chart.count('class="bar"')
    1
    """
    left, right = 200, _WIDTH - 150
    slot = _BAR * max(len(series), 1) + 10
    height = _TOP + slot * len(categories) + _BOTTOM
    values = [v for _, column in series for v in column if v is not None]
    high = _round_up(max([*values, 0.0]))
    low = -_round_up(-min(values)) if values and min(values) < 0 else 0.0

    def across(value: float) -> float:
        return left + (value - low) / (high - low) * (right - left)

    parts = [_text(_WIDTH / 2, 22, title, size=15, weight="bold")]
    for step in range(_TICKS + 1):
        value = low + (high - low) * step / _TICKS
        x = across(value)
        parts.append(_rule(x, _TOP, x, height - _BOTTOM, "#e0e0e0"))
        parts.append(_text(x, height - _BOTTOM + 18, _short(value)))
    parts.append(_text((left + right) / 2, height - 12, x_label))
    for row, category in enumerate(categories):
        y = _TOP + slot * row + 5
        middle = y + _BAR * len(series) / 2 + 4
        parts.append(_text(left - 8, middle, category, anchor="end"))
        for number, (_, column) in enumerate(series):
            value_here = column[row]
            if value_here is not None:
                begin, end = sorted((across(0.0), across(value_here)))
                parts.append(
                    f'<rect class="bar" x="{begin:.1f}" y="{y + number * _BAR:.1f}" '
                    f'width="{end - begin:.1f}" height="{_BAR - 2}" '
                    f'fill="{COLOURS[number % len(COLOURS)]}"/>'
                )
    parts.append(_rule(across(0.0), _TOP, across(0.0), height - _BOTTOM, "#444444"))
    parts += _legend([name for name, _ in series], x=right + 14)
    return _svg(_WIDTH, height, title, parts)


def _frame(title: str, x_label: str, y_label: str) -> list[str]:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    middle = (_TOP + bottom) / 2
    return [
        _text((_LEFT + right) / 2, 22, title, size=15, weight="bold"),
        _rule(_LEFT, bottom, right, bottom, "#444444"),
        _text((_LEFT + right) / 2, _HEIGHT - 12, x_label),
        (
            f'<text x="16" y="{middle:.1f}" text-anchor="middle" '
            f'transform="rotate(-90 16 {middle:.1f})">{escape(y_label)}</text>'
        ),
    ]


def _grid(
    top: float,
    place: Callable[[float, float], tuple[float, float]],
    x_ticks: Sequence[float],
    least: float,
) -> list[str]:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    parts = []
    for step in range(_TICKS + 1):
        value = top * step / _TICKS
        _, y = place(least, value)
        parts.append(_rule(_LEFT, y, right, y, "#e0e0e0"))
        parts.append(_text(_LEFT - 8, y + 4, _short(value), anchor="end"))
    for tick in x_ticks:
        x, _ = place(tick, 0)
        parts.append(_rule(x, bottom, x, bottom + 4, "#444444"))
        parts.append(_text(x, bottom + 18, f"{tick:,.0f}"))
    return parts


def _line(
    line: Series, colour: str, place: Callable[[float, float], tuple[float, float]]
) -> list[str]:
    parts = []
    if line.spread and line.points:
        edge = [place(x, y + s) for (x, y), s in _with_spread(line)]
        edge += [place(x, max(y - s, 0)) for (x, y), s in reversed(_with_spread(line))]
        parts.append(f'<polygon points="{_joined(edge)}" fill="{colour}" opacity="0.15"/>')
    placed = [place(x, y) for x, y in line.points]
    parts.append(
        f'<polyline points="{_joined(placed)}" fill="none" stroke="{colour}" stroke-width="2"/>'
    )
    parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in placed]
    parts += [
        _text(x, y - 8, word, size=10)
        for (x, y), word in zip(placed, line.labels, strict=False)
        if word
    ]
    return parts


def _with_spread(line: Series) -> list[tuple[tuple[float, float], float]]:
    return list(zip(line.points, line.spread or (0.0,) * len(line.points), strict=True))


def _legend(names: Sequence[str], x: float = _WIDTH - _RIGHT + 14) -> list[str]:
    parts = []
    for number, name in enumerate(names):
        y = _TOP + 10 + number * 20
        colour = COLOURS[number % len(COLOURS)]
        parts.append(f'<rect x="{x:.1f}" y="{y - 9}" width="14" height="10" fill="{colour}"/>')
        parts.append(_text(x + 20, y, name, anchor="start"))
    return parts


def _text(
    x: float, y: float, words: str, *, anchor: str = "middle", size: int = 12, weight: str = ""
) -> str:
    bold = f' font-weight="{weight}"' if weight else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{bold}>'
        f"{escape(words)}</text>"
    )


def _rule(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _joined(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _round_up(value: float) -> float:
    """Return the next round number, 1, 2 or 5 times a power of ten.

    Examples
    --------
    >>> _round_up(0.73), _round_up(14), _round_up(0)
    (1.0, 20.0, 1.0)
    """
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= value)


def _short(value: float) -> str:
    return f"{value:.3g}".replace("-", "−")


def _svg(width: int, height: int, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="12" fill="#222222" role="img">\n'
        f'<title>{escape(title)}</title>\n<rect width="100%" height="100%" fill="#ffffff"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )
