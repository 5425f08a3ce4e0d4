"""Charts in a real browser: saved and read back, switched, clicked, read by keyboard."""

import csv
import io
import json
import re
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from locisimiles.app.projects.collection import ProjectCollection

SVG = "{http://www.w3.org/2000/svg}"
ATTACK = "<img src=x onerror=window.attacked=1>{b}"
SERIOUS = """async () => (await axe.run()).violations
  .filter((one) => ['serious', 'critical'].includes(one.impact))
  .map((one) => one.id + ': ' + one.nodes.map((node) => node.html).join(' | '))"""
# Where on the page a dot of the dot plot is.
DOT = """() => {
  const element = document.querySelector('.figure-of-dots .chart');
  const component = getElement(Number(element.id.slice(1)));
  const chart = component.chart, box = element.getBoundingClientRect();
  const series = chart.getOption().series.find((one) => one.data.some((dot) => dot.row));
  const dot = series.data.find((one) => one.row);
  const [x, y] = chart.convertToPixel({xAxisIndex: 0, yAxisIndex: 0}, dot.value);
  return {x: box.x + x, y: box.y + y, name: dot.name};
}"""
KINDS = """() => {
  const element = document.querySelector('.figure-of-distribution .chart');
  const option = getElement(Number(element.id.slice(1))).chart.getOption();
  return [option.yAxis[0].type, ...new Set(option.series.map((one) => one.type))];
}"""


def judge(ask, project, *verdicts):
    rows = ask.get(f"/projects/{project}/results").json()["rows"]
    for row, verdict in zip(rows, verdicts, strict=False):
        pair = {name: row[name] for name in ("query_id", "source_id")}
        ask.put(f"/projects/{project}/judgements", json={**pair, "verdict": verdict})


def give_probabilities(running, project):
    with ProjectCollection(running.folder).open(project).database.writing() as connection:
        connection.execute(
            "UPDATE result SET cit = 0.9 / rank, cf = 0, probability = 0.9 / rank, type = 'cit.'"
        )


def go_to(page, running, project, view):
    page.goto(f"{running.address}/project/{project}?view={view}")
    page.locator(".figure:visible canvas").first.wait_for()
    page.wait_for_timeout(300)  # charts are drawn a moment after they are there


def save(page, chart, kind):
    """Save a chart; return the name of the file, and what is in it."""
    page.locator(f".figure-of-{chart} .figure-head button").click()
    with page.expect_download() as saved:
        page.locator(".q-menu .q-item", has_text=f".{kind}").click()
    page.locator(".q-menu").wait_for(state="detached")
    return saved.value.suggested_filename, Path(saved.value.path()).read_bytes()


def svg_texts(content):
    root = ET.fromstring(content)
    assert root.tag == f"{SVG}svg"
    return ["".join(one.itertext()) for one in root.iter(f"{SVG}text")]


def test_pictures_and_numbers_of_all_charts_are_saved(page, running, example, ask):
    give_probabilities(running, example)
    judge(ask, example, "cit.", "reject", "cf.", "unsure")
    wanted = {
        "numbers": ("distribution", "expected", "yield", "verdicts-by-author", "calibration"),
        "map": ("map", "dots", "flows"),
    }
    titles = {}
    for view, charts in wanted.items():
        go_to(page, running, example, view)
        for chart in charts:
            titles[chart] = page.locator(f".figure-of-{chart} .figure-title").inner_text()
            name, content = save(page, chart, "svg")
            assert name == f"{example}-{chart}.svg"
            texts = svg_texts(content)
            assert titles[chart] in texts
            assert len(texts) > 5, chart
    assert len(set(titles.values())) == len(titles) == 8
    name, content = save(page, "dots", "png")
    assert name == f"{example}-dots.png"
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", content[16:24])
    assert (width, height) == (1920, 1188)
    assert len(content) > 20_000  # there is something in it
    assert not page.problems


