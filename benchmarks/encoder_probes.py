r"""What encoders know of single words: forms of a lemma, synonyms.

    python benchmarks/encoder_probes.py TEXT... --wordnet FILE.tsv [--model FOLDER]...

A probe draws related and unrelated pairs of words, and measures how often a related pair is the
more similar one (AUC: 0.5 is chance, 1 is perfect). *lemma*: two forms of one lemma, or of two;
*lemma, like letters*: the two lemmas begin with the same three letters; *synonyms*: two lemmas of
one synset, or two others of the same part of speech. Forms occur three times in the texts and have
one analysis; words are encoded alone, without context. All models are measured on the same pairs,
beside the similarity of letters. For a model trained with the same WordNet (`train late
--wordnet`), *synonyms* says what it learnt, not what it found out. Writes
``benchmarks/results/encoder_probes.json``.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from harness import parser, print_table, save_results
from locisimiles.corpus import Document
from locisimiles.latin.lemmas import Lemmatizer
from locisimiles.latin.stopwords import STOPWORDS
from locisimiles.latin.units import text_units
from locisimiles.models.onnx_encoder import OnnxEncoder
from locisimiles.train.late.synthetic_inputs import read_senses

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from locisimiles.models.encoders import PiecewiseEncoder
    from locisimiles.train.late.synthetic_inputs import Sense

Pair = tuple[str, str]
Similarity = Callable[[Sequence[Pair]], "NDArray[np.float64]"]
"""Returns the similarity of each pair of words."""

_PAIRS = 5000
_TRIES = 50
_FEWEST, _SHORTEST, _SURE = 3, 4, 0.95
_BEGINNING = 3


@dataclass(frozen=True, slots=True)
class Probe:
    """Related and unrelated pairs of words."""

    related: tuple[Pair, ...]
    unrelated: tuple[Pair, ...]

    def measure(self, similarity: Similarity) -> float:
        """Return the AUC of a similarity."""
        return auc(similarity(self.related), similarity(self.unrelated))


def auc(related: NDArray[np.float64], unrelated: NDArray[np.float64]) -> float:
    """Return the share of comparisons in which the first is higher; ties count half."""
    order = np.sort(unrelated)
    below = np.searchsorted(order, related, side="left")
    not_above = np.searchsorted(order, related, side="right")
    return float((below + not_above).sum() / (2 * len(related) * len(unrelated)))


def piece_similarity(encoder: PiecewiseEncoder) -> Similarity:
    """Compare words by the vectors of their pieces, each with the other word's nearest."""

    def similar(pairs: Sequence[Pair]) -> NDArray[np.float64]:
        words = sorted({word for pair in pairs for word in pair})
        pieces = encoder.encode_pieces(words)
        row = {word: slice(*pieces.bounds[i : i + 2].tolist()) for i, word in enumerate(words)}
        scores = np.zeros(len(pairs))
        for place, (one, other) in enumerate(pairs):
            cosines = pieces.vectors[row[one]] @ pieces.vectors[row[other]].T
            if cosines.size:
                scores[place] = (cosines.max(axis=0).mean() + cosines.max(axis=1).mean()) / 2
        return scores

    return similar


