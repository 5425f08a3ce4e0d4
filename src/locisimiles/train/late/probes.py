"""What an encoder knows of words by themselves: forms of one lemma, words of one meaning.

A probe draws pairs that belong together and pairs that do not, and asks how often one of the first
is more similar than one of the second (AUC: 0.5 is guessing, 1 is always).
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.latin.lemmas import Lemmatizer
from locisimiles.latin.stopwords import STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from locisimiles.models.encoders import PiecewiseEncoder
    from locisimiles.train.late.material import Sense

__all__ = [
    "Probe",
    "Similarity",
    "auc",
    "forms_of_lemmas",
    "lemma_probe",
    "letter_similarity",
    "piece_similarity",
    "synonym_probe",
]

Pair = tuple[str, str]
Similarity = Callable[[Sequence[Pair]], "NDArray[np.float64]"]
"""Gives a number for each pair of words, the more similar the higher."""

_PAIRS = 5000
_TRIES = 50
_FEWEST, _SHORTEST, _SURE = 3, 4, 0.95
_BEGINNING = 3


@dataclass(frozen=True, slots=True)
class Probe:
    """Pairs of words that belong together, and pairs that do not.

    Attributes
    ----------
    alike, different
        The pairs.
    """

    alike: tuple[Pair, ...]
    different: tuple[Pair, ...]

    def measure(self, similarity: Similarity) -> float:
        """Return how often a pair that belongs together is more similar than one that does not."""
        return auc(similarity(self.alike), similarity(self.different))


def auc(alike: NDArray[np.float64], different: NDArray[np.float64]) -> float:
    """Return the share of all comparisons in which the first is higher; equal ones count half.

    Examples
    --------
    >>> auc(np.array([3.0, 2.0]), np.array([1.0, 2.0]))
    0.875
    """
    order = np.sort(different)
    below = np.searchsorted(order, alike, side="left")
    not_above = np.searchsorted(order, alike, side="right")
    return float((below + not_above).sum() / (2 * len(alike) * len(different)))


def piece_similarity(encoder: PiecewiseEncoder) -> Similarity:
    """Compare words by the vectors of their pieces, each with the nearest of the other word."""

    def similar(pairs: Sequence[Pair]) -> NDArray[np.float64]:
        words = sorted({word for pair in pairs for word in pair})
        found = encoder.encode_pieces(words)
        row = {word: slice(*found.bounds[i : i + 2].tolist()) for i, word in enumerate(words)}
        scores = np.zeros(len(pairs))
        for place, (one, other) in enumerate(pairs):
            cosines = found.vectors[row[one]] @ found.vectors[row[other]].T
            if cosines.size:
                scores[place] = (cosines.max(axis=0).mean() + cosines.max(axis=1).mean()) / 2
        return scores

    return similar


def letter_similarity(pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """Compare words by the runs of three letters they have in common; what a probe is measured by.

    Examples
    --------
    >>> letter_similarity([("rex", "regis"), ("rex", "lex"), ("amo", "amo")]).tolist()
    [0.4, 0.25, 1.0]
    """

    def runs(word: str) -> set[str]:
        padded = f"  {word} "
        return {padded[i : i + 3] for i in range(len(padded) - 2)}

    both = ((runs(one), runs(other)) for one, other in pairs)
    return np.array([2 * len(a & b) / (len(a) + len(b)) for a, b in both])


def forms_of_lemmas(words: Iterable[str]) -> dict[str, list[str]]:
    """Return the forms of lemmas in a text: those that are common enough and have one reading."""
    counts = Counter(words)
    forms = sorted(form for form, n in counts.items() if n >= _FEWEST and len(form) >= _SHORTEST)
    lemmatizer = Lemmatizer.shipped()
    found: defaultdict[str, list[str]] = defaultdict(list)
    for form in forms:
        best = lemmatizer.analyse([form])[0].candidates[0]
        if best.probability >= _SURE and best.lemma not in STOPWORDS:
            found[best.lemma].append(form)
    return dict(found)


def lemma_probe(
    forms: Mapping[str, Sequence[str]],
    *,
    same_beginning: bool = False,
    pairs: int = _PAIRS,
    seed: int = 0,
) -> Probe:
    """Draw pairs of forms of one lemma, and pairs of forms of two.

    Parameters
    ----------
    forms
        The forms of each lemma.
    same_beginning
        Whether forms of two lemmas must have their first three letters in common, so that letters
        tell less.
    pairs, seed
        How many pairs of each kind are drawn, and by which chance.

    Raises
    ------
    ParameterError
        If there are no such pairs.
    """
    rng = random.Random(seed)  # noqa: S311 - nothing secret
    several = [sorted(own) for _, own in sorted(forms.items()) if len(own) > 1]
    groups: defaultdict[str, list[Pair]] = defaultdict(list)
    for lemma, own in sorted(forms.items()):
        for form in sorted(own):
            groups[form[:_BEGINNING] if same_beginning else ""].append((form, lemma))
    flat = [entry for own in groups.values() for entry in own]

    def of_one() -> Pair:
        one, other = rng.sample(rng.choice(several), 2)
        return one, other

    def of_two() -> Pair | None:
        one, lemma = rng.choice(flat)
        other, its_lemma = rng.choice(groups[one[:_BEGINNING] if same_beginning else ""])
        return (one, other) if lemma != its_lemma else None

    alike = _drawn(pairs, of_one) if several else []
    return _probe(alike, _drawn(pairs, of_two) if flat else [])


def synonym_probe(senses: Iterable[Sense], *, pairs: int = _PAIRS, seed: int = 0) -> Probe:
    """Draw pairs of lemmas with a sense in common, and pairs of the same part of speech without.

    Parameters
    ----------
    senses
        A WordNet; lemmas of several words are left out.
    pairs, seed
        How many pairs of each kind are drawn, and by which chance.

    Raises
    ------
    ParameterError
        If there are no such pairs.
    """
    rng = random.Random(seed)  # noqa: S311 - nothing secret
    members: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for sense in senses:
        if sense.lemma.isalpha():
            members[sense.pos, sense.synset].add(sense.lemma)
    lemmas: defaultdict[str, set[str]] = defaultdict(set)
    related: defaultdict[str, set[Pair]] = defaultdict(set)
    for (pos, _), own in members.items():
        lemmas[pos] |= own
        related[pos].update(combinations(sorted(own), 2))
    every = sorted((pos, pair) for pos, own in related.items() for pair in own)
    drawn = rng.sample(every, min(pairs, len(every)))
    listed = {pos: sorted(own) for pos, own in lemmas.items()}
    different = []
    for pos, _ in drawn:  # as many of each part of speech as there are pairs alike
        different += _drawn(1, partial(_unrelated, listed[pos], related[pos], rng))
    return _probe([pair for _, pair in drawn], different)


def _unrelated(lemmas: Sequence[str], related: set[Pair], rng: random.Random) -> Pair | None:
    one, other = sorted((rng.choice(lemmas), rng.choice(lemmas)))
    return None if one == other or (one, other) in related else (one, other)


def _drawn(count: int, draw: Callable[[], Pair | None]) -> list[Pair]:
    """Draw until there are enough pairs, or it is of no use."""
    found: list[Pair] = []
    for _ in range(_TRIES * count):
        if (pair := draw()) is not None:
            found.append(pair)
        if len(found) == count:
            break
    return found


def _probe(alike: Sequence[Pair], different: Sequence[Pair]) -> Probe:
    if not alike or not different:
        raise ParameterError(
            "there are no words to compare", hint="give a longer text, or another WordNet"
        )
    return Probe(tuple(alike), tuple(different))
