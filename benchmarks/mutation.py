"""How many small mistakes in the code the tests notice.

    python benchmarks/mutation.py
    python benchmarks/mutation.py --only latin metrics --sample 30
    python benchmarks/mutation.py --minutes 10

A mutant is the code with one change: ``<`` for ``<=``, ``+`` for ``-``, ``and`` for ``or``, a
number plus one, a condition reversed, a value not returned. A sample is drawn from each room with
a fixed seed. For each mutant, tests that mirror its module run first, then those of its room; it is
killed if one fails, or if they take five times as long as before. Nothing in this checkout is
changed: the mutant is in a copy. Writes ``benchmarks/results/mutation.json`` with the survivors, of
which some mean the same as the code (a message without its row, a faster way not taken).
"""

from __future__ import annotations

import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from harness import parser, print_table, save_results

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parents[1]
PACKAGE = Path("src", "locisimiles")
ROOMS = {
    "latin": ("latin",),
    "metrics": ("benchmark/metrics",),
    "thresholds": ("classify/thresholds.py", "classify/calibration.py"),
    "selections": ("classify/selection.py",),
    "results": ("results",),
    "storage": ("app/storage",),
    "index": ("index",),
}
NEED_A_SERVER = {"postgres.py", "connections.py", "dialect.py"}
"""Modules whose tests are skipped where there is no PostgreSQL."""
SEED = 22
_PATIENCE, _LEAST_S = 5.0, 30.0
_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mutant:
    """A file with one expression replaced; lines and columns as Python counts them."""

    path: Path
    line: int
    old: str
    new: str
    span: tuple[int, int]  # in bytes


def mutants(path: Path) -> list[Mutant]:
    r"""Return all mutants of a file, in the order of its text.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.py")
    ...     _ = path.write_text("def f(a: int = 1) -> int:\n    return a < 2\n")
    ...     [(one.old, one.new) for one in mutants(path)]
    [('1', '2'), ('return a < 2', 'return None'), ('a < 2', 'a <= 2'), ('2', '3')]
    """
    source = path.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for node in _walk(ast.parse(source)):
        for new in _changes(node):
            begin = starts[node.lineno - 1] + node.col_offset
            end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            old = source[begin:end].decode()
            found.append(Mutant(path, node.lineno, old, ast.unparse(new), (begin, end)))
    return [one for one in found if one.old != one.new]


