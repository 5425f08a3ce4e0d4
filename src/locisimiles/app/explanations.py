"""What a project keeps of the explanation of a pair, and how it is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.evidence.explanation import explanation_phrases
from locisimiles.evidence.phrases import ENGLISH, phrases_as_json, phrases_from_json, say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from locisimiles.evidence import Evidence

__all__ = ["explained", "stored_explanation"]


def stored_explanation(evidence: Evidence) -> str:
    """Return what a project keeps: what there is to say, in no language."""
    return phrases_as_json(explanation_phrases(evidence))


def explained(
    stored: str,
    templates: Mapping[str, str] = ENGLISH,
    number: Callable[[int], str] = "{:,}".format,
) -> str:
    """Say what `stored_explanation` gave; see `locisimiles.evidence.phrases.say`.

    Projects of earlier versions keep a sentence instead, which is returned as it is.

    Examples
    --------
    >>> explained('[["shares_none",{}]]'), explained("Shares no word.")
    ('Shares no word.', 'Shares no word.')
    """
    if not stored.startswith("["):
        return stored
    return say(phrases_from_json(stored), templates, number)
