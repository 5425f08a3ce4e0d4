import hashlib
import io
import sys
from pathlib import Path

import openpyxl
import pytest

from locisimiles.corpus import Document, ReadOptions
from locisimiles.corpus.library import Catalogue, Edition
from locisimiles.corpus.report import FileRead
from locisimiles.errors import (
    DecodingError,
    EmptyInputError,
    InputError,
    LocisimilesError,
    MalformedInputError,
    MissingColumnError,
    ParameterError,
    SegmentIdError,
    TextNotInstalledError,
    UnknownFormatError,
    UnsafeInputError,
)

TESS = "<verg. aen. 1.1>\tArma uirumque cano.\n"


def _workbook(*rows):
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(stream)
    return stream.getvalue()


def test_several_inputs_become_one_document_in_the_given_order(write):
    second = write("b.csv", "id,text,year\nb,uirum,-19\n")
    first = write("a.jsonl", '{"id": "a", "text": "arma", "genre": "verse"}\n')
    document = Document(second, first)
    assert document.ids == ("b", "a")
    assert dict(document.meta) == {"year": ("-19", ""), "genre": ("", "verse")}


def test_the_report_lists_the_files_that_were_read(write):
    table = write("a.csv", "id,text\na,arma\nb,uirum\n")
    tess = write("b.tess", TESS)
    document = Document(table, tess)
    assert document.report.files == [
        FileRead(str(table), "csv", 2),
        FileRead(str(tess), "tess", 1),
    ]


def test_progress_counts_the_files(write):
    told = []
    paths = [write(name, f"id,text\n{name},arma\n") for name in ("a.csv", "b.csv")]
    Document(*paths, progress=lambda *news: told.append(news))
    assert told == [("reading", 0, 2), ("reading", 1, 2), ("reading", 2, 2)]


def test_standard_input_is_read(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"id,text\na,arma\n")))
    document = Document("-")
    assert (document.ids, document.texts) == (("a",), ("arma",))


def test_standard_input_may_be_a_zip_file(monkeypatch, write_zip):
    data = write_zip("t.zip", {"a.csv": "id,text\na,arma\n"}).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    document = Document("-")
    assert document.report.files == [FileRead("<stdin>/a.csv", "csv", 1)]


@pytest.mark.parametrize(
    ("kind", "data", "text"),
    [
        ("csv", "id,text\n1,arma", "arma"),
        ("tsv", "id\ttext\n1\tarma", "arma"),
        ("jsonl", '{"id": 1, "text": "arma"}', "arma"),
        ("xlsx", _workbook(["id", "text"], [1, "arma"]), "arma"),
        ("txt", "id,text", "id,text"),
        ("tess", "<verg. aen. 1.1> arma", "arma"),
        ("tei", "<x><body><p>arma</p></body></x>", "arma"),
    ],
)
def test_an_explicit_format_is_used_whatever_the_name(write, kind, data, text):
    document = Document(write("a.dat", data), format=kind)
    assert document.texts == (text,)
    assert document.report.files[0].format == kind


def test_options_reach_the_parser(write):
    path = write("a.txt", "Abeo. Redeo.\nManeo.")
    assert Document(path, options=ReadOptions(segmentation="lines")).texts == (
        "Abeo. Redeo.",
        "Maneo.",
    )
    latin = write("b.csv", "id,text\n1,aër".encode("mac-roman"))
    assert Document(latin, options=ReadOptions(encoding="mac-roman")).texts == ("aër",)


def test_other_files_in_a_folder_are_left_out_with_a_note(tmp_path, write):
    write("texts/a.csv", "id,text\na,arma\n")
    write("texts/b.tess", TESS)
    write("texts/cover.png", b"\x89PNG\x00\x00")
    write("texts/empty.txt", "")
    write("texts/README.latin", "uale")
    write("texts/words.csv", "word,count\narma,2\n")
    write("texts/meta.xml", "<?xml version='1.0'?><catalogue/>")
    document = Document(tmp_path / "texts")
    assert document.ids == ("a", "verg. aen. 1.1.1")
    folder = tmp_path / "texts"
    assert document.report.messages() == [
        f"{folder}/README.latin: left out, files of this kind cannot be read",
        f"{folder}/cover.png: left out, files of this kind cannot be read",
        f"{folder}/empty.txt: left out, the file is empty",
        (
            f"{folder}/meta.xml: left out, not a TEI text "
            "(the root is <catalogue>, and there is no <body>)"
        ),
        (
            f"{folder}/words.csv: left out, there is no column 'seg_id' (or 'id'); "
            "the columns are word, count; "
            "the first row must name a column 'seg_id' (or 'id') and a column 'text'"
        ),
    ]


def test_a_zip_file_is_read_like_a_folder(write_zip):
    path = write_zip("t.zip", {"b.csv": "id,text\nb,uirum\n", "a.tess": TESS, "x.png": b"\0"})
    document = Document(path)
    assert document.ids == ("verg. aen. 1.1.1", "b")
    assert document.report.messages() == [
        f"{path}/x.png: left out, files of this kind cannot be read"
    ]


