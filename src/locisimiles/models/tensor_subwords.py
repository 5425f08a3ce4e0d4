r"""The subwords of LatinBERT: the encoder of tensor2tensor, read from its own file.

The file has one subword per line, in quotes; its id is the number of the line, after five special
pieces. A text is cut where letters and other characters meet, each token gets a ``_`` at its end,
and is then cut into subwords, the longest that fits first. Characters outside the alphabet are
written as ``\`` code ``;``.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from locisimiles.errors import DecodingError, InputError, MalformedInputError
from locisimiles.models.pieces import SPECIAL_PIECES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["TensorSubwords"]

_ESCAPES = frozenset("\\_u;0123456789")
_UNKNOWN = SPECIAL_PIECES.index("[UNK]")


@dataclass(frozen=True, slots=True)
class TensorSubwords:
    """Cuts texts into the subwords of a file.

    `number` maps subwords to ids, `alphabet` holds the characters that need not be escaped, and
    `longest` is the length of the longest subword.

    Examples
    --------
    >>> TensorSubwords.of(["uir", "um_", "cano_", *"acimnoru_"]).pieces("Uirum cano")
    [5, 6, 7]
    """

    number: Mapping[str, int]
    alphabet: frozenset[str]
    longest: int

    @classmethod
    def of(cls, subwords: list[str]) -> TensorSubwords:
        """Return an encoder with these subwords, in their order."""
        first = len(SPECIAL_PIECES)
        # The last line of a repeated subword counts, as in tensor2tensor.
        return cls(
            number={subword: first + row for row, subword in enumerate(subwords) if subword},
            alphabet=frozenset("".join(subwords)) | _ESCAPES,
            longest=max(map(len, subwords), default=0),
        )

    @classmethod
    def read(cls, path: Path) -> TensorSubwords:
        """Read the file."""
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise InputError("files.unreadable", file=str(path), reason=error.strerror) from error
        except UnicodeDecodeError as error:
            raise DecodingError("files.not_text", file=str(path), encoding="UTF-8") from error
        subwords = []
        for row, line in enumerate(map(str.strip, lines), start=1):
            quoted = len(line) > 1 and line[0] == line[-1] and line[0] in "'\""
            if not quoted:
                raise MalformedInputError("models.no_subword", file=str(path), row=row)
            subwords.append(line[1:-1])
        return cls.of(subwords)

    def pieces(self, text: str) -> list[int]:
        """Return the ids of the subwords of a text, in lower case."""
        return [
            number
            for word in text.lower().split()
            for _, run in groupby(word, key=_is_alphanumeric)
            for number in self._longest_first(self._escaped("".join(run)))
        ]

    def _escaped(self, token: str) -> str:
        safe = token.replace("\\", "\\\\").replace("_", "\\u")
        return "".join(c if c in self.alphabet else f"\\{ord(c)};" for c in safe) + "_"

    def _longest_first(self, token: str) -> list[int]:
        numbers, start = [], 0
        while start < len(token):
            for end in range(min(len(token), start + self.longest), start, -1):
                number = self.number.get(token[start:end])
                if number is not None:
                    break
            else:  # a file that lacks a character of its own alphabet
                number, end = _UNKNOWN, start + 1
            numbers.append(number)
            start = end
        return numbers


def _is_alphanumeric(character: str) -> bool:
    return unicodedata.category(character)[0] in "LN"
