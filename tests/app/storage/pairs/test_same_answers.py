"""Pairs in a file answer every question as the same pairs in the tables do."""

from contextlib import ExitStack

import pytest
from tests.app.conftest import search_here
from tests.app.storage.pairs.conftest import NOT_FOR_PAIRS, written

from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.projects.inputs import use_example
from locisimiles.app.results import ORDERS, ResultFigures, ResultFilter, ResultTable
from locisimiles.app.results.places import find_places
from locisimiles.app.results.statistics import compute_statistics
from locisimiles.app.results.summary import compute_summary
from locisimiles.app.search.importing import import_pairs
from locisimiles.app.storage.pairs import connection as pairs_connection
from locisimiles.app.storage.pairs.connection import PairsConnection
from locisimiles.app.storage.tables import words as words_of_texts
from locisimiles.app.storage.tables.figures import ResultFigures as Figures
from locisimiles.app.storage.tables.places import PlaceTable

# A job keeps no words in common, so these orders have nothing to order by.
COMPARED = sorted(set(ORDERS) - {"rarity", "shared"})
FILTERS = {
    "none": ResultFilter(),
    "author": ResultFilter(source_author="Virgil"),
    "work": ResultFilter(source_author="Virgil", source_work="Aeneid"),
    "probable": ResultFilter(least_probability=0.3),
    "scores": ResultFilter(least_score=0.2, best=3),
    "type": ResultFilter(type="cf."),
    "words": ResultFilter(words="omnia"),
    "segment": ResultFilter(query=4),
    "once": ResultFilter(parallels="once"),
    **{
        status: ResultFilter(status=status)
        for status in (
            "unjudged",
            "judged",
            "accepted",
            "cf.",
            "disagreement",
            "undecided",
            "decided",
        )
    },
}
KEPT = (
    "query", "source", "rank", "score", "probability", "shipped", "type", "query_id", "source_id",
    "query_author", "query_work", "source_author", "source_work", "parallel_to", "verdict", "note",
    "alignment", "decision", "decided_by", "parallels", "query_text", "source_text", "query_locus",
    "source_locus", "query_marks", "source_marks",
)  # fmt: skip


@pytest.fixture
def judged(both):
    """Return both searches; of every pair in five, two readers have said something."""
    project, made, imported = both
    judging = Judging(project)
    pairs = ResultTable(project.database, search=made).page(limit=60).rows
    for at, row in enumerate(pairs[::5]):
        pair = row["query_id"], row["source_id"]
        judging.judge(*pair, reader="Ann", verdict=("cit.", "cf.", "reject", "unsure")[at % 4])
        judging.judge(*pair, reader="Ben", verdict="cf.", note="compare")
        if at % 3 == 0:
            judging.decide(*pair, reader="Ben", verdict="reject")
    return project, made, imported


def seen(rows):
    return [{name: row[name] for name in KEPT if name in row} for row in rows]


def tables(both, kind=ResultTable, reader="Ann"):
    project, *searches = both
    return [kind(project.database, reader, number) for number in searches]


@pytest.mark.parametrize("chosen", FILTERS)
def test_every_page_is_the_same(judged, chosen):
    here, there = tables(judged)
    for order in COMPARED:
        asked = {"order": order, "backwards": len(order) % 2 == 0, "offset": 2, "limit": 9}
        one = here.page(FILTERS[chosen], texts=True, **asked)
        other = there.page(FILTERS[chosen], texts=True, **asked)
        assert other.total == one.total
        assert seen(other.rows) == seen(one.rows), asked


def test_deep_pages_are_found_without_sorting(judged, monkeypatch):
    here, there = tables(judged)
    monkeypatch.setattr(pairs_connection, "_NEAR", 0)
    monkeypatch.setattr(pairs_connection, "_BUCKET", 2)
    for wanted in (ResultFilter(), ResultFilter(status="unjudged"), ResultFilter(best=2)):
        for order in COMPARED:
            for offset in (3, 40):
                backwards = len(order) % 2 == 1
                asked = {"order": order, "backwards": backwards, "offset": offset, "limit": 9}
                one, other = here.page(wanted, **asked), there.page(wanted, **asked)
                assert seen(other.rows) == seen(one.rows), (wanted, asked)


