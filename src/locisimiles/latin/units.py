"""The input of our encoder: folded words, enclitics and stops, with their spans in the text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from locisimiles.latin.orthography import fold_word
from locisimiles.latin.tokens import tokenize_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Unit", "text_units"]

_STOPS = frozenset(".,;:!?")


class Unit(NamedTuple):
    """A folded word or enclitic, or a stop, and its span in the original text."""

    text: str
    start: int
    end: int

    @property
    def is_stop(self) -> bool:
        """Whether it is punctuation."""
        return self.text in _STOPS


def text_units(texts: Sequence[str]) -> Iterator[list[Unit]]:
    """Yield the units of each text.

    Examples
    --------
    >>> [unit.text for unit in next(text_units(["Arma virumque, cano 12!"]))]
    ['arma', 'uirum', 'que', ',', 'cano', '!']
    """
    table = tokenize_all(texts)
    bounds = table.bounds.tolist()
    words, starts, ends = table.word.tolist(), table.start.tolist(), table.end.tolist()
    folded = {word: fold_word(table.vocabulary[word]) for word in set(words)}
    for number, text in enumerate(texts):
        units: list[Unit] = []
        last_end = 0
        for token in range(bounds[number], bounds[number + 1]):
            start, end = starts[token], ends[token]
            if start - last_end > 1 or (start > last_end and text[last_end] != " "):
                units += _stops(text, last_end, start)
            last_end = end
            word = folded[words[token]]
            if not word.isdigit():
                units.append(Unit(word, start, end))
        units += _stops(text, last_end, len(text))
        yield units


def _stops(text: str, start: int, end: int) -> list[Unit]:
    """Return the stops between two words."""
    return [Unit(text[i], i, i + 1) for i in range(start, end) if text[i] in _STOPS]
