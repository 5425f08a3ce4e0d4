"""The reference of the Python API: a page a package, with everything in its ``__all__``."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

_PACKAGES = (
    "locisimiles",
    "locisimiles.retrieve",
    "locisimiles.classify",
    "locisimiles.evidence",
    "locisimiles.networks",
    "locisimiles.export",
    "locisimiles.corpus",
    "locisimiles.latin",
    "locisimiles.benchmark",
    "locisimiles.compat",
    "locisimiles.errors",
)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages."""
    for package in _PACKAGES:
        page = f"reference/{package.rpartition('.')[2]}.md"
        files.append(File.generated(config, page, content="\n".join(_page(package))))
    return files


def _page(package: str) -> Iterator[str]:
    module = import_module(package)
    yield f"# {package}\n"
    yield f"{inspect.cleandoc(module.__doc__ or '').splitlines()[0]}\n"
    for name in sorted(module.__all__, key=str.lower):
        if package != "locisimiles.errors" and _is_error(getattr(module, name)):
            continue  # all errors are on a page of their own
        yield f"::: {package}.{name}\n"


def _is_error(one: object) -> bool:
    return isinstance(one, type) and issubclass(one, Exception)
