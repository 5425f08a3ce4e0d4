import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.errors import InputError
from locisimiles.files.hashing import file_sha256, framed, sha256_of


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_parts_are_hashed_as_one_content(parts):
    whole = "".join(parts)
    assert sha256_of(whole) == hashlib.sha256(whole.encode()).hexdigest()
    assert sha256_of(parts) == sha256_of(whole) == sha256_of(whole.encode())


def test_framed_texts_keep_their_boundaries():
    assert sha256_of(framed(["ab", "c"])) != sha256_of(framed(["a", "bc"]))
    assert list(framed(["\ud800"])) == [(3).to_bytes(8, "big"), b"\xed\xa0\x80"]


def test_a_file_is_hashed_by_its_content(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"arma" * 500_000)
    assert file_sha256(path) == sha256_of(b"arma" * 500_000)
    with pytest.raises(InputError, match="b: the file cannot be read: No such file"):
        file_sha256(tmp_path / "b")
