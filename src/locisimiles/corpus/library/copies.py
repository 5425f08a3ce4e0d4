"""A folder of copies of texts, for machines and institutions without internet."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.errors import DownloadError
from locisimiles.files.hashing import file_sha256

if TYPE_CHECKING:
    import os

    from locisimiles.corpus.library.catalogue import Edition

__all__ = ["LocalCopies"]


class LocalCopies:
    """The files below a folder, wherever in it; only exact copies are taken."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise DownloadError("corpus.no_mirror", folder=str(self.folder))

    def content(self, edition: Edition) -> bytes:
        """Return the bytes of a file that are those of the catalogue.

        Raises a DownloadError if the folder has no such file, or only in other versions.
        """
        copies = [path for path in self._named[edition.file_name] if path.is_file()]
        if not copies:
            name, folder = edition.file_name, str(self.folder)
            raise DownloadError("corpus.not_in_mirror", name=name, folder=folder)
        copy = next((path for path in copies if file_sha256(path) == edition.sha256), None)
        if copy is None:
            raise DownloadError("corpus.other_version", path=str(copies[0]))
        return copy.read_bytes()

    @cached_property
    def _named(self) -> dict[str, list[Path]]:
        named: dict[str, list[Path]] = defaultdict(list)
        for path in sorted(self.folder.rglob("*")):
            named[path.name].append(path)
        return named
