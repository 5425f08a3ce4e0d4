"""What is known of a whole index and cannot be summed from its shards."""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.candidates import tie_order
from locisimiles.files.hashing import sha256_of
from locisimiles.index.columns import unpacked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.files.array_files import ArrayFile
    from locisimiles.index.manifest import PartEntry

__all__ = ["spread_sample", "total_arrays", "total_key"]

SAMPLE = 512
"""Texts of all lengths, from which the first stage learns what a text of some length matches."""
_KEY = 32


def total_key(parts: Sequence[PartEntry]) -> str:
    """Return the name of the file; `parts` are those of all shards in their order."""
    return sha256_of("\n".join(part.key for part in parts))[:_KEY]


def total_arrays(parts: Sequence[ArrayFile]) -> tuple[dict[str, NDArray[Any]], str]:
    """Return the arrays about all parts, in the order of shards, and the SHA-256 of the texts."""
    ids = [segment_id for part in parts for segment_id in unpacked(part, "ids")]
    arrays: dict[str, NDArray[Any]] = {"ties": tie_order(ids)}
    if parts and all("vectors" in part for part in parts):
        lengths = np.concatenate([np.diff(part.array("piece bounds")) for part in parts])
        texts = [text for part in parts for text in unpacked(part, "texts")]
        arrays["sample"] = spread_sample(texts, lengths)
    return arrays, sha256_of(map(_framed, parts))


def _framed(part: ArrayFile) -> bytes:
    """Return ids and texts as `Document.fingerprint` hashes them, in turn and with their lengths.

    They need not be decoded for that.
    """
    columns = []
    for name in ("ids", "texts"):
        content = part.array(name).tobytes()
        bounds = part.array(f"{name}.bounds").tolist()
        columns += [
            [(end - begin).to_bytes(8, "big") for begin, end in pairwise(bounds)],
            [content[begin:end] for begin, end in pairwise(bounds)],
        ]
    return b"".join(chain.from_iterable(zip(*columns, strict=True)))


def spread_sample(texts: Sequence[str], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return rows of texts of all lengths, whatever the order of the texts; equal ones count once.

    They are ordered as `locisimiles.models.batches.distinct_texts` orders them.

    Examples
    --------
    >>> spread_sample(["cano", "arma", "cano", ""], np.array([2, 1, 2, 0])).tolist()
    [1, 0]
    """
    rows: dict[str, int] = {}
    for row in np.flatnonzero(lengths).tolist():
        rows.setdefault(texts[row], row)
    if not rows:
        return np.empty(0, np.int64)
    first = np.fromiter(rows.values(), np.int64, len(rows))
    letters = np.fromiter(map(len, rows), np.int64, len(rows))
    order = np.lexsort((letters, lengths[first]))
    sizes = np.stack([lengths[first], letters], axis=1)[order]
    # Texts of the same size stand in the order of the alphabet; few need be compared for that.
    begins = np.flatnonzero(np.any(np.diff(sizes, axis=0, prepend=-1), axis=1))
    places = np.unique(np.linspace(0, len(first) - 1, SAMPLE).round().astype(int))
    group = np.searchsorted(begins, places, side="right") - 1
    ends = np.append(begins[1:], len(first))
    chosen: list[str] = []
    for number in np.unique(group).tolist():
        begin, end = int(begins[number]), int(ends[number])
        same = sorted(texts[at] for at in first[order[begin:end]].tolist())
        chosen += [same[place - begin] for place in places[group == number].tolist()]
    return np.array([rows[text] for text in sorted(sorted(chosen), key=len)], np.int64)
