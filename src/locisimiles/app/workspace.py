"""Where a reader stands in a result set, and what the keys do; knows nothing of pages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.results.filters import ResultFilter
from locisimiles.app.results.table import Found

if TYPE_CHECKING:
    from locisimiles.app.projects.project import Project

__all__ = ["KEYS", "Workspace"]

KEYS = {"c": "cit.", "f": "cf.", "r": "reject", "u": "unsure"}
"""The key of each verdict."""


class Workspace:
    """What one reader has before them: a selection, an order, and a pair in it.

    Parameters
    ----------
    project
        What is read.
    reader
        Who reads.

    Attributes
    ----------
    selection, order, turned
        Which results, and how ordered; whether the order is turned round.
    row
        The pair before the reader; None if the selection is empty.
    query
        The position of the query segment before the reader.
    advance
        Whether a verdict goes on to the next pair.
    """

    def __init__(self, project: Project, reader: str = "") -> None:
        self.project, self.reader = project, reader
        self.selection, self.order, self.turned = ResultFilter(), "reading", False
        self.row: int | None = None
        self.query = 0
        self.advance = True

    @property
    def found(self) -> Found:
        """The results, as the reader sees them."""
        return Found(self.project, self.reader)

    def begin(self) -> None:
        """Go to the first pair."""
        self.go_to(self.found.first(self.selection, order=self.order, backwards=self.turned))

    def rows(self) -> list[int]:
        """Return the numbers of all pairs of the selection, in order."""
        return self.found.rows(self.selection, order=self.order, backwards=self.turned)

    def go_to(self, row: int | None) -> None:
        """Go to a pair."""
        self.row = row
        if row is not None:
            self.query = int(str(self.found.pair(row).row["query"]))

    def go_to_query(self, position: int) -> None:
        """Go to the first pair of a query segment; to the segment alone if it has none."""
        self.query = position
        rows = self.found.rows(replace(self.selection, query=position))
        self.row = rows[0] if rows else None

    def move(self, *, backwards: bool = False) -> bool:
        """Go to the next pair, or the one before; return whether there is one."""
        row = self._beside(backwards=backwards)
        if row is not None:
            self.go_to(row)
        return row is not None

    def narrow(self, **changes: Any) -> None:  # noqa: ANN401 - the fields of a selection
        """Change the selection; stay with the pair if it is still there."""
        self.selection = replace(self.selection, **changes)
        self.stay_or_begin()

    def stay_or_begin(self) -> None:
        """Stay with the pair if the selection has it, else go to the first."""
        if self.row is None or not self.found.has(self.row, self.selection):
            self.begin()

    def stay_if_there(self) -> None:
        """Stay with the pair if there still is one of its number, else go to the first."""
        if self.row is None or not self.found.has(self.row, ResultFilter()):
            self.begin()

    def judge(self, verdict: str | None) -> None:
        """Keep a verdict on the pair, and go on."""
        if self.row is None:
            return
        # The verdict may put the pair elsewhere in the order, so the next is found before.
        following = self._beside() if self.advance and verdict is not None else None
        row = self.found.pair(self.row).row
        Judging(self.project).judge(
            str(row["query_id"]), str(row["source_id"]), reader=self.reader, verdict=verdict
        )
        if following is not None:
            self.go_to(following)

    def write_note(self, note: str) -> None:
        """Keep a note on the pair."""
        if self.row is None:
            return
        row = self.found.pair(self.row).row
        if note != (row["note"] or ""):
            Judging(self.project).judge(
                str(row["query_id"]), str(row["source_id"]), reader=self.reader, note=note
            )

    def undo(self) -> bool:
        """Take back what the reader did last, and go there; return whether there was something."""
        undone = Judging(self.project).undo(self.reader)
        if undone is None:
            return False
        with self.project.database.reading() as connection:
            row = connection.execute(
                "SELECT row FROM result WHERE query_id = ? AND source_id = ?",
                [undone.query_id, undone.source_id],
            ).fetchone()
        if row is not None:
            self.go_to(row["row"])
        return True

    def _beside(self, *, backwards: bool = False) -> int | None:
        """Return the pair after this one, or before it; None at the end of the selection."""
        if self.row is not None and self.order == "reading":
            # Also if it has just left the selection (it was judged): the text goes on from there.
            return self.found.beside(self.row, self.selection, backwards=backwards != self.turned)
        rows = self.rows()
        if self.row in rows:
            at = rows.index(self.row) + (-1 if backwards else 1)
            return rows[at] if 0 <= at < len(rows) else None
        return rows[-1 if backwards else 0] if rows else None
