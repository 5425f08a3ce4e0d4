"""Small mistakes, and whether tests notice them."""

import dis
import json
import subprocess
import sys
from pathlib import Path

import pytest

import mutation
from mutants import mutants

CODE = '''"""1 + 1"""
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    x = 1 < 2


def f(a: int = 0) -> bool:
    """Return 1 < 2."""
    for number in range(a):
        if not number and "ä" == "é":
            continue
    if a:
        print(a)
    return a <= 2 and f"{a + 1}" in "12"
'''
SQL = (
    'HOW = "SELECT x FROM y WHERE x <= 1 AND z IS NOT NULL ORDER BY x DESC"\nSAY = "a < b AND c"\n'
)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "code.py"
    path.write_text(CODE, encoding="utf-8")
    return path


def test_each_mutant_is_one_change_of_its_line(path):
    found = mutants(path)
    changes = [(one.old, one.new) for one in found]
    assert ("a <= 2", "a < 2") in changes
    assert ("not number", "number") in changes
    assert ("continue", "break") in changes
    assert ("print(a)", "pass") in changes
    assert ("if a", "if not a") in changes
    assert ("a + 1", "a - 1") in changes
    assert ("0", "1") in changes
    usual = compile(CODE, str(path), "exec")
    for one in found:
        assert _all_code(one.code()) != _all_code(usual)
        assert one.lines[0] <= one.line <= one.lines[1]
        compile(one.source(), "code.py", "exec")


def _all_code(code):
    return dis.Bytecode(code).dis(), [
        _all_code(one) for one in code.co_consts if hasattr(one, "co_code")
    ]


def test_types_and_docstrings_stay(path):
    assert not {one.line for one in mutants(path)} & {1, 5, 9}


def test_what_runs_when_a_file_is_imported_is_marked(path):
    marks = {(one.old, one.in_function) for one in mutants(path)}
    assert ("0", False) in marks
    assert ("a <= 2", True) in marks


def test_conditions_and_orders_of_sql_are_changed(path):
    path.write_text(SQL)
    texts = [one.source().splitlines()[0] for one in mutants(path) if one.line == 1]
    assert len(texts) == 4
    assert any("x < 1 AND" in text for text in texts)
    assert any("x <= 1 OR" in text for text in texts)
    assert any("z IS NULL" in text for text in texts)
    assert any("x ASC" in text for text in texts)


def test_a_sample_is_the_same_each_time():
    drawn, there_are = mutation.sample("selections", 5, seed=1)
    assert len(drawn) == 5 < there_are
    assert (drawn, there_are) == mutation.sample("selections", 5, seed=1)
    assert drawn != mutation.sample("selections", 5, seed=2)[0]
    assert len(mutation.sample("selections", 10**6, seed=1)[0]) == there_are


def test_rooms_have_tests_and_files():
    for room in mutation.ROOMS:
        assert mutation.files_of(room)
        assert all(Path(test).exists() for test in mutation.suite_of(room))


SMALL = """LIMIT = 2
KEPT = {}


def f(a):
    if a not in KEPT:
        KEPT[a] = a < LIMIT or a == 7
    return KEPT[a]


def g():
    while len(KEPT) > 99:
        KEPT.clear()
    return True
"""
TESTS = """import small
import pytest


@pytest.fixture(scope="module")
def kept():
    return small.f(1)


def test_first(kept):
    assert kept


def test_it(kept):
    assert not small.f(2)
    assert small.g()
"""
RUN = """import sys
from pathlib import Path
from mutants import mutants
from mutation_runs import Room, survivors

root = Path(sys.argv[1])
sys.path.insert(0, str(root / "src"))
file = root / "src" / "small.py"
chosen = mutants(file)
room = Room([str(root / "test_small.py")], [file], root / "work", root)
alive, _ = survivors(room, chosen, print)
print(len(chosen), "tried")
"""


def _survivors(tmp_path, tests=TESTS):
    (tmp_path / "src").mkdir()
    (tmp_path / "work").mkdir()
    (tmp_path / "src" / "small.py").write_text(SMALL)
    (tmp_path / "test_small.py").write_text(tests)
    options = "[pytest]\nmarkers =\n    slow: s\n    train: t\n"
    (tmp_path / "pytest.ini").write_text(options)
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(mutation.ROOT / "benchmarks")}
    return subprocess.run(
        [sys.executable, "-c", RUN, str(tmp_path)],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_a_mutant_survives_if_no_test_fails(tmp_path):
    done = _survivors(tmp_path)
    *alive, tried = done.stdout.splitlines()
    assert tried == "13 tried", done.stderr
    assert sorted(alive) == [
        "src/small.py:12: 99 -> 100",
        "src/small.py:12: len(KEPT) > 99 -> len(KEPT) >= 99",
        "src/small.py:13: KEPT.clear() -> pass",
        "src/small.py:7: 7 -> 8",
    ]
    assert (tmp_path / "src" / "small.py").read_text() == SMALL


@pytest.mark.slow
def test_tests_that_fail_anyway_end_it(tmp_path):
    done = _survivors(tmp_path, "def test_it():\n    assert False\n")
    assert done.returncode
    assert "fail without a mutant" in done.stderr


def test_unions_of_types_stay(path):
    path.write_text("Cell = str | int\nBITS = 1 | 2\nFLAGS = a | b\n")
    assert {one.line for one in mutants(path)} == {2, 3}


def test_reasons_are_given_for_mutants_that_exist():
    """Whoever changes a line takes its reason out, or judges it anew."""
    reasons = json.loads(mutation.EQUIVALENT.read_text(encoding="utf-8"))
    keys = {
        mutation.key_of(one)
        for room in mutation.ROOMS
        for file in mutation.files_of(room)
        for one in mutants(file)
    }
    assert set(reasons) <= keys
    assert all(reasons.values())


def test_a_row_counts_equivalent_mutants_as_survivors():
    chosen, there_are = mutation.sample("metrics", 10, 1)
    row = mutation.row("metrics", chosen, there_are, chosen[:2])
    assert (row["tried"], row["killed"], row["percent"]) == (10, 8, 80.0)
    names = [mutation.name_of(one) for one in chosen[:2]]
    assert [*row["survivors"], *row["equivalent_survivors"]] == names
