"""Print the lowest version of each library that the package says it works with, as constraints.

python tools/lowest.py
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

_LOWEST = re.compile(r"(?P<name>[\w.-]+)(?:\[.*\])?>=(?P<version>[\d.]+)")


def lowest(project: dict[str, list[str]]) -> list[str]:
    """Return a line for each dependency.

    Examples
    --------
    >>> lowest({"dependencies": ["numpy>=1.26", "torch>=2.6,<2.14"]})
    ['numpy==1.26', 'torch==2.6']
    """
    found = []
    for line in project["dependencies"]:
        match = _LOWEST.match(line)
        if match is None:
            sys.exit(f"{line}: no lowest version")
        found.append(f"{match['name']}=={match['version']}")
    return found


if __name__ == "__main__":
    content = Path(__file__).parents[1].joinpath("pyproject.toml").read_text(encoding="utf-8")
    sys.stdout.write("\n".join(lowest(tomllib.loads(content)["project"])) + "\n")
