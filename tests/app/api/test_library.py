"""The library over the REST API."""

import time

import pytest
from tests.app.test_api import ask, context  # noqa: F401 - fixtures

from locisimiles.corpus.library import Library

pytestmark = pytest.mark.usefixtures("mirror")


@pytest.fixture
def place(ask):  # noqa: F811
    """Return the place of the library in an empty project."""
    ask("POST", "/projects", json={"title": "Mine"})
    return "/projects/mine/library/source"


def test_works_are_listed_by_names_genre_and_date(ask):  # noqa: F811
    assert len(ask("GET", "/library").json()) == 6
    (odes,) = ask("GET", "/library", params={"words": "Odes"}).json()
    assert (odes["name"], odes["year"], odes["is_installed"]) == ("horace.odes", -13, False)
    Library().add("vergil.aeneid@perseus")
    (aeneid,) = ask("GET", "/library", params={"installed": True, "genre": "verse"}).json()
    assert [(one["name"], one["is_installed"]) for one in aeneid["editions"]] == [
        ("vergil.aeneid@tesserae", False),
        ("vergil.aeneid@perseus", True),
    ]
    early = ask("GET", "/library", params={"period": "before 40 BC"}).json()
    assert [work["name"] for work in early] == ["cicero.in_catilinam"]
    assert ask("GET", "/library", params={"period": "Augustan"}).status_code == 400
    assert ask("GET", "/library", params={"genre": "drama"}).status_code == 422


def test_texts_are_downloaded_and_added(ask, place):  # noqa: F811
    started = ask("POST", place, json={"names": ["vergil"]})
    assert started.status_code == 202
    assert [one["title"] for one in started.json()["texts"]] == ["Eclogae", "Georgica", "Aeneis"]
    end = time.monotonic() + 30
    while (now := ask("GET", place).json()[0])["phase"] != "done":
        assert time.monotonic() < end
        time.sleep(0.05)
    assert (now["added"], now["share"], now["problem"]) == (3, 1, "")
    texts = ask("GET", "/projects/mine/texts/source").json()
    assert texts["inputs"] == [one["name"] for one in now["texts"]]
    assert ask("DELETE", place).json() == [now]
    assert ask("GET", place).json() == []


def test_only_installed_texts_are_added_at_once(ask, place):  # noqa: F811
    refused = ask("PUT", f"{place}/lucan")
    assert refused.status_code == 400
    assert "not on this machine yet" in refused.json()["error"]
    Library().add("lucan")
    added = ask("PUT", f"{place}/lucan").json()
    assert added["inputs"] == ["lucan.bellum_civile@tesserae"]


@pytest.mark.parametrize("body", [{"names": ["nemo"]}, {"names": []}, {"names": ["a"], "b": 1}])
def test_bad_requests_start_nothing(ask, place, body):  # noqa: F811
    assert ask("POST", place, json=body).status_code in (400, 422)
    assert ask("GET", place).json() == []
