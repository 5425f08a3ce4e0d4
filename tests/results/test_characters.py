"""Characters that markup cannot hold."""

import html

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from locisimiles.results.characters import for_html, for_xml

ANY = st.text(st.characters() | st.characters(categories=["Cs", "Cc"]), max_size=30)


@given(ANY)
def test_any_text_fits_into_xml_character_by_character(text):
    element = etree.Element("a")
    element.text = for_xml(text)
    read = etree.fromstring(etree.tostring(element, encoding="utf-8")).text or ""
    assert read == for_xml(text)
    assert len(read) == len(text)


@given(st.text(st.characters(categories=["L", "M", "N", "P", "S", "Zs"]), max_size=30))
def test_letters_marks_and_symbols_are_kept(text):
    assert for_xml(text) == text
    assert html.unescape(for_html(text)) == text


@given(ANY)
def test_nothing_in_html_text_is_markup(text):
    assert not set("<>\"'") & set(for_html(text))
    assert html.unescape(for_html(text)) == for_xml(text)


def test_control_characters_have_pictures_and_others_a_replacement():
    assert for_xml("\x00\x08\x1b\x1f\x7f") == "\u2400\u2408\u241b\u241f\u2421"
    assert for_xml("\x80\x9f\ufffe\ud800") == "\ufffd" * 4
    assert for_xml("\t\n\r \x85") == "\t\n\r \x85"
