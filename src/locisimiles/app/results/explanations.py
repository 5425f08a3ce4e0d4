"""The explanation of a pair, as a project stores it and as readers see it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from locisimiles.evidence.explanation import explanation_messages, join_clauses
from locisimiles.messages import Message

if TYPE_CHECKING:
    from locisimiles.evidence import Evidence

__all__ = ["explained", "stored_explanation"]

# Codes that earlier versions wrote, without their room. A quotation mark inside a string is
# escaped in JSON, so nothing but a code can match.
_CODE_WITHOUT_ROOM = re.compile(r'\["(\w+)",\{')


def stored_explanation(evidence: Evidence) -> str:
    """Return an explanation as a project stores it: JSON, in no language."""
    messages = [message.as_json() for message in explanation_messages(evidence)]
    return json.dumps(messages, ensure_ascii=False, separators=(",", ":"))


def explained(stored: str, language: str = "en") -> str:
    """Return a stored explanation as a sentence in a language.

    The oldest projects store an English sentence, which stays as it is.

    Examples
    --------
    >>> explained('[["evidence.shares_none",{}]]'), explained('[["shares_none",{}]]', "de")
    ('Shares no word.', 'Die Texte haben kein Wort gemeinsam.')
    >>> explained("Shares no word.", "de")
    'Shares no word.'
    """
    if not stored.startswith("["):
        return stored
    messages = json.loads(_CODE_WITHOUT_ROOM.sub(r'["evidence.\1",{', stored))
    return join_clauses(map(Message.from_json, messages), language)
