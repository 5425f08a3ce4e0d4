"""Charts of scores and probabilities: their distribution, and how far they can be trusted."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from locisimiles.app.ui.charts.chart import (
    ABOVE,
    BELOW,
    TOLD,
    Chart,
    Column,
    axis,
    diagonal,
    frame,
    ink,
    legend,
    numeric_axis,
    verdict_colours,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.app.results.statistics import CalibrationBin, Statistics
    from locisimiles.app.ui.translator import Translator

__all__ = ["calibration", "distribution", "prefers_logarithm"]

_MANY_PAIRS, _FAR_APART = 1000, 100
_FEW_JUDGEMENTS = 20
_SYMBOLS = {"unjudged": "circle", "accepted": "diamond", "reject": "triangle", "unsure": "rect"}
_SMALLEST, _LARGEST = 8.0, 30.0


def prefers_logarithm(statistics: Statistics) -> bool:
    """Tell whether some bars would be too low to be seen beside the highest."""
    counts = [count for bins in statistics.distribution.values() for count in bins if count]
    return statistics.pairs >= _MANY_PAIRS and max(counts) >= _FAR_APART * min(counts)


def distribution(
    statistics: Statistics, translate: Translator, *, dark: bool, logarithmic: bool = False
) -> Chart:
    """Return the distribution of scores or probabilities by verdict.

    Bars stacked on a logarithmic axis would lie: their lengths do not add up. There, every verdict
    has dots of its own.
    """
    learnt = statistics.measure == "learnt_probability"
    title = translate("distribution") + (f": {translate('learnt_probability')}" if learnt else "")
    measure = translate("probability" if learnt else statistics.measure)
    labels = _ranges(statistics.edges, translate)
    count_axis = {"type": "log", "min": 0.8} if logarithmic else {"type": "value", "minInterval": 1}
    option = frame(dark=dark) | {
        **legend(dark=dark),
        "xAxis": axis(dark=dark, **BELOW, name=measure, type="category", data=labels),
        "yAxis": numeric_axis(translate, dark=dark, **ABOVE, name=translate("pairs"), **count_axis),
        "series": _counts(statistics.distribution, translate, dark=dark, dots=logarithmic),
    }
    counts = zip(*statistics.distribution.values(), strict=True)
    caption = "distribution_logarithmic" if logarithmic else "distribution_caption"
    return Chart(
        "distribution",
        title,
        option,
        (
            Column("from", translate("bin_from")),
            Column("to", translate("bin_to")),
            *(Column(name, translate(f"status_{name}")) for name in statistics.distribution),
        ),
        tuple(
            (low, high, *count)
            for (low, high), count in zip(pairwise(statistics.edges), counts, strict=True)
        ),
        translate(caption, count=statistics.pairs),
    )


def calibration(statistics: Statistics, translate: Translator, *, dark: bool) -> Chart:
    """Return the share of accepted pairs over their probability, with counts and intervals."""
    t, bins = translate, statistics.calibration
    title = t("calibration_learnt" if statistics.measure == "learnt_probability" else "calibration")
    share: dict[str, Any] = {"min": 0, "max": 1}
    judged = sum(one.pairs for one in bins)
    caption = [t("calibration_caption")]
    if judged < _FEW_JUDGEMENTS:
        caption.append(t("calibration_few", count=judged))
    option = frame(dark=dark) | {
        "tooltip": TOLD,
        "xAxis": numeric_axis(t, dark=dark, **BELOW, **share, name=t("probability")),
        "yAxis": numeric_axis(t, dark=dark, **ABOVE, **share, name=t("share_accepted")),
        "series": [diagonal(1, dark=dark), _intervals(bins, dark=dark), _dots(bins, t, dark=dark)],
    }
    columns = ("probability", "share_accepted", "interval_low", "interval_high", "pairs")
    return Chart(
        "calibration",
        title,
        option,
        tuple(Column(name, t(name)) for name in columns),
        tuple((one.mean, one.share, one.low, one.high, one.pairs) for one in bins),
        " ".join(caption),
    )


def _ranges(edges: list[float], translate: Translator) -> list[str]:
    """Return bins as they are written, with as many decimals as tell them apart."""
    step = edges[1] - edges[0]
    digits = next(n for n in range(12) if abs(round(step, n) - step) < step / 1000)
    written = [translate.number(edge if digits else round(edge), digits) for edge in edges]
    return [f"{low}–{high}" for low, high in pairwise(written)]


def _counts(
    counts: Mapping[str, list[int]], translate: Translator, *, dark: bool, dots: bool
) -> list[dict[str, Any]]:
    """Return stacked bars, or dots; one series for each verdict."""
    colours = verdict_colours(dark=dark)
    series: list[dict[str, Any]] = []
    for name, values in counts.items():
        common = {"name": translate(f"status_{name}"), "itemStyle": {"color": colours[name]}}
        if dots:
            # A logarithm knows no zero.
            shown = [value or None for value in values]
            look = {"symbol": _SYMBOLS[name], "symbolSize": 9, "lineStyle": {"width": 1}}
            series.append({**common, **look, "type": "line", "data": shown})
        else:
            series.append({**common, "type": "bar", "stack": "all", "data": values})
    return series


def _intervals(bins: list[CalibrationBin], *, dark: bool) -> dict[str, Any]:
    """Return an upright line for each interval; gaps keep them apart."""
    points = [
        point
        for one in bins
        for point in ([one.mean, one.low], [one.mean, one.high], [one.mean, None])
    ]
    colour = verdict_colours(dark=dark)["unsure"]
    return {
        "type": "line", "data": points, "showSymbol": False, "silent": True,
        "lineStyle": {"width": 2, "color": colour}, "itemStyle": {"color": colour},
    }  # fmt: skip


def _dots(bins: list[CalibrationBin], translate: Translator, *, dark: bool) -> dict[str, Any]:
    """Return a dot for each bin, with the number of its pairs; the area shows it, too."""
    most = max((one.pairs for one in bins), default=1)
    return {
        "type": "scatter",
        "data": [
            {
                "value": [one.mean, one.share],
                "symbolSize": max(_SMALLEST, _LARGEST * (one.pairs / most) ** 0.5),
                "name": translate(
                    "calibration_dot",
                    count=one.pairs,
                    probability=translate.number(one.mean),
                    share=translate.percent(one.share),
                    low=translate.percent(one.low),
                    high=translate.percent(one.high),
                ),
                "label": {
                    "show": True,
                    "position": "left" if one.mean > 0.85 else "right",  # noqa: PLR2004
                    "formatter": translate.number(one.pairs),
                    "color": ink(dark=dark),
                },
            }
            for one in bins
        ],
        "itemStyle": {"color": verdict_colours(dark=dark)["cit"]},
    }
