"""Indexes of library texts, kept in the cache: the second search in the same texts begins at once.

An index is found by the hash of all it depends on: the files, the code that reads them, and what it
is made with. It is checked before it is used; one that is damaged, or not what it should be, is
built again. Indexes share the files of works they have in common, so none is encoded twice.
"""

from __future__ import annotations

import json
import os
import shutil
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles import corpus
from locisimiles.corpus import Document, ReadOptions, ReadReport
from locisimiles.corpus.library import installed_files
from locisimiles.errors import InputError, OutputError
from locisimiles.files.caches import cache_folder, cache_limit
from locisimiles.files.hashing import file_sha256, sha256_of
from locisimiles.files.json_files import read_json_object, write_json
from locisimiles.files.writing import make_folder
from locisimiles.index.changes import build_index
from locisimiles.index.locks import waiting
from locisimiles.index.manifest import Manifest
from locisimiles.index.parts import made_with
from locisimiles.index.stored import Index, check_index
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from locisimiles.index.parts import PieceSource
    from locisimiles.progress import Progress

__all__ = ["KeptIndex", "KeptIndexes", "are_library_names"]

_ABOUT = "about.json"
_KEY = 32


@dataclass(frozen=True, slots=True)
class KeptIndex:
    """An index in the cache.

    Attributes
    ----------
    folder
        Where it is.
    names
        The texts in it, as they were named.
    encoder
        The name of its encoder; empty without one.
    segments, nbytes
        Its size. Files that indexes share count in each.
    last_used
        In seconds since 1 January 1970.
    """

    folder: Path
    names: tuple[str, ...]
    encoder: str
    segments: int
    nbytes: int
    last_used: float


def are_library_names(names: Sequence[str]) -> bool:
    """Tell whether all names can only be those of library texts, not files or folders."""
    return bool(names) and all(name not in ("", "-") and not _exists(name) for name in names)


