"""The model of the lemmatizer, and its file format."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from locisimiles.errors import MalformedInputError
from locisimiles.files.arrays import load_arrays, pack_strings, save_arrays, unpack_strings
from locisimiles.latin.guesser import FEATURES, Analysis, Guesser, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["ORIGINS", "LemmaModel", "Origin", "form_hash", "quick_column"]

Origin = Literal["lexicon", "rule", "fallback"]
ORIGINS: tuple[Origin, ...] = ("lexicon", "rule", "fallback")
_FULL = 255


def form_hash(form: str) -> int:
    """Return a 32-bit hash of a form."""
    return zlib.crc32(form.encode("utf-8", "surrogatepass"))


def quick_column(column: NDArray[Any], kind: type[np.generic]) -> memoryview:
    """Return a view of a column that Python indexes much faster than an array."""
    return np.ascontiguousarray(column, kind).data


def _file_key(field: str) -> str:
    """Return the name of a field in files, where an analysis is called *reading*."""
    return field.replace("analysis_", "reading_")


def _column(array: NDArray[np.generic]) -> NDArray[np.generic]:
    if array.ndim != 1 or array.dtype.kind not in "iuf":
        raise ValueError("not a column of numbers")
    return array


def _same_length(*columns: NDArray[Any]) -> bool:
    return len({len(column) for column in columns}) == 1


def _within(size: int, *columns: NDArray[Any]) -> bool:
    return all(not len(c) or bool(c.min() >= 0 and c.max() < size) for c in columns)


def _splits(starts: NDArray[Any], parts: int, total: int) -> bool:
    """Return whether `starts` splits `total` rows into a number of parts."""
    ascending = len(starts) == parts + 1 and bool((np.diff(starts) >= 0).all())
    return ascending and starts[0] == 0 and starts[-1] == total


@dataclass(frozen=True)
class LemmaModel:
    """Forms with their analyses, rules for other forms, and weights for choosing between them.

    The analyses of the form in row ``i`` are rows ``start[i]`` to ``start[i + 1]`` of
    `analysis_lemma`, `analysis_pos` and `analysis_probability` (255 is certain), the most likely
    first. `origin` says where they come from: a treebank (0), rules (1), or the word list of
    simplemma (2).

    `resort_hash` and `resort_lemma` hold lemmas of several hundred thousand forms outside our
    corpora, by a hash of the form: one unknown form in ten thousand is taken for another.
    """

    forms: Sequence[str]
    lemmas: Sequence[str]
    tags: Sequence[str]
    start: NDArray[np.int32]
    analysis_lemma: NDArray[np.int32]
    analysis_pos: NDArray[np.uint8]
    analysis_probability: NDArray[np.uint8]
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
        values = {_file_key(field.name): getattr(self, field.name) for field in fields(self)}
        save_arrays(
            path,
            {
                name: value if isinstance(value, np.ndarray) else pack_strings(value)
                for name, value in values.items()
            },
        )

    @classmethod
    def load(cls, path: Path) -> LemmaModel:
        """Read a model from a file, or raise an InputError."""
        arrays = load_arrays(path)
        values: dict[str, Any] = {}
        try:
            for field in fields(cls):
                array = arrays.pop(_file_key(field.name))
                # The garbage collector ignores tuples of strings, but not lists.
                is_text = field.type == "Sequence[str]"
                values[field.name] = tuple(unpack_strings(array)) if is_text else _column(array)
        except (KeyError, ValueError) as error:
            raise MalformedInputError("latin.no_model", file=str(path)) from error
        model = cls(**values)
        if arrays or not model.is_sound():
            raise MalformedInputError("latin.no_model", file=str(path))
        return model

    def is_sound(self) -> bool:
        """Return whether the columns fit together."""
        analyses, rules = len(self.analysis_lemma), len(self.rule_cut)
        return (
            _same_length(self.analysis_lemma, self.analysis_pos, self.analysis_probability)
            and _same_length(self.known_lemma, self.known_pos, self.known_count)
            and _same_length(self.rule_cut, self.rule_add, self.rule_pos, self.rule_probability)
            and _same_length(self.resort_hash, self.resort_lemma)
            and len(self.origin) == len(self.forms) > 0
            and len(self.ending_total) == len(self.endings)
            and len(self.guess_weights) == len(FEATURES)
            and len(self.context_weights).bit_count() == 1  # a power of two
            and len(self.context_scale) == 1
            and _splits(self.start, len(self.forms), analyses)
            and bool((np.diff(self.start) > 0).all())
            and _splits(self.rule_start, len(self.endings), rules)
            and _within(len(ORIGINS), self.origin)
            and _within(len(self.additions), self.rule_add)
            and _within(len(self.lemmas), self.analysis_lemma, self.known_lemma, self.resort_lemma)
            and _within(len(self.tags), self.analysis_pos, self.known_pos, self.rule_pos)
        )

    @cached_property
    def rows(self) -> dict[str, int]:
        """The row of each form."""
        return dict(zip(self.forms, range(len(self.forms)), strict=True))

    def analyses(self, row: int) -> list[tuple[Analysis, float]]:
        """Return the analyses of the form in a row, with their probabilities."""
        begin, end = int(self.start[row]), int(self.start[row + 1])
        return [
            (
                Analysis(self.lemmas[self.analysis_lemma[i]], self.tags[self.analysis_pos[i]]),
                float(self.analysis_probability[i]) / _FULL,
            )
            for i in range(begin, end)
        ]

    def last_resort(self, form: str) -> str | None:
        """Return the lemma of the word list for a form outside our corpora."""
        key = np.uint32(form_hash(form))  # another type would convert the whole array
        place = int(np.searchsorted(self.resort_hash, key))
        if place == len(self.resort_hash) or self.resort_hash[place] != key:
            return None
        return self.lemmas[int(self.resort_lemma[place])]

    @cached_property
    def guesser(self) -> Guesser:
        """The guesser for other forms."""
        lemmas = [self.lemmas[number] for number in self.known_lemma.tolist()]
        tags = [self.tags[number] for number in self.known_pos.tolist()]
        counts = self.known_count.tolist()
        # Plain tuples equal analyses and are created much faster: there are tens of thousands.
        known = cast(
            "dict[Analysis, int]", dict(zip(zip(lemmas, tags, strict=True), counts, strict=True))
        )
        known_lemmas: dict[str, int] = {}
        for lemma, count in zip(lemmas, counts, strict=True):
            known_lemmas[lemma] = known_lemmas.get(lemma, 0) + count
        return Guesser(_Rules(self), known, known_lemmas, self.rows, self.guess_weights)


_Entry = tuple[float, list[tuple[Rule, float]]]


class _Rules(Mapping[str, _Entry]):
    """The rules of each ending, created when needed."""

    def __init__(self, model: LemmaModel) -> None:
        self._model = model
        self._rows = dict(zip(model.endings, range(len(model.endings)), strict=True))

    def __getitem__(self, ending: str) -> _Entry:
        model, row = self._model, self._rows[ending]
        rows = slice(model.rule_start[row], model.rule_start[row + 1])
        columns = (model.rule_cut, model.rule_add, model.rule_pos, model.rule_probability)
        return float(model.ending_total[row]), [
            (Rule(cut, model.additions[add], model.tags[pos]), probability)
            for cut, add, pos, probability in zip(*(c[rows].tolist() for c in columns), strict=True)
        ]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, ending: object) -> bool:
        return ending in self._rows
