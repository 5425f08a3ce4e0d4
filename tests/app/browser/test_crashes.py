"""The server is killed in the middle; nothing is lost."""

import time

import httpx

LINE = "haesit uox faucibus numero {} et omnia tuta timeo.\n"


def test_killing_the_server_loses_neither_results_nor_verdicts(page, own_app):
    with httpx.Client(base_url=f"{own_app.address}/api/v1", timeout=60) as ask:
        made = ask.post("/projects", json={"title": "Long"}).json()["id"]
        for side, count in (("query", 400), ("source", 200)):
            text = "".join(map(LINE.format, range(count))).encode()
            ask.put(f"/projects/{made}/texts/{side}/{side}.txt", content=text)
        ask.post(f"/projects/{made}/search", json={"method": "bm25", "k": 3})
        page.goto(f"{own_app.address}/project/{made}")
        while ask.get(f"/projects/{made}/search").json()["finished_queries"] == 0:
            time.sleep(0.05)
        page.get_by_role("tab", name="Read").click()
        page.locator(".candidate.chosen").wait_for()
        page.keyboard.press("c")
        page.get_by_text("1 judged").wait_for()
        own_app.kill()
    own_app.start()
    with httpx.Client(base_url=f"{own_app.address}/api/v1", timeout=60) as ask:
        end = time.monotonic() + 60
        while (status := ask.get(f"/projects/{made}/search").json())["state"] != "done":
            assert time.monotonic() < end, status
            time.sleep(0.1)
        assert status["finished_queries"] == 400
        results = ask.get(f"/projects/{made}/results").json()
        assert results["total"] == 1200
        assert [j["verdict"] for j in ask.get(f"/projects/{made}/judgements").json()] == ["cit."]
    page.goto(f"{own_app.address}/project/{made}")
    page.get_by_text("1 judged").wait_for()
