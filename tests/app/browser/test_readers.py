"""Several readers in a real browser: names, blind reading, agreement, decisions, exchange."""

import re
from contextlib import ExitStack

import pytest

from .test_views import serious

AS_READER = "Your name as a reader"


@pytest.fixture
def enter(browser, running):
    """Return a function that opens the project for a reader, in a browser of their own."""
    with ExitStack() as stack:

        def entered(project, name="", **options):
            options = {"viewport": {"width": 1300, "height": 850}, "locale": "en-GB", **options}
            context = stack.enter_context(browser.new_context(**options))
            if name:
                cookie = {"name": "locisimiles_reader", "value": name, "url": running.address}
                context.add_cookies([cookie])
            page = context.new_page()
            page.problems = []
            page.on("pageerror", lambda error: page.problems.append(str(error)))
            page.goto(f"{running.address}/project/{project}")
            page.locator(".candidate.chosen").wait_for()
            return page

        yield entered


def judge(page, keys):
    for number, key in enumerate(keys, start=1):
        page.keyboard.press(key)
        page.get_by_text(re.compile(rf"\b{number} judged")).wait_for()


def open_dialog(page):
    page.get_by_role("button", name=AS_READER).click()
    dialog = page.get_by_role("dialog", name=AS_READER)
    dialog.wait_for()
    return dialog


def save(page):
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    page.locator(".q-dialog__inner").wait_for(state="detached")


def read_blind(page, *, on):
    switch = open_dialog(page).get_by_role("switch", name="Read blind")
    assert switch.get_attribute("aria-checked") == str(not on).lower()
    switch.click()
    save(page)
    page.locator(".chip.blind").wait_for(state="visible" if on else "detached")


def judgements(ask, project):
    return ask.get(f"/projects/{project}/judgements").json()


def put(ask, project, row, reader, verdict, **more):
    pair = {name: row[name] for name in ("query_id", "source_id")}
    done = ask.put(
        f"/projects/{project}/judgements",
        json={**pair, "reader": reader, "verdict": verdict, **more},
    )
    assert done.status_code == 200


def rows(ask, project):
    return ask.get(f"/projects/{project}/results").json()["rows"]


def test_a_name_takes_over_what_was_judged_without_one(enter, example, ask):
    page, other = enter(example), enter(example, "Eve")
    judge(page, "crf")
    other.locator(".others", has_text="without a name: cit.").wait_for()
    nameless = judgements(ask, example)
    dialog = open_dialog(page)
    offer = dialog.get_by_role("checkbox", name="Take over the 3 judgements without a name")
    assert offer.is_checked()
    dialog.get_by_label(AS_READER).fill("Ann")
    save(page)
    page.get_by_text("3 judgements are now those of “Ann”.").first.wait_for()
    page.get_by_role("button", name=f"{AS_READER}: Ann").wait_for()
    page.get_by_text("3 judged").wait_for()
    other.locator(".others", has_text="Ann: cit.").wait_for()
    assert judgements(ask, example) == [{**one, "reader": "Ann"} for one in nameless]
    page.reload()
    page.get_by_text("3 judged").wait_for()
    # The name can be changed, and then nothing moves unless it is asked for.
    dialog = open_dialog(page)
    assert dialog.get_by_role("checkbox", name="Take over").count() == 0
    dialog.get_by_label(AS_READER).fill("Anna")
    renaming = dialog.get_by_role("checkbox", name="Rename “Ann” in the 3 judgements given so far")
    renaming.wait_for()
    assert not renaming.is_checked()
    save(page)
    page.get_by_text("0 judged").wait_for()
    assert {one["reader"] for one in judgements(ask, example)} == {"Ann"}
    assert not page.problems


def test_where_both_names_have_judged_both_judgements_stay(enter, example, ask):
    first, second, *_ = rows(ask, example)
    for row, reader, verdict in ((first, "", "cit."), (second, "", "cf."), (first, "Ann", "cf.")):
        put(ask, example, row, reader, verdict)
    page = enter(example)
    open_dialog(page).get_by_label(AS_READER).fill("Ann")
    page.keyboard.press("Enter")
    page.get_by_text("1 pair was judged under “Ann”, too; both judgements stay").first.wait_for()
    page.get_by_text("2 judged").wait_for()
    page.locator(".others", has_text="without a name: cit.").wait_for()
    kept = {(one["reader"], one["verdict"], one["source_id"]) for one in judgements(ask, example)}
    assert kept == {
        ("", "cit.", first["source_id"]),
        ("Ann", "cf.", first["source_id"]),
        ("Ann", "cf.", second["source_id"]),
    }


