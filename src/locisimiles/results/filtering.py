"""Which results meet conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import (
    check_at_least,
    check_between,
    check_choice,
    check_number,
)
from locisimiles.errors import ParameterError
from locisimiles.results.judgements import ACCEPTED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from locisimiles.results.base import ResultColumns

__all__ = ["matching_rows"]


def matching_rows(
    results: ResultColumns,
    *,
    probability: float | None,
    score: float | None,
    rank: int | None,
    kind: str | Iterable[str] | None,
    query: str | Iterable[str] | None,
    **names: str | Iterable[str] | None,
) -> list[int]:
    """Return the rows of the results that meet all conditions; see `Results.filter`.

    `names` are conditions such as ``source_author``: a side and a column of its document.
    """
    check_at_least(1, rank=rank)
    check_between(0, 1, probability=probability)
    check_number(score=score)
    kept = np.ones(len(results), bool)
    if probability is not None:
        kept &= _reference_probability(results) >= probability
    if score is not None:
        if np.isnan(score):
            raise ParameterError("checks.not_a_number", name="score", value="nan")
        kept &= results.candidates.score >= score
    if rank is not None:
        kept &= results.rank <= rank
    if kind is not None:
        kept &= np.isin(_kinds(results), [_kind(one) for one in _several("kind", kind)])
    if query is not None:
        wanted = {results.query.index(name) for name in _several("query", query)}
        kept &= np.isin(results.candidates.query, list(wanted))
    for name, value in names.items():
        if value is not None:
            kept &= _named(results, name, _several(name, value))
    rows: list[int] = np.flatnonzero(kept).tolist()
    return rows


def _several(name: str, value: str | Iterable[str]) -> list[str]:
    listed = [value] if isinstance(value, str) else list(value) if np.iterable(value) else [value]
    if not all(isinstance(one, str) for one in listed):
        raise ParameterError("results.not_names", name=name, value=type(value).__name__)
    return listed


def _reference_probability(results: ResultColumns) -> NDArray[np.float32]:
    if results.probabilities is None:
        raise ParameterError("results.not_judged")
    return results.probabilities[:, 1] + results.probabilities[:, 2]


def _kind(kind: str) -> str:
    dotted = f"{kind.rstrip('.')}."
    check_choice(ACCEPTED, kind=dotted)
    return dotted


def _kinds(results: ResultColumns) -> NDArray[np.str_]:
    if results.probabilities is None and results.judgements is None:
        raise ParameterError("results.not_judged")
    return np.array([reference.kind for reference in results], dtype="U4")


def _named(results: ResultColumns, name: str, wanted: Sequence[str]) -> NDArray[np.bool_]:
    """Tell of each pair whether its author or work has one of the wanted names."""
    side, _, column = name.partition("_")
    document = results.query if side == "query" else results.source
    rows = results.candidates.query if side == "query" else results.candidates.source
    cells = document.authors if column == "author" else document.works
    known = dict.fromkeys(cells)
    spelled = {one.casefold() for one in known}
    for one in wanted:
        if one.casefold() not in spelled:
            check_choice([cell for cell in known if cell], **{name: one})
    chosen = {one.casefold() for one in wanted}
    accepted = {cell for cell in known if cell.casefold() in chosen}
    return np.array([cells[row] in accepted for row in rows.tolist()], bool)