def test_a_zip_file_in_a_folder_is_read_too(tmp_path, write_zip):
    write_zip("t.zip", {"a.tess": TESS})
    assert Document(tmp_path).ids == ("verg. aen. 1.1.1",)


def test_a_malformed_file_in_a_folder_is_still_an_error(tmp_path, write):
    write("a.csv", "id,text\na,arma\n")
    write("b.jsonl", '{"id": ')
    with pytest.raises(MalformedInputError, match=r"b\.jsonl, row 1: the JSON is broken"):
        Document(tmp_path)


def test_a_folder_without_texts_is_an_error_that_names_it(tmp_path, write):
    write("a.png", b"\0")
    with pytest.raises(EmptyInputError) as caught:
        Document(tmp_path)
    assert str(caught.value) == f"{tmp_path}: there is no text to read"


def test_skipped_rows_are_counted_and_named(write):
    path = write("a.csv", "id,text\na,arma\nb,\nc, \nd,uirum\n")
    document = Document(path)
    assert document.ids == ("a", "d")
    assert document.report.skipped == 2
    assert str(document.report) == f"{path}: 2 rows skipped, the text is empty (rows 3, 4)"


@pytest.mark.parametrize(
    ("name", "data", "error", "message"),
    [
        (
            "a.pdf",
            "%PDF",
            UnknownFormatError,
            ": files of this kind",
        ),
        ("a.csv", b"id,text\n1,\x81\xe9", DecodingError, ", row 2: byte 0x81 is not valid "),
        ("a.csv", "id,body\n1,x", MissingColumnError, ", row 1: there is no column 'text'; "),
        (
            "a.csv",
            "id,text\n1,x\n1,y",
            SegmentIdError,
            ", row 3: the id '1' is already used in row 2",
        ),
        ("a.csv", "id,text\n,x", SegmentIdError, ", row 2: the id is empty; "),
        ("a.csv", 'id,text\n1,"x', MalformedInputError, ", row 2: the table is broken here ("),
        ("a.jsonl", '{"id":1}\n{', MalformedInputError, ", row 2: the JSON is broken ("),
        ("a.xml", "<?xml version='1.0'?>\n<TEI>\n<p>", MalformedInputError, ", row 3: the XML is"),
        ("a.tess", "arma", MalformedInputError, ", row 1: the line has no locus; "),
        ("a.xlsx", b"PK\x03\x04", MalformedInputError, ": the zip file is damaged ("),
        ("a.csv", "", EmptyInputError, ": the file is empty"),
        ("a.csv", "id,text\n1,\n", EmptyInputError, ": no row contains text"),
        ("a.txt", "123 ...\n", EmptyInputError, ": there is no text in this file"),
        (
            "a.xml",
            '<!DOCTYPE TEI [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>\n<TEI/>',
            UnsafeInputError,
            ": the entity 'c' is built from other entities; ",
        ),
    ],
)
def test_errors_in_named_files_name_file_and_row(write, name, data, error, message):
    path = write(name, data)
    with pytest.raises(error) as caught:
        Document(path)
    assert str(caught.value).startswith(f"{path}{message}")
    assert isinstance(caught.value, InputError)
    assert isinstance(caught.value, LocisimilesError)


def test_a_clash_of_ids_that_users_wrote_names_both_rows(write):
    first = write("a.csv", "id,text\nx,arma\ny,uirum\n")
    second = write("b.csv", "id,text\nz,cano\ny,Troiae\n")
    with pytest.raises(SegmentIdError) as caught:
        Document(first, second)
    assert str(caught.value) == (
        f"{second}, row 3: the id 'y' is also used in {first}, row 3; "
        "ids must be unique across all inputs"
    )


def test_the_second_of_two_editions_gets_ids_with_its_name_and_a_note(write, tei):
    body = '<div type="edition" n="urn:cts:latinLit:phi0690.phi003.perseus-lat2">'
    body += '<div n="1" type="textpart"><l n="1">Arma uirumque cano.</l></div></div>'
    xml, tess = write("a.xml", tei(body)), write("b.tess", TESS)
    document = Document(tess, xml)
    assert document.ids == ("verg. aen. 1.1.1", "verg. aen. 1.1.1@perseus-lat2")
    assert document.report.messages() == [
        f"{xml}: contains a text that is also in {tess}; its ids end in '@perseus-lat2'"
    ]
    assert Document(xml, tess).ids == ("verg. aen. 1.1.1", "verg. aen. 1.1.1@tesserae")


def test_all_ids_of_a_second_edition_carry_its_name_even_those_that_do_not_clash(write):
    more = TESS + "<verg. aen. 1.2>\tItaliam uenit.\n"
    document = Document(write("a.tess", TESS), write("b.tess", more))
    assert document.ids[1:] == ("verg. aen. 1.1.1@tesserae", "verg. aen. 1.2.1@tesserae")


