"""Keywords in context over the API."""

import asyncio

import httpx
import pytest

from locisimiles.app.api import make_api
from locisimiles.app.context import AppContext


@pytest.fixture
def ask(searched, storage, tmp_path):
    api = make_api(AppContext(tmp_path, storage=storage))

    async def request(**params):
        transport = httpx.ASGITransport(api)
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            return await client.get(f"/projects/{searched.id}/results", params=params)

    return lambda **params: asyncio.run(request(**params)).json()["rows"]


def test_rows_have_pieces_of_both_texts(ask):
    row = ask(kwic=True, limit=1, words='"uox faucibus"')[0]
    before, keyword, after = row["query_kwic"]
    assert before == []
    assert keyword == [
        ["haesit", 0, False], [" ", None, False], ["uox", 1, True], [" ", None, True],
        ["faucibus", 2, True],
    ]  # fmt: skip
    assert "".join(text for text, _, _ in keyword + after) == row["query_text"]
    assert {number for _, number, _ in row["source_kwic"][1]} >= {0, 1, 2}
    assert row["query_citation"] == "Hier. epist. 130.5.5"


def test_pieces_come_when_asked_for(ask):
    assert "query_kwic" not in ask(texts=True, limit=1)[0]
    assert "query_text" not in ask(limit=1)[0]
