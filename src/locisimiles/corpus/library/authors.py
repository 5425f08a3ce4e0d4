"""Authors: what they are called, and when they lived."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["AUTHORITIES", "Author"]

AUTHORITIES = {
    "OCD": "Oxford Classical Dictionary, 4th edition",
    "LACL": "Lexikon der antiken christlichen Literatur, 3rd edition",
    "LMA": "Lexikon des Mittelalters",
    "MGH": "Monumenta Germaniae Historica, Poetae Latini medii aevi",
    "NDB": "Neue Deutsche Biographie",
    "EB": "Encyclopaedia Britannica",
    "DBI": "Dizionario Biografico degli Italiani",
    "BNB": "Biographie nationale de Belgique",
    "ACAB": "Appletons' Cyclopaedia of American Biography",
}
"""The works of reference in which to check the dates of authors, by their abbreviations."""


@dataclass(frozen=True, slots=True)
class Author:
    """An author, or the writers of anonymous works.

    Attributes
    ----------
    name
        The first part of the names of their works in the library: ``vergil``.
    author
        The English name.
    names
        Latin and other names and abbreviations; empty where ``sigla.tsv`` has them.
    first, last
        When they lived, or between which years an unknown author wrote; approximate, negative
        before our era.
    source
        Where to check the years, as in `AUTHORITIES`.
    """

    name: str
    author: str
    names: tuple[str, ...]
    first: int
    last: int
    source: str
