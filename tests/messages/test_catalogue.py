"""Every message that the code names has a template with the same places, and none is left over."""

import ast
import json
import re
from collections import defaultdict
from pathlib import Path

import pytest

from locisimiles import errors
from locisimiles.messages import LANGUAGES, Message

SOURCE = Path(errors.__file__).parent
FOLDER = SOURCE / "messages"
# What only researchers at a terminal meet is said in English.
ENGLISH_ONLY = {"benchmark", "learn", "train", "cli"}
NO_PLACES = {"file", "row"}  # of an InputError: said before the sentence
# Rooms whose errors are still sentences; this list only shrinks.
PENDING = {
    "app", "cli/app.py",
}  # fmt: skip


def templates(language):
    return {
        f"{path.stem}.{name}": " ".join(template) if isinstance(template, list) else template
        for path in sorted((FOLDER / language).glob("*.json"))
        for name, template in json.loads(path.read_text(encoding="utf-8")).items()
    }


ENGLISH = templates("en")


def places(template):
    return set(re.findall(r"\{(\w+)\}", template))


def is_call_of_a_report(node):
    """Tell whether a call notes something in a `ReadReport`, such as ``report.skip(…)``."""
    function = node.func
    return (
        isinstance(function, ast.Attribute)
        and function.attr in ("note", "skip")
        and ast.unparse(function.value).lower().endswith("report")
    )


def raised():
    """Yield the calls that make messages: where, the code, and the names of its values."""
    makers = {*errors.__all__, "Message"}
    for path in SOURCE.rglob("*.py"):
        name = path.relative_to(SOURCE).as_posix()
        room = name.partition("/")[0]
        if {name, room} & PENDING or room in ("errors.py", "messages"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            where = f"{path.relative_to(SOURCE)}:{node.lineno}"
            names = {keyword.arg for keyword in node.keywords}
            if is_call_of_a_report(node):
                code = node.args[1 if node.func.attr == "note" else 2]
            elif getattr(node.func, "id", None) in makers:
                code = node.args[0] if node.args else None
                names -= NO_PLACES
            else:
                continue
            if isinstance(code, ast.Name) and code.id == "code":
                continue  # a function that passes on the code it was given
            if getattr(node.func, "id", None) == "Message" and len(node.args) > 1:
                assert isinstance(node.args[1], ast.Dict), f"{where}: values must be a literal"
                names = {key.value for key in node.args[1].keys}
            for one in codes_of(code):
                assert isinstance(one, ast.Constant), f"{where}: no plain code"
                yield where, one.value, names


def codes_of(node):
    """Return the codes of a call: one, or two of which a condition chooses."""
    return [node.body, node.orelse] if isinstance(node, ast.IfExp) else [node]


def test_the_codes_of_reports_are_found():
    found = {code for _, code, _ in raised()}
    assert {"corpus.read_as_cp1252", "corpus.empty_text", "corpus.second_edition"} <= found


def test_every_code_has_an_english_template_with_its_values():
    for where, code, names in raised():
        assert code in ENGLISH, f"{where}: {code} has no template"
        shown = places(ENGLISH[code])
        assert shown <= names, f"{where}: {code} lacks values"
        counted = {"count"} if f"{code}_one" in ENGLISH else set()  # it may only choose a template
        assert names <= shown | counted, f"{where}: {code} has values that are not shown"


def test_every_template_is_used():
    if PENDING:
        pytest.skip("some rooms still say sentences")
    used = {code for _, code, _ in raised()}
    unused = {code for code in ENGLISH if code.removesuffix("_one") not in used}
    assert {code for code in unused if not code.startswith("messages.")} == set()


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_translations_have_the_same_places(language):
    for code, template in templates(language).items():
        assert code.removesuffix("_one") in ENGLISH, f"{language}: {code} is translated, not said"
        english = ENGLISH.get(code) or ENGLISH[code.removesuffix("_one")]
        assert places(template) <= places(english) | {"count"}, f"{language}: {code}"


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_what_users_of_the_app_meet_is_translated(language):
    missing = defaultdict(list)
    for code in ENGLISH:
        room, _, name = code.partition(".")
        if room not in ENGLISH_ONLY and code not in templates(language):
            missing[room].append(name)
    assert not missing


def test_a_message_survives_a_file():
    message = Message(
        "checks.too_small", {"name": Message("messages.row", {"row": "3"}), "value": ["a", "b"]}
    )
    again = Message.from_json(json.loads(json.dumps(message.as_json())))
    assert again == message
    assert again.text() == "row 3 must be at least {least} (got a, b)"


def test_an_unknown_code_is_said_as_it_is():
    assert Message("nothing.of_the_kind", {"count": 1}).text("de") == "nothing.of_the_kind"


def test_long_lists_are_cut_short_in_every_language():
    message = Message("messages.row", {"row": list("abcdefgh")})
    assert message.text() == "row a, b, c, d, e, f and 2 more"
    assert message.text("de") == "Zeile a, b, c, d, e, f und 2 weitere"
