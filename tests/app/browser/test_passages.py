"""Passages are cited as printed, and can be copied."""


def test_passages_are_cited_and_copied(running, page, example):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=running.address)
    page.goto(f"{running.address}/project/{example}")
    card = page.locator(".candidate.chosen")
    card.locator("button.link").wait_for()
    cited = card.locator("button.link").inner_text()
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
    assert not page.problems
