"""Choices a user can make about how texts are read and cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from locisimiles.corpus.sentences import StopRules
from locisimiles.errors import ParameterError

__all__ = ["Cut", "ReadOptions", "StopAt"]

Cut = Literal["auto", "lines", "sentences", "verse"]
StopAt = Literal["auto", "never", "line-end", "always"]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How inputs are decoded, and how running text is cut into segments.

    Tables (CSV, TSV, JSONL, XLSX) come in segments already; there only `encoding` matters.

    Attributes
    ----------
    encoding
        Encoding of all inputs. By default UTF-8, and CP1252 where a file is not UTF-8.
    cut
        What the lines of a plain text are: ``lines`` (each is one segment), ``sentences``
        (running prose, line breaks mean nothing), ``verse`` (lines of verse, to be joined to
        sentences), or ``auto``, which looks at the text and says in the report what it took.
    colon, semicolon
        Whether ``:`` and ``;`` end a segment: ``never``, ``always``, or at the end of a verse
        line only. ``auto`` follows the catalogue where it knows the work, else ``never``.

    Examples
    --------
    >>> ReadOptions(colon="line-end").colon
    'line-end'
    >>> ReadOptions(cut="paragraphs")
    Traceback (most recent call last):
    ...
    locisimiles.errors.ParameterError: cut='paragraphs' is unknown; choose one of auto, ...
    """

    encoding: str | None = None
    cut: Cut = "auto"
    colon: StopAt = "auto"
    semicolon: StopAt = "auto"

    def stop_rules(self, *, colon: StopAt = "never") -> StopRules:
        """Return the rules for a work, given what the catalogue says of it.

        Examples
        --------
        >>> ReadOptions().stop_rules(colon="line-end").colon
        'line-end'
        >>> ReadOptions(colon="never").stop_rules(colon="line-end").colon
        'never'
        """
        return StopRules(
            colon=_settle(self.colon, colon), semicolon=_settle(self.semicolon, "never")
        )

    def __post_init__(self) -> None:
        _require("cut", self.cut, get_args(Cut))
        _require("colon", self.colon, get_args(StopAt))
        _require("semicolon", self.semicolon, get_args(StopAt))


def _settle(choice: StopAt, default: StopAt) -> Literal["never", "line-end", "always"]:
    settled = default if choice == "auto" else choice
    return "never" if settled == "auto" else settled


def _require(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ParameterError(
            f"{name}={value!r} is unknown", hint=f"choose one of {', '.join(allowed)}"
        )
