"""What the lemmatizer has learnt, as it is kept in a file."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from locisimiles.arrays import load_arrays, pack_strings, save_arrays, unpack_strings
from locisimiles.errors import MalformedInputError
from locisimiles.latin.guesser import FEATURES, Guesser, Reading, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["ORIGINS", "LemmaModel", "Origin", "form_hash", "quick_column"]

Origin = Literal["lexicon", "rule", "fallback"]
ORIGINS: tuple[Origin, ...] = ("lexicon", "rule", "fallback")
_FULL = 255


def form_hash(form: str) -> int:
    """Return a number of 32 bits that stands for a form."""
    return zlib.crc32(form.encode("utf-8", "surrogatepass"))


def quick_column(column: NDArray[Any], kind: type[np.generic]) -> memoryview:
    """Return a column in which Python finds single numbers much faster than in an array."""
    return np.ascontiguousarray(column, kind).data


def _column(array: NDArray[np.generic]) -> NDArray[np.generic]:
    if array.ndim != 1 or array.dtype.kind not in "iuf":
        raise ValueError("this is no column of numbers")
    return array


def _same_length(*columns: NDArray[Any]) -> bool:
    return len({len(column) for column in columns}) == 1


def _within(column: NDArray[Any], size: int) -> bool:
    return not len(column) or bool(column.min() >= 0 and column.max() < size)


def _splits(starts: NDArray[Any], parts: int, total: int) -> bool:
    """Tell whether `starts` splits `total` rows into so many parts."""
    ascending = len(starts) == parts + 1 and bool((np.diff(starts) >= 0).all())
    return ascending and starts[0] == 0 and starts[-1] == total


@dataclass(frozen=True)
class LemmaModel:
    """Forms with their readings, rules for other forms, and weights for the choice.

    The readings of the form in row ``i`` are rows ``start[i]`` to ``start[i + 1]`` of
    `reading_lemma`, `reading_pos` and `reading_probability` (255 is certain), the likeliest
    first. `origin` says where a form's readings come from: a treebank (0), rules (1), or the word
    list of simplemma (2).

    `resort_hash` and `resort_lemma` hold lemmas for several hundred thousand forms that occur in
    no corpus of ours, by a hash of the form: a form nobody wrote down may, once in ten thousand
    times, be taken for another there.
    """

    forms: Sequence[str]
    lemmas: Sequence[str]
    tags: Sequence[str]
    start: NDArray[np.int32]
    reading_lemma: NDArray[np.int32]
    reading_pos: NDArray[np.uint8]
    reading_probability: NDArray[np.uint8]
    origin: NDArray[np.uint8]
    known_lemma: NDArray[np.int32]
    known_pos: NDArray[np.uint8]
    known_count: NDArray[np.int32]
    endings: Sequence[str]
    ending_total: NDArray[np.float32]
    rule_start: NDArray[np.int32]
    rule_cut: NDArray[np.uint8]
    rule_add: NDArray[np.uint16]
    rule_pos: NDArray[np.uint8]
    rule_probability: NDArray[np.float32]
    additions: Sequence[str]
    resort_hash: NDArray[np.uint32]
    resort_lemma: NDArray[np.int32]
    guess_weights: NDArray[np.float64]
    context_weights: NDArray[np.int8]
    context_scale: NDArray[np.float64]

    def save(self, path: Path) -> None:
        """Write the model to a file."""
        arrays: dict[str, NDArray[np.generic]] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            is_column = isinstance(value, np.ndarray)
            arrays[field.name] = value if is_column else pack_strings(value)
        save_arrays(path, arrays)

    @classmethod
    def load(cls, path: Path) -> LemmaModel:
        """Read a model from a file.

        Raises
        ------
        InputError
            If there is no such file, or it is no model.
        """
        arrays = load_arrays(path)
        problem = "this is no model of the lemmatizer"
        hint = "make one with 'locisimiles train lemmatizer'"
        if arrays.keys() != {field.name for field in fields(cls)}:
            raise MalformedInputError(problem, file=str(path), hint=hint)
        texts = [field.name for field in fields(cls) if field.type == "Sequence[str]"]
        try:
            model = cls(
                **{
                    # Tuples of strings are no work for the garbage collector; lists always are.
                    name: tuple(unpack_strings(array)) if name in texts else _column(array)  # type: ignore[arg-type]
                    for name, array in arrays.items()
                }
            )
        except ValueError as error:
            raise MalformedInputError(problem, file=str(path), hint=hint) from error
        if not model.is_sound():
            raise MalformedInputError(
                f"{problem}: its columns contradict each other", file=str(path), hint=hint
            )
        return model

    def is_sound(self) -> bool:
        """Tell whether all that refers to something refers to something that is there."""
        lemmas, tags = len(self.lemmas), len(self.tags)
        readings, rules = len(self.reading_lemma), len(self.rule_cut)
        return (
            _same_length(self.reading_lemma, self.reading_pos, self.reading_probability)
            and _same_length(self.known_lemma, self.known_pos, self.known_count)
            and _same_length(self.rule_cut, self.rule_add, self.rule_pos, self.rule_probability)
            and _same_length(self.resort_hash, self.resort_lemma)
            and len(self.origin) == len(self.forms) > 0
            and len(self.ending_total) == len(self.endings)
            and len(self.guess_weights) == len(FEATURES)
            and len(self.context_weights).bit_count() == 1  # a power of two
            and len(self.context_scale) == 1
            and _splits(self.start, len(self.forms), readings)
            and bool((np.diff(self.start) > 0).all())
            and _splits(self.rule_start, len(self.endings), rules)
            and _within(self.origin, len(ORIGINS))
            and _within(self.rule_add, len(self.additions))
            and all(
                _within(column, lemmas)
                for column in (self.reading_lemma, self.known_lemma, self.resort_lemma)
            )
            and all(
                _within(column, tags)
                for column in (self.reading_pos, self.known_pos, self.rule_pos)
            )
        )

    @cached_property
    def rows(self) -> dict[str, int]:
        """The row of each form."""
        return dict(zip(self.forms, range(len(self.forms)), strict=True))

    def readings(self, row: int) -> list[tuple[Reading, float]]:
        """Return the readings of the form in a row, with their probabilities."""
        begin, end = int(self.start[row]), int(self.start[row + 1])
        return [
            (
                Reading(self.lemmas[self.reading_lemma[i]], self.tags[self.reading_pos[i]]),
                float(self.reading_probability[i]) / _FULL,
            )
            for i in range(begin, end)
        ]

    def last_resort(self, form: str) -> str | None:
        """Return the lemma a word list has for a form that occurs nowhere."""
        key = np.uint32(form_hash(form))  # of the array's own type, or all of it is converted
        place = int(np.searchsorted(self.resort_hash, key))
        if place == len(self.resort_hash) or self.resort_hash[place] != key:
            return None
        return self.lemmas[int(self.resort_lemma[place])]

    @cached_property
    def guesser(self) -> Guesser:
        """What makes up readings for other forms."""
        lemmas = [self.lemmas[number] for number in self.known_lemma.tolist()]
        tags = [self.tags[number] for number in self.known_pos.tolist()]
        counts = self.known_count.tolist()
        # Pairs are equal to readings and made much faster: there are tens of thousands.
        known = cast(
            "dict[Reading, int]", dict(zip(zip(lemmas, tags, strict=True), counts, strict=True))
        )
        known_lemmas: dict[str, int] = {}
        for lemma, count in zip(lemmas, counts, strict=True):
            known_lemmas[lemma] = known_lemmas.get(lemma, 0) + count
        return Guesser(_Rules(self), known, known_lemmas, self.rows, self.guess_weights)


_Entry = tuple[float, list[tuple[Rule, float]]]


class _Rules(Mapping[str, _Entry]):
    """The rules of each ending, made when they are asked for."""

    def __init__(self, model: LemmaModel) -> None:
        self._rows = dict(zip(model.endings, range(len(model.endings)), strict=True))
        self._totals = quick_column(model.ending_total, np.float32)
        self._bounds = quick_column(model.rule_start, np.int32)
        self._probabilities = quick_column(model.rule_probability, np.float32)
        # Endings have the same few thousand rules: each is made once, with a number to find it by.
        self._cut_add_pos = quick_column(
            model.rule_cut.astype(np.int64) << 32
            | model.rule_add.astype(np.int64) << 8
            | model.rule_pos,
            np.int64,
        )
        self._additions, self._tags = model.additions, model.tags
        self._rules: dict[int, Rule] = {}

    def __getitem__(self, ending: str) -> _Entry:
        row = self._rows[ending]
        own = slice(self._bounds[row], self._bounds[row + 1])
        rules = map(self._rule, self._cut_add_pos[own].tolist())
        probabilities = self._probabilities[own].tolist()
        return self._totals[row], list(zip(rules, probabilities, strict=True))

    def _rule(self, number: int) -> Rule:
        rule = self._rules.get(number)
        if rule is None:
            add, pos = self._additions[(number >> 8) & 0xFFFFFF], self._tags[number & 0xFF]
            rule = self._rules[number] = Rule(number >> 32, add, pos)
        return rule

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, ending: object) -> bool:
        return ending in self._rows
