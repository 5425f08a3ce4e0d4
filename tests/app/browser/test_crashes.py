"""The server is killed in the middle; nothing is lost."""

import time

import httpx

from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.search.status import search_status

LINE = "haesit uox faucibus numero {} et omnia tuta timeo.\n"
QUERIES = 400


def ask(app):
    return httpx.Client(base_url=f"{app.address}/api/v1", timeout=60)


def wait_until_done(client, made):
    end = time.monotonic() + 120
    while (status := client.get(f"/projects/{made}/search").json())["state"] != "done":
        assert time.monotonic() < end, status
        time.sleep(0.1)
    return status


def start_a_long_search(client):
    made = client.post("/projects", json={"title": "Long"}).json()["id"]
    for side, count in (("query", QUERIES), ("source", 200)):
        text = "".join(map(LINE.format, range(count))).encode()
        client.put(f"/projects/{made}/texts/{side}/{side}.txt", content=text)
    client.post(f"/projects/{made}/search", json={"method": "bm25", "k": 3})
    return made


def test_killing_the_server_loses_neither_results_nor_verdicts(page, own_app):
    with ask(own_app) as client:
        made = start_a_long_search(client)
        while client.get(f"/projects/{made}/search").json()["finished_queries"] == 0:
            time.sleep(0.02)
        own_app.kill()
    status = search_status(ProjectCollection(own_app.folder).open(made))
    assert status.is_busy
    assert 0 < status.finished_queries < QUERIES  # it was in the middle

    own_app.start()
    with ask(own_app) as client:
        page.goto(f"{own_app.address}/project/{made}")
        page.locator(".candidate.chosen").wait_for()
        for number, key in enumerate("cfr", start=1):
            page.keyboard.press(key)
            page.get_by_text(f"{number} judged").wait_for()
        page.keyboard.press("n")
        page.get_by_role("dialog").get_by_label("Note").fill("see Hagendahl")
        while not any(j["note"] for j in client.get(f"/projects/{made}/judgements").json()):
            time.sleep(0.02)
        before = client.get(f"/projects/{made}/judgements").json()
        own_app.kill()  # while the note is being written

    own_app.start()
    with ask(own_app) as client:
        assert wait_until_done(client, made)["finished_queries"] == QUERIES
        assert client.get(f"/projects/{made}/results").json()["total"] == 3 * QUERIES
        after = client.get(f"/projects/{made}/judgements").json()
        assert after == before
        assert sorted(one["verdict"] or "" for one in after) == ["", "cf.", "cit.", "reject"]
        assert [one["note"] for one in after if one["note"]] == ["see Hagendahl"]
        page.goto(f"{own_app.address}/project/{made}")
        page.locator(".candidate.chosen").wait_for()  # no key is heard before the page is whole
        page.get_by_text("3 judged").wait_for()
        for count in (3, 2):  # first the note, then the last verdict
            page.keyboard.press("z")
            page.get_by_text(f"{count} judged").wait_for()
        verdicts = [one["verdict"] for one in client.get(f"/projects/{made}/judgements").json()]
        assert sorted(verdicts) == ["cf.", "cit."]
