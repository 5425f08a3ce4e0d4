"""What is said about a search when it has ended."""

from collections import Counter

import pytest

from locisimiles.app.results import ResultTable
from locisimiles.app.results.summary import compute_summary
from locisimiles.app.search.status import search_status
from locisimiles.app.ui.summary_card import summary_sentences
from locisimiles.app.ui.translator import Translator
from locisimiles.corpus.citations import cite
from locisimiles.messages import LANGUAGES


def rows_of(project):
    return ResultTable(project.database).page(limit=1000, texts=True).rows


def test_there_is_nothing_to_say_without_results(project):
    assert compute_summary(project) is None


def test_probabilities_are_summed(searched):
    with searched.database.writing() as connection:
        connection.execute("UPDATE result SET probability = (row * 37 % 211) / 211.0")
    summary, rows = compute_summary(searched), rows_of(searched)
    assert (summary.pairs, summary.counted) == (len(rows), len(rows))
    assert summary.segments == len({row["query"] for row in rows})
    assert summary.expected == pytest.approx(sum(row["probability"] for row in rows))
    best = {}
    for row in rows:
        best[row["query"]] = max(best.get(row["query"], 0), row["probability"])
    assert summary.passages == pytest.approx(sum(best.values()))
    assert max(share for _, share in summary.bars) == 1
    begins = [begin for begin, _ in summary.bars]
    assert begins == sorted(set(begins))
    weights = [one.weight for one in summary.densest]
    assert weights == sorted(weights, reverse=True)
    for one in summary.densest:
        begin = cite(searched.texts.segment("query", one.first))
        assert one.citation.startswith(begin.partition("–")[0])
    work = summary.works[0]
    own = [r["probability"] for r in rows if r["source_work"] == work.work]
    assert work.weight == pytest.approx(sum(own))


def test_scores_promise_nothing(searched):
    summary = compute_summary(searched)
    assert not summary.has_probabilities
    assert (summary.expected, summary.passages, summary.counted) == (0, 0, 21)
    best = ResultTable(searched.database).page(order="score", limit=21).rows
    works = Counter((row["source_author"], row["source_work"]) for row in best)
    assert summary.works[0].weight == max(works.values())
    assert sum(one.weight for one in summary.densest) <= 21
    first, second = summary_sentences(
        summary, search_status(searched), Translator("en"), learnt=False
    )
    assert first.startswith("210 pairs were found, for 42 of 42 segments. ")
    assert "21 pairs with the highest scores" in second


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_interval_is_told_with_what_it_assumes(project, search, guessing, language):
    from locisimiles.app.projects.inputs import use_example

    use_example(project)
    search(project)
    summary, status = compute_summary(project), search_status(project)
    assert guessing is not None
    assert summary.expected == pytest.approx(status.references.expected, abs=0.1)
    sentences = summary_sentences(summary, status, Translator(language), learnt=False)
    assert len(sentences) == 2
    assert str(round(status.references.low)) in sentences[0]
    assert str(round(status.references.high)) in sentences[0]
    learnt = summary_sentences(summary, status, Translator(language), learnt=True)
    assert len(learnt) == 1
