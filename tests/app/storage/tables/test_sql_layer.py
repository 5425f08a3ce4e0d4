"""All SQL of the app is in one layer."""

import ast
import re
from importlib import resources
from pathlib import Path

APP = Path(str(resources.files("locisimiles.app")))
SQL = re.compile(r"^\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM)\b")


def says_sql(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]
    return any(isinstance(text, str) and SQL.match(text) for text in texts)


def test_only_the_storage_says_sql():
    saying = [path.relative_to(APP) for path in APP.rglob("*.py") if says_sql(path)]
    assert len(saying) > 5
    assert {path.parts[0] for path in saying} == {"storage"}
