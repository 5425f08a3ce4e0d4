"""Let a script of the paper's package run as it is: ``import locisimiles.compat.unchanged`` first.

From then on, whatever your code imports from `locisimiles` is what the paper's package has under
that name. Both packages have a `locisimiles.pipeline`, so no other place can tell which of them is
meant: this module replaces Python's import for all code but our own. It is meant for trying out;
in a script that you keep, import from `locisimiles.compat` instead.
"""

from __future__ import annotations

import builtins
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["undo"]

_OURS, _THEIRS = "locisimiles", "locisimiles.compat"
_PARTS = {"datasets", "document", "evaluator", "ground_truth", "pipeline", "training"}
_import = builtins.__import__


def _redirected(
    name: str,
    globals: Mapping[str, object] | None = None,  # noqa: A002 - the names that Python uses
    locals: Mapping[str, object] | None = None,  # noqa: A002
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> Any:
    importer = str((globals or {}).get("__name__", ""))
    root, _, rest = name.partition(".")
    ours = importer == _OURS or importer.startswith(f"{_OURS}.")
    part = rest.partition(".")[0]
    if level or root != _OURS or ours or (part and part not in _PARTS):
        return _import(name, globals, locals, fromlist or (), level)
    if part == "training":
        rest = part  # it says of each name what to do instead
    module = import_module(f"{_THEIRS}.{rest}" if rest else _THEIRS)
    return module if fromlist else import_module(_THEIRS)


def undo() -> None:
    """Let imports mean what they say again."""
    builtins.__import__ = _import


builtins.__import__ = _redirected
