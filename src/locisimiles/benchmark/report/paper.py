"""The figures that the paper prints, for comparison with ours.

They are facts, shipped as ``data/paper.json``: one list of rows for each table, under the names of
`PAPER_TABLES`. Percentages are as printed; ``mean`` and ``std`` are over the five folds.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from locisimiles.checks import check_choice
from locisimiles.errors import MalformedInputError
from locisimiles.files.json_files import read_json_object

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["PAPER_TABLES", "MeanStd", "PaperRow", "paper_author", "paper_rows", "paper_value"]

PAPER_TABLES = {
    "corpus": "segments and tokens of each author",
    "fold_sizes": "queries, sources and pairs of each fold",
    "retrieval_by_type": "Recall@k of retrievers by type of reference, in per cent",
    "classification": "precision, recall and F1 of classifiers by type, in per cent",
    "retrieval_dense_pooled": "Recall@k and MRR@k of dense retrievers, both types pooled",
    "retrieval_baselines_pooled": "Recall@k and MRR@k of sparse and word-embedding retrievers",
    "negative_sampling": "strategies of negative sampling for the classifier",
    "sampling_proportion": "proportions of negatives for the classifier",
    "classification_std": "the classifiers once more, with standard deviations",
    "retrieve_and_rerank": "the pipeline and retrieval alone, by number of candidates",
    "author_pairs": "references and XLM-R Large's scores by pair of authors",
}
"""The tables we have, and their content."""

_ROW_NAMES = ("model", "setting", "author", "fold", "k")
_LONG_NAMES = {"Valerius": "Valerius Flaccus"}


class MeanStd(NamedTuple):
    """A mean over folds and its standard deviation."""

    mean: float
    std: float


PaperRow: TypeAlias = "dict[str, Any]"
"""The cells of a row: texts, numbers, `MeanStd`, or None if the paper prints nothing."""


def paper_rows(table: str, *, file: Path | None = None) -> tuple[PaperRow, ...]:
    """Return the rows of one of the paper's tables, or of the same table in another file.

    A table that the other file does not have is empty.

    Examples
    --------
    >>> row = paper_rows("retrieval_baselines_pooled")[3]
    >>> row["model"], row["r10"]
    ('BM25 (surf. 1g)', MeanStd(mean=0.572, std=0.041))
    """
    check_choice(PAPER_TABLES, table=table)
    return tuple(dict(row) for row in _tables(file).get(table, ()))


def paper_value(table: str, row: str | int, column: str, *, file: Path | None = None) -> object:
    """Return one figure of the paper: None if it prints none, or has no such row or column.

    Examples
    --------
    >>> paper_value("retrieval_by_type", "BM25 (lem. 1g)", "cit_r100")
    77.62
    >>> paper_value("retrieve_and_rerank", 100, "rer_f1")
    0.17
    >>> paper_value("retrieval_by_type", "our own", "cit_r100") is None
    True
    """
    for found in paper_rows(table, file=file):
        name = next((found[key] for key in _ROW_NAMES if key in found), None)
        if name == row:
            return found.get(column)
    return None


def paper_author(author: str) -> str:
    """Return our name of an author, who may have a shorter one in the paper.

    Examples
    --------
    >>> paper_author("Valerius"), paper_author("Ovid")
    ('Valerius Flaccus', 'Ovid')
    """
    return _LONG_NAMES.get(author, author)


@lru_cache(maxsize=2)
def _tables(path: Path | None) -> dict[str, tuple[PaperRow, ...]]:
    if path is None:
        shipped = resources.files("locisimiles.benchmark.report") / "data" / "paper.json"
        tables = json.loads(shipped.read_text(encoding="utf-8"))
    else:
        tables = read_json_object(path)
    try:
        return {
            name: tuple({column: _cell(value) for column, value in row.items()} for row in rows)
            for name, rows in tables.items()
        }
    except (AttributeError, KeyError, TypeError) as error:
        raise MalformedInputError("benchmark.not_paper_tables", file=str(path)) from error


def _cell(value: object) -> object:
    if isinstance(value, dict):
        return MeanStd(value["mean"], value["std"])
    if value is None or isinstance(value, str | int | float):
        return value
    raise TypeError
