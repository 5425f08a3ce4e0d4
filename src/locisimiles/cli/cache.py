"""``locisimiles cache``."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime
from typing import Annotated

import typer

from locisimiles.cli.console import say
from locisimiles.cli.tables import print_table
from locisimiles.models.embedding_cache import EmbeddingCache, cache_limit, default_cache_folder

__all__ = ["cache"]

cache = typer.Typer(
    help="Show and clear the cache of vectors, which searches fill.", no_args_is_help=True
)

_DAY_S = 86_400


@cache.command()
def info() -> None:
    """Show where the cache is, how large it is, and what it holds.

    Vectors are kept by the text they belong to. If they need more than LOCISIMILES_CACHE_SIZE
    (5 GB), those that have not been used for longest are removed.

    Examples:

    - `locisimiles cache info`
    """
    shelf = EmbeddingCache(default_cache_folder())
    rows = []
    for kind in shelf.kinds():
        settings = json.loads(kind.settings)
        used = datetime.fromtimestamp(kind.last_used * _DAY_S, UTC).date().isoformat()
        what = str(settings.get("what", ""))
        rows.append(
            [what, str(settings.get("model", "")), f"{kind.entries:,}", _size(kind.nbytes), used]
        )
    print_table(["vectors", "encoder", "entries", "size", "last used"], rows)
    say(f"{_size(shelf.nbytes)} of at most {_size(cache_limit())} in {default_cache_folder()}")


@cache.command()
def clear(
    unused_for: Annotated[
        int | None,
        typer.Option(
            "--unused-for", metavar="DAYS", min=1, help="Only what was not used for so many days."
        ),
    ] = None,
) -> None:
    """Delete cached vectors. They are computed again when they are needed.

    Examples:

    - `locisimiles cache clear`

    - `locisimiles cache clear --unused-for 90`
    """
    shelf = EmbeddingCache(default_cache_folder())
    before = shelf.nbytes
    if unused_for is None:
        shelf.clear()
    else:
        shelf.remove_unused_since(int(time.time() // _DAY_S) - unused_for)
    say(f"freed {_size(before - shelf.nbytes)} in {default_cache_folder()}")


def _size(nbytes: int) -> str:
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if nbytes >= size:
            return f"{nbytes / size:.1f} {unit}"
    return f"{nbytes} bytes"
