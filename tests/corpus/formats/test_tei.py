import pytest

from locisimiles.errors import EmptyInputError, MalformedInputError, UnknownFormatError

PERSEUS = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt>
  <title>Aeneid</title><author>Vergil<date>-19</date></author>
</titleStmt></fileDesc></teiHeader>
<text xml:lang="lat"><body>
<div type="edition" n="urn:cts:latinLit:phi0690.phi003.perseus-lat2"><head>AENEIS</head>
<div type="textpart" subtype="book" n="1">
<l n="1">Arma virumque cano,<note>alii: <q>ille ego</q></note> Troiae qui primus ab oris</l>
<l n="2">Italiam, fato profugus, Laviniaque venit</l>
<l n="3">litora. <del>Multum</del> ille et terris iactatus:</l>
<l n="4">tum sic fatur: <q>Quo tenditis,</q></l>
<l n="5"><q rend="merge"><choice><sic>armo</sic><corr>arma</corr></choice>?</q> inquit.</l>
</div></div></body></text></TEI>"""

CSEL = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt>
<title>Epistulae</title><author>Hieronymus</author></titleStmt></fileDesc></teiHeader>
<text><body><div type="edition" n="urn:cts:latinLit:stoa0162.stoa004.opp-lat1" xml:lang="lat">
<div type="textpart" subtype="letter" n="130"><head>CXXX. AD DEMETRIADEM</head>
<div type="textpart" subtype="chapter" n="5"><div type="textpart" subtype="section" n="5">
<p>haesit uox fauci-
<lb n="2"/>bus et inter <app><lem>ruborem</lem><rdg>rubores</rdg></app>
<lb n="3"/>atque pallorem<note type="footnote">pallorem <hi>A</hi></note> metumque <pb n="180"/>
cogitationes uariae mutabantur. quid
</p></div><div type="textpart" subtype="section" n="6"><p>multa?
<choice><sic>omina</sic><corr>omnia</corr></choice> tuta timeo.</p></div>
</div></div></div></body></text></TEI>"""

PATROLOGIA = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt>
<title>Contra Vigilantium</title></titleStmt><publicationStmt><idno>HieStr.ConVig</idno>
</publicationStmt></fileDesc></teiHeader><text><body>
<div1><head>ADMONITIO IN SUBSEQUENTEM LIBRUM.</head><p>Haec editor scripsit.</p></div1>
<div1><head>LIBER PRIMUS.</head><p>Multa in orbe <emph>387</emph> monstra [Al. portenta].</p>
<div3><head>2.</head><p>Omnia tuta timeo.</p></div3>
<div3><head>3.</head><p>Haesit uox faucibus.</p></div3></div1></body></text></TEI>"""

COLUMNS = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><text><body>
<div1><head>EPISTOLA AD PAULAM.</head><p><pb n="0111A"/>Multa in orbe monstra gene-
<pb n="0111B"/>rata sunt. Leguntur in Isaia <pb n="0111C"/>centauri.</p></div1>
</body></text></TEI>"""

OLD = """<?xml version="1.0"?>
<!DOCTYPE TEI.2 PUBLIC "-//TEI P4//DTD Main DTD Driver File//EN" "tei2.dtd" [
<!ENTITY % TEI.XML "INCLUDE">
<!ENTITY % PersProse PUBLIC "-//Perseus P4//DTD Perseus Prose//EN" "PersProse.dtd">
%PersProse;
]>
<TEI.2><teiHeader><fileDesc><titleStmt><title>De agricultura</title><author>Cato</author>
</titleStmt></fileDesc></teiHeader><text><body>
<p><milestone unit="section" n="1"/>Est interdum praestare mercaturis rem quaerere&mdash;nisi
tam periculosum sit. <milestone unit="section" n="2"/>Maiores nostri sic habuerunt.</p>
</body></text></TEI.2>"""


def test_a_perseus_edition_of_verse(read):
    document = read("tei", PERSEUS, "aeneid.xml")
    assert document.ids == (
        "verg. aen. 1.1.1", "verg. aen. 1.3.1", "verg. aen. 1.4.1", "verg. aen. 1.4.2",
    )  # fmt: skip
    assert document.texts == (
        (
            "Arma virumque cano, Troiae qui primus ab oris / "
            "Italiam, fato profugus, Laviniaque venit / litora."
        ),
        "[Multum] ille et terris iactatus:",
        "tum sic fatur:",
        "‘Quo tenditis, / arma?’ inquit.",
    )
    assert document.loci == ("1.1-1.3", "1.3", "1.4", "1.4-1.5")


def test_a_perseus_edition_keeps_urn_and_edition(read):
    segment = read("tei", PERSEUS)[0]
    assert (segment.author, segment.work) == ("Virgil", "Aeneis")
    assert segment.meta == {
        "genre": "verse",
        "year": "-19",
        "edition": "perseus-lat2",
        "urn": "urn:cts:latinLit:phi0690.phi003.perseus-lat2:1.1-1.3",
    }


def test_marks_are_where_lines_begin(read):
    segment = read("tei", PERSEUS)[0]
    words = [segment.text[mark.offset :].split()[0] for mark in segment.loci]
    assert words == ["Arma", "Italiam,", "litora."]


def test_the_users_choice_about_colons_wins_over_the_catalogue(read):
    document = read("tei", PERSEUS, colon="never")
    assert document.loci == ("1.1-1.3", "1.3-1.5")


