"""The position of a reader in the results, and what the keys do; knows nothing of pages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.results import ABOUT_OTHERS, ResultFigures, ResultFilter, ResultTable

if TYPE_CHECKING:
    from locisimiles.app.judging.verdicts import StoredJudgement
    from locisimiles.app.projects.project import Project, TextTable

__all__ = ["KEYS", "Adjudication", "Workspace"]

KEYS = {"c": "cit.", "f": "cf.", "r": "reject", "u": "unsure"}
"""The key of each verdict."""


class Workspace:
    """What one reader is looking at: a filter, an order, and a pair."""

    def __init__(self, project: Project, reader: str = "") -> None:
        self.project, self.reader = project, reader
        self.search: int | None = None  # the search to read; None is the newest with results
        self.wanted, self.backwards = ResultFilter(), False
        self._order = ""  # as the reader chose it
        # The last row that lists show: what a running search adds must not move them.
        self.until: int | None = None
        self.columns: tuple[str, ...] | None = None  # of the table; None for the usual ones
        # Of the charts: logarithmic counts, and only judged pairs; None for what suits the numbers.
        self.logarithmic: bool | None = None
        self.only_judged: bool | None = None
        self.row: int | None = None  # the current pair; None if no pair meets the filter
        self.query = 0  # the position of the current query segment
        self.advance = True  # whether a verdict moves on to the next pair
        # Whether the results have probabilities, and whether their ranking was learnt.
        self.has_probabilities = self.learnt = False

    @property
    def order(self) -> str:
        """The order of pairs: the chosen one, or the most probable first, or that of the text."""
        return self._order or ("probability" if self.has_probabilities else "reading")

    @order.setter
    def order(self, order: str) -> None:
        self._order = order

    @property
    def has_place(self) -> bool:
        """Whether there is an order to remember: one was chosen, or there are results."""
        return bool(self._order) or self.searched is not None

    @property
    def results(self) -> ResultTable:
        """The results of the search, as the reader sees them."""
        return ResultTable(self.project.database, self.reader, self.search)

    @property
    def searched(self) -> int | None:
        """The number of the search that is read; None if there is none."""
        return self.project.searched(self.search)

    @property
    def is_blind(self) -> bool:
        """Whether what other readers say is hidden."""
        return Judging(self.project).is_blind(self.reader)

    def forget_hidden(self) -> None:
        """Drop a filter that tells what other readers say, if that is hidden."""
        if self.wanted.status in ABOUT_OTHERS and self.is_blind:
            self.wanted = replace(self.wanted, status=None)

    def has_search(self, number: int) -> bool:
        """Tell whether the project has a search with this number."""
        return self.project.has_search(number)

    @property
    def texts(self) -> TextTable:
        """The texts that the search was made of."""
        return self.project.texts_of(self.searched)

    @property
    def address(self) -> dict[str, object]:
        """The search and the filter, as parts of an address."""
        chosen = {} if self.search is None else {"search": self.search}
        return {**self.wanted.as_dict(), **chosen, "reader": self.reader}

    def choose_search(self, number: int | None, *, not_in: int | None = None) -> None:
        """Read another search from its first pair; with `not_in`, what that search did not find."""
        self.search, self.wanted = number, ResultFilter(not_in=not_in)
        self.has_probabilities = self.results.has_probabilities()
        self.begin()

    def begin(self) -> None:
        """Go to the first pair."""
        self.go_to(self._first(backwards=self.backwards))

    def _first(self, *, backwards: bool) -> int | None:
        found = self.results.rows(self.wanted, order=self.order, backwards=backwards, limit=1)
        return found[0] if found else None

    def position(self) -> int | None:
        """Return how many pairs stand before this one in the list; None if it is not there."""
        if self.row is None:
            return None
        return self.listed.position(
            self.row, self.wanted, order=self.order, backwards=self.backwards
        )

    @property
    def listed(self) -> ResultTable:
        """The results that lists show."""
        return ResultTable(self.project.database, self.reader, self.search, self.until)

    def freeze(self, *, running: bool) -> None:
        """Let lists show all results there are; while a search is running, no later ones."""
        figures = ResultFigures(self.project.database, self.reader, self.search)
        self.until = figures.last_row() if running else None

    def count_new(self) -> int:
        """Return how many pairs a search has added that lists do not show yet."""
        if self.until is None:
            return 0
        return max(self.results.count(self.wanted) - self.listed.count(self.wanted), 0)

    def go_to(self, row: int | None) -> None:
        """Go to a pair."""
        self.row = row
        if row is not None:
            self.query = int(str(self.results.pair(row).row["query"]))

    def go_to_query(self, position: int) -> None:
        """Go to the first pair of a query segment; to the segment alone if it has none."""
        self.query = position
        rows = self.results.rows(replace(self.wanted, query=position), limit=1)
        self.row = rows[0] if rows else None

    def move(self, *, backwards: bool = False) -> bool:
        """Go to the next pair, or the previous one; return whether there is one."""
        row = self._neighbour(backwards=backwards)
        if row is not None:
            self.go_to(row)
        return row is not None

    def narrow(self, **changes: Any) -> None:  # noqa: ANN401 - the fields of a filter
        """Change the filter; stay with the pair if it still meets it."""
        self.wanted = replace(self.wanted, **changes)
        self.stay_or_begin()

    def stay_or_begin(self) -> None:
        """Stay with the pair if it meets the filter, else go to the first."""
        if self.row is None or not self.results.has(self.row, self.wanted):
            self.begin()

    def stay_if_there(self) -> bool:
        """Stay with the pair or the segment; return False if the pair is gone.

        Then the reader is at the first pair.
        """
        if self.row is not None:
            there = self.results.has(self.row, ResultFilter())
            if not there:
                self.begin()
            return there
        if self.query:
            self.go_to_query(self.query)
        else:
            self.begin()
        return True

    def judge(self, verdict: str | None) -> None:
        """Store a verdict on the pair, and move on."""
        if self.row is None:
            return
        # The verdict may move the pair in the order, so the next one is looked up before.
        following = self._neighbour() if self.advance and verdict is not None else None
        row = self.results.pair(self.row).row
        Judging(self.project).judge(
            str(row["query_id"]), str(row["source_id"]), reader=self.reader, verdict=verdict
        )
        if following is not None:
            self.go_to(following)

    @property
    def pair(self) -> tuple[str, str] | None:
        """The ids of the current pair."""
        if self.row is None:
            return None
        row = self.results.pair(self.row).row
        return str(row["query_id"]), str(row["source_id"])

    def note_on(self, pair: tuple[str, str]) -> str:
        """Return the reader's note on a pair."""
        return Judging(self.project).find(*pair, reader=self.reader).note

    def write_note(self, note: str, pair: tuple[str, str], *, continues: bool = False) -> bool:
        """Store a note on a pair; return whether it has changed.

        One that `continues` what the reader has just written is undone with it. The pair may be
        gone: a search that ends drops what it does not keep, but never a note.
        """
        if note == self.note_on(pair):
            return False
        Judging(self.project).judge(*pair, reader=self.reader, note=note, continues=continues)
        return True

    def undo(self) -> bool:
        """Undo the reader's last change, and go there; return whether there was one."""
        return self._follow(Judging(self.project).undo(self.reader))

    def redo(self) -> bool:
        """Redo what the reader undid last, and go there; return whether there was something."""
        return self._follow(Judging(self.project).redo(self.reader))

    def _follow(self, changed: StoredJudgement | None) -> bool:
        if changed is None:
            return False
        row = self.results.find(changed.query_id, changed.source_id)
        if row is not None:
            self.go_to(row)
        return True

    def _neighbour(self, *, backwards: bool = False) -> int | None:
        """Return the pair after this one, or before it; None at the end."""
        if self.row is None:
            return self._first(backwards=backwards != self.backwards)
        found = self.results.neighbour(
            self.row, self.wanted, order=self.order, backwards=backwards != self.backwards
        )
        # In the order of the text a pair keeps its place, also if it no longer meets the filter
        # because it was judged.
        if found is not None or self.order == "reading":
            return found
        if self.results.has(self.row, self.wanted):
            return None
        return self._first(backwards=backwards != self.backwards)


