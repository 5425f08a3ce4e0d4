"""Charts: options of ECharts, with the numbers behind them."""

from locisimiles.app.ui.charts.chart import Chart, Column, verdict_colours
from locisimiles.app.ui.charts.citations import (
    CITED,
    CITING,
    count_citations,
    flows,
    heatmap,
)
from locisimiles.app.ui.charts.places import dot_plot
from locisimiles.app.ui.charts.reading import expected, types, yields
from locisimiles.app.ui.charts.values import calibration, distribution, prefers_logarithm

__all__ = [
    "CITED",
    "CITING",
    "Chart",
    "Column",
    "calibration",
    "count_citations",
    "distribution",
    "dot_plot",
    "expected",
    "flows",
    "heatmap",
    "prefers_logarithm",
    "types",
    "verdict_colours",
    "yields",
]
