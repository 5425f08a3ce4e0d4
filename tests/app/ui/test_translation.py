"""What the package says in English, in other languages."""

import ast
import json
import re
from importlib import resources
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import EvidenceFinder, load_example_query, load_example_source
from locisimiles.app.explanations import explained, stored_explanation
from locisimiles.app.ui.catalogue import LANGUAGES, Messages
from locisimiles.app.ui.translation import say_explanation, translate
from locisimiles.corpus.options import Cut, StopAt
from locisimiles.evidence.phrases import ENGLISH, Phrase, phrases_as_json
from locisimiles.retrieve.methods import METHODS

UI = resources.files("locisimiles.app.ui")
PACKAGE = Path(__file__).parents[3] / "src" / "locisimiles"
OTHERS = [language for language in LANGUAGES if language != "en"]
PLACES = re.compile(r"\{(\w+)\}")
# What readers can meet in the app: all of its own, and what reading texts and tables may say.
SEEN = (
    "app", "corpus/formats", "corpus/decoding.py", "corpus/detect.py", "corpus/inputs.py",
    "corpus/reading.py", "corpus/report.py", "corpus/options.py", "corpus/library/catalogue.py",
    "export/judgements.py", "classify/cuts.py", "evidence/glosses.py",
)  # fmt: skip
TASKS = ("retrieve", "classify/pair_features.py", "models/onnx_encoder.py",
         "models/onnx_cross_encoder.py", "app/searching.py")  # fmt: skip


def table(folder, language):
    return json.loads((UI / folder / f"{language}.json").read_text(encoding="utf-8"))


