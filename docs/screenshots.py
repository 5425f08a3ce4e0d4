"""Make the pictures of the app that README and docs show.

    python docs/screenshots.py

Searches the example texts with the default method, gives the verdicts that scholars gave, and
photographs each view. Needs Chromium (``CHROMIUM``, or ``/usr/bin/chromium``).
"""

from __future__ import annotations

import runpy
import sys
import tempfile
import time
from pathlib import Path

import httpx
from playwright.sync_api import sync_playwright

from locisimiles import load_example_ground_truth

IMAGES = Path(__file__).parent / "images"
BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))  # which share their harness
APP = runpy.run_path(str(BENCHMARKS / "app.py"))
VIEWS = {
    "texts": "Texts and search",
    "read": "Read",
    "table": "Table",
    "numbers": "Numbers",
    "map": "Map",
}
THERE = {
    "texts": ".preview-line",
    "read": ".candidate.chosen",
    "table": ".ag-row .latin-cell",
    "numbers": ".chart canvas",
    "map": ".figure .chart canvas",
}
WHOLE = ("texts", "map")
JUDGED = 60


def prepare(address: str) -> str:
    with httpx.Client(base_url=f"{address}/api/v1", timeout=60) as ask:
        new = {"title": "Jerome, Lactantius, Valerius Flaccus", "example": True}
        place = f"/projects/{ask.post('/projects', json=new).json()['id']}"
        ask.post(f"{place}/search", json={})
        while ask.get(f"{place}/search").json()["state"] != "done":
            time.sleep(0.2)
        known = {(k.query_id, k.source_id): k.label for k in load_example_ground_truth()}
        rows = ask.get(f"{place}/results", params={"order": "score", "limit": JUDGED}).json()
        for row in rows["rows"]:
            pair = {name: row[name] for name in ("query_id", "source_id")}
            label = known.get((row["query_id"], row["source_id"]))
            verdict = f"{label}." if label else "reject"
            ask.put(f"{place}/judgements", json={**pair, "verdict": verdict})
    return place.rpartition("/")[2]


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        APP["running_app"](Path(folder)) as (address, _, _),
        sync_playwright() as playwright,
    ):
        project = prepare(address)
        browser = playwright.chromium.launch(executable_path=APP["CHROMIUM"], args=APP["FLAGS"])
        context = browser.new_context(viewport={"width": 1200, "height": 760}, locale="en-GB")
        page = context.new_page()
        page.goto(f"{address}/project/{project}")
        page.locator(".candidate.chosen").wait_for()
        for name, title in VIEWS.items():
            page.get_by_role("tab", name=title).click()
            page.locator(THERE[name]).first.wait_for()
            page.mouse.move(2, 500)
            page.wait_for_timeout(1500)
            page.screenshot(path=str(IMAGES / f"app-{name}.png"), full_page=name in WHOLE)
        telephone = browser.new_context(viewport={"width": 390, "height": 760}, locale="en-GB")
        page = telephone.new_page()
        page.goto(f"{address}/project/{project}")
        page.locator(".candidate.chosen").wait_for()
        page.wait_for_timeout(800)
        page.screenshot(path=str(IMAGES / "app-telephone.png"))
        browser.close()


if __name__ == "__main__":
    main()
