"""The texts on this machine: where they are, which are installed, and how to add more."""

from __future__ import annotations

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from locisimiles.corpus.library.catalogue import SOURCES, Catalogue
from locisimiles.corpus.library.copies import LocalCopies
from locisimiles.corpus.library.download import fetch
from locisimiles.corpus.library.vulgate import book_file, by_book, vulgate_files
from locisimiles.errors import (
    DownloadError,
    InputError,
    OutputError,
    TextNotInstalledError,
    UnknownTextError,
)
from locisimiles.files.hashing import file_sha256
from locisimiles.files.raw import printable
from locisimiles.files.writing import atomic_binary, make_folder
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from locisimiles.corpus.library.catalogue import Edition, Text
    from locisimiles.corpus.library.vulgate import Verse
    from locisimiles.progress import Progress

__all__ = ["Library", "installed_files"]

_FOLDER_VARIABLE = "LOCISIMILES_DATA"
_MIRROR_VARIABLE = "LOCISIMILES_MIRROR"
_CONNECTIONS = 4


class Library:
    """The public texts kept on this machine.

    Parameters
    ----------
    root
        Their folder. By default the user's data folder, or the one in the environment variable
        ``LOCISIMILES_DATA``.
    catalogue
        The known texts. By default the catalogue shipped with the package.

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
        """Return the path of a file, whether it is installed or not."""
        return self.root / edition.source / edition.file_name

    def is_installed(self, text: Text) -> bool:
        """Return whether all files of a text are on this machine."""
        return all(self._has(edition) for edition in text.files)

    def add(
        self,
        name: str,
        *,
        mirror: str | os.PathLike[str] | None = None,
        progress: Progress = silent,
    ) -> list[Text]:
        """Install the texts that a name stands for, and return them.

        Installed files are left alone. A file is installed only when it is complete and its
        SHA-256 is that of the catalogue.

        Parameters
        ----------
        name
            Author, work or edition, as in `Catalogue.find`.
        mirror
            A folder with copies of the files, used instead of the network.
        progress
            Called with the name of a file, the bytes received, and its size.

        Raises
        ------
        UnknownTextError
            If there is no such text.
        DownloadError
            If a file cannot be downloaded, or is not the one in the catalogue.
        OutputError
            If a file cannot be written.
        """
        texts = self.catalogue.find(name)
        self.install(*texts, mirror=mirror, progress=progress)
        return texts

    def install(
        self,
        *texts: Text,
        mirror: str | os.PathLike[str] | None = None,
        progress: Progress = silent,
        connections: int = _CONNECTIONS,
    ) -> None:
        """Install texts, as `add` does, downloading so many files at once.

        After the first failure no other download begins; what is complete stays installed, what
        is not resumes when it is installed again.
        """
        missing = [
            edition for text in texts for edition in text.files if not self._is_whole(edition)
        ]
        folder = mirror if mirror is not None else self._mirror_folder()
        if folder is not None:
            copies = LocalCopies(folder)
            for edition in missing:
                self._write(edition, copies.content(edition))
            return
        lock = Lock()

        def tell(task: str, done: int, total: int) -> None:
            with lock:
                progress(task, done, total)

        pool = ThreadPoolExecutor(connections, thread_name_prefix="download")
        try:
            for done in as_completed([pool.submit(self._download, e, tell) for e in missing]):
                done.result()
        finally:
            pool.shutdown(cancel_futures=True)

    def remove(self, *texts: Text) -> None:
        """Delete the files of texts from this machine, with what is left of broken downloads.

        Raises a TextNotInstalledError if one is not on this machine; then nothing is deleted.
        """
        missing = [text.name for text in texts if not self.is_installed(text)]
        if missing:
            raise TextNotInstalledError("corpus.nothing_to_remove", texts=missing)
        for text in texts:
            for edition in text.files:
                path = self.path_of(edition)
                try:
                    path.unlink(missing_ok=True)
                except OSError as error:
                    raise OutputError(
                        "files.unwritable", path=str(path), reason=error.strerror
                    ) from error

    def installed(self, name: str) -> list[Text]:
        """Return the texts on this machine that a name stands for, in any edition it allows."""
        wanted = {text.work.name for text in self.catalogue.find(name)}
        label = name.strip().lower().partition("@")[2]
        return [
            text
            for text in self.catalogue
            if text.work.name in wanted
            and label in ("", text.source, text.label)
            and self.is_installed(text)
        ]

    def can_download(self, text: Text) -> bool:
        """Return whether a text can be downloaded, or only be installed from copies."""
        if self._mirror_folder() is not None:
            return True
        return all(self._address(edition) for edition in text.files)

    def keep_copy(self, content: bytes) -> Edition | None:
        """Install a file that somebody has; None if it is not, byte for byte, in the catalogue."""
        digest = hashlib.sha256(content).hexdigest()
        for edition in (edition for text in self.catalogue for edition in text.files):
            if edition.size == len(content) and edition.sha256 == digest:
                self._write(edition, content)
                return edition
        return None

    def files(self, name: str) -> list[Path]:
        """Return the files of the texts that a name stands for.

        Raises an UnknownTextError, or a TextNotInstalledError if one is not on this machine, or
        not as the catalogue knows it.
        """
        if own := self._vulgate(name):
            return own
        texts = self.catalogue.find(name)
        missing = [text.work.name for text in texts if not self.is_installed(text)]
        if missing:
            raise TextNotInstalledError(
                "corpus.not_installed", count=len(missing), name=printable(name), texts=missing
            )
        editions = [edition for text in texts for edition in text.files]
        for edition in editions:
            if not self._is_whole(edition):
                raise TextNotInstalledError(
                    "corpus.library_file_changed",
                    path=str(self.path_of(edition)),
                    name=printable(name),
                )
        return [self.path_of(edition) for edition in editions]

    def add_vulgate(self, verses: Iterable[Verse]) -> dict[str, int]:
        """Add a Vulgate of your own, in place of one that is there.

        It is then found by the name ``vulgate``, and each book by ``vulgate.matthew``, in Latin,
        English or abbreviated.

        Parameters
        ----------
        verses
            Its verses; `locisimiles.corpus.verses.read_verses` reads them from a file.

        Returns
        -------
        dict
            The number of verses of each book.

        Raises
        ------
        OutputError
            If it cannot be written.
        """
        books = by_book(verses)
        make_folder(self.vulgate_folder)
        for old in self.vulgate_folder.glob("*.csv"):
            old.unlink()
        for number, (book, own) in enumerate(books.items(), start=1):
            with atomic_binary(self.vulgate_folder / f"{number:02d} {book}.csv") as stream:
                stream.write(book_file(own).encode())
        return {book: len(own) for book, own in books.items()}

    @property
    def vulgate_folder(self) -> Path:
        """The folder of the Vulgate that `add_vulgate` writes."""
        return self.root / "own" / "vulgate"

    def _vulgate(self, name: str) -> list[Path]:
        return vulgate_files(self.vulgate_folder, name)

    def _has(self, edition: Edition) -> bool:
        path = self.path_of(edition)
        return path.is_file() and path.stat().st_size == edition.size

    def _is_whole(self, edition: Edition) -> bool:
        return self._has(edition) and file_sha256(self.path_of(edition)) == edition.sha256

    def _download(self, edition: Edition, progress: Progress) -> None:
        address = self._address(edition)
        if not address:
            raise DownloadError(
                "corpus.no_download",
                name=edition.file_name,
                source=SOURCES[edition.source].title,
            )
        fetch(
            address,
            self.path_of(edition),
            size=edition.size,
            sha256=edition.sha256,
            progress=progress,
        )

    def _write(self, edition: Edition, content: bytes) -> None:
        make_folder(self.path_of(edition).parent)
        with atomic_binary(self.path_of(edition)) as stream:
            stream.write(content)

    @staticmethod
    def _mirror_folder() -> Path | None:
        """Return the folder of copies that the setting names, if it names one and no address."""
        mirror = os.environ.get(_MIRROR_VARIABLE, "")
        return None if not mirror or "://" in mirror else Path(mirror)

    @staticmethod
    def _address(edition: Edition) -> str:
        mirror = os.environ.get(_MIRROR_VARIABLE)
        if not mirror:
            return edition.address
        return f"{mirror.rstrip('/')}/{edition.source}/{edition.path}"


def installed_files(name: str) -> list[Path]:
    """Return the files of a library text that a user named in place of a path.

    Raises an InputError if there is no such text.
    """
    if os.sep in name or "/" in name:
        raise InputError("files.not_found", file=name)
    try:
        return Library().files(name)
    except UnknownTextError as error:
        advice = error.message.values["advice"]
        raise InputError("corpus.neither_file_nor_text", file=name, advice=advice) from error


def _default_root() -> Path:
    import platformdirs  # only needed with the library

    chosen = os.environ.get(_FOLDER_VARIABLE)
    return Path(chosen or platformdirs.user_data_path("locisimiles")) / "library"
