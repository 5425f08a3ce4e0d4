"""Word vectors: a row of numbers for each word, and how those of unknown words are made."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from locisimiles.arrays import load_arrays, pack_strings, save_arrays, unpack_strings
from locisimiles.errors import MalformedInputError, OutputError, ParameterError
from locisimiles.latin.conventions import spell_lemma
from locisimiles.models.subwords import subword_means

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Rows", "Subwords", "WordVectors", "shipped_vectors"]

_HIGHEST = 127
_FORMAT = 1


@dataclass(frozen=True, eq=False)
class Rows:
    """Vectors, one a row: as they are (float32), or rounded to a byte a number (int8).

    Attributes
    ----------
    values
        ``float32``, or ``int8``.
    scales
        What each row of int8 is multiplied by; None for float32.

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
            raise ParameterError(
                f"vectors must be a matrix of {np.dtype(expected)}, "
                f"not {self.values.ndim}-dimensional {self.values.dtype}"
            )
        if self.scales is not None and self.scales.shape != (len(self.values),):
            raise ParameterError(f"{len(self.values)} rows need as many scales")

    def __len__(self) -> int:
        return len(self.values)

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return int(self.values.shape[1])

    def at(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return some of the vectors as float32."""
        values = np.asarray(self.values[rows], np.float32)
        return values if self.scales is None else values * self.scales[rows, None]

    def all(self) -> NDArray[np.float32]:
        """Return all vectors as float32."""
        return self.at(np.arange(len(self)))

    def rounded(self) -> Rows:
        """Return these vectors with a byte a number, each row in steps of 1/127 of its largest."""
        if self.scales is not None:
            return self
        values = np.asarray(self.values, np.float32)
        scales = np.abs(values).max(axis=1, initial=0) / np.float32(_HIGHEST)
        steps = values / np.where(scales > 0, scales, 1)[:, None]
        return Rows(np.rint(steps).astype(np.int8), scales.astype(np.float32))


@dataclass(frozen=True, eq=False)
class Subwords:
    """What vectors of unknown words are made of, as in fastText.

    Attributes
    ----------
    buckets
        A vector for each number that the hash of an n-gram can have.
    shortest, longest
        How many characters n-grams have.
    """

    buckets: Rows
    shortest: int
    longest: int

    def __post_init__(self) -> None:
        if not 1 <= self.shortest <= self.longest:
            raise ParameterError(f"n-grams of {self.shortest} to {self.longest} letters: none")
        if not len(self.buckets):
            raise ParameterError("there is no bucket for n-grams")

    def vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the means of the n-grams of words."""
        # Rounded buckets are few, so that they can be spelt out; others are not copied.
        rounded = self.buckets.scales is not None
        matrix = self.buckets.all() if rounded else self.buckets.values
        return subword_means(
            words, cast("NDArray[np.float32]", matrix), self.shortest, self.longest
        )


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
        For words that are not among them; None if nothing can be said of those.

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
    subwords: Subwords | None = field(default=None)

    def __post_init__(self) -> None:
        if len(self.words) != len(self.rows):
            raise ParameterError(f"{len(self.words)} words have {len(self.rows)} vectors")
        if self.subwords and self.subwords.buckets.dimensions != self.rows.dimensions:
            raise ParameterError("words and n-grams have vectors of different lengths")

    @classmethod
    def from_matrix(
        cls,
        words: Sequence[str],
        matrix: NDArray[np.float32],
        subwords: Subwords | None = None,
    ) -> WordVectors:
        """Return vectors that are not rounded."""
        return cls(tuple(words), Rows(matrix), subwords)

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.row(word) >= 0

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return self.rows.dimensions

    def row(self, word: str) -> int:
        """Return the place of a word, folded if need be; -1 if it is unknown."""
        found = self._places.get(word)
        return self._folded_places.get(spell_lemma(word), -1) if found is None else found

    def unit(self, words: Sequence[str], *, use_subwords: bool = True) -> NDArray[np.float32]:
        """Return the vectors of words, each of length 1, or 0 for those that have none.

        Parameters
        ----------
        words
            Any words.
        use_subwords
            Whether unknown words get the mean of their n-grams, if there are any.
        """
        places = np.fromiter(map(self.row, words), np.int64, len(words))
        found = np.zeros((len(words), self.dimensions), np.float32)
        known = np.flatnonzero(places >= 0)
        found[known] = self.rows.at(places[known])
        unknown = np.flatnonzero(places < 0)
        if use_subwords and self.subwords and len(unknown):
            found[unknown] = self.subwords.vectors([words[place] for place in unknown.tolist()])
        return _of_length_one(found)

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
        """Return these vectors with a byte a number, and only the first words if so asked."""
        kept = Rows(self.rows.values[:most], _first(self.rows.scales, most)).rounded()
        parts = self.subwords
        if parts is not None:
            parts = Subwords(parts.buckets.rounded(), parts.shortest, parts.longest)
        return WordVectors(self.words[:most], kept, parts)

    def centred(self, components: int = 2) -> WordVectors:
        r"""Return these vectors without what they all have in common.

        Learnt vectors share a direction, and those of rare words are little else, so that they seem
        similar to everything. Their mean :math:`\mu` and main directions :math:`u_i` are taken out
        (Mu and Viswanath 2018):

        .. math:: v' = (v - \mu) - \sum_i \bigl(u_i \cdot (v - \mu)\bigr)\, u_i

        Parameters
        ----------
        components
            How many directions are taken out beside the mean.

        Examples
        --------
        >>> matrix = np.array([[9, 1], [9, -1], [9, 0]], np.float32)
        >>> WordVectors.from_matrix(["a", "b", "c"], matrix).centred(0).similarity("a", "b")
        -1.0
        """
        if not 0 <= components < self.dimensions:
            raise ParameterError(
                f"components={components} is not between 0 and {self.dimensions - 1}"
            )
        values = self.rows.all()
        mean = values.mean(axis=0, dtype=np.float64)
        spread = values - mean
        _, directions = np.linalg.eigh(spread.T @ spread)  # in rising order
        main = directions[:, self.dimensions - components :]
        kept = np.eye(self.dimensions) - main @ main.T

        def apart(rows: Rows) -> Rows:
            own = rows.all()
            moved = (own - mean) @ kept
            moved[~own.any(axis=1)] = 0  # what was never learnt stays nothing
            return Rows(moved.astype(np.float32))

        parts = self.subwords
        if parts is not None:
            # The mean of what is moved is the moved mean, so words of parts fit the others.
            parts = Subwords(apart(parts.buckets), parts.shortest, parts.longest)
        return WordVectors(self.words, apart(self.rows), parts)

    def fingerprint(self) -> str:
        """Return the SHA-256 of the words and their vectors."""
        return self._fingerprint

    @cached_property
    def _fingerprint(self) -> str:
        digest = hashlib.sha256()
        for name, array in sorted(self._arrays().items()):
            digest.update(f"{name} {array.dtype} {array.shape}\n".encode())
            digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()

    def save(self, path: str | Path) -> None:
        """Write the vectors to a ``.npz`` file that `WordVectors.load` reads."""
        try:
            save_arrays(Path(path), self._arrays())
        except OSError as error:
            raise OutputError(f"{path} cannot be written: {error.strerror}") from error

    @classmethod
    def load(cls, path: str | Path) -> WordVectors:
        """Read vectors that `save` wrote; see `read_vectors` for other formats.

        Raises
        ------
        InputError
            If there is no such file, or it is none of this kind.
        """
        arrays = load_arrays(Path(path))
        try:
            written, shortest, longest = arrays["vector_facts"].tolist()
            if written != _FORMAT:
                raise MalformedInputError(
                    f"these vectors are of format {written}, we know {_FORMAT}",
                    file=str(path),
                    hint="update locisimiles",
                )
            parts = None
            if "buckets" in arrays:
                parts = Subwords(_load_rows(arrays, "buckets"), shortest, longest)
            vectors = cls(
                tuple(unpack_strings(arrays["words"])) if len(arrays["words"]) else (),
                _load_rows(arrays, "vectors"),
                parts,
            )
        except (KeyError, ValueError, TypeError, UnicodeDecodeError) as error:
            raise MalformedInputError(
                f"this is no file of word vectors: {error}",
                file=str(path),
                hint="make one with: locisimiles train vectors",
            ) from error
        return vectors

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
    def _places(self) -> dict[str, int]:
        places = range(len(self.words) - 1, -1, -1)
        return dict(zip(reversed(self.words), places, strict=True))

    @cached_property
    def _folded_places(self) -> dict[str, int]:
        places = range(len(self.words) - 1, -1, -1)
        return dict(zip(map(spell_lemma, reversed(self.words)), places, strict=True))

    @cached_property
    def _unit_rows(self) -> NDArray[np.float32]:
        return _of_length_one(self.rows.all())


def _of_length_one(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def _first(scales: NDArray[np.float32] | None, most: int | None) -> NDArray[np.float32] | None:
    return None if scales is None else scales[:most]


def _load_rows(arrays: dict[str, NDArray[np.generic]], name: str) -> Rows:
    values = arrays[name]
    scales = arrays.get(f"{name}_scales")
    for numbers in (values, scales):
        if numbers is not None and not np.isfinite(np.asarray(numbers, np.float64)).all():
            raise ValueError(f"{name} are not all numbers")
    if scales is None:
        return Rows(cast("NDArray[np.float32]", values))
    return Rows(cast("NDArray[np.int8]", values), scales.astype(np.float32))


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
