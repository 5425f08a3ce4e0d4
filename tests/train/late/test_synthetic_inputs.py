"""Inputs of synthetic pairs."""

import lzma

import numpy as np
import pytest

from locisimiles import Document, Segment
from locisimiles.errors import InputError
from locisimiles.train.encoder.corpus import prepare_corpus
from locisimiles.train.late.synthetic import SyntheticPair
from locisimiles.train.late.synthetic_inputs import (
    Sense,
    common_words,
    find_negatives,
    number_duplicates,
    read_contexts,
    read_senses,
    word_choices,
)

LINES = [
    "Arma virumque cano, Troiae qui primus ab oris venit.",
    "et nunc",
    "Itaque neque tu nec ille mecum uenistis ad forum hodie.",
    "quisque suos patimur manes; exinde per amplum mittimur Elysium",
]


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return path


def test_contexts_are_units_of_sentences_that_are_long_enough(corpus):
    found = read_contexts([corpus])
    assert [words[0] for words in found] == ["arma", "itaque", "quisque"]
    assert found[0][:5] == ["arma", "uirum", "que", "cano", ","]


def test_a_prepared_corpus_gives_the_same_contexts(corpus, tmp_path):
    prepare_corpus([corpus], tmp_path / "prepared.txt.xz")
    assert read_contexts([tmp_path / "prepared.txt.xz"]) == read_contexts([corpus])


def test_contexts_are_drawn_by_seed(tmp_path):
    words = "arma uirum cano troia primus ora italia fatum lauinia litus terra".split()
    lines = [" ".join(words[i:] + words[:i]) for i in range(len(words))]
    path = tmp_path / "c.txt.xz"
    path.write_bytes(lzma.compress("\n".join(lines).encode()))
    drawn = [read_contexts([path], most=4, seed=seed) for seed in (1, 1, 2)]
    assert len(drawn[0]) == 4
    assert drawn[0] == drawn[1] != drawn[2]


def test_every_line_can_be_drawn(tmp_path):
    path = tmp_path / "c.txt"
    words = "arma uirum cano troia primus ora italia".split()
    path.write_text("\n".join(" ".join(words[i:] + words[:i]) for i in range(7)))
    firsts = {read_contexts([path], most=1, seed=seed)[0][0] for seed in range(60)}
    assert firsts == set(words)


def test_senses_are_read_in_our_spelling(tmp_path):
    path = tmp_path / "w.tsv"
    path.write_text("synset\tpos\tlemma\nn#1\tn\tvir\nn#1\tn\thomo\n\tn\tx\n", encoding="utf-8")
    assert read_senses(path) == [Sense("n#1", "n", "uir"), Sense("n#1", "n", "homo")]


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"a\tb\n1\t2\n", "no column 'synset'"), (b"", "no column"), (b"\xff\xfe\xff", "not valid")],
)
def test_what_is_no_wordnet_is_reported(tmp_path, content, message):
    (tmp_path / "w.tsv").write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_senses(tmp_path / "w.tsv")
    with pytest.raises(InputError, match="file not found"):
        read_senses(tmp_path / "none.tsv")


def test_synonyms_come_from_vectors_and_from_senses_and_are_in_the_sources():
    sources = [["mare", "fluctibus", "."], ["lex", "fibula"]]
    choices = word_choices(sources, [Sense("1", "n", "lex"), Sense("1", "n", "fibula")])
    assert "fibula" in choices.synonyms["lex"]
    assert "fluctus" in choices.synonyms["mare"]  # by the vectors of the package
    assert "fluctus" not in choices.synonyms.get("lex", ())
    assert "fibula" not in word_choices(sources).synonyms.get("lex", ())
    other = word_choices(sources, [Sense("1", "n", "lex"), Sense("1", "n", "norma")])
    assert "norma" not in other.synonyms.get("lex", ())  # no source has it
    assert "." not in choices.lemma


def test_common_are_stops_function_words_and_frequent_lemmas():
    lemma = {"et": "et", "mare": "mare", "maris": "mare", "lex": "lex"}
    sources = [["et", "mare"], ["maris"], *[["lex", "et"]] * 4, *[["mare"]] * 3, *[[]] * 100]
    # mare: log(110 / 6) is less than 3.2; lex: only four sources have it.
    found = common_words(sources, lemma)
    assert {"et", "mare", "maris", ".", ","} <= found
    assert "lex" not in found
    # log(180 / 6) is more.
    assert "mare" not in common_words([*sources, *[[]] * 70], lemma)


def test_equal_sources_have_one_number():
    assert number_duplicates([["a", "b"], ["a"], ["a", "b"], []]).tolist() == [0, 1, 0, 2]


def test_find_negatives_share_words_but_are_not_the_answer():
    texts = ["uox faucibus haesit", "uox et fauces", "arma cano", "uox faucibus haesit", "uox"]
    sources = Document.from_segments(Segment(str(i), text) for i, text in enumerate(texts))
    doubles = number_duplicates([text.split() for text in texts])
    pairs = [SyntheticPair(("uox", "faucibus", "haesit"), 0), SyntheticPair(("arma",), 2)]
    found = find_negatives(pairs, sources, doubles, count=3)
    assert found.dtype == np.int32
    assert set(found[0, :2].tolist()) == {1, 4}  # neither the answer nor its double
    assert found[0, 2] == -1
    assert found[1].tolist() == [-1, -1, -1]
