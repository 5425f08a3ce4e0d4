import io
import zipfile

import pytest

from locisimiles.errors import UnsafeInputError
from locisimiles.files import archives
from locisimiles.files.archives import check_zip
from locisimiles.files.limits import Limits, limited
from locisimiles.files.raw import RawInput


def _zip(**members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return RawInput("t.zip", stream.getvalue())


def test_a_zip_file_of_too_many_members_is_refused(monkeypatch):
    monkeypatch.setattr(archives, "_MOST_MEMBERS", 2)
    with pytest.raises(UnsafeInputError, match=r"too many files \(3; at most 2\)"):
        check_zip(_zip(a="1", b="2", c="3"))


def test_a_zip_file_of_too_much_content_is_refused():
    with (
        limited(Limits(unpacked=9)),
        pytest.raises(UnsafeInputError, match=r"would unpack to 0 MB .*; if you trust it"),
    ):
        check_zip(_zip(a="arma", b="uirum", c="c"))
