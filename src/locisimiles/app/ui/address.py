"""What a page shows, as its address: reloading returns to it, and a link leads others there."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from locisimiles.app.results import ORDERS, ResultFilter
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.app.workspace import Workspace

__all__ = ["address_of", "go_to_place", "read_address", "read_choices"]

_NAMELESS = "\u2400"  # an author or a work without a name; empty values get lost in addresses
_FILTERS = tuple(name for name in ResultFilter.__dataclass_fields__ if name != "query")
_NUMBERS = ("least_probability", "least_score", "most_rarity", "best", "not_in")
_LONGEST_NUMBER = 12  # no database has to count further


def read_address(search: str) -> dict[str, str]:
    """Return the values of the part of an address after the question mark.

    Examples
    --------
    >>> read_address("?view=table&best=3")
    {'view': 'table', 'best': '3'}
    """
    return dict(parse_qsl(search.removeprefix("?")))


def address_of(view: str, workspace: Workspace) -> str:
    """Return the part of an address after the path: a view, and what a reader sees in it."""
    filters = {
        name: _NAMELESS if value == "" else value
        for name, value in workspace.wanted.as_dict().items()
        if name in _FILTERS
    }
    values: dict[str, object] = {"view": view, **filters}
    if workspace.has_place:
        values["order"] = workspace.order
    if workspace.search is not None:
        values["search"] = workspace.search
    if workspace.backwards:
        values["backwards"] = "true"
    if workspace.columns is not None:
        values["columns"] = " ".join(workspace.columns)
    if workspace.row is not None:
        row = workspace.results.pair(workspace.row).row
        values |= {"from": row["query_id"], "to": row["source_id"]}
    elif workspace.query:
        values["segment"] = workspace.query + 1
    return f"?{urlencode(values)}"


def read_choices(values: Mapping[str, str], workspace: Workspace) -> None:
    """Take filters, order and columns from an address; what makes no sense is left out."""
    search = values.get("search", "")
    short = search.isdecimal() and len(search) <= _LONGEST_NUMBER
    workspace.search = int(search) if short and workspace.has_search(int(search)) else None
    read: dict[str, object] = {}
    for name in _FILTERS:
        value = values.get(name, "")
        if "\0" in value or (name in _NUMBERS and len(value) > _LONGEST_NUMBER):
            continue
        try:
            read |= ResultFilter.from_mapping({name: value}).as_dict()
        except ParameterError:
            continue
    named = {name: "" if value == _NAMELESS else value for name, value in read.items()}
    workspace.wanted = ResultFilter(**named)  # type: ignore[arg-type]
    workspace.forget_hidden()
    order = values.get("order", "")
    if order in ORDERS:
        workspace.order, workspace.backwards = order, values.get("backwards") == "true"
    columns = values.get("columns")
    workspace.columns = None if columns is None else tuple(columns.split())


def go_to_place(values: Mapping[str, str], workspace: Workspace) -> None:
    """Go to the pair or the segment of an address; to the first pair if it is not there."""
    pair = values.get("from", ""), values.get("to", "")
    row = workspace.results.find(*pair) if all(pair) and "\0" not in "".join(pair) else None
    segment = values.get("segment", "")
    if row is not None:
        workspace.go_to(row)
    elif segment.isdecimal() and 0 < int(segment) <= workspace.texts.count("query"):
        workspace.go_to_query(int(segment) - 1)
    else:
        workspace.begin()
