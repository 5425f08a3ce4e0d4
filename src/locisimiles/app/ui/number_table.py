"""The numbers behind a chart as an HTML table, for keyboards and screen readers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.results.characters import for_html

if TYPE_CHECKING:
    from locisimiles.app.ui.charts import Chart
    from locisimiles.app.ui.charts.chart import Cell
    from locisimiles.app.ui.translator import Translator

__all__ = ["number_table"]

_MOST_ROWS = 200
_DIGITS = 4


def number_table(chart: Chart, translate: Translator) -> str:
    """Return the first rows of the numbers behind a chart.

    A row that leads somewhere begins with a button, whose ``data-link`` says where.

    Examples
    --------
    >>> from locisimiles.app.ui.charts import Chart, Column
    >>> from locisimiles.app.ui.translator import Translator
    >>> chart = Chart("map", "Map", {}, (Column("author", "Author"),), (("<Ovid>",),))
    >>> '<th scope="row">&lt;Ovid&gt;</th>' in number_table(chart, Translator("en"))
    True
    """
    heads = "".join(f'<th scope="col">{for_html(one.label)}</th>' for one in chart.columns)
    rows = []
    for number, row in enumerate(chart.rows[:_MOST_ROWS]):
        first, *others = (for_html(_written(cell, translate)) for cell in row)
        if chart.links:
            button = f'<button type="button" class="link" data-link="{chart.links[number]}">'
            first = f"{button}{first}</button>"
        cells = "".join(f"<td>{cell}</td>" for cell in others)
        rows.append(f'<tr><th scope="row">{first}</th>{cells}</tr>')
    left_out = len(chart.rows) - len(rows)
    more = translate("chart_more_rows", count=left_out) if left_out else ""
    return (
        f'<div class="figure-table" tabindex="0"><table><caption>{for_html(chart.title)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        f'<p class="meta">{for_html(more)}</p>'
    )


def _written(cell: Cell, translate: Translator) -> str:
    if cell is None or isinstance(cell, str):
        return cell or "–"
    if isinstance(cell, int) or cell.is_integer():
        return translate.number(int(cell))
    digits = next(n for n in range(_DIGITS + 1) if n == _DIGITS or round(cell, n) == cell)
    return translate.number(cell, digits)
