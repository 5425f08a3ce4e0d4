"""Shared by tests of training: a small treebank, and no word list unless requested."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from locisimiles.train.lemmatizer.treebanks import TaggedWord, TreebankText

_SENTENCES = """
    magnus/magnus/ADJ canis/canis/NOUN latrat/latro/VERB
    tu/tu/PRON bene/bene/ADV canis/cano/VERB
    niger/niger/ADJ canis/canis/NOUN dormit/dormio/VERB
    tu/tu/PRON male/male/ADV canis/cano/VERB
    paruus/paruus/ADJ canis/canis/NOUN currit/curro/VERB
    bonus/bonus/ADJ canis/canis/NOUN latrat/latro/VERB
    puellam/puella/NOUN uideo/uideo/VERB
    siluam/silua/NOUN amo/amo/VERB et/et/CCONJ rosam/rosa/NOUN porto/porto/VERB
    puella/puella/NOUN siluam/silua/NOUN amat/amo/VERB
    nauta/nauta/NOUN puellas/puella/NOUN amat/amo/VERB
    terram/terra/NOUN nauta/nauta/NOUN uocat/uoco/VERB
    rosas/rosa/NOUN puella/puella/NOUN portat/porto/VERB
    seruum/seruus/NOUN dominus/dominus/NOUN uocat/uoco/VERB
    dominum/dominus/NOUN seruus/seruus/NOUN curat/curo/VERB
    filium/filius/NOUN dominus/dominus/NOUN laudat/laudo/VERB
    Adfert/adfero/VERB puella/puella/NOUN aquam/aqua/NOUN
"""


@pytest.fixture(autouse=True)
def _no_word_list(monkeypatch):
    """Disable the word list of simplemma, which takes half a minute to read."""
    monkeypatch.setitem(sys.modules, "simplemma.strategies", None)


@pytest.fixture
def word_list(monkeypatch):
    """Return a function that installs a small word list as that of simplemma."""

    def install(entries):
        class Factory:
            def get_dictionary(self, language):
                assert language == "la"
                return entries

        strategies = ModuleType("simplemma.strategies")
        strategies.DefaultDictionaryFactory = Factory
        monkeypatch.setitem(sys.modules, "simplemma", ModuleType("simplemma"))
        monkeypatch.setitem(sys.modules, "simplemma.strategies", strategies)

    return install


@pytest.fixture
def make_text():
    """Return a function that makes a treebank text of lines of form/lemma/tag."""

    def make(lines, name="text"):
        sentences = (
            tuple(TaggedWord(*word.split("/")) for word in line.split())
            for line in lines.strip().splitlines()
        )
        return TreebankText(name, tuple(sentences))

    return make


@pytest.fixture
def treebank(make_text):
    """A few dozen words, among them *canis*, a dog or "you sing"."""
    return [make_text(_SENTENCES)]


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a file into the test's folder and returns its path."""

    def write(name, data):
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    return write
