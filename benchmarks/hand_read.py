r"""Of lists with ``--precision 0.8``, how many pairs are references: read by hand.

    python benchmarks/hand_read.py sample LOCI FATHERS CORPORA --sentences 200 --keep FOLDER \
        --table unread.csv
    python benchmarks/hand_read.py figures

Editors do not note everything, so a list is more precise than their notes say. ``sample`` makes the
lists of all authors of FATHERS, each adapted without the author (see ``benchmarks/calibration.py``,
whose arguments and options it has), and writes the pairs that nobody has read, with their texts and
the sentence before. The texts are not ours to pass on.

The shipped recalibration takes what editors did not note for wrong, so its lists are short. Here
editors are supposed to note `NOTED` of what is there.

``figures`` computes the precision from ``benchmarks/results/hand_read.csv``: ids, probabilities as
listed and as judged, the verdict, and a reason in a word.

==============  ===  ======================================================================
``quotation``   yes  the words of the verse, however inflected, also of another version
``lemma``       yes  the same, where the verse is explained
``formula``     yes  a short expression that is biblical and means what it means there
``paraphrase``  yes  the thought or story of the verse in other words
``parallel``    yes  another verse is quoted that says nearly the same
``common``      no   everyday words or names in common
``other``       no   another verse is quoted, which says something else, or shares a refrain
==============  ===  ======================================================================

Writes ``benchmarks/results/hand_read.json``.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from calibration import PRECISION, collect, options_of, passages
from harness import RESULTS, parser, print_table, save_results
from locisimiles.benchmark.sets.dataset import Benchmark
from locisimiles.classify.base_rates import TextRate
from locisimiles.classify.selection import Selection
from locisimiles.index import Index
from locisimiles.learn.base_rates import fit_others

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping

    from calibration import Judged

NOTED = 0.7
COLUMNS = ("query_id", "source_id", "probability", "judged", "noted", "verdict", "reason")
READ = RESULTS / "hand_read.csv"
VERDICTS = {
    "quotation": True, "lemma": True, "formula": True, "paraphrase": True, "parallel": True,
    "common": False, "other": False,
}  # fmt: skip
_NORMAL = 1.96  # of a 95 % interval


def listed(judged: Iterable[tuple[Judged, Any]]) -> list[tuple[Judged, int, float]]:
    """Return the pairs of the lists of all authors: text, row, probability."""
    found = list(judged)
    texts = [one.text() for one, _ in found]
    rows = []
    for (one, sources), text in zip(found, texts, strict=True):
        if one.part != "fathers":
            continue
        model = fit_others([other for other in texts if other.author != text.author], noted=NOTED)
        rate = TextRate(model, model.shift(text.best()), 0.0)
        probability = rate.adapted(one.probability)
        kept = Selection(precision=PRECISION).kept(probability) & one.once(sources, probability)
        rows += [(one, row, float(probability[row])) for row in np.flatnonzero(kept).tolist()]
    return rows


def sample(given: argparse.Namespace) -> None:
    """Write pairs that nobody has read, with their texts."""
    given.only = ["vulgate", "fathers"]
    benchmark = Benchmark.load(given.fathers)
    query, authors = benchmark.query, np.array(benchmark.query.authors)
    source = Index.open(given.indexes[1]) if given.indexes else benchmark.source
    known = {(row["query_id"], row["source_id"]) for row in read_pairs()}
    rows = listed(collect(given))
    unread = []
    for one, row, probability in rows:
        drawn = passages(np.flatnonzero(authors == one.name), given.sentences)
        q, s = drawn[int(one.query[row])], int(one.source[row])
        if (query.ids[q], source.ids[s]) not in known:
            texts = query.texts[q - 1] if q else "", query.texts[q], source.texts[s]
            numbers = f"{probability:.3f}", f"{one.probability[row]:.5f}", int(one.right[row])
            unread.append((query.ids[q], source.ids[s], *numbers, *texts))
    print(f"{len(rows)} pairs are listed, {len(unread)} of them unread")
    with given.table.open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream)
        table.writerow([*COLUMNS[:5], "before", "query", "source"])
        table.writerows(unread)


def read_pairs() -> list[dict[str, str]]:
    """Return what was read."""
    with READ.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def wilson(right: int, read: int) -> tuple[float, float]:
    """Return the 95 % interval of a share.

    >>> [round(end, 2) for end in wilson(160, 200)]
    [0.74, 0.85]
    """
    share, squared = right / read, _NORMAL**2
    centre = (share + squared / (2 * read)) / (1 + squared / read)
    width = _NORMAL * np.sqrt(share * (1 - share) / read + squared / (4 * read**2))
    width /= 1 + squared / read
    return float(centre - width), float(centre + width)


def figures(rows: Iterable[Mapping[str, str]]) -> dict[str, Any]:
    """Return the precision of what was read."""
    read = list(rows)
    wrong = {row["reason"] for row in read} - set(VERDICTS)
    wrong |= {
        row["reason"] for row in read if (row["verdict"] == "yes") != VERDICTS.get(row["reason"])
    }
    if wrong:
        raise ValueError(f"unknown reasons, or others than their verdicts: {sorted(wrong)}")
    right = [row["verdict"] == "yes" for row in read]
    reasons = {name: sum(row["reason"] == name for row in read) for name in VERDICTS}
    low, high = wilson(sum(right), len(right))
    return {
        "read": len(read), "right": sum(right), "precision": sum(right) / len(read),
        "low": low, "high": high, "reasons": reasons,
        "noted": sum(row["noted"] == "1" for row in read),
        "expected": sum(float(row["probability"]) for row in read) / len(read),
    }  # fmt: skip


def main() -> None:
    asked = sys.argv[1] if len(sys.argv) > 1 else ""
    if asked == "sample":
        del sys.argv[1]
        options = parser(__doc__)
        options.add_argument("--table", type=Path, required=True)
        sample(options_of(options))
        return
    options = parser(__doc__)
    options.add_argument("what", choices=["sample", "figures"])
    options.add_argument("--output", type=Path)
    given = options.parse_args()
    found = figures(read_pairs())
    print_table([{name: value for name, value in found.items() if name != "reasons"}])
    print(found["reasons"])
    save_results("hand_read", found, given.output)


if __name__ == "__main__":
    main()
