"""XML that tries to read other files, fill the memory, or take forever."""

import pytest

from locisimiles.errors import MalformedInputError, UnsafeInputError


def _tei(body, doctype=""):
    return f"<?xml version='1.0'?>\n{doctype}\n<TEI><text><body>{body}</body></text></TEI>"


LAUGHS = "".join(f'<!ENTITY lol{n} "{f"&lol{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize("kind", [None, "tei"])
def test_a_billion_laughs_are_refused(attack, kind):
    doctype = f'<!DOCTYPE lolz [<!ENTITY lol0 "lol">{LAUGHS}]>'
    with pytest.raises(UnsafeInputError, match=r"the entity 'lol1' is built from other entities"):
        attack("a.xml", _tei("<p>&lol9;</p>", doctype), format=kind)


@pytest.mark.parametrize("quote", ['"', "'"])
@pytest.mark.parametrize("space", [" ", "\n\n\t"])
def test_a_billion_laughs_are_refused_however_they_are_written(attack, quote, space):
    laughs = LAUGHS.replace('"', quote).replace(" ", space)
    doctype = f"<!DOCTYPE{space}lolz{space}[<!ENTITY lol0 'lol'>{laughs}]{space}>"
    with pytest.raises(UnsafeInputError):
        attack("a.xml", _tei("<p>&lol9;</p>", doctype))


@pytest.mark.parametrize(
    "doctype",
    [
        "<!-- <!DOCTYPE x> -->\n<!DOCTYPE lolz [<!ENTITY lol0 'lol'>{}]>",
        "<!DOCTYPE x><!DOCTYPE lolz [<!ENTITY lol0 'lol'>{}]>",
        "<?pi <!DOCTYPE x> ?><!DOCTYPE lolz [<!ENTITY lol0 'lol'>{}]>",
    ],
)
def test_a_billion_laughs_behind_a_decoy_stay_small(attack, doctype):
    try:
        texts = attack("a.xml", _tei("<p>arma &lol9;</p>", doctype.format(LAUGHS))).texts
    except (MalformedInputError, UnsafeInputError):
        texts = ()
    assert sum(map(len, texts)) < 100


def test_a_billion_laughs_in_a_wide_encoding_are_refused(attack):
    doctype = f'<!DOCTYPE lolz [<!ENTITY lol0 "lol">{LAUGHS}]>'
    with pytest.raises(UnsafeInputError):
        attack("a.xml", _tei("<p>&lol9;</p>", doctype).encode("utf-16"))


@pytest.mark.parametrize(
    "entity",
    [
        '<!ENTITY x SYSTEM "{}">',
        '<!ENTITY x PUBLIC "-//x" "{}">',
        "<!ENTITY % y SYSTEM '{}'> %y;",
        '<!ENTITY x SYSTEM "file://{}">',
    ],
)
def test_other_files_are_not_read(attack, tmp_path, entity):
    secret = tmp_path / "secret.txt"
    secret.write_text("CLAVIS OCCVLTA")
    doctype = f"<!DOCTYPE a [{entity.format(secret)}]>"
    document = attack("a.xml", _tei("<p>arma &x; cano.</p>", doctype))
    assert document.texts == ("arma &x; cano.",)


def test_the_password_file_is_not_read(attack):
    doctype = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    document = attack("a.xml", _tei("<p>arma &x;</p>", doctype))
    assert document.texts == ("arma &x;",)


def test_xinclude_is_ignored(attack, tmp_path):
    (tmp_path / "secret.xml").write_text("<p>CLAVIS OCCVLTA</p>")
    include = '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="secret.xml"/>'
    assert attack("a.xml", _tei(f"<p>arma {include} cano</p>")).texts == ("arma cano",)


def test_a_document_type_on_the_web_is_not_fetched(attack, monkeypatch):
    def refuse(*_):
        pytest.fail("the network was used")

    monkeypatch.setattr("socket.socket.connect", refuse)
    doctype = '<!DOCTYPE TEI SYSTEM "http://127.0.0.1:9/tei.dtd">'
    assert attack("a.xml", _tei("<p>arma</p>", doctype)).texts == ("arma",)


def test_a_single_long_entity_is_refused(attack):
    doctype = f'<!DOCTYPE a [<!ENTITY a "{"x" * 100_000}">]>'
    with pytest.raises(UnsafeInputError):
        attack("a.xml", _tei("<p>" + "&a;" * 10_000 + "</p>", doctype))


@pytest.mark.parametrize("name", ["p", "div", "q", "note", "lem"])
def test_deep_nesting_is_refused(attack, name):
    with pytest.raises(MalformedInputError, match="Excessive depth"):
        attack("a.xml", _tei(f"<{name}>" * 10_000 + "arma" + f"</{name}>" * 10_000))


@pytest.mark.parametrize("name", ["p", "div", "q", "hi", "foreign"])
def test_nesting_that_the_parser_allows_is_read(attack, name):
    body = f"<{name}>" * 250 + "arma" + f"</{name}>" * 250
    assert "arma" in attack("a.xml", _tei(body)).texts[0]


@pytest.mark.parametrize("data", ["<a>" * 300_000, "<a " + "b" * 5_000_000, "<a b='" + "c" * 10**7])
def test_endless_tags_and_attributes_are_refused(attack, data):
    with pytest.raises(MalformedInputError):
        attack("a.xml", f"<?xml version='1.0'?>{data}")


def test_a_very_long_text_is_read_or_refused(attack):
    with pytest.raises(MalformedInputError, match="the XML is broken"):
        attack("a.xml", _tei("<p>" + "arma " * 2_200_000 + "</p>"))


@pytest.mark.parametrize("reference", ["&#0;", "&#x1F;", "&#xD800;", "&#x110000;", "\x00", "\x1b"])
def test_characters_that_xml_forbids_are_refused(attack, reference):
    with pytest.raises(MalformedInputError):
        attack("a.xml", _tei(f"<p>arma {reference}</p>"), format="tei")


@pytest.mark.usefixtures("must_end")
def test_nested_verse_inside_prose_is_read_or_refused(attack):
    body = "<p>" + "<l>" * 249 + "arma" + "</l>" * 249 + "</p>"
    assert attack("a.xml", _tei(body)).texts == ("arma",)


@pytest.mark.usefixtures("must_end")
@pytest.mark.parametrize("piece", ["<!DOCTYPE x [", "<!--"])
def test_unclosed_markup_is_refused_fast(attack, piece):
    with pytest.raises(MalformedInputError):
        attack("a.xml", piece * 50_000, format="tei")


@pytest.mark.usefixtures("must_end")
def test_a_hyphen_before_many_line_breaks_is_read_fast(attack):
    body = "<p>arma-" + "<lb/>" * 40_000 + "1</p>"
    assert attack("a.xml", _tei(body)).texts == ("arma- 1",)


def test_an_entity_used_very_often_is_refused(attack):
    doctype = f'<!DOCTYPE a [<!ENTITY a "{"x" * 1000}">]>'
    with pytest.raises(UnsafeInputError):
        attack("a.xml", _tei("<l>&a;</l>" * 10_000, doctype))
