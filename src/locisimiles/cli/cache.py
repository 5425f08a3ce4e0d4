"""``locisimiles cache``."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from typing import Annotated

import typer

from locisimiles.cli.console import say
from locisimiles.cli.options import JsonOption  # noqa: TC001 - typer reads it
from locisimiles.cli.tables import print_table
from locisimiles.files.caches import cache_folder, cache_limit
from locisimiles.index.kept import KeptIndexes
from locisimiles.models.embedding_cache import EmbeddingCache, default_cache_folder

__all__ = ["cache"]

cache = typer.Typer(
    help="Show and clear the cache of vectors and indexes, which searches fill.",
    no_args_is_help=True,
)

_DAY_S = 86_400


@cache.command()
def info(as_json: JsonOption = False) -> None:
    """Show where the cache is, how large it is, and what it holds.

    Vectors are kept by the text they belong to, and an index for each choice of library texts. If
    one of the two needs more than LOCISIMILES_CACHE_SIZE (5 GB), what has not been used for longest
    is removed.

    Examples:

    - `locisimiles cache info`

    - `locisimiles cache info --json`
    """
    shelf, indexes = EmbeddingCache(default_cache_folder()), KeptIndexes()
    rows = []
    for kind in shelf.kinds():
        settings = json.loads(kind.settings)
        what, encoder = str(settings.get("what", "")), str(settings.get("model", ""))
        size, used = _size(kind.nbytes), _date(kind.last_used * _DAY_S)
        rows.append([what, encoder, f"{kind.entries:,}", size, used])
    for kept in indexes.all():
        what = f"index of {' '.join(kept.names)}"
        size, used = _size(kept.nbytes), _date(kept.last_used)
        rows.append([what, kept.encoder, f"{kept.segments:,}", size, used])
    header = ["vectors", "encoder", "entries", "size", "last used"]
    print_table(header, rows, as_json=as_json)
    limit = _size(cache_limit())
    say(f"vectors: {_size(shelf.nbytes)} of at most {limit} in {default_cache_folder()}")
    say(f"indexes: {_size(indexes.nbytes)} of at most {limit} in {indexes.folder}")


@cache.command()
def clear(
    unused_for: Annotated[
        int | None,
        typer.Option(
            "--unused-for", metavar="DAYS", min=1, help="Only what was not used for so many days."
        ),
    ] = None,
) -> None:
    """Delete cached vectors and indexes. They are made again when they are needed.

    Examples:

    - `locisimiles cache clear`

    - `locisimiles cache clear --unused-for 90`
    """
    shelf, indexes = EmbeddingCache(default_cache_folder()), KeptIndexes()
    before = shelf.nbytes + indexes.nbytes
    if unused_for is None:
        shelf.clear()
        indexes.remove()
    else:
        shelf.remove_unused_since(int(time.time() // _DAY_S) - unused_for)
        indexes.remove(unused_since=time.time() - unused_for * _DAY_S)
    say(f"freed {_size(before - shelf.nbytes - indexes.nbytes)} in {cache_folder('')}")


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def _size(nbytes: int) -> str:
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if nbytes >= size:
            return f"{nbytes / size:.1f} {unit}"
    return f"{nbytes} bytes"
