"""No user is sent to the other package of our name; what is missing has a command that works."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import locisimiles
from locisimiles import installation
from locisimiles.errors import MissingDependencyError
from locisimiles.installation import describe_program, install_command

ROOT = Path(__file__).parents[1]
MESSAGES = ROOT / "src/locisimiles/messages"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
HUGGINGFACE = "huggingface_hub"
# Where a missing library is met: the message, the module, the call, the library, and what the
# command installs: an extra if it begins with a plus, else a library.
MISSING = [
    ("app.needs_psycopg", "app.storage.connections", "", "psycopg", "+postgres"),
    ("app.needs_nicegui", "app.server", "serve(CONTEXT)", "nicegui", "+app"),
    ("jobs.needs_cluster", "jobs.cluster", "_library('dask')", "dask", "+cluster"),
    ("files.needs_pyarrow", "files.tables", "import_pyarrow()", "pyarrow", "+parquet"),
    ("latin.library_missing", "latin.lemmatizers", "_simplemma('')", "simplemma", "simplemma"),
    ("latin.library_missing", "latin.lemmatizers", "_latincy('')", "spacy", "spacy>=3.7"),
    ("latin.library_missing", "latin.lemmatizers", "_cltk('')", "cltk", "cltk<1.6"),
    ("latin.library_missing", "latin.lemmatizers", "_hub('x')", "transformers", "+hub"),
    ("learn.no_scikit_learn", "learn.lexical", "TREES", "sklearn", "scikit-learn"),
    ("models.library_missing", "models.loading", "require_torch()", "torch", "+hub"),
    ("models.core_library_missing", "models.onnx_model", "_library('x')", "x", "x"),
    ("models.hub_not_installed", "models.checkpoints", "_fetch('a', None)", HUGGINGFACE, "+hub"),
    ("models.gensim_missing", "models.vector_files", "PICKLE", "gensim", "gensim"),
    ("results.needs_library", "results.frames", "import_library('polars')", "polars", "polars"),
    ("train.not_installed", "train.vectors", "_gensim_models()", "gensim", "gensim"),
    ("train.not_installed", "train.late.graph", "require_onnx()", "onnx", "onnx"),
    ("benchmark.hub_not_installed", "benchmark.sets.hub", "FETCH", HUGGINGFACE, HUGGINGFACE),
]
CALLS = {
    "TREES": "LearnedLexical('gbdt')._grow(None, None, {})",
    "PICKLE": "_read_pickle(None, trust=True)",
    "FETCH": "_download('a', None)",
}


def committed_texts():
    kinds = (".md", ".py", ".json", ".toml", ".ipynb", "Makefile")
    for folder in ("src", "docs", "tools", "."):
        found = (ROOT / folder).rglob("*") if folder != "." else ROOT.glob("*")
        yield from (path for path in found if path.is_file() and path.name.endswith(kinds))


def test_nothing_tells_users_to_install_the_package_of_our_name_from_the_index():
    wrong = re.compile(r"pip install (?:[-\w]+ )*[\"']?locisimiles(?![\w/])(?!==)")
    about_both = {"README.md", "installing.md", "coming-from-the-paper.md", "installation.py"}
    for path in committed_texts():
        if path.name not in about_both:
            assert not wrong.search(path.read_text(encoding="utf-8")), path


def test_no_message_has_a_command_of_its_own():
    for path in MESSAGES.rglob("*.json"):
        assert "pip install" not in path.read_text(encoding="utf-8"), path


def test_the_version_is_not_one_of_the_index():
    assert locisimiles.__version__ == installation.VERSION
    assert PROJECT["version"].endswith("+workbench")
    assert describe_program().startswith(f"locisimiles {locisimiles.__version__}\n")


@pytest.mark.parametrize("extra", sorted(EXTRAS))
def test_the_command_of_an_extra_installs_what_the_extra_names(extra, monkeypatch):
    # What hatchling writes into the metadata; an environment may hold that of an earlier version.
    listed = [f"{need}; extra == '{name}'" for name in EXTRAS for need in EXTRAS[name]]
    monkeypatch.setattr(installation, "requires", lambda _: PROJECT["dependencies"] + listed)
    words = shlex.split(install_command(extra=extra))
    assert words[words.index("install") + 1 :] == EXTRAS[extra]


def test_a_library_is_installed_in_the_version_that_we_need():
    core = next(need for need in PROJECT["dependencies"] if need.startswith("tokenizers"))
    assert shlex.split(install_command(library="tokenizers"))[-1] == core
    assert shlex.split(install_command(library="cltk"))[-1] == "cltk"


def test_pip_is_that_of_the_running_environment(monkeypatch, tmp_path):
    other = tmp_path / "pip"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shlex.split(install_command(extra="app"))[:3] == [sys.executable, "-m", "pip"]
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent) + os.pathsep + str(tmp_path))
    assert install_command(extra="app").startswith(("pip ", shlex.quote(sys.executable)))


@pytest.mark.parametrize(("code", "module", "call", "library", "wanted"), MISSING)
def test_an_error_about_a_missing_library_has_the_command(code, module, call, library, wanted):
    call = CALLS.get(call, call)
    program = f"""
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from locisimiles.errors import LocisimilesError
sys.modules[{library!r}] = None
CONTEXT = SimpleNamespace(tokens=None, folder=Path("."))
try:
    exec({call!r}, globals() | vars(import_module("locisimiles.{module}")))
except LocisimilesError as error:
    print(error.message.code)
    for language in ("en", "de", "it", "fr"):
        print(error.text(language))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    first, *lines = done.stdout.splitlines()
    assert (first, len(lines)) == (code, 4)
    extra, library = (wanted[1:], "") if wanted.startswith("+") else ("", wanted)
    assert all(install_command(extra=extra, library=library) in line for line in lines)


def test_every_error_about_a_missing_library_is_tried():
    with_command = {
        f"{path.stem}.{name}"
        for path in (MESSAGES / "en").glob("*.json")
        for name, text in json.loads(path.read_text(encoding="utf-8")).items()
        if "{install}" in str(text)
    }
    assert with_command == {code for code, *_ in MISSING}


def test_the_command_can_be_read_by_a_shell():
    line = MissingDependencyError("app.needs_nicegui", install=install_command(extra="app")).text()
    command = line.rpartition("install it with ")[2]
    echoed = subprocess.run(
        ["sh", "-c", f"printf '%s\\n' {command.partition(' install ')[2]}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "nicegui>=3." in echoed.stdout


def test_source_on_the_path_runs_without_being_installed():
    # As on a machine for training, where nothing can be installed.
    program = """
import importlib.metadata as metadata

def missing(name):
    raise metadata.PackageNotFoundError(name)

metadata.version = metadata.requires = missing
from locisimiles.installation import VERSION, install_command
print(VERSION, install_command(library="torch").split()[-1])
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["0+not.installed", "torch"]