def letter_similarity(pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """Compare words by their common trigrams of letters: the baseline of a probe."""

    def trigrams(word: str) -> set[str]:
        padded = f"  {word} "
        return {padded[i : i + 3] for i in range(len(padded) - 2)}

    both = ((trigrams(one), trigrams(other)) for one, other in pairs)
    return np.array([2 * len(a & b) / (len(a) + len(b)) for a, b in both])


def forms_of_lemmas(words: Iterable[str]) -> dict[str, list[str]]:
    """Return the frequent, unambiguous forms of each lemma in a text."""
    counts = Counter(words)
    forms = sorted(form for form, n in counts.items() if n >= _FEWEST and len(form) >= _SHORTEST)
    lemmatizer = Lemmatizer.shipped()
    by_lemma: defaultdict[str, list[str]] = defaultdict(list)
    for form in forms:
        best = lemmatizer.analyse([form])[0].analyses[0]
        if best.probability >= _SURE and best.lemma not in STOPWORDS:
            by_lemma[best.lemma].append(form)
    return dict(by_lemma)


def lemma_probe(
    forms: Mapping[str, Sequence[str]],
    *,
    same_beginning: bool = False,
    pairs: int = _PAIRS,
    seed: int = 0,
) -> Probe:
    """Draw pairs of forms of one lemma, and of two lemmas.

    With `same_beginning`, forms of two lemmas share their first three letters, so that spelling
    tells less.
    """
    rng = random.Random(seed)
    several = [sorted(words) for _, words in sorted(forms.items()) if len(words) > 1]
    groups: defaultdict[str, list[Pair]] = defaultdict(list)
    for lemma, words in sorted(forms.items()):
        for form in sorted(words):
            groups[form[:_BEGINNING] if same_beginning else ""].append((form, lemma))
    flat = [entry for group in groups.values() for entry in group]

    def of_one() -> Pair:
        one, other = rng.sample(rng.choice(several), 2)
        return one, other

    def of_two() -> Pair | None:
        one, lemma = rng.choice(flat)
        other, its_lemma = rng.choice(groups[one[:_BEGINNING] if same_beginning else ""])
        return (one, other) if lemma != its_lemma else None

    related = _draw(pairs, of_one) if several else []
    return _probe(related, _draw(pairs, of_two) if flat else [])


def synonym_probe(senses: Iterable[Sense], *, pairs: int = _PAIRS, seed: int = 0) -> Probe:
    """Draw pairs of lemmas that share a sense, and pairs of the same part of speech that do not.

    Lemmas of several words are left out.
    """
    rng = random.Random(seed)
    members: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for sense in senses:
        if sense.lemma.isalpha():
            members[sense.pos, sense.synset].add(sense.lemma)
    lemmas: defaultdict[str, set[str]] = defaultdict(set)
    related: defaultdict[str, set[Pair]] = defaultdict(set)
    for (pos, _), synset in members.items():
        lemmas[pos] |= synset
        related[pos].update(combinations(sorted(synset), 2))
    every = sorted((pos, pair) for pos, synonyms in related.items() for pair in synonyms)
    drawn = rng.sample(every, min(pairs, len(every)))
    listed = {pos: sorted(names) for pos, names in lemmas.items()}
    unrelated = []
    for pos, _ in drawn:  # as many of each part of speech as there are related pairs
        unrelated += _draw(1, partial(_unrelated, listed[pos], related[pos], rng))
    return _probe([pair for _, pair in drawn], unrelated)


def _unrelated(lemmas: Sequence[str], related: set[Pair], rng: random.Random) -> Pair | None:
    one, other = sorted((rng.choice(lemmas), rng.choice(lemmas)))
    return None if one == other or (one, other) in related else (one, other)


def _draw(count: int, draw: Callable[[], Pair | None]) -> list[Pair]:
    """Draw pairs until there are enough, or many draws have failed."""
    pairs = (pair for _ in range(_TRIES * count) if (pair := draw()) is not None)
    return list(islice(pairs, count))


def _probe(related: Sequence[Pair], unrelated: Sequence[Pair]) -> Probe:
    if not related or not unrelated:
        raise ValueError("there are no words to compare: use a longer text, or another WordNet")
    return Probe(tuple(related), tuple(unrelated))


def main() -> None:
    options = parser(__doc__)
    options.add_argument("texts", nargs="+", help="texts whose words are compared")
    options.add_argument("--wordnet", type=Path, required=True)
    options.add_argument("--model", type=Path, action="append", default=[])
    given = options.parse_args()
    texts = Document(*given.texts).texts
    words = (unit.text for own in text_units(texts) for unit in own if not unit.is_stop)
    forms = forms_of_lemmas(words)
    probes = {
        "lemma": lemma_probe(forms),
        "lemma, like letters": lemma_probe(forms, same_beginning=True),
        "synonyms": synonym_probe(read_senses(given.wordnet)),
    }
    opened = [OnnxEncoder(folder) for folder in (given.model or [OnnxEncoder.shipped_path()])]
    # Folders may have the same name.
    encoders = {f"{own.name} {own.graph_sha256[:6]}": own for own in opened}
    measures = {
        "letters": letter_similarity,
        **{name: piece_similarity(encoder) for name, encoder in encoders.items()},
    }
    rows = [
        {
            "probe": name,
            "alike": len(probe.related),
            "different": len(probe.unrelated),
            "auc": {of: round(probe.measure(similar), 4) for of, similar in measures.items()},
        }
        for name, probe in probes.items()
    ]
    print_table(rows)
    content = {
        "command": "python benchmarks/encoder_probes.py TEXT... --wordnet FILE.tsv",
        "texts": len(texts),
        "lemmas": len(forms),
        "models": {name: dict(encoder.describe()) for name, encoder in encoders.items()},
        "rows": rows,
    }
    save_results("encoder_probes", content)


if __name__ == "__main__":
    main()
