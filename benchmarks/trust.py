"""Read hostile inputs as users would: each must be a right result or a clear error.

    python benchmarks/trust.py [--every N]

Each of more than 600 inputs (`hostile.py`) is read by all that read files of its suffix, in a
process of its own. An exception of ours or a result is good; any other exception, more than ten
seconds of the processor or a gigabyte of memory is bad. Writes ``benchmarks/results/trust.json``;
exits with 1 if something is bad.
"""

from __future__ import annotations

import sys
import tempfile
import warnings
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import parser, print_table, save_results
from hostile import hostile_inputs
from hostile_folders import FOLDER_READERS
from locisimiles.corpus import Document
from locisimiles.export import read_results
from locisimiles.files.arrays import load_arrays
from locisimiles.files.json_files import read_json
from locisimiles.files.tables import TABLE_SUFFIXES, read_table
from locisimiles.latin import Frequencies, Lemmatizer
from measured import Measured, measured

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from hostile import Hostile

SECONDS, MEGABYTES = 10, 1000


def readers(file: str) -> Mapping[str, Callable[[Path], object]]:
    """Return all that reads files of a suffix."""
    suffix = Path(file).suffix
    if suffix in FOLDER_READERS:
        return FOLDER_READERS[suffix]
    if suffix == ".npz":
        return {"arrays": load_arrays, "lemmas": Lemmatizer.load, "counts": Frequencies.load}
    found: dict[str, Callable[[Path], object]] = {"texts": Document}
    if suffix in (*TABLE_SUFFIXES, ".json", ".xlsx"):
        found["results"] = read_results
    if suffix in TABLE_SUFFIXES:
        found["table"] = read_table
    if suffix == ".json":
        found["JSON"] = read_json
    return found


def read_all(every: int = 1) -> Iterator[tuple[Hostile, str, Measured]]:
    """Read each input, or every so many-th, and yield what it took."""
    with tempfile.TemporaryDirectory() as folder:
        for number, hostile in enumerate(hostile_inputs()):
            if number % every:
                continue
            path = Path(folder) / hostile.file
            path.write_bytes(hostile.content())
            for name, read in readers(hostile.file).items():
                took = measured(lambda: read(path), seconds=SECONDS, megabytes=MEGABYTES)  # noqa: B023 - called at once
                yield hostile, name, took
            path.unlink()


def is_good(took: Measured) -> bool:
    """Tell whether a reading ended well."""
    within = took.seconds < SECONDS and took.megabytes < MEGABYTES
    return took.end in ("result", "error") and within


def main() -> None:
    """Read all inputs; print and write the counts."""
    options = parser(__doc__ or "")
    options.add_argument("--every", type=int, default=1, help="read every N-th input only")
    every = options.parse_args().every
    warnings.simplefilter("ignore")
    ends: dict[str, Counter[str]] = defaultdict(Counter)
    worst: dict[str, dict[str, float]] = defaultdict(lambda: {"seconds": 0.0, "megabytes": 0.0})
    names, bad = set(), []
    for hostile, reader, took in read_all(every):
        suffix = Path(hostile.file).suffix
        names.add(hostile.name)
        ends[suffix][took.end] += 1
        worst[suffix]["seconds"] = max(worst[suffix]["seconds"], took.seconds)
        worst[suffix]["megabytes"] = max(worst[suffix]["megabytes"], took.megabytes)
        if not is_good(took):
            bad.append({"input": hostile.name, "reader": reader, "took": str(took)[-600:]})
            print(bad[-1], flush=True)
    rows: list[dict[str, Any]] = [
        {
            "suffix": suffix,
            **{end: counted[end] for end in ("result", "error", "foreign", "killed")},
            **{name: round(value, 1) for name, value in worst[suffix].items()},
        }
        for suffix, counted in ends.items()
    ]
    print_table(rows)
    readings = sum(sum(counted.values()) for counted in ends.values())
    print(f"{len(names)} inputs, {readings} readings, {len(bad)} bad")
    if every == 1:
        save_results(
            "trust",
            {
                "inputs": len(names),
                "readings": readings,
                "limits": {"seconds": SECONDS, "megabytes": MEGABYTES},
                "bad": bad,
                "by_suffix": rows,
            },
        )
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
