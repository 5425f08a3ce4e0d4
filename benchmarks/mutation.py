"""How many small mistakes in the code the tests notice.

    python benchmarks/mutation.py
    python benchmarks/mutation.py --only latin metrics --sample 30

Takes a sample of the mutants (``mutants.py``) of each room, drawn with a fixed seed, or all if
there are no more, and runs the room's tests against each (``mutation_runs.py``). A mutant is killed
if a test fails, or if the tests take five times as long as without it. Nothing in this checkout is
changed. Writes ``benchmarks/results/mutation.json`` with the survivors, room by room, and a table.
Some survivors mean the same as the code (a faster way not taken, a number that only must be large):
``mutation_equivalent.json`` lists those that were read, with the reason. They count as survivors
all the same; a second figure leaves them out.
"""

from __future__ import annotations

import json
import math
import random
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from harness import RESULTS, parser, print_table, save_results
from mutants import Mutant, mutants
from mutation_runs import Room, survivors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOT = Path(__file__).resolve().parents[1]
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
"""Modules whose tests need PostgreSQL; only tests without it are run here."""
EQUIVALENT = Path(__file__).parent / "mutation_equivalent.json"
SEED = 22


def files_of(room: str) -> list[Path]:
    """Return the files of a room that are mutated."""
    places = [ROOT / PACKAGE / place for place in ROOMS[room]]
    found = {file for place in places for file in (place, *place.rglob("*.py"))}
    return sorted(file for file in found if file.suffix and file.name not in NEED_A_SERVER)


def suite_of(room: str) -> list[str]:
    """Return the tests of a room, the examples in its docstrings among them."""
    found = []
    for place in map(Path, ROOMS[room]):
        mirror = place.with_name(f"test_{place.name}") if place.suffix else place
        found += [ROOT / "tests" / mirror, ROOT / PACKAGE / place]
    return [str(one) for one in found]


def sample(room: str, size: int, seed: int) -> tuple[list[Mutant], int]:
    """Draw mutants of a room; return them and how many there are in all."""
    every = [one for file in files_of(room) for one in mutants(file)]
    drawn = random.Random(f"{seed} {room}").sample(every, min(size, len(every)))
    return sorted(drawn, key=lambda one: (one.path, one.place, one.change)), len(every)


def interval(killed: int, tried: int, there_are: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval in percent, narrower if most of a room was tried.

    Examples
    --------
    >>> interval(90, 100, 100)
    (90.0, 90.0)
    >>> interval(90, 100, 1000000)
    (82.6, 94.5)
    """
    rest = (there_are - tried) / max(there_are - 1, 1)
    z2, share = 1.96**2 * rest, killed / tried
    middle = (share + z2 / (2 * tried)) / (1 + z2 / tried)
    half = math.sqrt(z2 * share * (1 - share) / tried + (z2 / (2 * tried)) ** 2) / (1 + z2 / tried)
    low, high = (round(100 * one, 1) for one in (middle - half, middle + half))
    return low, high


def measured(room: str, size: int, seed: int) -> dict[str, object]:
    """Try a sample of a room's mutants; return its row."""
    chosen, there_are = sample(room, size, seed)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(dir=_in_memory()) as folder:
        tests = ["-k", "not postgres", *suite_of(room)]
        alive, seconds = survivors(Room(tests, files_of(room), Path(folder), ROOT), chosen, print)
    return {
        **row(room, chosen, there_are, alive),
        "seed": seed,
        "tests_s": round(seconds, 1),
        "minutes": round((time.perf_counter() - began) / 60, 1),
    }


def row(
    room: str, chosen: Sequence[Mutant], there_are: int, alive: Sequence[Mutant]
) -> dict[str, object]:
    """Return the figures of a room, and its survivors as text."""
    reasons = json.loads(EQUIVALENT.read_text(encoding="utf-8")) if EQUIVALENT.exists() else {}
    same = {name_of(one): reasons[key_of(one)] for one in alive if key_of(one) in reasons}
    killed = len(chosen) - len(alive)
    low, high = interval(killed, len(chosen), there_are)
    return {
        "room": room,
        "mutants": there_are,
        "tried": len(chosen),
        "killed": killed,
        "percent": round(100 * killed / len(chosen), 1),
        "low": low,
        "high": high,
        "equivalent": len(same),
        "percent_of_others": round(100 * killed / max(len(chosen) - len(same), 1), 1),
        "survivors": [name_of(one) for one in alive if name_of(one) not in same],
        "equivalent_survivors": same,
    }


def name_of(mutant: Mutant) -> str:
    """Return where a mutant is, and what it changes."""
    return f"{mutant.path.relative_to(ROOT / PACKAGE)}:{mutant}"


def key_of(mutant: Mutant) -> str:
    """Return the name of a mutant with the text of its line for the number, which others move."""
    lines = mutant.path.read_text(encoding="utf-8").splitlines()
    place = mutant.path.relative_to(ROOT / PACKAGE)
    return f"{place}: {lines[mutant.line - 1].strip()} | {mutant.old} -> {mutant.new}"


def _in_memory() -> str | None:
    """Return a folder that waits for no disk, where there is one."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def _save(rows: Mapping[str, dict[str, object]]) -> None:
    """Replace the rows of some rooms; each says with which seed its mutants were drawn."""
    path = RESULTS / "mutation.json"
    old = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    kept = {**{one["room"]: one for one in old.get("rooms", [])}, **rows}
    save_results("mutation", {"rooms": [kept[name] for name in ROOMS if name in kept]})


def main() -> None:
    """Measure, print and save."""
    options = parser(__doc__ or "")
    options.add_argument("--only", nargs="+", choices=sorted(ROOMS), default=list(ROOMS))
    options.add_argument("--sample", type=int, default=100, help="mutants a room")
    options.add_argument("--seed", type=int, default=SEED)
    given = options.parse_args()
    rows = {}
    for room in given.only:
        rows[room] = measured(room, given.sample, given.seed)
        _save(rows)
    hidden = {"survivors", "equivalent_survivors"}
    print_table([{k: v for k, v in one.items() if k not in hidden} for one in rows.values()])


if __name__ == "__main__":
    main()
