"""The manifest of an index: what it consists of, and what it was made with."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from locisimiles.errors import InputError, MalformedInputError
from locisimiles.files.hashing import sha256_of
from locisimiles.files.json_files import read_json_object, write_json

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["FORMAT", "Manifest", "PartEntry", "Stored", "is_index"]

FORMAT = 1
"""Increased when the files change their meaning."""
_NAME = "index.json"
_COLUMNS = {
    "format", "generation", "segments", "sha256", "made_with", "parts", "shards", "totals",
}  # fmt: skip


def is_index(folder: Path) -> bool:
    """Tell whether a folder holds an index."""
    try:
        return (folder / _NAME).is_file()
    except OSError:  # such as a name that is too long
        return False


@dataclass(frozen=True, slots=True)
class Stored:
    """A file of arrays: its name, and what its content must hash to."""

    key: str
    sha256: str

    def path(self, folder: Path, kind: str) -> Path:
        """Return where it lies; `kind` is ``parts``, ``shards`` or ``totals``."""
        return folder / kind / f"{self.key}.arrays"


@dataclass(frozen=True, slots=True)
class PartEntry(Stored):
    """A part: one work."""

    author: str
    work: str
    segments: int
    pieces: int

    @property
    def name(self) -> str:
        """Author and work, for people."""
        return ": ".join(filter(None, (self.author, self.work)))


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an index consists of.

    Attributes
    ----------
    generation
        Counts the changes.
    made_with
        Format, lemmatizer, and encoder (None without vectors): all that the parts depend on besides
        the texts.
    parts
        The works, in the order of the segments.
    shards
        The files that searches read, and the number of parts in each.
    totals
        The file about the whole index.
    sha256
        Identifies ids and texts; see `Document.fingerprint`.
    """

    generation: int
    made_with: Mapping[str, Any]
    parts: tuple[PartEntry, ...]
    shards: tuple[tuple[Stored, int], ...]
    totals: Stored
    sha256: str

    @property
    def segments(self) -> int:
        """The number of segments."""
        return sum(part.segments for part in self.parts)

    @property
    def has_vectors(self) -> bool:
        """Whether it holds vectors for late interaction."""
        return self.made_with["encoder"] is not None

    def paths(self, folder: Path) -> list[Path]:
        """Return all files it needs."""
        return [
            *(part.path(folder, "parts") for part in self.parts),
            *(shard.path(folder, "shards") for shard, _ in self.shards),
            self.totals.path(folder, "totals"),
        ]

    def write(self, folder: Path) -> None:
        """Replace the manifest of a folder."""
        content = {
            "format": FORMAT,
            "generation": self.generation,
            "segments": self.segments,
            "sha256": self.sha256,
            "made_with": dict(self.made_with),
            "parts": [asdict(part) for part in self.parts],
            "shards": [{**asdict(shard), "parts": parts} for shard, parts in self.shards],
            "totals": asdict(self.totals),
        }
        write_json(folder / _NAME, {**content, "checksum": _checksum(content)})

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Read the manifest of a folder.

        Raises
        ------
        InputError
            If the folder holds no index, or one of another format, or the manifest is damaged.
        """
        path = folder / _NAME
        if not path.is_file():
            raise InputError("index.none", folder=str(folder))
        content = read_json_object(path)
        if content.get("format") != FORMAT:
            raise InputError("index.other_format", folder=str(folder))
        checksum = content.pop("checksum", None)
        # Earlier versions wrote none; a name that is no longer "checksum" is one too many.
        if set(content) != _COLUMNS or checksum not in (None, _checksum(content)):
            raise MalformedInputError("files.damaged", file=str(path))
        try:
            manifest = cls(
                generation=int(content["generation"]),
                made_with={**content["made_with"], "encoder": content["made_with"]["encoder"]},
                parts=tuple(PartEntry(**part) for part in content["parts"]),
                shards=tuple(
                    (Stored(shard["key"], shard["sha256"]), int(shard["parts"]))
                    for shard in content["shards"]
                ),
                totals=Stored(**content["totals"]),
                sha256=str(content["sha256"]),
            )
            manifest._check()
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise MalformedInputError("files.damaged", file=str(path)) from error
        return manifest

    def _check(self) -> None:
        """Raise a ValueError if values are of no use; anyone may have made a manifest."""
        stored = [*self.parts, *(shard for shard, _ in self.shards), self.totals]
        # Keys become names of files.
        if not all(_is_hex(one.key) and _is_hex(one.sha256) for one in stored):
            raise ValueError("no name of a file")
        if not all(isinstance(text, str) for one in self.parts for text in (one.author, one.work)):
            raise ValueError("no text")
        counts = [count for one in self.parts for count in (one.segments, one.pieces)]
        counts += [self.generation, *(parts for _, parts in self.shards)]
        if not all(type(count) is int and count >= 0 for count in counts):
            raise ValueError("no number")
        if sum(parts for _, parts in self.shards) != len(self.parts):
            raise ValueError("another number of parts")


def _is_hex(text: object) -> bool:
    return isinstance(text, str) and bool(text) and set(text) <= set("0123456789abcdef")


def _checksum(content: Mapping[str, object]) -> str:
    return sha256_of(json.dumps(content, sort_keys=True))
