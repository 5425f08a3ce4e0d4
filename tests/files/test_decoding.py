import codecs
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.errors import DecodingError
from locisimiles.files.decoding import decode
from locisimiles.files.raw import RawInput

TEXT = "Cæsar uēnit\nuīdit uīcit"
OLD = "Cæsar – “uenit”\né"


def _decode(data, encoding=None):
    return decode(RawInput("a.txt", data), encoding)


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEXT.encode(), "utf-8"),
        (codecs.BOM_UTF8 + TEXT.encode(), "utf-8"),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), "utf-16"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "utf-16"),
        (b"", "utf-8"),
    ],
)
def test_unicode_is_recognised(data, encoding):
    assert _decode(data) == (TEXT if data else "", encoding)


def test_an_older_file_is_read_as_cp1252():
    assert _decode(OLD.encode("cp1252")) == (OLD, "cp1252")


def test_latin_1_is_read_as_cp1252():
    assert _decode("aër, poëta, Æneas".encode("latin-1"))[0] == "aër, poëta, Æneas"


def test_broken_utf_8_is_not_taken_for_cp1252():
    data = "uōx\nfaucibus haesit ā\ncomæ ".encode() + b"\xff\n"
    with pytest.raises(DecodingError) as caught:
        _decode(data)
    assert str(caught.value) == (
        "a.txt, row 3: byte 0xFF is not valid UTF-8; "
        "save the file as UTF-8, or give its encoding (--encoding)"
    )


def test_bytes_that_mean_nothing_in_cp1252_are_refused_with_their_row():
    with pytest.raises(DecodingError) as caught:
        _decode(b"arma\nuirum\x81\xe9")
    assert str(caught.value).startswith("a.txt, row 2: byte 0x81 is not valid CP1252; ")


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-16-le", "utf-16", "UTF-32", "iso-8859-2", "mac-roman"]
)
def test_a_named_encoding_is_used(encoding):
    text = "Cæsar".replace("æ", "é")
    assert _decode(text.encode(encoding), encoding) == (text, encoding.lower())


def test_a_byte_order_mark_is_removed_even_with_a_named_encoding():
    assert _decode(codecs.BOM_UTF8 + b"arma", "utf-8") == ("arma", "utf-8")


def test_a_named_encoding_that_does_not_fit_is_an_error_with_its_row():
    with pytest.raises(DecodingError) as caught:
        _decode(b"arma\n\nuirum \xe9", "ascii")
    assert str(caught.value).startswith("a.txt, row 3: byte 0xE9 is not valid ASCII; ")


@pytest.mark.parametrize("encoding", ["klingon", "rot13", "hex"])
def test_an_unknown_encoding_is_refused(encoding):
    with pytest.raises(DecodingError) as caught:
        _decode(b"arma", encoding)
    assert str(caught.value) == f"a.txt: unknown encoding '{encoding}'"


def test_half_a_wide_character_is_an_error():
    with pytest.raises(DecodingError, match="is not valid UTF-16"):
        _decode(codecs.BOM_UTF16_LE + b"a\x00b")


@settings(deadline=None)
@given(st.text())
def test_utf_8_is_read_as_written(text):
    assert _decode(text.encode())[0] == text or text.startswith("\ufeff")


@settings(deadline=None)
@given(st.binary())
def test_any_bytes_are_text_or_a_decoding_error(data):
    with suppress(DecodingError):
        assert isinstance(_decode(data)[0], str)


def test_behind_a_mark_the_broken_byte_and_its_row_are_named_too():
    data = codecs.BOM_UTF8 + "ā\nuōx\n".encode() + b"\xff"
    with pytest.raises(DecodingError) as caught:
        _decode(data)
    assert str(caught.value).startswith("a.txt, row 3: byte 0xFF is not valid UTF-8")


def test_utf_32_is_read_or_refused_but_not_taken_for_utf_16():
    try:
        text = _decode(codecs.BOM_UTF32_LE + "arma".encode("utf-32-le"))[0]
    except DecodingError:
        text = "arma"
    assert text == "arma"


@pytest.mark.parametrize("encoding", ["undefined", "utf\0"])
def test_an_encoding_that_cannot_be_used_is_refused_like_an_unknown_one(encoding):
    with pytest.raises(DecodingError):
        _decode(b"arma", encoding)
