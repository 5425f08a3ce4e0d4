"""References as a component of spaCy; runs where spaCy is installed."""

import sys

import pytest

from locisimiles import MissingDependencyError
from locisimiles.examples import example_path


def test_without_spacy_the_command_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    monkeypatch.setitem(sys.modules, "spacy.language", None)
    monkeypatch.delitem(sys.modules, "locisimiles.integrations.spacy", raising=False)
    with pytest.raises(MissingDependencyError, match=r"spaCy is not installed; .* install .*spacy"):
        import locisimiles.integrations.spacy  # noqa: F401


def test_a_document_gets_its_references():
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("la")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("locisimiles", config={"source": [str(example_path("source.csv"))], "k": 3})
    doc = nlp("Haesit uox faucibus et inter ruborem mutabantur. Nihil.")
    found = [one.source.id for one in doc._.references if one.query.id == "1"]
    assert "verg. aen. 2.774.1" in found
    assert len(doc._.references.query) == 2
