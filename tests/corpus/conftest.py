"""What the tests of this room share: reading bytes without a file, writing small files."""

from __future__ import annotations

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
