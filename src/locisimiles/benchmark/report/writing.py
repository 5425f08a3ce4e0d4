"""Write a report of runs: Markdown, HTML and LaTeX tables, and figures as SVG."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.benchmark.report.figures import report_figures
from locisimiles.benchmark.report.tables import report_tables
from locisimiles.benchmark.runs.loading import Runs
from locisimiles.files.writing import atomic, make_folder

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from locisimiles.benchmark.report.tables import ReportTable

__all__ = ["write_report"]

_STYLE = (
    "body{font-family:sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse;font-size:.85rem}"
    "th,td{padding:.25rem .6rem;text-align:right;white-space:nowrap}"
    "th:first-child,td:first-child{text-align:left}"
    "thead{border-bottom:2px solid #444}tbody tr:nth-child(even){background:#f4f4f4}"
    ".note{color:#555;font-size:.9rem}.wide{overflow-x:auto}svg{max-width:100%;height:auto}"
)
_LATEX_ESCAPES = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "±": r"$\pm$", "→": r"$\to$", "×": r"$\times$", "⁴": r"$^4$", "–": "--", "−": "$-$",
    "ρ": r"$\rho$", "<": "$<$",
}  # fmt: skip
_LATEX_SPECIAL = re.compile("|".join(map(re.escape, _LATEX_ESCAPES)))


def write_report(
    runs: str | os.PathLike[str] | Runs,
    folder: str | os.PathLike[str],
    *,
    baseline: str | None = None,
    paper: Path | None = None,
) -> list[Path]:
    """Write tables and figures of all finished runs.

    The same runs give the same bytes.

    Parameters
    ----------
    runs
        The runs, or their folder.
    folder
        The folder for the report: ``report.md``, ``report.html`` (figures included), ``report.tex``
        (tables to be included; needs the package ``booktabs``), ``figures/*.svg``.
    baseline
        The method that others are compared with; by default the best baseline.
    paper
        A file with the paper's tables, instead of the shipped one.

    Returns
    -------
    list of Path
        The files written.

    Raises
    ------
    InputError
        If there are no runs, or a file is malformed.
    OutputError
        If the report cannot be written.
    """
    runs = runs if isinstance(runs, Runs) else Runs.read(runs)
    tables = report_tables(runs, baseline=baseline, paper=paper)
    figures = report_figures(runs)
    folder = Path(folder)
    make_folder(folder / "figures")
    title = f"Benchmark {runs.benchmark.get('name', '')}".strip()
    contents = {
        "report.md": _markdown(title, tables, figures),
        "report.html": _html(title, tables, figures),
        "report.tex": _latex(tables),
        **{f"figures/{name}.svg": figure for name, figure in figures.items()},
    }
    for name, content in contents.items():
        with atomic(folder / name) as stream:
            stream.write(content)
    return [folder / name for name in contents]


def _markdown(title: str, tables: Sequence[ReportTable], figures: Mapping[str, str]) -> str:
    parts = [f"# {title}"]
    for table in tables:
        lines = [table.header, ("---", *("---:",) * (len(table.header) - 1)), *table.rows]
        grid = "\n".join(f"| {' | '.join(map(_markdown_cell, line))} |" for line in lines)
        parts.append(f"## {table.title}\n\n{grid}\n\n{_markdown_cell(table.note)}")
    if figures:
        pictures = "\n".join(f"![{name}](figures/{name}.svg)" for name in figures)
        parts.append(f"## Figures\n\n{pictures}")
    return "\n\n".join(parts) + "\n"


def _markdown_cell(text: str) -> str:
    return text.replace("|", r"\|").replace("*", r"\*")


def _html(title: str, tables: Sequence[ReportTable], figures: Mapping[str, str]) -> str:
    parts = [
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
        f"<title>{html.escape(title)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{html.escape(title)}</h1>",
    ]
    for table in tables:
        head = "".join(f"<th>{html.escape(cell)}</th>" for cell in table.header)
        body = "\n".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
            for row in table.rows
        )
        parts.append(
            f'<h2 id="{html.escape(table.name)}">{html.escape(table.title)}</h2>\n'
            f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n'
            f'</tbody></table></div>\n<p class="note">{html.escape(table.note)}</p>'
        )
    parts += ["<h2>Figures</h2>", *figures.values()] if figures else []
    return "\n".join(parts) + "\n</body></html>\n"


def _latex(tables: Sequence[ReportTable]) -> str:
    parts = ["% Needs \\usepackage{booktabs}."]
    for table in tables:
        lines = [
            r"\begin{table*}[t]\centering\small",
            rf"\begin{{tabular}}{{l{'r' * (len(table.header) - 1)}}}",
            r"\toprule",
            _latex_line(table.header),
            r"\midrule",
            *map(_latex_line, table.rows),
            r"\bottomrule",
            r"\end{tabular}",
            rf"\caption{{\textbf{{{_latex_text(table.title)}.}} {_latex_text(table.note)}}}",
            rf"\label{{tab:{table.name}}}",
            r"\end{table*}",
        ]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _latex_line(cells: Sequence[str]) -> str:
    return " & ".join(map(_latex_text, cells)) + r" \\"


def _latex_text(text: str) -> str:
    return _LATEX_SPECIAL.sub(lambda found: _LATEX_ESCAPES[found[0]], text)
