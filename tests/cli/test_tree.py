"""All commands: their help, and one meaning for each option."""

import re
import shlex
from collections import defaultdict

import pytest
import typer

from locisimiles.cli import app

_EXAMPLE = re.compile(r"^- `(locisimiles [^`]+)`", re.MULTILINE)
_SHORT = {"-k": "--top", "-o": "--output", "-h": "--help"}
# Options whose help says what the one thing is in each command.
SAME = {
    "--batch-size": "how many examples a step of training takes",
    "--classifier": "the classifier",
    "--dry-run": "say what would be done",
    "--epochs": "passes over what is learnt from",
    "--explain": "say why each pair may be a reference",
    "--fewest": "the minimum number of occurrences",
    "--fold": "these folds",
    "--jobs": "the number of processes",
    "--json": "JSON in place of tables",
    "--layers": "the number of layers",
    "--learning-rate": "the learning rate",
    "--max-length": "the maximum length of a text or pair, in tokens",
    "--method": "the search method",
    "--model": "the encoder",
    "--output": "what to write",
    "--overwrite": "replace what is there",
    "--query": "the later texts",
    "--revision": "a commit, tag or branch on the Hub",
    "--runs": "the folder that 'benchmark run' wrote",
    "--seed": "the seed of random draws",
    "--sentences": "the number of sentences",
    "--source": "the earlier texts",
    "--steps": "the number of steps of training",
    "--top": "how many candidates of each segment count",
}


def walk(command, *path):
    for name, one in command.commands.items():
        if hasattr(one, "commands"):
            yield from walk(one, *path, name)
        else:
            yield " ".join((*path, name)), one


ROOT = typer.main.get_command(app)
COMMANDS = dict(walk(ROOT))


def options(command):
    return [one for one in command.params if one.param_type_name == "option"]


def long_name(option):
    return next((name for name in option.opts if name.startswith("--")), "")


def examples(command):
    return _EXAMPLE.findall(command.help or "")


def test_the_tree_has_all_commands():
    assert len(COMMANDS) >= 50
    assert {"search", "library add", "job run", "train all"} <= set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_an_example_of_itself(name):
    command = COMMANDS[name]
    assert (command.help or "").strip()
    assert examples(command)
    assert any(f"{example} ".startswith(f"locisimiles {name} ") for example in examples(command))
    assert all(one.help for one in command.params if one.name != "help")


@pytest.mark.parametrize(
    ("name", "example"), [(name, one) for name, of in COMMANDS.items() for one in examples(of)]
)
def test_every_example_in_a_help_text_is_understood(name, example):
    del name
    _, *words = shlex.split(example.partition(" | ")[0].partition(" > ")[0])
    command, path = ROOT, []
    while hasattr(command, "commands"):
        path.append(words.pop(0))
        command = command.commands[path[-1]]
    context = command.make_context(" ".join(path), words, resilient_parsing=False)
    assert context.params


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_a_long_form(name):
    for option in options(COMMANDS[name]):
        assert long_name(option), option.opts
        for short in option.opts:
            if not short.startswith("--"):
                assert _SHORT[short] == long_name(option)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_be_quiet(name):
    assert "--quiet" in {long_name(option) for option in options(COMMANDS[name])}


def test_an_option_means_one_thing_in_all_commands():
    helps, kinds = defaultdict(set), defaultdict(set)
    for command in COMMANDS.values():
        for option in options(command):
            helps[long_name(option)].add(option.help)
            kinds[long_name(option)].add((bool(option.is_flag), bool(option.multiple)))
    several = {name for name, texts in helps.items() if len(texts) > 1}
    assert several == set(SAME)
    flags = {name for name, of in kinds.items() if len({is_flag for is_flag, _ in of}) > 1}
    assert flags == set()


@pytest.mark.parametrize("name", ["library list", "library search", "library info", "methods",
                                  "cache info", "index info", "job status", "project list",
                                  "benchmark stats", "explain"])  # fmt: skip
def test_commands_that_print_facts_print_json_for_programs(name):
    assert "--json" in {long_name(option) for option in options(COMMANDS[name])}


def test_shells_can_complete_commands():
    assert {"--install-completion", "--show-completion"} <= {
        long_name(option) for option in options(ROOT)
    }


def test_quiet_commands_write_results_only(program, tmp_path, monkeypatch):
    monkeypatch.setenv("LOCISIMILES_CACHE", str(tmp_path))
    assert program("cache", "info").err
    done = program("cache", "info", "--quiet")
    assert (done.code, done.err) == (0, "")
    assert done.out
    assert program("cache", "info").err  # and the next run is not quiet
    assert program("segment", tmp_path / "no.txt", "--quiet").err.startswith("error: ")
