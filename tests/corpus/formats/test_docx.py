"""Documents of Word."""

import pytest

from locisimiles.errors import EmptyInputError, MalformedInputError, UnknownFormatError

STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"


def p(*runs, style=""):
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}{''.join(runs)}</w:p>"


def r(text, tag="t"):
    return f'<w:r><w:{tag} xml:space="preserve">{text}</w:{tag}></w:r>'


def messages(document):
    return document.report.messages()


def test_paragraphs_headings_and_tables_are_read_in_order(read, docx):
    cells = "".join(f"<w:tc>{p(r(text))}</w:tc>" for text in ("Prima cella.", "Altera cella."))
    body = (
        p(r("Liber I"), style="berschrift1")
        + p(r("Arma uirum"), r("que cano. Haesit "), r("uox."))
        + f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"
        + p(r("Finis operis longi est. Valete."))
    )
    document = read("docx", docx(body), segmentation="sentences")
    assert list(zip(document.ids, document.texts, strict=True)) == [
        ("text h1.1", "Liber I"),
        ("text 1.1", "Arma uirumque cano."),
        ("text 1.2", "Haesit uox."),
        ("text 2.1", "Prima cella."),
        ("text 3.1", "Altera cella."),
        ("text 4.1", "Finis operis longi est."),
        ("text 4.2", "Valete."),
    ]


@pytest.mark.parametrize("by_paragraph", [True, False])
def test_verse_is_recognised_as_in_plain_text(read, docx, by_paragraph):
    lines = ["Arma uirumque cano, Troiae qui", "Italiam fato profugus", "uenit litora. multum"]
    if by_paragraph:
        body = "".join(p(r(line)) for line in lines)
    else:
        body = p("<w:r><w:br/></w:r>".join(map(r, lines)))
    document = read("docx", docx(p(r("I"), style="berschrift1") + body))
    assert document.texts[1].startswith("Arma uirumque cano, Troiae qui / Italiam")
    assert document.loci == ("h1", "1-3", "3")
    assert messages(document) == ["text.docx: read as verse, lines joined into sentences"]


def test_notes_and_the_table_of_contents_are_left_out_with_remarks(read, docx):
    body = (
        p(r("Liber I ... 3"), style="Verzeichnis1")
        + p(r("Arma"), '<w:r><w:footnoteReference w:id="1"/></w:r>', r(" cano. Haesit uox."))
        + p(r("Tuta timeo. Omnia."), '<w:r><w:commentReference w:id="1"/></w:r>')
    )
    notes = f'<w:footnotes xmlns:w="{STRICT}">{p(r("nota"))}</w:footnotes>'
    document = read("docx", docx(body, **{"word/footnotes.xml": notes}))
    assert document.texts == ("Arma cano.", "Haesit uox.", "Tuta timeo.", "Omnia.")
    assert messages(document)[:2] == [
        "text.docx: 2 footnotes, endnotes or comments left out",
        "text.docx: the table of contents left out",
    ]


def test_what_was_deleted_is_not_read_and_what_was_inserted_is(read, docx):
    body = p(
        r("arma "),
        f"<w:ins>{r('uirumque ')}</w:ins>",
        f"<w:del>{r('deletum', 'delText')}</w:del>",
        f"<w:moveFrom>{r('motum')}</w:moveFrom>",
        r("PAGE", "instrText"),
        r("", "noBreakHyphen"),
        r("ca\xadno.", "t"),
    )
    assert read("docx", docx(body)).texts == ("arma uirumque -cano.",)


def test_a_text_box_is_read_once(read, docx):
    box = f"<w:txbxContent>{p(r('in capsa.'))}</w:txbxContent>"
    twice = f"<x:Choice>{box}</x:Choice><x:Fallback>{box}</x:Fallback>"
    both = f'<w:r><x:A xmlns:x="x">{twice}</x:A></w:r>'
    assert read("docx", docx(p(r("ante."), both, r("post.")))).texts == (
        "ante.", "in capsa.", "post.",
    )  # fmt: skip


def test_the_main_part_may_have_any_name_and_the_strict_namespace(read, docx):
    data = docx(p(r("arma cano.")), place="word/document2.xml", namespace=STRICT)
    assert read("docx", data).texts == ("arma cano.",)


def test_lines_without_a_word_are_counted(read, docx):
    document = read("docx", docx(p(r("arma cano.")) + p(r("* * *")) + p() + p(r("haesit uox."))))
    assert document.ids == ("text 1", "text 3")
    assert "text.docx: 1 row skipped, it contains no word (row 2)" in messages(document)


@pytest.mark.parametrize(
    ("data", "error", "told"),
    [
        (b"\xd0\xcf\x11\xe0old", UnknownFormatError, "old Word versions"),
        (b"PK\x03\x04broken", MalformedInputError, "zip"),
    ],
)
def test_what_is_no_document_is_an_error(read, data, error, told):
    with pytest.raises(error, match=told):
        read("docx", data)


def test_a_document_without_its_text_is_an_error(read, docx, odt):
    with pytest.raises(MalformedInputError, match=r"there is no content\.xml"):
        read("odt", docx(""))
    with pytest.raises(EmptyInputError, match="no text in this file"):
        read("docx", docx(p()))
    with pytest.raises(MalformedInputError, match=r"there is no word/document\.xml"):
        read("docx", odt(""))
