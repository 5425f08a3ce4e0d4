"""The cells of a table as columns of text, whose rows are made when they are asked for."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, overload

from locisimiles.errors import MissingColumnError
from locisimiles.files.raw import printable
from locisimiles.files.text_columns import TextColumn, TextColumnWriter

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Table", "TableRow", "TableRows", "TableWriter", "listed_columns"]

_AT_ONCE = 65_536  # cells that wait as objects


class TableRow(NamedTuple):
    """The number of a row, as spreadsheets and editors count, and its cells by column."""

    number: int
    cells: dict[str, str]


@dataclass(frozen=True, slots=True)
class TableRows(Sequence[TableRow]):
    """The rows of a table; each is built when it is asked for."""

    cells: Mapping[str, TextColumn]
    numbers: Sequence[int]

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, key: int) -> TableRow: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[TableRow, ...]: ...
    def __getitem__(self, key: int | slice) -> TableRow | tuple[TableRow, ...]:
        if isinstance(key, slice):
            return tuple(self[row] for row in range(*key.indices(len(self))))
        cells = {name: column[key] for name, column in self.cells.items()}
        return TableRow(self.numbers[key], cells)

    def __iter__(self) -> Iterator[TableRow]:
        names = tuple(self.cells)
        for number, *cells in zip(self.numbers, *self.cells.values(), strict=True):
            yield TableRow(number, dict(zip(names, cells, strict=True)))


@dataclass(frozen=True, slots=True)
class Table:
    """The cells of a file by column, all as text, and the number of each row."""

    file: str
    cells: Mapping[str, TextColumn]
    numbers: Sequence[int]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.cells)

    @property
    def rows(self) -> TableRows:
        """The rows, which are made one at a time."""
        return TableRows(self.cells, self.numbers)

    def column(self, names: Sequence[str]) -> str | None:
        """Return the first of these names that is a column of the table.

        Examples
        --------
        >>> none = TextColumn.of([])
        >>> Table("labels.csv", {"fold_id": none, "label": none}, ()).column(["fold", "fold_id"])
        'fold_id'
        """
        return next((name for name in names if name in self.cells), None)

    def require(self, names: Sequence[str]) -> str:
        """Return the first of these names that is a column, or raise a MissingColumnError."""
        column = self.column(names)
        if column is None:
            raise MissingColumnError(
                "files.no_column",
                file=self.file,
                row=1,
                name=names[0],
                columns=listed_columns(self.columns),
                names=list(names),
            )
        return column


class TableWriter:
    """Makes a table row by row; a row may lack columns, which are then empty.

    Examples
    --------
    >>> writer = TableWriter()
    >>> writer.add(1, ("id",), ["a"])
    >>> writer.add(3, ("id", "text"), ["b", "arma"])
    >>> list(writer.table("a.csv").rows)[0]
    TableRow(number=1, cells={'id': 'a', 'text': ''})
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._writers = {name: TextColumnWriter() for name in names}
        self._numbers = array("q")
        self._names: Sequence[str] = ()
        self._waiting: list[Sequence[str]] = []
        self._joined = 0

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, number: int, names: Sequence[str], cells: Sequence[str]) -> None:
        """Append a row with as many cells as names; of equal names, the last one counts."""
        if names != self._names:
            self._join()
            self._names = names
        self._waiting.append(cells)
        self._numbers.append(number)
        if len(self._waiting) * len(names) >= _AT_ONCE:
            self._join()

    def table(self, file: str) -> Table:
        """Return the table; the writer is of no more use."""
        self._join()
        columns = {}
        for name in tuple(self._writers):
            writer = self._writers.pop(name)
            writer.fill(len(self))
            columns[name] = writer.column()
        return Table(file, columns, self._numbers)

    def _join(self) -> None:
        if self._waiting:
            places = {name: place for place, name in enumerate(self._names)}
            columns = tuple(zip(*self._waiting, strict=True))
            for name in dict.fromkeys(self._names):
                writer = self._writers.setdefault(name, TextColumnWriter())
                writer.fill(self._joined)
                writer.extend(columns[places[name]])
        self._joined, self._waiting = len(self._numbers), []


def listed_columns(names: Iterable[str]) -> list[str]:
    """Return names of columns for a message."""
    return [printable(name) for name in names if name.strip()] or ["–"]