class Adjudication:
    """The pairs on which readers disagree, and the decisions on them.

    They are those that the filter leaves, in the order that the reader has chosen.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._judging = Judging(workspace.project)

    def rows(self) -> list[int]:
        """Return the rows of all pairs on which readers disagree, decided or not."""
        return self._rows("disagreement")

    def undecided(self) -> list[int]:
        """Return the rows of those that are not decided yet."""
        return self._rows("undecided")

    def begin(self) -> tuple[int, int]:
        """Stay with a pair on which readers disagree, else go to the first that is undecided.

        Return the number of disagreements, and of those that are decided.
        """
        rows, left = self.rows(), self.undecided()
        if rows and self._workspace.row not in rows:
            self._workspace.go_to([*left, *rows][0])
        return len(rows), len(rows) - len(left)

    def move(self, *, backwards: bool = False) -> bool:
        """Go to the next disagreement, or the previous one; return whether there is one."""
        rows = self.rows()
        if self._workspace.row not in rows:
            return False
        at = rows.index(self._workspace.row) + (-1 if backwards else 1)
        if not 0 <= at < len(rows):
            return False
        self._workspace.go_to(rows[at])
        return True

    def judgements(self) -> list[StoredJudgement]:
        """Return what all readers said of the pair."""
        pair = self._workspace.pair
        return self._judging.of_pair(*pair) if pair else []

    def decision(self) -> StoredJudgement | None:
        """Return the decision on the pair, which may have no verdict; None if there is no pair."""
        pair = self._workspace.pair
        return self._judging.decision(*pair) if pair else None

    def decide(self, verdict: str | None) -> None:
        """Decide on the pair, and move on to the next that is undecided."""
        pair = self._workspace.pair
        if pair is None:
            return
        row, rows = self._workspace.row, self.rows()
        self._judging.decide(*pair, reader=self._workspace.reader, verdict=verdict)
        if verdict is None or not self._workspace.advance:
            return
        left = set(self.undecided())
        at = rows.index(row) + 1 if row in rows else 0
        following = next((one for one in [*rows[at:], *rows[:at]] if one in left), None)
        if following is not None:
            self._workspace.go_to(following)

    def write_note(self, note: str, *, continues: bool = False) -> bool:
        """Store a note on the decision; return whether it has changed."""
        pair, before = self._workspace.pair, self.decision()
        if pair is None or before is None or note == before.note:
            return False
        self._judging.decide(*pair, reader=self._workspace.reader, note=note, continues=continues)
        return True

    def _rows(self, status: str) -> list[int]:
        workspace = self._workspace
        rows = workspace.results.rows(
            replace(workspace.wanted, status=status),
            order=workspace.order,
            backwards=workspace.backwards,
        )
        if workspace.wanted.status in (None, status):
            return rows
        # The status that the reader filters by is a further condition.
        others = set(workspace.results.rows(workspace.wanted))
        return [row for row in rows if row in others]
