r"""Accuracy and speed of the lemmatizer, compared with simplemma.

    python benchmarks/lemmas.py [--shared ../shared] [--model MODEL.npz]

Trains a model without the texts it is measured on (one poet and one prose author of LASLA, the
works of CIRCSE that are in LASLA too, all UD dev sets), or takes one that was trained like this:

    locisimiles train lemmatizer lasla.tsv.xz la_udante-ud-train.conllu la_circse-ud-train.conllu \
        --corpus lm/*.txt.xz --hold-out Propertius --hold-out Curtius … -o MODEL.npz

Accuracy is given with lemma conventions folded, and as the treebank writes them; speed is the
median of five rounds in one process. Writes ``benchmarks/results/lemmas.json``.
"""

from __future__ import annotations

import itertools
import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import simplemma

from harness import RESULTS, in_fresh_process, parser, print_table, save_results
from locisimiles.latin import Lemmatizer, tokenize_all
from locisimiles.latin.conventions import lemma_class, spell_lemma
from locisimiles.latin.tokens import Tokenizer
from locisimiles.train.common.corpora import count_forms, read_sentences
from locisimiles.train.lemmatizer.training import train_lemmatizer
from locisimiles.train.lemmatizer.treebanks import leave_out, read_treebank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from locisimiles.train.lemmatizer.treebanks import TreebankText

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


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Counts of words: all with a lemma, and those for which the lemmatizer finds it.

    Their lemmas are the `same` in our spelling, the same but for conventions (`folded`, see
    `locisimiles.latin.conventions`), or `among` the candidates, conventions folded.
    """

    words: int
    same: int
    folded: int
    among: int


def measure_accuracy(
    texts: Iterable[TreebankText], candidates: Callable[[Sequence[str]], Sequence[Sequence[str]]]
) -> Accuracy:
    """Compare the lemmas of treebanks with those of a lemmatizer.

    `candidates` returns the possible lemmas of each word of a sentence, the most probable first.
    """
    words = same = folded = among = 0
    for text in texts:
        for sentence in text.sentences:
            predicted = candidates([word.form for word in sentence])
            for word, lemmas in zip(sentence, predicted, strict=True):
                right = spell_lemma(word.lemma)
                if not right or not any(map(str.isalpha, word.form)):
                    continue
                classes = [lemma_class(lemma) for lemma in lemmas]
                words += 1
                same += lemmas[0] == right
                folded += classes[0] == lemma_class(right)
                among += lemma_class(right) in classes
    return Accuracy(words, same, folded, among)


def training_texts(treebanks: Path) -> list[TreebankText]:
    """Return the texts to train on."""
    texts = leave_out(read_treebank(treebanks / "lasla.tsv.xz"), [POET, PROSE, *ALSO_IN_CIRCSE])
    for name in ("UD_Latin-UDante/la_udante", "UD_Latin-CIRCSE/la_circse"):
        texts += read_treebank(treebanks / f"{name}-ud-train.conllu")
    return texts


def test_texts(treebanks: Path) -> dict[str, list[TreebankText]]:
    """Return the texts to test on. Perseus has no dev set; its train set is not trained on."""
    lasla = read_treebank(treebanks / "lasla.tsv.xz")
    sets = {a: [text for text in lasla if text.name.startswith(a)] for a in (POET, PROSE)}
    for name in BARS:
        if name not in sets:
            part = "train" if name == "Perseus" else "dev"
            file = f"UD_Latin-{name}/la_{name.lower()}-ud-{part}.conllu"
            sets[name] = read_treebank(treebanks / file)
    return sets


def by_simplemma(words: Sequence[str]) -> list[list[str]]:
    """Return the lemmas of simplemma in our spelling."""
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
    """Return words per second of CPU time (median of rounds); `work` returns their number."""
    rates = []
    for _ in range(ROUNDS):
        start = time.process_time()
        words = work()
        rates.append(words / (time.process_time() - start))
    return statistics.median(rates)


def speeds(texts: list[str], model: Path) -> dict[str, float]:
    """Return the speed of each step; no word has been looked up yet."""
    tokenize_all(texts[:1])
    lemmatizer = Lemmatizer.load(model)
    table = tokenize_all(texts)
    bounds = table.bounds.tolist()
    words = [table.vocabulary[word] for word in table.word.tolist()]
    sentences = [words[a:b] for a, b in itertools.pairwise(bounds)]
    few = sentences[: len(sentences) // 10]

    def tokens() -> int:
        # A new tokenizer each time, which has not seen any word.
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
    return statistics.median(float(in_fresh_process(code, str(model))) for _ in range(ROUNDS))


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--shared", type=Path, default=Path("../shared"))
    options.add_argument("--model", type=Path, help="trained without the texts held out here")
    given = options.parse_args()
    treebanks = given.shared / "treebanks"
    model = given.model or RESULTS / "lemmas-held-out.npz"
    if given.model is None:
        background = count_forms(sorted((given.shared / "lm").glob("*.txt.xz")))
        train_lemmatizer(training_texts(treebanks), background).save(model)
    ours = Lemmatizer.load(model)
    rows = [accuracy_row(name, texts, ours) for name, texts in test_texts(treebanks).items()]
    print_table(rows)
    sample = next(read_sentences(given.shared / "lm" / "tesserae.txt.xz"))
    measured = speeds(sample[:SPEED_TEXTS], model)
    load = loading_seconds(model)
    print_table(
        {"": name, "words a second": round(rate), "× simplemma": rate / measured["simplemma"]}
        for name, rate in measured.items()
    )
    megabytes = model.stat().st_size / 1e6
    print(f"loading: {load:.2f} s CPU; model: {megabytes:.1f} MB")
    content = {
        "command": "python benchmarks/lemmas.py",
        "accuracy": rows,
        "words per second": {name: round(rate) for name, rate in measured.items()},
        "loading seconds": round(load, 3),
        "model megabytes": round(megabytes, 2),
    }
    save_results("lemmas", content)


if __name__ == "__main__":
    main()
