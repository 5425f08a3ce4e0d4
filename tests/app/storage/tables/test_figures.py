"""Figures that the database counts, compared with the same counted by hand."""

from collections import Counter, defaultdict

import pytest

from locisimiles.app.results import ResultFilter, ResultTable
from locisimiles.app.storage.tables.figures import ResultFigures


@pytest.fixture
def guessed(searched):
    with searched.database.writing() as connection:
        connection.execute("UPDATE result SET probability = (row * 37 % 97) / 97.0")
    return searched


@pytest.fixture
def rows(guessed):
    return ResultTable(guessed.database).page(limit=1000).rows


@pytest.mark.parametrize("size", [1, 4, 10])
def test_stretches_add_up_what_stands_in_them(guessed, rows, size):
    by_query = defaultdict(list)
    for row in rows:
        by_query[row["query"]].append(row["probability"])
    stretches = ResultFigures(guessed.database).stretches(size)
    assert sum(one.pairs for one in stretches) == len(rows)
    for one in stretches:
        here = {q: values for q, values in by_query.items() if q // size == one.number}
        assert (one.first, one.segments) == (min(here), len(here))
        assert one.weight == pytest.approx(sum(map(sum, here.values())))
        assert one.best == pytest.approx(sum(map(max, here.values())))


def test_works_weigh_what_they_may_be_cited(guessed, rows):
    weights, counts = Counter(), Counter()
    for row in rows:
        weights[row["source_author"], row["source_work"]] += row["probability"]
        counts[row["source_author"], row["source_work"]] += 1
    works = ResultFigures(guessed.database).works(3)
    assert [(one.author, one.work) for one in works] == [name for name, _ in weights.most_common(3)]
    assert [one.pairs for one in works] == [counts[one.author, one.work] for one in works]
    assert works[0].weight == pytest.approx(max(weights.values()))


def test_without_probabilities_the_highest_scores_count(searched):
    figures = ResultFigures(searched.database)
    best = ResultTable(searched.database).page(order="score", limit=20).rows
    stretches = figures.stretches(5, top=20)
    assert {one.number: one.weight for one in stretches} == Counter(
        row["query"] // 5 for row in best
    )
    assert sum(one.weight for one in figures.works(99, top=20)) == 20


def test_bars_have_the_best_value_of_their_part(guessed, rows):
    total = guessed.texts.count("query")
    wanted = ResultFilter(best=3)
    bars = ResultFigures(guessed.database).bars(7, total, wanted)
    best = defaultdict(dict)
    for row in rows:
        if row["rank"] <= 3:
            part = best[row["query"] * 7 // total]
            part[row["query"]] = max(row["probability"], part.get(row["query"], 0))
    assert {number: tuple(bar) for number, bar in bars.items()} == {
        number: (max(part.values()), min(part.values())) for number, part in best.items()
    }