def _walk(node: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Return expressions and statements that run when the code is used; no types, no texts."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    if isinstance(node, ast.JoinedStr):
        return  # what is in it has no place of its own before Python 3.12
    if isinstance(node, ast.expr | ast.stmt):
        yield node
    skipped = {"annotation", "returns", "decorator_list", "keywords"} & set(node._fields)
    for name, value in ast.iter_fields(node):
        if name in skipped and not (name == "keywords" and isinstance(node, ast.Call)):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _walk(child)


def _changes(node: ast.expr | ast.stmt) -> Iterator[ast.AST]:
    """Return what may stand in the place of a node."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=right) if type(op) in _COMPARISONS:
            yield ast.Compare(left, [_COMPARISONS[type(op)]()], right)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            is_text = any(isinstance(side, ast.JoinedStr) for side in (left, right))
            if not is_text:
                yield ast.BinOp(left, _OPERATORS[type(op)](), right)
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield ast.IfExp(test, orelse, body)
        case _:
            yield from _simpler_changes(node)


def _simpler_changes(node: ast.expr | ast.stmt) -> Iterator[ast.AST]:
    match node:
        case ast.Constant(value=bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(value=int() | float() as value):
            yield ast.Constant(value + 1)
        case ast.Return(value=value) if value is not None and ast.unparse(value) != "None":
            yield ast.Return(ast.Constant(None))
        case ast.Continue():
            yield ast.Break()
        case ast.Break():
            yield ast.Continue()


def tests_of(path: Path) -> list[list[str]]:
    """Return the tests of a module, the nearest first: those of its own, then those of its room."""
    place = path.relative_to(ROOT / PACKAGE)
    own = ROOT / "tests" / place.parent / f"test_{place.name}"
    room = own.parent
    while not room.is_dir():
        room = room.parent
    rooms = [one for one in (own, room) if one.exists()]
    return [[str(one)] for one in rooms]


class Laboratory:
    """A copy of the package that one mutant at a time is put into."""

    def __init__(self, folder: Path) -> None:
        self._source = folder / "src"
        shutil.copytree(ROOT / "src", self._source, ignore=shutil.ignore_patterns("__pycache__"))
        self._usual: dict[tuple[str, ...], float] = {}

    def survives(self, mutant: Mutant) -> bool:
        """Tell whether no test notices a mutant."""
        copy = self._source / mutant.path.relative_to(ROOT / "src")
        code = mutant.path.read_bytes()
        begin, end = mutant.span
        stages = tests_of(mutant.path)
        for stage in stages:
            self._seconds(stage)  # of the code as it is, before it is changed
        try:
            is_statement = mutant.new.startswith(("return ", "break", "continue"))
            new = mutant.new if is_statement else f"({mutant.new})"
            copy.write_bytes(code[:begin] + new.encode() + code[end:])
            return all(self._pass(stage) for stage in stages)
        finally:
            copy.write_bytes(code)

    def _seconds(self, stage: Sequence[str]) -> float:
        """Return how long tests take; they must pass."""
        key = tuple(stage)
        if key not in self._usual:
            began = time.perf_counter()
            if self._run(stage, 600.0) != 0:
                sys.exit(f"{' '.join(stage)}: fails without a mutant")
            self._usual[key] = time.perf_counter() - began
        return self._usual[key]

    def _pass(self, stage: Sequence[str]) -> bool:
        try:
            return self._run(stage, _LEAST_S + _PATIENCE * self._seconds(stage)) == 0
        except subprocess.TimeoutExpired:
            return False

    def _run(self, stage: Sequence[str], most_s: float) -> int:
        command = [
            sys.executable,
            "-B",
            "-m",
            "pytest",
            "-x",
            "-q",
            "-p",
            "no:cacheprovider",
            *stage,
        ]
        environment = {
            **os.environ,
            "PYTHONPATH": str(self._source),
            "HYPOTHESIS_STORAGE_DIRECTORY": str(self._source.parent / "hypothesis"),
        }
        done = subprocess.run(
            command, cwd=ROOT, env=environment, timeout=most_s, check=False, capture_output=True
        )
        return done.returncode


def sample(names: Sequence[str], size: int, seed: int) -> list[tuple[str, Mutant]]:
    """Draw mutants of each room, the rooms in turn, so that any time is shared evenly."""
    drawn = {}
    for name in names:
        places = [ROOT / PACKAGE / place for place in ROOMS[name]]
        files = {file for place in places for file in (place, *place.rglob("*.py"))}
        files = {file for file in files if file.name not in NEED_A_SERVER}
        every = [one for file in sorted(files) if file.suffix for one in mutants(file)]
        drawn[name] = random.Random(f"{seed} {name}").sample(every, min(size, len(every)))
    return [(name, drawn[name][i]) for i in range(size) for name in names if i < len(drawn[name])]


def main() -> None:
    """Measure, print and save."""
    options = parser(__doc__ or "")
    options.add_argument("--only", nargs="+", choices=sorted(ROOMS), default=list(ROOMS))
    options.add_argument("--sample", type=int, default=40, help="mutants a room")
    options.add_argument("--seed", type=int, default=SEED)
    options.add_argument("--minutes", type=float, default=60.0, help="begin no mutant after them")
    given = options.parse_args()
    end = time.monotonic() + given.minutes * 60
    tried: dict[str, list[tuple[Mutant, bool]]] = {name: [] for name in given.only}
    with tempfile.TemporaryDirectory() as folder:
        laboratory = Laboratory(Path(folder))
        for name, mutant in sample(given.only, given.sample, given.seed):
            if time.monotonic() > end:
                break
            survives = laboratory.survives(mutant)
            tried[name].append((mutant, survives))
            if survives:
                place = mutant.path.relative_to(ROOT)
                print(f"{place}:{mutant.line}: {mutant.old!r} -> {mutant.new!r}", flush=True)
    rows = [_row(name, outcomes) for name, outcomes in tried.items() if outcomes]
    print_table([{key: value for key, value in row.items() if key != "survivors"} for row in rows])
    save_results("mutation", {"seed": given.seed, "rooms": rows})


def _row(name: str, outcomes: list[tuple[Mutant, bool]]) -> dict[str, object]:
    alive = [
        replace(one, path=one.path.relative_to(ROOT)) for one, survives in outcomes if survives
    ]
    return {
        "room": name,
        "mutants": len(outcomes),
        "killed": len(outcomes) - len(alive),
        "percent": round(100 * (1 - len(alive) / len(outcomes)), 1),
        "survivors": [f"{one.path}:{one.line}: {one.old} -> {one.new}" for one in alive],
    }


if __name__ == "__main__":
    main()
