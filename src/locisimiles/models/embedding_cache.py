"""A cache of vectors, kept by the hash of each text.

Encoding the benchmark's 90,000 sources takes a small encoder about 20 minutes of a processor. So
each text is encoded once: its vectors are found again by everything they depend on, which are the
model's files, its settings, and the text. A text that is added to a library, or a work removed from
it, leaves the others as they are. An interrupted run resumes where it stopped; a damaged entry is
computed again.
"""

from __future__ import annotations

import json
import logging
import math
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from locisimiles.errors import OutputError
from locisimiles.files.caches import FOLDER_VARIABLE, cache_folder, cache_limit
from locisimiles.files.hashing import framed, sha256_of
from locisimiles.messages import Message
from locisimiles.models.cache_store import CacheStore

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from locisimiles.models.cache_store import CachedKind

__all__ = ["Arrays", "EmbeddingCache", "default_cache_folder"]

Arrays = dict[str, NDArray[np.generic]]

_FILE = "vectors.sqlite"
_FORMAT = 2
_KEY_BYTES = 16
_LENGTH_BYTES = 2
_KINDS = "biuf"  # of arrays: whole numbers, decimals, truth values
_BOUNDS = "bounds"
_log = logging.getLogger(__name__)


def default_cache_folder() -> Path:
    """Return the folder of vectors in the user's cache folder; see `cache_folder`."""
    return cache_folder("embeddings")


@dataclass(frozen=True, slots=True)
class EmbeddingCache:
    """A folder with the vectors of texts, created with the first; None caches nothing."""

    folder: str | os.PathLike[str] | None
    most_bytes: int = field(default_factory=cache_limit, compare=False)

    @property
    def store(self) -> CacheStore | None:
        """The file with all entries."""
        if self.folder is None:
            return None
        return CacheStore(Path(self.folder) / _FILE, self.most_bytes)

    @property
    def nbytes(self) -> int:
        """The size of all files in the folder, those of earlier versions included."""
        return sum(path.stat().st_size for path in self._files())

    def kinds(self) -> list[CachedKind]:
        """Return what the cache holds, the largest kind first."""
        return [] if self.store is None else self.store.kinds()

    def clear(self) -> None:
        """Delete everything, files of earlier versions too.

        Raises
        ------
        OutputError
            If a file cannot be deleted.
        """
        for path in self._files():
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise OutputError(
                    "files.unwritable", path=str(path), reason=error.strerror or str(error)
                ) from error

    def remove_unused_since(self, day: int) -> int:
        """Delete what was last used before a day, counted from 1 January 1970; return how much."""
        return 0 if self.store is None else self.store.remove_unused_since(day)

    def _files(self) -> list[Path]:
        folder = None if self.folder is None else Path(self.folder)
        if folder is None or not folder.is_dir():
            return []
        # Nothing but what versions of this cache have written.
        return sorted([*folder.glob(f"{_FILE}*"), *folder.glob("*.npz")])

    def get(
        self, settings: Mapping[str, object], texts: Sequence[str], compute: Callable[[], Arrays]
    ) -> Arrays:
        """Return the arrays that some texts have together, from the cache or computed.

        `settings` are all that the arrays depend on besides the texts; they must fit into JSON. A
        folder that cannot be written is told in the log.
        """
        store = self.store
        if store is None:
            return compute()
        kind, key = _kind(settings), bytes.fromhex(sha256_of(framed(texts)))
        found = _unpacked(store.find(kind, [key]).get(key))
        if found is None:
            found = compute()
            _put(store, kind, {key: _packed(found)})
        return found

    def blocks(
        self,
        settings: Mapping[str, object],
        texts: Sequence[str],
        size: int,
        compute: Callable[[Sequence[str]], Arrays],
        report: Callable[[int, int], None],
    ) -> Iterator[Arrays]:
        """Yield the arrays of `size` texts at a time, reporting done and total.

        Only texts that are not in the cache are computed. An array has a row per text; but if there
        are ``bounds``, text ``i`` has the rows from ``bounds[i]`` to ``bounds[i + 1]``.

        A folder that cannot be written is told in the log.
        """
        store, kind = self.store, _kind(settings)
        for begin in range(0, len(texts), size):
            report(begin, len(texts))
            block = texts[begin : begin + size]
            yield compute(block) if store is None else _cached(store, kind, block, compute)
        report(len(texts), len(texts))


