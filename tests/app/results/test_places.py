"""Pairs by their places in both texts."""

import itertools

import pytest

from locisimiles.app.judging.verdicts import Judging
from locisimiles.app.projects.project import Input
from locisimiles.app.results import ResultFilter, ResultTable
from locisimiles.app.results.passages import with_citations
from locisimiles.app.results.places import find_places
from locisimiles.corpus import Document, Segment


def test_every_pair_is_a_point_in_its_books(searched):
    places = find_places(searched)
    assert places.pairs == len(places.points) == 210
    page = ResultTable(searched.database).page(limit=500, texts=True)
    rows = {row["row"]: with_citations(row) for row in page.rows}
    for point in places.points:
        row = rows[point.row]
        (book,) = (one for one in places.sources if one.begin < point.source < one.end)
        assert point.source_citation.startswith(f"{book.work} {book.name}".rstrip())
        assert point.source_citation == row["source_citation"]
        assert point.query_citation == row["query_citation"]
    assert {point.row for point in places.points} == set(rows)


def test_books_are_in_order_and_as_long_as_they_have_segments(searched):
    places = find_places(searched)
    for books, side in ((places.sources, "source"), (places.queries, "query")):
        assert books[0].begin == 0
        assert all(one.end == two.begin for one, two in itertools.pairwise(books))
        assert books[-1].end <= searched.texts.count(side)
    aeneid = [int(book.name) for book in places.sources if book.work == "Verg. Aen."]
    assert aeneid == sorted(aeneid)
    (poem,) = (book for book in places.sources if book.work == "Hor. ars")
    assert (poem.name, poem.opens) == ("", True)  # loci of lines alone name no book


def test_only_works_with_pairs_are_on_the_axes(searched):
    places = find_places(searched, ResultFilter(source_author="Virgil", best=1))
    assert {book.work for book in places.sources} == {
        point.source_citation.rsplit(" ", 1)[0] for point in places.points
    }


def test_judged_pairs_count_even_if_they_are_unlikely(searched):
    likely = find_places(searched, likely="best")
    last = ResultTable(searched.database).page(ResultFilter(query=0)).rows[-1]
    assert last["row"] not in {point.row for point in likely.points}
    Judging(searched).judge(last["query_id"], last["source_id"], reader="", verdict="reject")
    again = find_places(searched, likely="best")
    assert again.pairs == likely.pairs + 1
    (judged,) = (point for point in again.points if point.verdict)
    assert (judged.row, judged.verdict) == (last["row"], "reject")
    others = find_places(searched, likely="best", reader="Ann")
    assert others.pairs == likely.pairs


def test_probable_pairs_count(searched):
    with searched.database.writing() as connection:
        connection.execute("UPDATE result SET probability = 0.5 WHERE row <= 3")
        connection.execute("UPDATE result SET probability = 0.49 WHERE row > 3")
    assert {point.row for point in find_places(searched, likely="probable").points} == {1, 2, 3}


def test_too_many_pairs_are_taken_together_and_none_is_lost(searched):
    judged = ResultTable(searched.database).page(limit=1).rows[0]
    Judging(searched).judge(judged["query_id"], judged["source_id"], reader="", verdict="cf.")
    places = find_places(searched, most=200)
    assert places.are_cells
    assert places.pairs == sum(point.pairs for point in places.points) == 210
    assert sum(point.accepted for point in places.points) == 1
    assert len(places.points) <= 200
    ends = places.sources[-1].end, places.queries[-1].end
    assert all(0 < p.source < ends[0] and 0 < p.query < ends[1] for p in places.points)


def test_the_smallest_cells_are_left_out_if_there_are_still_too_many(searched):
    places = find_places(searched, most=5)
    assert len(places.points) == 5
    assert sum(point.pairs for point in places.points) < places.pairs == 210


@pytest.mark.parametrize(
    ("segment_id", "locus", "book"),
    [
        ("x1", "12.3", "12"),
        ("x1", "2.7-3.1", "2"),
        ("x1", "130.5.5", "130"),
        ("x1", "343-344", ""),
        ("x1", "0667b", ""),
        ("x1", "praef.1", ""),
        ("x1", "", ""),
        ("verg. aen. 6.847.1", "", "6"),
        ("hor. ars. 343.1", "", ""),
        ("7", "", ""),
    ],
)
def test_the_book_is_the_first_number_of_a_longer_locus(project, search, segment_id, locus, book):
    """An id like ours stands in for a missing locus; its last number counts sentences."""
    text = "haesit uox faucibus"
    source = Segment(segment_id, text, "Virgil", "Aeneis", locus)
    for side, segment in (("query", Segment("q", text)), ("source", source)):
        document = Document.from_segments([segment])
        project.set_texts(side, [Input("file", "a.csv", b"")], document)
    search(project)
    places = find_places(project)
    assert [one.name for one in places.sources] == [book]
    assert len(places.points) == 1


def test_nothing_has_no_place(searched):
    places = find_places(searched, ResultFilter(source_author="Nobody"))
    assert (places.queries, places.sources, places.points, places.pairs) == ([], [], [], 0)
