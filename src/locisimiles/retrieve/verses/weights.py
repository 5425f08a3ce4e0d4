"""How often the Fathers cite each verse of the Bible, and how much that counts, as a file."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.files.hashing import sha256_of
from locisimiles.files.weights import read_weights, write_weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.retrieve.verses.addresses import Address

__all__ = ["VerseWeights"]

_FORMAT = 1
_NEIGHBOUR = 0.25  # editors are sometimes a verse off
_LARGEST = 100.0


@dataclass(frozen=True, slots=True)
class VerseWeights:
    """What has been learnt of verses, and how much it counts, in units of the search's scores.

    Attributes
    ----------
    often
        The weight of the logarithm of how often a verse is cited.
    named
        What a verse gains if the sentence names its book.
    kind
        What it gains if the sentence names one of many books: a prophet, the Apostle.
    judged
        How much the classifier counts in the order of judged verses; the rest is the search.
    authors
        The authors whose notes are counted. Figures for texts of theirs need other counts.
    counts
        How often each verse is cited: by book and chapter, from the first verse on.
    """

    often: float = 0.0
    named: float = 0.0
    kind: float = 0.0
    judged: float = 1.0
    authors: tuple[str, ...] = ()
    counts: Mapping[str, Mapping[int, Sequence[int]]] = field(default_factory=dict, repr=False)

    def cited(self, addresses: Iterable[Address]) -> NDArray[np.float64]:
        """Return how often verses are cited; a neighbour counts a quarter.

        Examples
        --------
        >>> weights = VerseWeights(counts={"Matth.": {5: [0, 2, 8]}})
        >>> weights.cited([("Matth.", 5, 2), ("Matth.", 5, 1), ("Iob", 1, 1)]).tolist()
        [4.0, 0.5, 0.0]
        """
        return np.array([self._cited(address) for address in addresses], np.float64)

    def _cited(self, address: Address) -> float:
        book, chapter, verse = address
        own = self.counts.get(book, {}).get(chapter, ())

        def at(number: int) -> int:
            return own[number - 1] if 1 <= number <= len(own) else 0

        return at(verse) + _NEIGHBOUR * (at(verse - 1) + at(verse + 1))

    def fingerprint(self) -> str:
        """Return the SHA-256 of all weights."""
        return sha256_of(self.text())

    def save(self, path: Path) -> None:
        """Write the weights to a file."""
        write_weights(path, self.text())

    def text(self) -> str:
        """Return the content of the file, a line per chapter, to keep diffs readable."""
        weights = {name: getattr(self, name) for name in ("often", "named", "kind", "judged")}
        chapters = [
            f"  {json.dumps(f'{book} {chapter}')}: {json.dumps(list(own), separators=(',', ':'))}"
            for book, chapters in sorted(self.counts.items())
            for chapter, own in sorted(chapters.items())
        ]
        head = json.dumps(
            {"format": _FORMAT, **weights, "authors": self.authors}, ensure_ascii=False
        )[1:-1]
        return "{" + head + ',\n "counts": {\n' + ",\n".join(chapters) + "\n}}\n"

    @classmethod
    def load(cls, path: Path) -> VerseWeights:
        """Read weights that `save` wrote.

        Raises
        ------
        MalformedInputError
            If the file holds something else.
        """
        return read_weights(path, _from_text, command="train verses")

    @staticmethod
    @cache
    def shipped() -> VerseWeights:
        """Return the weights that come with the package."""
        path = resources.files("locisimiles.retrieve.verses") / "data" / "verses.json"
        return _from_text(path.read_text(encoding="utf-8"))


def _from_text(text: str) -> VerseWeights:
    content = json.loads(text)
    if content["format"] != _FORMAT:
        raise ValueError("unknown format")
    counts: dict[str, dict[int, list[int]]] = {}
    for name, own in content["counts"].items():
        book, _, chapter = name.rpartition(" ")
        counts.setdefault(book, {})[int(chapter)] = [_count(number) for number in own]
    often, named, kind, judged = (
        _number(content[name]) for name in ("often", "named", "kind", "judged")
    )
    if judged > 1:
        raise ValueError("a share above 1")
    authors = tuple(map(str, content["authors"]))
    return VerseWeights(often, named, kind, judged, authors, counts)


def _number(value: object) -> float:
    if not isinstance(value, int | float) or not math.isfinite(value) or not 0 <= value <= _LARGEST:
        raise ValueError("no weight")
    return float(value)


def _count(value: object) -> int:
    if not isinstance(value, int) or value < 0:
        raise ValueError("no count")
    return value
