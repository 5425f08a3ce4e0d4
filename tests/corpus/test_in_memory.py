"""Documents from texts, data frames and spaCy."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest

from locisimiles import (
    Document,
    EmptyInputError,
    InputError,
    MissingColumnError,
    ParameterError,
    SegmentIdError,
)


def test_texts_are_numbered():
    document = Document.from_texts(iter(["arma", "uirum"]), author="Virgil", work="Aeneis")
    assert document.ids == ("1", "2")
    assert document.texts == ("arma", "uirum")
    assert (document[1].author, document[1].work) == ("Virgil", "Aeneis")


def test_texts_have_the_ids_they_are_given():
    wanted = Document.from_texts(["arma", "uirum"], ["a", "b"])
    assert Document.from_texts({"a": "arma", "b": "uirum"}) == wanted
    assert wanted.ids == ("a", "b")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("arma uirumque",), "several texts"),
        (({"a": "arma"}, ["b"]), "have ids already"),
        ((["arma", None],), "None is not text"),
        ((["arma"], [1]), "1 is not text"),
        ((["arma"], ["a", "b"]), "equal length"),
    ],
)
def test_what_is_no_list_of_texts_is_an_error(arguments, message):
    with pytest.raises(ParameterError, match=message):
        Document.from_texts(*arguments)


@pytest.mark.parametrize("ids", [["a", "a"], ["a", " "]])
def test_ids_are_there_and_unique(ids):
    with pytest.raises(SegmentIdError):
        Document.from_texts(["arma", "uirum"], ids)


FRAME = {
    "Seg_ID": ["a", "b", "c"],
    "text": ["arma", "", "uirum"],
    "author": ["Virgil", None, "Virgil"],
    "note": [1, 2, None],
}


@pytest.mark.parametrize("library", [pd, pl])
def test_a_data_frame_is_read_as_a_file_is(library):
    document = Document.from_pandas(library.DataFrame(FRAME))
    assert document.ids == ("a", "c")
    assert document[0].author == "Virgil"
    assert document[1].meta == {}  # missing, not "nan"
    assert "the text is empty" in str(document.report)


def test_columns_are_named():
    frame = pd.DataFrame({"ref": ["a"], "id": ["x"], "latin": ["arma"], "text": ["arms"]})
    document = Document.from_pandas(frame, id="ref", text="latin")
    assert (document.ids, document.texts) == (("a",), ("arma",))
    assert Document.from_pandas(frame).ids == ("x",)


def test_the_index_has_the_ids_if_no_column_has():
    frame = pd.DataFrame({"text": ["arma", "uirum"]}, index=["1.1", "1.2"])
    assert Document.from_pandas(frame).ids == ("1.1", "1.2")
    assert Document.from_pandas(frame.reset_index(drop=True)).ids == ("0", "1")


def test_missing_values_are_empty_and_the_word_nan_is_not():
    values = ["nan", np.nan, pd.NA, None, pd.NaT]
    frame = pd.DataFrame({"id": list("abcde"), "text": values})
    assert Document.from_pandas(frame).texts == ("nan",)


def test_what_a_frame_lacks_is_said():
    frame = pd.DataFrame({"id": ["a"], "words": ["arma"]})
    with pytest.raises(MissingColumnError, match="words"):
        Document.from_pandas(frame)
    with pytest.raises(ParameterError, match="no column 'Text'; there are id, words"):
        Document.from_pandas(frame, text="Text")
    with pytest.raises(EmptyInputError, match="no rows"):
        Document.from_pandas(frame[:0].rename(columns={"words": "text"}))
    with pytest.raises(InputError):
        Document.from_pandas(pl.DataFrame({"text": ["arma"]}))


def test_results_can_be_searched_again():
    frame = pd.DataFrame({"query_id": ["a"], "query_text": ["arma"]})
    document = Document.from_pandas(frame, id="query_id", text="query_text")
    assert document["a"].text == "arma"


def doc(*sentences):
    return SimpleNamespace(sents=[SimpleNamespace(text=text) for text in sentences])


def test_sentences_of_spacy_are_segments():
    document = Document.from_spacy(doc("Arma cano. ", "\n", "Vale."), "ep. 1", author="Jerome")
    assert document.ids == ("ep. 1 1", "ep. 1 2")
    assert document.texts == ("Arma cano.", "Vale.")
    assert document.authors == ("Jerome", "Jerome")
    assert Document.from_spacy([doc("Vale."), doc("Salue.")]).ids == ("1 1", "2 1")


def test_a_document_without_sentences_says_how_to_find_them():
    class Unparsed:
        @property
        def sents(self):
            raise ValueError("[E030] Sentence boundaries unset.")

    with pytest.raises(ParameterError, match="sentencizer"):
        Document.from_spacy(Unparsed())
    with pytest.raises(ParameterError, match="str is not a spaCy document"):
        Document.from_spacy("arma")


def test_spacy_itself():
    spacy = pytest.importorskip("spacy")
    pipeline = spacy.blank("la")
    with pytest.raises(ParameterError, match="sentencizer"):
        Document.from_spacy(pipeline("Arma cano. Vale."))
    pipeline.add_pipe("sentencizer")
    assert Document.from_spacy(pipeline("Arma cano. Vale.")).texts == ("Arma cano.", "Vale.")
