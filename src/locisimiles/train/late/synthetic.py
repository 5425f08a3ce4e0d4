"""Synthetic pairs: words of a source, altered and inserted into a sentence of another text.

They use no reference of any scholar, so that models trained on them can be measured on all
references.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.checks import check_at_least, check_between
from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from locisimiles.train.late.alterations import WordChoices

__all__ = ["PairSettings", "SyntheticPair", "make_synthetic_pairs"]

_TRIES = 20
_AROUND = 18
_NOISE = 3.0
_FEWEST_CONTENT_WORDS = 2
_MIXED_IN = 0.3


@dataclass(frozen=True, slots=True)
class PairSettings:
    """How synthetic pairs are made.

    Attributes
    ----------
    shortest, longest
        Length of the span that is taken from the source, in words.
    dropped
        Probability that a word of the span is dropped.
    inflected, replaced
        Highest probabilities that a word gets another form, or is replaced by a synonym; each pair
        draws its own between 0 and these.
    shuffled, mixed
        Probabilities that the order changes, and that words of the context come in between.
    alone
        Probability that the span has no context.
    """

    shortest: int = 2
    longest: int = 9
    dropped: float = 0.15
    inflected: float = 0.8
    replaced: float = 0.6
    shuffled: float = 0.6
    mixed: float = 0.5
    alone: float = 0.05

    def __post_init__(self) -> None:
        check_at_least(1, shortest=self.shortest)
        check_at_least(self.shortest, longest=self.longest)
        for name in ("dropped", "inflected", "replaced", "shuffled", "mixed", "alone"):
            check_between(0, 1, **{name: getattr(self, name)})


@dataclass(frozen=True, slots=True)
class SyntheticPair:
    """The words of a sentence that alludes to a source, and the source's position."""

    words: tuple[str, ...]
    source: int


def make_synthetic_pairs(
    sources: Sequence[Sequence[str]],
    contexts: Sequence[Sequence[str]],
    choices: WordChoices,
    common: Collection[str],
    *,
    count: int,
    settings: PairSettings | None = None,
    seed: int = 0,
) -> list[SyntheticPair]:
    """Make `count` synthetic pairs.

    `sources` and `contexts` are sentences as folded words and punctuation. `choices` are other
    forms and synonyms, `common` words that make no reference, as `common_words` returns them.
    """
    settings = settings or PairSettings()
    rng = random.Random(seed)  # noqa: S311 - nothing secret
    pairs: list[SyntheticPair] = []
    misses = 0
    while len(pairs) < count:
        source = rng.randrange(len(sources)) if sources else 0
        span = _span(sources[source], common, settings, rng) if sources else []
        if not span:
            misses += 1
            if misses > _TRIES * (count + len(sources)):
                raise ParameterError("train.no_span")
            continue
        carried = _altered(span, choices, common, settings, rng)
        context = rng.choice(contexts) if contexts and rng.random() >= settings.alone else ()
        pairs.append(SyntheticPair(tuple(_insert(carried, context, settings, rng)), source))
    return pairs


def _span(
    words: Sequence[str], common: Collection[str], settings: PairSettings, rng: random.Random
) -> list[str]:
    """Draw consecutive words; none if fewer than two of them are content words."""
    length = rng.randint(settings.shortest, settings.longest)
    begin = rng.randint(0, max(len(words) - length, 0))
    span = list(words[begin : begin + length])
    return span if sum(word not in common for word in span) >= _FEWEST_CONTENT_WORDS else []


def _altered(
    span: Sequence[str],
    choices: WordChoices,
    common: Collection[str],
    settings: PairSettings,
    rng: random.Random,
) -> list[str]:
    """Change forms, words and order; each pair draws its own probabilities."""
    inflected = rng.random() * settings.inflected
    replaced = rng.random() * settings.replaced
    kept = []
    for word in span:
        if word not in choices.lemma:  # punctuation
            kept.append(word)
        elif word in common:
            if rng.random() >= 2 * settings.dropped:
                kept.append(word)
        elif rng.random() < replaced:
            kept.append(choices.synonym(word, rng))
        elif rng.random() < inflected:
            kept.append(choices.inflected(word, rng))
        elif rng.random() >= settings.dropped:
            kept.append(word)
    if rng.random() < settings.shuffled:
        keys = [place + rng.uniform(0, _NOISE) for place in range(len(kept))]
        kept = [word for _, word in sorted(zip(keys, kept, strict=True))]
    return kept or list(span)


def _insert(
    carried: Sequence[str], context: Sequence[str], settings: PairSettings, rng: random.Random
) -> list[str]:
    """Insert words into a sentence, perhaps with some of its words in between."""
    if not context:
        return list(carried)
    place = rng.randint(0, len(context))
    before, after = list(context[max(place - _AROUND, 0) : place]), list(context[place:])
    between: list[str] = []
    mixed = rng.random() < settings.mixed
    for word in carried:
        between.append(word)
        while mixed and after and rng.random() < _MIXED_IN:
            between.append(after.pop(0))
    return [*before, *between, *after[:_AROUND]]
