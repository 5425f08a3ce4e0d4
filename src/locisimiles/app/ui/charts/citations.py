"""Charts of citations: who cites whom."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from locisimiles.app.ui.charts.chart import TOLD, Chart, Column, axis, frame, ink

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from locisimiles.app.ui.translator import Translator

__all__ = ["CITED", "CITING", "count_citations", "flows", "heatmap"]

_MOST_COLUMNS = 40
_MOST_FLOWS = 60
_MOST_LABELS = 200
_MOST_ROWS = 60
_ROW_HEIGHT, _FRAME_HEIGHT = 30, 240
_FLOWS_HEIGHT = 416
CITED, CITING = "<", ">"
"""Marks before the names of authors in `flows`: one may be on both sides."""

_Party = tuple[str, str]  # author and work


def count_citations(
    links: Iterable[Mapping[str, Any]], *, works: bool
) -> dict[tuple[_Party, _Party], int]:
    """Return how often an author, or a work, is cited by a work."""
    counts: dict[tuple[_Party, _Party], int] = defaultdict(int)
    for link in links:
        cited = link["source_author"], link["source_work"] if works else ""
        counts[cited, (link["query_author"], link["query_work"])] += link["count"]
    return counts


def heatmap(
    links: Iterable[Mapping[str, Any]], translate: Translator, *, dark: bool, works: bool
) -> Chart:
    """Return citing works over cited authors or works.

    Each cell has the number of its row in the table as ``link``, so that a click can filter by it.
    """
    counts = count_citations(links, works=works)
    cited: Counter[_Party] = Counter()
    citing: Counter[_Party] = Counter()
    for (one, other), count in counts.items():
        cited[one] += count
        citing[other] += count
    columns, rows = _places(cited, _MOST_COLUMNS), _places(citing, _MOST_ROWS)
    cells = [
        {
            "value": [columns[one], rows[other], count],
            "link": number,
            "label": {"formatter": translate.number(count)},
            "name": f"{_named(other, translate)} → {_named(one, translate)}: "
            f"{translate.number(count)}",
        }
        for number, ((one, other), count) in enumerate(counts.items())
        if one in columns and other in rows
    ]
    title = translate("map_label")
    option = frame(dark=dark) | {
        "tooltip": TOLD,
        "grid": {"left": 10, "right": 20, "top": 20, "bottom": 60, "containLabel": True},
        "xAxis": axis(
            dark=dark, name="", type="category", data=[_named(one, translate) for one in columns],
            axisLabel={"rotate": 40, "interval": 0, "color": ink(dark=dark)},
        ),
        "yAxis": axis(
            dark=dark, name="", type="category", data=[_named(one, translate) for one in rows],
            inverse=True,
        ),
        "visualMap": {
            "min": 0, "max": max(counts.values(), default=1), "calculable": True,
            "orient": "horizontal", "left": "center", "bottom": 0,
            "textStyle": {"color": ink(dark=dark)},
            "inRange": {"color": ["#3a2f2a", "#d98c5f"] if dark else ["#f6efe4", "#8a3324"]},
        },
        "series": [
            {
                "type": "heatmap",
                "data": cells,
                "label": {"show": len(cells) <= _MOST_LABELS},  # more cannot be read
                "emphasis": {"itemStyle": {"borderColor": ink(dark=dark), "borderWidth": 1}},
            }
        ],
    }  # fmt: skip
    names = ("query_author", "query_work", "source_author", "source_work")
    caption = ""
    if len(columns) < len(cited) or len(rows) < len(citing):
        caption = translate("map_caption", columns=len(columns), rows=len(rows))
    return Chart(
        "map",
        title,
        option,
        (
            *(Column(name, translate(f"column_{name}")) for name in names),
            Column("pairs", translate("pairs")),
        ),
        tuple(
            (translate.author(citing[0]), citing[1], translate.author(cited[0]), cited[1], count)
            for (cited, citing), count in counts.items()
        ),
        caption,
        _FRAME_HEIGHT + _ROW_HEIGHT * len(rows),
    )


def flows(links: Iterable[Mapping[str, Any]], translate: Translator, *, dark: bool) -> Chart:
    """Return flows from cited to citing authors, whose names begin with `CITED` or `CITING`."""
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for link in links:
        counts[link["source_author"], link["query_author"]] += link["count"]
    order = sorted(counts, key=lambda pair: -counts[pair])
    kept = [(f"{CITED}{cited}", f"{CITING}{citing}") for cited, citing in order[:_MOST_FLOWS]]
    names = dict.fromkeys(name for pair in kept for name in pair)
    shown = json.dumps({name[1:]: translate.author(name[1:]) for name in names})
    unknown = json.dumps(translate("unknown"))
    title = translate("flows")
    option = frame(dark=dark) | {
        "tooltip": {"show": False},
        "series": [
            {
                "type": "sankey",
                "top": 10, "bottom": 20, "left": 20, "right": 160,
                "data": [{"name": name} for name in names],
                "links": [
                    {"source": cited, "target": citing, "value": counts[cited[1:], citing[1:]]}
                    for cited, citing in kept
                ],
                "label": {
                    "color": ink(dark=dark),
                    ":formatter": f"(p) => ({shown})[p.name.slice(1)] || {unknown}",
                },
                "lineStyle": {"color": "source", "opacity": 0.35},
            }
        ],
    }  # fmt: skip
    return Chart(
        "flows",
        title,
        option,
        (
            Column("source_author", translate("column_source_author")),
            Column("query_author", translate("column_query_author")),
            Column("pairs", translate("pairs")),
        ),
        tuple((*map(translate.author, pair), counts[pair]) for pair in order),
        translate("flows_caption", count=_MOST_FLOWS) if len(order) > _MOST_FLOWS else "",
        _FLOWS_HEIGHT,
    )


def _places(counts: Counter[_Party], most: int) -> dict[_Party, int]:
    """Return the places of those that count most, in the order in which they were counted."""
    kept = {party for party, _ in counts.most_common(most)}
    return {party: place for place, party in enumerate(one for one in counts if one in kept)}


def _named(party: _Party, translate: Translator) -> str:
    return translate.author_and_work(*party) or translate("unknown")
