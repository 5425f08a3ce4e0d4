"""Charts of judging: what reading has yielded, what it may yield, and verdicts by author."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.app.ui.charts.chart import (
    ABOVE,
    BELOW,
    GROUPS,
    Chart,
    Column,
    area,
    axis,
    diagonal,
    frame,
    legend,
    numeric_axis,
    verdict_colours,
)

if TYPE_CHECKING:
    from locisimiles.app.results.statistics import Statistics
    from locisimiles.app.ui.translator import Translator

__all__ = ["expected", "types", "yields"]

_MOST_POINTS = 400
_MOST_AUTHORS = 12
_ROW_HEIGHT, _FRAME_HEIGHT, _LEAST_HEIGHT = 22, 120, 190
_UNJUDGED = len(GROUPS) - 1


def yields(statistics: Statistics, translate: Translator, *, dark: bool) -> Chart:
    """Return accepted pairs over judged pairs."""
    found = statistics.yields
    read = len(found)
    # More points than a screen can show are not needed.
    places = np.unique(np.linspace(1, read, min(read, _MOST_POINTS)).astype(int)).tolist()
    points = [[0, 0], *([place, found[place - 1]] for place in places)]
    title = translate("yield")
    accepted = area(points, verdict_colours(dark=dark)["cit"])
    option = frame(dark=dark) | {
        "xAxis": numeric_axis(
            translate, dark=dark, **BELOW, name=translate("pairs_read"), minInterval=1
        ),
        "yAxis": numeric_axis(
            translate, dark=dark, **ABOVE, name=translate("accepted"), minInterval=1
        ),
        "series": [accepted | {"step": "end"}, diagonal(read, dark=dark)],
    }
    return Chart(
        "yield",
        title,
        option,
        (Column("pairs_read", translate("pairs_read")), Column("accepted", translate("accepted"))),
        tuple(enumerate(found, start=1)),
        translate("yield_caption"),
    )


def expected(statistics: Statistics, translate: Translator, *, dark: bool) -> Chart:
    """Return expected references over pairs read."""
    title = translate("yield_expected")
    points = [list(point) for point in statistics.expected]
    option = frame(dark=dark) | {
        "xAxis": numeric_axis(
            translate, dark=dark, **BELOW, name=translate("pairs_read"), minInterval=1
        ),
        "yAxis": numeric_axis(translate, dark=dark, **ABOVE, name=translate("references")),
        "series": [area(points, verdict_colours(dark=dark)["unsure"])],
    }
    return Chart(
        "expected",
        title,
        option,
        (
            Column("pairs_read", translate("pairs_read")),
            Column("references", translate("references")),
        ),
        tuple(statistics.expected),
        translate("yield_expected_caption"),
    )


def types(
    statistics: Statistics, translate: Translator, *, dark: bool, only_judged: bool = False
) -> Chart:
    """Return verdicts by cited author; all but the first authors are taken together."""
    counted = statistics.types
    if only_judged:
        judged = {author: counts[:_UNJUDGED] for author, counts in counted.items()}
        order = sorted(judged, key=lambda author: -sum(judged[author]))
        counted = {author: judged[author] for author in order if any(judged[author])}
    names = GROUPS[:_UNJUDGED] if only_judged else GROUPS
    bars = _with_others(counted, translate)
    colours = verdict_colours(dark=dark)
    title = translate("types_by_author")
    option = frame(dark=dark) | {
        **legend(dark=dark),
        "xAxis": numeric_axis(translate, dark=dark, name="", minInterval=1),
        "yAxis": axis(
            dark=dark, name="", type="category", data=[name for name, _ in bars], inverse=True
        ),
        "series": [
            {
                "name": translate(f"status_{name}"),
                "type": "bar",
                "stack": "all",
                "barMaxWidth": 26,
                "data": [counts[place] for _, counts in bars],
                "itemStyle": {"color": colours[name]},
            }
            for place, name in enumerate(names)
        ],
    }
    return Chart(
        "verdicts-by-author",
        title,
        option,
        (
            Column("author", translate("column_source_author")),
            *(Column(name, translate(f"status_{name}")) for name in names),
        ),
        tuple((_author(name, translate), *counts) for name, counts in counted.items()),
        translate("types_caption_judged" if only_judged else "types_caption"),
        max(_LEAST_HEIGHT, _FRAME_HEIGHT + _ROW_HEIGHT * len(bars)),
    )


def _with_others(
    counted: dict[str, list[int]], translate: Translator
) -> list[tuple[str, list[int]]]:
    """Return the first authors, and the sum of the others."""
    authors = [(_author(name, translate), counts) for name, counts in counted.items()]
    if len(authors) <= _MOST_AUTHORS + 1:  # one more is no longer than "1 other"
        return authors
    rest = [counts for _, counts in authors[_MOST_AUTHORS:]]
    others = translate("other_authors", count=len(rest))
    return [*authors[:_MOST_AUTHORS], (others, [sum(column) for column in zip(*rest, strict=True)])]


def _author(name: str, translate: Translator) -> str:
    return translate.author(name) or translate("unknown")
