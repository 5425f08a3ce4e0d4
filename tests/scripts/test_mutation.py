"""Small mistakes, and whether tests notice them."""

import sys

import pytest

import mutation
from mutation import Laboratory, Mutant, mutants

CODE = '''"""1 + 1"""
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    x = 1 < 2


def f(a: int = 0) -> bool:
    """Return 1 < 2."""
    for number in range(a):
        if not number and "ä" == "é":
            continue
    return a <= 2 and f"{a + 1}" in "12"
'''


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "code.py"
    path.write_text(CODE, encoding="utf-8")
    return path


def test_each_change_is_one_and_leaves_code_that_can_be_read(path):
    code, found = path.read_bytes(), mutants(path)
    changes = [(one.old, one.new) for one in found]
    assert ("a <= 2", "a < 2") in changes
    assert ("not number", "number") in changes
    assert ("continue", "break") in changes
    assert ("0", "1") in changes
    for one in found:
        begin, end = one.span
        assert code[begin:end].decode() == one.old
        assert CODE.splitlines()[one.line - 1].encode() in code
        compile(code[:begin] + one.new.encode() + code[end:], "code.py", "exec")


def test_texts_types_and_docstrings_stay(path):
    lines = {one.line for one in mutants(path)}
    assert not lines & {1, 5, 9}
    assert all(one.old != "a + 1" for one in mutants(path))


def test_a_sample_is_the_same_each_time():
    names = ["selections", "thresholds"]
    drawn = mutation.sample(names, 5, seed=1)
    assert drawn == mutation.sample(names, 5, seed=1)
    assert drawn != mutation.sample(names, 5, seed=2)
    assert [name for name, _ in drawn] == names * 5


def test_the_tests_of_a_module_come_before_those_of_its_room():
    own, room = mutation.tests_of(mutation.ROOT / "src/locisimiles/latin/tokens.py")
    assert own[0].endswith("tests/latin/test_tokens.py")
    assert room[0].endswith("tests/latin")


@pytest.fixture
def laboratory(tmp_path, monkeypatch):
    """Return a laboratory for a package of one function, with one test."""
    source = tmp_path / "checkout" / "src" / "small"
    source.mkdir(parents=True)
    (source / "__init__.py").write_text("def f(a):\n    return a < 2 or a == 7\n")
    test = tmp_path / "checkout" / "test_small.py"
    test.write_text(
        "from small import f\n\n\ndef test_it():\n    assert f(1)\n    assert not f(2)\n"
    )
    monkeypatch.setattr(mutation, "ROOT", tmp_path / "checkout")
    monkeypatch.setattr(mutation, "tests_of", lambda _: [[str(test)]])
    return Laboratory(tmp_path / "copy"), source / "__init__.py"


def test_a_mutant_survives_if_no_test_fails(laboratory):
    made, path = laboratory
    code = path.read_bytes()
    outcome = {(one.old, one.new): made.survives(one) for one in mutants(path)}
    assert outcome["a < 2", "a <= 2"] is False
    assert outcome["7", "8"] is True
    assert path.read_bytes() == code
    assert (made._source / "small" / "__init__.py").read_bytes() == code


def test_tests_that_fail_anyway_end_it(laboratory):
    made, path = laboratory
    (mutation.ROOT / "test_small.py").write_text("def test_it():\n    assert False\n")
    with pytest.raises(SystemExit, match="fails without a mutant"):
        made.survives(mutants(path)[0])


def test_a_mutant_that_never_ends_is_killed(laboratory, monkeypatch):
    made, path = laboratory
    monkeypatch.setattr(mutation, "_LEAST_S", 0.0)
    monkeypatch.setattr(mutation, "_PATIENCE", 1.5)
    begin = path.read_bytes().index(b"a < 2")
    endless = Mutant(path, 2, "a < 2", "[0 for _ in iter(int, 1)]", (begin, begin + 5))
    assert made.survives(endless) is False
    assert sys.modules.get("small") is None
