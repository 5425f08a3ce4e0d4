"""Resuming an older search in a real browser."""

from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.results import ResultTable

NEW = b"uox faucibus haesit. arma uirumque cano."


def interrupt(project, number, finished):
    """Leave a search as if it had been stopped in the middle."""
    with project.database.writing() as connection:
        connection.execute("DELETE FROM result WHERE search = ? AND query >= ?", [number, finished])
        connection.execute(
            "UPDATE search SET state = 'cancelled', finished_queries = ? WHERE number = ?",
            [finished, number],
        )


def test_an_older_search_resumes_and_is_read_to_its_end(page, running, ask, example):
    project = ProjectCollection(running.folder).open(example)
    whole = ResultTable(project.database).count()
    ask.put(f"/projects/{example}/texts/query/new.txt", content=NEW)
    ask.post(f"/projects/{example}/search", json={"method": "bm25", "k": 5})
    page.goto(f"{running.address}/project/{example}?view=texts")
    lines = page.locator(".search-line")
    lines.nth(1).wait_for()
    page.wait_for_function("() => !document.querySelector('[role=progressbar]')?.offsetParent")
    interrupt(project, 1, 20)
    page.goto(f"{running.address}/project/{example}?view=texts")
    old, new = lines.nth(1), lines.nth(0)
    old.get_by_text("cancelled").wait_for()
    assert new.get_by_role("button", name="Resume").count() == 0
    old.get_by_role("button", name="Resume “Search 1”").click()
    page.get_by_role("tab", name="Read", selected=True).wait_for(timeout=60_000)
    page.locator(".candidate.chosen").wait_for()
    assert "search=1" in page.url
    assert ResultTable(project.database, search=1).count() == whole
    assert ask.get(f"/projects/{example}/searches/1").json()["state"] == "done"
    page.get_by_role("tab", name="Texts").click()
    old.get_by_text("being read").wait_for()
    assert page.problems == []
