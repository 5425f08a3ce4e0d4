"""The figures that the paper prints, to be set beside ours.

They are facts, shipped as ``data/paper.json``: one list of rows for each table, under the names of
`PAPER_TABLES`. Percentages are as printed; ``mean`` and ``std`` are over the five folds.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from locisimiles.errors import MalformedInputError, ParameterError
from locisimiles.files.json_files import read_json

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "PAPER_TABLES",
    "MeanStd",
    "PaperAuthorPair",
    "PaperCell",
    "PaperCorpusRow",
    "PaperFold",
    "PaperRow",
    "paper_author",
    "paper_author_pairs",
    "paper_corpus",
    "paper_folds",
    "paper_rows",
    "paper_value",
]

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
"""The tables we have, and what is in them."""

_ROW_NAMES = ("model", "setting", "author", "fold", "k")
_LONG_NAMES = {"Valerius": "Valerius Flaccus"}
_TOTALS = frozenset(["Total", "Mean", "Total / Avg."])


class MeanStd(NamedTuple):
    """A mean over folds and its standard deviation."""

    mean: float
    std: float


PaperCell: TypeAlias = "str | int | float | MeanStd | None"
PaperRow: TypeAlias = "dict[str, PaperCell]"


@dataclass(frozen=True, slots=True)
class PaperCorpusRow:
    """How much text of an author the paper has, counted in tokens of which it does not say more."""

    side: str
    author: str
    segments: int
    mean_tokens: float
    min_tokens: int
    max_tokens: int
    std_tokens: float


@dataclass(frozen=True, slots=True)
class PaperAuthorPair:
    """How many references from one author to another the paper counts."""

    query_author: str
    source_author: str
    cit: int
    cf: int


@dataclass(frozen=True, slots=True)
class PaperFold:
    """The size of a fold's documents in the paper."""

    fold: int
    citing: int
    query_distractors: int
    cited: int
    source_distractors: int
    references: int


def paper_rows(table: str, *, file: Path | None = None) -> tuple[PaperRow, ...]:
    """Return the rows of one of the paper's tables.

    Parameters
    ----------
    table
        One of `PAPER_TABLES`.
    file
        A file to read instead of the one that is shipped, of the same layout. A table that it does
        not have is empty.

    Raises
    ------
    ParameterError
        If there is no such table.
    InputError
        If the file cannot be used.

    Examples
    --------
    >>> row = paper_rows("retrieval_baselines_pooled")[3]
    >>> row["model"], row["r10"]
    ('BM25 (surf. 1g)', MeanStd(mean=0.572, std=0.041))
    """
    if table not in PAPER_TABLES:
        raise ParameterError(
            f"the paper has no table {table!r}", hint=f"choose among {', '.join(PAPER_TABLES)}"
        )
    tables = _tables() if file is None else _tables_of(file)
    return tuple(dict(row) for row in tables.get(table, ()))


def paper_value(table: str, row: str | int, column: str, *, file: Path | None = None) -> PaperCell:
    """Return one figure of the paper: None where it prints none, or has no such row or column.

    See `paper_rows` for the parameters.

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
    """Return what we call an author, who may have a shorter name in the paper.

    Examples
    --------
    >>> paper_author("Valerius"), paper_author("Ovid")
    ('Valerius Flaccus', 'Ovid')
    """
    return _LONG_NAMES.get(author, author)


@lru_cache(maxsize=1)
def paper_corpus() -> tuple[PaperCorpusRow, ...]:
    """Return the paper's corpus table; the total of each side has an empty author.

    Examples
    --------
    >>> [row.segments for row in paper_corpus() if not row.author]
    [85254, 90546]
    """
    rows = []
    side = "query"
    for row in _tables()["corpus"]:
        total = row["author"] in _TOTALS
        rows.append(
            PaperCorpusRow(
                side=side,
                author="" if total else paper_author(_text(row["author"])),
                segments=_whole(row["segments"]),
                mean_tokens=_number(row["avg_tokens"]),
                min_tokens=_whole(row["min"]),
                max_tokens=_whole(row["max"]),
                std_tokens=_number(row["std"]),
            )
        )
        side = "source" if total else side  # the queries' total closes their part of the table
    return tuple(rows)


@lru_cache(maxsize=1)
def paper_author_pairs() -> tuple[PaperAuthorPair, ...]:
    """Return how many references the paper counts from each author to each.

    Examples
    --------
    >>> paper_author_pairs()[0]
    PaperAuthorPair(query_author='Jerome', source_author='Cicero', cit=91, cf=21)
    """
    return tuple(
        PaperAuthorPair(
            query_author=paper_author(_text(row["query"])),
            source_author=paper_author(_text(row["source"])),
            cit=_whole(row["cit_n"]),
            cf=_whole(row["cf_n"]),
        )
        for row in _tables()["author_pairs"]
        if row["query"] not in _TOTALS
    )


@lru_cache(maxsize=1)
def paper_folds() -> tuple[PaperFold, ...]:
    """Return the sizes of the paper's folds.

    Examples
    --------
    >>> paper_folds()[0].cited
    269
    """
    return tuple(
        PaperFold(
            fold=int(_text(row["fold"])),
            citing=_whole(row["citing"]),
            query_distractors=_whole(row["query_distractors"]),
            cited=_whole(row["cited"]),
            source_distractors=_whole(row["source_distractors"]),
            references=_whole(row["positive"]),
        )
        for row in _tables()["fold_sizes"]
        if row["fold"] not in _TOTALS
    )


@lru_cache(maxsize=1)
def _tables() -> dict[str, tuple[PaperRow, ...]]:
    path = resources.files("locisimiles.benchmark.report") / "data" / "paper.json"
    return _typed(json.loads(path.read_text(encoding="utf-8")))


@lru_cache(maxsize=1)
def _tables_of(path: Path) -> dict[str, tuple[PaperRow, ...]]:
    try:
        return _typed(read_json(path))
    except (AttributeError, KeyError, TypeError) as error:
        raise MalformedInputError(
            "this is no file of the paper's tables",
            file=str(path),
            hint="it must be a JSON object of lists of rows",
        ) from error


def _typed(tables: Any) -> dict[str, tuple[PaperRow, ...]]:  # noqa: ANN401 - JSON
    return {
        name: tuple({column: _cell(value) for column, value in row.items()} for row in rows)
        for name, rows in tables.items()
    }


def _cell(value: object) -> PaperCell:
    if isinstance(value, dict):
        return MeanStd(value["mean"], value["std"])
    if value is None or isinstance(value, str | int | float):
        return value
    raise TypeError(f"{value!r} is no figure")


def _text(value: PaperCell) -> str:
    return str(value)


def _number(value: PaperCell) -> float:
    if not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    return float(value)


def _whole(value: PaperCell) -> int:
    return int(_number(value))
