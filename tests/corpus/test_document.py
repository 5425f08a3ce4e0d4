import pytest

from locisimiles.corpus import Document, LocusMark, Segment
from locisimiles.errors import ParameterError, SegmentIdError

FIRST = Segment(
    "verg. aen. 1.1.1",
    "Arma uirumque cano / Italiam",
    author="Virgil",
    work="Aeneis",
    locus="1.1-1.2",
    loci=(LocusMark("1.1", 0), LocusMark("1.2", 21)),
    meta={"year": "-19"},
)
SECOND = Segment("lucan. 1.1.1", "Bella per Emathios", author="Lucan")
THIRD = Segment("anon. 1", "incerti auctoris")


@pytest.fixture
def document():
    return Document.from_segments([FIRST, SECOND, THIRD])


def test_segments_are_unchanged_in_a_document(document):
    assert list(document) == [FIRST, SECOND, THIRD]


def test_columns_keep_the_order(document):
    assert document.ids == ("verg. aen. 1.1.1", "lucan. 1.1.1", "anon. 1")
    assert document.texts == (FIRST.text, SECOND.text, THIRD.text)
    assert document.authors == ("Virgil", "Lucan", "")
    assert document.works == ("Aeneis", "", "")
    assert document.loci == ("1.1-1.2", "", "")


def test_a_metadata_column_is_empty_where_a_segment_has_none(document):
    assert dict(document.meta) == {"year": ("-19", "", "")}
    assert SECOND.meta == document[1].meta == {}


def test_metadata_cannot_be_changed(document):
    with pytest.raises(TypeError):
        document.meta["year"] = ("1", "2", "3")


@pytest.mark.parametrize("key", [1, -2, "lucan. 1.1.1"])
def test_a_segment_is_found_by_position_and_by_id(document, key):
    assert document[key] == SECOND


def test_a_slice_is_a_document(document):
    assert document[1:] == Document.from_segments([SECOND, THIRD])


def test_select_takes_segments_in_the_given_order(document):
    assert document.select([2, 0]).ids == ("anon. 1", "verg. aen. 1.1.1")


def test_index_is_the_position(document):
    assert document.index("anon. 1") == 2


def test_contains_asks_for_ids(document):
    assert "lucan. 1.1.1" in document
    assert "lucan. 1.1.2" not in document


def test_an_unknown_id_is_a_key_error(document):
    with pytest.raises(KeyError, match="hor"):
        document["hor. ars. 1"]


def test_a_position_beyond_the_end_is_an_index_error(document):
    with pytest.raises(IndexError):
        document[3]


def test_two_segments_with_the_same_id_are_refused():
    with pytest.raises(SegmentIdError, match="two segments have the id 'a'; ids must be unique"):
        Document.from_segments([Segment("a", "arma"), Segment("b", "x"), Segment("a", "cano")])


def test_nothing_to_read_is_refused():
    with pytest.raises(
        ParameterError, match=r"Document\(\) needs at least one input; .*from_segments"
    ):
        Document()


def test_no_segments_make_an_empty_document():
    empty = Document.from_segments([])
    assert (len(empty), list(empty), empty.ids) == (0, [], ())


def test_equal_segments_make_equal_documents(document):
    same = Document.from_segments([FIRST, SECOND, THIRD])
    assert document == same
    assert hash(document) == hash(same)


@pytest.mark.parametrize(
    "other",
    [
        Document.from_segments([FIRST, SECOND]),
        Document.from_segments([SECOND, FIRST, THIRD]),
        Document.from_segments([FIRST, SECOND, Segment("anon. 1", "alia uerba")]),
        "a text",
    ],
)
def test_anything_else_is_different(document, other):
    assert document != other


def test_the_fingerprint_is_of_ids_and_texts_only():
    plain = Document.from_segments([Segment(FIRST.id, FIRST.text)])
    assert plain.fingerprint() == Document.from_segments([FIRST]).fingerprint()


@pytest.mark.parametrize(
    "other", [Segment("a", "bc"), Segment("ab", "d"), Segment("", "abc"), Segment("abc", "")]
)
def test_the_fingerprint_keeps_ids_and_texts_apart(other):
    one = Document.from_segments([Segment("ab", "c")])
    assert one.fingerprint() != Document.from_segments([other]).fingerprint()


def test_a_text_with_lone_surrogates_has_a_fingerprint():
    whole, half = (Document.from_segments([Segment("a", text)]) for text in ("arma", "\ud800"))
    assert whole.fingerprint() != half.fingerprint()


def test_the_representation_names_the_authors_once():
    segments = [FIRST, SECOND, Segment("verg. aen. 1.2.1", "x", author="Virgil")]
    assert repr(Document.from_segments(segments)) == "<Document: 3 segments by Virgil, Lucan>"


def test_the_representation_of_an_anonymous_document_names_nobody():
    assert repr(Document.from_segments([THIRD])) == "<Document: 1 segments>"


def test_marks_survive_selection(document):
    assert document.select([0])[0].locus_at(25) == "1.2"


def test_a_document_in_memory_has_nothing_to_report(document):
    assert document.report.messages() == []


def test_a_locus_may_contain_a_space():
    segment = Segment("cic. rep. fr. 4", "arma", loci=(LocusMark("fr. 4", 0),))
    assert Document.from_segments([segment])[0] == segment
