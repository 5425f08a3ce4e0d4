"""Headings and the statement of method, in the language of the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.messages import Message

if TYPE_CHECKING:
    from locisimiles.export.apparatus.model import Apparatus

__all__ = ["TITLE", "full_title", "heading", "method", "reader_name"]

TITLE = "Apparatus fontium"
"""The title in every language."""

_HEADINGS = {
    "method": Message("export.heading_method"),
    "readers": Message("export.heading_readers"),
    "sigla": Message("export.heading_sigla"),
}


def full_title(apparatus: Apparatus) -> str:
    """Return the title with the works it belongs to."""
    return f"{TITLE}: {apparatus.title}" if apparatus.title else TITLE


def heading(name: str, language: str) -> str:
    """Return the heading of a list: ``method``, ``readers``, ``sigla``."""
    return _HEADINGS[name].text(language)


def reader_name(name: str, language: str) -> str:
    """Return the name of a reader, or that there is none."""
    return name or Message("export.nameless_reader").text(language)


def method(apparatus: Apparatus, language: str) -> list[str]:
    """Return the statement of method, sentence by sentence."""
    count = apparatus.verbatim + apparatus.allusions
    sentences = [
        Message(
            "export.method_accepted",
            {
                "count": count,
                "verbatim": apparatus.verbatim,
                "allusions": apparatus.allusions,
                "candidates": apparatus.candidates,
            },
        ),
        Message("export.method_marks"),
    ]
    names = [reader_name(reader.name, language) for reader in apparatus.readers]
    sentences.append(Message("export.method_readers", {"names": ", ".join(names)}))
    if apparatus.date:
        sentences.append(Message("export.method_date", {"date": apparatus.date}))
    if apparatus.version:
        sentences.append(Message("export.method_program", {"version": apparatus.version}))
    return [sentence.text(language) for sentence in sentences]
