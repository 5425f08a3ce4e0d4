"""Documents of word processors and web pages that are bombs, or reach outside."""

import io
import zipfile

import pytest

from locisimiles.errors import InputError, UnsafeInputError

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
LAUGHS = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 9))


def _zip(**members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


def _docx(body, prolog="", **more):
    main = f"{prolog}<w:document {W}><w:body>{body}</w:body></w:document>"
    return _zip(**{"word/document.xml": main, **more})


def _odt(body, prolog=""):
    return _zip(**{"content.xml": f'{prolog}<o xmlns:text="t">{body}</o>'})


def test_entities_from_outside_are_not_loaded(attack, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("arcanum")
    prolog = f'<!DOCTYPE d [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    word = attack("a.docx", _docx("<w:p><w:t>arma &x; cano.</w:t></w:p>", prolog))
    libre = attack("a.odt", _odt("<text:p>arma &x; cano.</text:p>", prolog))
    page = attack("a.html", f"{prolog}<html><p>arma &x; cano.</p></html>")
    for document in (word, libre, page):
        assert "arcanum" not in "".join(document.texts)
        assert "arma" in document.texts[0]


@pytest.mark.usefixtures("must_end")
@pytest.mark.parametrize("make", [_docx, _odt])
def test_a_billion_laughs_stay_small(attack, make):
    body = "<w:p><w:t>&e8;</w:t></w:p>" if make is _docx else "<text:p>&e8;</text:p>"
    name = "a.docx" if make is _docx else "a.odt"
    with pytest.raises(UnsafeInputError):
        attack(name, make(body, f'<!DOCTYPE d [<!ENTITY e0 "lol">{LAUGHS}]>'))


@pytest.mark.parametrize("name", ["a.docx", "a.odt"])
@pytest.mark.parametrize("member", ["word/document.xml", "content.xml", "media/image1.png"])
def test_a_bomb_is_refused(attack, name, member):
    with pytest.raises(UnsafeInputError, match="would unpack to"):
        attack(name, _zip(**{member: b" " * 30_000_000}))


def test_a_part_that_is_too_large_is_refused(attack, monkeypatch):
    monkeypatch.setattr("locisimiles.corpus.formats.packed_parts._LARGEST_PART", 100)
    with pytest.raises(UnsafeInputError, match="would unpack to"):
        attack("a.docx", _docx("<w:p><w:t>arma cano.</w:t></w:p>"))


@pytest.mark.parametrize("target", ["../../etc/passwd", "/etc/passwd", "http://example.org/a"])
def test_the_main_part_cannot_be_outside(attack, target):
    relation = f'<R><R Type="x/officeDocument" Target="{target}"/></R>'
    with pytest.raises(InputError, match="there is no"):
        attack("a.docx", _docx("<w:p/>", **{"_rels/.rels": relation}))


@pytest.mark.usefixtures("must_end")
@pytest.mark.parametrize("tag", ["div", "b", "table", "ul"])
def test_a_deep_page_is_read_or_refused_but_never_cut_off(attack, tag):
    page = f"<html><p>initium.</p>{f'<{tag}>' * 50_000}finis."
    try:
        document = attack("a.html", page)
    except UnsafeInputError as error:
        assert "nested too deeply" in str(error)  # noqa: PT017
    else:
        assert "finis." in "".join(document.texts)


@pytest.mark.parametrize("name", ["a.docx", "a.odt"])
def test_deep_documents_are_errors_of_ours(attack, name):
    make, tag = (_docx, "w:p") if name == "a.docx" else (_odt, "text:p")
    with pytest.raises(InputError):
        attack(name, make(f"<{tag}>" * 5000 + "arma" + f"</{tag}>" * 5000))


@pytest.mark.usefixtures("must_end")
@pytest.mark.parametrize(
    "page",
    [
        "<!-- a -->" * 400 + "<x>",
        "<?a?>" * 800,
        "<html>" + "<p>a<br>" * 20_000,
        "<html>" + "&" * 10**6,
    ],
    ids=["comments", "instructions", "paragraphs", "ampersands"],
)
def test_repetitive_pages_take_linear_time(attack, page):
    try:
        attack("a", page + " arma")
    except InputError as error:
        assert str(error)  # noqa: PT017
