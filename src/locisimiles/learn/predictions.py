"""What cross-encoders think of pairs of folds that they have not seen, recorded in a file.

To learn how much a cross-encoder counts, and to measure what came out, it must be asked about folds
it was not trained on: one is trained for each fold that may be left out, and one for each two. That
needs a GPU, so their answers are kept: `OpinionsWanted` finds out what will be asked,
`locisimiles train opinions` trains and asks, and `OpinionBook` knows the answers.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from locisimiles.arrays import load_arrays, pack_strings, save_arrays, unpack_strings
from locisimiles.classify.cross_encoder import softmax
from locisimiles.errors import MalformedInputError, ParameterError
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.classify.base import Classifier
    from locisimiles.corpus import Document
    from locisimiles.progress import Progress

__all__ = ["OpinionBook", "Opinions", "OpinionsWanted", "RecordedOpinions", "left_out_sets"]

_NOTHING = -1


def left_out_sets(folds: Sequence[int]) -> list[tuple[int, ...]]:
    """Return which folds the cross-encoders have not seen: none, each, and each two.

    Examples
    --------
    >>> left_out_sets([0, 1, 2])
    [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    """
    return [chosen for size in range(3) for chosen in combinations(sorted(folds), size)]


class Opinions(Protocol):
    """Cross-encoders that have not seen some folds."""

    def without(self, folds: Collection[int]) -> Classifier:
        """Return the one that has not seen these folds."""


@dataclass(frozen=True, slots=True, eq=False)
class RecordedOpinions:
    """The answers of one cross-encoder, by the names of the segments.

    Attributes
    ----------
    query, source
        The places of segments in the record.
    key
        Pairs of places, in ascending order.
    chances
        What was answered: probabilities of no match, *cit.* and *cf.*
    """

    query: Mapping[str, int]
    source: Mapping[str, int]
    key: NDArray[np.int64]
    chances: NDArray[np.float32]

    def parameters(self) -> Mapping[str, object]:
        """Return what it is, for manifests."""
        digest = hashlib.sha256(self.key.tobytes() + self.chances.tobytes()).hexdigest()
        return {"classifier": "recorded cross-encoder", "answers_sha256": digest}

    def probabilities(
        self,
        query: Document,
        source: Document,
        pairs_query: NDArray[np.integer[Any]],
        pairs_source: NDArray[np.integer[Any]],
        *,
        progress: Progress = silent,
    ) -> NDArray[np.float32]:
        """Return the recorded probabilities, a row a pair; NaN where nothing was asked."""
        progress("looking up opinions", 0, 1)
        asked, given = (
            np.array([places.get(name, _NOTHING) for name in document.ids], np.int64)
            for places, document in ((self.query, query), (self.source, source))
        )
        at_query, at_source = asked[pairs_query], given[pairs_source]
        wanted = at_query * len(self.source) + at_source
        place = np.minimum(np.searchsorted(self.key, wanted), max(len(self.key) - 1, 0))
        found = np.full((len(wanted), 3), np.nan, np.float32)
        if len(self.key):
            known = (self.key[place] == wanted) & (at_query >= 0) & (at_source >= 0)
            found[known] = self.chances[place[known]]
        return found


@dataclass(frozen=True, slots=True, eq=False)
class OpinionBook:
    """All answers, by the folds that a cross-encoder has not seen."""

    records: Mapping[tuple[int, ...], RecordedOpinions]

    def without(self, folds: Collection[int]) -> RecordedOpinions:
        """Return what the cross-encoder that has not seen these folds answered.

        Raises
        ------
        ParameterError
            If there is none.
        """
        wanted = tuple(sorted(folds))
        if wanted not in self.records:
            raise ParameterError(
                f"there are no opinions of one who has not seen the folds {wanted}",
                hint="make them for this set: locisimiles train opinions",
            )
        return self.records[wanted]

    @classmethod
    def of_logits(
        cls,
        query_ids: Sequence[str],
        source_ids: Sequence[str],
        answers: Mapping[tuple[int, ...], tuple[NDArray[Any], NDArray[Any], NDArray[Any]]],
    ) -> OpinionBook:
        """Record answers: for each cross-encoder, positions of both segments, and logits."""
        query, source = (
            {name: at for at, name in enumerate(names)} for names in (query_ids, source_ids)
        )
        records = {}
        for folds, (asked, given, logits) in answers.items():
            key = asked.astype(np.int64) * len(source) + given
            order = np.argsort(key, kind="stable")
            chances = softmax(logits.astype(np.float32)[order])
            records[folds] = RecordedOpinions(query, source, key[order], chances)
        return cls(records)

    def save(self, path: Path) -> None:
        """Write everything to a ``.npz`` file.

        Raises
        ------
        OutputError
            If it cannot be written.
        """
        some = next(iter(self.records.values()))
        arrays: dict[str, NDArray[Any]] = {}
        for name, places in (("query", some.query), ("source", some.source)):
            arrays[name] = pack_strings(list(places))
        sets = list(self.records)
        arrays["left_out"] = np.array(
            [[*own, *[_NOTHING] * (2 - len(own))] for own in sets], np.int64
        )
        for number, own in enumerate(sets):
            record = self.records[own]
            arrays[f"key_{number}"] = record.key
            arrays[f"chances_{number}"] = record.chances.astype(np.float16)
        save_arrays(path, arrays, effort=3)

    @classmethod
    def load(cls, path: Path) -> OpinionBook:
        """Read what `save` wrote.

        Raises
        ------
        InputError
            If it cannot be read, or is something else.
        """
        arrays = load_arrays(path)
        try:
            query, source = (
                {name: at for at, name in enumerate(unpack_strings(arrays[side]))}
                for side in ("query", "source")
            )
            records = {
                tuple(fold for fold in row if fold != _NOTHING): RecordedOpinions(
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
            raise MalformedInputError(
                "this is no record of opinions",
                file=str(path),
                hint="make one with: locisimiles train opinions",
            )
        return cls(records)


@dataclass(frozen=True, slots=True, eq=False)
class OpinionsWanted:
    """Finds out what cross-encoders will be asked: it notes the pairs, and answers nothing."""

    pairs: dict[tuple[int, ...], set[tuple[str, str]]] = field(default_factory=dict)

    def without(self, folds: Collection[int]) -> _Noting:
        """Return what notes pairs for the cross-encoder that has not seen these folds."""
        return _Noting(self.pairs.setdefault(tuple(sorted(folds)), set()))


@dataclass(frozen=True, slots=True, eq=False)
class _Noting:
    noted: set[tuple[str, str]]

    def parameters(self) -> Mapping[str, object]:
        """Return what it is."""
        return {"classifier": "none yet"}

    def probabilities(
        self,
        query: Document,
        source: Document,
        pairs_query: NDArray[np.integer[Any]],
        pairs_source: NDArray[np.integer[Any]],
        *,
        progress: Progress = silent,
    ) -> NDArray[np.float32]:
        """Note pairs; each class is as probable as the others."""
        progress("noting pairs", 0, 1)
        self.noted.update(
            (query.ids[asked], source.ids[given])
            for asked, given in zip(pairs_query.tolist(), pairs_source.tolist(), strict=True)
        )
        return np.full((len(pairs_query), 3), 1 / 3, np.float32)
