"""Shares in requests, as people write them."""

import pytest
from tests.app.test_api import ask, context, example  # noqa: F401 - fixtures


@pytest.mark.parametrize("name", ["threshold", "precision"])
def test_a_share_may_be_written_in_percent(ask, example, name):  # noqa: F811
    for number, written in enumerate(["50%", "0,5", 0.5], start=2):
        done = ask("POST", f"{example}/search", json={"method": "bm25", "k": 1, name: written})
        assert done.status_code == 202, done.text
        shown = ask("GET", f"{example}/searches/{number}").json()
        assert shown["parameters"][name] == 0.5


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (50, "for 50 in a hundred, write 0.5 or 50%"),
        ("50", "for 50 in a hundred, write 0.5 or 50%"),
        ("half", "'half' is no share between 0 and 1"),
        ("150%", "'150%' is no share between 0 and 1"),
        (-1, "'-1' is no share between 0 and 1"),
        (True, ""),
        ([0.5], "valid number"),
    ],
)
def test_a_share_that_is_none_is_explained(ask, example, value, said):  # noqa: F811
    done = ask("POST", f"{example}/search", json={"method": "bm25", "threshold": value})
    if value is True:  # pydantic takes it for 1
        assert done.status_code == 202
        return
    assert done.status_code == 422
    assert said in done.text