def test_a_csel_edition_of_letters(read):
    document = read("tei", CSEL)
    assert document.ids == (
        "hier. epist. 130.5.5.1",
        "hier. epist. 130.5.5.2",
        "hier. epist. 130.5.6.1",
    )
    assert document.texts == (
        (
            "haesit uox faucibus et inter ruborem atque pallorem metumque "
            "cogitationes uariae mutabantur."
        ),
        "quid multa?",
        "omnia tuta timeo.",
    )
    assert document.loci == ("130.5.5", "130.5.5-130.5.6", "130.5.6")
    assert document[0].meta["edition"] == "opp-lat1"


def test_a_text_of_the_corpus_corporum_numbered_by_headings(read):
    document = read("tei", PATROLOGIA)
    assert document.ids == (
        "hier. c. vigil. 1.1.1", "hier. c. vigil. 1.2.1", "hier. c. vigil. 1.3.1",
    )  # fmt: skip
    assert document.texts[1:] == ("Omnia tuta timeo.", "Haesit uox faucibus.")
    assert document.authors[0] == "Jerome"
    assert document.report.messages() == [
        "text.tei: the editor's preface 'ADMONITIO IN SUBSEQUENTEM LIBRUM.' left out",
        "text.tei: 1 variant reading in the text ([Al. …]) left out",
    ]


def test_a_text_of_the_patrologia_numbered_by_columns(read):
    document = read("tei", COLUMNS, "paula.xml")
    assert document.ids == ("paula 0111a.1", "paula 0111b.1")
    assert document.loci == ("0111a-0111b", "0111b-0111c")
    assert document.texts == (
        "Multa in orbe monstra generata sunt.", "Leguntur in Isaia centauri.",
    )  # fmt: skip


def test_an_old_perseus_file_with_a_document_type(read):
    document = read("tei", OLD, "cato.xml")
    assert document.ids == ("de agricultura 1.1", "de agricultura 2.1")
    assert document.texts[0] == (
        "Est interdum praestare mercaturis rem quaerere—nisi tam periculosum sit."
    )
    assert (document[0].author, document[0].work) == ("Cato", "De agricultura")
    assert document.report.messages() == []


def test_a_text_without_header_is_called_after_its_file(read):
    document = read("tei", "<TEI><text><body><p>Arma cano.</p></body></text></TEI>", "x/carmen.xml")
    assert document.ids == ("carmen pr.1",)
    assert document[0].meta == {"edition": "carmen"}


def test_a_work_is_known_by_its_file_name(read, tei):
    document = read(
        "tei", tei('<div n="1"><l n="1">Arma.</l></div>'), "phi0690.phi003.perseus-lat2.xml"
    )
    assert document.ids == ("verg. aen. 1.1.1",)


def test_a_work_is_known_by_an_identifier_in_the_header(read, tei):
    header = (
        "<publicationStmt><idno>urn:cts:latinLit:phi0917.phi001.x-lat1</idno></publicationStmt>"
    )
    document = read("tei", tei('<div n="1"><l n="1">Bella.</l></div>', header=header))
    assert document.ids == ("lucan. 1.1.1",)
    assert document[0].meta["urn"] == "urn:cts:latinLit:phi0917.phi001.x-lat1:1.1"


def test_a_malformed_urn_is_ignored(read, tei):
    document = read("tei", tei('<div n="urn:cts:"><p>Arma.</p></div>'), "carmen.xml")
    assert document.ids == ("carmen pr.1",)


def test_an_unknown_work_of_verse_lines_is_verse(read, tei):
    document = read("tei", tei("<l>Arma</l><l>cano.</l>"))
    assert document.texts == ("Arma / cano.",)


def test_rows_are_those_of_the_file(read):
    with pytest.raises(MalformedInputError, match=r"^text\.tei, row 3: the XML is broken"):
        read("tei", "<TEI>\n<text>\n</TEI>")


@pytest.mark.parametrize("root", ["html", "catalogue"])
def test_xml_without_a_body_is_not_tei(read, root):
    with pytest.raises(UnknownFormatError) as caught:
        read("tei", f"<{root} xmlns='x'/>")
    assert str(caught.value) == (
        f"text.tei: not a TEI text (the root is <{root}>, and there is no <body>)"
    )


@pytest.mark.parametrize("body", ["", "<p>12 * * *</p>", "<head>TITULUS</head>", "<note>a</note>"])
def test_a_text_without_words_is_an_error(read, tei, body):
    with pytest.raises(EmptyInputError, match=r"text\.tei: there is no text in this file"):
        read("tei", tei(body))


@pytest.mark.parametrize(
    ("body", "locus"),
    [
        ("<note><div n='1'><p>Arma virumque cano. <note>alii</note>Musa.</p></div></note>", "1"),
        ("<div n='1'><note><p>Arma virumque cano. <note>alii</note>Musa.</p></note></div>", "1"),
        ("<note><l n='4'>Arma virumque cano. <note>alii</note>Musa.</l></note>", "4"),
    ],
)
def test_a_text_that_stands_wholly_in_a_note_is_read(read, tei, body, locus):
    document = read("tei", tei(body))
    assert document.texts == ("Arma virumque cano.", "Musa.")
    assert document.loci == (locus, locus)
    assert "the whole text stands in notes, which were read as text" in str(document.report)


def test_notes_beside_a_text_stay_notes(read, tei):
    document = read("tei", tei("<p>Arma cano.</p><note><p>Sic codices.</p></note>"))
    assert document.texts == ("Arma cano.",)
    assert str(document.report) == ""
