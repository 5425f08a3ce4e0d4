"""What the tests of this room share: reading bytes without a file, writing small files."""

from __future__ import annotations

import io
import zipfile

import pytest

from locisimiles.corpus import Document, ReadOptions, ReadReport
from locisimiles.corpus.formats import FORMATS
from locisimiles.files.raw import RawInput


@pytest.fixture(scope="session")
def read():
    """Read text or bytes with the reader of one format; options as in `ReadOptions`."""

    def read(kind, data, name=None, **options):
        raw = RawInput(name or f"text.{kind}", data.encode() if isinstance(data, str) else data)
        report = ReadReport()
        columns = FORMATS[kind].read(raw, ReadOptions(**options), report)
        return Document._from_columns(columns, report)

    return read


@pytest.fixture
def write(tmp_path):
    """Write a file below the test's folder and return its path."""

    def write(name, data):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    return write


@pytest.fixture
def write_zip(tmp_path):
    """Write a zip file with these members and return its path."""

    def write_zip(name, members):
        path = tmp_path / name
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, data in members.items():
                archive.writestr(member, data)
        return path

    return write_zip


@pytest.fixture(scope="session")
def tei():
    """Wrap a body in a TEI document."""

    def tei(body, *, header="", namespace=' xmlns="http://www.tei-c.org/ns/1.0"'):
        return (
            f"<TEI{namespace}><teiHeader><fileDesc>{header}</fileDesc></teiHeader>"
            f"<text><body>{body}</body></text></TEI>"
        )

    return tei


def packed(members):
    """Return a zip file with these members."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in members.items():
            archive.writestr(member, data)
    return stream.getvalue()


W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
STYLES = (
    f'<w:styles xmlns:w="{W}">'
    '<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style></w:styles>'
)


@pytest.fixture(scope="session")
def docx():
    """Wrap a body in a document of Word."""

    def docx(body, *, place="word/document.xml", namespace=W, prolog="", **more):
        relations = (
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="a" Type="http://x/officeDocument" Target="/{place}"/>'
            "</Relationships>"
        )
        main = f'{prolog}<w:document xmlns:w="{namespace}"><w:body>{body}</w:body></w:document>'
        parts = {"[Content_Types].xml": "<Types/>", "_rels/.rels": relations, place: main}
        return packed({**parts, "word/styles.xml": STYLES, **more})

    return docx


@pytest.fixture(scope="session")
def odt():
    """Wrap a text in a document of LibreOffice."""
    names = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "text", "table")
    )

    def odt(body):
        text = f"<office:body><office:text>{body}</office:text></office:body>"
        content = f"<office:document-content {names}>{text}</office:document-content>"
        return packed(
            {"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content}
        )

    return odt
