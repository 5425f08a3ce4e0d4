"""Figures as ECharts takes them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from locisimiles.app.results.statistics import Numbers
    from locisimiles.app.ui.catalogue import Messages

__all__ = [
    "CITED",
    "CITING",
    "VERDICT_COLOURS",
    "calibration",
    "distribution",
    "expected",
    "flows",
    "heatmap",
    "types",
    "yields",
]

VERDICT_COLOURS = {
    "cit": "#1f7a4d",
    "cf": "#7a5c00",
    "accepted": "#1f7a4d",
    "reject": "#a33a3a",
    "unsure": "#5b6c8f",
    "unjudged": "#b9b2a6",
}
"""The colour of each verdict, in figures as on buttons."""
_MOST_COLUMNS = 40
_MOST_FLOWS = 60
_GRID: dict[str, Any] = {"left": 10, "right": 24, "top": 40, "bottom": 30, "containLabel": True}
# Names stand below the one axis and above the other, where they are not cut off in any language.
_BELOW: dict[str, Any] = {"nameLocation": "middle", "nameGap": 28}
_ABOVE: dict[str, Any] = {"nameLocation": "end", "nameGap": 14}
CITED, CITING = "<", ">"
"""What stands before the name of an author in `flows`, who may be on both sides."""


def distribution(numbers: Numbers, messages: Messages, *, dark: bool) -> dict[str, Any]:
    """Return how scores or probabilities are distributed, by what became of the pairs."""
    labels = [f"{edge:.2f}" for edge in numbers.edges[:-1]]
    series = [
        {
            "name": messages(f"status_{name}"),
            "type": "bar",
            "stack": "all",
            "data": values,
            "itemStyle": {"color": VERDICT_COLOURS[name]},
        }
        for name, values in numbers.distribution.items()
    ]
    learnt = numbers.measure == "learnt_probability"
    title = messages("distribution") + (f": {messages('learnt_probability')}" if learnt else "")
    measure = messages("probability" if learnt else numbers.measure)
    return _frame(title, dark) | {
        **_legend(dark),
        "xAxis": _axis(dark, **_BELOW, name=measure, type="category", data=labels),
        "yAxis": _axis(dark, **_ABOVE, name=messages("pairs"), type="value"),
        "series": series,
    }


def yields(numbers: Numbers, messages: Messages, *, dark: bool) -> dict[str, Any]:
    """Return how many references were found among how many that were read."""
    points = [[0, 0], *([read, found] for read, found in enumerate(numbers.yields, start=1))]
    read = len(numbers.yields)
    return _frame(messages("yield"), dark) | {
        "xAxis": _axis(dark, **_BELOW, name=messages("pairs_read"), type="value", minInterval=1),
        "yAxis": _axis(dark, **_ABOVE, name=messages("accepted"), type="value", minInterval=1),
        "series": [
            {
                "type": "line", "step": "end", "data": points, "showSymbol": False,
                "areaStyle": {"opacity": 0.15}, "itemStyle": {"color": VERDICT_COLOURS["cit"]},
            },
            {
                "type": "line", "data": [[0, 0], [read, read]], "showSymbol": False,
                "lineStyle": {"type": "dashed", "color": VERDICT_COLOURS["unjudged"]},
            },
        ],
    }  # fmt: skip


def expected(numbers: Numbers, messages: Messages, *, dark: bool) -> dict[str, Any]:
    """Return how many references are to be expected among how many that are read."""
    return _frame(messages("yield_expected"), dark) | {
        "xAxis": _axis(dark, **_BELOW, name=messages("pairs_read"), type="value", minInterval=1),
        "yAxis": _axis(dark, **_ABOVE, name=messages("references"), type="value"),
        "series": [
            {
                "type": "line", "data": [list(point) for point in numbers.expected],
                "showSymbol": False, "areaStyle": {"opacity": 0.15},
                "itemStyle": {"color": VERDICT_COLOURS["unsure"]},
            },
        ],
    }  # fmt: skip


def types(numbers: Numbers, messages: Messages, *, dark: bool) -> dict[str, Any]:
    """Return what became of the candidates of each cited author."""
    authors = [author or messages("unknown") for author in numbers.types]
    names = ("cit", "cf", "reject", "unsure", "unjudged")
    series = [
        {
            "name": messages(f"status_{name}"),
            "type": "bar",
            "stack": "all",
            "data": [counts[place] for counts in numbers.types.values()],
            "itemStyle": {"color": VERDICT_COLOURS[name]},
        }
        for place, name in enumerate(names)
    ]
    return _frame(messages("types_by_author"), dark) | {
        **_legend(dark),
        "xAxis": _axis(dark, name="", type="value"),
        "yAxis": _axis(dark, name="", type="category", data=authors, inverse=True),
        "series": series,
    }


def calibration(numbers: Numbers, messages: Messages, *, dark: bool) -> dict[str, Any]:
    """Return how often pairs of a probability were accepted."""
    learnt = numbers.measure == "learnt_probability"
    return _frame(messages("calibration_learnt" if learnt else "calibration"), dark) | {
        "xAxis": _axis(dark, **_BELOW, name=messages("probability"), type="value", min=0, max=1),
        "yAxis": _axis(dark, **_ABOVE, name=messages("share_accepted"), type="value", min=0, max=1),
        "series": [
            {
                "type": "line",
                "data": [[mean, share] for mean, share, _ in numbers.calibration],
                "symbolSize": 9,
                "itemStyle": {"color": VERDICT_COLOURS["cit"]},
            },
            {
                "type": "line", "data": [[0, 0], [1, 1]], "showSymbol": False,
                "lineStyle": {"type": "dashed", "color": VERDICT_COLOURS["unjudged"]},
            },
        ],
    }  # fmt: skip


def heatmap(
    links: Sequence[Mapping[str, Any]], messages: Messages, *, dark: bool, works: bool
) -> dict[str, Any]:
    """Return who is cited where; cells carry the names that a click filters by."""
    columns: dict[tuple[str, str], int] = {}
    rows: dict[tuple[str, str], int] = {}
    cells: dict[tuple[int, int], int] = {}
    for link in links:
        cited = link["source_author"], link["source_work"] if works else ""
        citing = link["query_author"], link["query_work"]
        if cited not in columns and len(columns) >= _MOST_COLUMNS:
            continue
        place = columns.setdefault(cited, len(columns)), rows.setdefault(citing, len(rows))
        cells[place] = cells.get(place, 0) + link["count"]

    def label(party: tuple[str, str]) -> str:
        return ", ".join(filter(None, party)) or messages("unknown")

    most = max(cells.values(), default=1)
    return _frame(messages("map_label"), dark) | {
        "tooltip": {"position": "top"},
        "grid": {"left": 10, "right": 20, "top": 20, "bottom": 60, "containLabel": True},
        "xAxis": _axis(
            dark, name="", type="category", data=[label(c) for c in columns],
            axisLabel={"rotate": 40, "interval": 0, "color": _ink(dark)},
        ),
        "yAxis": _axis(dark, name="", type="category", data=[label(r) for r in rows], inverse=True),
        "visualMap": {
            "min": 0, "max": most, "calculable": True, "orient": "horizontal", "left": "center",
            "bottom": 0, "textStyle": {"color": _ink(dark)},
            "inRange": {"color": ["#3a2f2a", "#d98c5f"] if dark else ["#f6efe4", "#8a3324"]},
        },
        "series": [
            {
                "type": "heatmap",
                "data": [[x, y, count] for (x, y), count in cells.items()],
                "label": {"show": len(cells) <= 200},  # noqa: PLR2004 - more cannot be read
                "emphasis": {"itemStyle": {"borderColor": _ink(dark), "borderWidth": 1}},
            }
        ],
        "parties": {"columns": list(columns), "rows": list(rows)},
    }  # fmt: skip


def flows(links: Sequence[Mapping[str, Any]], messages: Messages, *, dark: bool) -> dict[str, Any]:
    """Return how much of which author goes into which; names tell the sides apart by a sign."""
    counts: dict[tuple[str, str], int] = {}
    for link in links:
        pair = f"{CITED}{link['source_author']}", f"{CITING}{link['query_author']}"
        counts[pair] = counts.get(pair, 0) + link["count"]
    kept = sorted(counts, key=lambda pair: -counts[pair])[:_MOST_FLOWS]
    names = dict.fromkeys(name for pair in kept for name in pair)
    unknown = json.dumps(messages("unknown"))
    return _frame(messages("flows"), dark) | {
        "tooltip": {"show": False},
        "series": [
            {
                "type": "sankey",
                "top": 10, "bottom": 20, "left": 20, "right": 160,
                "data": [{"name": name} for name in names],
                "links": [
                    {"source": source, "target": target, "value": counts[source, target]}
                    for source, target in kept
                ],
                "label": {
                    "color": _ink(dark),
                    ":formatter": f"(p) => p.name.slice(1) || {unknown}",
                },
                "lineStyle": {"color": "source", "opacity": 0.35},
            }
        ],
    }  # fmt: skip


def _ink(dark: bool) -> str:  # noqa: FBT001 - one of two
    return "#e8e0d5" if dark else "#2b2622"


def _frame(label: str, dark: bool) -> dict[str, Any]:  # noqa: FBT001 - one of two
    return {
        "textStyle": {"color": _ink(dark)},
        "backgroundColor": "transparent",
        "tooltip": {"trigger": "axis"},
        "grid": _GRID,
        # What screen readers are told; the library would make up English sentences.
        "aria": {"enabled": True, "label": {"description": label}},
        "animation": False,
    }


def _legend(dark: bool) -> dict[str, Any]:  # noqa: FBT001 - one of two
    return {
        "legend": {"top": 4, "textStyle": {"color": _ink(dark)}, "itemHeight": 10},
        "grid": _GRID | {"top": 72},
    }


def _axis(dark: bool, **options: Any) -> dict[str, Any]:  # noqa: ANN401, FBT001 - ECharts' own
    align = {"align": "left"} if options.get("nameLocation") == "end" else {}
    return {
        "axisLabel": {"color": _ink(dark)},
        "nameTextStyle": {"color": _ink(dark), **align},
        "splitLine": {"lineStyle": {"color": "#46403a" if dark else "#e4ddd2"}},
        **options,
    }
