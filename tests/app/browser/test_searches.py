"""Searches side by side in a real browser: nothing lost, named, compared, deleted."""

from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.results import ResultTable

NEW = b"uox faucibus haesit. arma uirumque cano."


def test_a_text_is_added_searched_alone_compared_and_a_search_deleted(page, running, example):
    project = ProjectCollection(running.folder).open(example)
    before = ResultTable(project.database).count()
    page.goto(f"{running.address}/project/{example}?view=texts")
    lines = page.locator(".search-line")
    lines.first.wait_for()
    assert lines.count() == 1
    upload = page.locator(".drop-query input[type=file]")
    upload.set_input_files({"name": "new.txt", "mimeType": "text/plain", "buffer": NEW})
    page.get_by_text("texts changed since").wait_for()
    assert ResultTable(project.database).count() == before > 0
    page.get_by_text("only the 2 new segments of").wait_for()
    page.get_by_role("button", name="Start", exact=False).first.click()
    page.get_by_role("tab", name="Read", selected=True).wait_for(timeout=60_000)
    page.get_by_role("tab", name="Texts").click()
    lines.nth(1).wait_for()

    lines.nth(1).get_by_role("button", name="Name of the search").click()
    page.get_by_role("dialog").get_by_role("textbox").fill("Before")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    page.locator(".search-name", has_text="Before").wait_for()

    lines.nth(0).locator(".compare").click()
    page.get_by_role("option", name="Before").click()
    page.get_by_text("that “Before” did not find").first.wait_for()
    chip = page.locator(".filter-chip", has_text="Not found by “Before”")
    chip.wait_for()
    assert "not_in=1" in page.url
    page.reload()
    chip.get_by_role("button", name="Remove this filter").click()
    chip.wait_for(state="detached")

    page.get_by_role("tab", name="Texts").click()
    lines.nth(1).get_by_role("button", name="Delete this search").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.locator(".search-name", has_text="Before").wait_for(state="detached")
    assert lines.count() == 1
    assert ResultTable(project.database).count() > before


def test_a_text_removed_discards_no_result(page, running, example):
    project = ProjectCollection(running.folder).open(example)
    before = ResultTable(project.database).count()
    page.goto(f"{running.address}/project/{example}?view=read")
    page.locator(".candidate.chosen").wait_for()
    page.keyboard.press("c")
    page.get_by_text("1 judged").wait_for()
    page.get_by_role("tab", name="Texts and search").click()
    source = page.locator(".side").nth(1)
    source.get_by_role("button", name="Remove").first.click()
    page.get_by_text("texts changed since").wait_for()
    assert project.texts.count("source") == 0
    assert ResultTable(project.database).count() == before > 0
    page.locator(".search-line").get_by_role("button", name="Read").click()
    page.get_by_text(f"{before} of {before} pairs").wait_for()
    page.locator(".candidate.chosen", has_text="Verg.").wait_for()
    page.get_by_text("1 judged").wait_for()
    page.keyboard.press("s")  # the source is read as it was
    page.locator(".source-passage.cited").wait_for()
    assert page.problems == []
