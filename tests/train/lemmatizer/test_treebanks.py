"""Lemmatised text: CoNLL-U and the LASLA table."""

import lzma

import pytest

from locisimiles import ParameterError
from locisimiles.errors import EmptyInputError, InputError, MalformedInputError
from locisimiles.train.lemmatizer.treebanks import (
    TaggedWord,
    TreebankText,
    leave_out,
    read_treebank,
)

TABLE = (
    "# some words about the table\n"
    "# work Vergilius Aeneis (books 1-12)\n"
    "arma\tarma\tNOUN\n"
    "uirum\tuir\tNOUN\n"
    "\n"
    "\n"
    "cano\tcano\tVERB\n"
    "# work Horatius Carmina\n"
    "Maecenas\tMaecenas\tPROPN\n"
)
READ = [
    TreebankText(
        "Vergilius Aeneis",
        (
            (TaggedWord("arma", "arma", "NOUN"), TaggedWord("uirum", "uir", "NOUN")),
            (TaggedWord("cano", "cano", "VERB"),),
        ),
    ),
    TreebankText("Horatius Carmina", ((TaggedWord("Maecenas", "Maecenas", "PROPN"),),)),
]


def conllu(*rows):
    return "".join(
        "\t".join([*row, *"_" * (10 - len(row))]) + "\n" if row else "\n" for row in rows
    )


CONLLU = "# sent_id = 1\n" + conllu(
    ("1", "Arma", "arma", "NOUN"),
    ("2-3", "uirumque", "_", "_"),
    ("2", "uirum", "uir", "NOUN"),
    ("3", "que", "que", "CCONJ"),
    ("3.1", "_", "sum", "AUX"),
    ("4", ",", ",", "PUNCT"),
    ("5", "§", "§", "SYM"),
    (),
    ("1", "cano", "_", "X"),
)


def test_a_table_is_read_text_by_text(write):
    assert read_treebank(write("a.tsv", TABLE)) == READ


def test_a_table_without_names_is_named_after_its_file(write):
    (text,) = read_treebank(write("lasla.tsv", "arma\tarma\tNOUN\n"))
    assert (text.name, len(text)) == ("lasla", 1)


def test_conllu_is_read_without_punctuation_ranges_and_unwritten_words(write):
    assert read_treebank(write("la_x-ud-train.conllu", CONLLU)) == [
        TreebankText(
            "la_x-ud-train",
            (
                (
                    TaggedWord("Arma", "arma", "NOUN"),
                    TaggedWord("uirum", "uir", "NOUN"),
                    TaggedWord("que", "que", "CCONJ"),
                ),
                (TaggedWord("cano", "", ""),),
            ),
        )
    ]


def test_a_table_is_read_without_punctuation_too(write):
    (text,) = read_treebank(write("a.tsv", "arma\tarma\tNOUN\n.\t.\tPUNCT\n"))
    assert [word.form for word in text.sentences[0]] == ["arma"]


@pytest.mark.parametrize(("name", "data", "words"), [("a.tsv", TABLE, 4), ("a.conllu", CONLLU, 4)])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_files_may_be_compressed_and_have_any_line_ends(write, name, data, words, line_end):
    data = data.replace("\n", line_end).encode()
    plain = read_treebank(write(name, data))
    packed = read_treebank(write(f"{name}.xz", lzma.compress(data)))
    assert plain == packed
    assert sum(map(len, plain)) == words


def test_the_last_sentence_needs_no_empty_line(write):
    with_line = read_treebank(write("a.conllu", CONLLU + "\n\n"))
    assert read_treebank(write("a.conllu", CONLLU.rstrip("\n"))) == with_line


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.tsv", "arma\tarma\tNOUN\nuirum\tuir\n", "row 2: 2 columns instead of 3"),
        ("a.tsv", "arma uirum\n", "row 1: 1 column instead of 3"),
        ("a.conllu", "# x\n1\tarma\tarma\n", "row 2: 3 columns instead of 10"),
        ("a.tsv", CONLLU, "row 2: 10 columns instead of 3"),
    ],
)
def test_wrong_columns_are_reported_with_their_row(write, name, data, message):
    with pytest.raises(MalformedInputError, match=f"{name}, {message}"):
        read_treebank(write(name, data))


@pytest.mark.parametrize("data", ["", "\n\n", "# work x\n", "# sent_id = 1\n"])
@pytest.mark.parametrize("name", ["a.tsv", "a.conllu"])
def test_a_file_without_sentences_is_an_error(write, name, data):
    with pytest.raises(EmptyInputError, match="the treebank has no sentence"):
        read_treebank(write(name, data))


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"no\.conllu: the file cannot be read"):
        read_treebank(tmp_path / "no.conllu")


def test_texts_are_held_out_by_the_beginning_of_their_name():
    assert leave_out(READ, []) == READ
    assert leave_out(READ, ["Verg"]) == READ[1:]
    assert leave_out(READ, ["Verg", "Horatius Carmina"]) == []


def test_a_text_that_cannot_be_held_out_is_an_error():
    with pytest.raises(
        ParameterError, match=r"'Ovid', .* the texts are Horatius Carmina, Vergilius"
    ):
        leave_out(READ, ["Verg", "Ovid"])
