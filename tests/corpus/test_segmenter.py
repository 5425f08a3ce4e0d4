import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.corpus import CtsUrn, Document, ReadReport
from locisimiles.corpus.segmenter import Passage, WorkHeader, segment_passages
from locisimiles.corpus.sentences import StopRules

AENEID = WorkHeader("verg. aen.", author="Virgil", title="Aeneis", verse=True)
LETTERS = WorkHeader("hier. epist.", author="Jerome", title="Epistulae")
OPENING = [
    Passage("1.1", "Arma virumque cano, Troiae qui primus ab oris", 4),
    Passage("1.2", "Italiam, fato profugus, Laviniaque venit", 5),
    Passage("1.3", "litora. Multum ille et terris iactatus et alto", 6),
    Passage("1.4", "vi superum. Musa, mihi causas memora", 7),
]


def _segments(passages, header, rules=None):
    return list(Document._from_columns(segment_passages(passages, header, rules), ReadReport()))


def test_verse_is_joined_and_cut_into_sentences():
    assert [segment.text for segment in _segments(OPENING, AENEID)] == [
        (
            "Arma virumque cano, Troiae qui primus ab oris / "
            "Italiam, fato profugus, Laviniaque venit / litora."
        ),
        "Multum ille et terris iactatus et alto / vi superum.",
        "Musa, mihi causas memora",
    ]


def test_ids_name_the_line_a_sentence_begins_at_and_count_what_begins_there():
    passages = [Passage("1.1", "Abeo. Redeo. Maneo"), Passage("1.2", "hic. Dixi.")]
    assert [segment.id for segment in _segments(passages, AENEID)] == [
        "verg. aen. 1.1.1", "verg. aen. 1.1.2", "verg. aen. 1.1.3", "verg. aen. 1.2.1",
    ]  # fmt: skip


def test_loci_are_the_lines_a_sentence_runs_over():
    assert [s.locus for s in _segments(OPENING, AENEID)] == ["1.1-1.3", "1.3-1.4", "1.4"]


def test_marks_say_where_each_line_begins():
    first, second, third = _segments(OPENING, AENEID)
    assert first.loci == (("1.1", 0), ("1.2", 48), ("1.3", 91))
    assert second.loci == (("1.3", 0), ("1.4", 41))
    assert third.loci == (("1.4", 0),)
    assert first.text[48:55] == "Italiam"


def test_rows_are_those_of_the_first_line():
    assert segment_passages(OPENING, AENEID).rows == [4, 6, 7]


def test_every_segment_carries_author_and_work():
    columns = segment_passages(OPENING, AENEID)
    assert (set(columns.authors), set(columns.works)) == ({"Virgil"}, {"Aeneis"})


def test_our_ids_are_marked_as_ours():
    assert segment_passages(OPENING, AENEID).ids_are_ours


def test_urn_edition_and_metadata_go_to_every_segment():
    header = WorkHeader(
        "verg. aen.",
        verse=True,
        urn=CtsUrn("latinLit", "phi0690.phi003", "perseus-lat2"),
        edition="perseus-lat2",
        meta={"year": "-19"},
    )
    assert _segments(OPENING, header)[0].meta == {
        "year": "-19",
        "edition": "perseus-lat2",
        "urn": "urn:cts:latinLit:phi0690.phi003.perseus-lat2:1.1-1.3",
    }


def test_no_sentence_of_verse_crosses_a_book():
    passages = [Passage("1.756", "et quae cuncta fugit"), Passage("2.1", "Conticuere omnes.")]
    assert [s.locus for s in _segments(passages, AENEID)] == ["1.756", "2.1"]


def test_a_sentence_of_prose_crosses_a_chapter_it_leaves_open():
    passages = [Passage("1.2.9", "quod cum ita sit,"), Passage("1.3.1", "abeo.")]
    [segment] = _segments(passages, LETTERS)
    assert (segment.text, segment.locus) == ("quod cum ita sit, abeo.", "1.2.9-1.3.1")


def test_a_chapter_that_ends_without_a_full_stop_but_closed_is_not_crossed():
    passages = [Passage("1.2.9", "quod cum ita sit:"), Passage("1.3.1", "abeo.")]
    assert [s.locus for s in _segments(passages, LETTERS)] == ["1.2.9", "1.3.1"]


def test_no_sentence_runs_into_a_new_part():
    passages = [Passage("1", "titulus"), Passage("2", "Arma cano.", begins_part=True)]
    assert [s.text for s in _segments(passages, LETTERS)] == ["titulus", "Arma cano."]


def test_a_word_broken_over_two_passages_is_mended():
    passages = [Passage("1.1", "litora mul-"), Passage("1.2", "tum ille iactatus.")]
    [segment] = _segments(passages, AENEID)
    assert segment.text == "litora multum ille iactatus."
    assert segment.loci == (("1.1", 0), ("1.2", 10))


