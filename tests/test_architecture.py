"""The rooms of the house: every module is in one, and ARCHITECTURE.md shows them as they are."""

import configparser
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "locisimiles"


@pytest.fixture(scope="module")
def contracts():
    parser = configparser.ConfigParser()
    parser.read(ROOT / ".importlinter")
    rooms = [parser[name] for name in parser.sections() if parser[name].get("type") == "room"]
    return {
        room["room"]: (
            room["name"].partition(": ")[2],
            tuple(room.get("may_import", "").split()),
            room.getboolean("as_package", True),
        )
        for room in rooms
    }


def test_every_module_is_in_exactly_one_room(contracts):
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        module = ".".join(part for part in parts if part != "__init__") or "locisimiles"
        homes = [
            room
            for room, (*_, whole) in contracts.items()
            if module == room or (whole and module.startswith(f"{room}."))
        ]
        assert len(homes) == 1, f"{module} is in {homes}"


def test_rooms_are_listed_from_the_ground_up(contracts):
    below = {}
    for room, (_, may_import, _) in contracts.items():
        for other in may_import:
            known = [name for name in below if f"{other}.".startswith(f"{name}.")] or [
                name for name in below if name.startswith(f"{other}.")
            ]
            assert known, f"{room} may import {other}, which comes after it"
        below[room] = may_import


def test_the_table_of_rooms_is_that_of_the_contracts(contracts):
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w.]+)` \| (.+?) \| (.*?) \|$", text, re.MULTILINE)
    shown = {
        room: (holds, tuple(re.findall(r"[\w.]+", names.replace("–", ""))))
        for room, holds, names in rows
    }
    assert shown == {
        room: (holds, names) for room, (holds, names, whole) in contracts.items() if whole
    }
