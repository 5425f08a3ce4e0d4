"""What a page shows, as its address."""

from types import SimpleNamespace

from locisimiles.app.results import ResultFilter
from locisimiles.app.ui.address import address_of, read_address, read_choices


def standing(**changes):
    usual = {"wanted": ResultFilter(), "order": "reading", "backwards": False, "columns": None}
    usual |= {"search": None, "has_search": [7, 8].__contains__, "has_place": True}
    usual |= {"forget_hidden": list}
    return SimpleNamespace(**{**usual, "row": None, "query": 0, **changes})


def test_choices_come_back_from_the_address_they_were_written_to():
    wanted = ResultFilter(source_author="", words="fari & 'nefas'", best=3, least_probability=0.25)
    before = standing(
        wanted=wanted, order="score", backwards=True, columns=("rank", "note"), search=7
    )
    after = standing()
    read_choices(read_address(address_of("table", before)), after)
    assert {**vars(after), "has_search": None} == {**vars(before), "has_search": None}


def test_a_search_that_is_gone_is_left_out():
    after = standing()
    read_choices({"search": "9"}, after)
    assert after.search is None


def test_the_position_of_a_segment_is_no_filter_but_the_place():
    before = standing(wanted=ResultFilter(query=7), query=4)
    assert address_of("read", before) == "?view=read&order=reading&segment=5"


def test_no_columns_are_the_usual_ones():
    after = standing(columns=("rank",))
    read_choices({}, after)
    assert after.columns is None


def test_without_results_no_order_is_remembered():
    assert address_of("texts", standing(has_place=False)) == "?view=texts"
