"""The progress of a search, in words."""

from locisimiles.app.search.parameters import SearchParameters
from locisimiles.app.search.status import SearchStatus
from locisimiles.app.ui.search_progress import status_text
from locisimiles.app.ui.translator import Translator
from locisimiles.messages import Message


def status(**changed):
    values = {
        "number": 1, "state": "running", "parameters": SearchParameters(),
        "task": "encoding source", "done": 10, "total": 40, "share": 0.42, "seconds_left": 130.0,
        "finished_queries": 0, "queries": 1200, "message": None, "references": None,
    }  # fmt: skip
    return SearchStatus(**{**values, **changed})


def test_phase_share_and_time_of_the_whole_search_are_named():
    text = status_text(status(), Translator("en"))
    assert text == "encoding the sources · 42% · about 3 min left"
    german = status_text(status(), Translator("de"))
    assert german == "die Quellen werden kodiert · 42\u202f% · noch etwa 3 min"


def test_no_time_is_promised_before_it_is_known():
    assert status_text(status(seconds_left=None), Translator("en")).endswith(
        "42% · estimating the time left"
    )


def test_selections_that_may_still_drop_pairs_are_provisional():
    parameters = SearchParameters(budget=5)
    assert "provisional" in status_text(status(parameters=parameters), Translator("en"))


def test_a_search_that_stopped_says_where_and_why():
    stopped = status(state="failed", finished_queries=30, message=Message("app.search_ended"))
    text = status_text(stopped, Translator("en"))
    assert text.startswith("failed · 30 / 1,200 · ")
    assert text.endswith(str(Message("app.search_ended")))


def test_a_waiting_search_says_so():
    assert status_text(status(state="waiting"), Translator("it")) == Translator("it")("waiting")
