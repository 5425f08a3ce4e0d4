"""The tables of a report: our figures, followed by the paper's in brackets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.benchmark.protocols import ALL_AUTHORS
from locisimiles.benchmark.report.comparing import choose_baseline, significance_marks
from locisimiles.benchmark.report.paper import MeanStd, paper_author, paper_rows, paper_value
from locisimiles.benchmark.sets.groups import GROUPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from locisimiles.benchmark.runs.loading import Runs
    from locisimiles.benchmark.runs.rows import ResultRow

__all__ = ["PAPER_NAMES", "ReportTable", "name_of_pair", "report_tables"]

PAPER_NAMES = {
    "tfidf-surface": "TF-IDF (surf. 1g)",
    "tfidf-lemma": "TF-IDF (lem. 1g)",
    "tfidf-lemma-bigrams": "TF-IDF (lem. 1+2g)",
    "bm25-surface": "BM25 (surf. 1g)",
    "bm25": "BM25 (lem. 1g)",
}
"""The paper's names of our methods."""

_CUTOFFS = (10, 100, 1000)
_LENIENT_CUTOFFS = (1, 10, 100)
_TYPES = ("cit", "cf")
_NOTHING = "–"


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table of a report: name in files, title, explanation, and cells as text."""

    name: str
    title: str
    note: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def report_tables(
    runs: Runs, *, baseline: str | None = None, paper: Path | None = None
) -> list[ReportTable]:
    """Return the tables of all protocols that there are runs of; see `write_report`."""
    tables: list[ReportTable] = []
    if runs.methods("retrieval"):
        tables += [_by_type(runs, baseline, paper), _pooled(runs, baseline, paper)]
        tables += _lenient(runs)
    if runs.methods("classification"):
        tables.append(_classification(runs, baseline, paper))
    tables += [_rerank(runs, method, paper) for method in runs.methods("retrieve-and-rerank")]
    tables += [_author_pairs(runs, method, paper) for method in runs.methods("author-pairs")]
    if runs.methods("overlap"):
        tables.append(_overlap(runs))
    if runs.methods("calibration"):
        tables.append(_calibration(runs))
    return tables


def _by_type(runs: Runs, baseline: str | None, paper: Path | None) -> ReportTable:
    columns = [(kind, f"R@{k}") for kind in _TYPES for k in _CUTOFFS]
    against, marks = _compare(runs, "retrieval", "R@10", columns, baseline)
    return ReportTable(
        "retrieval-by-type",
        "Retrieval by type of reference",
        f"Recall in per cent, macro over queries, mean over folds. {_how_to_read(against)}",
        ("method", *(f"{kind}. {metric}" for kind, metric in columns)),
        _method_rows(runs, "retrieval", columns, marks, paper, tables=["retrieval_by_type"]),
    )


def _pooled(runs: Runs, baseline: str | None, paper: Path | None) -> ReportTable:
    columns = [("pooled", f"{name}@{k}") for name in ("R", "MRR") for k in _CUTOFFS]
    against, marks = _compare(runs, "retrieval", "R@10", columns, baseline)
    tables = ["retrieval_baselines_pooled", "retrieval_dense_pooled"]
    return ReportTable(
        "retrieval-pooled",
        "Retrieval, both types pooled",
        f"Mean ± standard deviation over folds. {_how_to_read(against)}",
        ("method", *(metric for _, metric in columns)),
        _method_rows(runs, "retrieval", columns, marks, paper, tables=tables, per_cent=False),
    )


def _lenient(runs: Runs) -> list[ReportTable]:
    """Return the table of the lenient reading; none for sets without parallels."""
    columns = [("cit", f"R@{k}") for k in _LENIENT_CUTOFFS]
    columns += [("pooled", f"R@{k}") for k in _LENIENT_CUTOFFS] + [("pooled", "MAP")]
    rows = [
        (
            method,
            *(
                _mean(runs.row(method, "retrieval", group, f"lenient {metric}"), 100, 1)
                for group, metric in columns
            ),
        )
        for method in _ordered(runs.methods("retrieval"))
        if runs.row(method, "retrieval", "pooled", "lenient MAP")
    ]
    if not rows:
        return []
    return [
        ReportTable(
            "retrieval-lenient",
            "Retrieval, lenient reading",
            "In per cent. A segment that stands for the noted one counts as it does.",
            ("method", *(f"{group}. {metric}" for group, metric in columns)),
            tuple(rows),
        )
    ]


def _classification(runs: Runs, baseline: str | None, paper: Path | None) -> ReportTable:
    protocol = "classification"
    columns = [(kind, metric) for kind in _TYPES for metric in ("P", "R", "F1")]
    against, marks = _compare(runs, protocol, "F1", columns, baseline)
    columns += [("pooled", "macro-F1"), ("cit", "strict F1"), ("cf", "strict F1")]
    return ReportTable(
        protocol,
        "Classification",
        "In per cent, mean over the queries that have a reference of the type, then over folds; "
        "'strict' also counts queries with false positives only. Thresholds are tuned on the "
        f"training folds. {_how_to_read(against)}",
        ("method", *(f"{group}. {metric}" for group, metric in columns)),
        _method_rows(runs, protocol, columns, marks, paper, tables=[protocol]),
    )


def _compare(
    runs: Runs, protocol: str, metric: str, columns: Sequence[tuple[str, str]], wanted: str | None
) -> tuple[str, Mapping[tuple[str, str, str], str]]:
    """Return the baseline, and the marks of significant differences from it."""
    baseline = choose_baseline(runs, protocol, metric, wanted)
    return baseline, significance_marks(runs, protocol, columns, baseline)


def _method_rows(
    runs: Runs,
    protocol: str,
    columns: Sequence[tuple[str, str]],
    marks: Mapping[tuple[str, str, str], str],
    paper: Path | None,
    *,
    tables: Sequence[str],
    per_cent: bool = True,
) -> tuple[tuple[str, ...], ...]:
    """Return the rows of our methods, then those of the paper's other models.

    `tables` are the paper's; the first has the counterparts of our methods.
    """
    names = [
        ("" if group == "pooled" else f"{group}_") + metric.lower().replace("@", "")
        for group, metric in columns
    ]
    digits = 1 if per_cent else 3
    rows, methods = [], runs.methods(protocol)
    for method in _ordered(methods):
        cells = []
        for column, name in zip(columns, names, strict=True):
            row = runs.row(method, protocol, *column)
            ours = _mean(row, 100, 1) if per_cent else _mean_std(row)
            theirs = paper_value(tables[0], _paper_name(method), name, file=paper)
            mark = marks.get((method, *column), "")
            cells.append(_beside(ours + mark, _plain(theirs, digits)))
        rows.append((method, *cells))
    known = {_paper_name(method) for method in methods}
    for model in (model for table in tables for model in paper_rows(table, file=paper)):
        if model["model"] not in known:
            cells = [_beside(_NOTHING, _plain(model.get(name), digits)) for name in names]
            rows.append((str(model["model"]), *cells))
    return tuple(rows)


def _rerank(runs: Runs, method: str, paper: Path | None) -> ReportTable:
    protocol = "retrieve-and-rerank"
    columns = (
        ("flagged", "n_rer", 1.0, 0),
        ("TP", "rer_tp", 1.0, 0),
        ("FP", "rer_fp", 1.0, 0),
        ("FN", "rer_fn", 1.0, 0),
        ("F1", "rer_f1", 1.0, 2),
        ("retrieval F1", "ret_f1", 1.0, 2),
        ("FPR", "fpr_rer_e4", 1e4, 1),
        ("SMR", "smr_rer_e4", 1e4, 1),
    )
    rows = []
    for depth, _ in runs.at_depths(method, protocol, "pooled", "F1"):
        cells = (
            _beside(
                _mean(runs.row(method, protocol, "pooled", f"{name}@{depth}"), scale, digits),
                _plain(paper_value("retrieve_and_rerank", depth, theirs, file=paper), digits),
            )
            for name, theirs, scale, digits in columns
        )
        rows.append((str(depth), *cells))
    names = [f"{name} × 10⁴" if scale != 1 else name for name, _, scale, _ in columns]
    return ReportTable(
        f"rerank-{method}",
        f"Retrieve and rerank: {method} after BM25",
        "Both types pooled, means over folds. In brackets the paper's XLM-R Large.",
        ("k", *names),
        tuple(rows),
    )


def name_of_pair(query: str, source: str) -> str:
    """Return the name of a pair of authors in tables and figures.

    Examples
    --------
    >>> name_of_pair("Jerome", "Virgil"), name_of_pair("Total", "Total")
    ('Jerome → Virgil', 'Total')
    """
    return query if query == source == ALL_AUTHORS else f"{query} → {source}"


def _author_pairs(runs: Runs, method: str, paper: Path | None) -> ReportTable:
    theirs = {
        (paper_author(str(row["query"])), paper_author(str(row["source"]))): row
        for row in paper_rows("author_pairs", file=paper)
    }
    rows = []
    for pair in runs.author_pairs(method):
        cells = []
        for kind in _TYPES:
            for metric, column, digits in (
                ("references", "n", 0), ("shared lemmas", "overlap", 2), ("F1", "f1", 3),
            ):  # fmt: skip
                row = runs.row(method, "author-pairs", kind, f"{metric} ({', '.join(pair)})")
                printed = theirs.get(pair, {}).get(f"{kind}_{column}")
                cells.append(_beside(_mean(row, 1, digits), _plain(printed, digits)))
        rows.append((name_of_pair(*pair), *cells))
    names = [f"{kind}. {name}" for kind in _TYPES for name in ("#", "shared", "F1")]
    return ReportTable(
        f"author-pairs-{method}",
        f"Pairs of authors: {method}",
        "References, lemmas they share, and F1 macro over queries. In brackets the paper's XLM-R "
        "Large. Here decisions are by tuned thresholds.",
        ("authors", *names),
        tuple(rows),
    )


def _overlap(runs: Runs) -> ReportTable:
    groups = ("cit", "cf", "none", "all")
    rows = [
        (
            method,
            *(
                _mean(runs.row(method, "overlap", group, "Spearman, all folds"), 1, 3)
                for group in groups
            ),
        )
        for method in runs.methods("overlap")
    ]
    return ReportTable(
        "overlap",
        "Lexical overlap and being right",
        "Spearman's ρ over the pairs of all folds, by what a pair is. The paper reports of XLM-R "
        "Large 0.36 to 0.40 for cit., nearly 0 for cf., and about −0.09 for no match.",
        ("method", "cit.", "cf.", "no match", "all pairs"),
        tuple(rows),
    )


def _calibration(runs: Runs) -> ReportTable:
    columns = [
        (group, metric, digits)
        for group in GROUPS
        for metric, digits in (
            ("ECE", 5), ("Brier", 5), ("yield@100", 1), ("expected yield@100", 1),
        )
    ]  # fmt: skip
    rows = [
        (method, *(_mean(runs.row(method, "calibration", g, m), 1, d) for g, m, d in columns))
        for method in runs.methods("calibration")
    ]
    return ReportTable(
        "calibration",
        "Calibration",
        "Means over folds; the paper has no such table.",
        ("method", *(f"{group} {metric}" for group, metric, _ in columns)),
        tuple(rows),
    )


def _ordered(methods: Iterable[str]) -> list[str]:
    """Return methods in the order of the paper's table, others first."""
    known = {name: place for place, name in enumerate(PAPER_NAMES, start=1)}
    return sorted(methods, key=lambda method: (known.get(method.partition("+")[0], 0), method))


def _paper_name(method: str) -> str:
    return PAPER_NAMES.get(method.partition("+")[0], "")


def _how_to_read(against: str) -> str:
    return (
        f"In brackets the paper's figure. * and **: differs from {against} with p < 0.05 and 0.01 "
        "(paired randomisation test over queries, Holm's correction in each column)."
    )


def _beside(ours: str, theirs: str) -> str:
    return ours if theirs == _NOTHING else f"{ours} ({theirs})"


def _mean(row: ResultRow | None, scale: float, digits: int) -> str:
    if row is None or row.mean is None:
        return _NOTHING
    return f"{row.mean * scale:.{digits}f}"


def _mean_std(row: ResultRow | None) -> str:
    if row is None or row.mean is None:
        return _NOTHING
    return f"{row.mean:.3f}" + (f" ± {row.std:.3f}" if row.std is not None else "")


def _plain(value: object, digits: int) -> str:
    if isinstance(value, MeanStd):
        return f"{value.mean:.{digits}f} ± {value.std:.{digits}f}"
    return f"{value:.{digits}f}" if isinstance(value, int | float) else _NOTHING
