"""Word vectors, with subwords for unknown words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from locisimiles.checks import check_between, check_equal_lengths
from locisimiles.errors import MalformedInputError, ParameterError
from locisimiles.files.arrays import load_arrays, pack_strings, save_arrays, unpack_strings
from locisimiles.files.hashing import sha256_of
from locisimiles.latin.conventions import spell_lemma
from locisimiles.models.subwords import subword_means

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

__all__ = ["Rows", "Subwords", "WordVectors", "shipped_vectors", "unit_length"]

_HIGHEST = 127
_FORMAT = 1


@dataclass(frozen=True, eq=False)
class Rows:
    """Vectors, one a row: ``float32``, or ``int8`` with a factor for each row in `scales`.

    Examples
    --------
    >>> rows = Rows(np.array([[1.0, -0.5], [0.0, 0.0]], np.float32)).rounded()
    >>> rows.values.tolist(), rows.at(np.array([0])).round(2).tolist()
    ([[127, -64], [0, 0]], [[1.0, -0.5]])
    """

    values: NDArray[np.float32] | NDArray[np.int8]
    scales: NDArray[np.float32] | None = None

    def __post_init__(self) -> None:
        expected = np.float32 if self.scales is None else np.int8
        if self.values.ndim != 2 or self.values.dtype != expected:  # noqa: PLR2004 - a matrix
            raise ParameterError("models.no_matrix", expected=np.dtype(expected).name)
        if self.scales is not None:
            check_equal_lengths(values=self.values, scales=self.scales)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return int(self.values.shape[1])

    def at(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return some of the vectors as float32."""
        values = np.asarray(self.values[rows], np.float32)
        return values if self.scales is None else values * self.scales[rows, None]

    def all(self) -> NDArray[np.float32]:
        """Return all vectors as float32."""
        return self.at(np.arange(len(self)))

    def rounded(self) -> Rows:
        """Return these vectors as int8, each row in steps of 1/127 of its largest number."""
        if self.scales is not None:
            return self
        values = np.asarray(self.values, np.float32)
        scales = np.abs(values).max(axis=1, initial=0) / np.float32(_HIGHEST)
        steps = values / np.where(scales > 0, scales, 1)[:, None]
        return Rows(np.rint(steps).astype(np.int8), scales.astype(np.float32))


