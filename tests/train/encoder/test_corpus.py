"""Text for pretraining."""

import lzma

import pytest

from locisimiles.train.encoder.corpus import (
    encode_lines,
    learn_vocabulary,
    prepare_corpus,
    prepared_lines,
    read_prepared,
)


def test_sentences_are_folded_and_kept_once():
    batches = [
        ["Arma virumque cano.", "arma, uirumque: CANO"],
        ["et nunc iam"],
    ]
    assert list(prepared_lines(batches)) == ["arma uirum que cano .", "et nunc iam"]


@pytest.mark.parametrize("sentence", ["et", "", "1 2 3 4", "μῆνιν ἄειδε θεὰ", "a b c d"])
def test_short_and_foreign_sentences_are_left_out(sentence):
    assert list(prepared_lines([[sentence]])) == []


def test_the_same_files_give_the_same_bytes(tmp_path):
    (tmp_path / "a.txt").write_text("Arma virumque cano.\nuox faucibus haesit\n", encoding="utf-8")
    outputs = [tmp_path / "one.xz", tmp_path / "other.xz"]
    assert [prepare_corpus([tmp_path / "a.txt"], output) for output in outputs] == [2, 2]
    assert outputs[0].read_bytes() == outputs[1].read_bytes()
    assert (
        list(read_prepared(outputs[0]))
        == lzma.decompress(outputs[0].read_bytes()).decode().splitlines()
    )


def test_lines_become_numbers_with_a_separator():
    tokenizer = learn_vocabulary(["arma uirum que cano"] * 5, 300)
    pieces = encode_lines(tokenizer, ["arma", "uirum que"])
    assert (pieces == 3).sum() == 2
    assert pieces[-1] == 3
    assert (pieces >= 3).all()
