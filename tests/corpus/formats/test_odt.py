"""Documents of LibreOffice."""

from locisimiles import Document


def test_paragraphs_headings_lists_and_tables_are_read_in_order(read, odt):
    body = (
        "<text:h>Liber I</text:h>"
        "<text:p>Arma<text:s/>uirum<text:span>que</text:span> cano. Haesit uox.</text:p>"
        "<text:list><text:list-item><text:p>Primum caput est.</text:p>"
        "<text:list><text:list-item><text:p>Intus latet. Hic.</text:p></text:list-item></text:list>"
        "</text:list-item></text:list>"
        "<table:table><table:table-row><table:table-cell><text:p>Cella una. Altera.</text:p>"
        "</table:table-cell></table:table-row></table:table>"
    )
    document = read("odt", odt(body))
    assert document.ids[0] == "text h1.1"
    assert document.texts == (
        "Liber I", "Arma uirumque cano.", "Haesit uox.", "Primum caput est.", "Intus latet.",
        "Hic.", "Cella una.", "Altera.",
    )  # fmt: skip


def test_line_breaks_are_verse(read, odt):
    verses = ["Arma uirumque cano, Troiae qui", "Italiam fato profugus", "uenit litora. multum"]
    lines = "<text:line-break/>".join(verses)
    document = read("odt", odt(f"<text:p>{lines}</text:p>"))
    assert document.loci == ("1-3", "3")


def test_notes_changes_and_indexes_are_left_out(read, odt):
    body = (
        "<text:tracked-changes><text:p>deletum</text:p></text:tracked-changes>"
        "<text:table-of-content><text:p>Liber I 3</text:p></text:table-of-content>"
        "<text:p>Arma<text:note><text:note-citation>1</text:note-citation><text:note-body>"
        "<text:p>nota</text:p></text:note-body></text:note> cano.</text:p>"
    )
    document = read("odt", odt(body))
    assert document.texts == ("Arma cano.",)
    assert document.report.messages()[:2] == [
        "text.odt: 1 footnote, endnote or comment left out",
        "text.odt: the table of contents left out",
    ]


def test_a_document_is_recognised_without_a_suffix(write, odt, docx):
    word = docx("<w:p><w:r><w:t>Haesit uox.</w:t></w:r></w:p>")
    paths = [write("a", odt("<text:p>Arma cano.</text:p>")), write("b", word)]
    assert Document(*paths).texts == ("Arma cano.", "Haesit uox.")
