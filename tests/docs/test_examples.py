"""The examples of README and docs run: Python, the command line, and the notebooks."""

from __future__ import annotations

import ast
import doctest
import json
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import typer
from typer.testing import CliRunner

import locisimiles
from locisimiles.cli import app
from support.documentation import PAGES, ROOT, Block, blocks_of, make_files

if TYPE_CHECKING:
    from collections.abc import Iterator

NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))
_SHELL = ("", "console", "sh")
# These need the internet, a cluster, hours, a model of your own, or wait for a browser: they are
# only parsed.
_ONLY_PARSED = re.compile(
    r"^(app|train|benchmark|library|demo|cache|project)\b|weights\.json|my-encoder|late/model"
    r"|model \S+/|--cluster "
)
_PLACEHOLDER = re.compile(r"[][|<>…]|\b[A-Z]{4,}\b")


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.fixture(autouse=True)
def folder_of_examples(tmp_path_factory: Any, monkeypatch: pytest.MonkeyPatch, files: Path) -> Path:
    """A folder with all files that examples read; a new one for each test."""
    import shutil

    place = tmp_path_factory.mktemp("examples") / "here"
    shutil.copytree(files, place)
    monkeypatch.chdir(place)


@pytest.fixture(autouse=True)
def _no_methods_of_examples() -> Iterator[None]:
    """Forget the methods that an example registered, for whatever runs next in this process."""
    from locisimiles.benchmark.runs.methods import method_names, unregister_method

    before = set(method_names())
    yield
    for name in set(method_names()) - before:
        unregister_method(name)


@pytest.fixture(scope="module")
def files(tmp_path_factory: Any) -> Path:
    place: Path = tmp_path_factory.mktemp("files")
    make_files(place)
    return place


def _python(page: Path) -> list[Block]:
    return [block for block in blocks_of(page) if block.kind == "python" and block.run]


# The page of the paper's package names its models, which ours replace with a warning.
@pytest.mark.filterwarnings("ignore:.*models of the Hub:UserWarning")
@pytest.mark.parametrize("page", [page for page in PAGES if _python(page)], ids=_name)
def test_python_runs(page: Path) -> None:
    names: dict[str, Any] = {name: getattr(locisimiles, name) for name in locisimiles.__all__}
    names["query"] = locisimiles.load_example_query()
    names["source"] = locisimiles.load_example_source()
    names["results"] = locisimiles.Pipeline("bm25").run(
        query=names["query"], source=names["source"]
    )
    ran = 0
    for block in _python(page):
        where = f"{_name(page)}:{block.line}"
        if ">>>" in block.code:
            test = doctest.DocTestParser().get_doctest(block.code, {}, where, where, block.line)
            runner = doctest.DocTestRunner(
                optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
            )
            assert runner.run(test).failed == 0, where
        else:
            _make_room(block.code)
            exec(compile(block.code, where, "exec"), names)
        ran += 1
    assert ran == len(_python(page)) > 0


def _commands(page: Path) -> Iterator[str]:
    for block in blocks_of(page):
        if block.kind in _SHELL and block.run:
            for line in re.sub(r"\\\n\s*", " ", block.code).splitlines():
                command = line.strip().removeprefix("$ ")
                if command.startswith("locisimiles ") and not _PLACEHOLDER.search(command):
                    yield command


@pytest.mark.parametrize("page", [page for page in PAGES if any(_commands(page))], ids=_name)
def test_commands_run(page: Path) -> None:
    for command in _commands(page):
        words = shlex.split(command, comments=True)[1:]
        if words[0] == "runs":  # what the app says: "locisimiles runs at …"
            continue
        if _ONLY_PARSED.search(" ".join(words)):
            _parse(words)
            continue
        _make_room(command)
        done = CliRunner().invoke(app, words, prog_name="locisimiles")
        assert done.exit_code == 0, f"{command}\n{done.output}\n{done.exception!r}"


def _parse(words: list[str]) -> None:
    """Check that a command exists and takes these arguments, without running it."""
    command: Any = typer.main.get_command(app)
    context: Any = command.make_context("locisimiles", [], resilient_parsing=True)
    while hasattr(command, "list_commands"):
        name, *words = words
        command = command.get_command(context, name)
        assert command is not None, f"there is no command {name!r}"
    command.make_context(command.name, words, parent=context)


def _make_room(code: str) -> None:
    """Remove what an example is about to write."""
    outputs = re.findall(r"-o (\S+)|write_results\(.*\"([^\"]+)\"", code)
    for name in {name for pair in outputs for name in pair if name}:
        for path in Path().glob(f"{name}*"):
            path.unlink()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run_and_show_what_they_store(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    names: dict[str, Any] = {}
    shown = [cell for cell in cells if cell["cell_type"] == "code"]
    assert len(shown) > 4
    for number, cell in enumerate(shown):
        value = _run("".join(cell["source"]), f"{path.name}[{number}]", names)
        stored = [
            "".join(output["data"]["text/plain"])
            for output in cell["outputs"]
            if output["output_type"] == "execute_result"
        ]
        assert (value is not None) == bool(stored)
        if stored and isinstance(value, int | str):
            assert repr(value) == stored[0]


def _run(code: str, where: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does, and return the value of its last expression."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, where, "exec"), names)
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), where, "eval"), names)