def template(node):
    """Return a text in the code, with {} where something is put in; None if it is no text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(v.value if isinstance(v, ast.Constant) else "{}" for v in node.values)
    return None


def calls(places):
    for place in places:
        path = PACKAGE / place
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    yield getattr(node.func, "id", getattr(node.func, "attr", "")), node


def said():
    """Yield what errors and remarks say, as the code has it."""
    for name, node in calls(SEEN):
        hints = [k.value for k in node.keywords if k.arg == "hint"]
        if name.endswith("Error"):
            texts = [*node.args[:1], *hints]
        elif name == "partial":  # of an error
            texts = [*node.args[1:2], *hints]
        elif name in ("note", "skip"):
            texts = node.args[1:]
        else:
            continue
        yield from filter(None, map(template, texts))


def tasks():
    for name, node in calls(TASKS):
        if name in ("progress", "_tell") and node.args:
            yield template(node.args[0])


def is_known(text, known):
    pattern = re.compile(re.escape(text).replace(r"\{\}", ".+"))
    return any(pattern.fullmatch(one) for one in known)


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_says_the_same_things_with_the_same_places(language):
    first, other = table("translations", OTHERS[0]), table("translations", language)
    assert list(other) == sorted(first)
    for english, translation in other.items():
        missing = set(PLACES.findall(translation)) ^ set(PLACES.findall(english))
        assert not missing, english
        assert translation.strip() == translation != ""


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_explains_everything(language):
    other = table("explanations", language)
    assert list(other) == list(ENGLISH)
    for key, english in ENGLISH.items():
        places = {name: set(PLACES.findall(t)) for name, t in (("en", english), ("", other[key]))}
        if key.endswith("_one"):  # where the number may be a word
            places = {name: found - {"count"} for name, found in places.items()}
        assert places["en"] == places[""], key
        assert other[key] != english or key == "only" or (language == "fr" and "pool" in key)


def test_all_that_readers_can_be_told_has_a_translation():
    known = table("translations", OTHERS[0])
    everything = set(said())
    assert len(everything) > 120
    assert {text for text in everything if not is_known(text, known)} == set()


def test_tasks_methods_and_choices_have_a_translation():
    known = table("translations", OTHERS[0])
    found = {task for task in tasks() if task}
    assert {"searching", "encoding {}"} <= found
    wanted = found | {method.description for method in METHODS.values()}
    wanted |= {*get_args(Cut), *get_args(StopAt)}
    assert {text for text in wanted if not is_known(text, known)} == set()


@pytest.mark.parametrize(
    ("english", "german"),
    [
        (
            "query.csv: 7 rows skipped, the text is empty (rows 1, 2, 3, 4, 5 and 2 more)",
            (
                "query.csv: 7 Zeilen übersprungen, der Text ist leer "
                "(Zeilen 1, 2, 3, 4, 5 und 2 weitere)"
            ),
        ),
        (
            "a.zip/b.txt: left out, the file is empty",
            "a.zip/b.txt: ausgelassen, die Datei ist leer",
        ),
        (
            "budget=0 leaves nothing; 1 is the least",
            "mit 0 Paaren bleibt nichts übrig; 1 ist das Mindeste",
        ),
        (
            "broken.xml, row 1: the XML is broken (Premature end); an XML editor shows where",
            "broken.xml, Zeile 1: das XML ist fehlerhaft (Premature end); ein XML-Editor zeigt, wo",
        ),
        (
            "the search ended unexpectedly; what it found is kept, and it can go on",
            (
                "die Suche endete unerwartet; was sie fand, ist bewahrt, "
                "und sie kann fortgesetzt werden"
            ),
        ),
    ],
)
def test_places_and_hints_are_translated_with_what_is_wrong(english, german):
    assert translate(english, "de") == german
    assert translate(english, "en") == english


@given(st.text(), st.sampled_from(OTHERS))
def test_whatever_was_said_is_told_somehow(text, language):
    assert isinstance(translate(text, language), str)
    told = translate(f"there is no method {text!r}; choose one of them", language)
    assert repr(text) in told


def test_a_message_that_quotes_a_whole_text_is_not_looked_up():
    long = "=" * 200_000 + " is no verdict"
    assert translate(long, "de") == long


@pytest.fixture(scope="module")
def evidence():
    query, source = load_example_query(), load_example_source()
    pairs = [(q, (7 * q + 13 * n) % len(source)) for q in range(len(query)) for n in range(6)]
    finder = EvidenceFinder(query, source)
    return finder.for_pairs([q for q, _ in pairs], [s for _, s in pairs])


def test_in_english_it_is_the_sentence_of_the_package(evidence):
    assert [explained(stored_explanation(one)) for one in evidence] == [
        one.sentence for one in evidence
    ]


@pytest.mark.parametrize("language", OTHERS)
def test_explanations_say_the_same_in_every_language(evidence, language):
    english = re.compile(r"\b(the|words?|stands?|named|source|query|shares)\b", re.IGNORECASE)
    for one in evidence:
        told = say_explanation(stored_explanation(one), language)
        ours = told.replace("source", "") if language == "fr" else told
        assert not english.search(ours)
        assert told.endswith(".")
        assert "{" not in told
        names = [word.lemma for word in one.shared][:6]
        if one.rival:
            names.append(one.rival.id)
        if one.formula:
            names.append(f"{one.formula.count:,}".replace(",", "\u202f"))
        assert all(name in told for name in names)


def test_one_is_not_many():
    one, two = (
        phrases_as_json([
            Phrase("places_word", {"lemmas": "uox", "count": count, "where": "",
                                   "pool": Phrase("pool", {"count": 1200})}),
            Phrase("named", {"authors": ["Cicero", "Virgil"][:count], "count": count}),
        ])
        for count in (1, 2)
    )  # fmt: skip
    assert say_explanation(one, "de") == (
        "uox steht in 1\u202f200 Segmenten an einer weiteren Stelle; Cicero wird genannt."
    )
    assert say_explanation(two, "de") == (
        "uox steht in 1\u202f200 Segmenten an 2 weiteren Stellen; Cicero, Virgil werden genannt."
    )


def test_braces_in_a_text_are_only_braces():
    stored = phrases_as_json([Phrase("source_author", {"author": "{author} {0} %s"})])
    assert say_explanation(stored, "de") == "{author} {0} %s ist der Autor der Quelle."


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_that_an_earlier_version_kept_is_shown_as_it_is(language):
    assert Messages(language).explained("Shares uox (1 word).") == "Shares uox (1 word)."
