"""From verdicts to an apparatus fontium, in a real browser."""

import zipfile


def test_two_verdicts_become_an_apparatus(page, running, example, ask, tmp_path):
    rows = ask.get(f"/projects/{example}/results").json()["rows"]
    for row, verdict in zip(rows, ("cit.", "cf."), strict=False):
        pair = {name: row[name] for name in ("query_id", "source_id")}
        note = f"<b>note</b> on {verdict}"
        ask.put(f"/projects/{example}/judgements", json={**pair, "verdict": verdict, "note": note})
    page.goto(f"{running.address}/project/{example}")
    page.get_by_text("2 judged").wait_for()
    page.get_by_role("button", name="Export").click()
    page.get_by_text("Apparatus fontium…").click()
    written = {}
    for label in ("Word (.docx)", "For print (.html)"):
        with page.expect_download() as download:
            page.get_by_role("button", name=label).click()
        written[label] = tmp_path / download.value.suggested_filename
        download.value.save_as(written[label])
    printed = written["For print (.html)"].read_text(encoding="utf-8")
    with zipfile.ZipFile(written["Word (.docx)"]) as archive:
        notes = archive.read("word/footnotes.xml").decode()
    for content in (printed, notes):
        assert "&lt;b&gt;note&lt;/b&gt; on cit." in content
        assert "&lt;b&gt;note&lt;/b&gt; on cf." in content
    assert not page.problems


def test_without_a_verdict_the_app_says_what_is_missing(page, running, example):
    page.goto(f"{running.address}/project/{example}")
    page.locator(".candidate.chosen").wait_for()
    page.get_by_role("button", name="Export").click()
    page.get_by_text("Apparatus fontium…").click()
    page.get_by_role("button", name="Word (.docx)").click()
    page.get_by_text("no reference has been accepted yet").first.wait_for()
