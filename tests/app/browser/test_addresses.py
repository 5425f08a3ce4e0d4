"""What is shown lives in the address: it survives reloading, and a link shows it to others."""

from urllib.parse import parse_qs, urlsplit


def open_example(page, running, example, search=""):
    page.goto(f"{running.address}/project/{example}{search}")
    page.locator(".candidate.chosen").wait_for()


def values(page):
    return {name: one[0] for name, one in parse_qs(urlsplit(page.url).query).items()}


def narrow(page):
    """Set a filter and an order, and go to the third pair."""
    page.get_by_role("button", name="Filters").click()
    page.get_by_role("combobox", name="Cited author").click()
    page.get_by_role("option", name="Virgil").click()
    page.wait_for_url("**source_author=Virgil**")
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.locator(".filter-drawer").wait_for(state="detached")
    page.get_by_role("combobox", name="Order").click()
    page.get_by_role("option", name="best score first").click()
    page.wait_for_url("**order=score**")
    for _ in range(2):
        before = page.url
        page.keyboard.press("j")
        page.wait_for_function("before => location.href !== before", arg=before)


def seen(page):
    page.locator(".candidate.chosen").wait_for()
    return (
        page.locator(".candidate.chosen").inner_text(),
        page.locator(".count").inner_text(),
        page.locator(".chips").inner_text(),
    )


def test_filters_order_and_place_survive_reloading_and_are_shared(page, browser, running, example):
    open_example(page, running, example)
    narrow(page)
    before, address = seen(page), page.url
    assert "210 of 210" not in before[1]
    page.reload()
    assert seen(page) == before
    assert page.url == address
    with browser.new_context(locale="en-GB") as context:
        other = context.new_page()
        other.goto(address)
        assert seen(other) == before
        other.keyboard.press("j")  # in the same order
        other.wait_for_function("before => location.href !== before", arg=address)
    page.keyboard.press("j")
    page.wait_for_function("before => location.href !== before", arg=address)
    assert values(page)["order"] == "score"


def test_view_and_columns_survive_reloading_and_back_returns(page, running, example):
    open_example(page, running, example)
    page.wait_for_url("**view=read**")
    page.get_by_role("tab", name="Table").click()
    page.locator(".ag-header-cell[col-id=query_text]").wait_for()
    page.wait_for_url("**view=table**")
    page.get_by_role("button", name="Columns").click()
    page.get_by_role("checkbox", name="Rank").click()
    page.locator(".ag-header-cell[col-id=rank]").wait_for(state="detached")
    page.wait_for_url("**columns=**")
    page.reload()
    page.locator(".ag-header-cell[col-id=query_id]").wait_for()
    assert page.locator(".ag-header-cell[col-id=rank]").count() == 0
    page.go_back()
    page.locator(".read-view .candidate.chosen").wait_for()
    page.locator(".q-tab--active", has_text="Read").wait_for()
    page.go_forward()
    page.locator(".ag-header-cell[col-id=query_id]").wait_for()
    page.locator(".q-tab--active", has_text="Table").wait_for()


def test_addresses_that_make_no_sense_do_no_harm(page, running, example):
    nonsense = "view=nowhere&best=many&status=odd&order=none&from=a&to=b&words=%00&most_rarity="
    open_example(page, running, example, f"?{nonsense}{'9' * 30}&segment=99999&type=x")
    page.get_by_text("210 of 210 pairs").wait_for()
    page.wait_for_url("**view=read**")
    assert set(values(page)) == {"view", "order", "from", "to"}
    assert not page.problems