@pytest.mark.parametrize("order", COMPARED)
def test_the_next_pair_is_the_same(judged, order):
    here, there = tables(judged)
    rows = {row["row"]: (row["query_id"], row["source_id"]) for row in here.page().rows}
    for wanted in (ResultFilter(), ResultFilter(status="unjudged"), ResultFilter(best=2)):
        for row, pair in list(rows.items())[::19]:
            same = there.find(*pair)
            assert there.position(same, wanted, order=order) == here.position(
                row, wanted, order=order
            )
            one = here.neighbour(row, wanted, order=order)
            other = there.neighbour(same, wanted, order=order)
            assert (one is None) == (other is None)
            if one is not None:
                assert seen([there.pair(other).row]) == seen([here.pair(one).row])


@pytest.mark.parametrize("chosen", FILTERS)
def test_counts_and_figures_are_the_same(judged, chosen):
    project, made, imported = judged
    wanted = FILTERS[chosen]
    here, there = tables(judged)
    assert there.count(wanted) == here.count(wanted)
    assert there.links(wanted) == [{**row, "count": row["count"]} for row in here.links(wanted)]
    assert there.by_query(wanted) == here.by_query(wanted)
    one, other = (
        compute_statistics(project, wanted, reader="Ann", search=number)
        for number in (made, imported)
    )
    assert other == one
    names = ["query_id", "source_id", "verdict", "note", "cit", "cf"]
    for order in (None, "reading"):
        assert sorted(map(tuple, there.columns(names, wanted, order=order)), key=repr) == sorted(
            map(tuple, here.columns(names, wanted, order=order)), key=repr
        )


def test_other_figures_are_the_same(judged):
    project, _, imported = judged
    here, there = tables(judged, Figures)
    assert there.bars(5, 20) == here.bars(5, 20)
    for one, other in zip(here.stretches(3), there.stretches(3), strict=True):
        assert tuple(other) == pytest.approx(tuple(one))
    assert there.stretches(3, top=10) == here.stretches(3, top=10)
    for mine, theirs in zip(here.works(4), there.works(4), strict=True):
        assert theirs[:3] == mine[:3]
        assert theirs.weight == pytest.approx(mine.weight)
    assert there.count_segments() == here.count_segments()
    one, other = tables(judged)
    beside = [table.by_source(0, 30, limit=20) for table in (one, other)]
    assert [row.pop("alignment") for row in beside[1]] == [[]] * 20  # nobody sees it there
    for row in beside[0]:
        row.pop("alignment")
    assert seen(beside[1]) == seen(beside[0])
    for likely in (None, "probable", "best"):
        tables_of_places = tables(judged, PlaceTable)
        with ExitStack() as opened:
            one, other = (
                opened.enter_context(table.choose(None, likely)) for table in tables_of_places
            )
            assert {side: sorted(books) for side, books in other.books().items()} == {
                side: sorted(books) for side, books in one.books().items()
            }
            assert other.count() == one.count()
            assert [place[1:] for place in other.places(50)] == [
                place[1:] for place in one.places(50)
            ]
            most = 12  # fewer than there are, but for the coarsest cells of the last
            for number, widths in enumerate(((1, 1), (3, 5), (1, 2))):
                asked = widths, ((1,), (1,), (1, 2, 200))[number], (999, most, most)[number]
                # The file is read once for all that is coarser.
                assert {cell._replace(row=0) for cell in other.cells(*asked)} == {
                    cell._replace(row=0) for cell in one.cells(*asked)
                }
                other._connection._run("DROP TABLE cell", [])
    assert find_places(project, search=imported) is not None
    assert compute_summary(project, search=imported) is not None


