"""Results of a job, uploaded in a real browser: a search like any other, or a plain error."""

import pytest
from tests.app.storage.pairs.conftest import written

from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.results import ResultTable
from locisimiles.files.parquet_columns import read_columns, write_columns

# What the panel says while it imports.
WATCH = """() => {
  window.told = [];
  new MutationObserver(() => {
    const status = document.querySelector('.import-results [role=status]');
    if (status && status.offsetParent) window.told.push(status.textContent);
  }).observe(document.body, {subtree: true, childList: true, attributes: true});
}"""
PROBLEMS = """async () => (await axe.run('.import-results')).violations
  .map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' | '))"""
FIELD = ".drop-results input[type=file]"


@pytest.fixture
def project(running, example):
    """Return a project with the results of a search."""
    return ProjectCollection(running.folder).open(example)


@pytest.fixture
def panel(page, running, example):
    """Return the page whose panel for results is open."""
    page.goto(f"{running.address}/project/{example}?view=texts")
    page.locator(".import-results").get_by_text("Import results of a job").click()
    page.locator(FIELD).wait_for(state="attached")
    return page


def test_results_are_uploaded_and_read_with_their_words_in_colour(panel, project, tmp_path):
    file = written(project, tmp_path / "of a job.parquet")
    found = ResultTable(project.database).page(texts=True, limit=1)
    panel.evaluate(WATCH)
    panel.locator(FIELD).set_input_files(file)
    line = panel.locator(".search-line", has_text="of a job")
    line.wait_for(timeout=60_000)
    assert any(panel.evaluate("window.told"))
    panel.get_by_text(f"{found.total} pairs imported").first.wait_for()
    assert panel.locator(".search-line").count() == 2

    line.get_by_role("button", name="Read").click()
    chosen = panel.locator(".candidate.chosen")
    chosen.wait_for()
    row = ResultTable(project.database).page(limit=1, texts=True).rows[0]
    words = [row["source_text"][start:end] for _, _, start, end, _ in row["alignment"]]
    marked = chosen.locator("mark[data-n]").all_inner_texts()
    assert sorted(marked) == sorted(words) != []
    panel.keyboard.press("c")
    panel.get_by_text("1 judged").wait_for()
    assert panel.problems == []


def of_other_texts(project, path):
    known = read_columns(written(project, path)).columns
    write_columns(path, {**known, "source_id": known["query_id"]}, {})


def without_ranks(project, path):
    known = dict(read_columns(written(project, path)).columns)
    known.pop("rank")
    write_columns(path, known, {})


def no_parquet(_, path):
    path.write_text("id,text\n1,arma\n")


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (of_other_texts, "that the project does not have"),
        (without_ranks, "no column rank"),
        (no_parquet, "not a readable Parquet file"),
    ],
)
def test_a_wrong_file_is_refused_by_its_name(panel, project, tmp_path, make, told):
    path = tmp_path / "wrong.parquet"
    make(project, path)
    panel.locator(FIELD).set_input_files(path)
    notice = panel.locator(".q-notification", has_text=told)
    notice.wait_for(timeout=60_000)
    assert "wrong.parquet" in notice.inner_text()
    panel.locator(".import-results [role=status]").wait_for(state="hidden")
    assert panel.locator(".search-line").count() == 1
    # The field takes the next file.
    panel.locator(FIELD).set_input_files(written(project, tmp_path / "right.parquet"))
    panel.locator(".search-line", has_text="right").wait_for(timeout=60_000)
    assert panel.problems == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_panel_is_accessible_and_fits_a_phone(browser, running, example, axe, theme):
    for width in (390, 1300):
        context = browser.new_context(viewport={"width": width, "height": 850}, locale="en-GB")
        cookie = {"name": "locisimiles_theme", "value": theme, "url": running.address}
        context.add_cookies([cookie])
        page = context.new_page()
        page.goto(f"{running.address}/project/{example}?view=texts")
        page.locator(".import-results").get_by_text("Import results of a job").click()
        page.locator(".import-results .q-uploader").wait_for()
        page.wait_for_function("() => document.querySelector('.drop-results input').ariaLabel")
        page.evaluate(axe)
        assert page.evaluate(PROBLEMS) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        context.close()
