"""A server for several users, in a real browser."""

import json

from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.projects.collection import ProjectCollection

TOKENS = {"ann": "a-long-secret-of-ann", "bob": "a-long-secret-of-bob"}


def judge_nameless(path):
    project = ProjectCollection(path.parent).open(path.stem)
    Judging(project).judge("q", "s", reader="", verdict="cit.")


def log_in(page, address, token):
    page.goto(address)
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Open").click()


def test_users_need_their_token_and_see_their_own_projects(browser, page, start_app, tmp_path):
    users = tmp_path / "users.txt"
    users.write_text("".join(f"{name} {token}\n" for name, token in TOKENS.items()))
    app = start_app("--host", "0.0.0.0", "--users", str(users))
    assert page.goto(app.address).status == 401
    assert page.goto(f"{app.address}/?token={TOKENS['ann']}").status == 401  # never in an address

    log_in(page, app.address, "wrong")
    page.get_by_text("this token is unknown or has expired").wait_for()
    log_in(page, app.address, TOKENS["ann"])
    page.get_by_role("button", name="Try the example").click()
    page.get_by_text("204 segments").wait_for()
    assert page.get_by_role("button", name="ann").count() == 1
    assert "example" in page.url
    place = page.url
    # The name is that of the user; what nobody has put a name to can be taken over.
    judge_nameless(tmp_path / "ann" / f"{place.rpartition('/')[2].partition('?')[0]}.sqlite")
    page.get_by_role("button", name="Your name as a reader: ann").click()
    dialog = page.get_by_role("dialog", name="Your name as a reader")
    dialog.get_by_role("checkbox", name="Take over the judgement without a name").wait_for()
    assert not dialog.get_by_label("Your name as a reader").is_visible()
    dialog.get_by_role("switch", name="Read blind").click()
    dialog.get_by_role("button", name="Save").click()
    page.get_by_text("1 judgement is now that of “ann”.").first.wait_for()
    page.get_by_role("button", name="Your name as a reader: ann (reading blind)").wait_for()

    with browser.new_context(locale="en-GB") as context:
        other = context.new_page()
        log_in(other, app.address, TOKENS["bob"])
        other.get_by_label("Title of a new project").wait_for()
        assert other.locator(".project-line").count() == 0
        other.goto(place)
        other.get_by_text("This project does not exist.").first.wait_for()
        api = place.replace("/project/", "/api/v1/projects/")
        assert other.goto(api).status == 404
    assert [path.name for path in (tmp_path / "bob").glob("*.sqlite")] == []
    said = (tmp_path / "audit.log").read_text()
    lines = [json.loads(line) for line in said.splitlines()]
    seen = [(line["event"], line.get("user")) for line in lines if line["event"] != "change"]
    assert seen == [("wrong token", None), ("login", "ann"), ("login", "bob")]
    assert "secret" not in said
    assert "secret" not in app.stop()
