"""Zip files that unpack to too much, or to somewhere else."""

import io
import stat
import struct
import zipfile

import pytest

from locisimiles.errors import InputError, MalformedInputError, UnsafeInputError


def _zip(*members, method=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for member, data in members:
            archive.writestr(member, data)
    return stream.getvalue()


def _patch(data, *, size=None, flags=None):
    """Let the headers of the only member of a zip file tell lies."""
    data = bytearray(data)
    directory = data.rfind(b"PK\x01\x02")
    if size is not None:
        data[22:26] = data[directory + 24 : directory + 28] = struct.pack("<I", size)
    if flags is not None:
        data[6:8] = data[directory + 8 : directory + 10] = struct.pack("<H", flags)
    return bytes(data)


def test_a_bomb_is_refused(attack):
    data = _zip(("a.txt", b"a" * 30_000_000))
    with pytest.raises(UnsafeInputError, match=r"'a\.txt' in .* would unpack to [\d,]+ times"):
        attack("a.zip", data)


def test_many_small_bombs_are_refused(attack):
    data = _zip(*((f"{n}.txt", b"a" * 1_000_000) for n in range(65)))
    with pytest.raises(UnsafeInputError, match=r"would unpack to [\d,]+ times its size"):
        attack("a.zip", data)


def test_a_bomb_inside_a_zip_file_is_not_opened(attack):
    bomb = _zip(("a.txt", b"a" * 30_000_000))
    document = attack("a.zip", _zip(("bomb.zip", bomb), ("b.csv", "id,text\na,arma")))
    assert document.ids == ("a",)
    assert "bomb.zip: left out, zip files inside zip files are not opened" in str(document.report)


@pytest.mark.parametrize("size", [0, 10, 2**31])
def test_a_member_that_lies_about_its_size_is_refused(attack, size):
    data = _patch(_zip(("a.txt", b"arma uirumque cano " * 1000)), size=size)
    with pytest.raises(InputError) as caught:
        attack("a.zip", data)
    assert isinstance(caught.value, MalformedInputError | UnsafeInputError)


@pytest.mark.parametrize(
    "name",
    [
        "../a.txt",
        "a/../../b.txt",
        "/etc/passwd",
        "//host/a.txt",
        "C:\\a.txt",
        "C:a.txt",
        "..\\a.txt",
        "a\\..\\b.txt",
        "\\a.txt",
    ],
)
def test_a_path_outside_the_archive_is_refused(attack, name):
    with pytest.raises(UnsafeInputError) as caught:
        attack("a.zip", _zip((name, "arma")))
    assert str(caught.value).endswith(f"a path that leads outside it ('{name}')")


def test_nothing_is_unpacked_to_the_disk(attack, tmp_path):
    attack("a.zip", _zip(("a/b.csv", "id,text\na,arma")))
    assert [path.name for path in tmp_path.rglob("*")] == ["a.zip"]


def test_a_link_is_refused(attack):
    link = zipfile.ZipInfo("a.txt")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with pytest.raises(UnsafeInputError, match=r"the zip file contains a link \('a\.txt'\)"):
        attack("a.zip", _zip((link, "/etc/passwd")))


def test_an_encrypted_zip_file_is_refused(attack):
    with pytest.raises(InputError, match="the zip file is protected by a password"):
        attack("a.zip", _patch(_zip(("a.txt", "arma")), flags=1))


@pytest.mark.parametrize("flags", [0x20, 0x40])
def test_a_zip_file_with_unsupported_features_is_refused(attack, flags):
    with pytest.raises(MalformedInputError, match="is damaged"):
        attack("a.zip", _patch(_zip(("a.txt", "arma")), flags=flags))


def test_too_many_members_are_refused(attack):
    members = ((f"{n}.txt", b"") for n in range(20_001))
    with pytest.raises(UnsafeInputError, match=r"too many files \(20,001; at most 20,000\)"):
        attack("a.zip", _zip(*members, method=zipfile.ZIP_STORED))


@pytest.mark.parametrize("end", [5, 30, 60, -1, -10])
def test_a_truncated_zip_file_is_refused(attack, end):
    with pytest.raises(MalformedInputError, match="the zip file is damaged"):
        attack("a.zip", _zip(("a.txt", "arma"))[:end])


def test_content_with_a_wrong_checksum_is_refused(attack):
    data = _zip(("a.txt", "arma uirumque"), method=zipfile.ZIP_STORED).replace(b"arma", b"ARMA", 1)
    with pytest.raises(MalformedInputError, match=r"'a\.txt' in the zip file is damaged \(Bad CRC"):
        attack("a.zip", data)


def test_escape_sequences_in_names_are_shown_harmlessly(attack):
    with pytest.raises(UnsafeInputError) as caught:
        attack("a.zip", _zip(("../\x1b[2Ja.txt", "arma")))
    assert "\x1b" not in str(caught.value)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_damaged_compression_is_an_error_of_ours(attack, method):
    data = bytearray(_zip(("a.txt", bytes(range(256)) * 20), method=method))
    data[60:80] = b"\xff" * 20
    with pytest.raises(MalformedInputError, match="is damaged"):
        attack("a.zip", bytes(data))
