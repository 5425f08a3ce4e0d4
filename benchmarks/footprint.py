"""What the package costs before it does anything: import time, installed size, reading a table.

    python benchmarks/footprint.py

Each figure is taken in a fresh process. Writes ``benchmarks/results/footprint.json``.
"""

from __future__ import annotations

import csv
import tempfile
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

from harness import in_fresh_process, print_table, save_results

SEGMENTS = 90_000
HEAVY = ("numba", "sklearn", "onnxruntime", "pandas", "torch")

IMPORT = """
import sys, time
start = time.process_time()
import locisimiles
print(time.process_time() - start, *(m for m in {heavy!r} if m in sys.modules))
"""
READ = """
import resource, sys, time
from locisimiles import Document
start = time.process_time()
document = Document(sys.argv[1])
seconds = time.process_time() - start
print(len(document), seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def installed_megabytes() -> dict[str, float]:
    """Return the size of the package and everything it requires, without extras."""
    sizes: dict[str, float] = {}
    waiting = ["locisimiles"]
    while waiting:
        name = waiting.pop()
        if name in sizes:
            continue
        found = distribution(name)
        files = [Path(str(path.locate())) for path in found.files or []]
        sizes[name] = sum(path.stat().st_size for path in files if path.is_file()) / 1e6
        for text in found.requires or []:
            requirement = Requirement(text)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                waiting.append(requirement.name.lower())
    # An editable install does not list its own sources.
    source = Path(__file__).parent.parent / "src"
    sizes["locisimiles"] = sum(p.stat().st_size for p in source.rglob("*") if p.is_file()) / 1e6
    return sizes


def write_table(path: Path) -> None:
    """Write a table with as many segments as the benchmark has."""
    text = "praesensit, motusque excepit prima futuros, / omnia tuta timens, eadem impia Fama " * 2
    with path.open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream)
        table.writerow(["seg_id", "author", "work", "locus", "text"])
        for i in range(SEGMENTS):
            table.writerow([f"verg. aen. 1.{i}.1", "Virgil", "Aeneis", f"1.{i}", f"{text} {i}"])


def main() -> None:
    seconds, *heavy = in_fresh_process(IMPORT.format(heavy=HEAVY)).split()
    sizes = installed_megabytes()
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.csv"
        write_table(table)
        read, read_seconds, read_megabytes = in_fresh_process(READ, str(table)).split()
    measured: dict[str, tuple[float, float]] = {
        "import locisimiles, CPU seconds": (float(seconds), 0.5),
        "heavy modules imported": (len(heavy), 0),
        "installed core, MB": (sum(sizes.values()), 450),
        f"reading {read} segments from CSV, CPU seconds": (float(read_seconds), 3),
        f"reading {read} segments from CSV, peak MB": (float(read_megabytes), 400),
    }
    rows = [
        {"what": name, "measured": round(value, 3), "bar": bar}
        for name, (value, bar) in measured.items()
    ]
    print_table(rows)
    content = {
        "command": "python benchmarks/footprint.py",
        "rows": rows,
        "installed_mb": {name: round(size, 1) for name, size in sorted(sizes.items())},
    }
    save_results("footprint", content)


if __name__ == "__main__":
    main()
