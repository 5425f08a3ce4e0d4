"""Explanations of pairs, as a project stores them and as readers see them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from locisimiles.app.storage.stored_messages import dump_messages, load_messages
from locisimiles.evidence.explanation import explanation_messages, join_clauses

if TYPE_CHECKING:
    from locisimiles.evidence import Evidence

__all__ = ["dump_explanation", "explanation_text"]

# Earlier versions stored codes without their room. A quotation mark inside a string is escaped in
# JSON, so only a code can match.
_CODE_WITHOUT_ROOM = re.compile(r'\["(\w+)",\{')


def dump_explanation(evidence: Evidence) -> str:
    """Return an explanation as a project stores it."""
    return dump_messages(explanation_messages(evidence))


def explanation_text(stored: str, language: str = "en") -> str:
    """Return a stored explanation as a sentence in a language.

    The oldest projects store an English sentence, which stays as it is.

    Examples
    --------
    >>> explanation_text('[["evidence.shares_none",{}]]')
    'Shares no word.'
    >>> explanation_text('[["shares_none",{}]]', "de")
    'Die Texte haben kein Wort gemeinsam.'
    >>> explanation_text("Shares no word.", "de")
    'Shares no word.'
    """
    if not stored.startswith("["):
        return stored
    return join_clauses(
        load_messages(_CODE_WITHOUT_ROOM.sub(r'["evidence.\1",{', stored)), language
    )
