"""How texts are read and cut into segments, as far as users choose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from locisimiles.checks import check_choice
from locisimiles.corpus.sentences import StopRules

__all__ = ["ReadOptions", "Segmentation", "StopAt"]

Segmentation = Literal["auto", "lines", "sentences", "verse"]
StopAt = Literal["auto", "never", "line-end", "always"]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How inputs are decoded, and how running text is cut into segments.

    Tables (CSV, TSV, JSONL, XLSX) come in segments; there only `encoding` matters.

    Attributes
    ----------
    encoding
        Encoding of all inputs. By default UTF-8, and CP1252 where a file is not UTF-8.
    segmentation
        What the lines of a plain text are: ``lines`` (each is one segment), ``sentences``
        (running prose, line breaks mean nothing), ``verse`` (lines of verse, to be joined to
        sentences), or ``auto``, which looks at the text and reports its guess.
    colon, semicolon
        Whether ``:`` and ``;`` end a segment: ``never``, ``always``, or at the end of a verse
        line only. ``auto`` follows the catalogue where it knows the work, else ``never``.

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
        check_choice(get_args(Segmentation), segmentation=self.segmentation)
        check_choice(get_args(StopAt), colon=self.colon, semicolon=self.semicolon)


def _settle(choice: StopAt, default: StopAt) -> Literal["never", "line-end", "always"]:
    settled = default if choice == "auto" else choice
    return "never" if settled == "auto" else settled