def test_further_copies_of_an_edition_are_numbered(write):
    document = Document(*(write(f"{name}.tess", TESS) for name in "abcd"))
    assert [segment_id.partition("@")[2] for segment_id in document.ids] == [
        "", "tesserae", "tesserae-2", "tesserae-3",
    ]  # fmt: skip


def test_plain_texts_of_one_name_are_told_apart_by_it(write):
    paths = [write(f"{folder}/carmen.txt", "Abeo.\nRedeo.\n") for folder in "ab"]
    document = Document(*paths)
    assert document.ids == ("carmen 1", "carmen 2", "carmen 1@carmen", "carmen 2@carmen")


def test_ids_that_we_made_give_way_to_ids_that_users_wrote(write):
    table = write("a.csv", "id,text\nverg. aen. 1.1.1,Arma\n")
    document = Document(table, write("b.tess", TESS))
    assert document.ids == ("verg. aen. 1.1.1", "verg. aen. 1.1.1@tesserae")


@pytest.mark.parametrize("again", ["a.csv", "./a.csv", "sub/../a.csv"])
def test_a_file_that_is_named_twice_is_refused(monkeypatch, tmp_path, write, again):
    write("a.csv", "id,text\na,arma\n")
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ParameterError) as caught:
        Document("a.csv", again)
    assert str(caught.value) == f"{Path(again)} is named twice; name it once"


@pytest.fixture
def lucan(monkeypatch, tmp_path):
    """A catalogue of one text, and where the library keeps it."""
    data = b"<luc. 1.1> Bella per Emathios plus quam ciuilia campos.\n"
    work = Catalogue.shipped().works["lucan.bellum_civile"]
    digest = hashlib.sha256(data).hexdigest()
    edition = Edition(work.name, "tesserae", "lucan.tess", "", len(data), digest)
    catalogue = Catalogue([work], [edition])
    monkeypatch.setattr(Catalogue, "shipped", classmethod(lambda _: catalogue))
    monkeypatch.setenv("LOCISIMILES_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data" / "library" / "tesserae" / "lucan.tess", data


@pytest.mark.parametrize("name", ["lucan", "Lucanus", "lucan.bellum_civile@tesserae"])
def test_a_library_text_is_read_by_its_name(lucan, name):
    path, data = lucan
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    document = Document(name)
    assert document.ids == ("lucan. 1.1.1",)
    assert document.report.files == [FileRead(str(path), "tess", 1)]


@pytest.mark.usefixtures("lucan")
def test_a_missing_library_text_is_an_error_that_says_how_to_install_it():
    with pytest.raises(TextNotInstalledError) as caught:
        Document("lucan")
    assert str(caught.value) == (
        "a text called 'lucan' is not on this machine yet (lucan.bellum_civile); "
        "install it with 'locisimiles library add lucan'"
    )


@pytest.mark.usefixtures("lucan")
def test_a_file_of_that_name_wins_over_the_library(write):
    write("lucan", "id,text\na,arma\n")
    assert Document("lucan").ids == ("a",)


def test_the_columns_of_a_mixed_document_are_all_of_one_length(write):
    paths = [write("a.csv", "id,text,x\na,arma,1\n"), write("b.tess", TESS)]
    document = Document(*paths, write("c.jsonl", '{"id": "c", "text": "cano", "y": [1]}'))
    columns = [document.texts, document.authors, document.works, document.loci]
    assert {len(column) for column in [*columns, *document.meta.values()]} == {3}


def test_an_empty_zip_file_in_a_folder_is_left_out_with_a_note(tmp_path, write, write_zip):
    write("a.csv", "id,text\na,arma\n")
    path = write_zip("b.zip", {"folder/": ""})
    document = Document(tmp_path)
    assert document.report.messages() == [f"{path}: left out, the zip file contains no files"]


def test_a_document_that_cannot_be_read_is_refused_with_advice(write_zip):
    path = write_zip("a.epub", {"mimetype": "application/epub+zip"})
    with pytest.raises(UnknownFormatError, match=r"save it as \.docx, \.odt or plain text"):
        Document(path)


def test_documents_in_a_zip_file_are_read(write_zip, docx):
    path = write_zip("a.zip", {"b.docx": docx("<w:p><w:r><w:t>Arma cano.</w:t></w:r></w:p>")})
    assert Document(path).texts == ("Arma cano.",)


def test_a_named_encoding_is_used_for_detection(write):
    path = write("a.csv", "id,text\n1,arma\n".encode("utf-16-le"))
    assert Document(path, options=ReadOptions(encoding="utf-16-le")).texts == ("arma",)


def test_two_tags_of_one_work_in_a_file_do_not_make_ids_clash(write):
    path = write("a.tess", "<verg. g. 1.1> Arma.\n<verg. georg. 1.1> Cano.\n")
    assert len(set(Document(path).ids)) == 2
