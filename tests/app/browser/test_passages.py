"""Passages are cited as printed, and can be copied."""

import re
from urllib.parse import urlencode


def test_passages_are_cited_and_copied(running, page, example):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=running.address)
    page.goto(f"{running.address}/project/{example}")
    card = page.locator(".candidate.chosen")
    card.locator(".place .link").wait_for()
    cited = card.locator(".place .link").inner_text()
    assert cited.startswith("1. Verg. Aen. ")
    assert page.locator(".query-card strong").inner_text().startswith("Hier. epist. ")
    assert "word for word" in card.locator(".why").inner_text()
    assert card.locator("mark[data-n]").count() > 1
    card.get_by_role("button", name="text", exact=True).click()
    page.get_by_text("Citation and text copied").first.wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(cited.removeprefix("1. "))
    card.get_by_role("button", name="BibTeX").click()
    page.get_by_text("BibTeX entry copied").first.wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("@misc{verg-aen-")
    card.get_by_role("button", name="URN").click()
    page.get_by_text("CTS URN copied").first.wait_for()
    urn = page.evaluate("navigator.clipboard.readText()")
    assert urn.startswith("urn:cts:latinLit:phi0690.phi003")
    assert urn.split(":")[-1].split("-")[0] in cited.replace("–", "-")
    assert not page.problems


def test_the_sentence_is_no_locus_and_the_quoted_line_is_marked(running, page, example, ask):
    rows = ask.get(f"/projects/{example}/results", params={"texts": True}).json()["rows"]
    row = next(one for one in rows if " / " in one["source_text"] and len(one["shared"]) > 1)
    pair = urlencode({"view": "read", "from": row["query_id"], "to": row["source_id"]})
    page.goto(f"{running.address}/project/{example}?{pair}")
    card = page.locator(".candidate.chosen")
    card.locator(".verse-line").first.wait_for()
    for cited, name in ((page.locator(".query-card strong"), "query_id"),
                        (card.locator(".place .link"), "source_id")):  # fmt: skip
        sentence = row[name].rsplit(".", 1)[1]  # "hier. epist. 130.5.5.3": the third sentence
        assert sentence.isdigit()
        assert not re.search(rf"\.{sentence}$", cited.inner_text())
    lines = card.locator(".verse-line")
    quoted = [line for line in lines.all() if "quoted" in line.get_attribute("class")]
    assert lines.count() > len(quoted) > 0
    for line in lines.all():
        is_quoted = "quoted" in line.get_attribute("class")
        assert (line.locator("mark").count() > 0) == is_quoted


def test_more_words_than_colours_have_marks_of_their_own(running, page, ask):
    words = "arma uirum canis Troia primus ora Italia fatum profugus litus terra altum".split()
    made = ask.post("/projects", json={"title": "Many words"}).json()["id"]
    for side in ("query", "source"):
        text = " ".join(words if side == "query" else reversed(words))
        ask.put(f"/projects/{made}/texts/{side}/t.txt", content=text.encode())
    ask.post(f"/projects/{made}/search", json={"method": "bm25", "k": 1})
    page.goto(f"{running.address}/project/{made}?view=read")
    page.locator(".candidate.chosen mark[data-n]").first.wait_for(timeout=60_000)
    looks = page.locator(".candidate.chosen mark[data-n]").evaluate_all(
        """marks => marks.map(mark => { const own = getComputedStyle(mark);
          return [mark.dataset.n, own.backgroundColor, own.textDecorationStyle]; })"""
    )
    assert len(looks) == len(words) > 8
    assert len({number for number, *_ in looks}) == len(words)
    assert len({(colour, line) for _, colour, line in looks}) == len(words)
