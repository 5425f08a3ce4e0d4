"""Reading any bytes gives a document or one of our errors."""

import io
import zipfile
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.corpus import Document, ReadOptions, ReadReport
from locisimiles.corpus.detect import detect_format
from locisimiles.corpus.formats import FORMATS
from locisimiles.errors import LocisimilesError, MalformedInputError, UnsafeInputError
from locisimiles.files.archives import check_zip
from locisimiles.files.raw import RawInput

PIECES = st.sampled_from(
    ["<TEI><text><body>", "</body></text></TEI>", "<div n='1'>", "</div>", "<p>", "</p>",
     "<l n='2'>", "<l part='F'>", "</l>", "<q>", "</q>", "<q rend='merge'>", "<note>", "</note>",
     "<lb/>", "<pb n='0111A'/>", "<milestone unit='section' n='1 2'/>", "<head>CAPUT II.</head>",
     "<choice>", "</choice>", "<sic>", "</sic>", "<!DOCTYPE TEI [", "<!ENTITY a 'b'>", "]>", "&a;",
     "&foo;", "&lt;", "&#0;", "<!-- c -->", "<?pi x?>", "<verg. aen. 1.1>", "<a 1>", "<b>",
     "id,text\n", "id\ttext\n", "1,", "1\t", '{"id": 1, "text": "a"}', "[", "]", "{", "}", '"',
     "'", ",", ";", "\t", "\n", "\r", "arma ", "uirum-", "é", "P. Galba", "a. d. III Kal. ", "X. ",
     "1. ", ". ", "! ", ": ", "(", ")", "[12]", "/", "—", "\ufeff", "\u2028", "\x00", "\x1f",
     "\x1b[2J"]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=25).map("".join)
ENCODINGS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"])
BYTES = st.binary() | st.builds(lambda t, e: t.encode(e, "replace"), TEXTS, ENCODINGS)
BODIES = TEXTS.map(lambda text: f"<TEI><text><body>{text}</body></text></TEI>".encode())
OPTIONS = st.builds(
    ReadOptions,
    segmentation=st.sampled_from(["auto", "lines", "sentences", "verse"]),
    colon=st.sampled_from(["auto", "never", "line-end", "always"]),
    semicolon=st.sampled_from(["auto", "line-end"]),
)


def _read(raw, kind, options):
    """Read like `Document`, but from memory, and look at everything in the document."""
    report = ReadReport()
    try:
        columns = detect_format(raw, kind).read(raw, options, report)
    except LocisimilesError as error:
        return str(error)
    document = Document._from_columns(columns, report)
    for segment in document:
        assert segment.text
        assert segment.id
        assert all(0 <= mark.offset < len(segment.text) for mark in segment.loci)
    return document.fingerprint()


@pytest.mark.parametrize("kind", sorted(FORMATS))
@settings(deadline=None, max_examples=150)
@given(data=BYTES, options=OPTIONS)
def test_any_bytes_in_a_named_format(kind, data, options):
    assert _read(RawInput("a.dat", data), kind, options)


@settings(deadline=None, max_examples=300)
@given(
    data=BYTES | BODIES,
    suffix=st.sampled_from(
        ["", ".csv", ".tsv", ".jsonl", ".txt", ".tess", ".xml", ".pdf", ".html", ".docx"]
    ),
    options=OPTIONS,
    by_itself=st.booleans(),
)
def test_any_bytes_under_any_name(data, suffix, options, by_itself):
    assert _read(RawInput(f"a{suffix}", data, by_itself=by_itself), None, options)


@settings(deadline=None, max_examples=300)
@given(data=BODIES, options=OPTIONS)
def test_any_tei_body(data, options):
    assert _read(RawInput("a.xml", data), "tei", options)


def _archive():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a.csv", "id,text\na,arma\n")
        archive.writestr("b/c.txt", "uirumque cano")
    return stream.getvalue()


ARCHIVE = _archive()


@settings(deadline=None, max_examples=300)
@given(
    st.lists(
        st.tuples(st.integers(4, len(ARCHIVE) - 1), st.integers(0, 255)), min_size=1, max_size=4
    )
)
def test_any_damage_to_the_directory_of_a_zip_file(changes):
    data = bytearray(ARCHIVE)
    for place, value in changes:
        data[place] = value
    with suppress(LocisimilesError):
        assert len(check_zip(RawInput("a.zip", bytes(data))).namelist()) <= 2


@settings(deadline=None, max_examples=100)
@given(st.binary(max_size=200))
def test_anything_that_begins_like_a_zip_file(data):
    with pytest.raises((MalformedInputError, UnsafeInputError)):
        check_zip(RawInput("a.zip", b"PK\x03\x04" + data))
