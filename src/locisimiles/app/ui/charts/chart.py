"""What all charts have in common: colours, axes, the frame, and the table of their numbers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from locisimiles.messages import format_decimal, format_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.app.ui.translator import Translator

__all__ = [
    "ABOVE",
    "BELOW",
    "GRID",
    "GROUPS",
    "TOLD",
    "Cell",
    "Chart",
    "Column",
    "area",
    "axis",
    "diagonal",
    "frame",
    "group_of",
    "ink",
    "legend",
    "numeric_axis",
    "verdict_colours",
]

GROUPS = ("cit", "cf", "reject", "unsure", "unjudged")
"""Names of verdicts in texts and colours; `unjudged` is none."""
_LIGHT = {
    "cit": "#1f7a4d", "cf": "#7a5c00", "reject": "#a33a3a", "unsure": "#4c5d82",
    "unjudged": "#948b7f",
}  # fmt: skip
_DARK = {
    "cit": "#57c48d", "cf": "#e0b84a", "reject": "#ef8b8b", "unsure": "#9db2e6",
    "unjudged": "#857b70",
}  # fmt: skip
GRID: dict[str, Any] = {"left": 10, "right": 24, "top": 40, "bottom": 30, "containLabel": True}
"""The room around the axes; their names stand outside."""
# Names stand below one axis and above the other, where no language cuts them off.
BELOW: dict[str, Any] = {"nameLocation": "middle", "nameGap": 28}
ABOVE: dict[str, Any] = {"nameLocation": "end", "nameGap": 14}
TOLD: dict[str, Any] = {
    "trigger": "item",
    "formatter": "{b}",
    "confine": True,
    "extraCssText": "white-space: pre-line",
}
"""A tooltip with the name of what is pointed at, which ECharts escapes."""

Cell = str | int | float | None
"""A cell of the table of a chart."""


class Column(NamedTuple):
    """A column of the numbers behind a chart."""

    name: str  # in files, which are in English
    label: str  # on pages


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart, as ECharts draws it and as a table.

    Attributes
    ----------
    name
        The chart, in names of files.
    title, caption
        What is shown, and how to read it.
    option
        The options of ECharts. Values of keys that begin with a colon are functions.
    columns, rows
        The numbers behind the chart.
    height
        The height in pixels.
    links
        What each row of the table leads to, if it leads anywhere.
    """

    name: str
    title: str
    option: dict[str, Any]
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    height: int = 304
    links: tuple[int, ...] = ()


def verdict_colours(*, dark: bool) -> Mapping[str, str]:
    """Return the colour of each verdict, in charts as on buttons."""
    colours = _DARK if dark else _LIGHT
    return {**colours, "accepted": colours["cit"]}


def group_of(verdict: str | None) -> str:
    """Return the verdict as it is named in texts and colours.

    Examples
    --------
    >>> group_of("cit."), group_of(None)
    ('cit', 'unjudged')
    """
    return "unjudged" if verdict is None else verdict.rstrip(".")


def frame(*, dark: bool) -> dict[str, Any]:
    """Return the options that all charts have."""
    return {
        "textStyle": {"color": ink(dark=dark)},
        "backgroundColor": "transparent",
        "tooltip": {"trigger": "axis", "confine": True},
        "grid": GRID,
        "animation": False,
    }


def legend(*, dark: bool) -> dict[str, Any]:
    """Return a legend above the chart, and the room for it."""
    style = {"color": ink(dark=dark)}
    return {
        "legend": {"top": 4, "type": "scroll", "textStyle": style, "itemHeight": 10},
        "grid": GRID | {"top": 72},
    }


def ink(*, dark: bool) -> str:
    """Return the colour of texts."""
    return "#e8e0d5" if dark else "#2b2622"


def axis(*, dark: bool, **options: Any) -> dict[str, Any]:  # noqa: ANN401 - ECharts' own
    """Return an axis."""
    align = {"align": "left"} if options.get("nameLocation") == "end" else {}
    return {
        "axisLabel": {"color": ink(dark=dark), "hideOverlap": True},
        "nameTextStyle": {"color": ink(dark=dark), **align},
        "splitLine": {"lineStyle": {"color": "#46403a" if dark else "#e4ddd2"}},
        **options,
    }


def numeric_axis(translate: Translator, *, dark: bool, **options: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return an axis with numbers as they are written in the language of the page."""
    made = axis(dark=dark, **{"type": "value", **options})
    made["axisLabel"] = {**made["axisLabel"], ":formatter": _number_script(translate.language)}
    return made


def area(points: list[list[float]], colour: str) -> dict[str, Any]:
    """Return a curve above a coloured area."""
    return {
        "type": "line", "data": points, "showSymbol": False, "areaStyle": {"opacity": 0.15},
        "itemStyle": {"color": colour},
    }  # fmt: skip


def diagonal(end: float, *, dark: bool) -> dict[str, Any]:
    """Return a dashed line for the best there could be."""
    return {
        "type": "line", "data": [[0, 0], [end, end]], "showSymbol": False, "silent": True,
        "lineStyle": {"type": "dashed", "color": verdict_colours(dark=dark)["unjudged"]},
        "itemStyle": {"color": verdict_colours(dark=dark)["unjudged"]},
    }  # fmt: skip


def _number_script(language: str) -> str:
    """Return a function of the browser that writes numbers as `Translator.number` does."""
    signs = {",": format_number(1000, language)[1], ".": format_decimal(0.5, 1, language)[1]}
    return (
        "(value) => value.toLocaleString('en-GB')"
        f".replace(/[,.]/g, (sign) => ({json.dumps(signs)})[sign])"
    )
