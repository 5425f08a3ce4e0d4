"""What a reader decides is in what is exported."""

import csv
import io
import re
import sqlite3
from contextlib import closing

import pytest


@pytest.fixture
def cited(example, running):
    """Return a project whose first pair the machine calls cit."""
    with closing(sqlite3.connect(running.folder / f"{example}.sqlite")) as connection, connection:
        connection.execute(
            "UPDATE result SET cit = 0.5, cf = 0.25, probability = 0.75, type = 'cit.'"
        )
    return example


def export(page, label):
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as downloaded:
        page.get_by_text(label).first.click()
    return downloaded.value.path().read_text(encoding="utf-8")


def test_exports_have_verdict_note_reader_and_date(page, running, cited):
    page.context.add_cookies(
        [{"name": "locisimiles_reader", "value": "Ann", "url": running.address}]
    )
    page.goto(f"{running.address}/project/{cited}")
    page.locator(".candidate.chosen").wait_for()
    page.keyboard.press("f")
    page.get_by_text("1 judged").wait_for()
    page.keyboard.press("k")
    page.locator(".candidate.chosen .judge.cf[aria-pressed=true]").wait_for()
    page.keyboard.press("n")
    page.get_by_role("dialog").get_by_label("Note").fill("see Hagendahl 1958")
    page.get_by_role("button", name="Close", exact=True).click()
    page.locator(".own-note", has_text="Hagendahl").wait_for()

    rows = list(csv.DictReader(io.StringIO(export(page, "(.csv)"))))
    (judged,) = [row for row in rows if row["verdict"]]
    assert (judged["type"], judged["machine_type"]) == ("cf.", "cit.")
    assert (judged["verdict"], judged["note"]) == ("cf.", "see Hagendahl 1958")
    assert judged["reader"] == "Ann"
    assert re.match(r"20\d\d-\d\d-\d\dT", judged["date"])
    assert all(row["type"] == "cit." for row in rows if row is not judged)

    tei = export(page, "(.xml)")
    assert "not judged by a reader" not in tei
    assert re.search(r'type="verdict" resp="#reader1">cf\.<date when="20', tei)
    assert "see Hagendahl 1958" in tei
    graph = export(page, "(.graphml)")
    assert re.search(r'<data key="edge_cf">1</data>', graph)
    assert page.problems == []
