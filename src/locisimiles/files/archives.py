"""Zip files, checked before they are unpacked."""

from __future__ import annotations

import io
import stat
import zipfile
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from locisimiles.errors import InputError, MalformedInputError, UnsafeInputError
from locisimiles.files.limits import check_packing
from locisimiles.files.raw import printable

if TYPE_CHECKING:
    from locisimiles.files.raw import RawInput

__all__ = ["check_zip", "read_member"]

_MOST_MEMBERS = 20_000
# Latin text compresses about 3 : 1 and repetitive XML hardly over 50 : 1.
_GREATEST_RATIO = 200
_SMALL_ENOUGH_TO_TRUST = 1024**2
_PACKING_OVERHEAD = 64


def check_zip(raw: RawInput) -> zipfile.ZipFile:
    """Open a zip file; raise an InputError if it is damaged, too large, or unsafe to unpack."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(raw.data))
        members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise MalformedInputError("files.zip_damaged", file=raw.name, reason=str(error)) from error
    if len(members) > _MOST_MEMBERS:
        raise UnsafeInputError(
            "files.zip_of_many", file=raw.name, files=len(members), most=_MOST_MEMBERS
        )
    for member in members:
        _check_member(raw, member)
    total = sum(member.file_size for member in members)
    check_packing(raw.name, len(raw.data), total)
    return archive


def _check_member(raw: RawInput, member: zipfile.ZipInfo) -> None:
    name = printable(member.filename)
    path = PurePosixPath(member.filename.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or (path.parts[:1] and ":" in path.parts[0]):
        raise UnsafeInputError("files.zip_path_outside", file=raw.name, member=name)
    if stat.S_ISLNK(member.external_attr >> 16):
        raise UnsafeInputError("files.zip_link", file=raw.name, member=name)
    if member.flag_bits & 0x1:
        raise InputError("files.zip_encrypted", file=raw.name)
    if member.compress_size > member.file_size * 9 // 8 + _PACKING_OVERHEAD:
        raise UnsafeInputError("files.zip_false_size", file=raw.name, member=name)
    ratio = member.file_size / max(member.compress_size, 1)
    if member.file_size > _SMALL_ENOUGH_TO_TRUST and ratio > _GREATEST_RATIO:
        raise UnsafeInputError("files.zip_bomb", file=raw.name, member=name, ratio=round(ratio))


def read_member(raw: RawInput, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """Unpack a member of a zip file that `check_zip` opened, up to its declared size."""
    try:
        with archive.open(member) as stream:
            return stream.read(member.file_size)
    except MemoryError:
        raise
    except Exception as error:  # each method of compression raises its own
        raise MalformedInputError(
            "files.zip_member_damaged",
            file=raw.name,
            member=printable(member.filename),
            reason=str(error),
        ) from error
