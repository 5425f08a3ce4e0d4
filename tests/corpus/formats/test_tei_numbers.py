import pytest
from lxml import etree

from locisimiles.corpus.formats.tei_numbers import (
    Numbering,
    heading_number,
    heading_of,
    is_division,
    local_name,
    words_of,
)


def _body(inside):
    return etree.fromstring(f'<body xmlns="http://www.tei-c.org/ns/1.0">{inside}</body>')


HEADINGS = """\
  2 2.
 12 12
 14 [14]
  4 IV.
 13 xiii
  1 LIBER PRIMUS.
  2 LIBER SECUNDUS
 13 LIBER DECIMUS TERTIUS. De caelo.
  2 CAPUT II. De deo.
 14 CAP. XIV.
  7 Cap. 7
  1 CAPUT PRIMUM.
 60 EPISTOLA LX. AD HELIODORUM.
130 331 EPISTOLA CXXX.
103 PSALMUS CIII.
  4 § 4
  3 Lib. III
"""


@pytest.mark.parametrize("line", HEADINGS.splitlines())
def test_headings_number_their_chapters(line):
    number, heading = line.split(maxsplit=1)
    assert heading_number(heading) == number


ORDINALS = [
    "primus", "secundus", "tertius", "quartus", "quintus", "sextus", "septimus", "octavus",
    "nonus", "decimus", "undecimus", "duodecimus",
]  # fmt: skip


@pytest.mark.parametrize("word", ORDINALS)
def test_books_are_numbered_by_words(word):
    assert heading_number(f"LIBER {word.upper()}.") == str(ORDINALS.index(word) + 1)


@pytest.mark.parametrize(
    ("heading", "number"),
    [("LIBER VIGESIMUS", "20"), ("CAPUT SECUNDUM", "2"), ("CAPUT TERTIUM", "3")],
)
def test_further_ordinals_are_understood(heading, number):
    assert heading_number(heading) == number


@pytest.mark.parametrize(
    "heading", ["", "PRAEFATIO.", "(Vers. 3.)", "De capite secundo.", "LIBER DE DEO", "Ad Paulam"]
)
def test_other_headings_are_not_numbers(heading):
    assert heading_number(heading) == ""


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("div", True),
        ("div1", True),
        ("div7", True),
        ("div12", False),
        ("p", False),
        ("divine", False),
    ],
)
def test_divisions_are_known_by_their_names(name, answer):
    assert is_division(_body(f"<{name}/>")[0]) is answer


def test_a_local_name_has_no_namespace():
    body = _body("<!-- c --><?pi?><p/>")
    assert [local_name(element) for element in (body, *body)] == ["body", "", "", "p"]


def test_the_heading_is_the_divisions_own():
    division = _body("<div><p/><head>LIBER\n <hi>I.</hi></head><div><head>2.</head></div></div>")[0]
    assert heading_of(division) == "LIBER I."
    assert heading_of(_body("<div><div><head>2.</head></div></div>")[0]) == ""


def test_words_are_separated_by_single_spaces():
    assert words_of(_body("\n Arma  <hi>uirum</hi>que\n")) == "Arma uirumque"


@pytest.mark.parametrize(
    ("inside", "numbering"),
    [
        ('<div n="1"><div n="2"><p/></div></div>', Numbering(headings=True)),
        ('<div n="1"><p n="1"/></div>', Numbering(headings=True)),
        ('<div n="1"><div><p n="1"/></div></div>', Numbering(headings=True, paragraphs=True)),
        ("<div1><head>LIBER I</head><div3><head>2.</head></div3></div1>", Numbering(headings=True)),
        (
            '<div1><head>EPISTOLA</head><pb n="0111A"/><pb n="0111B"/><pb n="0111c"/></div1>',
            Numbering(columns=True),
        ),
        (
            '<div1><head>EPISTOLA</head><pb n="0111A"/><pb n="0111B"/></div1>',
            Numbering(headings=True, paragraphs=True),
        ),
        (
            '<p><milestone unit="section" n="1"/></p>',
            Numbering(headings=True, milestones=("section",)),
        ),
        (
            '<p><milestone unit="chapter" n="1"/><milestone unit="page" n="2"/></p>',
            Numbering(headings=True, milestones=("chapter",)),
        ),
        ('<p><milestone unit="section"/></p>', Numbering(headings=True, paragraphs=True)),
        ('<div type="edition" n="x"><p n="1"/></div>', Numbering(headings=True, paragraphs=True)),
        ('<div n="urn:cts:latinLit:a.b"><p/></div>', Numbering(headings=True, paragraphs=True)),
        (
            "<div1><head>2.</head></div1><div1><head>De deo</head></div1>",
            Numbering(headings=True, paragraphs=True),
        ),
        ("<p/>", Numbering(headings=True, paragraphs=True)),
    ],
)
def test_how_a_document_is_numbered_is_found_out(inside, numbering):
    assert Numbering.of(_body(inside)) == numbering


def test_a_division_is_numbered_by_its_attribute_before_its_heading():
    division = _body('<div n=" 1 a "><head>LIBER II.</head></div>')[0]
    assert Numbering(headings=True).number(division, "LIBER II.") == "1_a"


def test_headings_number_only_where_they_are_asked_to():
    division = _body("<div/>")[0]
    assert Numbering(headings=True).number(division, "LIBER II.") == "2"
    assert Numbering(columns=True).number(division, "LIBER II.") == ""


@pytest.mark.parametrize(
    ("first", "opening"), [("2.", "1"), ("1.", "pr"), ("3.", ""), ("De deo", ""), ("CAPUT II", "1")]
)
def test_text_before_the_first_numbered_chapter_gets_a_number(first, opening):
    division = _body(f"<div1><p/><div2><head>{first}</head></div2></div1>")[0]
    assert Numbering(headings=True).opening(division) == opening


@pytest.mark.parametrize(
    "inside",
    [
        '<div1 n="1"><div2><head>2.</head></div2></div1>',
        '<div1><div2 n="2"><head>2.</head></div2></div1>',
        "<div1><p/></div1>",
    ],
)
def test_numbered_or_undivided_divisions_have_no_unmarked_opening(inside):
    assert Numbering(headings=True).opening(_body(inside)[0]) == ""
