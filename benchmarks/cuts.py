"""How texts are cut: lengths of segments, and the reasons for those that look odd.

    python benchmarks/cuts.py [FOLDER]

Reads all texts of a folder with the default settings: Tesserae, by default those in
``../shared/corpora/tess``, or TEI (``../shared/corpora/tei``). Writes
``benchmarks/results/cuts.json`` or ``cuts_tei.json``; the bar is that no odd segment is without a
known reason.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from harness import parser, print_table, save_results
from locisimiles.corpus import Document
from locisimiles.corpus.cutting import CutReport, cut_report
from locisimiles.errors import EmptyInputError


def reports_of(folder: Path) -> list[CutReport]:
    """Read each text of a folder, of Tesserae or TEI, and return how it is cut."""
    paths = sorted(path for path in folder.rglob("*") if path.suffix in {".tess", ".xml"})
    reports = []
    for path in paths:
        try:
            reports.append(cut_report(Document(path), path.stem))
        except EmptyInputError as error:  # a header without a text
            print(error)
    return reports


def main() -> None:
    options = parser(__doc__)
    options.add_argument("folder", type=Path, nargs="?", default=Path("../shared/corpora/tess"))
    folder = options.parse_args().folder
    reports = reports_of(folder)
    reasons: Counter[str] = sum((one.reasons for one in reports), Counter())
    rows = [{"kind and reason": reason, "segments": n} for reason, n in reasons.most_common()]
    print_table(rows)
    figures = {
        "texts": len(reports),
        "segments": sum(one.segments for one in reports),
        "odd": sum(len(one.odd) for one in reports),
        "unexplained": sum(len(one.unexplained) for one in reports),
    }
    print(", ".join(f"{value:,} {name}" for name, value in figures.items()))
    texts = [
        {
            "text": one.name,
            "segments": one.segments,
            "shortest": one.shortest,
            "median": one.median,
            "longest": one.longest,
            "odd": len(one.odd),
        }
        for one in reports
    ]
    name = "cuts" if folder.name == "tess" else f"cuts_{folder.name}"
    command = f"python benchmarks/cuts.py ../shared/corpora/{folder.name}"
    save_results(name, {"command": command, **figures, "reasons": rows, "texts": texts})


if __name__ == "__main__":
    main()
