"""Count in treebanks: the analyses of forms, and the rules that lead from form to lemma."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING

from locisimiles.latin.conventions import spell_lemma
from locisimiles.latin.guesser import LONGEST_ENDING, Analysis, Rule
from locisimiles.latin.orthography import fold_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from locisimiles.train.lemmatizer.treebanks import TreebankText

__all__ = ["CLOSED_CLASSES", "Counts", "Sentence", "count_analyses", "prepare", "rule_of"]

Sentence = list[tuple[str, Analysis]]
"""Folded forms with their analyses."""

CLOSED_CLASSES = frozenset(
    ["ADP", "AUX", "CCONJ", "DET", "INTJ", "NUM", "PART", "PRON", "SCONJ", "", "X"]
)
"""Parts of speech without new words, and so without rules."""

_LONGEST_CUT = 8
_SHORTEST_FORM = 3


@dataclass(slots=True)
class Counts:
    """Counts of treebanks.

    Attributes
    ----------
    analyses
        For each form, how often it has each analysis.
    known
        How often each analysis occurs at all.
    rules
        For each ending, how many forms each rule leads to their lemma.
    """

    analyses: dict[str, Counter[Analysis]] = field(default_factory=lambda: defaultdict(Counter))
    known: Counter[Analysis] = field(default_factory=Counter)
    rules: dict[str, Counter[Rule]] = field(default_factory=lambda: defaultdict(Counter))


def prepare(texts: Iterable[TreebankText]) -> list[Sentence]:
    """Return the sentences of treebanks in our spelling, without words that have no lemma."""
    return [
        [
            (form, Analysis(lemma, word.pos))
            for word in sentence
            if (form := fold_word(word.form)) and (lemma := spell_lemma(word.lemma))
        ]
        for text in texts
        for sentence in text.sentences
    ]


def count_analyses(sentences: Iterable[Sentence]) -> Counts:
    """Count analyses and rules."""
    counts = Counts()
    for sentence in sentences:
        for form, analysis in sentence:
            counts.analyses[form][analysis] += 1
    for form, analyses in counts.analyses.items():
        _tag_untagged(analyses)
        counts.known.update(analyses)
        for analysis in analyses:
            for ending, rule in endings_of(form, analysis):
                counts.rules[ending][rule] += 1
    return counts


def endings_of(form: str, analysis: Analysis) -> Iterator[tuple[str, Rule]]:
    """Yield the endings of a form, each with the rule that leads to the lemma."""
    if analysis.pos in CLOSED_CLASSES or len(form) < _SHORTEST_FORM:
        return
    rule = rule_of(form, analysis)
    if rule.cut > _LONGEST_CUT:
        return
    for length in range(max(rule.cut, 1), min(len(form), LONGEST_ENDING) + 1):
        yield form[-length:], rule


def rule_of(form: str, analysis: Analysis) -> Rule:
    """Return the rule that turns a form into its lemma.

    Examples
    --------
    >>> rule_of("siluarum", Analysis("silua", "NOUN"))
    Rule(cut=3, add='', pos='NOUN')
    """
    letters = zip(form, analysis.lemma, strict=False)
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], letters))
    return Rule(len(form) - common, analysis.lemma[common:], analysis.pos)


def _tag_untagged(analyses: Counter[Analysis]) -> None:
    """Give analyses without part of speech the most frequent one of their lemma."""
    for analysis in [a for a in analyses if not a.pos]:
        tagged = [a for a in analyses if a.lemma == analysis.lemma and a.pos]
        if tagged:
            best = max(tagged, key=lambda a: (analyses[a], a))
            analyses[best] += analyses.pop(analysis)
