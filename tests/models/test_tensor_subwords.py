"""LatinBERT's own subwords, compared with a direct transcription of tensor2tensor's rules."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.errors import InputError
from locisimiles.models.tensor_subwords import TensorSubwords

ALPHABET = [*"abcdefghilmnopqrstuxyz_\\;.,", *"0123456789"]
SUBWORDS = ["que_", "uir", "um_", "arma_", "ar", "us_", "._", ",_", *ALPHABET]


def by_the_book(text):
    """Return subwords as tensor2tensor's tokenizer and SubwordTextEncoder would."""
    ids = {subword: row for row, subword in enumerate(SUBWORDS)}
    found = []
    for word in text.lower().split():
        alnum = [unicodedata.category(c)[0] in "LN" for c in word]
        tokens, begin = [], 0
        for place in range(1, len(word)):
            if alnum[place] != alnum[place - 1]:
                tokens.append(word[begin:place])
                begin = place
        tokens.append(word[begin:])
        for token in tokens:
            escaped = token.replace("\\", "\\\\").replace("_", "\\u")
            escaped = "".join(
                c if c in set("".join(SUBWORDS)) | set("\\_u;0123456789") else f"\\{ord(c)};"
                for c in escaped
            )
            escaped += "_"
            start = 0
            while start < len(escaped):
                end = next(e for e in range(len(escaped), start, -1) if escaped[start:e] in ids)
                found.append(ids[escaped[start:end]] + 5)
                start = end
    return found


@given(st.text(st.sampled_from("arm uirq.e,_\\9X \u00e9\u03b1"), max_size=25))
def test_texts_are_cut_as_tensor2tensor_does_it(text):
    assert TensorSubwords.of(SUBWORDS).pieces(text) == by_the_book(text)


def test_the_longest_subword_wins():
    assert TensorSubwords.of(SUBWORDS).pieces("Arma uirumque") == [
        8, 6, *(5 + SUBWORDS.index(s) for s in ["u", "m", "que_"]),
    ]  # fmt: skip


def test_the_file_is_read(tmp_path):
    path = tmp_path / "latin.subword.encoder"
    path.write_text("".join(f"'{subword}'\n" for subword in SUBWORDS), encoding="utf-8")
    assert TensorSubwords.read(path) == TensorSubwords.of(SUBWORDS)


@pytest.mark.parametrize("content", [b"'a_'\nb_\n", b"\xff\xfe", b"'\n"])
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "latin.subword.encoder"
    path.write_bytes(content)
    with pytest.raises(InputError):
        TensorSubwords.read(path)
    with pytest.raises(InputError, match="cannot be read"):
        TensorSubwords.read(tmp_path / "none")


def test_what_the_file_cannot_write_is_unknown():
    assert TensorSubwords.of(["a_"]).pieces("b") == [1] * 5  # \ 9 8 ; _
