import codecs

import pytest

from locisimiles.corpus import ReadReport
from locisimiles.corpus.formats.safe_xml import looks_like_xml, parse_xml
from locisimiles.errors import DecodingError, MalformedInputError, UnsafeInputError
from locisimiles.files.raw import RawInput


def _parse(data, encoding=None):
    report = ReadReport()
    raw = RawInput("a.xml", data.encode() if isinstance(data, str) else data)
    root = parse_xml(raw, report, encoding=encoding)
    return root, report.messages()


def _text(data, **choices):
    return "".join(_parse(data, **choices)[0].itertext())


@pytest.mark.parametrize(
    "text",
    [
        "<?xml version='1.0'?>",
        "\n <TEI xmlns='x'>",
        "<TEI.2>",
        "<tei:TEI>",
        "<!DOCTYPE TEI.2>",
        "<text>",
        "<body n='1'>",
    ],
)
def test_xml_is_recognised_by_its_beginning(text):
    assert looks_like_xml(text)


@pytest.mark.parametrize("text", ["<textus 1.1> Arma", "<verg. aen. 1.1> Arma", "Arma <TEI>", ""])
def test_other_beginnings_are_not_xml(text):
    assert not looks_like_xml(text)


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1", "windows-1252", "us-ascii"])
def test_the_declared_encoding_is_used(encoding):
    text = "aer" if encoding == "us-ascii" else "aër"
    data = f'<?xml version="1.0" encoding="{encoding}"?>\n<a>{text}</a>'.encode(encoding)
    assert _text(data) == text


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + '<?xml version="1.0" encoding="UTF-8"?><a>aër</a>'.encode(),
        '<?xml version="1.0" encoding="UTF-16"?><a>aër</a>'.encode("utf-16"),
        "<a>aër</a>".encode(),
        "<a>aër</a>".encode("cp1252"),
    ],
)
def test_the_encoding_is_found_by_a_byte_order_mark_or_the_bytes(data):
    assert _text(data) == "aër"


def test_the_users_encoding_wins_over_the_declared_one():
    data = '<?xml version="1.0" encoding="utf-8"?><a>aër</a>'.encode("mac-roman")
    assert _text(data, encoding="mac-roman") == "aër"


def test_bytes_that_are_not_in_the_declared_encoding_are_an_error_with_their_row():
    with pytest.raises(DecodingError) as caught:
        _parse(b'<?xml version="1.0" encoding="UTF-8"?>\n<a>\na\xebr</a>')
    assert str(caught.value).startswith("a.xml, row 3: byte 0xEB is not valid UTF-8; ")


def test_an_unknown_declared_encoding_is_an_error():
    with pytest.raises(DecodingError, match=r"a\.xml: unknown encoding 'klingon'"):
        _parse('<?xml version="1.0" encoding="klingon"?><a/>')


@pytest.mark.parametrize(
    "doctype",
    [
        "<!DOCTYPE TEI.2>",
        '<!DOCTYPE TEI.2 SYSTEM "http://www.perseus.tufts.edu/DTD/1.0/PersProse.dtd">',
        (
            '<!DOCTYPE TEI.2 PUBLIC "-//TEI P4//DTD Main DTD Driver File//EN" "tei2.dtd" [\n'
            '<!ENTITY % TEI.XML "INCLUDE">\n'
            '<!ENTITY % PersProse PUBLIC "-//Perseus P4//DTD Perseus Prose//EN" "PersProse.dtd">\n'
            "%PersProse;\n] >"
        ),
        "<!-- <a> stands here --><!DOCTYPE a SYSTEM 'a>b.dtd' [ <!ELEMENT a (#PCDATA)> ]>",
    ],
)
def test_document_types_are_taken_out(doctype):
    assert _text(f"<?xml version='1.0'?>\n{doctype}\n<a>arma</a>") == "arma"


def test_lines_are_counted_as_if_the_document_type_were_still_there():
    root, _ = _parse('<?xml version="1.0"?>\n<!DOCTYPE a [\n<!ENTITY x "y">\n]>\n<a>\n<b/>\n</a>')
    assert (root.sourceline, root[0].sourceline) == (5, 6)


