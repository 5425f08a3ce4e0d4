"""A server for several users, in a real browser."""

TOKENS = {"ann": "a-long-secret-of-ann", "bob": "a-long-secret-of-bob"}


def test_users_need_their_token_and_see_their_own_projects(browser, page, start_app, tmp_path):
    users = tmp_path / "users.txt"
    users.write_text("".join(f"{name} {token}\n" for name, token in TOKENS.items()))
    app = start_app("--host", "0.0.0.0", "--users", str(users))
    assert page.goto(app.address).status == 401
    assert page.goto(f"{app.address}/?token=wrong").status == 401

    page.goto(f"{app.address}/?token={TOKENS['ann']}")
    assert "token" not in page.url
    page.get_by_role("button", name="Try the example").click()
    page.get_by_text("204 segments").wait_for()
    assert page.get_by_role("button", name="ann").count() == 1
    assert "example" in page.url
    place = page.url

    with browser.new_context(locale="en-GB") as context:
        other = context.new_page()
        other.goto(f"{app.address}/?token={TOKENS['bob']}")
        other.get_by_label("Title of a new project").wait_for()
        assert other.locator(".project-line").count() == 0
        other.goto(place)
        other.get_by_text("This project does not exist.").first.wait_for()
        api = place.replace("/project/", "/api/v1/projects/")
        assert other.goto(api).status == 404
    assert [path.name for path in (tmp_path / "bob").glob("*.sqlite")] == []
