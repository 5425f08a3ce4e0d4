"""Every message that the code names has a template with the same places, and none is left over."""

import ast
import json
import re
from collections import defaultdict
from pathlib import Path

import pytest

from locisimiles import errors
from locisimiles.corpus.library import Catalogue
from locisimiles.corpus.library.sigla import author_names as all_names
from locisimiles.messages import LANGUAGES, Message, author_names, choose_language
from locisimiles.retrieve.methods import METHODS

SOURCE = Path(errors.__file__).parent
FOLDER = SOURCE / "messages"
# What only researchers at a terminal meet is said in English.
ENGLISH_ONLY = {"benchmark", "compat", "learn", "train", "cli"}
NO_PLACES = {"file", "row"}  # of an InputError: said before the sentence
# Templates by names that the code puts together; tests below, and of the app, know the names.
BY_NAME = {"methods", "progress", "ui"}


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


def code_and_values(node):
    """Return the code of a call that makes a message, and the names of its values, or None."""
    names = {keyword.arg for keyword in node.keywords}
    if is_call_of_a_report(node):
        return node.args[1 if node.func.attr == "note" else 2], names
    maker = getattr(node.func, "id", None)
    if maker not in {*errors.__all__, "Message"} or not node.args:
        return None
    code = node.args[0]
    if isinstance(code, ast.Name) and code.id == "code":
        return None  # a function that passes on the code it was given
    if isinstance(code, ast.JoinedStr) and code.values[0].value.partition(".")[0] in BY_NAME:
        return None
    if maker == "Message" and len(node.args) > 1:
        assert isinstance(node.args[1], ast.Dict), f"{ast.unparse(node)}: values must be a literal"
        return code, {key.value for key in node.args[1].keys}
    return code, names - NO_PLACES


def raised():
    """Yield the calls that make messages: where, the code, and the names of its values."""
    for path in SOURCE.rglob("*.py"):
        name = path.relative_to(SOURCE).as_posix()
        room = name.partition("/")[0]
        if room in ("errors.py", "messages"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            made = code_and_values(node) if isinstance(node, ast.Call) else None
            for one in codes_of(made[0]) if made else ():
                where = f"{path.relative_to(SOURCE)}:{node.lineno}"
                assert isinstance(one, ast.Constant), f"{where}: no plain code"
                yield where, one.value, made[1]


def literals():
    """Return all strings in the code; a table may name codes that a function passes on."""
    return {
        node.value
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def reported_tasks():
    """Return the tasks that long work reports, as patterns; what only researchers see is left."""
    for path in SOURCE.rglob("*.py"):
        if path.relative_to(SOURCE).parts[0] in ENGLISH_ONLY:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            task = task_of(node) if isinstance(node, ast.Call) else None
            parts = task.values if isinstance(task, ast.JoinedStr) else [task]
            if any(isinstance(part, ast.Constant) for part in parts):  # else the name of a file
                yield "".join(
                    re.escape(part.value) if isinstance(part, ast.Constant) else ".+"
                    for part in parts
                )


def task_of(call):
    """Return the task of ``progress(task, …)`` or ``partial(progress, task)``, or None."""
    names = [ast.unparse(part).rpartition(".")[2] for part in (call.func, *call.args[:1])]
    if names[0] in ("progress", "_report"):
        return call.args[0]
    return call.args[1] if names == ["partial", "progress"] else None


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
    used = {code for _, code, _ in raised()} | literals()
    unused = {code for code in ENGLISH if code.removesuffix("_one") not in used}
    assert {code for code in unused if code.partition(".")[0] not in BY_NAME} == set()


def test_every_task_has_a_template_and_none_is_left_over():
    known = {code.partition(".")[2].replace("_", " ") for code in ENGLISH if "progress." in code}
    patterns = set(reported_tasks())
    assert len(patterns) > 8
    assert all(any(re.fullmatch(pattern, task) for task in known) for pattern in patterns)
    assert all(any(re.fullmatch(pattern, task) for pattern in patterns) for task in known)


def test_every_method_has_a_description():
    assert {f"methods.{name}" for name in METHODS} == {
        code for code in ENGLISH if code.startswith("methods.")
    }


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_translations_have_the_same_places(language):
    for code, template in templates(language).items():
        assert code.removesuffix("_one") in ENGLISH, f"{language}: {code} is translated, not said"
        english = ENGLISH.get(code) or ENGLISH[code.removesuffix("_one")]
        assert places(template) <= places(english) | {"count"}, f"{language}: {code}"


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_messages_of_the_app_are_translated(language):
    missing = defaultdict(list)
    for code in ENGLISH:
        room, _, name = code.partition(".")
        if room not in ENGLISH_ONLY and code not in templates(language):
            missing[room].append(name)
    assert not missing


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_error_is_said_in_the_app_without_commands(language):
    for code in ENGLISH:
        if code.partition(".")[0] in ENGLISH_ONLY or code.endswith("_one"):
            continue
        said = Message(code).text(language, commands=False)
        assert not re.search(r"(^|[^\w])--[a-z]|\{install\}|locisimiles (train|library)", said), (
            code
        )
        # A sentence may only vanish where it is nothing but advice within another one.
        assert said or code == "corpus.see_all_names", code


def test_advice_without_commands_stays():
    interrupted = Message("corpus.download_interrupted", {"address": "A", "reason": "B"})
    shown = "A could not be downloaded (B); try again later, received data are kept"
    assert interrupted.text(commands=False) == shown
    similar = Message("corpus.similar_names", {"names": "vergil"})
    assert similar.text(commands=False) == "did you mean vergil?"
    assert "--from" in interrupted.text()


def test_decimals_are_written_as_in_the_language():
    message = Message("checks.too_small", {"name": "x", "least": 0.5, "value": 0.25})
    assert "0.5" in message.text()
    assert "0,5" in message.text("fr")


def test_a_message_survives_a_file():
    message = Message(
        "checks.too_small", {"name": Message("messages.row", {"row": "3"}), "value": ["a", "b"]}
    )
    again = Message.from_json(json.loads(json.dumps(message.as_json())))
    assert again == message
    assert again.text() == "row 3 must be at least {least} (got a, b)"


def test_an_unknown_code_is_shown_as_it_is():
    assert Message("nothing.of_the_kind", {"count": 1}).text("de") == "nothing.of_the_kind"


def test_long_lists_are_cut_short_in_every_language():
    message = Message("messages.row", {"row": list("abcdefgh")})
    assert message.text() == "row a, b, c, d, e, f and 2 more"
    assert message.text("de") == "Zeile a, b, c, d, e, f und 2 weitere"


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("de-AT,de;q=0.9", "de"), ("", "en"), ("ja, it;q=0.5", "it"), (";;;,,", "en")],
)
def test_the_best_language_is_the_first_we_have(accepted, language):
    assert choose_language(accepted) == language


def test_authors_have_names_in_all_languages():
    table = json.loads((FOLDER / "authors.json").read_text(encoding="utf-8"))
    assert author_names("en") == {}
    cited = {work.author for work in Catalogue.shipped().works.values() if all_names(work.author)}
    assert cited <= {*table}
    for author, names in table.items():
        assert set(names) <= set(LANGUAGES) - {"en"}
        assert author in all_names(author)
        assert author not in names.values(), f"{author}: a name that is the same needs no entry"


def test_names_of_authors_in_messages_are_translated():
    named = Message("evidence.named", {"authors": ["Virgil", "Petrarca"], "count": 2})
    assert named.text() == "Virgil, Petrarca are named"
    assert "Vergil, Petrarca" in named.text("de")
