"""A dot plot: who cites what where, book by book."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from locisimiles.app.ui.charts.chart import (
    GROUPS,
    TOLD,
    Chart,
    Column,
    axis,
    frame,
    group_of,
    ink,
    legend,
    verdict_colours,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from locisimiles.app.results.places import Book, Places, Point
    from locisimiles.app.ui.charts.chart import Cell
    from locisimiles.app.ui.translator import Translator

__all__ = ["dot_plot"]

_SYMBOLS = {
    "cit": "circle", "cf": "diamond", "reject": "triangle", "unsure": "rect",
    "unjudged": "circle",
}  # fmt: skip
_SMALLEST, _LARGEST, _LARGEST_CELL = 6.0, 15.0, 26.0
_HEIGHT = 560
_MARGIN = 84  # for the names of works
_MOST_LINES = 60  # between books; more would hide the points


def dot_plot(places: Places, translate: Translator, *, dark: bool) -> Chart:
    """Return pairs by place in the source and place in the query.

    Each point has its ``row``, so that a click can open the pair.
    """
    title = translate("dots")
    width, height = (_end(books) for books in (places.sources, places.queries))
    hidden: dict[str, Any] = {
        "type": "value", "axisLabel": {"show": False}, "axisTick": {"show": False},
        "splitLine": {"show": False},
    }  # fmt: skip
    names = {"color": ink(dark=dark)}
    above = legend(dark=dark)["legend"] | {"itemWidth": 12, "itemHeight": 12}
    option = frame(dark=dark) | {
        "legend": above,
        "tooltip": TOLD,
        "grid": {"left": _MARGIN, "right": 16, "top": 56, "bottom": _MARGIN},
        "xAxis": axis(dark=dark, **hidden, name=translate("source_texts"), min=0, max=width,
                      nameLocation="middle", nameGap=_MARGIN - 20),
        "yAxis": axis(dark=dark, **hidden, name=translate("query_texts"), min=0, max=height,
                      inverse=True, nameLocation="start", nameGap=8)
        | {"nameTextStyle": names | {"align": "left"}},
        "series": [
            *_points(places, translate, dark=dark),
            _lines(places, dark=dark),
            _names(places.sources, height, dark=dark, across=True),
            _names(places.queries, 0, dark=dark, across=False),
        ],
    }  # fmt: skip
    return Chart(
        "dots",
        title,
        option,
        _columns(places, translate),
        tuple(_row(one, cells=places.are_cells) for one in places.points),
        _caption(places, translate),
        _HEIGHT,
        tuple(one.row for one in places.points),
    )


def _points(places: Places, translate: Translator, *, dark: bool) -> list[dict[str, Any]]:
    """Return a series for each verdict; cells are told apart by whether a pair was accepted."""
    colours = verdict_colours(dark=dark)
    grouped: dict[str, list[Point]] = defaultdict(list)
    for one in places.points:
        accepted = "cit" if one.accepted else "unjudged"
        grouped[accepted if places.are_cells else group_of(one.verdict)].append(one)
    sizes = _sizes(places)
    labels = {name: translate(f"status_{name}") for name in GROUPS}
    if places.are_cells:
        labels = {"unjudged": translate("dots_none_accepted"), "cit": translate("dots_accepted")}
    return [
        {
            "name": label,
            "type": "scatter",
            "symbol": _SYMBOLS[name],
            "itemStyle": _fill(colours[name], empty=name == "unjudged"),
            "data": [
                {
                    "value": [one.source, one.query],
                    "symbolSize": sizes[one],
                    "name": _told(one, translate, cells=places.are_cells),
                    "row": one.row,
                }
                for one in grouped[name]
            ],
        }
        for name, label in labels.items()
    ]


def _fill(colour: str, *, empty: bool) -> dict[str, Any]:
    """Return how a point is filled; what nobody has judged is a ring."""
    if empty:
        return {"color": "transparent", "borderColor": colour, "borderWidth": 1.5}
    return {"color": colour, "opacity": 0.85}


def _sizes(places: Places) -> dict[Point, float]:
    """Return the size of each point: by probability or score, of cells by number of pairs."""
    if places.are_cells:
        most = max(one.pairs for one in places.points)
        shares = {one: (one.pairs / most) ** 0.5 for one in places.points}
        return {one: max(_SMALLEST, _LARGEST_CELL * share) for one, share in shares.items()}
    values = [one.value or 0.0 for one in places.points]
    low, high = min([0.0, *values]), max([1.0, *values])
    return {
        one: round(_SMALLEST + (_LARGEST - _SMALLEST) * (value - low) / (high - low), 1)
        for one, value in zip(places.points, values, strict=True)
    }


def _told(one: Point, translate: Translator, *, cells: bool) -> str:
    """Return what is said of a point."""
    where = f"{one.query_citation} → {one.source_citation}"
    if cells:
        counted = translate("dots_cell", count=one.pairs, accepted=one.accepted)
        return f"{where}\n{counted}"
    value = translate.number(one.value or 0.0)
    return f"{where}\n{value} · {translate(f'status_{group_of(one.verdict)}')}"


def _lines(places: Places, *, dark: bool) -> dict[str, Any]:
    """Return lines between books, heavier ones between works."""

    def line(book: Book, name: str) -> dict[str, Any]:
        weight = {"width": 1.2, "opacity": 0.9} if book.opens else {"width": 0.6, "opacity": 0.5}
        return {name: book.begin, "lineStyle": weight}

    return {
        "type": "scatter",
        "data": [],
        "silent": True,
        "markLine": {
            "symbol": "none",
            "silent": True,
            "animation": False,
            "label": {"show": False},
            "lineStyle": {"type": "solid", "color": "#857b70" if dark else "#b3a896"},
            "data": [
                *(line(book, "xAxis") for book in _separated(places.sources)),
                *(line(book, "yAxis") for book in _separated(places.queries)),
            ],
        },
    }


def _separated(books: list[Book]) -> list[Book]:
    """Return the books that a line stands before."""
    few = len(books) <= _MOST_LINES
    return [book for book in books if book.begin and (book.opens or few)]


def _names(books: list[Book], at: float, *, dark: bool, across: bool) -> dict[str, Any]:
    """Return the names of works and the numbers of books along an axis.

    They are labels of invisible points, since ECharts leaves out those that would overlap.
    """
    data = []
    for book in sorted(books, key=lambda one: not one.opens):
        # A work stands where it begins, so that its name is not that of its middle book.
        # A name without an abbreviation is too long; its end says more than its beginning.
        work = book.work.rpartition(", ")[2]
        name = f"{work} {book.name}".rstrip() if book.opens else book.name
        middle = (book.begin + book.end) / 2
        data.append({"name": name, "value": [middle, at] if across else [at, middle]})
    turned = {"rotate": 50, "align": "right", "verticalAlign": "middle", "position": "bottom"}
    return {
        "type": "scatter",
        "symbol": "circle",
        "symbolSize": 1,
        "itemStyle": {"color": "transparent"},
        "silent": True,
        "clip": False,
        "data": data,
        "label": {
            "show": True, "formatter": "{b}", "color": ink(dark=dark), "fontSize": 11,
            "width": _MARGIN - 8, "overflow": "truncate", "minMargin": 3,
            **(turned if across else {"position": "left"}),
        },
        "labelLayout": {"hideOverlap": True},
    }  # fmt: skip


def _columns(places: Places, translate: Translator) -> tuple[Column, ...]:
    common = (
        Column("query", translate("column_query_id")),
        Column("source", translate("column_source_id")),
    )
    if places.are_cells:
        return (
            *common,
            Column("pairs", translate("pairs")),
            Column("accepted", translate("accepted")),
        )
    return (
        *common,
        Column("value", translate("dots_value")),
        Column("verdict", translate("column_verdict")),
    )


def _row(one: Point, *, cells: bool) -> tuple[Cell, ...]:
    where = one.query_citation, one.source_citation
    if cells:
        return (*where, one.pairs, one.accepted)
    return (*where, None if one.value is None else round(one.value, 4), one.verdict)


def _caption(places: Places, translate: Translator) -> str:
    if not places.are_cells:
        return translate("dots_caption", count=places.pairs)
    shown = sum(one.pairs for one in places.points)
    caption = translate("dots_caption_cells", count=places.pairs, cells=len(places.points))
    if shown == places.pairs:
        return caption
    left_out = translate("dots_left_out", count=places.pairs - shown)
    return f"{caption} {left_out}"


def _end(books: Iterable[Book]) -> float:
    return max((book.end for book in books), default=1)
