"""The example texts were typed by hand: here they are checked word by word against editions."""

import re
from pathlib import Path

import pytest

from locisimiles import Document, load_example_query, load_example_source
from locisimiles.latin import fold

CORPORA = Path(__file__).parents[3] / "shared" / "corpora"
EDITIONS = (
    *(f"tei/perseus/{poet}" for poet in ("vergil", "horace", "ovid", "lucretius", "lucan")),
    *("tei/perseus/statius", "tei/perseus/valerius_flaccus", "tei/csel_lactantius"),
    *("tei/jerome_cc", "jerome_epistulae.txt", "tess"),
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CORPORA.is_dir(), reason="the editions are not here (../shared)"),
]


def _words(text):
    return tuple(fold(word) for word in re.findall(r"[^\W\d_]+", text))


@pytest.fixture(scope="module")
def printed():
    return {
        _words(text)
        for edition in EDITIONS
        if (CORPORA / edition).exists()
        for text in Document(CORPORA / edition).texts
    }


@pytest.mark.parametrize("document", [load_example_query(), load_example_source()], ids=repr)
def test_every_word_is_as_an_edition_prints_it(printed, document):
    elsewhere = [_words(segment.text) for segment in document]
    elsewhere = [" ".join(words) for words in elsewhere if words not in printed]
    # The benchmark begins one sentence in the middle of ours, at a quotation.
    wholes = [" ".join(words) for words in printed] if elsewhere else []
    assert [part for part in elsewhere if not any(part in whole for whole in wholes)] == []
