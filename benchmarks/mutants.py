"""Small mistakes put into code: which there are, and the code with one of them.

A mutant is a file with one change: ``<`` for ``<=``, ``+`` for ``-``, ``and`` for ``or``, a number
plus one, a condition reversed, a value not returned, a statement left out, and in SQL ``AND`` for
``OR``, ``<`` for ``<=``, ``IS NULL`` for ``IS NOT NULL`` and the like. Types (also their names),
decorators, docstrings and the wording of messages stay.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import CodeType

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
_IS_SQL = re.compile(r"\b(SELECT|WHERE|FROM|ORDER BY|UPDATE|INSERT|DELETE|JOIN|AND|OR|NULL|DESC)\b")
_SQL = {
    " AND ": " OR ", " OR ": " AND ", " <= ": " < ", " >= ": " > ", " < ": " <= ", " > ": " >= ",
    "IS NOT NULL": "IS NULL", "IS NULL": "IS NOT NULL", " DESC": " ASC", " + ": " - ",
    " - ": " + ", "min(": "max(", "max(": "min(", "LEFT JOIN": "JOIN", "UNION ALL": "UNION",
    "DISTINCT ": "", "NOT IN": "IN", "NOT EXISTS": "EXISTS", " <> ": " = ",
}  # fmt: skip
_TYPES = {"str", "int", "float", "bool", "bytes", "tuple", "list", "dict", "Literal"}
_ANY_SQL = re.compile("|".join(re.escape(old) for old in sorted(_SQL, key=len, reverse=True)))


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change in a file: the ``change``-th that may be made at a place of its tree."""

    path: Path
    place: int
    change: int
    lines: tuple[int, int]
    """First and last line of the statement, without what is nested in it."""
    line: int
    old: str
    new: str
    in_function: bool
    """Whether it runs when a function is called, not when the file is imported."""

    def code(self) -> CodeType:
        """Return the compiled file with this change; all lines keep their numbers."""
        return compile(self._tree(), str(self.path), "exec", dont_inherit=True)

    def source(self) -> str:
        """Return the file with this change, as text."""
        return ast.unparse(self._tree())

    def _tree(self) -> ast.Module:
        tree = ast.parse(self.path.read_bytes())
        for number, place in enumerate(_places(tree)):
            if number == self.place:
                place.put(list(_changes(place.node))[self.change])
                break
        return ast.fix_missing_locations(tree)

    def __str__(self) -> str:
        return f"{self.line}: {self.old} -> {self.new}"


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a node of a tree stands, and how another is put there."""

    node: ast.AST
    put: Callable[[ast.AST], None]
    lines: tuple[int, int]
    in_function: bool


def mutants(path: Path) -> list[Mutant]:
    r"""Return all mutants of a file, in the order of its text.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "a.py")
    ...     _ = path.write_text("def f(a: int = 1) -> int:\n    g()\n    return a < 2\n")
    ...     [(one.old, one.new) for one in mutants(path)]
    [('1', '2'), ('g()', 'pass'), ('return a < 2', 'return None'), ('a < 2', 'a <= 2'), ('2', '3')]
    """
    found = []
    for number, place in enumerate(_places(ast.parse(path.read_bytes()))):
        for change, new in enumerate(_changes(place.node)):
            line = getattr(place.node, "lineno", place.lines[0])
            shown = _shown(_head(place.node), _head(new))
            found.append(Mutant(path, number, change, place.lines, line, *shown, place.in_function))
    return found


def _head(node: ast.AST) -> str:
    """Return code, of a condition without what depends on it."""
    if isinstance(node, ast.If):
        return f"if {ast.unparse(node.test)}"
    return ast.unparse(ast.fix_missing_locations(node))


def _shown(old: str, new: str, most: int = 60) -> tuple[str, str]:
    """Return two texts without what both begin and end with, if they are long."""
    if len(old) <= most:
        return old, new
    begin = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), 0)
    begin = max(0, begin - 25)
    return old[begin:][:most], new[begin:][:most]


def _places(tree: ast.Module) -> Iterator[_Place]:
    yield from _below(tree, (1, 1), in_function=False)


def _below(node: ast.AST, lines: tuple[int, int], *, in_function: bool) -> Iterator[_Place]:
    """Return what runs below a node: no types, no decorators, no docstrings."""
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "type_params"}:
            continue
        inside = in_function or (name == "body" and isinstance(node, ast.FunctionDef | ast.Lambda))
        listed = value if isinstance(value, list) else [value]
        for i, child in enumerate(listed):
            if not isinstance(child, ast.AST) or _is_left_alone(child):
                continue
            here = _lines(child) if isinstance(child, ast.stmt) else lines
            put = _putting(node, name, i if isinstance(value, list) else None)
            yield _Place(child, put, here, inside)
            yield from _below(child, here, in_function=inside)


def _is_left_alone(node: ast.AST) -> bool:
    if isinstance(node, ast.If):
        return ast.unparse(node.test) == "TYPE_CHECKING"
    if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp | ast.Subscript):
        # `Cell = str | int`: no program with another operator could be imported.
        names = [one for one in ast.walk(node.value) if isinstance(one, ast.Name)]
        operators = [one.op for one in ast.walk(node.value) if isinstance(one, ast.BinOp)]
        is_union = all(isinstance(one, ast.BitOr) for one in operators)
        return is_union and bool(names) and all(one.id in _TYPES for one in names)
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _lines(statement: ast.stmt) -> tuple[int, int]:
    """Return the lines of a statement, up to the body if it has one."""
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno
    return statement.lineno, max(statement.lineno, last or 0)


def _putting(node: ast.AST, name: str, i: int | None) -> Callable[[ast.AST], None]:
    def put(new: ast.AST) -> None:
        old = getattr(node, name) if i is None else getattr(node, name)[i]
        ast.copy_location(new, old)
        if i is None:
            setattr(node, name, new)
        else:
            getattr(node, name)[i] = new

    return put


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    """Return what may stand in the place of a node."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=right) if type(op) in _COMPARISONS:
            yield ast.Compare(left, [_COMPARISONS[type(op)]()], right)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            if not any(_is_text(side) for side in (left, right)):
                yield ast.BinOp(left, _OPERATORS[type(op)](), right)
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.Constant():
            yield from _other_constants(node)
        case ast.stmt():
            yield from _other_statements(node)


def _is_text(node: ast.expr) -> bool:
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return is_text or isinstance(node, ast.JoinedStr)


def _other_constants(node: ast.Constant) -> Iterator[ast.AST]:
    match node.value:
        case bool() as value:
            yield ast.Constant(not value)
        case int() | float() as value:
            yield ast.Constant(value + 1)
        case str() as text if _IS_SQL.search(text):
            for found in _ANY_SQL.finditer(text):
                new = _SQL[found.group()]
                yield ast.Constant(text[: found.start()] + new + text[found.end() :])


def _other_statements(node: ast.stmt) -> Iterator[ast.AST]:
    match node:
        case ast.Return(value=value) if value is not None and ast.unparse(value) != "None":
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.Raise() | ast.Delete():
            yield ast.Pass()
        case ast.AugAssign(target=target, value=value):
            yield ast.Assign([target], value)
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.If(test=ast.Name() | ast.Attribute() | ast.Call() as test):
            yield ast.If(ast.UnaryOp(ast.Not(), test), node.body, node.orelse)
        case ast.Continue():
            yield ast.Break()
        case ast.Break():
            yield ast.Continue()