@dataclass(frozen=True, eq=False)
class Subwords:
    """Vectors of n-grams, of which those of unknown words are made, as in fastText.

    An n-gram has `shortest` to `longest` characters; its hash is its row in `buckets`.
    """

    buckets: Rows
    shortest: int
    longest: int

    def __post_init__(self) -> None:
        check_between(1, self.longest, shortest=self.shortest)
        if not len(self.buckets):
            raise ParameterError("models.no_buckets")

    def vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the means of the n-grams of words."""
        # Rounded buckets are few and can be converted; others are not copied.
        rounded = self.buckets.scales is not None
        matrix = self.buckets.all() if rounded else np.asarray(self.buckets.values, np.float32)
        return subword_means(words, matrix, self.shortest, self.longest)


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Words with their vectors.

    Attributes
    ----------
    words
        The words, as the model spells them. Where two have the same folded spelling (*vir* and
        *uir*), the first counts, which in most files is the commoner.
    rows
        Their vectors.
    subwords
        For unknown words; without them, those have no vector.

    Examples
    --------
    >>> vectors = WordVectors.from_matrix(["vox", "os"], np.array([[3, 4], [0, 2]], np.float32))
    >>> vectors.unit(["uox", "os", "fauces"])
    array([[0.6, 0.8],
           [0. , 1. ],
           [0. , 0. ]], dtype=float32)
    """

    words: tuple[str, ...]
    rows: Rows
    subwords: Subwords | None = None

    def __post_init__(self) -> None:
        check_equal_lengths(words=self.words, rows=self.rows)
        if self.subwords and self.subwords.buckets.dimensions != self.rows.dimensions:
            raise ParameterError("models.unequal_dimensions")

    @classmethod
    def from_matrix(
        cls, words: Sequence[str], matrix: NDArray[np.float32], subwords: Subwords | None = None
    ) -> WordVectors:
        """Return word vectors with the rows of a matrix."""
        return cls(tuple(words), Rows(matrix), subwords)

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.row(word) >= 0

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return self.rows.dimensions

    def row(self, word: str) -> int:
        """Return the row of a word, folded if need be; -1 if it is unknown."""
        row = self._rows.get(word)
        return self._folded_rows.get(spell_lemma(word), -1) if row is None else row

    def unit(self, words: Sequence[str], *, use_subwords: bool = True) -> NDArray[np.float32]:
        """Return the vectors of words, each of length 1, or zeros for those that have none.

        With `use_subwords`, unknown words get the mean of their n-grams, if there are any.
        """
        rows = np.fromiter(map(self.row, words), np.int64, len(words))
        vectors = np.zeros((len(words), self.dimensions), np.float32)
        known = np.flatnonzero(rows >= 0)
        vectors[known] = self.rows.at(rows[known])
        unknown = np.flatnonzero(rows < 0)
        if use_subwords and self.subwords and len(unknown):
            vectors[unknown] = self.subwords.vectors([words[place] for place in unknown.tolist()])
        return unit_length(vectors)

    def similarity(self, one: str, other: str) -> float:
        """Return the cosine of two words; 0 if one of them has no vector."""
        first, second = self.unit([one, other])
        return float(first @ second)

    def neighbours(self, word: str, k: int = 10) -> list[tuple[str, float]]:
        """Return the `k` words with the nearest vectors, with their cosines, nearest first."""
        cosines = self._unit_rows @ self.unit([word])[0]
        own = self.row(word)
        order = np.argsort(-cosines, kind="stable")[: k + 1].tolist()
        return [(self.words[row], float(cosines[row])) for row in order if row != own][:k]

    def compact(self, most: int | None = None) -> WordVectors:
        """Return these vectors as int8, only those of the first `most` words if given."""
        whole = self._with_rows(Rows.rounded)
        scales = None if whole.rows.scales is None else whole.rows.scales[:most]
        return replace(whole, words=self.words[:most], rows=Rows(whole.rows.values[:most], scales))

    def centred(self, components: int = 2) -> WordVectors:
        r"""Return these vectors without what they all have in common.

        Learnt vectors share a direction, and those of rare words have little else, so that they
        seem similar to everything. Their mean :math:`\mu` and main directions :math:`u_i` are
        removed (Mu and Viswanath 2018):

        .. math:: v' = (v - \mu) - \sum_i \bigl(u_i \cdot (v - \mu)\bigr)\, u_i

        where `components` is the number of directions.

        Examples
        --------
        >>> matrix = np.array([[9, 1], [9, -1], [9, 0]], np.float32)
        >>> WordVectors.from_matrix(["a", "b", "c"], matrix).centred(0).similarity("a", "b")
        -1.0
        """
        check_between(0, self.dimensions - 1, components=components)
        values = self.rows.all()
        mean = values.mean(axis=0, dtype=np.float64)
        spread = values - mean
        _, directions = np.linalg.eigh(spread.T @ spread)  # in ascending order
        main = directions[:, self.dimensions - components :]
        kept = np.eye(self.dimensions) - main @ main.T

        def moved(rows: Rows) -> Rows:
            vectors = rows.all()
            result = (vectors - mean) @ kept
            result[~vectors.any(axis=1)] = 0  # a vector that was never learnt stays zero
            return Rows(result.astype(np.float32))

        # The mean of moved vectors is the moved mean, so that words made of n-grams still fit.
        return self._with_rows(moved)

    def _with_rows(self, change: Callable[[Rows], Rows]) -> WordVectors:
        parts = self.subwords and replace(self.subwords, buckets=change(self.subwords.buckets))
        return replace(self, rows=change(self.rows), subwords=parts)

    def fingerprint(self) -> str:
        """Return the SHA-256 of the words and their vectors."""
        return self._fingerprint

    @cached_property
    def _fingerprint(self) -> str:
        return sha256_of(
            part
            for name, array in sorted(self._arrays().items())
            for part in (
                f"{name} {array.dtype} {array.shape}\n",
                np.ascontiguousarray(array).data,
            )
        )

    def save(self, path: str | Path) -> None:
        """Write the vectors to a ``.npz`` file that `WordVectors.load` reads."""
        save_arrays(Path(path), self._arrays())

    @classmethod
    def load(cls, path: str | Path) -> WordVectors:
        """Read vectors that `save` wrote; see `read_vectors` for other formats.

        Raises
        ------
        InputError
            If there is no such file, or it holds something else.
        """
        arrays = load_arrays(Path(path))
        try:
            found, shortest, longest = arrays["vector_facts"].tolist()
            if found != _FORMAT:
                raise MalformedInputError("models.unknown_format", file=str(path), found=str(found))
            parts = None
            if "buckets" in arrays:
                parts = Subwords(_load_rows(arrays, "buckets"), shortest, longest)
            words = tuple(unpack_strings(arrays["words"])) if len(arrays["words"]) else ()
            return cls(words, _load_rows(arrays, "vectors"), parts)
        except (KeyError, ValueError, TypeError, UnicodeDecodeError) as error:
            raise MalformedInputError(
                "models.damaged_vectors", file=str(path), reason=str(error)
            ) from error

    def _arrays(self) -> dict[str, NDArray[np.generic]]:
        parts = self.subwords
        lengths = [parts.shortest, parts.longest] if parts else [0, 0]
        arrays: dict[str, NDArray[np.generic]] = {
            "vector_facts": np.array([_FORMAT, *lengths], np.int64),
            "words": pack_strings(self.words),
        }
        for name, rows in (("vectors", self.rows), ("buckets", parts.buckets if parts else None)):
            if rows is not None:
                arrays[name] = rows.values
                if rows.scales is not None:
                    arrays[f"{name}_scales"] = rows.scales
        return arrays

    @cached_property
    def _rows(self) -> dict[str, int]:
        return _first_rows(self.words)

    @cached_property
    def _folded_rows(self) -> dict[str, int]:
        return _first_rows(map(spell_lemma, self.words))

    @cached_property
    def _unit_rows(self) -> NDArray[np.float32]:
        return unit_length(self.rows.all())


def unit_length(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return rows of length 1; zeros stay zeros."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def _first_rows(words: Iterable[str]) -> dict[str, int]:
    rows: dict[str, int] = {}
    for row, word in enumerate(words):
        rows.setdefault(word, row)
    return rows


def _load_rows(arrays: dict[str, NDArray[np.generic]], name: str) -> Rows:
    values = arrays[name]
    scales = arrays.get(f"{name}_scales")
    for numbers in (values, scales):
        if numbers is not None and not np.isfinite(np.asarray(numbers, np.float64)).all():
            raise ValueError(f"{name} are not all finite")
    if scales is None:
        return Rows(cast("NDArray[np.float32]", values))
    return Rows(cast("NDArray[np.int8]", values), scales.astype(np.float32).reshape(-1))


@lru_cache(maxsize=1)
def shipped_vectors() -> WordVectors:
    """Return the vectors that come with the package; they are loaded once.

    Examples
    --------
    >>> vectors = shipped_vectors()
    >>> vectors.similarity("mare", "fluctus") > vectors.similarity("mare", "lex")
    True
    """
    with resources.as_file(resources.files("locisimiles.models") / "data" / "vectors.npz") as path:
        return WordVectors.load(path)