@pytest.mark.parametrize(
    "condition",
    [
        *("result.query / 3 = 1", "CAST(result.score AS INTEGER) = 1"),
        "result.query IN (SELECT value FROM json_each('[1]'))",
        "(result.query_id, result.source_id) IN (SELECT query_id, source_id FROM judgement)",
    ],
)
def test_words_for_tables_are_noticed(condition):
    assert NOT_FOR_PAIRS.search(f"SELECT COUNT(*) FROM result WHERE {condition}")


@pytest.mark.parametrize("words", ["omnia", '"et in"', "am*", "lemma:sum -"])
def test_words_are_found_that_were_cut_at_the_import(both, monkeypatch, words):
    here, there = tables(both)
    monkeypatch.setattr(words_of_texts, "_texts", words_of_texts._Kept(4))
    monkeypatch.setattr(words_of_texts, "_found", words_of_texts._Kept(4))
    monkeypatch.setattr(words_of_texts, "SearchableTexts", None)
    counted = there.count(ResultFilter(words=words))
    monkeypatch.undo()
    assert counted == here.count(ResultFilter(words=words))


def test_a_verdict_is_seen_at_once(both):
    _, there = tables(both)
    judging = Judging(both[0])
    row = there.page(limit=1).rows[0]
    pair = row["query_id"], row["source_id"]
    for verdict in ("cf.", "reject", None):
        judging.judge(*pair, reader="Ann", verdict=verdict)
        assert there.pair(row["row"]).row["verdict"] == verdict
        assert there.count(ResultFilter(status="judged")) == (verdict is not None)
    judging.judge(*pair, reader="Ann", verdict="cit.")
    judging.undo("Ann")
    assert there.pair(row["row"]).row["verdict"] is None


def test_what_was_counted_is_known_until_the_next_judgement(both, monkeypatch):
    _, there = tables(both)
    counted = []
    run = PairsConnection._run

    def noted(self, sql, values):
        counted.append("COUNT(*)" in sql)
        return run(self, sql, values)

    monkeypatch.setattr(PairsConnection, "_run", noted)
    wanted = ResultFilter(status="unjudged", best=2)
    first = there.page(wanted, limit=3)
    assert sum(counted) == 1
    assert there.page(wanted, offset=3, limit=3).total == first.total
    assert sum(counted) == 1
    Judging(both[0]).judge(
        first.rows[0]["query_id"], first.rows[0]["source_id"], reader="Ann", verdict="cf."
    )
    assert there.page(wanted, limit=3).total == first.total - 1


def test_what_was_judged_elsewhere_concerns_no_pair(both):
    _, there = tables(both)
    Judging(both[0]).judge("nobody 1", "nothing 2", reader="Ann", verdict="cf.")
    assert there.count(ResultFilter(status="judged")) == 0
    assert there.count(ResultFilter(status="unjudged")) == there.count()


def test_rows_tell_which_search_they_belong_to(both):
    project, made, imported = both
    one, other = (ResultTable(project.database, search=number).page(limit=1).rows[0]["row"]
                  for number in (made, imported))  # fmt: skip
    newest = ResultTable(project.database)
    assert one != other
    assert seen([newest.pair(other).row]) == seen([newest.pair(one).row])


def test_figures_without_probabilities(project, tmp_path):
    use_example(project)
    search_here(project)
    made = project.searched()
    imported = import_pairs(project, written(project, tmp_path / "p.parquet", judged=False))
    one, other = (ResultTable(project.database, search=number) for number in (made, imported))
    assert other.has_probabilities() is one.has_probabilities() is False
    for order in COMPARED:
        for offset in (0, 20):
            asked = {"order": order, "offset": offset, "limit": 7}
            assert seen(other.page(**asked).rows) == seen(one.page(**asked).rows), asked
    assert compute_statistics(project, search=imported) == compute_statistics(project, search=made)
    assert ResultFigures(project.database, search=imported).measure().with_probability == 0
