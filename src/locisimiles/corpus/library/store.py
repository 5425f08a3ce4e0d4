"""The texts on this machine: where they are kept, what is there, how more is added."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.corpus.library.catalogue import SOURCES, Catalogue
from locisimiles.corpus.library.download import fetch
from locisimiles.errors import (
    DownloadError,
    InputError,
    TextNotInstalledError,
    UnknownTextError,
)
from locisimiles.progress import silent

if TYPE_CHECKING:
    from locisimiles.corpus.library.catalogue import Edition, Text
    from locisimiles.progress import Progress

__all__ = ["Library", "installed_files"]

_FOLDER_VARIABLE = "LOCISIMILES_DATA"
_MIRROR_VARIABLE = "LOCISIMILES_MIRROR"


class Library:
    """The public texts kept on this machine.

    Parameters
    ----------
    root
        Where they are kept. By default the user's data folder, or what the environment variable
        ``LOCISIMILES_DATA`` names.
    catalogue
        What texts there are. By default the catalogue shipped with the package.

    Examples
    --------
    >>> library = Library("/nonexistent")
    >>> library.is_installed(library.catalogue.find("lucan")[0])
    False
    """

    def __init__(
        self, root: str | os.PathLike[str] | None = None, catalogue: Catalogue | None = None
    ) -> None:
        self.root = Path(root) if root is not None else _default_root()
        self.catalogue = catalogue or Catalogue.shipped()

    def path_of(self, edition: Edition) -> Path:
        """Return where a file is kept, whether it is there or not."""
        return self.root / edition.source / edition.file_name

    def is_installed(self, text: Text) -> bool:
        """Tell whether all files of a text are here."""
        return all(self._has(edition) for edition in text.files)

    def add(
        self,
        name: str,
        *,
        mirror: str | os.PathLike[str] | None = None,
        progress: Progress = silent,
    ) -> list[Text]:
        """Bring the texts a name stands for onto this machine.

        What is here already is left alone. A file takes its place only when it is complete and
        its SHA-256 is the catalogue's.

        Parameters
        ----------
        name
            Author, work or edition, as in `Catalogue.find`.
        mirror
            A folder with copies of the files, taken instead of the network.
        progress
            Called with the file's name, the bytes that are here, and the bytes in all.

        Returns
        -------
        list of Text
            The texts of that name, now all here.

        Raises
        ------
        UnknownTextError
            If there is no such text.
        DownloadError
            If a file cannot be had, or is not the one the catalogue describes.
        """
        texts = self.catalogue.find(name)
        for text in texts:
            for edition in text.files:
                if self._has(edition):
                    continue
                if mirror is not None:
                    self._copy(edition, Path(mirror))
                else:
                    self._download(edition, progress)
        return texts

    def files(self, name: str) -> list[Path]:
        """Return the files of the texts a name stands for.

        Raises
        ------
        UnknownTextError
            If there is no such text.
        TextNotInstalledError
            If some of them are not on this machine.
        """
        texts = self.catalogue.find(name)
        missing = [text.work.name for text in texts if not self.is_installed(text)]
        if missing:
            some = ", ".join(missing[:3]) + (" …" if len(missing) > 3 else "")  # noqa: PLR2004
            raise TextNotInstalledError(
                f"{len(missing)} of the texts called {name!r} are not on this machine yet ({some})",
                hint=f"fetch them with 'locisimiles library add {name}'",
            )
        return [self.path_of(edition) for text in texts for edition in text.files]

    def _has(self, edition: Edition) -> bool:
        path = self.path_of(edition)
        return path.is_file() and path.stat().st_size == edition.size

    def _download(self, edition: Edition, progress: Progress) -> None:
        address = _address(edition)
        if not address:
            raise DownloadError(
                f"{edition.file_name} cannot be fetched from {SOURCES[edition.source].title}",
                hint="take it from a local copy with --from FOLDER",
            )
        fetch(
            address,
            self.path_of(edition),
            size=edition.size,
            sha256=edition.sha256,
            progress=progress,
        )

    def _copy(self, edition: Edition, mirror: Path) -> None:
        if not mirror.is_dir():
            raise DownloadError(f"there is no folder {mirror}")
        copies = [path for path in _copies(edition, mirror) if path.is_file()]
        if not copies:
            raise DownloadError(f"{edition.file_name} is not in {mirror} nor in a folder below it")
        for path in copies:
            if hashlib.sha256(path.read_bytes()).hexdigest() == edition.sha256:
                _place(path, self.path_of(edition))
                return
        raise DownloadError(
            f"{copies[0]} is another version than the one in the catalogue",
            hint="name the file itself instead of the text to use it all the same",
        )


def installed_files(name: str) -> list[Path]:
    """Return the files of a text that a user named where a path was expected.

    Raises
    ------
    InputError
        If it is neither the name of a text nor a path.
    TextNotInstalledError
        If it is a text that is not on this machine.
    """
    if os.sep in name or "/" in name:
        raise InputError("there is no such file", file=name)
    try:
        return Library().files(name)
    except UnknownTextError as error:
        raise InputError(
            "there is no such file, nor a text of that name in the library",
            file=name,
            hint=error.hint,
        ) from error


def _default_root() -> Path:
    import platformdirs  # only wanted when the library is

    chosen = os.environ.get(_FOLDER_VARIABLE)
    return Path(chosen or platformdirs.user_data_path("locisimiles")) / "library"


def _address(edition: Edition) -> str:
    mirror = os.environ.get(_MIRROR_VARIABLE)
    return f"{mirror.rstrip('/')}/{edition.source}/{edition.path}" if mirror else edition.address


def _copies(edition: Edition, mirror: Path) -> list[Path]:
    return [mirror / edition.path, *sorted(mirror.rglob(edition.file_name))]


def _place(source: Path, target: Path) -> None:
    """Copy a file so that it appears at its place whole or not at all."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f"{target.name}.part")
        shutil.copyfile(source, part)
        part.replace(target)
    except OSError as error:
        raise DownloadError(f"{target} cannot be written: {error.strerror}") from error
