"""Statements about results are written once; here is all that is said in two ways.

Results lie in tables of the project, or in a file of pairs beside it, which DuckDB reads. The two
differ in how a judgement finds its pair: the tables compare ids, through an index; in a file of
millions, judgements know the row of their pair. They also differ in arithmetic, and in how a list
of numbers is given.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["PAIRS", "TABLES", "Wording"]


@dataclass(frozen=True, slots=True)
class Wording:
    """How results are asked for.

    Attributes
    ----------
    judged
        Whether a row is, or is not, among those of which a reader (``?``) said something.
    same_pair
        That a judgement, or decision, and a result are about the same pair.
    pair
        What tells a pair from others, of a result.
    pair_judged
        The same, of a judgement or decision.
    numbers
        The whole numbers of a list in JSON (``?``).
    has_position
        That the position of a segment is among those of a list (``?``), as `listed` writes it.
    cut
        A number without what follows its point.
    quotient
        The whole quotient of two whole numbers that are not negative.
    works
        Author and work of both segments: columns, or the number of these four.
    by_works
        Figures of results by ``{works}``, and before by ``{parts}``; ``{found}`` says of which.
    parallels
        How many sources with nearly the same words stand beneath a result.
    lists_bits
        Whether a list of positions has a digit for each segment.
    """

    judged: str
    same_pair: str
    pair: str
    pair_judged: str
    numbers: str
    has_position: str
    cut: str
    quotient: str
    works: str
    by_works: str
    parallels: str
    lists_bits: bool

    def judged_rows(self, way: str, verdict: str) -> str:
        """Return whether a row is among those with a verdict: ``IN`` or ``NOT IN``.

        Examples
        --------
        >>> PAIRS.judged_rows("IN", "= 'cf.'")
        "result.row IN (SELECT said.row FROM judgement said WHERE said.reader = ? AND \
said.verdict = 'cf.')"
        """
        return self.judged.format(way=way, verdict=verdict)

    def listed(self, positions: NDArray[np.int64], count: int) -> str:
        """Return positions as one value of a statement, given the number of segments.

        Examples
        --------
        >>> TABLES.listed(np.array([1, 3]), 5), PAIRS.listed(np.array([1, 3]), 5)
        ('[1, 3]', '01010')
        """
        if not self.lists_bits:
            return json.dumps(positions.tolist())
        digits = np.full(max(count, 1), ord("0"), np.uint8)
        digits[positions] = ord("1")
        return digits.tobytes().decode("ascii")


_WORKS = "result.query_author, result.query_work, result.source_author, result.source_work"

TABLES = Wording(
    # Found from the judgements, which are fewer than the results. Since it asks for rows alone, a
    # walk through any index looks up nothing in the table. SQLite begins with the first table of a
    # cross join.
    judged=(
        "result.row {way} (SELECT judged.row FROM judgement said CROSS JOIN result judged "
        "WHERE said.reader = ? AND said.verdict {verdict} "
        "AND judged.search IN (SELECT number FROM search) "
        "AND judged.query_id = said.query_id AND judged.source_id = said.source_id)"
    ),
    same_pair="{table}.query_id = result.query_id AND {table}.source_id = result.source_id",
    pair="(result.query_id, result.source_id)",
    pair_judged="query_id, source_id",
    numbers="(SELECT value FROM json_each(?))",
    has_position="{column} IN (SELECT value FROM json_each(?))",
    cut="CAST({} AS INTEGER)",
    quotient="{} / {}",
    works=_WORKS,
    # Parts before works: no index of works then promises to be of use.
    by_works=f"SELECT {_WORKS}, {{figures}} FROM {{found}} GROUP BY {{parts}}{_WORKS}",  # noqa: S608
    parallels=(
        "(SELECT COUNT(*) FROM result beneath WHERE beneath.search = result.search "
        "AND beneath.query = result.query AND beneath.parallel_to = result.source_id)"
    ),
    lists_bits=False,
)
"""For SQLite and PostgreSQL, between which `locisimiles.app.storage.dialect` translates."""

PAIRS = Wording(
    judged=(
        "result.row {way} (SELECT said.row FROM judgement said "
        "WHERE said.reader = ? AND said.verdict {verdict})"
    ),
    same_pair="{table}.row = result.row",
    pair="result.row",
    pair_judged="row",
    numbers="(SELECT UNNEST(CAST(CAST(? AS JSON) AS BIGINT[])))",
    # A digit is found three times as fast as an entry of a table.
    has_position="get_bit(CAST(? AS BIT), {column}) = 1",
    cut="TRUNC({})",
    quotient="{} // {}",
    works="result.works",
    by_works=(
        "SELECT known.query_author, known.query_work, known.source_author, known.source_work, "
        "found.* EXCLUDE (works) FROM (SELECT result.works AS works, {figures} FROM {found} "
        "GROUP BY {parts}result.works) found JOIN works known ON known.number = found.works"
    ),
    parallels="0",  # a compact file has no groups of parallel sources
    lists_bits=True,
)
"""For DuckDB, of a file of pairs."""
