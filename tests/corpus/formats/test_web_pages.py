"""Web pages."""

import pytest

from locisimiles.errors import EmptyInputError


def texts(read, body, **options):
    return read("html", f"<html><body>{body}</body></html>", **options).texts


def test_a_whole_page(read):
    page = """<!DOCTYPE html><html><head><title>Aeneid</title><style>p {color: red}</style></head>
    <body><nav><a href="/">Home page</a></nav><script>alert("arma")</script>
    <h1>Liber I</h1>
    <p>Arma <i>uirum</i>que&nbsp;cano.<sup><a href="#fn1">1</a></sup> Haesit
       uox.</p>
    <ul><li>Primum est.<ul><li>Intus latet. Hic.</li></ul>Postea uenit. Ille.</li></ul>
    <table><tr><td>Cella una. Prima.</td><td>12</td></tr></table>
    <div class="footnotes"><p id="fn1">Nota editoris.</p></div>
    <!-- secretum --><textarea>scribe</textarea></body></html>"""
    document = read("html", page, segmentation="sentences")
    assert document.texts == (
        "Liber I", "Arma uirumque cano.", "Haesit uox.", "Primum est.", "Intus latet.", "Hic.",
        "Postea uenit.", "Ille.", "Cella una.", "Prima.",
    )  # fmt: skip
    assert document.report.messages() == [
        "text.html: 2 footnotes, endnotes or comments left out",
        "text.html: menus left out",
        "text.html: 1 row skipped, it contains no word (row 7)",
    ]


@pytest.mark.parametrize(
    "body",
    [
        "<p>Arma uirumque cano, Troiae qui<br>Italiam fato profugus<br/>uenit litora. multum</p>",
        "<pre>Arma uirumque cano, Troiae qui\n  Italiam fato profugus\nuenit litora. multum</pre>",
        "<p>Arma uirumque cano, Troiae qui<p>Italiam fato profugus<p>uenit litora. multum",
    ],
)
def test_verse_is_recognised_as_in_plain_text(read, body):
    document = read("html", body)
    assert document.loci == ("1-3", "3")
    assert document.texts[0].startswith("Arma uirumque cano, Troiae qui / Italiam fato")


def test_two_line_breaks_end_a_paragraph(read):
    body = "Arma cano. Haesit uox sine stop<br><br>Altera pars est. Et alia."
    assert texts(read, body, segmentation="sentences")[1:3] == (
        "Haesit uox sine stop", "Altera pars est.",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ('<meta charset="iso-8859-1">', "cp1252"),
        ('<meta charset="windows-1250">', "cp1250"),
        ('<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=macintosh">', "mac-roman"),
        ('<meta charset="iso-8859-1">', "utf-8"),
        ('<meta charset="utf-8">', "cp1252"),
        ('<meta charset="klingon">', "utf-8"),
        ("", "utf-8"),
        ("", "utf-16"),
    ],
)
def test_the_encoding_is_the_declared_one_unless_the_bytes_differ(read, head, encoding):
    page = f"<html><head>{head}</head><body><p>„poëta“ cano.</p></body></html>"
    assert read("html", page.encode(encoding)).texts == ("„poëta“ cano.",)


@pytest.mark.parametrize("page", ["<html></html>", "<script>a</script>", "<p>12</p>", "<!-- a -->"])
def test_a_page_without_text_is_an_error(read, page):
    with pytest.raises(EmptyInputError, match="there is no text in this file"):
        read("html", page)


def test_fragments_and_broken_markup_are_read(read):
    broken = "<p>Arma <b>uirum</p><td>que & cano &lt;sic&gt; &ae; </i>."
    assert texts(read, broken, segmentation="lines") == (
        "Arma uirum", "que & cano <sic> &ae; .",
    )  # fmt: skip
