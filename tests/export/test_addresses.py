"""CTS URNs of passages and words."""

import pytest

from locisimiles import Document, Segment
from locisimiles.corpus import LocusMark
from locisimiles.export.addresses import WordAddresses, passage_urn

URN = "urn:cts:latinLit:phi0690.phi003"
AENEID = {"author": "Virgil", "work": "Aeneis"}


def address(text, word, nth=0, **about):
    segment = Segment("a", text, **{**AENEID, **about})
    start = -1
    for _ in range(nth + 1):
        start = text.index(word, start + 1)
    addresses = WordAddresses(Document.from_segments([segment]))
    return addresses.of_word(segment, (start, start + len(word)))


def test_the_urn_of_the_edition_comes_first():
    edition = f"{URN}.perseus-lat2:2.774"
    assert str(passage_urn(Segment("a", "uox", meta={"urn": edition}))) == edition
    assert (
        str(passage_urn(Segment("a", "uox", locus="1.1", meta={"urn": edition}, **AENEID)))
        == edition
    )


@pytest.mark.parametrize(
    "about",
    [
        {},
        {"author": "Virgil"},
        {"author": "Virgil", "work": "Aeneis"},
        {"author": "Nemo", "work": "Aeneis", "locus": "1.1"},
        {"meta": {"urn": "no urn"}},
    ],
)
def test_an_uncertain_work_has_no_urn(about):
    segment = Segment("a", "uox", **about)
    assert passage_urn(segment) is None
    addresses = WordAddresses(Document.from_segments([segment]))
    assert addresses.of_segment(segment) is None
    assert addresses.of_word(segment, (0, 3)) is None


def test_a_word_is_counted_in_its_line():
    assert address("uox et uox", "uox", 1, locus="2.774") == f"{URN}:2.774@uox[2]"


def test_a_word_is_found_in_its_line_by_the_marks():
    loci = (LocusMark("2.1", 0), LocusMark("2.2", 6))
    about = {"locus": "2.1-2.2", "loci": loci}
    assert address("uox / uox", "uox", 1, **about) == f"{URN}:2.2@uox[1]"


def test_lines_are_distinguished_if_as_many_as_loci():
    assert address("arma / uox / uox", "uox", 1, locus="2.9-2.11") == f"{URN}:2.11@uox[1]"


@pytest.mark.parametrize("locus", ["2.1-2.9", "2.1-3.1", "2.2-2.1"])
def test_a_word_of_an_unknown_line_has_the_address_of_its_passage(locus):
    assert address("arma / uox", "uox", locus=locus) == f"{URN}:{locus}"


def test_occurrences_in_earlier_segments_of_the_line_count():
    def part(name, text, first, *marks):
        return Segment(name, text, locus=first, loci=marks, **AENEID)

    document = Document.from_segments(
        [
            part("a", "uox / uox.", "1.1-1.2", LocusMark("1.1", 0), LocusMark("1.2", 6)),
            part("b", "Uox uox.", "1.2", LocusMark("1.2", 0)),
            part("c", "Et uox / uox", "1.2-1.3", LocusMark("1.2", 0), LocusMark("1.3", 9)),
        ]
    )
    addresses = WordAddresses(document)
    assert addresses.of_word(document["c"], (3, 6)) == f"{URN}:1.2@uox[3]"
    assert addresses.of_word(document["c"], (9, 12)) == f"{URN}:1.3@uox[1]"


def test_an_address_has_no_spaces_whatever_the_text_has():
    found = address("ar ma\u0304", "ar ma\u0304", locus="1 a")
    assert found == f"{URN}:1%20a@ar%20ma%CC%84[1]"


def test_a_single_locus_is_that_of_the_first_line():
    text = "Prima deum magnis / fatidicamque ratem"
    line = Segment("a", text, author="Virgil", work="Aeneis", locus="1.1")
    addresses = WordAddresses(Document.from_segments([line]))
    passage = "urn:cts:latinLit:phi0690.phi003:1.1"
    assert addresses.of_word(line, (0, 5)) == f"{passage}@Prima[1]"
    assert addresses.of_word(line, (33, 38)) == passage
