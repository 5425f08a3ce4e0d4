"""What to expect, corrected by readers' first verdicts."""

import json

import pytest

from locisimiles.app.judging.expected import judged_expectation
from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.projects.inputs import use_example
from locisimiles.app.results import ResultTable
from locisimiles.app.results.summary import compute_summary
from locisimiles.app.search.status import search_status
from locisimiles.app.ui.summary_card import summary_sentences
from locisimiles.app.ui.translator import Translator
from locisimiles.errors import InputError
from locisimiles.messages import LANGUAGES


def judge_first(project, verdict, count):
    for row in ResultTable(project.database).page(order="probability", limit=count).rows:
        Judging(project).judge(row["query_id"], row["source_id"], reader="Ann", verdict=verdict)


@pytest.fixture
def adapted(project, search, adapting):  # noqa: ARG001
    use_example(project)
    search(project)
    return project


def test_without_verdicts_there_is_nothing_to_correct(adapted):
    assert judged_expectation(adapted, 1) is None


@pytest.mark.usefixtures("guessing")
def test_probabilities_that_are_not_adapted_are_not_corrected(project, search):
    use_example(project)
    search(project)
    judge_first(project, "cit.", 5)
    assert judged_expectation(project, 1) is None


@pytest.mark.parametrize(("verdict", "sign"), [("reject", -1), ("cf.", 1)])
def test_verdicts_correct_what_is_expected(adapted, verdict, sign):
    before = search_status(adapted).references
    judge_first(adapted, verdict, 10)
    after = judged_expectation(adapted, 1)
    assert after.verdicts == 10
    assert after.references.pairs == before.pairs
    assert sign * (after.references.expected - before.expected) > 10
    more = judged_expectation(adapted, 1)
    judge_first(adapted, verdict, 60)
    later = judged_expectation(adapted, 1).references
    assert later.high - later.low < before.high - before.low
    assert more == after


def test_if_all_was_read_the_number_is_known(adapted):
    judge_first(adapted, "reject", 1000)
    rejected = judged_expectation(adapted, 1).references
    assert (rejected.expected, rejected.low) == (0, 0)
    assert rejected.high <= 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_summary_says_how_many_verdicts_count(adapted, language):
    judge_first(adapted, "reject", 12)
    judged = judged_expectation(adapted, 1)
    told = summary_sentences(
        compute_summary(adapted), search_status(adapted), Translator(language),
        learnt=False, judged=judged,
    )  # fmt: skip
    assert len(told) == 3
    assert str(round(judged.references.high)) in told[0]
    assert "12" in told[1]


@pytest.mark.parametrize("wrong", [{"x": {}}, {"x": 7}, [1], {"x": {"spread": "wide"}}])
def test_a_damaged_manifest_is_an_error(adapted, wrong):
    with adapted.database.writing() as connection:
        content = json.dumps({"base_rate": wrong})
        connection.execute("UPDATE search SET manifest = ?", [content])
    with pytest.raises(InputError):
        judged_expectation(adapted, 1)
