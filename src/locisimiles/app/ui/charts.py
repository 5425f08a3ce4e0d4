"""Charts, as options of ECharts."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from locisimiles.app.results.statistics import Statistics
    from locisimiles.app.ui.translator import Translator

__all__ = [
    "CITED",
    "CITING",
    "VERDICT_COLOURS",
    "calibration",
    "count_citations",
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
"""The colour of each verdict, in charts as on buttons."""
_MOST_COLUMNS = 40
_MOST_FLOWS = 60
_GRID: dict[str, Any] = {"left": 10, "right": 24, "top": 40, "bottom": 30, "containLabel": True}
# Names stand below one axis and above the other, where no language cuts them off.
_BELOW: dict[str, Any] = {"nameLocation": "middle", "nameGap": 28}
_ABOVE: dict[str, Any] = {"nameLocation": "end", "nameGap": 14}
CITED, CITING = "<", ">"
"""Marks before the names of authors in `flows`: one may be on both sides."""


def distribution(statistics: Statistics, translate: Translator, *, dark: bool) -> dict[str, Any]:
    """Return the distribution of scores or probabilities by verdict."""
    labels = [translate.number(float(edge)) for edge in statistics.edges[:-1]]
    learnt = statistics.measure == "learnt_probability"
    title = translate("distribution") + (f": {translate('learnt_probability')}" if learnt else "")
    measure = translate("probability" if learnt else statistics.measure)
    return _frame(title, dark) | {
        **_legend(dark),
        "xAxis": _axis(dark, **_BELOW, name=measure, type="category", data=labels),
        "yAxis": _axis(dark, **_ABOVE, name=translate("pairs"), type="value"),
        "series": _stacked(statistics.distribution, translate),
    }


def yields(statistics: Statistics, translate: Translator, *, dark: bool) -> dict[str, Any]:
    """Return accepted pairs over judged pairs."""
    points = [[0, 0], *([read, found] for read, found in enumerate(statistics.yields, start=1))]
    read = len(statistics.yields)
    return _frame(translate("yield"), dark) | {
        "xAxis": _axis(dark, **_BELOW, name=translate("pairs_read"), type="value", minInterval=1),
        "yAxis": _axis(dark, **_ABOVE, name=translate("accepted"), type="value", minInterval=1),
        "series": [_area(points, "cit") | {"step": "end"}, _diagonal(read)],
    }


def expected(statistics: Statistics, translate: Translator, *, dark: bool) -> dict[str, Any]:
    """Return expected references over pairs read."""
    return _frame(translate("yield_expected"), dark) | {
        "xAxis": _axis(dark, **_BELOW, name=translate("pairs_read"), type="value", minInterval=1),
        "yAxis": _axis(dark, **_ABOVE, name=translate("references"), type="value"),
        "series": [_area([list(point) for point in statistics.expected], "unsure")],
    }


def types(statistics: Statistics, translate: Translator, *, dark: bool) -> dict[str, Any]:
    """Return verdicts by cited author."""
    authors = [author or translate("unknown") for author in statistics.types]
    names = ("cit", "cf", "reject", "unsure", "unjudged")
    counts = {
        name: [counted[place] for counted in statistics.types.values()]
        for place, name in enumerate(names)
    }
    return _frame(translate("types_by_author"), dark) | {
        **_legend(dark),
        "xAxis": _axis(dark, name="", type="value"),
        "yAxis": _axis(dark, name="", type="category", data=authors, inverse=True),
        "series": _stacked(counts, translate),
    }


def calibration(statistics: Statistics, translate: Translator, *, dark: bool) -> dict[str, Any]:
    """Return the share of accepted pairs over their probability."""
    learnt = statistics.measure == "learnt_probability"
    share: dict[str, Any] = {"type": "value", "min": 0, "max": 1}
    return _frame(translate("calibration_learnt" if learnt else "calibration"), dark) | {
        "xAxis": _axis(dark, **_BELOW, **share, name=translate("probability")),
        "yAxis": _axis(dark, **_ABOVE, **share, name=translate("share_accepted")),
        "series": [
            {
                "type": "line",
                "data": [[mean, share] for mean, share, _ in statistics.calibration],
                "symbolSize": 9,
                "itemStyle": {"color": VERDICT_COLOURS["cit"]},
            },
            _diagonal(1),
        ],
    }


def count_citations(
    links: Iterable[Mapping[str, Any]], *, works: bool
) -> dict[tuple[tuple[str, str], tuple[str, str]], int]:
    """Return how often an author, or a work, is cited by a work."""
    counts: dict[tuple[tuple[str, str], tuple[str, str]], int] = defaultdict(int)
    for link in links:
        cited = link["source_author"], link["source_work"] if works else ""
        counts[cited, (link["query_author"], link["query_work"])] += link["count"]
    return counts


def heatmap(
    links: Iterable[Mapping[str, Any]], translate: Translator, *, dark: bool, works: bool
) -> dict[str, Any]:
    """Return citing works over cited authors or works, with the names that a click filters by."""
    columns: dict[tuple[str, str], int] = {}
    rows: dict[tuple[str, str], int] = {}
    cells: dict[tuple[int, int], int] = {}
    for (cited, citing), count in count_citations(links, works=works).items():
        if cited in columns or len(columns) < _MOST_COLUMNS:
            place = columns.setdefault(cited, len(columns)), rows.setdefault(citing, len(rows))
            cells[place] = count

    def label(party: tuple[str, str]) -> str:
        return ", ".join(filter(None, party)) or translate("unknown")

    most = max(cells.values(), default=1)
    return _frame(translate("map_label"), dark) | {
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


def flows(
    links: Iterable[Mapping[str, Any]], translate: Translator, *, dark: bool
) -> dict[str, Any]:
    """Return flows from cited to citing authors, whose names begin with `CITED` or `CITING`."""
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for link in links:
        pair = f"{CITED}{link['source_author']}", f"{CITING}{link['query_author']}"
        counts[pair] += link["count"]
    kept = sorted(counts, key=lambda pair: -counts[pair])[:_MOST_FLOWS]
    names = dict.fromkeys(name for pair in kept for name in pair)
    unknown = json.dumps(translate("unknown"))
    return _frame(translate("flows"), dark) | {
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


def _stacked(counts: Mapping[str, list[int]], translate: Translator) -> list[dict[str, Any]]:
    """Return stacked bars, one series for each verdict or status."""
    return [
        {
            "name": translate(f"status_{name}"),
            "type": "bar",
            "stack": "all",
            "data": values,
            "itemStyle": {"color": VERDICT_COLOURS[name]},
        }
        for name, values in counts.items()
    ]


def _area(points: list[Any], verdict: str) -> dict[str, Any]:
    return {
        "type": "line", "data": points, "showSymbol": False, "areaStyle": {"opacity": 0.15},
        "itemStyle": {"color": VERDICT_COLOURS[verdict]},
    }  # fmt: skip


def _diagonal(end: int) -> dict[str, Any]:
    """Return a dashed line for the best there could be."""
    return {
        "type": "line", "data": [[0, 0], [end, end]], "showSymbol": False,
        "lineStyle": {"type": "dashed", "color": VERDICT_COLOURS["unjudged"]},
    }  # fmt: skip


def _ink(dark: bool) -> str:  # noqa: FBT001 - one of two
    return "#e8e0d5" if dark else "#2b2622"


def _frame(label: str, dark: bool) -> dict[str, Any]:  # noqa: FBT001 - one of two
    return {
        "textStyle": {"color": _ink(dark)},
        "backgroundColor": "transparent",
        "tooltip": {"trigger": "axis"},
        "grid": _GRID,
        # For screen readers; by default ECharts makes up English sentences.
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
