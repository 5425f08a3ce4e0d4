"""The manifest of a run: what each stage read, wrote and measured."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from locisimiles.errors import MalformedInputError
from locisimiles.files.hashing import file_sha256, framed, sha256_of
from locisimiles.files.json_files import read_json_object, write_json

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["MANIFEST", "StageRecord", "path_sha256", "read_manifest", "write_manifest"]

MANIFEST = "manifest.json"
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class StageRecord:
    """What a finished stage read, wrote and measured; paths stand as in the recipe.

    Attributes
    ----------
    command
        The arguments of ``locisimiles``.
    inputs, uses, outputs
        The SHA-256 of what was read, of models of the package that were used, and of what was
        written.
    figures
        What the stage measured.
    seconds, gpu
        How long it took, on which GPU.
    versions
        Versions of the libraries that results depend on.
    """

    command: tuple[str, ...]
    inputs: Mapping[str, str]
    uses: Mapping[str, str]
    outputs: Mapping[str, str]
    figures: Mapping[str, float]
    seconds: float
    gpu: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The SHA-256 of all that the outputs depend on, but for libraries and machines."""
        return record_key(self.command, self.inputs, self.uses)


def record_key(command: tuple[str, ...], inputs: Mapping[str, str], uses: Mapping[str, str]) -> str:
    """Return the SHA-256 of a command with what it reads."""
    parts = [list(command), sorted(inputs.items()), sorted(uses.items())]
    return sha256_of(json.dumps(parts))


def path_sha256(path: Path) -> str:
    """Return the SHA-256 of a file, or of the names and contents of all files in a folder."""
    if not path.is_dir():
        return file_sha256(path)
    places = sorted(place for place in path.rglob("*") if place.is_file())
    digest = hashlib.sha256()
    for place in places:
        for part in framed([place.relative_to(path).as_posix(), file_sha256(place)]):
            digest.update(part)
    return digest.hexdigest()


def read_manifest(folder: Path) -> dict[str, StageRecord]:
    """Return the records of the finished stages of a run, by stage; none if it has not begun."""
    path = folder / MANIFEST
    if not path.exists():
        return {}
    content: dict[str, Any] = read_json_object(path)
    if content.get("format") != _FORMAT:
        reason = f"format {content.get('format')}"
        raise MalformedInputError("train.bad_manifest", file=str(path), reason=reason)
    try:
        return {
            name: StageRecord(**{**entry, "command": tuple(entry["command"])})
            for name, entry in content["stages"].items()
        }
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise MalformedInputError(
            "train.bad_manifest", file=str(path), reason=str(error)
        ) from error


def write_manifest(folder: Path, recipe: str, records: Mapping[str, StageRecord]) -> None:
    """Write the records of finished stages, and the SHA-256 of the recipe they belong to."""
    stages = {name: asdict(record) for name, record in records.items()}
    write_json(folder / MANIFEST, {"format": _FORMAT, "recipe": recipe, "stages": stages})
