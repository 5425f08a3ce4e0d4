"""The scores, ranks and probabilities of a table of pairs, ours or others'."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import MalformedInputError
from locisimiles.results.columns import (
    ADDRESS_COLUMNS,
    ALIGNED_COLUMN,
    COLUMNS,
    EXPLAINED_COLUMN,
    JUDGED_COLUMNS,
    MACHINE_COLUMN,
    PARALLEL_COLUMN,
    PASSAGE_COLUMN,
)
from locisimiles.results.reader_cells import JUDGEMENT_COLUMNS, are_judged

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.export.tables import PairTable
    from locisimiles.files.text_columns import TextColumn

    Probabilities = tuple[float, float, float]

__all__ = ["BY_LABEL", "ParsedPairs", "parse_pairs"]

# The columns of scores in our files and in others', in order of preference.
_SCORES = (
    "score",
    "judgment_score",
    "probability",
    "similarity",
    "candidate_score",
    "above_threshold",
)
BY_LABEL = "class_probabilities"
"""What others call a column with the probability of each type."""
_ROUNDING = 2e-4
_LARGEST = float(np.finfo(np.float32).max)
_YES_OR_NO = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_OURS = frozenset(
    [*COLUMNS, EXPLAINED_COLUMN, ALIGNED_COLUMN, PARALLEL_COLUMN, PASSAGE_COLUMN, *ADDRESS_COLUMNS]
)


@dataclass(frozen=True, slots=True)
class ParsedPairs:
    """What the rows say of their pairs, in the order of the rows.

    Attributes
    ----------
    query, source
        The positions of the segments.
    score, rank
        As the rows have them; without ranks, the highest score is first.
    judged
        Probabilities of no reference, of ``cit.`` and of ``cf.``; None if a row lacks them.
    further
        The names of other columns, which are kept and written again.
    """

    query: NDArray[np.int32]
    source: NDArray[np.int32]
    score: NDArray[np.float32]
    rank: NDArray[np.float64]
    judged: NDArray[np.float64] | None
    further: tuple[str, ...]


def parse_pairs(
    table: PairTable,
    rows: NDArray[np.int64],
    query: NDArray[np.int32],
    source: NDArray[np.int32],
) -> ParsedPairs:
    """Parse the rows of pairs, whose segments are known; raise an InputError that names a row."""
    _check_once(table, rows, query, source)
    names = table.columns
    name = table.require(_SCORES) if table.numbers else ""
    score = _numbers(table, name, rows) if name else np.empty(0)
    rank = _numbers(table, "rank", rows) if "rank" in names else -score
    typed = {"probability_cit", "probability_cf"} <= set(names)
    ours = _OURS | {name} | (set(JUDGED_COLUMNS) if typed else set())
    if are_judged(names):
        ours |= {"type", MACHINE_COLUMN, *JUDGEMENT_COLUMNS}
    judged = None
    if typed and len(rows):
        judged = _typed(table, rows)
    elif BY_LABEL in names and len(rows):
        judged = _labelled(table.cells[BY_LABEL].take(rows))
    further = tuple(name for name in names if name and name not in ours)
    return ParsedPairs(query, source, score.astype(np.float32), rank, judged, further)


def _check_once(
    table: PairTable, rows: NDArray[np.int64], query: NDArray[np.int32], source: NDArray[np.int32]
) -> None:
    pairs = query.astype(np.int64) << 32 | source
    if len(np.unique(pairs)) == len(pairs):
        return
    first: dict[int, int] = {}
    for row, pair in zip(rows.tolist(), pairs.tolist(), strict=True):
        before = first.setdefault(pair, row)
        if before != row:
            raise MalformedInputError(
                "export.pair_twice",
                first=str(table.numbers[before]),
                file=table.file,
                row=table.numbers[row],
            )


def _numbers(table: PairTable, column: str, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    cells = table.cells[column].take(rows)
    try:
        found = np.fromiter(map(float, cells), np.float64, len(rows))
    except ValueError:
        found = np.fromiter(map(_number, cells), np.float64, len(rows))
    wrong = ~(np.abs(found) <= _LARGEST)  # not a number, or none that we can keep
    if wrong.any():
        place = int(wrong.argmax())
        raise MalformedInputError(
            "export.no_number",
            value=cells[place].strip(),
            column=column,
            file=table.file,
            row=table.numbers[int(rows[place])],
        )
    return found


def _number(text: str) -> float:
    text = text.strip().lower()
    try:
        return _YES_OR_NO[text] if text in _YES_OR_NO else float(text)
    except ValueError:
        return math.nan


def _typed(table: PairTable, rows: NDArray[np.int64]) -> NDArray[np.float64]:
    cit, cf = (_numbers(table, f"probability_{kind}", rows) for kind in ("cit", "cf"))
    wrong = (np.minimum(cit, cf) < 0) | (cit + cf > 1 + _ROUNDING)
    if wrong.any():
        place = int(wrong.argmax())
        raise MalformedInputError(
            "export.no_probabilities",
            cit=f"{cit[place]:g}",
            cf=f"{cf[place]:g}",
            file=table.file,
            row=table.numbers[int(rows[place])],
        )
    return np.column_stack([np.maximum(0.0, 1 - cit - cf), cit, cf])


def _labelled(cells: TextColumn) -> NDArray[np.float64] | None:
    found = []
    for cell in cells:
        judged = _by_label(cell)
        if judged is None:
            return None
        found.append(judged)
    return np.array(found)


def _by_label(text: str) -> Probabilities | None:
    """Parse probabilities by label; None if there are none of cit. and cf."""
    try:
        by_label = {
            str(label).strip().lower().rstrip("."): float(value)
            for label, value in json.loads(text).items()
        }
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
    if not {"cit", "cf"} <= set(by_label) or not all(0 <= one <= 1 for one in by_label.values()):
        return None
    return max(0.0, 1 - by_label["cit"] - by_label["cf"]), by_label["cit"], by_label["cf"]
