"""Reports: tables beside the paper's, marks, figures."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

from locisimiles.benchmark.report.comparing import choose_baseline, significance_marks
from locisimiles.benchmark.report.drawing import Series, bar_chart, line_chart
from locisimiles.benchmark.report.figures import report_figures
from locisimiles.benchmark.report.tables import report_tables
from locisimiles.benchmark.report.writing import write_report
from locisimiles.benchmark.runs.loading import Runs
from locisimiles.benchmark.runs.query_values import QueryValues
from locisimiles.benchmark.runs.rows import ResultRow
from locisimiles.errors import InputError, OutputError, ParameterError

SVG = "{http://www.w3.org/2000/svg}"


def runs_with(**values):
    """Runs of methods with these values of MRR, for queries 0, 1, 2 …"""
    rows, columns = [], []
    for method, column in values.items():
        mean = float(np.mean(column))
        rows.append(ResultRow(method, "retrieval", "cit", "R@10", mean, 0.0, len(column), "x"))
        rows.append(ResultRow(method, "retrieval", "pooled", "R@10", mean, 0.0, len(column), "x"))
        queries = tuple(map(str, range(len(column))))
        columns.append(
            QueryValues(
                method, "retrieval", "cit", "R@10", queries, (0,) * len(column), np.array(column)
            )
        )
    return Runs({"name": "x"}, tuple(rows), tuple(columns), {("retrieval", m): {} for m in values})


@pytest.fixture(scope="module")
def runs(tiny_runs):
    return Runs.read(tiny_runs)


@pytest.fixture(scope="module")
def report(tiny_runs, tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    write_report(tiny_runs, folder)
    return folder


def table(tables, name):
    return next(t for t in tables if t.name == name)


def test_every_protocol_has_its_table(runs):
    assert [t.name for t in report_tables(runs)] == [
        "retrieval-by-type",
        "retrieval-pooled",
        "classification",
        "rerank-shared-lemmas",
        "author-pairs-shared-lemmas",
        "overlap",
        "calibration",
    ]


def test_every_row_has_a_cell_for_each_column(runs):
    for found in report_tables(runs):
        assert {len(row) for row in found.rows} == {len(found.header)}


def test_our_figure_is_followed_by_the_papers(runs):
    rows = {row[0]: row for row in table(report_tables(runs), "retrieval-by-type").rows}
    ours = runs.row("bm25", "retrieval", "cit", "R@10").mean * 100
    assert rows["bm25"][1].replace("*", "") == f"{ours:.1f} (64.0)"


def test_models_of_the_paper_are_listed(runs):
    rows = {row[0]: row for row in table(report_tables(runs), "retrieval-by-type").rows}
    assert rows["BGE-M3"][1] == "– (50.1)"
    assert "BM25 (lem. 1g)" not in rows


def test_another_lemmatizer_has_the_same_counterpart_in_the_paper():
    runs = runs_with(**{"bm25+cltk": [1.0, 0.5]})
    rows = {row[0]: row for row in table(report_tables(runs), "retrieval-by-type").rows}
    assert rows["bm25+cltk"][1] == "75.0 (64.0)"


def test_the_papers_tables_can_be_replaced(runs, tmp_path):
    path = tmp_path / "tables.json"
    path.write_text('{"retrieval_by_type": [{"model": "BM25 (lem. 1g)", "cit_r10": 12.34}]}')
    rows = {row[0]: row for row in table(report_tables(runs, paper=path), "retrieval-by-type").rows}
    assert rows["bm25"][1].endswith("(12.3)")
    assert "BGE-M3" not in rows


@pytest.mark.parametrize("content", ["[]", '{"corpus": 3}', '{"corpus": [{"a": []}]}', "no"])
def test_a_file_without_tables_is_an_error(runs, tmp_path, content):
    path = tmp_path / "broken.json"
    path.write_text(content)
    with pytest.raises(InputError, match=r"broken\.json"):
        report_tables(runs, paper=path)


def test_the_best_baseline_is_the_default():
    runs = runs_with(mine=[1.0, 1.0], bm25=[0.5, 0.5], **{"bm25-surface": [0.5, 0.6]})
    assert choose_baseline(runs, "retrieval", "R@10") == "bm25-surface"


def test_without_baselines_the_best_method_is_the_default():
    runs = runs_with(mine=[1.0, 1.0], yours=[0.5, 0.5])
    assert choose_baseline(runs, "retrieval", "R@10") == "mine"


def test_a_baseline_can_be_named():
    runs = runs_with(mine=[1.0], bm25=[0.5])
    assert choose_baseline(runs, "retrieval", "R@10", "mine") == "mine"
    with pytest.raises(ParameterError, match="choose one of bm25, mine"):
        choose_baseline(runs, "retrieval", "R@10", "other")


def test_marks_show_significance():
    # With n queries that all gain, the exact p-value is 2 / 2**n: 0.0625, 0.03125, 0.0078.
    def mark(n):
        runs = runs_with(mine=[1.0] * n + [0.0], bm25=[0.0] * (n + 1))
        marks = significance_marks(runs, "retrieval", [("cit", "R@10")], "bm25")
        return marks.get(("mine", "cit", "R@10"), "")

    assert [mark(5), mark(6), mark(8)] == ["", "*", "**"]


def test_p_values_are_corrected_for_multiple_comparisons():
    better = [1.0] * 6
    runs = runs_with(mine=better, yours=better, bm25=[0.0] * 6)
    assert significance_marks(runs, "retrieval", [("cit", "R@10")], "bm25") == {}


def test_the_same_runs_give_the_same_report(tiny_runs, report, tmp_path):
    paths = write_report(Runs.read(tiny_runs), tmp_path)
    assert {p.name for p in paths} >= {"report.md", "report.html", "report.tex", "overlap.svg"}
    for path in paths:
        assert path.read_bytes() == (report / path.relative_to(tmp_path)).read_bytes()


def test_markdown_has_rows_of_equal_length(report):
    text = (report / "report.md").read_text(encoding="utf-8")
    assert text.startswith("# Benchmark tiny\n")
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line.startswith("|")]
        assert len({line.count(" | ") for line in lines}) <= 1


def test_html_is_well_formed_and_has_the_figures(report):
    text = (report / "report.html").read_text(encoding="utf-8")
    body = text[text.index("<body>") : text.index("</html>")]
    assert len(list(ET.fromstring(body).iter(f"{SVG}svg"))) == 6


def test_latex_is_escaped(runs, tmp_path):
    odd = replace(
        runs,
        rows=tuple(replace(r, method="a_b&c%") if r.method == "bm25" else r for r in runs.rows),
        manifests={
            (p, "a_b&c%" if m == "bm25" else m): found for (p, m), found in runs.manifests.items()
        },
    )
    write_report(odd, tmp_path)
    text = (tmp_path / "report.tex").read_text(encoding="utf-8")
    assert r"a\_b\&c\%" in text
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 7
    assert not set("±→×ρ⁴–") & set(text)


def test_figures_are_well_formed_and_reproducible(runs):
    figures = report_figures(runs)
    assert list(figures) == [
        "recall-cit",
        "recall-cf",
        "recall-pooled",
        "trade-off-shared-lemmas",
        "author-pairs-shared-lemmas",
        "overlap",
    ]
    assert all(ET.fromstring(figure).tag == f"{SVG}svg" for figure in figures.values())
    assert report_figures(runs) == figures


def test_a_recall_curve_has_a_line_for_each_method(runs):
    drawn = ET.fromstring(report_figures(runs)["recall-cit"])
    lines = list(drawn.iter(f"{SVG}polyline"))
    assert len(lines) == 2
    heights = [float(point.split(",")[1]) for point in lines[0].get("points").split()]
    assert heights == sorted(heights, reverse=True)  # recall grows with k, and SVG counts down


def test_author_pairs_are_those_with_references(tiny, runs):
    found = runs.author_pairs("shared-lemmas")
    columns = zip(tiny.references.query, tiny.references.source, strict=True)
    expected = {(tiny.query.authors[q], tiny.source.authors[s]) for q, s in columns}
    assert set(found[:-1]) == expected
    assert found[-1] == ("Total", "Total")


def test_a_line_is_drawn_where_its_points_are():
    chart = line_chart("t", "x", "y", [Series("a", ((1, 0.0), (10, 1.0)))], x_ticks=[1, 10])
    (line,) = ET.fromstring(chart).iter(f"{SVG}polyline")
    assert line.get("points") == "62.0,328.0 490.0,40.0"


def test_missing_bars_are_not_drawn_and_negative_ones_go_left():
    chart = bar_chart("t", "x", ["a", "b", "c"], [("s", [0.5, None, -0.5])])
    one, two = (
        (float(bar.get("x")), float(bar.get("width")))
        for bar in ET.fromstring(chart).iter(f"{SVG}rect")
        if bar.get("class") == "bar"
    )
    assert two[0] + two[1] == pytest.approx(one[0], abs=0.2)


def test_names_are_escaped_in_charts():
    chart = line_chart("a < b", "x", "y", [Series("p & q", ((1, 1),))], x_ticks=[1])
    assert "p & q" in {text.text for text in ET.fromstring(chart).iter(f"{SVG}text")}


@pytest.mark.parametrize("series", [[], [Series("none", ())]])
def test_an_empty_chart_can_be_drawn(series):
    for chart in (line_chart("t", "x", "y", series, x_ticks=[]), bar_chart("t", "x", [], [])):
        assert "t" in {text.text for text in ET.fromstring(chart).iter(f"{SVG}text")}


def test_a_report_that_cannot_be_written_is_an_error(tiny_runs, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        write_report(tiny_runs, tmp_path / "file")
