"""Options for reading texts and cutting them into segments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from locisimiles.checks import check_choice
from locisimiles.corpus.sentences import Stop, StopRules

__all__ = ["ReadOptions", "Segmentation", "StopAt"]

Segmentation = Literal["auto", "lines", "sentences", "verse"]
StopAt = Literal["auto", Stop]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How to decode inputs and cut running text into segments.

    Tables (CSV, TSV, JSONL, XLSX) already consist of segments; only `encoding` applies to them.

    Attributes
    ----------
    encoding
        Encoding of all inputs. By default UTF-8, and CP1252 where a file is not UTF-8.
    segmentation
        What the lines of a plain text are: ``lines`` (one segment each), ``sentences`` (running
        prose, line breaks are ignored), ``verse`` (lines of verse, joined to sentences), or
        ``auto`` (guessed from the text, and reported).
    colon, semicolon
        Where ``:`` and ``;`` end a segment: ``never``, ``always``, or only at the end of a verse
        line. ``auto`` follows the catalogue for works it knows, else ``never``.

    Examples
    --------
    >>> ReadOptions(colon="line-end").colon
    'line-end'
    >>> ReadOptions(segmentation="paragraphs")
    Traceback (most recent call last):
    ...
    locisimiles.errors.ParameterError: unknown segmentation 'paragraphs'; choose one of auto, ...
    """

    encoding: str | None = None
    segmentation: Segmentation = "auto"
    colon: StopAt = "auto"
    semicolon: StopAt = "auto"

    def stop_rules(self, *, colon: Stop = "never") -> StopRules:
        """Return the rules for a work, given the catalogue's entry for its colons.

        Examples
        --------
        >>> ReadOptions().stop_rules(colon="line-end").colon
        'line-end'
        >>> ReadOptions(colon="never").stop_rules(colon="line-end").colon
        'never'
        """
        return StopRules(
            colon=colon if self.colon == "auto" else self.colon,
            semicolon="never" if self.semicolon == "auto" else self.semicolon,
        )

    def __post_init__(self) -> None:
        check_choice(get_args(Segmentation), segmentation=self.segmentation)
        check_choice(get_args(StopAt), colon=self.colon, semicolon=self.semicolon)
