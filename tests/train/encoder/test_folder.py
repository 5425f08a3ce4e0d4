"""A vocabulary must belong to its network."""

import json

import pytest

from locisimiles.errors import InputError
from locisimiles.train.encoder.folder import read_vocabulary


def test_a_vocabulary_is_read(tiny_latin):
    tokenizer = read_vocabulary(tiny_latin / "tokenizer.json", 75)
    assert tokenizer.encode("arma").tokens == ["arma"]


def test_one_with_more_pieces_than_the_network_is_refused(tiny_latin):
    with pytest.raises(InputError, match="another network, not to one with 74"):
        read_vocabulary(tiny_latin / "tokenizer.json", 74)


def test_one_with_other_special_pieces_is_refused(tiny_latin, tmp_path):
    content = json.loads((tiny_latin / "tokenizer.json").read_text())
    pieces = content["model"]["vocab"]
    pieces["[CLS]"], pieces["[SEP]"] = pieces["[SEP]"], pieces["[CLS]"]
    content["added_tokens"] = []
    (tmp_path / "tokenizer.json").write_text(json.dumps(content))
    with pytest.raises(InputError, match="another network"):
        read_vocabulary(tmp_path / "tokenizer.json", 75)


def test_unreadable_files_are_reported(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_vocabulary(tmp_path / "none.json", 75)
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(InputError, match="not a vocabulary"):
        read_vocabulary(tmp_path / "tokenizer.json", 75)
