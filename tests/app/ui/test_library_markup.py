"""The list of the library as HTML."""

import re

import pytest

from locisimiles.app.projects.additions import TextStatus
from locisimiles.app.projects.library_list import ListedEdition, ListedWork
from locisimiles.app.ui.library_markup import text_states, work_list
from locisimiles.app.ui.translator import Translator
from locisimiles.messages import Message

T = Translator("en")


def work(name, *editions, title="Aeneis"):
    return ListedWork(name, "Virgil", title, -19, "verse", editions)


def edition(name, *, here=False, can=True):
    return ListedEdition(name, f"Publisher of {name}", 1_500_000, here, can)


def test_chosen_works_are_checked_with_their_edition():
    works = [work("vergil.aeneid", edition("a"), edition("b"))]
    html = work_list(works, {"vergil.aeneid": "b"}, T)
    assert 'data-work="vergil.aeneid" checked' in html
    assert '<option value="b" selected>' in html
    assert "19 BC · verse · 2 editions · 1.5 MB" in html
    assert " checked" not in work_list(works, {}, T)


def test_the_box_of_an_author_is_checked_if_all_works_are_that_can_be_had():
    works = [
        work("vergil.aeneid", edition("a")),
        work("vergil.culex", edition("b")),
        work("vergil.moretum", edition("c", can=False)),
    ]
    author = re.compile(r'data-author="vergil"( checked)?>.*?all 2 works')
    assert author.search(work_list(works, {"vergil.aeneid": "a"}, T))[1] is None
    assert author.search(work_list(works, {"vergil.aeneid": "a", "vergil.culex": "b"}, T))[1]
    assert 'data-work="vergil.moretum" disabled' in work_list(works, {}, T)
    assert "data-author" not in work_list(works[1:], {}, T)


def test_an_edition_is_only_offered_where_there_is_a_choice():
    html = work_list(
        [work("vergil.aeneid", edition("a", here=True), edition("b", can=False))], {}, T
    )
    assert "<select" not in html
    assert "Publisher of a" in html
    assert "installed" in html


def test_titles_are_escaped():
    html = work_list([work("vergil.x", edition("a"), title="<b>&")], {}, T)
    assert "&lt;b&gt;&amp;" in html


def status(state, **values):
    return TextStatus("n", "Virgil", "Aeneis", state, 500, 1000, **values)


@pytest.mark.parametrize(
    ("state", "words"), [("waiting", "waiting"), ("downloading", "50%"), ("here", "installed")]
)
def test_each_text_says_how_far_it_is(state, words):
    assert f'Virgil, Aeneis <span class="meta">{words}<' in text_states([status(state)], T)


def test_the_same_problem_is_told_once():
    problem = Message("corpus.unreachable", {"server": "example.org", "reason": "timed out"})
    html = text_states([status("failed", problem=problem)] * 3, T)
    assert html.count("no connection to example.org") == 1
    assert html.count("not downloaded") == 2
    assert "--from" not in html
