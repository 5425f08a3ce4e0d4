"""Results as data frames, with the columns of the files we write."""

from __future__ import annotations

import json
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.checks import check_choice
from locisimiles.errors import MissingDependencyError, ParameterError
from locisimiles.installation import install_command
from locisimiles.results.columns import (
    PARALLEL_COLUMN,
    column_names,
    parallel_ids,
    result_rows,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from locisimiles.corpus import Document
    from locisimiles.results.base import ResultColumns

__all__ = ["arrow_table", "import_library", "pandas_frame", "polars_frame"]

_MANIFEST = "locisimiles.manifest"


def pandas_frame(results: ResultColumns, columns: Sequence[str] | None) -> Any:  # noqa: ANN401
    """Return a pandas data frame; its ``attrs`` hold the manifest."""
    pandas = import_library("pandas")
    frame = pandas.DataFrame(frame_columns(results, columns))
    frame.attrs["manifest"] = dict(results.manifest)
    return frame


def polars_frame(results: ResultColumns, columns: Sequence[str] | None) -> Any:  # noqa: ANN401
    """Return a Polars data frame."""
    polars = import_library("polars")
    found = frame_columns(results, columns)
    texts = {name: polars.String for name, cells in found.items() if isinstance(cells, list)}
    return polars.DataFrame(found, schema_overrides=texts)


def arrow_table(results: ResultColumns, columns: Sequence[str] | None) -> Any:  # noqa: ANN401
    """Return an Arrow table; its metadata hold the manifest."""
    arrow = import_library("pyarrow")
    made = {
        name: arrow.array(cells, arrow.string() if isinstance(cells, list) else None)
        for name, cells in frame_columns(results, columns).items()
    }
    manifest = json.dumps(dict(results.manifest), ensure_ascii=False)
    return arrow.table(made).replace_schema_metadata({_MANIFEST: manifest})


def frame_columns(
    results: ResultColumns, columns: Sequence[str] | None = None
) -> Mapping[str, list[str] | np.ndarray[Any, Any]]:
    """Return the cells by column: lists of texts, arrays of numbers.

    Examples
    --------
    >>> from locisimiles import BM25, Pipeline, load_example_query, load_example_source
    >>> results = Pipeline(BM25()).run(load_example_query(), load_example_source())
    >>> frame_columns(results, ["rank"])["rank"][:3].tolist()
    [1, 2, 3]
    """
    known = column_names(results)
    if isinstance(columns, str):
        raise ParameterError("results.columns", value=columns)
    for name in columns or ():
        check_choice(known, column=name)
    names = list(known if columns is None else columns)
    quick = _quick_columns(results)
    slow = [name for name in names if name not in quick]
    found: dict[str, Any] = {name: quick[name]() for name in names if name in quick}
    if slow:
        rows = list(result_rows(results))
        found |= {name: [row[name] for row in rows] for name in slow}
    return {name: found[name] for name in names}


def _quick_columns(
    results: ResultColumns,
) -> dict[str, Callable[[], list[str] | np.ndarray[Any, Any]]]:
    """Return how to make the columns that need no comparison of texts."""
    quick: dict[str, Callable[[], Any]] = {
        "rank": lambda: results.rank,
        "score": lambda: results.candidates.score.astype(np.float64),
    }
    judged = results.probabilities
    if judged is not None:
        values = judged.astype(np.float64)
        quick |= {
            "probability": lambda: values[:, 1] + values[:, 2],
            "probability_cit": lambda: values[:, 1],
            "probability_cf": lambda: values[:, 2],
        }
    quick[PARALLEL_COLUMN] = partial(parallel_ids, results)
    for side in ("query", "source"):
        document = getattr(results, side)
        rows = getattr(results.candidates, side)
        for name, attribute in _SEGMENT.items():
            quick[f"{side}_{name}"] = partial(_taken, document, attribute, rows)
    quick |= {name: partial(list, cells) for name, cells in results.further.items()} | quick
    return quick


_SEGMENT = {"id": "ids", "author": "authors", "work": "works", "locus": "loci", "text": "texts"}


def _taken(document: Document, attribute: str, rows: np.ndarray[Any, Any]) -> list[str]:
    cells: Sequence[str] = getattr(document, attribute)
    return [cells[row] for row in rows.tolist()]


def import_library(name: str) -> Any:  # noqa: ANN401
    """Import a library of data frames, or say how to install it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingDependencyError(
            "results.needs_library", name=name, install=install_command(library=name)
        ) from error
