"""From what the user names (files, folders, zip files, ``-``, library texts) to bytes."""

from __future__ import annotations

import io
import lzma
import os
import stat
import sys
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from locisimiles.errors import (
    EmptyInputError,
    InputError,
    MalformedInputError,
    UnsafeInputError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.corpus.report import ReadReport

__all__ = [
    "LARGEST_INPUT",
    "WORD_PROCESSOR_SUFFIXES",
    "FileToRead",
    "RawInput",
    "check_zip",
    "list_files",
    "printable_name",
    "read_member",
]

LARGEST_INPUT = 512 * 1024**2
_LARGEST_ZIP_CONTENT = LARGEST_INPUT
_MOST_ZIP_MEMBERS = 20_000
# Latin text compresses about 3 : 1 and repetitive XML hardly over 50 : 1.
_GREATEST_ZIP_RATIO = 200
_SMALL_ENOUGH_TO_TRUST = 1024**2
_PACKING_OVERHEAD = 64
_ZIP_MAGIC = b"PK\x03\x04"
# Files that are zip files only underneath: spreadsheets, and texts of word processors.
_DOCUMENT_PARTS = frozenset(["xl/workbook.xml", "word/document.xml", "mimetype"])
WORD_PROCESSOR_SUFFIXES = frozenset([".doc", ".docx", ".odt", ".pdf", ".rtf", ".epub"])
# What unpacking damaged data raises, by method of compression.
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
)
_NOT_TEXTS = {"__MACOSX", "Thumbs.db", "desktop.ini"}


@dataclass(frozen=True, slots=True)
class RawInput:
    """One file's bytes.

    Attributes
    ----------
    name
        What messages call it: a path, ``archive.zip/member.xml``, ``<stdin>``.
    data
        Its content.
    by_itself
        True if the user named it, False if it was found in a folder or zip file. What we come
        across by chance and cannot use is left out with a note; what was named is an error.
    """

    name: str
    data: bytes
    by_itself: bool = True

    @property
    def suffix(self) -> str:
        """The file suffix in lower case, with its dot."""
        return PurePosixPath(self.name.replace(os.sep, "/")).suffix.lower()

    @property
    def stem(self) -> str:
        """The file name without folder and suffix."""
        return PurePosixPath(self.name.replace(os.sep, "/")).stem


@dataclass(frozen=True, slots=True)
class FileToRead:
    """A file that an input stands for, not opened yet. No path means standard input."""

    path: Path | None
    by_itself: bool = True

    def open(self, report: ReadReport, *, format: str | None = None) -> Iterator[RawInput]:  # noqa: A002
        """Yield the file, or the files in it if it is a zip file.

        Raises
        ------
        InputError
            If it cannot be opened or is unsafe.
        """
        if self.path is None:
            raw = RawInput("<stdin>", sys.stdin.buffer.read())
        else:
            raw = RawInput(str(self.path), _read_file(self.path), by_itself=self.by_itself)
        yield from _unpack(raw, report, format)


def list_files(name: str | os.PathLike[str], report: ReadReport) -> list[FileToRead]:
    """Return the files behind one name, in a stable order.

    Raises
    ------
    InputError
        If there is nothing there.
    """
    text = os.fspath(name)
    if text == "-":
        return [FileToRead(None)]
    if not text:
        raise InputError("an input has no name", hint="name a file, a folder or a text")
    path = Path(text)
    try:
        if path.is_dir():
            return _files_in(path, report)
        if path.exists():
            return [FileToRead(path)]
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"this cannot be opened: {reason}", file=printable_name(text)) from error
    from locisimiles.corpus.library import installed_files  # needed only when a name is no path

    return [FileToRead(installed, by_itself=False) for installed in installed_files(text)]


def _read_file(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise InputError("this is not a regular file", file=str(path))
        size = path.stat().st_size
        if size > LARGEST_INPUT:
            raise InputError(
                f"the file has {size / 1e6:,.0f} MB, more than is read at once",
                file=str(path),
                hint="split it into several files",
            )
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"the file cannot be read: {reason}", file=str(path)) from error


