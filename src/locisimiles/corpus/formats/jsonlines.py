"""JSON Lines: one object a line; also a JSON array of objects."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from locisimiles.corpus.decoding import decode
from locisimiles.corpus.formats.records import RecordTable
from locisimiles.errors import EmptyInputError, MalformedInputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locisimiles.corpus.columns import Columns
    from locisimiles.corpus.inputs import RawInput
    from locisimiles.corpus.options import ReadOptions
    from locisimiles.corpus.report import ReadReport

__all__ = ["read_jsonl"]

_MOST_NAMES = 1_000
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


def read_jsonl(raw: RawInput, options: ReadOptions, report: ReadReport) -> Columns:
    """Read one JSON object a line, or one array of objects.

    Objects need not have the same keys; values that are no strings are kept as JSON.
    """
    text, _ = decode(raw, report, encoding=options.encoding)
    records = list(_records(raw.name, text))
    if not records:
        raise EmptyInputError("the file is empty", file=raw.name)
    names = list(dict.fromkeys(name for _, record in records for name in record))
    if len(names) > _MOST_NAMES:
        raise MalformedInputError(
            f"the objects have {len(names):,} different keys", file=raw.name, hint="use fewer"
        )
    table = RecordTable(raw.name, names, report)
    for row, record in records:
        values = [_as_text(record.get(name)) for name in names]
        if any(_HALF_CHARACTER.search(text) for text in (*values, *record)):
            raise MalformedInputError(
                "there is half a character in this row (a lone surrogate)", file=raw.name, row=row
            )
        table.add(row, values)
    return table.finish()


def _records(file: str, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    if text.lstrip().startswith("["):
        items = _parse(file, 1, text)
        numbered = list(enumerate(items, start=1))
    else:
        # Not str.splitlines: it also breaks at characters that JSON strings may contain.
        lines = enumerate(text.split("\n"), start=1)
        numbered = [(row, _parse(file, row, line)) for row, line in lines if line.strip()]
    for row, item in numbered:
        if not isinstance(item, dict):
            raise MalformedInputError(
                "this is not a JSON object",
                file=file,
                row=row,
                hint='each segment must look like {"id": "…", "text": "…"}',
            )
        yield row, item


def _parse(file: str, row: int, text: str) -> Any:  # noqa: ANN401 - it is whatever the JSON says
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        line = row + error.lineno - 1 if isinstance(error, json.JSONDecodeError) else row
        raise MalformedInputError(f"the JSON is broken ({error})", file=file, row=line) from error


def _as_text(value: Any) -> str:  # noqa: ANN401
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
