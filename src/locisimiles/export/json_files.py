"""JSON, with the manifest inside, and JSON Lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TextIO

from locisimiles.export.columns import result_rows

if TYPE_CHECKING:
    from locisimiles.results import Results

__all__ = ["dump_json", "write_json", "write_jsonl"]


def write_jsonl(results: Results, stream: TextIO) -> None:
    """Write each reference as an object on a line of its own."""
    stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in result_rows(results))


def write_json(results: Results, stream: TextIO) -> None:
    """Write one object with ``manifest`` and ``references``."""
    dump_json(
        {"manifest": dict(results.manifest), "references": list(result_rows(results))}, stream
    )


def dump_json(value: object, stream: TextIO) -> None:
    """Write a value as JSON that people can read too."""
    json.dump(value, stream, ensure_ascii=False, indent=1)
    stream.write("\n")
