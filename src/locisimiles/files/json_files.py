"""Read and write JSON; errors name the file and the row."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.errors import MalformedInputError, UnsafeInputError
from locisimiles.files.decoding import split_lines
from locisimiles.files.limits import VARIABLE, current_limits
from locisimiles.files.raw import read_raw
from locisimiles.files.writing import atomic

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from importlib.resources.abc import Traversable

__all__ = ["json_lines", "json_number", "json_objects", "json_text", "list_in", "parse_json",
           "read_json", "read_json_object", "write_json"]  # fmt: skip

_DIGITS = 6
# A string that never ends goes to the end, or each of its quotation marks would be tried.
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]+")


def json_number(value: float) -> float | None:
    """Return a number with six decimals; None for what JSON cannot write.

    Examples
    --------
    >>> json_number(1 / 3), json_number(float("nan"))
    (0.333333, None)
    """
    return round(float(value), _DIGITS) if math.isfinite(value) else None


def read_json(path: Path | Traversable) -> object:
    """Read a JSON file; raise an InputError if it cannot be read or is not JSON."""
    try:
        data = read_raw(path).data if isinstance(path, Path) else path.read_bytes()
        return parse_json(data.decode("utf-8"), str(path))
    except UnicodeDecodeError as error:
        raise MalformedInputError("files.not_text", file=str(path), encoding="UTF-8") from error


def read_json_object(path: Path | Traversable) -> dict[str, Any]:
    """Read a JSON object; raise an InputError if the file holds anything else."""
    content = read_json(path)
    if not isinstance(content, dict):
        raise MalformedInputError("files.not_json_object", file=str(path))
    return content


def write_json(path: Path, content: object, *, sort_keys: bool = False) -> None:
    """Write an indented JSON file; see `atomic`."""
    with atomic(path) as stream:
        json.dump(content, stream, ensure_ascii=False, indent=1, sort_keys=sort_keys)
        stream.write("\n")


def parse_json(text: str, file: str, row: int = 1) -> Any:  # noqa: ANN401 - whatever the text holds
    """Parse JSON that begins in a row of a file, or raise a MalformedInputError.

    JSON with too many values raises an UnsafeInputError, for each takes 30 times its two letters;
    so does JSON that is nested too deeply: what goes through it would need as much of the stack.
    """
    limits = current_limits()
    most, depth = limits.cells, limits.depth
    if len(text) > depth and _is_deeper(text, depth):
        raise UnsafeInputError(
            "files.json_too_deep", file=file, row=row, most=depth, variable=VARIABLE
        )
    if len(text) > most and text.count(",") + text.count("[") + text.count("{") > most:
        raise UnsafeInputError(
            "files.too_many_values", file=file, row=row, most=most, variable=VARIABLE
        )
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        line = row + error.lineno - 1 if isinstance(error, json.JSONDecodeError) else row
        raise MalformedInputError(
            "files.json_broken", file=file, row=line, reason=str(error)
        ) from error


def _is_deeper(text: str, most: int) -> bool:
    if text.count("[") + text.count("{") <= most:
        return False
    depth = 0
    for found in _BRACKET.finditer(_STRING.sub('""', text)):
        run = found[0]
        # Within a run, brackets may close before others open; no more can be open than this.
        if depth + len(run) > most:
            for bracket in run:
                depth += 1 if bracket in "[{" else -1
                if depth > most:
                    return True
        else:
            depth += 2 * (run.count("[") + run.count("{")) - len(run)
    return False


def json_lines(text: str, file: str) -> Iterator[tuple[int, Any]]:
    """Yield the row and the value of each line that is not empty."""
    limits = current_limits()
    short = min(limits.depth, limits.cells)  # nothing in fewer letters is too deep, or too many
    for row, line in enumerate(split_lines(text), start=1):
        if len(line) <= short:
            try:
                yield row, json.loads(line)
                continue
            except (ValueError, RecursionError):
                pass
        if line.strip():
            yield row, parse_json(line, file, row)


def json_objects(
    values: Iterable[tuple[int, Any]], file: str
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield numbered values; raise a MalformedInputError for one that is not an object."""
    for row, value in values:
        if not isinstance(value, dict):
            raise MalformedInputError("files.not_json_object", file=file, row=row)
        yield row, value


def json_text(value: object) -> str:
    """Return a value of a JSON or Parquet file as the text of a cell.

    Examples
    --------
    >>> json_text("arma"), json_text(None), json_text([1, True])
    ('arma', '', '[1, true]')
    """
    if isinstance(value, bool | float | list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return "" if value is None else str(value)


def list_in(content: object, name: str, path: Path) -> list[Any]:
    """Return a list in a JSON object by name, or raise a MalformedInputError."""
    items = content.get(name) if isinstance(content, dict) else None
    if not isinstance(items, list):
        raise MalformedInputError("files.no_list", file=str(path), name=name)
    return items