def _files_in(folder: Path, report: ReadReport) -> list[FileToRead]:
    root = folder.resolve()
    files = []
    for path in sorted(folder.rglob("*")):
        if _is_clutter(path.relative_to(folder).parts):
            continue
        if path.is_symlink() and path.is_dir():
            report.note(str(path), "left out, links to folders are not followed")
        if not path.is_file():
            continue
        if path.resolve().is_relative_to(root):
            files.append(FileToRead(path, by_itself=False))
        else:
            report.note(str(path), "left out, the link leads out of the folder")
    if not files:
        raise EmptyInputError("there is no file in this folder", file=str(folder))
    return files


def _unpack(raw: RawInput, report: ReadReport, format: str | None) -> Iterator[RawInput]:  # noqa: A002
    is_zip = raw.data.startswith(_ZIP_MAGIC) and raw.suffix not in WORD_PROCESSOR_SUFFIXES
    if not is_zip or format == "xlsx":
        yield raw
        return
    with check_zip(raw) as archive:
        if not _DOCUMENT_PARTS.isdisjoint(archive.namelist()):
            yield raw
            return
        yield from _members(raw, archive, report)


def _members(raw: RawInput, archive: zipfile.ZipFile, report: ReadReport) -> Iterator[RawInput]:
    found = False
    for member in sorted(archive.infolist(), key=lambda info: info.filename):
        if member.is_dir() or _is_clutter(PurePosixPath(member.filename).parts):
            continue
        name = f"{raw.name}/{member.filename}"
        data = read_member(raw, archive, member)
        if data.startswith(_ZIP_MAGIC) and not member.filename.lower().endswith(".xlsx"):
            report.note(name, "left out, a zip file inside a zip file is not opened")
            continue
        found = True
        yield RawInput(name, data, by_itself=False)
    if not found:
        raise EmptyInputError("there is no file in this zip file", file=raw.name)


def check_zip(raw: RawInput) -> zipfile.ZipFile:
    """Open a zip file after making sure that unpacking it is safe.

    Raises
    ------
    MalformedInputError
        If it is damaged.
    UnsafeInputError
        If it unpacks to too much, or names files outside itself.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(raw.data))
        members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise MalformedInputError(f"the zip file is damaged ({error})", file=raw.name) from error
    if len(members) > _MOST_ZIP_MEMBERS:
        raise UnsafeInputError(f"the zip file holds {len(members):,} files", file=raw.name)
    for member in members:
        _check_member(raw, member)
    total = sum(member.file_size for member in members)
    if total > _LARGEST_ZIP_CONTENT:
        raise UnsafeInputError(
            f"the zip file unpacks to {total / 1e6:,.0f} MB",
            file=raw.name,
            hint="unpack it yourself if you trust it, and give the folder",
        )
    return archive


def _check_member(raw: RawInput, member: zipfile.ZipInfo) -> None:
    path = PurePosixPath(member.filename.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or (path.parts[:1] and ":" in path.parts[0]):
        raise UnsafeInputError(
            f"the zip file names {member.filename!r}, a path outside itself", file=raw.name
        )
    if stat.S_ISLNK(member.external_attr >> 16):
        raise UnsafeInputError(f"the zip file holds a link ({member.filename!r})", file=raw.name)
    if member.flag_bits & 0x1:
        raise InputError("the zip file is locked with a password", file=raw.name)
    if member.compress_size > member.file_size * 9 // 8 + _PACKING_OVERHEAD:
        raise UnsafeInputError(
            f"{member.filename!r} in the zip file lies about its size", file=raw.name
        )
    ratio = member.file_size / max(member.compress_size, 1)
    if member.file_size > _SMALL_ENOUGH_TO_TRUST and ratio > _GREATEST_ZIP_RATIO:
        raise UnsafeInputError(
            f"{member.filename!r} in the zip file unpacks to {ratio:,.0f} times its size",
            file=raw.name,
        )


def read_member(raw: RawInput, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Unpack one file of a zip file that `check_zip` has looked at.

    Raises
    ------
    MalformedInputError
        If it is damaged, or unpacks to more than it announced.
    """
    try:
        with archive.open(member) as stream:
            return stream.read(member.file_size)
    except _DAMAGED as error:
        raise MalformedInputError(
            f"{member.filename!r} in the zip file is damaged ({error})", file=raw.name
        ) from error


def printable_name(name: str) -> str:
    """Return a name that can be shown, whatever is in it."""
    return "".join(c if c.isprintable() else "�" for c in name)


def _is_clutter(parts: tuple[str, ...]) -> bool:
    return any(part.startswith(".") or part in _NOT_TEXTS for part in parts)
