"""Segments per author in the library's texts, beside the counts the paper prints.

    python benchmarks/segments.py [--corpora ../shared/corpora]

Reads every work the paper lists, in the edition the catalogue prefers, with the readers' and the
segmenter's defaults; writes ``benchmarks/results/segments.json`` and prints a table.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from pathlib import Path

from locisimiles.corpus import Document
from locisimiles.corpus.library import Library

PAPER = {
    "Jerome": 74_672,
    "Lactantius": 8_444,
    "Valerius Flaccus": 2_138,
    "Cicero": 54_331,
    "Ovid": 14_096,
    "Virgil": 4_861,
    "Martial": 4_114,
    "Lucan": 2_952,
    "Statius": 2_527,
    "Horace": 2_353,
    "Propertius": 1_889,
    "Lucretius": 1_826,
    "Catullus": 809,
    "Tibullus": 788,
}
BARS = dict.fromkeys(PAPER, 0.15) | dict.fromkeys(
    ["Cicero", "Lucan", "Lucretius", "Lactantius", "Martial", "Ovid", "Valerius Flaccus"], 0.05
)
NOT_IN_THE_PAPER = {"statius.silvae", "statius.achilleid"}
RESULTS = Path(__file__).parent / "results" / "segments.json"


def count_segments(corpora: Path) -> Counter[str]:
    """Count the segments of each author's works."""
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        library = Library(folder)
        for name in library.catalogue.works:
            if name not in NOT_IN_THE_PAPER:
                library.add(name, mirror=corpora)
                document = Document(*library.files(name))
                counts[library.catalogue.works[name].author] += len(document)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, default=Path("../shared/corpora"))
    counts = count_segments(parser.parse_args().corpora)
    rows = []
    print(f"{'author':<18}{'paper':>8}{'ours':>8}{'difference':>12}{'bar':>7}")
    for author, paper in PAPER.items():
        difference = counts[author] / paper - 1
        within = abs(difference) <= BARS[author]
        rows.append(
            {
                "author": author,
                "paper": paper,
                "ours": counts[author],
                "difference": round(difference, 4),
                "bar": BARS[author],
                "within": within,
            }
        )
        print(
            f"{author:<18}{paper:>8,}{counts[author]:>8,}{difference:>+12.1%}{BARS[author]:>7.0%}"
            f"{'' if within else '   outside'}"
        )
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(
        json.dumps({"command": "python benchmarks/segments.py", "rows": rows}, indent=1) + "\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