def sees_nothing_of(page, name):
    """Check that no view, link or table tells a blind reader what the other said."""
    for view in ("Table", "Map", "Read"):
        page.get_by_role("tab", name=view).click()
        page.locator(f".q-tab--active:has-text('{view}')").wait_for()
        page.wait_for_timeout(300)
        assert name not in page.locator(".page").inner_text()
    page.get_by_role("tab", name="Numbers").click()
    page.get_by_text("You are reading blind.").wait_for()
    assert page.locator(".agreement").count() == 0
    assert not page.get_by_role("tab", name="Adjudication").is_visible()
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as downloaded:
        page.get_by_text("My judgements (.csv)").click()
    assert name not in downloaded.value.path().read_text("utf-8")
    for view in ("adjudication", "table"):
        page.goto(f"{page.url.split('?')[0]}?view={view}&status=disagreement")
        page.get_by_text("210 of 210 pairs").wait_for()
        assert page.locator(".said").count() == 0
    page.get_by_role("button", name="Filters").click()
    page.get_by_label("Status").click()
    page.get_by_role("option", name="unsure").wait_for()
    assert page.get_by_role("option", name="disagree").count() == 0
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")


def agreement(page):
    """Return kind, pairs, agreed pairs and κ of each line of the table."""
    page.get_by_role("tab", name="Numbers").click()
    lines = page.locator(".agreement tbody tr")
    lines.first.wait_for()
    cells = [re.split(r"\s*\t\s*", line)[-4:] for line in lines.all_inner_texts()]
    return [[*line[:3], line[3].split()[0]] for line in cells]


def barriers(page, axe):
    page.wait_for_timeout(300)
    # The framework shows at the top that the page loads.
    page.locator(".q-loading-bar[role=progressbar]").wait_for(state="detached")
    return serious(page, axe)


def test_two_readers_read_blind_and_then_see_how_far_they_agree(enter, example, axe):
    ann, bob = enter(example, "Ann"), enter(example, "Bob")
    assert not ann.get_by_role("tab", name="Adjudication").is_visible()
    for page in (ann, bob):
        read_blind(page, on=True)
    judge(ann, "ccrrf")
    judge(bob, "cfrcf")
    bob.keyboard.press("k")
    bob.locator(".candidate.chosen .judge[aria-pressed=true]").wait_for()
    sees_nothing_of(bob, "Ann")
    for page in (ann, bob):
        read_blind(page, on=False)
    # Observed 3/5; by chance (2 * 2 + 1 * 2 + 2 * 1) / 25 = 8/25: κ = 7/17.
    expected = ["5", "3 (60%)", "0.41"]
    assert agreement(bob) == [["all", *expected], ["independent", *expected]]
    assert barriers(bob, axe) == []
    bob.get_by_role("button", name="Decide between readers").click()
    bob.get_by_text("0 of 2 decided").wait_for()
    said = bob.locator(".said").all_inner_texts()
    assert [re.split(r"\s+", one)[:2] for one in said] == [["Ann", "cit."], ["Bob", "cf."]]
    assert all(re.search(r"20\d\d-\d\d-\d\d \d\d:\d\d · independent", one) for one in said)
    assert not ann.problems
    assert not bob.problems


