"""Open what users name: files, folders, zip files, ``-`` (standard input) and library texts."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from locisimiles.corpus.checking import input_name
from locisimiles.corpus.formats import PACKED
from locisimiles.errors import EmptyInputError, InputError
from locisimiles.files.archives import check_zip, read_member
from locisimiles.files.raw import RawInput, printable, read_raw, read_stream

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from zipfile import ZipFile

    from locisimiles.corpus.report import ReadReport

__all__ = ["WORD_PROCESSOR_SUFFIXES", "FileToRead", "list_files"]

WORD_PROCESSOR_SUFFIXES = frozenset([".doc", ".pdf", ".rtf", ".epub"])
_ZIP_MAGIC = b"PK\x03\x04"
# Files that only spreadsheets and documents of word processors contain, which are zip files, too.
_DOCUMENT_PARTS = {"[Content_Types].xml", "mimetype", *(known.part for known in PACKED)}
_PACKED_SUFFIXES = tuple(suffix for known in PACKED for suffix in known.suffixes)
_NOT_TEXTS = {"__MACOSX", "Thumbs.db", "desktop.ini"}


@dataclass(frozen=True, slots=True)
class FileToRead:
    """A file that is not open yet; without a path, standard input."""

    path: Path | None
    by_itself: bool = True

    def open(self, report: ReadReport, *, kind: str | None = None) -> Iterator[RawInput]:
        """Yield the file, or the members of a zip file; `kind` is the format, if known."""
        if self.path is None:
            raw = read_stream(sys.stdin.buffer, "<stdin>")
        else:
            raw = read_raw(self.path, by_itself=self.by_itself)
        is_document = raw.suffix in (*WORD_PROCESSOR_SUFFIXES, *_PACKED_SUFFIXES)
        is_named = any(kind == known.name for known in PACKED)
        if is_document or is_named or not raw.data.startswith(_ZIP_MAGIC):
            yield raw
            return
        with check_zip(raw) as archive:
            if _DOCUMENT_PARTS.isdisjoint(archive.namelist()):
                yield from _members(raw, archive, report)
            else:
                yield raw


def list_files(name: str | os.PathLike[str], report: ReadReport) -> list[FileToRead]:
    """Return the files that a name stands for, in a stable order, or raise an InputError."""
    text = input_name(name)
    if text == "-":
        return [FileToRead(None)]
    if not text:
        raise InputError("corpus.nameless_input")
    path = Path(text)
    try:
        if path.is_dir():
            return _files_in(path, report)
        if path.exists():
            return [FileToRead(path)]
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError("files.unreadable", file=printable(text), reason=reason) from error
    from locisimiles.corpus.library import installed_files  # only needed for names of texts

    return [FileToRead(installed, by_itself=False) for installed in installed_files(text)]


def _files_in(folder: Path, report: ReadReport) -> list[FileToRead]:
    root = folder.resolve()
    files = []
    for path in sorted(folder.rglob("*")):
        if _is_clutter(path.relative_to(folder).parts):
            continue
        if path.is_symlink() and path.is_dir():
            report.note(str(path), "corpus.folder_link_left_out")
        if not path.is_file():
            continue
        if path.resolve().is_relative_to(root):
            files.append(FileToRead(path, by_itself=False))
        else:
            report.note(str(path), "corpus.link_left_out")
    if not files:
        raise EmptyInputError("corpus.empty_folder", file=str(folder))
    return files


def _members(raw: RawInput, archive: ZipFile, report: ReadReport) -> Iterator[RawInput]:
    empty = True
    for member in sorted(archive.infolist(), key=lambda info: info.filename):
        if member.is_dir() or _is_clutter(PurePosixPath(member.filename).parts):
            continue
        name = f"{raw.name}/{member.filename}"
        data = read_member(raw, archive, member)
        if data.startswith(_ZIP_MAGIC) and not name.lower().endswith(_PACKED_SUFFIXES):
            report.note(name, "corpus.nested_zip_left_out")
            continue
        empty = False
        yield RawInput(name, data, by_itself=False)
    if empty:
        raise EmptyInputError("corpus.empty_zip", file=raw.name)


def _is_clutter(parts: tuple[str, ...]) -> bool:
    return any(part.startswith(".") or part in _NOT_TEXTS for part in parts)
