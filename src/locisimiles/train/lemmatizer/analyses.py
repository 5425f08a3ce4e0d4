"""Count what treebanks say: the readings of forms, and the rules that lead from form to lemma."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from locisimiles.latin.conventions import spell_lemma
from locisimiles.latin.guesser import LONGEST_ENDING, Reading, Rule
from locisimiles.latin.orthography import fold_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from locisimiles.train.lemmatizer.treebanks import TreebankText

__all__ = ["CLOSED_CLASSES", "Counts", "Sentence", "count_readings", "prepare", "rule_of"]

Sentence = list[tuple[str, Reading]]
"""Folded forms with their readings."""

CLOSED_CLASSES = frozenset(
    ["ADP", "AUX", "CCONJ", "DET", "INTJ", "NUM", "PART", "PRON", "SCONJ", "", "X"]
)
"""Parts of speech that get no new words, and so no rules."""

_LONGEST_CUT = 8
_SHORTEST_FORM = 3


@dataclass(slots=True)
class Counts:
    """Everything that is counted in the treebanks.

    Attributes
    ----------
    readings
        For each form, how often it has each reading.
    known
        How often each reading occurs at all.
    rules
        For each ending, how many forms it leads to their lemma by each rule.
    """

    readings: dict[str, Counter[Reading]] = field(default_factory=lambda: defaultdict(Counter))
    known: Counter[Reading] = field(default_factory=Counter)
    rules: dict[str, Counter[Rule]] = field(default_factory=lambda: defaultdict(Counter))


def prepare(texts: Iterable[TreebankText]) -> list[Sentence]:
    """Bring sentences of treebanks into our spelling, leaving out words without a lemma."""
    return [
        [
            (form, Reading(lemma, word.pos))
            for word in sentence
            if (form := fold_word(word.form)) and (lemma := spell_lemma(word.lemma))
        ]
        for text in texts
        for sentence in text.sentences
    ]


def count_readings(sentences: Iterable[Sentence]) -> Counts:
    """Count readings and rules."""
    counts = Counts()
    for sentence in sentences:
        for form, reading in sentence:
            counts.readings[form][reading] += 1
    for readings in counts.readings.values():
        _settle_untagged(readings)
        counts.known.update(readings)
    for form, readings in counts.readings.items():
        for reading in readings:
            for ending, rule in endings_of(form, reading):
                counts.rules[ending][rule] += 1
    return counts


def endings_of(form: str, reading: Reading) -> Iterator[tuple[str, Rule]]:
    """Yield the endings of a form, each with the rule that leads to the lemma."""
    if reading.pos in CLOSED_CLASSES or len(form) < _SHORTEST_FORM:
        return
    rule = rule_of(form, reading)
    if rule.cut > _LONGEST_CUT:
        return
    for length in range(max(rule.cut, 1), min(len(form), LONGEST_ENDING) + 1):
        yield form[-length:], rule


def rule_of(form: str, reading: Reading) -> Rule:
    """Return the rule that makes the lemma of a form.

    Examples
    --------
    >>> rule_of("siluarum", Reading("silua", "NOUN"))
    Rule(cut=3, add='', pos='NOUN')
    """
    common = 0
    for a, b in zip(form, reading.lemma, strict=False):
        if a != b:
            break
        common += 1
    return Rule(len(form) - common, reading.lemma[common:], reading.pos)


def _settle_untagged(readings: Counter[Reading]) -> None:
    """Give readings without part of speech that of the same lemma where it has one."""
    for reading in [r for r in readings if not r.pos]:
        tagged = [r for r in readings if r.lemma == reading.lemma and r.pos]
        if tagged:
            best = max(tagged, key=lambda r: (readings[r], r))
            readings[best] += readings.pop(reading)
