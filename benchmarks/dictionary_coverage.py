"""How many words of Latin texts the dictionary explains, and how long it takes to load.

    python benchmarks/dictionary_coverage.py [--corpora ../shared/corpora]

Counts the words of the texts that the benchmark examines for references (Jerome, Lactantius and
Valerius Flaccus, in the Tesserae editions) whose lemma has an entry, with the lemma that a click in
the app names first. Writes ``benchmarks/results/dictionary_coverage.json``.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from harness import in_fresh_process, parser, print_table, save_results
from locisimiles.corpus import Document
from locisimiles.latin import Lemmatizer, tokenize
from locisimiles.latin.dictionary import Dictionary

AUTHORS = {"Jerome": "jerome", "Lactantius": "lactantius", "Valerius Flaccus": "valerius_flaccus"}
MOST_MISSING = 40
LOADING = """
from time import perf_counter
from locisimiles.latin.dictionary import Dictionary
began = perf_counter()
Dictionary.shipped().find("haereo")
print(perf_counter() - began)
"""


def count_lemmas(files: list[Path]) -> Counter[str]:
    """Count the lemmas of the words of texts."""
    lemmatizer, counts = Lemmatizer.shipped(), Counter[str]()
    for file in files:
        for segment in Document(file):
            words = [token.text for token in tokenize(segment.text)]
            counts.update(lemmatizer.lemmatize(words, "fast"))
    return counts


def coverage(counts: Counter[str], dictionary: Dictionary) -> dict[str, object]:
    """Return how many words, and how many different lemmas, have an entry."""
    known = {lemma for lemma in counts if lemma in dictionary}
    words = sum(counts.values())
    return {
        "words": words,
        "with an entry": round(100 * sum(counts[lemma] for lemma in known) / words, 2),
        "lemmas": len(counts),
        "lemmas with an entry": round(100 * len(known) / len(counts), 2),
    }


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--corpora", type=Path, default=Path("../shared/corpora"))
    folder = options.parse_args().corpora / "tess"
    dictionary = Dictionary.shipped()
    total, rows = Counter[str](), []
    for author, name in AUTHORS.items():
        counts = count_lemmas(sorted(folder.glob(f"{name}.*.tess")))
        rows.append({"author": author, **coverage(counts, dictionary)})
        total += counts
    rows.append({"author": "all", **coverage(total, dictionary)})
    print_table(rows)
    missing = [lemma for lemma, _ in total.most_common() if lemma not in dictionary]
    seconds = min(float(in_fresh_process(LOADING)) for _ in range(3))
    save_results(
        "dictionary_coverage",
        {
            "command": "python benchmarks/dictionary_coverage.py",
            "rows": rows,
            "most frequent lemmas without an entry": missing[:MOST_MISSING],
            "seconds to load": round(seconds, 2),
        },
    )


if __name__ == "__main__":
    main()
