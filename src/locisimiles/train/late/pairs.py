"""Pairs made by ourselves: words of a source, changed and carried into a sentence of another text.

No reference that anybody has noted is used, so that what is learnt from them may be measured on all
of them.
"""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from locisimiles.train.late.alterations import WordChoices

__all__ = ["MadePair", "PairSettings", "make_pairs"]

_TRIES = 20
_AROUND = 18
_NOISE = 3.0


@dataclass(frozen=True, slots=True)
class PairSettings:
    """How pairs are made.

    Attributes
    ----------
    shortest, longest
        How many words of the source are carried over.
    dropped
        The chance that a word of the span is left out.
    inflected, replaced
        The greatest chance that a word gets another form, and that another word of like meaning
        takes its place; each pair draws its own chances between 0 and these.
    shuffled, mixed
        The chance that the order changes, and that words of the new context come in between.
    alone
        The chance that the span stands for itself, without a context.
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
        chances = (self.dropped, self.inflected, self.replaced, self.shuffled, self.mixed)
        if not 1 <= self.shortest <= self.longest:
            raise ParameterError(f"spans of {self.shortest} to {self.longest} words make no sense")
        if not all(0 <= chance <= 1 for chance in (*chances, self.alone)):
            raise ParameterError("chances are between 0 and 1")

    def as_dict(self) -> dict[str, float]:
        """Return the settings by name, for files."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class MadePair:
    """A sentence that alludes to a source.

    Attributes
    ----------
    words
        The sentence.
    source
        The source's place among the sources.
    """

    words: tuple[str, ...]
    source: int


def make_pairs(
    sources: Sequence[Sequence[str]],
    contexts: Sequence[Sequence[str]],
    choices: WordChoices,
    common: Collection[str],
    *,
    count: int,
    settings: PairSettings | None = None,
    seed: int = 0,
) -> list[MadePair]:
    """Make pairs.

    Parameters
    ----------
    sources, contexts
        Sentences as folded words, with stops as words of their own.
    choices
        Other forms and words.
    common
        Words that do not make a reference: function words and stops.
    count
        How many pairs.
    settings
        How much is changed.
    seed
        The same seed makes the same pairs.

    Raises
    ------
    ParameterError
        If no source has two words that could make a reference.
    """
    settings = settings or PairSettings()
    rng = random.Random(seed)  # noqa: S311 - nothing secret
    made: list[MadePair] = []
    misses = 0
    while len(made) < count:
        source = rng.randrange(len(sources)) if sources else 0
        span = _span(sources[source], common, settings, rng) if sources else []
        if not span:
            misses += 1
            if misses > _TRIES * (count + len(sources)):
                raise ParameterError("the sources have no two words that could be alluded to")
            continue
        carried = _altered(span, choices, common, settings, rng)
        context = rng.choice(contexts) if contexts and rng.random() >= settings.alone else ()
        made.append(MadePair(tuple(_set_into(carried, context, settings, rng)), source))
    return made


def _span(
    words: Sequence[str], common: Collection[str], settings: PairSettings, rng: random.Random
) -> list[str]:
    """Draw words that stand together, two of them at least more than function words."""
    length = rng.randint(settings.shortest, settings.longest)
    begin = rng.randint(0, max(len(words) - length, 0))
    drawn = list(words[begin : begin + length])
    return drawn if sum(word not in common for word in drawn) >= 2 else []  # noqa: PLR2004


def _altered(
    span: Sequence[str],
    choices: WordChoices,
    common: Collection[str],
    settings: PairSettings,
    rng: random.Random,
) -> list[str]:
    """Change forms, words and order, each pair in its own measure."""
    inflected = rng.random() * settings.inflected
    replaced = rng.random() * settings.replaced
    kept = []
    for word in span:
        if word not in choices.lemma:  # a stop
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


def _set_into(
    carried: Sequence[str], context: Sequence[str], settings: PairSettings, rng: random.Random
) -> list[str]:
    """Set words into a sentence, perhaps with some of its words in between."""
    if not context:
        return list(carried)
    place = rng.randint(0, len(context))
    before, after = list(context[max(place - _AROUND, 0) : place]), list(context[place:])
    between: list[str] = []
    mixed = rng.random() < settings.mixed
    for word in carried:
        between.append(word)
        while mixed and after and rng.random() < 0.3:  # noqa: PLR2004 - every third word
            between.append(after.pop(0))
    return [*before, *between, *after[:_AROUND]]
