r"""Accuracy and speed of the lemmatizer, with simplemma in the same run.

    python benchmarks/lemmas.py [--shared ../shared] [--model MODEL.npz]

Trains a model without the texts it is measured on (one poet and one prose author of LASLA, the
works of CIRCSE that LASLA has too, all UD dev sets), or takes one that was trained so:

    locisimiles train lemmatizer lasla.tsv.xz la_udante-ud-train.conllu la_circse-ud-train.conllu \
        --corpus lm/*.txt.xz --hold-out Propertius --hold-out Curtius … -o MODEL.npz

Accuracy is given with lemma conventions folded, and as the treebank writes them; for speed the
median of five rounds in one process counts. Writes ``benchmarks/results/lemmas.json``.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import simplemma

from locisimiles.latin import Lemmatizer, tokenize_all
from locisimiles.latin.conventions import spell_lemma
from locisimiles.latin.tokens import Tokenizer
from locisimiles.train.common.corpora import count_forms, read_sentences
from locisimiles.train.lemmatizer.accuracy import Accuracy, measure_accuracy
from locisimiles.train.lemmatizer.training import train_lemmatizer
from locisimiles.train.lemmatizer.treebanks import leave_out, read_treebank

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from locisimiles.train.lemmatizer.treebanks import TreebankText

RESULTS = Path(__file__).parent / "results" / "lemmas.json"
POET, PROSE = "Propertius", "Curtius"
ALSO_IN_CIRCSE = (
    "Seneca_Agamemnon",
    "Seneca_HerculesFurens",
    "Seneca_Oedipus",
    "Tacitus_TacGermania",
)
BARS = {
    POET: 96.0,
    PROSE: 96.0,
    "Perseus": 92.0,
    "PROIEL": 92.0,
    "CIRCSE": 92.0,
    "UDante": 92.0,
    "ITTB": 94.0,
    "LLCT": 94.0,
}
SPEED_TEXTS = 20_000
ROUNDS = 5


def training_texts(treebanks: Path) -> list[TreebankText]:
    """Return what the measured model may learn from."""
    texts = leave_out(read_treebank(treebanks / "lasla.tsv.xz"), [POET, PROSE, *ALSO_IN_CIRCSE])
    for name in ("UD_Latin-UDante/la_udante", "UD_Latin-CIRCSE/la_circse"):
        texts += read_treebank(treebanks / f"{name}-ud-train.conllu")
    return texts


def test_texts(treebanks: Path) -> dict[str, list[TreebankText]]:
    """Return what it is measured on. Perseus has no dev set here; its train set was not seen."""
    lasla = read_treebank(treebanks / "lasla.tsv.xz")
    sets = {a: [text for text in lasla if text.name.startswith(a)] for a in (POET, PROSE)}
    for name in BARS:
        if name not in sets:
            part = "train" if name == "Perseus" else "dev"
            file = f"UD_Latin-{name}/la_{name.lower()}-ud-{part}.conllu"
            sets[name] = read_treebank(treebanks / file)
    return sets


def by_simplemma(words: Sequence[str]) -> list[list[str]]:
    """Ask simplemma, as a user would, and bring its lemmas into our spelling."""
    return [[spell_lemma(simplemma.lemmatize(word, lang="la"))] for word in words]


def percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2)


def accuracy_row(name: str, texts: list[TreebankText], ours: Lemmatizer) -> dict[str, object]:
    def candidates(words: Sequence[str]) -> list[list[str]]:
        return [[c.lemma for c in analysis.analyses] for analysis in ours.analyse(words)]

    def fast(words: Sequence[str]) -> list[list[str]]:
        return [[lemma] for lemma in ours.lemmatize(words, "fast")]

    row: dict[str, object] = {"set": name, "bar": BARS[name]}
    for method, answers in (("context", candidates), ("fast", fast), ("simplemma", by_simplemma)):
        found: Accuracy = measure_accuracy(texts, answers)
        row["words"] = found.words
        row[method] = percent(found.folded, found.words)
        row[f"{method}, as written"] = percent(found.same, found.words)
        if method == "context":
            row["among candidates"] = percent(found.among, found.words)
    return row


def speed(work: Callable[[], int]) -> float:
    """Return how many words a second of CPU time some work gets done (median of rounds)."""
    rates = []
    for _ in range(ROUNDS):
        start = time.process_time()
        words = work()
        rates.append(words / (time.process_time() - start))
    return statistics.median(rates)


def speeds(texts: list[str], model: Path) -> dict[str, float]:
    """Measure what each step manages, beginning with nothing looked up yet."""
    tokenize_all(texts[:1])
    lemmatizer = Lemmatizer.load(model)
    table = tokenize_all(texts)
    bounds = table.bounds.tolist()
    words = [table.vocabulary[word] for word in table.word.tolist()]
    sentences = [words[a:b] for a, b in itertools.pairwise(bounds)]
    few = sentences[: len(sentences) // 10]

    def tokens() -> int:
        # A new tokenizer each time: no word has been met yet.
        return len(Tokenizer(lemmatizer.knows).tokenize_all(texts))

    def fast() -> int:
        return len(Lemmatizer.load(model).lemmatize(words, "fast"))

    def fast_warm() -> int:
        return len(lemmatizer.lemmatize(words, "fast"))

    def context() -> int:
        return sum(len(lemmatizer.lemmatize(sentence)) for sentence in few)

    def simple() -> int:
        return sum(1 for word in words[:50_000] if simplemma.lemmatize(word, lang="la"))

    return {
        "tokens": speed(tokens),
        "fast, with loading": speed(fast),
        "fast": speed(fast_warm),
        "context": speed(context),
        "simplemma": speed(simple),
    }


def loading_seconds(model: Path) -> float:
    """Return the CPU time of loading a model in a fresh process (median)."""
    code = (
        "import sys, time\nfrom locisimiles.latin import Lemmatizer\n"
        "start = time.process_time()\nLemmatizer.load(sys.argv[1]).lemmatize(['arma'])\n"
        "print(time.process_time() - start)"
    )
    command = [sys.executable, "-c", code, str(model)]
    runs = [subprocess.run(command, check=True, capture_output=True, text=True) for _ in range(5)]
    return statistics.median(float(run.stdout) for run in runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--model", type=Path, help="trained without the texts held out here")
    options = parser.parse_args()
    treebanks = options.shared / "treebanks"
    model = options.model or RESULTS.parent / "lemmas-held-out.npz"
    if options.model is None:
        background = count_forms(sorted((options.shared / "lm").glob("*.txt.xz")))
        train_lemmatizer(training_texts(treebanks), background).save(model)
    ours = Lemmatizer.load(model)

    rows = [accuracy_row(name, texts, ours) for name, texts in test_texts(treebanks).items()]
    columns = ("words", "context", "fast", "simplemma", "among candidates", "bar")
    print(f"{'accuracy, %':<14}" + "".join(f"{column:>18}" for column in columns))
    for row in rows:
        print(f"{row['set']:<14}" + "".join(f"{row[column]!s:>18}" for column in columns))

    sample = next(read_sentences(options.shared / "lm" / "tesserae.txt.xz"))
    measured = speeds(sample[:SPEED_TEXTS], model)
    load = loading_seconds(model)
    print(f"\n{'words a second':<22}")
    for name, rate in measured.items():
        print(f"{name:<22}{rate:>14,.0f}{rate / measured['simplemma']:>10.1f} x simplemma")
    print(f"loading: {load:.2f} s CPU; model: {model.stat().st_size / 1e6:.1f} MB")
    RESULTS.write_text(
        json.dumps(
            {
                "command": "python benchmarks/lemmas.py",
                "accuracy": rows,
                "words per second": {name: round(rate) for name, rate in measured.items()},
                "loading seconds": round(load, 3),
                "model megabytes": round(model.stat().st_size / 1e6, 2),
            },
            indent=2,
        )
        + "\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
