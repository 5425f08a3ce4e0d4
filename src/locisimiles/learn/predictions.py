"""Held-out predictions of cross-encoders, recorded in a file.

To learn the weight of a cross-encoder, and to measure the result, it must judge folds it was not
trained on: a network is trained without each fold, and without each two. That takes a GPU, so their
predictions are recorded: `WantedPredictions` collects the pairs that will be needed,
``locisimiles train predictions`` trains and predicts, and `PredictionBook` holds the predictions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from locisimiles.classify.calibration import Calibration
from locisimiles.classify.logistic import softmax
from locisimiles.errors import MalformedInputError, ParameterError
from locisimiles.files.arrays import load_arrays, pack_strings, save_arrays, unpack_strings
from locisimiles.files.hashing import sha256_of
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.classify.base import Classifier, Pairs
    from locisimiles.progress import Progress

__all__ = [
    "HeldOutPredictions",
    "PredictionBook",
    "RecordedPredictions",
    "WantedPredictions",
    "left_out_sets",
]

_NONE = -1


def left_out_sets(folds: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the folds that each cross-encoder is trained without: none, one or two.

    Examples
    --------
    >>> left_out_sets([0, 1, 2])
    [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    """
    return [chosen for size in range(3) for chosen in combinations(sorted(folds), size)]


class HeldOutPredictions(Protocol):
    """Cross-encoders that were trained without some folds."""

    def without(self, folds: Collection[int]) -> Classifier:
        """Return the cross-encoder trained without these folds."""


@dataclass(frozen=True, slots=True, eq=False)
class RecordedPredictions:
    """The predictions of one cross-encoder, by the ids of segments.

    `query` and `source` number the segments; `key` has the pairs, as query number × number of
    sources + source number, ascending; `chances` has the probabilities of the classes.
    """

    query: Mapping[str, int]
    source: Mapping[str, int]
    key: NDArray[np.int64]
    chances: NDArray[np.float32]
    calibration: Calibration = field(default_factory=Calibration)

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        digest = sha256_of([self.key.tobytes(), self.chances.tobytes()])
        return {"classifier": "recorded cross-encoder", "answers_sha256": digest}

    def probabilities(self, pairs: Pairs, *, progress: Progress = silent) -> NDArray[np.float32]:
        """Return the recorded probabilities, a row per pair; NaN for unknown pairs."""
        progress("looking up predictions", 0, 1)
        queries, sources = (
            np.array([numbers.get(segment_id, _NONE) for segment_id in document.ids], np.int64)
            for numbers, document in ((self.query, pairs.query), (self.source, pairs.source))
        )
        of_query, of_source = queries[pairs.query_rows], sources[pairs.source_rows]
        wanted = of_query * len(self.source) + of_source
        place = np.minimum(np.searchsorted(self.key, wanted), max(len(self.key) - 1, 0))
        chances = np.full((len(wanted), 3), np.nan, np.float32)
        if len(self.key):
            known = (self.key[place] == wanted) & (of_query >= 0) & (of_source >= 0)
            chances[known] = self.chances[place[known]]
        return chances


@dataclass(frozen=True, slots=True, eq=False)
class PredictionBook:
    """The predictions of all cross-encoders, by the folds they were trained without."""

    records: Mapping[tuple[int, ...], RecordedPredictions]

    def without(self, folds: Collection[int]) -> RecordedPredictions:
        """Return the predictions of the cross-encoder trained without these folds.

        Raises
        ------
        ParameterError
            If there are none.
        """
        wanted = tuple(sorted(folds))
        if wanted not in self.records:
            raise ParameterError("learn.no_predictions", folds=", ".join(map(str, wanted)))
        return self.records[wanted]

    @classmethod
    def of_logits(
        cls,
        query_ids: Sequence[str],
        source_ids: Sequence[str],
        answers: Mapping[tuple[int, ...], tuple[NDArray[Any], NDArray[Any], NDArray[Any]]],
    ) -> PredictionBook:
        """Record the pairs (positions of both segments) and logits of each cross-encoder."""
        query, source = _numbers(query_ids), _numbers(source_ids)
        records = {}
        for folds, (query_rows, source_rows, logits) in answers.items():
            key = query_rows.astype(np.int64) * len(source) + source_rows
            order = np.argsort(key, kind="stable")
            chances = softmax(logits.astype(np.float32)[order])
            records[folds] = RecordedPredictions(query, source, key[order], chances)
        return cls(records)

    def save(self, path: Path) -> None:
        """Write all predictions to a ``.npz`` file.

        Raises
        ------
        OutputError
            If it cannot be written.
        """
        some = next(iter(self.records.values()))
        left_out = [[*folds, *[_NONE] * (2 - len(folds))] for folds in self.records]
        arrays: dict[str, NDArray[Any]] = {
            "query": pack_strings(list(some.query)),
            "source": pack_strings(list(some.source)),
            "left_out": np.array(left_out, np.int64),
        }
        for number, record in enumerate(self.records.values()):
            arrays[f"key_{number}"] = record.key
            arrays[f"chances_{number}"] = record.chances.astype(np.float16)
        save_arrays(path, arrays, effort=3)

    @classmethod
    def load(cls, path: Path) -> PredictionBook:
        """Read predictions that `save` wrote.

        Raises
        ------
        InputError
            If the file cannot be read, or holds something else.
        """
        arrays = load_arrays(path)
        try:
            query, source = (_numbers(unpack_strings(arrays[s])) for s in ("query", "source"))
            records = {
                tuple(fold for fold in row if fold != _NONE): RecordedPredictions(
                    query,
                    source,
                    arrays[f"key_{number}"].astype(np.int64),
                    arrays[f"chances_{number}"].astype(np.float32),
                )
                for number, row in enumerate(arrays["left_out"].tolist())
            }
            whole = all(own.chances.shape == (len(own.key), 3) for own in records.values())
        except (KeyError, ValueError, TypeError, IndexError):
            whole, records = False, {}
        if not whole:
            raise MalformedInputError("learn.no_prediction_file", file=str(path))
        return cls(records)


def _numbers(ids: Sequence[str]) -> dict[str, int]:
    return {segment_id: number for number, segment_id in enumerate(ids)}


@dataclass(frozen=True, slots=True, eq=False)
class WantedPredictions:
    """Collects the pairs that cross-encoders must judge, and predicts nothing."""

    pairs: dict[tuple[int, ...], set[tuple[str, str]]] = field(default_factory=dict)

    def without(self, folds: Collection[int]) -> _Collector:
        """Return a classifier that collects pairs for the cross-encoder without these folds."""
        return _Collector(self.pairs.setdefault(tuple(sorted(folds)), set()))


@dataclass(frozen=True, slots=True, eq=False)
class _Collector:
    collected: set[tuple[str, str]]
    calibration: Calibration = field(default_factory=Calibration)

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        return {"classifier": "none yet"}

    def probabilities(self, pairs: Pairs, *, progress: Progress = silent) -> NDArray[np.float32]:
        """Collect pairs; all classes are equally probable."""
        progress("collecting pairs", 0, 1)
        self.collected.update(pairs.ids)
        return np.full((len(pairs), 3), 1 / 3, np.float32)