def _cached(
    store: CacheStore, kind: str, texts: Sequence[str], compute: Callable[[Sequence[str]], Arrays]
) -> Arrays:
    """Return the arrays of texts, computing those that the store does not have."""
    keys = {text: _key(text) for text in texts}
    stored = store.find(kind, list(keys.values()))
    known = {text: _unpacked(stored.get(key)) for text, key in keys.items()}
    shapes = {_shape(arrays) for arrays in known.values() if arrays is not None}
    if len(shapes) > 1:
        known, shapes = dict.fromkeys(known), set()  # nobody knows which of them is wrong
    missing = [text for text, arrays in known.items() if arrays is None]
    if missing:
        parts = _split(compute(missing), len(missing))
        if shapes - {_shape(parts[0])}:
            missing = list(known)
            parts = _split(compute(missing), len(missing))
        known |= zip(missing, parts, strict=True)
        _put(
            store,
            kind,
            {keys[text]: _packed(part) for text, part in zip(missing, parts, strict=True)},
        )
    return _joined([arrays for text in texts if (arrays := known[text]) is not None])


def _put(store: CacheStore, kind: str, contents: Mapping[bytes, bytes]) -> None:
    """Write entries; a cache that cannot be written is told, but does not end a search."""
    try:
        store.put(kind, contents)
    except OutputError as error:
        _tell(str(store.path.parent), str(error.message.values["reason"]))


@lru_cache(maxsize=100)  # once is enough
def _tell(folder: str, reason: str) -> None:
    told = Message(
        "models.cache_not_writable",
        {"folder": folder, "reason": reason, "variable": FOLDER_VARIABLE},
    )
    _log.warning("%s", told)


def _shape(arrays: Arrays) -> tuple[object, ...]:
    """Return what the arrays of all texts have in common: names, types and shapes of rows.

    Arrays that are not those of one text have a shape of their own.
    """
    rows = int(arrays[_BOUNDS][0]) if _BOUNDS in arrays and arrays[_BOUNDS].shape == (1,) else 1
    fit = all(len(column) == rows for name, column in arrays.items() if name != _BOUNDS)
    columns = [(name, column.dtype.str, column.shape[1:]) for name, column in arrays.items()]
    return (*sorted(columns), fit)


def _split(arrays: Arrays, texts: int) -> list[Arrays]:
    """Return the arrays of each text."""
    bounds = arrays[_BOUNDS].tolist() if _BOUNDS in arrays else range(texts + 1)
    return [
        {name: column[begin:end] for name, column in arrays.items() if name != _BOUNDS}
        | ({_BOUNDS: np.array([end - begin])} if _BOUNDS in arrays else {})
        for begin, end in pairwise(bounds)
    ]


def _joined(parts: Sequence[Arrays]) -> Arrays:
    """Return the arrays of texts together; the counterpart of `_split`."""
    found: Arrays = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    if _BOUNDS in found:
        found[_BOUNDS] = np.concatenate([[0], np.cumsum(found[_BOUNDS])]).astype(np.int64)
    return found


def _packed(arrays: Arrays) -> bytes:
    """Return arrays as bytes: a header with names, types and shapes, then their contents."""
    columns = {name: np.ascontiguousarray(column) for name, column in sorted(arrays.items())}
    header = json.dumps([[name, c.dtype.str, c.shape] for name, c in columns.items()]).encode()
    length = len(header).to_bytes(_LENGTH_BYTES, "little")
    return b"".join([length, header, *(column.tobytes() for column in columns.values())])


def _unpacked(content: bytes | None) -> Arrays | None:
    """Return arrays that `_packed` packed; None if there are none, or the bytes are no arrays."""
    if content is None:
        return None
    place = _LENGTH_BYTES + int.from_bytes(content[:_LENGTH_BYTES], "little")
    try:
        columns = _header(content[_LENGTH_BYTES:place])
        arrays: Arrays = {}
        for name, kind, shape in columns:
            count = math.prod(shape)
            arrays[name] = np.frombuffer(content, kind, count, place).reshape(shape)
            place += count * kind.itemsize
    except (ValueError, TypeError, KeyError):
        return None
    return arrays if arrays and place == len(content) else None


@lru_cache(maxsize=4096)  # texts of equal length have equal headers
def _header(content: bytes) -> list[tuple[str, np.dtype[np.generic], tuple[int, ...]]]:
    columns = [(name, np.dtype(kind), tuple(shape)) for name, kind, shape in json.loads(content)]
    if any(kind.kind not in _KINDS for _, kind, _ in columns):
        raise ValueError("no numbers")
    return columns


def _kind(settings: Mapping[str, object]) -> str:
    return json.dumps({"format": _FORMAT, **settings}, sort_keys=True, ensure_ascii=True)


def _key(text: str) -> bytes:
    # Strings made in Python may hold lone surrogates.
    return sha256(text.encode("utf-8", "surrogatepass")).digest()[:_KEY_BYTES]
