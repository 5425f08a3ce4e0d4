"""Walks through many results: the same rows as without short cuts, and none looked up in vain."""

import pytest

from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.results import ORDERS, ResultFilter, ResultTable
from locisimiles.app.storage.sqlite import SqliteDatabase
from locisimiles.app.storage.tables import results
from locisimiles.app.storage.tables.selected import SelectedResults

FILTERS = (
    ResultFilter(),
    ResultFilter(source_author="Virgil"),
    ResultFilter(status="unjudged", best=3),
    ResultFilter(status="judged"),
    ResultFilter(words="uox"),
    ResultFilter(least_probability=0.3),
)
# So many results count as many: the filter then finds few of them, or many.
FEW, MANY = 100, 0


@pytest.fixture
def judged(searched):
    """Return results with probabilities but for some, and verdicts of two readers."""
    with searched.database.writing() as connection:
        connection.execute("UPDATE result SET probability = (row % 7) / 7.0 WHERE row % 5 > 0")
    found = ResultTable(searched.database, "Ann")
    judging = Judging(searched)
    for row in found.page(limit=30).rows[::3]:
        pair = row["query_id"], row["source_id"]
        judging.judge(*pair, reader="Ann", verdict=("cf.", "reject", None)[row["row"] % 3])
        judging.judge(*pair, reader="Ann", note="seen")
        judging.judge(*pair, reader="Bob", verdict="cit.")
    return found


def everything_about(found, wanted, order):
    """Return all rows in both directions, and what stands beside two of them, and before."""
    half = found.count(wanted) // 2 + 1
    listed = [
        row["row"]
        for at in (0, half)
        for row in found.page(wanted, order=order, offset=at, limit=half).rows
    ]
    some = listed[half - 1], 1
    return (
        listed,
        found.rows(wanted, order=order, backwards=True),
        [found.neighbour(row, wanted, order=order) for row in some],
        [found.position(row, wanted, order=order) for row in some],
    )


@pytest.mark.parametrize("wanted", FILTERS, ids=lambda one: str(one.as_dict()))
def test_short_cuts_change_nothing(judged, monkeypatch, wanted):
    assert judged.count() > FEW > judged.count(ResultFilter(status="judged")) > MANY
    for order in ORDERS:
        plain = everything_about(judged, wanted, order)
        assert len(set(plain[0])) == judged.count(wanted)
        assert plain[1] == plain[0][::-1]
        for least in (FEW, MANY):
            with monkeypatch.context() as patched:
                patched.setattr(results, "_MANY", least)
                assert everything_about(judged, wanted, order) == plain, order


@pytest.fixture
def plans(judged, monkeypatch):
    """Return the plans of the statements that SQLite ran."""
    if not isinstance(judged._database, SqliteDatabase):
        pytest.skip("plans of SQLite")
    plans, select = [], SelectedResults._select

    def explained(self, connection, columns, rest, values):
        sql, given = self._sql(connection, columns, rest, values)
        told = connection.execute(f"EXPLAIN QUERY PLAN {sql}", given).fetchall()
        plans.append([line["detail"] for line in told])
        return select(self, connection, columns, rest, values)

    monkeypatch.setattr(SelectedResults, "_select", explained)
    return plans


def steps(plans, table):
    return [line for plan in plans for line in plan if line.split()[1] == table]


def test_the_most_informative_pairs_are_found_in_their_index(judged, plans):
    judged.page(order="informative", offset=20, limit=5)
    walks = [plan for plan in plans if steps([plan], "said")]
    assert walks
    # No verdict is looked up for each result, but each judgement of the reader once.
    assert all("result_by_doubt (search=? AND <expr>" in plan[0] for plan in walks)
    assert not [plan for plan in walks if any("mine" in line for line in plan)]
    assert all("judgement_by_reader" in line for line in steps(plans, "said"))
    assert all("query_id=? AND source_id=?" in line for line in steps(plans, "judged"))


@pytest.mark.parametrize("order", ["rarity", "score", "source_author", "shared", "type"])
@pytest.mark.parametrize("wanted", FILTERS[1:], ids=lambda one: str(one.as_dict()))
def test_a_filter_looks_up_nothing_in_a_walk(judged, plans, monkeypatch, order, wanted):
    monkeypatch.setattr(results, "_MANY", MANY)
    judged.page(wanted, order=order, offset=1, limit=5)
    # What lists the rows reads indexes alone; the page itself looks up its five rows.
    reading = steps(plans[:-1], "result")
    assert reading
    assert [line for line in reading if "COVERING" not in line and "<expr>" not in line] == []
