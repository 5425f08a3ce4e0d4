"""The paper's figures, redrawn from runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.benchmark.report.drawing import Series, bar_chart, line_chart
from locisimiles.benchmark.report.tables import name_of_pair

if TYPE_CHECKING:
    from locisimiles.benchmark.runs.loading import Runs
    from locisimiles.benchmark.runs.rows import ResultRow

__all__ = ["report_figures"]

_LABELLED_DEPTHS = frozenset([1, 10, 100, 1000])
_GROUP_NAMES = {"cit": "verbatim references (cit.)", "cf": "allusions (cf.)", "pooled": "all"}


def report_figures(runs: Runs) -> dict[str, str]:
    """Return the figures of the protocols that there are runs of, as SVG by name.

    ``recall-cit``, ``recall-cf``, ``recall-pooled``: Recall@k of all retrievers.
    ``trade-off-METHOD``: precision against the number of pairs to inspect, with and without the
    classifier. ``author-pairs-METHOD``: F1 by citing and cited author. ``overlap``: correlation of
    lexical overlap with correctness, by class.
    """
    figures = {}
    if runs.methods("retrieval"):
        for group, name in _GROUP_NAMES.items():
            figures[f"recall-{group}"] = _recall(runs, group, name)
    for method in runs.methods("retrieve-and-rerank"):
        figures[f"trade-off-{method}"] = _trade_off(runs, method)
    for method in runs.methods("author-pairs"):
        figures[f"author-pairs-{method}"] = _author_pairs(runs, method)
    if runs.methods("overlap"):
        figures["overlap"] = _overlap(runs)
    return figures


def _recall(runs: Runs, group: str, name: str) -> str:
    series = []
    for method in runs.methods("retrieval"):
        found = runs.at_depths(method, "retrieval", group, "R")
        series.append(
            Series(
                method,
                tuple((float(k), row.mean or 0.0) for k, row in found),
                tuple(row.std or 0.0 for _, row in found),
            )
        )
    return line_chart(
        f"Recall@k, {name}", "k", "Recall@k", series, x_ticks=(1, 5, 10, 20, 50, 100, 1000)
    )


def _trade_off(runs: Runs, method: str) -> str:
    protocol = "retrieve-and-rerank"
    series = []
    for stage, name in (("", f"BM25, then {method}"), ("retrieval ", "BM25 alone")):
        precision = runs.at_depths(method, protocol, "pooled", f"{stage}P")
        flagged = dict(runs.at_depths(method, protocol, "pooled", f"{stage}flagged"))
        kept = [(k, row) for k, row in precision if (flagged[k].mean or 0) >= 1]
        series.append(
            Series(
                name,
                tuple((float(flagged[k].mean or 1), row.mean or 0.0) for k, row in kept),
                tuple(row.std or 0.0 for _, row in kept),
                tuple(f"k={k}" if k in _LABELLED_DEPTHS else "" for k, _ in kept),
            )
        )
    most = max((x for line in series for x, _ in line.points), default=10.0)
    least = min((x for line in series for x, _ in line.points), default=1.0)
    ticks = [10.0**power for power in range(7) if least <= 10.0**power <= most]
    return line_chart(
        "Precision and effort",
        "pairs flagged in a fold, to be inspected",
        "precision, both types pooled",
        series,
        x_ticks=ticks,
    )


def _author_pairs(runs: Runs, method: str) -> str:
    pairs = runs.author_pairs(method)
    columns = [
        (
            f"{kind}.",
            [
                _value(runs.row(method, "author-pairs", kind, f"F1 ({', '.join(pair)})"))
                for pair in pairs
            ],
        )
        for kind in ("cit", "cf")
    ]
    names = [name_of_pair(*pair) for pair in pairs]
    return bar_chart(f"F1 by pair of authors, {method}", "F1, macro over queries", names, columns)


def _overlap(runs: Runs) -> str:
    groups = {"cit": "cit.", "cf": "cf.", "none": "no match", "all": "all pairs"}
    columns = [
        (
            method,
            [_value(runs.row(method, "overlap", group, "Spearman, all folds")) for group in groups],
        )
        for method in runs.methods("overlap")
    ]
    return bar_chart(
        "Lexical overlap and being right", "Spearman's ρ", list(groups.values()), columns
    )


def _value(row: ResultRow | None) -> float | None:
    return None if row is None else row.mean
