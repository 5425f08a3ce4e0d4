import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import Segment
from locisimiles.corpus.citations import cite, cite_words, cited_work, printed_locus


@pytest.mark.parametrize(
    ("author", "work", "locus", "citation"),
    [
        ("Virgil", "Aeneis", "3.192-3.195", "Verg. Aen. 3.192–195"),
        ("Virgil", "Aeneis", "3.718-4.1", "Verg. Aen. 3.718–4.1"),
        ("P. Vergilius Maro", "Aeneid", "6.847", "Verg. Aen. 6.847"),
        ("Horatius Flaccus, Q.", "Carmina", "1.1.1-1.1.2", "Hor. carm. 1.1.1–2"),
        ("Ovid", "Metamorphoses", "1.1", "Ov. met. 1.1"),
        ("Jerome", "Epistulae", "22.30", "Hier. epist. 22.30"),
        ("Augustine", "De civitate Dei", "1.1", "Aug. civ. 1.1"),
        ("Lactantius", "Divinae institutiones", "1.11.1", "Lact. inst. 1.11.1"),
        ("Lucretius", "De rerum natura", "1.1", "Lucr. 1.1"),
        ("Vulgate", "1Rg", "2.3", "Vulg. I reg. 2.3"),
        ("Vulgate", "Genesis", "1.1-1.2", "Vulg. gen. 1.1–2"),
        ("Petrarca", "Africa", "2.5", "Petrarca, Africa 2.5"),
        ("", "Querolus", "4", "Querolus 4"),
        ("", "", "12", "q 12"),
    ],
)
def test_a_segment_with_a_locus_is_cited_by_author_work_and_locus(author, work, locus, citation):
    assert cite(Segment("q 12.1", "uox", author=author, work=work, locus=locus)) == citation


@pytest.mark.parametrize(
    ("segment_id", "citation"),
    [
        ("verg. aen. 6.847.2", "Verg. Aen. 6.847"),
        ("verg. aen. 6.847", "Verg. Aen. 6.847"),
        ("hor. carm. 1.1.1.1", "Hor. carm. 1.1.1"),
        ("hier. epist. 22.30.4", "Hier. epist. 22.30"),
        ("verg. aen. 6.847.2@perseus-lat2", "Verg. Aen. 6.847"),
        ("symm. rel. 3.10.1", "Symm. rel. 3.10"),
    ],
)
def test_the_number_of_a_sentence_is_no_locus(segment_id, citation):
    assert cite(Segment(segment_id, "uox")) == citation


@pytest.mark.parametrize("segment_id", ["q7", "12", "letters 12", "a/b:c"])
def test_an_id_that_is_no_citation_stays_as_it_is(segment_id):
    assert cite(Segment(segment_id, "uox")) == segment_id


def test_an_id_that_is_no_citation_stands_in_brackets_after_the_work():
    assert cite(Segment("q7", "uox", author="Virgil", work="Aeneis")) == "Verg. Aen. [q7]"


def test_an_id_names_the_work_that_an_author_alone_does_not():
    segment = Segment("verg. georg. 1.2.1", "uox", author="Virgil", locus="1.2")
    assert cite(segment) == "Verg. georg. 1.2"


@pytest.mark.parametrize(
    ("locus", "printed"),
    [
        ("6.847-6.850", "6.847–850"),
        ("6.847-6.847", "6.847–847"),
        ("130.5.5-130.6.1", "130.5.5–6.1"),
        ("12-13", "12–13"),
        ("1.pr.2-1.1", "1.pr.2–1.1"),
        ("0667b", "667b"),
        ("prol._2", "prol. 2"),
        ("Lucius-Titus", "Lucius-Titus"),
        ("", ""),
    ],
)
def test_a_range_does_not_repeat_the_book(locus, printed):
    assert printed_locus(locus) == printed


@given(st.lists(st.integers(1, 999), min_size=1, max_size=4), st.data())
def test_a_printed_range_can_be_read_back(first, data):
    last = data.draw(st.lists(st.integers(1, 999), min_size=len(first), max_size=len(first)))
    written = [".".join(map(str, numbers)) for numbers in (first, last)]
    start, _, end = printed_locus("-".join(written)).partition("–")
    missing = len(first) - len(end.split("."))
    assert start == written[0]
    assert ".".join([*start.split(".")[:missing], end]) == written[1]


VERSE = Segment(
    "verg. aen. 1.1.1",
    "Arma uirumque cano / Italiam fato profugus / litora",
    author="Virgil",
    work="Aeneis",
    locus="1.1-1.3",
)


@pytest.mark.parametrize(
    ("words", "citation"),
    [
        (["Italiam"], "Verg. Aen. 1.2"),
        (["Italiam", "litora"], "Verg. Aen. 1.2–3"),
        (["Arma", "litora"], "Verg. Aen. 1.1–3"),
        ([], "Verg. Aen. 1.1–3"),
    ],
)
def test_words_are_cited_by_their_lines(words, citation):
    spans = [(VERSE.text.index(word), VERSE.text.index(word) + len(word)) for word in words]
    assert cite_words(VERSE, spans) == citation


def test_words_whose_lines_have_no_known_numbers_are_cited_by_the_segment():
    segment = Segment("lucan. 1.1.1", "Bella / per / iusque", locus="1.1-1.2")
    assert cite_words(segment, [(8, 11)]) == "Lucan. 1.1–2"


def test_a_work_is_named_without_a_locus():
    assert cited_work(VERSE) == "Verg. Aen."
    assert cited_work(Segment("q7", "uox")) == ""
