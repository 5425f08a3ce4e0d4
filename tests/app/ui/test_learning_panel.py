"""What the panel says of a learnt ranking."""

from dataclasses import replace

import pytest

from locisimiles.app.judging.learning import Learning, LearningReport
from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.results import ResultTable
from locisimiles.app.results.statistics import compute_statistics
from locisimiles.app.ui import charts
from locisimiles.app.ui.learning_panel import effect_list, figure_table
from locisimiles.app.ui.markup import candidate
from locisimiles.app.ui.translator import Translator
from locisimiles.messages import LANGUAGES

ENGLISH = Translator("en")
ATTACK = "\"'><script>alert(1)</script>"
REPORT = LearningReport(
    yes=7, no=9, left_out=1, elsewhere=0, segments=6, average_precision=(0.5, 0.625),
    log_loss=(0.7, 0.25), helps=True, new_in_first=3,
    effects=[("author", "Virgil", 0.5), ("constant", "", -0.25), ("sureness", "", 0.1)],
    applied=False,
)  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_figures_stand_side_by_side_in_every_language(language):
    html = figure_table(REPORT, Translator(language))
    cells = [part.partition("<")[0] for part in html.split("<td>")[1:]]
    shown = [cell.replace(",", ".") for cell in cells if cell]
    assert shown == ["0.500", "0.625", "0.700", "0.250"]
    assert ("0,500" in cells) == (language != "en")


def test_without_figures_there_is_no_table():
    assert figure_table(replace(REPORT, average_precision=None, log_loss=None), ENGLISH) == ""


def test_effects_are_named():
    html = effect_list(REPORT, ENGLISH)
    assert [text in html for text in ("Virgil", "+0.50", "all pairs", "−0.25", "confidence")] == (
        [True] * 5
    )
    assert "Vergil" in effect_list(REPORT, Translator("de"))
    assert effect_list(replace(REPORT, effects=[]), ENGLISH) == ""


def test_names_are_escaped():
    html = effect_list(replace(REPORT, effects=[("author", ATTACK, 1.0)]), ENGLISH)
    assert "<script" not in html
    assert "&lt;script" in html


@pytest.fixture
def learnt(searched):
    with searched.database.writing() as connection:
        connection.execute(
            "UPDATE result SET cit = 0.5 / rank, cf = 0.25 / rank, probability = 0.75 / rank, "
            "type = 'cit.'"
        )
    for row in ResultTable(searched.database).page(limit=4).rows:
        Judging(searched).judge(row["query_id"], row["source_id"], reader="", verdict="reject")
    Learning(searched).learn("always")
    return searched


def test_a_candidate_says_what_was_learnt_and_what_was_shipped(learnt):
    row = next(
        r
        for r in ResultTable(learnt.database).page(limit=5, texts=True).rows
        if r["shipped"] == 0.75
    )
    html = candidate(row, translate=ENGLISH)
    assert f"probability learnt here {row['probability']:.2f} cit. (original 0.75)" in html
    assert row["probability"] < 0.75


def test_figures_say_that_they_are_of_what_was_learnt(learnt):
    numbers = compute_statistics(learnt)
    distribution = charts.distribution(numbers, ENGLISH, dark=False)
    assert distribution.title.endswith("probability learnt here")
    assert "optimistic" in charts.calibration(numbers, ENGLISH, dark=False).title
    Learning(learnt).restore()
    numbers = compute_statistics(learnt)
    assert "optimistic" not in charts.calibration(numbers, ENGLISH, dark=False).title


def test_the_same_is_not_offered_twice(learnt):
    learning = Learning(learnt)
    assert learning.state().is_of(learning.learn("never"))
    Judging(learnt).judge("x", "y", reader="", verdict="cit.")  # elsewhere: it changes nothing
    assert learning.state().is_of(learning.learn("never"))
    row = ResultTable(learnt.database).page(limit=20).rows[-1]
    Judging(learnt).judge(row["query_id"], row["source_id"], reader="", verdict="cit.")
    assert not learning.state().is_of(learning.learn("never"))
