"""Pairs that a job found, as a search of a project that has the same texts.

The file of results is copied, never referred to: a project names no files outside its own folder.
"""

from __future__ import annotations

import json
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from locisimiles.app.projects.project import SIDES
from locisimiles.app.search.status import checked_name
from locisimiles.app.storage.pairs.opened import pairs_path
from locisimiles.app.storage.pairs.writing import Segments, write_pairs
from locisimiles.app.storage.tables.searches import (
    add_imported,
    find_imported,
    pairs_files,
)
from locisimiles.classify.selection import Expectation
from locisimiles.errors import ParameterError
from locisimiles.files.confined import confined
from locisimiles.files.hashing import file_sha256, framed, sha256_of
from locisimiles.files.limits import Limits
from locisimiles.files.parquet_columns import read_metadata
from locisimiles.files.writing import make_folder
from locisimiles.progress import silent
from locisimiles.results.columns import MANIFEST_KEY

if TYPE_CHECKING:
    from pathlib import Path

    from locisimiles.app.projects.project import Project
    from locisimiles.progress import Progress

__all__ = ["NotedProgress", "forget_pairs", "import_pairs"]

_LIMITS = Limits(memory=3 * 10**9, seconds=900)
_NAME = 32
_LONGEST_MANIFEST = 1_000_000


def import_pairs(
    project: Project,
    file: Path,
    *,
    name: str = "",
    received: bool = False,
    progress: Progress = silent,
) -> int:
    """Make the pairs of a Parquet file a search of a project; return its number.

    Parameters
    ----------
    project
        The project. Its texts as they are now must have all segments of the pairs, by their ids.
    file
        Results, such as ``locisimiles job merge --compact`` writes them; they are copied.
    name
        The name of the search.
    received
        Whether the file came from somebody else, so that another process should read it.
    progress
        Called to report progress; it must be picklable if the file was `received`.

    Raises
    ------
    InputError
        If the file is damaged or of other texts, or has too many pairs.
    ParameterError
        If a side has no texts, or a search is running.
    OutputError
        If the copy cannot be written.
    """
    sides, fingerprints = _texts(project)
    given = sha256_of(framed([file_sha256(file), *fingerprints]))[:_NAME]
    path = pairs_path(project.database, given)
    make_folder(path.parent)
    forget_pairs(project, kept=path)
    reading: Any = partial(confined, limits=_LIMITS, file=file.name) if received else _here
    manifest = reading(_manifest, file)
    pairs = reading(write_pairs, file, path, sides, progress)
    with project.database.writing() as connection:
        known = find_imported(connection, given)
        if known is not None:
            return known
        for side, fingerprint in zip(SIDES, fingerprints, strict=True):
            if project.texts.fingerprint(side) != fingerprint:
                raise ParameterError("app.results_changed")
        queries = len(sides["query"].id)
        return add_imported(connection, given, pairs, checked_name(name), manifest, queries)


class NotedProgress:
    """Notes in a file how far work in another process is.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> folder = tempfile.TemporaryDirectory()
    >>> noted = NotedProgress(Path(folder.name) / "progress")
    >>> noted("ordering pairs", 1, 10)
    >>> noted.read(), NotedProgress(Path(folder.name) / "other").read()
    (('ordering pairs', 1, 10), None)
    >>> folder.cleanup()
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def __call__(self, task: str, done: int, total: int) -> None:
        """Note what is done."""
        with suppress(OSError):  # progress is not shown, but the import continues
            self._path.write_text(json.dumps([task, done, total]), encoding="utf-8")

    def read(self) -> tuple[str, int, int] | None:
        """Return the last note; None if there is none."""
        try:
            task, done, total = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return task, done, total


def _here(work: Any, *arguments: Any) -> Any:  # noqa: ANN401 - any function
    return work(*arguments)


def _texts(project: Project) -> tuple[dict[str, Segments], list[str]]:
    sides: dict[str, Segments] = {}
    fingerprints = []
    for side in SIDES:
        rows = project.texts.whole_segments(side)
        if not rows:
            raise ParameterError("app.no_query_text" if side == "query" else "app.no_source_text")
        sides[side] = Segments(*([row[name] for row in rows] for name in Segments._fields))
        fingerprints.append(project.texts.fingerprint(side))
    return sides, fingerprints


def _manifest(file: Path) -> str:
    """Return what the file says of its search, without what is not what it should be."""
    try:
        text = read_metadata(file).get(MANIFEST_KEY, "{}")
        known = json.loads(text) if len(text) <= _LONGEST_MANIFEST else {}
    except ValueError:
        known = {}
    if not isinstance(known, dict):
        return "{}"
    references = known.pop("references", None)
    with suppress(TypeError, AttributeError):
        expected = {name: float(value) for name, value in references.items()}
        expected["pairs"] = int(expected["pairs"])
        known["references"] = Expectation(**expected).as_dict()  # type: ignore[arg-type]
    known.pop("base_rate", None)  # its kinds are looked up by author
    return json.dumps(known)


def forget_pairs(project: Project, *, kept: Path | None = None) -> None:
    """Delete the files of pairs that no search needs."""
    with project.database.reading() as connection:
        needed = pairs_files(connection)
    for path in project.database.pairs_folder.glob("*.pairs"):
        if path.stem not in needed and path != kept:
            with suppress(OSError):
                path.unlink()
