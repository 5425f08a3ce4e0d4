"""Explanations of pairs, as projects store them, in every language."""

import json
import re
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import EvidenceFinder, load_example_query, load_example_source
from locisimiles.app.results.explanations import dump_explanation, explanation_text
from locisimiles.app.ui.translator import Translator
from locisimiles.messages import LANGUAGES, Message

OTHERS = [language for language in LANGUAGES if language != "en"]
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@pytest.fixture(scope="module")
def evidence():
    query, source = load_example_query(), load_example_source()
    pairs = [(q, (7 * q + 13 * n) % len(source)) for q in range(len(query)) for n in range(6)]
    finder = EvidenceFinder(query, source)
    return finder.for_pairs([q for q, _ in pairs], [s for _, s in pairs])


def stored(*messages):
    return json.dumps([message.as_json() for message in messages], separators=(",", ":"))


def test_in_english_an_explanation_is_the_sentence_of_its_evidence(evidence):
    assert [explanation_text(dump_explanation(one)) for one in evidence] == [
        one.sentence for one in evidence
    ]


@pytest.mark.parametrize("language", OTHERS)
def test_explanations_say_the_same_in_every_language(evidence, language):
    english = re.compile(r"\b(the|words?|stands?|named|source|query|shares)\b", re.IGNORECASE)
    for one in evidence:
        sentence = explanation_text(dump_explanation(one), language)
        ours = sentence.replace("source", "") if language == "fr" else sentence
        assert not english.search(ours)
        assert sentence.endswith(".")
        assert "{" not in sentence
        names = [word.lemma for word in one.shared][:6]
        if one.rival:
            names.append(one.rival.cited)
        if one.formula:
            names.append(f"{one.formula.count:,}".replace(",", "\u202f"))
        assert all(name in sentence for name in names)


@pytest.mark.parametrize("language", LANGUAGES)
def test_codes_that_an_earlier_version_stored_without_their_room_are_known(evidence, language):
    for one in evidence:
        new = dump_explanation(one)
        old = new.replace('["evidence.', '["')
        assert old.count('["') >= new.count('["evidence.') > 0
        assert explanation_text(old, language) == explanation_text(new, language)


@given(WORDS, st.lists(st.sampled_from(['["x",{', '"', "[", "\\", ",{", "a"])).map("".join))
def test_a_text_that_looks_like_a_code_stays_a_text(author, text):
    for name in (author, text):
        old = json.dumps([["source_author", {"author": name}]], separators=(",", ":"))
        assert explanation_text(old) == f"{name} is the author of the source."


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_that_an_earlier_version_stored_is_shown_as_it_is(language):
    assert Translator(language).explanation("Shares uox (1 word).") == "Shares uox (1 word)."


def test_a_count_of_one_has_its_own_template():
    one, two = (
        stored(
            Message(
                "evidence.places_word",
                {
                    "lemmas": "uox",
                    "count": count,
                    "where": "",
                    "pool": Message("evidence.pool", {"count": 1200}),
                },
            ),
            Message("evidence.named", {"authors": ["Cicero", "Virgil"][:count], "count": count}),
        )
        for count in (1, 2)
    )
    assert explanation_text(one, "de") == (
        "uox steht in 1\u202f200 Segmenten an einer weiteren Stelle; Cicero wird genannt."
    )
    assert explanation_text(two, "de") == (
        "uox steht in 1\u202f200 Segmenten an 2 weiteren Stellen; Cicero, Vergil werden genannt."
    )


def test_braces_in_a_text_are_only_braces():
    author = stored(Message("evidence.source_author", {"author": "{author} {0} %s"}))
    assert explanation_text(author, "de") == "{author} {0} %s ist der Autor der Quelle."


@pytest.mark.parametrize("language", OTHERS)
def test_every_clause_is_translated(language):
    folder = resources.files("locisimiles.messages")
    english, other = (
        json.loads((folder / one / "evidence.json").read_text("utf-8")) for one in ("en", language)
    )
    assert list(other) == list(english)
    for code, template in english.items():
        assert other[code] != template or code == "only" or (language == "fr" and "pool" in code)
