"""The results of a block in a Parquet file: columns of numbers, which say nothing of when or where.

Each file holds its block's id and the SHA-256 of its columns, so that one that is damaged, or was
put in the place of another, is told from one that is done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.candidates import Candidates
from locisimiles.errors import InputError, MalformedInputError
from locisimiles.files.hashing import sha256_of
from locisimiles.files.parquet_columns import read_columns, write_columns
from locisimiles.results import Probabilities

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from locisimiles.jobs.plan import Job

    Found = tuple[Candidates, NDArray[np.float32] | None]

__all__ = ["block_is_done", "read_block", "write_block"]

_PAIRS = {"query": np.int32, "source": np.int32, "rank": np.int32, "score": np.float32}
_JUDGED = Probabilities._fields


def write_block(
    job: Job, number: int, candidates: Candidates, judged: NDArray[np.float32] | None
) -> None:
    """Write what was found for a block, durably and whole or not at all."""
    columns: dict[str, NDArray[Any]] = {name: getattr(candidates, name) for name in _PAIRS}
    if judged is not None:
        columns |= dict(zip(_JUDGED, np.ascontiguousarray(judged.T), strict=True))
    metadata = {"block": job.blocks[number], "sha256": _sha256(columns)}
    write_columns(job.block_path(number), columns, metadata)


def read_block(job: Job, number: int) -> Found:
    """Return what was found for a block: candidates, and the probabilities of judged ones.

    Raises
    ------
    InputError
        If it is not done yet, or its file is damaged.
    """
    path = job.block_path(number)
    found = read_columns(path)
    columns, known = found.columns, found.metadata
    try:
        if known["block"] != job.blocks[number] or known["sha256"] != _sha256(columns):
            raise MalformedInputError("files.damaged", file=str(path))
        _check(columns, *job.rows(number))
        candidates = Candidates(columns["query"], columns["source"], columns["score"])
        if not set(_JUDGED) <= set(columns):
            return candidates, None
        judged = _probabilities(columns)
    except (KeyError, TypeError, ValueError) as error:
        raise MalformedInputError("files.damaged", file=str(path)) from error
    return candidates, judged


def _probabilities(columns: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
    judged = np.stack([columns[name] for name in _JUDGED], axis=1)
    if judged.dtype != np.float32 or not ((judged >= 0) & (judged <= 1)).all():
        raise ValueError("no probabilities")
    return judged


def _check(columns: Mapping[str, NDArray[Any]], begin: int, end: int) -> None:
    """Raise a ValueError if columns are not those of a block; anyone may have made them."""
    if any(columns[name].dtype != kind for name, kind in _PAIRS.items()):
        raise ValueError("another type")
    query, source, score = (columns[name] for name in ("query", "source", "score"))
    if any(np.ma.is_masked(columns[name]) for name in _PAIRS) or not np.isfinite(score).all():
        raise ValueError("no value")
    if not len(query):
        return
    if query[0] < begin or query[-1] >= end or source.min() < 0 or (np.diff(query) < 0).any():
        raise ValueError("no segment of the block")
    if (np.diff(score)[np.diff(query) == 0] > 0).any():
        raise ValueError("another order")


def block_is_done(job: Job, number: int) -> bool:
    """Tell whether a block is done: its file is read to the end."""
    try:
        read_block(job, number)
    except InputError:
        return False
    return True


def _sha256(columns: Mapping[str, NDArray[Any]]) -> str:
    parts: list[str | bytes] = []
    for name, column in columns.items():
        little = column.astype(column.dtype.newbyteorder("<"), copy=False)
        parts += [f"{name} {little.dtype.str} {len(little)}\n", little.tobytes()]
    return sha256_of(parts)
