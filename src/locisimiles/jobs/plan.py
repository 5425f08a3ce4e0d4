"""A job: a search of many query segments in an index, cut into blocks that any machine can do.

A folder holds all of it: the plan, the query, and a file for each block that is done. The name of
such a file is the hash of all that its content depends on, so nothing that is done twice can
differ, and nothing that is done needs to be done again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from locisimiles.errors import InputError, MalformedInputError
from locisimiles.files.hashing import framed, sha256_of
from locisimiles.files.json_files import read_json_object, write_json
from locisimiles.jobs.settings import SearchSettings
from locisimiles.jobs.stored_query import StoredQuery

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from locisimiles.index.manifest import Manifest

__all__ = ["FORMAT", "Job", "index_sha256", "is_job"]

FORMAT = 1
"""Increased when the files change their meaning."""
_PLAN, _BLOCKS = "plan.json", "blocks"
_ID, _DIGITS = 32, set("0123456789abcdef")


def is_job(folder: Path) -> bool:
    """Tell whether a folder holds a job."""
    try:
        return (folder / _PLAN).is_file()
    except OSError:  # such as a name that is too long
        return False


def index_sha256(manifest: Manifest) -> str:
    """Return the SHA-256 of all that an index consists of, whatever its generation is called."""
    stored = [*manifest.parts, *(shard for shard, _ in manifest.shards), manifest.totals]
    made = json.dumps(dict(manifest.made_with), sort_keys=True)
    return sha256_of(framed([made, manifest.sha256, *(entry.sha256 for entry in stored)]))


@dataclass(frozen=True, slots=True)
class Job:
    """A planned job.

    Attributes
    ----------
    folder
        Where it is.
    settings
        How to search.
    index, index_sha256
        The sources: a folder, in that of the job or absolute, and what must be in it.
    query_sha256
        The SHA-256 of the file of the query.
    segments
        The number of query segments.
    block_size
        How many of them a block has.
    search
        All that the search depends on: the manifest of its results.
    blocks
        The ids of the blocks.
    """

    folder: Path
    settings: SearchSettings
    index: str
    index_sha256: str
    query_sha256: str
    segments: int
    block_size: int
    search: Mapping[str, Any]
    blocks: tuple[str, ...]

    @property
    def index_folder(self) -> Path:
        """The folder of the index."""
        return self.folder / self.index

    @property
    def query_path(self) -> Path:
        """The file of the query."""
        return self.folder / f"query-{self.query_sha256[:_ID]}.arrays"

    @property
    def blocks_folder(self) -> Path:
        """The folder of the blocks that are done."""
        return self.folder / _BLOCKS

    def block_path(self, number: int) -> Path:
        """Return the file of a block."""
        return self.blocks_folder / f"{self.blocks[number]}.parquet"

    def rows(self, number: int) -> tuple[int, int]:
        """Return where a block begins among the query segments, and where the next one does."""
        begin = number * self.block_size
        return begin, min(begin + self.block_size, self.segments)

    def query(self) -> StoredQuery:
        """Open the query.

        Raises
        ------
        MalformedInputError
            If it is not the one that was planned.
        """
        query = StoredQuery(self.query_path)
        if query.file_sha256 != self.query_sha256:
            raise MalformedInputError("files.damaged", file=str(self.query_path))
        return query

    def block_ids(self, query: StoredQuery) -> tuple[str, ...]:
        """Return the ids of all blocks: hashes of all that their results depend on."""
        same = json.dumps(
            [FORMAT, self.index_sha256, {**self.search, "query": None}], sort_keys=True
        )
        ids = []
        for begin in range(0, max(self.segments, 1), self.block_size):
            end = min(begin + self.block_size, self.segments)
            own = query.rows_sha256(begin, end)
            ids.append(sha256_of(framed([same, own, str(begin), str(end)]))[:_ID])
        return tuple(ids)

    def _as_plan(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "settings": self.settings.as_dict(),
            "index": self.index,
            "index_sha256": self.index_sha256,
            "query_sha256": self.query_sha256,
            "segments": self.segments,
            "block_size": self.block_size,
            "search": dict(self.search),
            "blocks": list(self.blocks),
        }

    @classmethod
    def open(cls, folder: Path) -> Job:
        """Open the job in a folder.

        Raises
        ------
        InputError
            If there is none, or its plan is damaged or of another version.
        """
        path = folder / _PLAN
        if not path.is_file():
            raise InputError("jobs.none", folder=str(folder))
        content = read_json_object(path)
        if content.get("format") != FORMAT:
            raise InputError("jobs.other_format", folder=str(folder))
        try:
            job = cls._from_plan(folder, content)
            _check(job)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise MalformedInputError("files.damaged", file=str(path)) from error
        return job

    @classmethod
    def _from_plan(cls, folder: Path, content: Mapping[str, Any]) -> Job:
        return cls(
            folder=folder,
            settings=SearchSettings.from_dict(content["settings"]),
            index=str(content["index"]),
            index_sha256=str(content["index_sha256"]),
            query_sha256=_checked_id(content["query_sha256"]),
            segments=int(content["segments"]),
            block_size=int(content["block_size"]),
            search=dict(content["search"]),
            blocks=tuple(map(_checked_id, content["blocks"])),
        )

    def is_planned(self) -> bool:
        """Tell whether its folder has this very plan."""
        path = self.folder / _PLAN
        # As JSON holds it: lists for tuples.
        return path.exists() and read_json_object(path) == json.loads(json.dumps(self._as_plan()))

    def write(self) -> None:
        """Write the plan, over another one perhaps."""
        write_json(self.folder / _PLAN, self._as_plan())


def _check(job: Job) -> None:
    """Raise a ValueError if the numbers of a plan, which anyone may have made, do not fit."""
    if job.segments < 0 or job.block_size < 1:
        raise ValueError("no such block")
    if len(job.blocks) != max(-(-job.segments // job.block_size), 1):
        raise ValueError("another number of blocks")
    if not job.index or "\0" in job.index:
        raise ValueError("no index")


def _checked_id(block: object) -> str:
    # It becomes the name of a file.
    if not isinstance(block, str) or len(block) < _ID or not set(block) <= _DIGITS:
        raise ValueError("no id")
    return block
