"""What is known of a whole index and cannot be summed from its shards."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.candidates import tie_order
from locisimiles.files.hashing import framed, sha256_of
from locisimiles.index.columns import unpacked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.files.array_files import ArrayFile
    from locisimiles.index.manifest import PartEntry

__all__ = ["duplicate_id", "spread_sample", "total_arrays", "total_key"]

SAMPLE = 512
"""Texts of all lengths, from which the first stage learns what a text of some length matches."""
_KEY = 32


def total_key(parts: Sequence[PartEntry]) -> str:
    """Return the name of the file; `parts` are those of all shards in their order."""
    return sha256_of("\n".join(part.key for part in parts))[:_KEY]


def total_arrays(parts: Sequence[ArrayFile]) -> tuple[dict[str, NDArray[Any]], str]:
    """Return the arrays about all parts, in the order of shards, and the SHA-256 of the texts."""
    ids = [segment_id for part in parts for segment_id in unpacked(part, "ids")]
    texts = [text for part in parts for text in unpacked(part, "texts")]
    arrays: dict[str, NDArray[Any]] = {"ties": tie_order(ids)}
    if parts and all("vectors" in part for part in parts):
        lengths = np.concatenate([np.diff(part.array("piece bounds")) for part in parts])
        arrays["sample"] = spread_sample(texts, lengths)
    sha256 = sha256_of(framed(chain.from_iterable(zip(ids, texts, strict=True))))
    return arrays, sha256


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
    ordered = sorted(rows.items(), key=lambda item: (lengths[item[1]], len(item[0]), item[0]))
    if not ordered:
        return np.empty(0, np.int64)
    places = np.unique(np.linspace(0, len(ordered) - 1, SAMPLE).round().astype(int))
    chosen = sorted((ordered[place] for place in places.tolist()), key=lambda i: (len(i[0]), i[0]))
    return np.array([row for _, row in chosen], np.int64)


def duplicate_id(parts: Sequence[ArrayFile]) -> str | None:
    """Return an id that two segments have, or None."""
    seen: set[str] = set()
    for part in parts:
        own = unpacked(part, "ids")
        twice = seen.intersection(own)
        if twice:
            return min(twice)
        seen.update(own)
    return None