def test_the_numbers_of_a_file_are_those_of_the_results(page, running, example, ask):
    judge(ask, example, "cit.", "reject", "cf.", "unsure")
    go_to(page, running, example, "numbers")
    name, content = save(page, "distribution", "csv")
    assert name == f"{example}-distribution.csv"
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    sums = {
        group: sum(int(row[group]) for row in rows)
        for group in ("unjudged", "accepted", "reject", "unsure")
    }
    assert sums == {"unjudged": 206, "accepted": 2, "reject": 1, "unsure": 1}
    go_to(page, running, example, "map")
    _, content = save(page, "dots", "csv")
    best = ask.get(f"/projects/{example}/results", params={"best": 1}).json()["total"]
    pairs = list(csv.DictReader(io.StringIO(content.decode())))
    assert len(pairs) == best + 3  # three judged pairs are not the best of their segment
    assert sorted(filter(None, (pair["verdict"] for pair in pairs))) == [
        "cf.", "cit.", "reject", "unsure",
    ]  # fmt: skip
    _, content = save(page, "map", "csv")
    counted = sum(int(row["pairs"]) for row in csv.DictReader(io.StringIO(content.decode())))
    assert counted == best


def test_switches_change_what_is_drawn_and_are_kept(page, running, example, ask):
    judge(ask, example, "cit.")
    go_to(page, running, example, "numbers")
    assert page.evaluate(KINDS) == ["value", "bar"]
    page.get_by_role("switch", name="Logarithmic").click()
    page.get_by_text("counted logarithmically").wait_for()
    page.wait_for_function(f"() => ({KINDS})()[0] === 'log'")
    assert page.evaluate(KINDS) == ["log", "line"]
    assert page.get_by_role("switch", name="Only judged pairs").is_checked()
    _, content = save(page, "verdicts-by-author", "csv")
    assert content.decode().splitlines() == ["author,cit,cf,reject,unsure", "Virgil,1,0,0,0"]
    page.get_by_role("switch", name="Only judged pairs").click()
    page.get_by_text("those found most often").wait_for()
    _, content = save(page, "verdicts-by-author", "csv")
    assert content.decode().startswith("author,cit,cf,reject,unsure,unjudged\nVirgil,1,0,0,0,")
    page.get_by_role("tab", name="Map").click()
    page.locator(".figure-of-dots canvas").wait_for()
    page.get_by_role("tab", name="Numbers").click()
    page.get_by_text("counted logarithmically").wait_for()
    assert not page.get_by_role("switch", name="Only judged pairs").is_checked()
    assert not page.problems


def test_few_judgements_are_called_few(page, running, example, ask):
    give_probabilities(running, example)
    judge(ask, example, "cit.", "reject", "cit.")
    go_to(page, running, example, "numbers")
    page.get_by_text("With only 3 judged pairs, this says little yet.").wait_for()
    page.locator(".figure-of-calibration summary").click()
    rows = page.locator(".figure-of-calibration tbody tr")
    rows.first.wait_for()
    counts = [int(text.split("\t")[-1]) for text in rows.all_inner_texts()]
    assert sum(counts) == 3


def test_a_dot_opens_its_pair(page, running, example):
    go_to(page, running, example, "map")
    page.locator(".figure-of-dots").scroll_into_view_if_needed()
    dot = page.evaluate(DOT)
    page.mouse.click(dot["x"], dot["y"])
    page.locator(".q-tab--active:has-text('Read')").wait_for()
    citing, cited = dot["name"].split("\n")[0].split(" → ")
    page.locator(".candidate.chosen", has_text=cited).wait_for()
    page.locator(".query-card", has_text=citing).wait_for()
    assert not page.problems


def test_a_pair_opens_with_the_keyboard(page, running, example):
    go_to(page, running, example, "map")
    summary = page.locator(".figure-of-dots summary")
    summary.focus()
    page.keyboard.press("Enter")
    second = page.locator(".figure-of-dots tbody tr").nth(1)
    cited = second.locator("td").first.inner_text()
    citing = second.locator(".link").inner_text()
    second.locator(".link").focus()
    page.keyboard.press("Enter")
    page.locator(".candidate.chosen", has_text=cited).wait_for()
    page.locator(".query-card", has_text=citing).wait_for()
    assert page.problems == []