def test_disagreements_are_decided_one_after_the_other(enter, example, ask, axe):
    for row, verdict in zip(rows(ask, example), ("cf.", "cit.", "reject"), strict=False):
        put(ask, example, row, "Ann", "cit.")
        put(ask, example, row, "Bob", verdict)
    page = enter(example, "Bob")
    page.get_by_role("tab", name="Adjudication").click()
    page.get_by_text("0 of 2 decided").wait_for()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.locator(f"body.body--{scheme}").wait_for()
        assert barriers(page, axe) == []
    page.keyboard.press("n")
    page.get_by_role("dialog").get_by_label("Note").fill("see Hagendahl")
    page.get_by_role("button", name="Close", exact=True).click()
    page.locator(".q-dialog__inner").wait_for(state="detached")
    page.locator(".decision-box .own-note", has_text="Hagendahl").wait_for()
    page.keyboard.press("f")
    page.get_by_text("1 of 2 decided").wait_for()
    page.keyboard.press("k")
    page.locator(".decision-box .chip.decided", has_text="decided: cf. by Bob").wait_for()
    page.keyboard.press("j")
    page.get_by_text("not decided yet").wait_for()
    page.keyboard.press("r")
    page.get_by_text("2 of 2 decided").wait_for()
    for key, text in (("z", "1 of 2 decided"), ("y", "2 of 2 decided")):
        page.keyboard.press(key)
        page.get_by_text(text).wait_for()
    # Everybody sees the decisions where they read, and keeps their own verdicts.
    ann = enter(example, "Ann")
    ann.locator(".candidate.chosen .decided", has_text="decided: cf. by Bob").wait_for()
    ann.locator(".candidate.chosen .decision", has_text="see Hagendahl").wait_for()
    ann.locator(".candidate.chosen .judge.cit[aria-pressed=true]").wait_for()
    ann.get_by_role("tab", name="Table").click()
    ann.locator(".ag-cell[col-id=decision]", has_text="cf. (Bob)").wait_for()
    decided = ask.get(f"/projects/{example}/decisions").json()
    assert [(one["verdict"], one["note"]) for one in decided] == [
        ("cf.", "see Hagendahl"),
        ("reject", ""),
    ]
    assert len(judgements(ask, example)) == 6
    assert not page.problems


def test_exported_judgements_fill_a_fresh_project_with_the_same(enter, example, ask):
    first, second, third, *_ = rows(ask, example)
    put(ask, example, first, "Ann", "cit.", note="=1+1\nsee; “Hagendahl”")
    put(ask, example, second, "", "unsure")
    put(ask, example, third, "Bob", None, note="only a note")
    put(ask, example, first, "Bob", "reject")
    pair = {name: first[name] for name in ("query_id", "source_id")}
    ask.put(f"/projects/{example}/decisions", json={**pair, "reader": "Ann", "verdict": "cf."})
    page = enter(example, "Ann")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as downloaded:
        page.get_by_text("Judgements and decisions of all readers (.csv)").click()
    table = downloaded.value.path().read_bytes()

    fresh = ask.post("/projects", json={"title": "Fresh"}).json()["id"]
    for side, texts in (("query", b"id,text\na,uox faucibus\n"), ("source", b"id,text\nb,uox\n")):
        ask.put(f"/projects/{fresh}/texts/{side}/x.csv", content=texts)
    ask.post(f"/projects/{fresh}/search", json={"method": "bm25", "k": 1})
    page.goto(f"{page.url.split('/project/')[0]}/project/{fresh}?view=read")
    page.get_by_role("tab", name="Read").click()
    page.locator(".candidate.chosen").wait_for(timeout=60_000)
    page.get_by_role("button", name="Export").click()
    page.get_by_text("Import judgements").click()
    page.locator(".import-table input[type=file]").set_input_files(
        {"name": "judgements.csv", "mimeType": "text/csv", "buffer": table}
    )
    page.get_by_text("5 new, 0 changed, 0 already known").first.wait_for()
    for what in ("judgements", "decisions"):
        before, after = (ask.get(f"/projects/{one}/{what}").json() for one in (example, fresh))
        assert before == after
        assert before
    assert ask.get(f"/projects/{fresh}/judgements.csv").content == table


def test_a_phone_has_room_for_disagreements(enter, example, ask):
    first, *_ = rows(ask, example)
    put(ask, example, first, "Ann", "cit.", note="w" * 200)
    put(ask, example, first, "Bob", "cf.")
    page = enter(example, "", viewport={"width": 390, "height": 800})
    page.get_by_role("tab", name="Adjudication").click()
    page.get_by_text("0 of 1 decided").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.keyboard.press("c")
    page.get_by_text("a decision between readers needs a name").first.wait_for()
    page.get_by_role("tab", name="Numbers").click()
    page.locator(".agreement").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert ask.get(f"/projects/{example}/decisions").json() == []
