"""The parts of a document of a word processor, which is a zip file of XML files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.corpus.formats.safe_xml import parse_xml
from locisimiles.errors import MalformedInputError, UnknownFormatError, UnsafeInputError
from locisimiles.files.archives import check_zip, read_member
from locisimiles.files.raw import RawInput

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from lxml.etree import _Element

    from locisimiles.corpus.report import ReadReport

__all__ = ["PackedParts", "local_name", "value_of"]

_LARGEST_PART = 128 * 1024**2
# Documents before 2007, and those with a password, are containers of this kind.
_OLD_CONTAINER = b"\xd0\xcf\x11\xe0"


class PackedParts:
    """The XML files in a document, parsed on demand; pictures are never unpacked."""

    def __init__(self, raw: RawInput, report: ReadReport) -> None:
        if raw.data.startswith(_OLD_CONTAINER):
            raise UnknownFormatError("corpus.old_or_locked_document", file=raw.name)
        self._raw, self._report = raw, report
        self._archive = check_zip(raw)
        self._members = {member.filename: member for member in self._archive.infolist()}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._archive.close()

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def root(self, name: str) -> _Element:
        """Return the root element of a part.

        Raises a MalformedInputError if there is none, an UnsafeInputError if it is too large.
        """
        member = self._members.get(name)
        if member is None:
            raise MalformedInputError("corpus.part_missing", file=self._raw.name, part=name)
        if member.file_size > _LARGEST_PART:
            size, most = member.file_size // 10**6, _LARGEST_PART // 10**6
            raise UnsafeInputError(
                "files.part_too_large", file=self._raw.name, size=size, most=most
            )
        data = read_member(self._raw, self._archive, member)
        return parse_xml(RawInput(self._raw.name, data), self._report)


def local_name(element: _Element) -> str:
    """Return the name of an element without its namespace; empty for comments and the like."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def value_of(element: _Element | None, name: str = "val") -> str:
    """Return an attribute by its name without namespace; empty if there is none."""
    if element is None:
        return ""
    attributes = ((str(key), str(value)) for key, value in element.items())
    return next((value for key, value in attributes if key.rpartition("}")[2] == name), "")
