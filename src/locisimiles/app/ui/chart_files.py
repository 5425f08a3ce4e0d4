"""Charts as files: pictures, which the browser draws, and their numbers."""

from __future__ import annotations

import io
import json
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal

from nicegui import ui

from locisimiles.export.delimited import guard, write_table

if TYPE_CHECKING:
    from locisimiles.app.ui.charts import Chart

__all__ = ["PICTURES", "chart_as_csv", "save_numbers", "save_picture"]

PictureKind = Literal["svg", "png"]
PICTURES: tuple[PictureKind, ...] = ("svg", "png")
"""The formats of pictures."""

_WIDTH = 960
_TITLE_HEIGHT = 34


def save_picture(chart: Chart, kind: PictureKind, project: str) -> None:
    """Let the browser draw a chart, and save it under the names of project and chart."""
    values = {
        "option": _on_paper(chart),
        "kind": kind,
        "name": f"{project}-{chart.name}.{kind}",
        "width": _WIDTH,
        "height": chart.height + _TITLE_HEIGHT,
    }
    ui.run_javascript(f"({_script().strip()})({json.dumps(values)})")


def save_numbers(chart: Chart, project: str) -> None:
    """Save the numbers behind a chart."""
    ui.download.content(chart_as_csv(chart), f"{project}-{chart.name}.csv")


def chart_as_csv(chart: Chart) -> bytes:
    r"""Return the numbers behind a chart as a table; no cell can be taken for a formula.

    Examples
    --------
    >>> from locisimiles.app.ui.charts import Chart, Column
    >>> columns = Column("author", "Autor"), Column("pairs", "Paare")
    >>> chart_as_csv(Chart("map", "Karte", {}, columns, (("=Ovid", 3), ("Virgil", None))))
    b"author,pairs\n'=Ovid,3\nVirgil,\n"
    """
    stream = io.StringIO()
    rows = (
        ["" if cell is None else guard(cell) if isinstance(cell, str) else cell for cell in row]
        for row in chart.rows
    )
    write_table(stream, [column.name for column in chart.columns], rows, delimiter=",")
    return stream.getvalue().encode()


def _on_paper(chart: Chart) -> dict[str, Any]:
    """Return the options of a chart with its title above it, on white."""
    option = {
        **chart.option,
        "backgroundColor": "#ffffff",
        "title": {"text": chart.title, "left": "center", "top": 8, "textStyle": {"fontSize": 15}},
    }
    for name in ("grid", "legend"):
        if name in option:
            option[name] = {**option[name], "top": option[name]["top"] + _TITLE_HEIGHT}
    option["series"] = [
        {**one, "top": one["top"] + _TITLE_HEIGHT} if "top" in one else one
        for one in option["series"]
    ]
    return option


@cache
def _script() -> str:
    """Return the function that draws and saves, without the comment above it."""
    path = resources.files("locisimiles.app.ui") / "save_chart.js"
    lines = path.read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith("//"))