def test_broken_xml_is_an_error_with_its_row():
    with pytest.raises(MalformedInputError) as caught:
        _parse("<!DOCTYPE a [\n]>\n<a>\n<b>\n</a>")
    assert str(caught.value).startswith("a.xml, row 5: the XML is broken (")
    assert str(caught.value).endswith("; an XML editor shows where")


@pytest.mark.parametrize("data", [codecs.BOM_UTF8, b"arma", b"<a/><b/>", b"<?xml version='1.0'?>"])
def test_malformed_xml_is_an_error(data):
    with pytest.raises(MalformedInputError, match=r"a\.xml, row 1: the XML is broken"):
        _parse(data)


def test_entities_that_a_file_declares_for_itself_are_honoured():
    data = "<!DOCTYPE a [<!ENTITY x \"Cæsar\"><!ENTITY y.z 'ab &#8212; it'>]><a>&x; &y.z;</a>"
    assert _text(data) == "Cæsar ab — it"


def test_entities_of_html_are_honoured():
    assert _text("<a>arma&mdash;uirum &aelig; &nbsp;</a>") == "arma—uirum æ \xa0"


def test_the_entities_of_xml_itself_stay_markup_free():
    assert _text("<a>&lt;b&gt; &amp; &quot;&apos; &#65;&#x42;</a>") == "<b> & \"' AB"


def test_an_own_entity_wins_over_that_of_html():
    assert _text('<!DOCTYPE a [<!ENTITY mdash "--">]><a>a&mdash;b</a>') == "a--b"


def test_an_undefined_entity_is_kept_as_text_and_reported_once():
    root, messages = _parse("<a>&foo; et &foo; et &bar;</a>")
    assert root.text == "&foo; et &foo; et &bar;"
    assert messages == [
        "a.xml: the entity &foo; is not defined, kept as text",
        "a.xml: the entity &bar; is not defined, kept as text",
    ]


def test_an_external_entity_is_not_defined():
    root, messages = _parse('<!DOCTYPE a [<!ENTITY x SYSTEM "b.xml">]><a>&x;</a>')
    assert root.text == "&x;"
    assert messages == ["a.xml: the entity &x; is not defined, kept as text"]


@pytest.mark.parametrize("value", ["&b;&b;", "%b;", "x" * 1001])
def test_entities_that_could_grow_are_refused(value):
    with pytest.raises(UnsafeInputError) as caught:
        _parse(f'<!DOCTYPE a [<!ENTITY big "{value}">]><a>&big;</a>')
    assert str(caught.value) == (
        "a.xml: the entity 'big' is built from other entities; "
        "such files can grow without bounds and are not read"
    )


def test_the_word_doctype_inside_the_text_is_text():
    assert _text("<a>arma &lt;!DOCTYPE a> cano <![CDATA[<!DOCTYPE b>]]></a>") == (
        "arma <!DOCTYPE a> cano <!DOCTYPE b>"
    )


def test_an_entity_declared_empty_is_empty():
    assert _text('<!DOCTYPE a [<!ENTITY nil "">]><a>arma&nil;</a>') == "arma"


@pytest.mark.parametrize(("entity", "text"), [("&AMP;", "&"), ("&LT;", "<")])
def test_the_capital_entities_of_html_do_not_break_the_xml(entity, text):
    assert _text(f"<a>{entity}</a>") == text


def test_a_cdata_section_is_unchanged():
    assert _text("<a><![CDATA[arma &foo; &mdash;]]></a>") == "arma &foo; &mdash;"


def test_a_document_type_in_a_comment_is_ignored():
    data = '<!-- <!DOCTYPE b> --><!DOCTYPE a [<!ENTITY x "Cæsar">]><a>&x;</a>'
    assert _text(data) == "Cæsar"


@pytest.mark.parametrize("encoding", ["undefined", "unicode_escape"])
def test_a_declared_encoding_that_is_not_text_is_an_input_error(encoding):
    with pytest.raises(DecodingError):
        _parse(f'<?xml version="1.0" encoding="{encoding}"?><a>\\ud800</a>')
