"""Make the pictures of the tutorial: a letter of Jerome, searched in Virgil, judged, printed.

    python docs/tutorial_pictures.py LETTER.txt AENEID GEORGICS ECLOGUES

The texts are not ours to ship: the letter is any edition of Jerome's sixtieth as plain text, the
others are texts of the library (``locisimiles library path vergil``). Needs Chromium.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
from playwright.sync_api import sync_playwright
from screenshots import APP, IMAGES

if TYPE_CHECKING:
    from playwright.sync_api import Page

FACTS = {"author": "Jerome", "work": "Epistula 60", "year": "AD 396"}
ACCEPTED = {
    "optima quaeque dies": ("verg. georg. 3.66.1", "cit."),
    "ferrea uox": ("verg. aen. 6.625.1", "cit."),
    "ubique luctus": ("verg. aen. 2.366.1", "cit."),
    "uariae linguis": ("verg. aen. 8.720.1", "cf."),
    "laetae segetes": ("verg. georg. 1.111.1", "cf."),
}


def prepare(address: str, letter: Path, sources: list[Path]) -> str:
    with httpx.Client(base_url=f"{address}/api/v1", timeout=600) as ask:
        project = ask.post("/projects", json={"title": "Jerome, letter 60"}).json()["id"]
        place = f"/projects/{project}"
        put = ask.put(
            f"{place}/texts/query/{letter.name}",
            content=letter.read_bytes(),
            params=FACTS,
        )
        put.raise_for_status()
        for source in sources:
            ask.put(
                f"{place}/texts/source/{source.name}", content=source.read_bytes()
            ).raise_for_status()
        ask.post(f"{place}/search", json={}).raise_for_status()
        while ask.get(f"{place}/search").json()["state"] != "done":
            time.sleep(0.5)
        shown = ask.get(f"{place}/texts/query", params={"count": 1000}).json()["segments"]
        text_of = {segment["id"]: segment["text"] for segment in shown}
        rows = ask.get(f"{place}/results", params={"order": "score", "limit": 300}).json()["rows"]
        for row in rows:
            for words, (source_id, verdict) in ACCEPTED.items():
                if row["source_id"] == source_id and words in text_of[row["query_id"]]:
                    pair = {name: row[name] for name in ("query_id", "source_id")}
                    ask.put(f"{place}/judgements", json={**pair, "verdict": verdict})
    return str(project)


def photograph(page: Page, name: str, *, whole: bool = False) -> None:
    page.mouse.move(2, 500)
    page.wait_for_timeout(1500)
    page.screenshot(path=str(IMAGES / f"tutorial-{name}.png"), full_page=whole)


def main() -> None:
    letter, *sources = map(Path, sys.argv[1:])
    with (
        tempfile.TemporaryDirectory() as folder,
        APP["running_app"](Path(folder)) as (address, _, _),
        sync_playwright() as playwright,
    ):
        project = prepare(address, letter, sources)
        browser = playwright.chromium.launch(executable_path=APP["CHROMIUM"], args=APP["FLAGS"])
        context = browser.new_context(viewport={"width": 1200, "height": 760}, locale="en-GB")
        page = context.new_page()
        page.goto(f"{address}/project/{project}")
        page.locator(".candidate.chosen").wait_for()
        page.get_by_role("tab", name="Texts and search").click()
        page.locator(".preview-line").first.wait_for()
        photograph(page, "texts")
        page.get_by_role("tab", name="Read").click()
        page.locator(".candidate.chosen").wait_for()
        photograph(page, "read")
        page.get_by_role("tab", name="Numbers").click()
        page.locator(".chart canvas").first.wait_for()
        photograph(page, "numbers")
        apparatus = context.new_page()
        done = httpx.get(f"{address}/api/v1/projects/{project}/apparatus/html?text=false")
        apparatus.set_content(done.text)
        apparatus.set_viewport_size({"width": 900, "height": 420})
        photograph(apparatus, "apparatus")
        browser.close()


if __name__ == "__main__":
    main()