def test_a_hyphen_at_the_very_end_stays():
    [segment] = _segments([Passage("1.1", "litora mul-")], AENEID)
    assert segment.text == "litora mul-"


def test_a_dash_between_passages_is_not_a_broken_word():
    passages = [Passage("1.1", "litora -"), Passage("1.2", "tum ille.")]
    assert _segments(passages, AENEID)[0].text == "litora - / tum ille."


def test_text_without_letters_joins_the_sentence_before():
    passages = [Passage("1", "Abeo."), Passage("2", "* * *"), Passage("3", "[…]")]
    [segment] = _segments(passages, LETTERS)
    assert (segment.text, segment.locus) == ("Abeo. * * * […]", "1-3")


def test_empty_passages_leave_no_trace():
    passages = [Passage("1", "Arma"), Passage("2", ""), Passage("3", "cano.")]
    [segment] = _segments(passages, LETTERS)
    assert (segment.text, segment.locus) == ("Arma cano.", "1-3")
    assert [mark.locus for mark in segment.loci] == ["1", "3"]


def test_segments_have_no_space_around_them():
    [first, second] = _segments([Passage("1", " Arma.  "), Passage("2", "Cano.  ")], LETTERS)
    assert (first.text, second.text) == ("Arma.", "Cano.")


def test_no_passages_make_no_segments():
    assert len(segment_passages([], AENEID)) == 0


def test_a_work_without_abbreviation_has_ids_of_loci_alone():
    assert _segments([Passage("1", "Arma.")], WorkHeader(""))[0].id == "1.1"


@pytest.mark.parametrize(("rule", "loci"), [("never", ["1.1-1.2"]), ("line-end", ["1.1", "1.2"])])
def test_a_colon_at_a_line_end_closes_a_segment_where_the_rules_say_so(rule, loci):
    passages = [Passage("1.1", "sic fatur: tum lacrimans:"), Passage("1.2", "abeo.")]
    assert [s.locus for s in _segments(passages, AENEID, StopRules(colon=rule))] == loci


def test_the_end_of_a_section_of_prose_is_not_a_line_end():
    passages = [Passage("1.1", "sic dixit:"), Passage("1.2", "abeo.")]
    segments = _segments(passages, LETTERS, StopRules(colon="line-end"))
    assert [segment.locus for segment in segments] == ["1.1-1.2"]


@st.composite
def _passages(draw):
    """Passages of words and stops, each with a locus of its own, over a few books."""
    words = st.sampled_from(
        ["arma", "uirum", "Troiae", "P.", "abeo.", "quo?", "inquit", "sic:", "(a.", "b)", "'i!'"]
    )
    lines = draw(st.lists(st.lists(words, min_size=1, max_size=6).map(" ".join), max_size=12))
    books = sorted(draw(st.integers(1, 3)) for _ in lines)
    return [Passage(f"{b}.{n}", t) for n, (b, t) in enumerate(zip(books, lines, strict=True), 1)]


@settings(deadline=None)
@given(_passages(), st.booleans(), st.sampled_from(["never", "line-end", "always"]))
def test_marks_are_always_where_the_text_of_their_line_begins(passages, verse, colon):
    text_of = {passage.locus: passage.text for passage in passages}
    for segment in _segments(passages, WorkHeader("a", verse=verse), StopRules(colon=colon)):
        ends = [*(mark.offset for mark in segment.loci[1:]), len(segment.text)]
        for i, (mark, end) in enumerate(zip(segment.loci, ends, strict=True)):
            piece = segment.text[mark.offset : end].rstrip(" /")
            assert piece
            assert piece in text_of[mark.locus]
            assert text_of[mark.locus].startswith(piece) or i == 0
            assert segment.locus_at(mark.offset) == segment.locus_at(end - 1) == mark.locus


@settings(deadline=None)
@given(_passages(), st.booleans())
def test_ids_are_always_unique(passages, verse):
    ids = segment_passages(passages, WorkHeader("a", verse=verse)).ids
    assert len(ids) == len(set(ids))


def _letters(texts):
    return [letter for text in texts for letter in text if letter.isalpha()]


@settings(deadline=None)
@given(
    st.lists(st.builds(Passage, st.sampled_from(["1.1", "1.2", "2.1"]), st.text())),
    st.booleans(),
    st.sampled_from(["never", "line-end", "always"]),
)
def test_no_letter_is_ever_lost_or_moved(passages, verse, stop):
    rules = StopRules(colon=stop, semicolon=stop)
    columns = segment_passages(passages, WorkHeader("a", verse=verse), rules)
    assert _letters(columns.texts) == _letters(passage.text for passage in passages)