def test_hostile_names_are_texts_in_charts_and_files(page, running, ask):
    made = ask.post("/projects", json={"title": "Evil"}).json()["id"]
    for side in ("query", "source"):
        line = f'"haesit uox faucibus","{ATTACK}","=1+1"\n'
        table = "id,text,author,work\n" + "".join(f"{n},{line}" for n in range(3))
        ask.put(f"/projects/{made}/texts/{side}/x.csv", content=table.encode())
    ask.post(f"/projects/{made}/search", json={"method": "bm25", "k": 3})
    page.goto(f"{running.address}/project/{made}?view=read")
    page.locator(".candidate.chosen").wait_for(timeout=60_000)
    go_to(page, running, made, "map")
    for chart in ("map", "dots", "flows"):
        page.locator(f".figure-of-{chart} summary").click()
        page.locator(f".figure-of-{chart} tbody tr").first.wait_for()
    page.locator(".figure-of-dots .chart").scroll_into_view_if_needed()
    dot = page.evaluate(DOT)
    page.mouse.move(dot["x"], dot["y"])
    page.wait_for_timeout(400)
    assert page.evaluate("document.querySelectorAll('.chart img, .figure-table img').length") == 0
    assert page.evaluate("window.attacked") is None
    _, content = save(page, "map", "svg")
    assert any(ATTACK in text for text in svg_texts(content))
    _, content = save(page, "map", "csv")
    _, row = csv.reader(io.StringIO(content.decode()))
    assert row[:2] == [ATTACK, "'=1+1"]


@pytest.mark.parametrize("pairs", [0, 1, 5])
def test_few_pairs_have_charts_or_say_that_there_are_none(page, running, example, ask, pairs):
    with ProjectCollection(running.folder).open(example).database.writing() as connection:
        connection.execute("DELETE FROM result WHERE row > ?", [pairs])
    page.goto(f"{running.address}/project/{example}?view=numbers")
    if not pairs:
        page.get_by_text("No pair matches the filters.").wait_for()
        assert page.locator(".figure canvas").count() == 0
        return
    judge(ask, example, "cit.")
    go_to(page, running, example, "numbers")
    _, content = save(page, "distribution", "csv")
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    assert sum(int(row["unjudged"]) + int(row["accepted"]) for row in rows) == pairs
    assert 1 <= len(rows) <= 8
    go_to(page, running, example, "map")
    assert page.locator(".figure:visible .chart canvas:first-child").count() == 3
    assert not page.problems


@pytest.mark.parametrize(("theme", "width"), [("light", 1300), ("dark", 390)])
def test_charts_are_accessible_and_fit(browser, running, example, axe, theme, width):  # noqa: PLR0917
    size = {"width": width, "height": 800}
    with browser.new_context(locale="en-GB", viewport=size) as context:
        cookie = {"name": "locisimiles_theme", "value": theme, "url": running.address}
        context.add_cookies([cookie])
        page = context.new_page()
        for view in ("numbers", "map"):
            go_to(page, running, example, view)
            for summary in page.locator(".figure-numbers summary").all():
                summary.click()
            page.locator(".figure-table tbody tr").first.wait_for()
            charts = page.locator(".figure:visible .chart")
            labels = [chart.get_attribute("aria-label") for chart in charts.all()]
            captions = page.locator(".figure:visible figcaption").all_inner_texts()
            assert len(set(labels)) == len(labels) > 1
            assert all(map(str.endswith, labels, captions))
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            page.evaluate(axe)
            problems = page.evaluate(SERIOUS)
            assert problems == [], json.dumps(problems, indent=1)


def test_numbers_are_written_as_in_the_language(browser, running, example, ask):
    give_probabilities(running, example)
    judge(ask, example, "cit.", "reject")
    with browser.new_context(locale="de-DE") as context:
        page = context.new_page()
        go_to(page, running, example, "numbers")
        _, content = save(page, "calibration", "svg")
    texts = svg_texts(content)
    assert "0,2" in texts
    assert not [text for text in texts if re.fullmatch(r"\d\.\d+", text)]
