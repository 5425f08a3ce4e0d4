"""Learning from verdicts in a real browser."""

import pytest

from locisimiles.app.judging.exchange import import_judgements
from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.results import ResultTable

LEARN = "Learn from my judgements"


def virgil_only(place, row):  # noqa: ARG001
    return "cit." if row["source_author"] == "Virgil" else "reject"


@pytest.fixture
def judged(running, example, request):
    """Return the id of a project whose first pairs are judged."""
    project = ProjectCollection(running.folder).open(example)
    with project.database.writing() as connection:
        connection.execute(
            "UPDATE result SET cit = 0.6 / (rank + 1), cf = 0.3 / (rank + 1), "
            "probability = 0.9 / (rank + 1), type = 'cit.'"
        )
    lines = ["query_id,source_id,verdict"]
    for place, row in enumerate(ResultTable(project.database).page(limit=100).rows):
        lines.append(f"{row['query_id']},{row['source_id']},{request.param(place, row)}")
    import_judgements(project, "t.csv", "\n".join(lines).encode(), reader="")
    return example


def shown_order(page):
    return page.locator(".candidate .link").all_inner_texts()


@pytest.mark.parametrize("judged", [virgil_only], indirect=True)
def test_a_ranking_is_learnt_shown_and_undone(page, running, judged):
    page.goto(f"{running.address}/project/{judged}")
    page.locator(".candidate.chosen").wait_for()
    page.locator(".segment").nth(30).click()
    page.locator(".segment.here[data-query='30']").wait_for()
    shipped = shown_order(page)
    page.get_by_role("button", name=LEARN).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Learnt from 100 judged pairs in 20 segments").wait_for()
    dialog.get_by_text("better on judgements it was not learnt from").wait_for()
    assert dialog.locator(".learn-figures tbody tr").count() == 2
    dialog.get_by_text("Virgil", exact=False).first.wait_for()
    page.keyboard.press("c")  # keys are not for the pairs behind it
    dialog.get_by_role("button", name="Apply the ranking").click()
    page.get_by_text("ranking learnt here").wait_for()
    page.get_by_text("pairs · 100 judged").wait_for()
    page.locator(".candidate", has_text="probability learnt here").first.wait_for()
    page.locator(".candidate", has_text="(original 0.").first.wait_for()
    page.get_by_role("tab", name="Table").click()
    page.locator(".ag-header-cell[col-id=shipped]").wait_for()
    page.locator(".ag-header-cell", has_text="Probability (learnt here)").wait_for()
    page.locator(".ag-row .ag-cell[col-id=shipped]", has_text="0.450").first.wait_for()
    page.get_by_role("tab", name="Numbers").click()
    page.get_by_role("img", name="Calibration").locator("canvas").first.wait_for()
    page.get_by_role("tab", name="Read").click()
    page.locator(".candidate.chosen").wait_for()
    page.keyboard.press("l")
    dialog.get_by_role("button", name="Restore the original ranking").click()
    page.get_by_text("ranking learnt here").wait_for(state="detached")
    page.locator(".candidate", has_text="learnt here").first.wait_for(state="detached")
    page.locator(".candidate.chosen").wait_for()
    assert shown_order(page) == shipped
    assert page.problems == []


@pytest.mark.parametrize(
    "judged", [lambda place, _: ("cit.", "reject", "cf.")[place % 3]], indirect=True
)
def test_a_ranking_that_does_not_help_is_not_applied(page, running, judged, ask):
    page.goto(f"{running.address}/project/{judged}")
    page.locator(".candidate.chosen").wait_for()
    page.keyboard.press("l")
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("The ranking is no better than before.").wait_for()
    dialog.get_by_role("button", name="Apply it anyway").wait_for()
    dialog.get_by_role("button", name="Close").click()
    assert ask.get(f"/projects/{judged}/learning").json()["report"] is None


@pytest.mark.parametrize("judged", [virgil_only], indirect=True)
def test_a_ranking_learnt_by_others_is_shown_and_restored_with_one_click(
    page, running, judged, ask
):
    page.goto(f"{running.address}/project/{judged}")
    page.locator(".candidate.chosen").wait_for()
    assert ask.post(f"/projects/{judged}/learning", json={}).json()["applied"]
    page.get_by_text("ranking learnt here").wait_for()
    # Who reads blind sees nothing that follows from the verdicts of others.
    ask.put(f"/projects/{judged}/blind", json={"reader": "", "on": True})
    page.get_by_text("ranking learnt here").wait_for(state="detached")
    page.get_by_text("learnt here").first.wait_for(state="detached")
    assert page.get_by_role("button", name=LEARN).count() == 0
    page.keyboard.press("l")
    page.get_by_text("you work blind, so the verdicts of other readers are hidden").wait_for()
    ask.put(f"/projects/{judged}/blind", json={"reader": "", "on": False})
    page.get_by_text("ranking learnt here").wait_for()
    page.get_by_role("button", name="Restore the original ranking").click()
    page.get_by_text("ranking learnt here").wait_for(state="detached")
    assert ask.get(f"/projects/{judged}/learning").json()["report"] is None


@pytest.mark.parametrize("judged", [virgil_only], indirect=True)
def test_axe_finds_nothing_serious_in_the_panel(page, running, judged, axe):
    page.goto(f"{running.address}/project/{judged}")
    page.locator(".candidate.chosen").wait_for()
    page.keyboard.press("l")
    page.locator(".learn-figures").wait_for()
    page.wait_for_timeout(600)
    page.evaluate(axe)
    violations = page.evaluate("async () => (await axe.run('[role=dialog]')).violations")
    assert [v["id"] for v in violations if v["impact"] in ("serious", "critical")] == []
