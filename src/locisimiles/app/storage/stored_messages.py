"""Messages as the tables store them: codes and values, in no language."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from locisimiles.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["dump_messages", "load_messages"]


def dump_messages(messages: Iterable[Message]) -> str:
    """Return messages as the text that a table stores."""
    content = [message.as_json() for message in messages]
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def load_messages(stored: str) -> list[Message]:
    """Return the messages that a table stores.

    Projects of earlier versions store English sentences, which stay as they are.

    Examples
    --------
    >>> load_messages(dump_messages([Message("files.not_found")]))[0].text("de")
    'Datei nicht gefunden'
    >>> [message.text("de") for message in load_messages("it broke")], load_messages("")
    (['it broke'], [])
    """
    if not stored:
        return []
    try:
        return [Message.from_json(content) for content in json.loads(stored)]
    except (ValueError, TypeError):
        return [Message("messages.verbatim", {"text": stored})]
