import codecs

import pytest

from locisimiles.corpus.detect import detect_format
from locisimiles.errors import EmptyInputError, ParameterError, UnknownFormatError
from locisimiles.files.raw import RawInput


def _detect(name, data, **choices):
    raw = RawInput(name, data.encode() if isinstance(data, str) else data, **choices)
    return detect_format(raw).name


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.csv", "id,text\n1,arma", "csv"),
        ("a.CSV", "seg_id;text", "csv"),
        ("a.tsv", "id\ttext", "tsv"),
        ("a.tab", "id\ttext", "tsv"),
        ("a.jsonl", '{"id": 1}', "jsonl"),
        ("a.ndjson", '{"id": 1}', "jsonl"),
        ("a.json", "[]", "jsonl"),
        ("a.xlsx", b"PK\x03\x04...", "xlsx"),
        ("a.xlsm", b"PK\x03\x04...", "xlsx"),
        ("a.txt", "Arma uirumque cano", "txt"),
        ("a.text", "Arma", "txt"),
        ("a.tess", "<verg. aen. 1.1>\tArma", "tess"),
        ("a.xml", "<TEI/>", "tei"),
        ("a.tei", "<TEI/>", "tei"),
        ("a.docx", b"PK\x03\x04...", "docx"),
        ("a.odt", b"PK\x03\x04...", "odt"),
        ("a.html", '<div class="poem">Arma', "html"),
        ("a.HTM", "Arma uirumque", "html"),
    ],
)
def test_the_suffix_gives_the_format(name, data, kind):
    assert _detect(name, data) == kind


@pytest.mark.parametrize("name", ["a.txt", "a", "<stdin>", "a.dat"])
@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ("id,text\n1,arma", "csv"),
        ("seg_id;Text;author\n", "csv"),
        ("ID\tTEXT\n", "csv"),
        ('{"id": "1", "text": "arma"}', "jsonl"),
        ('\n[{"id": "1"}]', "jsonl"),
        ("<verg. aen. 1.1>\tArma uirumque", "tess"),
        ("\n<lucan. 1.1> Bella", "tess"),
        ("<?xml version='1.0'?>\n<TEI/>", "tei"),
        ("<TEI.2><text/>", "tei"),
        ("<!DOCTYPE TEI.2>\n<TEI.2/>", "tei"),
        (codecs.BOM_UTF8 + b"<TEI/>", "tei"),
        (codecs.BOM_UTF16_LE + "id,text\n".encode("utf-16-le"), "csv"),
        (codecs.BOM_UTF16_BE + "<TEI/>".encode("utf-16-be"), "tei"),
        ("<!doctype html><p>Arma", "html"),
        ("<?xml version='1.0'?><!-- a --><html xmlns='x'><p>Arma</p></html>", "html"),
        ("Arma uirumque cano, Troiae", "txt"),
        ("{sic} arma", "txt"),
        ("<arma> uirumque", "txt"),
    ],
)
def test_content_tells_the_format_where_the_name_does_not(name, data, kind):
    assert _detect(name, data) == kind


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.txt", "<?xml version='1.0'?><TEI/>", "tei"),
        ("a.csv", "<TEI xmlns='x'>", "tei"),
        ("a.xml", "<verg. aen. 1.1>\tArma", "tess"),
        ("a.txt", "<verg. aen. 1.1>\tArma", "tess"),
        ("a.csv", '{"id": 1}', "csv"),
    ],
)
def test_content_that_cannot_be_mistaken_wins_over_the_name(name, data, kind):
    assert _detect(name, data) == kind


def test_a_named_format_wins_over_everything():
    assert detect_format(RawInput("a.csv", b"<TEI/>"), "txt").name == "txt"


def test_an_unknown_format_is_refused_with_the_known_ones():
    with pytest.raises(ParameterError) as caught:
        detect_format(RawInput("a.csv", b"arma"), "pages")
    assert str(caught.value) == (
        "unknown format 'pages'; choose one of csv, tsv, jsonl, xlsx, txt, tess, tei, docx, odt, "
        "html"
    )


@pytest.mark.parametrize("data", [b"", b" \n\t\r\n"])
@pytest.mark.parametrize("kind", [None, "csv", "tei"])
def test_an_empty_file_is_an_error_that_names_it(data, kind):
    with pytest.raises(EmptyInputError) as caught:
        detect_format(RawInput("a.csv", data), kind)
    assert str(caught.value) == "a.csv: the file is empty"


@pytest.mark.parametrize("name", ["a.pdf", "a.DOC", "a.rtf", "a.epub"])
@pytest.mark.parametrize("data", [b"%PDF-1.4 \x00", b"{\\rtf1 arma"])
def test_documents_of_word_processors_are_refused_with_advice(name, data):
    with pytest.raises(UnknownFormatError) as caught:
        _detect(name, data)
    assert str(caught.value) == (
        f"{name}: files of this kind cannot be read; "
        "save it as .docx, .odt or plain text (.txt, UTF-8) first"
    )


@pytest.mark.parametrize("name", ["a.png", "a.csv", "a.txt", "<stdin>"])
def test_binary_files_are_refused_whatever_their_name(name):
    with pytest.raises(UnknownFormatError) as caught:
        _detect(name, b"\x89PNG\r\n\x00\x00\x00")
    assert str(caught.value) == (
        f"{name}: files of this kind cannot be read; use one of .csv, .tsv, .tab, .jsonl, .ndjson, "
        ".json, .xlsx, .xlsm, .txt, .text, .tess, .xml, .tei, .docx, .docm, .odt, .ott, .html, "
        ".htm, .xhtml, or name the format (--format)"
    )


def test_text_with_an_unknown_suffix_is_plain_text_if_named():
    assert _detect("a.latin", "Arma uirumque") == "txt"


def test_text_with_an_unknown_suffix_in_a_folder_is_refused():
    with pytest.raises(UnknownFormatError, match=r"^a\.latin: files of this kind cannot be read$"):
        _detect("a.latin", "Arma uirumque", by_itself=False)


def test_a_table_with_an_unknown_suffix_in_a_folder_is_read():
    assert _detect("a.latin", "id,text\n1,a", by_itself=False) == "csv"


@pytest.mark.parametrize(
    "data",
    [
        '<teiCorpus xmlns="http://www.tei-c.org/ns/1.0"><TEI>',
        "<!-- version 2 --><TEI>",
        '<div xmlns="http://www.tei-c.org/ns/1.0"><p>arma</p></div>',
    ],
)
def test_xml_is_not_taken_for_a_tesserae_text(data):
    assert _detect("a.xml", data) == "tei"


def test_xml_that_begins_with_a_comment_is_recognised_without_a_suffix():
    assert _detect("<stdin>", "<!-- Perseus -->\n<TEI>") == "tei"
