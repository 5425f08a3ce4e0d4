"""Segments per author in the library's texts, beside the counts the paper prints.

    python benchmarks/segments.py [--corpora ../shared/corpora]

Reads every work the paper lists, in the edition the catalogue prefers, with the default settings of
parsers and segmenter. Writes ``benchmarks/results/segments.json``.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from harness import parser, print_table, save_results
from locisimiles.benchmark.sets.authors import QUERY_AUTHORS, SOURCE_AUTHORS, works_by
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


def count_segments(corpora: Path) -> Counter[str]:
    """Count the segments of each author's works."""
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        library = Library(folder)
        for work in works_by([*QUERY_AUTHORS, *SOURCE_AUTHORS], library.catalogue):
            library.add(work.name, mirror=corpora)
            counts[work.author] += len(Document(*library.files(work.name)))
    return counts


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--corpora", type=Path, default=Path("../shared/corpora"))
    counts = count_segments(options.parse_args().corpora)
    rows = []
    for author, paper in PAPER.items():
        difference = counts[author] / paper - 1
        rows.append(
            {
                "author": author,
                "paper": paper,
                "ours": counts[author],
                "difference": round(difference, 4),
                "bar": BARS[author],
                "within": abs(difference) <= BARS[author],
            }
        )
    print_table(rows)
    save_results("segments", {"command": "python benchmarks/segments.py", "rows": rows})


if __name__ == "__main__":
    main()
