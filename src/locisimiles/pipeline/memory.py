"""How many query segments can be searched together in a given memory."""

from __future__ import annotations

import sys
from pathlib import Path

from locisimiles.pipeline.search import BLOCK

__all__ = ["LEAST_BLOCK", "MOST_BLOCK", "block_in_memory", "memory_in_use"]

LEAST_BLOCK, MOST_BLOCK = 8, 512
_BYTES_PER_QUERY = 1 << 20
_BYTES_PER_JUDGED = 3 << 10  # a pair: features, what a cross-encoder reads, its row in a table


def block_in_memory(memory: int, depth: int, *, in_use: int | None = None) -> int:
    """Return the size of blocks (see `Searcher.blocks`) whose search stays below a memory.

    Parameters
    ----------
    memory
        The memory that the process may use, in bytes.
    depth
        The number of candidates per query segment.
    in_use
        What it uses already, with the source prepared; by default what the system says.

    Examples
    --------
    >>> block_in_memory(2 * 10**9, 100, in_use=1_700_000_000)
    221
    >>> block_in_memory(10**9, 100, in_use=1_700_000_000)
    8
    """
    if in_use is None:
        in_use = memory_in_use()
    if in_use is None:
        return BLOCK
    room = (memory - in_use) // (_BYTES_PER_QUERY + depth * _BYTES_PER_JUDGED)
    return min(max(room, LEAST_BLOCK), MOST_BLOCK)


def memory_in_use() -> int | None:
    """Return the memory that this process holds, in bytes; None if the system does not say."""
    try:
        resident = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    except (OSError, IndexError):
        return _highest_memory()
    import resource

    return int(resident) * resource.getpagesize()


def _highest_memory() -> int | None:
    try:
        import resource
    except ImportError:  # Windows
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