class KeptIndexes:
    """The indexes in a folder of the cache.

    Parameters
    ----------
    folder
        By default ``indexes`` in the user's cache folder.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or cache_folder("indexes")

    def of_library(
        self,
        names: Sequence[str],
        encoder: PieceSource | None,
        options: ReadOptions | None = None,
        *,
        progress: Progress = silent,
    ) -> Index:
        """Open the index of library texts; build it if there is none, or none that is whole.

        Raises
        ------
        InputError
            If there is no such text, or it is not installed.
        OutputError
            If the index cannot be written.
        """
        options = options or ReadOptions()
        depends_on = _depends_on(names, encoder, options)
        key = _key_of(depends_on)
        index = self._opened(key, depends_on, progress)
        if index is None:
            with waiting(make_folder(self.folder) / f"{key}.lock"):
                index = self._opened(key, depends_on, progress)
                if index is None:
                    document = Document(*names, options=options)
                    index = self._built(key, document, encoder, progress)
                    report = document.report
                    about = {"names": list(names), "report": report.as_json(), **depends_on}
                    about["sha256"] = index.manifest.sha256
                    write_json(self.folder / key / _ABOUT, about)
                    index = index.reported(report)
            self._evict(key)
        return index

    def known(
        self,
        names: Sequence[str],
        encoder: PieceSource | None,
        options: ReadOptions | None = None,
        *,
        progress: Progress = silent,
    ) -> Index | None:
        """Open the index of library texts as `of_library` does; None if it would be built."""
        depends_on = _depends_on(names, encoder, options or ReadOptions())
        return self._opened(_key_of(depends_on), depends_on, progress)

    def _opened(
        self, key: str, depends_on: Mapping[str, object], progress: Progress
    ) -> Index | None:
        """Open an index that is whole and what it should be; None if there is none."""
        folder = self.folder / key
        try:
            about = read_json_object(folder / _ABOUT)
            is_right = about["sha256"] == Manifest.read(folder).sha256
            is_right &= all(about[name] == value for name, value in depends_on.items())
            if not is_right or check_index(folder, progress=progress):
                return None
            index = Index.open(folder).reported(ReadReport.from_json(about["report"]))
        except (InputError, KeyError, TypeError, ValueError):
            return None
        with suppress(OSError):  # it may belong to somebody else
            os.utime(folder / _ABOUT)
        return index

    def _built(
        self, key: str, document: Document, encoder: PieceSource | None, progress: Progress
    ) -> Index:
        folder = self.folder / key
        # What is there is not whole, or another; but works in it need not be encoded again.
        for name in (_ABOUT, "index.json", "shards", "totals"):
            _discard(folder / name)
        if not (folder / "parts").is_dir() or (folder / "parts").is_symlink():
            _discard(folder / "parts")  # through a link, files elsewhere would be deleted
        self._share_parts(make_folder(folder / "parts"))
        build_index(folder, document, encoder, progress=progress)
        return Index.open(folder)

    def _share_parts(self, folder: Path) -> None:
        """Link the parts of the other indexes; the build deletes those it does not need.

        Those of another version may have other words under the same name.
        """
        code = _code_sha256()
        for about in self.folder.glob(f"*/{_ABOUT}"):
            if _code_of(about) != code:
                continue
            for path in about.parent.glob("parts/*.arrays"):
                with suppress(OSError):  # it is there, or the disk has no links
                    os.link(path, folder / path.name)

    def all(self) -> list[KeptIndex]:
        """Return the indexes, the one used last first."""
        found = [self._described(path.parent) for path in self.folder.glob(f"*/{_ABOUT}")]
        return sorted(found, key=lambda one: (-one.last_used, one.folder))

    def _described(self, folder: Path) -> KeptIndex:
        try:
            names = read_json_object(folder / _ABOUT).get("names")
            names = names if isinstance(names, list) else ["?"]
            manifest = Manifest.read(folder)
            made, segments = manifest.made_with["encoder"], manifest.segments
        except InputError:
            names, made, segments = ["?"], None, 0
        return KeptIndex(
            folder=folder,
            names=tuple(map(str, names)),
            encoder=str((made or {}).get("model", "")),
            segments=segments,
            nbytes=sum(_size(path) for path in folder.rglob("*")),
            last_used=(folder / _ABOUT).stat().st_mtime,
        )

    @property
    def nbytes(self) -> int:
        """The size of all files in the folder; those that indexes share count once."""
        return sum(dict(map(_identity, self.folder.rglob("*"))).values())

    def remove(self, *, unused_since: float | None = None) -> None:
        """Delete all indexes, or those not used since a moment; those being built are left."""
        for path in [*self.folder.glob("*/")]:
            about = path / _ABOUT
            used = about.stat().st_mtime if about.exists() else path.stat().st_mtime
            if unused_since is None or used < unused_since:
                self._delete(path)

    def _evict(self, kept: str) -> None:
        """Delete what was used least recently while all take more than `cache_limit`."""
        for oldest in reversed(self.all()):
            if self.nbytes <= cache_limit():
                return
            if oldest.folder.name != kept:
                self._delete(oldest.folder)

    def _delete(self, folder: Path) -> None:
        # Who has it open keeps the files; the lock stays, as another program may wait for it.
        with suppress(OutputError), waiting(folder.with_name(f"{folder.name}.lock"), wait=False):
            shutil.rmtree(folder, ignore_errors=True)


def _depends_on(
    names: Sequence[str], encoder: PieceSource | None, options: ReadOptions
) -> dict[str, object]:
    """Return all that an index depends on, as JSON gives it back."""
    files = [path for name in names for path in installed_files(name)]
    found: dict[str, object] = json.loads(
        json.dumps(
            {
                "files": [[path.parent.name, path.name, file_sha256(path)] for path in files],
                "options": asdict(options),
                "made_with": made_with(encoder),
                "code": _code_sha256(),
            }
        )
    )
    return found


def _key_of(depends_on: Mapping[str, object]) -> str:
    return sha256_of(json.dumps(depends_on, sort_keys=True))[:_KEY]


@lru_cache(maxsize=1)
def _code_sha256() -> str:
    """Return the hash of the code and tables that read and cut texts, and find their words."""
    root = Path(str(corpus.__file__)).parent
    paths = [
        path
        for folder in (root, root.with_name("latin"), root.with_name("index"))
        for path in _files(folder)
    ]
    return sha256_of(path.read_bytes() for path in paths)


def _code_of(about: Path) -> object:
    """Return the hash of the code that made an index; None if it does not say."""
    try:
        return read_json_object(about).get("code")
    except InputError:
        return None


def _files(folder: Path) -> Iterator[Path]:
    yield from (path for path in sorted(folder.rglob("*")) if path.suffix in (".py", ".tsv"))


def _exists(name: str) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):
        return False


def _discard(path: Path) -> None:
    """Delete whatever has a name, if anything has."""
    with suppress(OSError):
        path.unlink(missing_ok=True)
    shutil.rmtree(path, ignore_errors=True)


def _size(path: Path) -> int:
    return _identity(path)[1]


def _identity(path: Path) -> tuple[tuple[int, int] | None, int]:
    """Return what tells a file from others, and its size."""
    try:
        status = path.stat()
    except OSError:  # another program has deleted it
        return None, 0
    return (status.st_dev, status.st_ino), status.st_size if path.is_file() else 0
