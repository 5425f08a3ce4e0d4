"""Searches that ask a server for more than a search: files, downloads, endless numbers."""

import asyncio
import json
from dataclasses import fields

import httpx
import pytest

from locisimiles.app.access.middleware import Access
from locisimiles.app.api import make_api
from locisimiles.app.context import AppContext
from locisimiles.app.projects.collection import ProjectCollection
from locisimiles.app.projects.inputs import use_example
from locisimiles.app.search.parameters import SETTINGS, SearchParameters
from locisimiles.app.search.status import search_status
from locisimiles.app.search.worker import SearchRun
from locisimiles.app.storage.tables.searches import add_search
from locisimiles.errors import ParameterError
from locisimiles.retrieve.methods import METHODS, make_retriever

HOSTILE = [
    ("default", {"weights": "/dev/zero"}),
    ("default", {"weights": "/etc/passwd"}),
    ("default", {"model": "/srv/models"}),
    ("default", {"lemmatizer": "/etc/passwd"}),
    ("bm25", {"lemmatizer": "hub:somebody/model"}),
    ("bm25", {"lemmatizer": "/tmp/x.npz"}),
    ("late", {"model": "somebody/model"}),
    ("dense", {"model": "somebody/model"}),
    ("dense", {"revision": "main"}),
    ("dense", {"prompts": "e5"}),
    ("contextual", {"device": "cuda:7"}),
    ("bm25", {"Lemmatizer": "fast"}),
    ("bm25", {" lemmatizer": "fast"}),
    ("bm25", {"__class__": "x"}),
    ("bm25", {"terms": "/etc/passwd"}),
    ("bm25", {"terms": "lemma+" * 1000 + "lemma"}),
    ("word2vec", {"weighting": "../x"}),
    ("fusion", {"rule": "file:///etc/passwd"}),
    ("ngrams", {"clause_ends": "." * 1000}),
    ("ngrams", {"window": "9" * 5000}),
    ("late", {"depth": "1000000000000"}),
    ("tfidf-lemma", {"max_features": "1e300"}),
    ("bm25", {"k1": "nan"}),
    ("bm25", {"k1": "inf"}),
    ("bm25", {"k1": "-1e308"}),
]


@pytest.fixture
def project(tmp_path):
    made = ProjectCollection(tmp_path / "projects").create("Example")
    use_example(made)
    return made


@pytest.mark.parametrize(("method", "settings"), HOSTILE)
def test_settings_reach_neither_files_nor_networks(tmp_path, project, method, settings):
    api = Access(make_api(AppContext(tmp_path / "projects")))

    async def ask():
        transport = httpx.ASGITransport(api, raise_app_exceptions=False)
        async with httpx.AsyncClient(
            transport=transport, base_url="http://127.0.0.1:8765"
        ) as client:
            wanted = {"method": method, "settings": settings}
            return await client.post(f"/projects/{project.id}/search", json=wanted)

    refused = asyncio.run(ask())
    assert refused.status_code in (400, 422), refused.text
    assert search_status(project) is None


@pytest.mark.parametrize(("method", "settings"), HOSTILE)
def test_a_stored_search_is_checked_before_it_runs(project, method, settings):
    """A project of somebody else may hold a search that no form of ours would have stored."""
    stored = json.dumps({"method": method, "settings": settings})
    with pytest.raises(ParameterError):
        SearchParameters.from_json(stored).pipeline()
    with project.database.writing() as connection:
        number = add_search(connection, stored)
    with pytest.raises(ParameterError):
        SearchRun(project, number).run()
    status = search_status(project, number)
    assert status.state == "failed"
    assert status.message is not None


@pytest.mark.parametrize(
    ("method", "settings"),
    [
        ("bm25", {"k1": "1.2", "b": "0.5", "terms": "lemma+characters"}),
        ("ngrams", {"window": "5", "complura": "none", "clause_ends": ".!?"}),
        ("word2vec", {"weighting": "rarity", "subwords": "no"}),
        ("fusion", {"rule": "rank", "constant": "10"}),
        ("late", {"lists": "none", "exact": "yes"}),
        ("default", {"depth": "200"}),
    ],
)
def test_numbers_and_names_are_still_settings(method, settings):
    assert SearchParameters(method=method, settings=settings).pipeline().retriever is not None


def test_every_setting_that_is_a_number_is_allowed_and_no_other_without_a_check():
    for method in METHODS.values():
        if method.needs:
            continue
        retriever = make_retriever(method.name)
        for field in fields(retriever):
            value = getattr(retriever, field.name)
            if isinstance(value, bool | int | float):
                assert field.name in SETTINGS, (method.name, field.name)
            if field.name in ("model", "weights", "lemmatizer", "vectors", "cache"):
                assert field.name not in SETTINGS
