"""Which suffix means which format of an apparatus."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from locisimiles.export.apparatus.building import build_apparatus
from locisimiles.files.writing import atomic_binary, check_file

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from locisimiles.results import Results

__all__ = ["APPARATUS_SUFFIXES", "write_apparatus"]

_MODULES = {".docx": "docx", ".tex": "latex", ".html": "html", ".xml": "tei"}

APPARATUS_SUFFIXES = tuple(_MODULES)
"""The suffixes that `write_apparatus` understands."""


def write_apparatus(
    results: Results,
    path: str | os.PathLike[str],
    *,
    text: bool = True,
    language: str = "en",
    overwrite: bool = False,
) -> Path:
    """Write the accepted references as an *apparatus fontium*; return the written file.

    Parameters
    ----------
    results
        Judged results. A pair is accepted if the verdict of its readers is ``cit.`` or ``cf.``.
    path
        The file. Its suffix is ``.docx`` (Word), ``.tex`` (LaTeX with reledmac), ``.html`` (to
        print) or ``.xml`` (TEI).
    text
        Print the whole text with its apparatus, not the apparatus alone.
    language
        The language of headings: ``en``, ``de``, ``it`` or ``fr``.
    overwrite
        Replace an existing file.

    Raises
    ------
    InputError
        If no reference was accepted.
    OutputError
        If the suffix is unknown, the file exists, or cannot be written.

    Examples
    --------
    >>> from locisimiles import read_results
    >>> results = read_results("judged.csv")  # doctest: +SKIP
    >>> write_apparatus(results, "fontes.docx")  # doctest: +SKIP
    """
    path = check_file(
        path, suffixes=APPARATUS_SUFFIXES, overwrite=overwrite, companions=lambda _: ()
    )
    apparatus = build_apparatus(results, text=text)
    # Formats are imported when needed, as lxml is slow to import.
    module = import_module(f"locisimiles.export.apparatus.{_MODULES[path.suffix.lower()]}")
    with atomic_binary(path) as stream:
        module.write(apparatus, stream, text=text, language=language)
    return path
