"""Verdicts on many pairs at once, over the API."""

import asyncio

import httpx
import pytest

from locisimiles.app.api import make_api
from locisimiles.app.context import AppContext


@pytest.fixture
def ask(searched, storage, tmp_path):
    api = make_api(AppContext(tmp_path, storage=storage))

    async def request(method, path, **options):
        transport = httpx.ASGITransport(api, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            return await client.request(method, f"/projects/{searched.id}/{path}", **options)

    return lambda *arguments, **options: asyncio.run(request(*arguments, **options))


def judge(ask, **given):
    return ask("POST", "judgements/batch", json=given)


def count(ask, **wanted):
    return ask("GET", "results", params={"limit": 1, **wanted}).json()["total"]


def test_rows_and_filters_are_judged_and_undone_as_one(ask):
    rows = [row["row"] for row in ask("GET", "results", params={"limit": 4}).json()["rows"]]
    assert judge(ask, rows=rows, verdict="cit.", reader="Ann").json() == {
        "chosen": 4, "changed": 4, "replaced_verdicts": 0, "replaced_notes": 0,
    }  # fmt: skip
    virgil = count(ask, source_author="Virgil")
    answer = judge(
        ask,
        all={"source_author": "Virgil"},
        rows=rows[:1],
        verdict="reject",
        reader="Ann",
        note="n",
    ).json()
    assert answer["chosen"] == virgil - 1
    assert answer["replaced_verdicts"] > 0
    assert count(ask, status="reject", reader="Ann") == answer["changed"]
    ask("POST", "judgements/undo", params={"reader": "Ann"})
    assert count(ask, status="cit.", reader="Ann") == count(ask, status="judged", reader="Ann") == 4


def test_what_would_change_can_be_asked_first(ask):
    answer = judge(ask, all={}, verdict="cf.", only_count=True).json()
    assert answer["changed"] == answer["chosen"] == count(ask)
    assert count(ask, status="judged") == 0


@pytest.mark.parametrize(
    "given",
    [
        {"verdict": "cit."},  # no pairs
        {"all": {"source_author": ""}, "verdict": "cit."},  # no pair is without an author
        {"all": {"source_autor": "Ovid"}, "verdict": "cit."},
        {"al": {}, "verdict": "cit."},
        {"all": {"status": "maybe"}, "verdict": "cit."},
        {"all": {}, "verdict": "maybe"},
        {"rows": [0] * 100_001, "verdict": "cit."},
    ],
)
def test_a_slip_judges_no_pair(ask, given):
    assert judge(ask, **given).status_code in {200, 400, 422}
    assert count(ask, status="judged") == 0
