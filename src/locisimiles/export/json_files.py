"""JSON, which contains the manifest, and JSON Lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TextIO

from locisimiles.results.columns import result_rows

if TYPE_CHECKING:
    from locisimiles.export.blocks import BlockRows
    from locisimiles.results import Results

__all__ = ["compact_json", "dump_json", "write_json", "write_jsonl"]


def write_jsonl(results: BlockRows, stream: TextIO) -> None:
    """Write each reference as an object on its own line."""
    stream.writelines(compact_json(row) + "\n" for row in results)


def write_json(results: Results, stream: TextIO) -> None:
    """Write one object with ``manifest`` and ``references``."""
    dump_json(
        {"manifest": dict(results.manifest), "references": list(result_rows(results))}, stream
    )


def compact_json(value: object) -> str:
    """Return a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def dump_json(value: object, stream: TextIO) -> None:
    """Write a value as indented JSON."""
    json.dump(value, stream, ensure_ascii=False, indent=1)
    stream.write("\n")
