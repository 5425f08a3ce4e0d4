"""A Latin–English dictionary: William Whitaker's *Words*, which comes with the package.

Entries are found by our lemmas, so *u* and *v*, *i* and *j*, *adf-* and *aff-* are the same, and
homographs stand side by side. Senses are in English; grammar is abbreviated in Latin, as in printed
dictionaries.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from locisimiles.latin.conventions import lemma_class, spell_lemma

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["Dictionary", "DictionaryEntry"]

_FILE = "dictionary.tsv.gz"
_BETWEEN_SENSES = "\v"
# Parts of speech that one dictionary tells apart and the other does not.
_ALIKE = {"PROPN": "NOUN", "AUX": "VERB", "DET": "PRON", "SCONJ": "CCONJ", "PART": "ADV"}


@dataclass(frozen=True, slots=True)
class DictionaryEntry:
    """An entry of the dictionary.

    Attributes
    ----------
    headword
        The word as dictionaries print it.
    grammar
        Its other forms and its gender, or its part of speech: *faucis, f.*
    pos
        Its part of speech (UPOS).
    senses
        What it means, in English.
    """

    headword: str
    grammar: str
    pos: str
    senses: tuple[str, ...]


class Dictionary:
    """Entries by lemma.

    Examples
    --------
    >>> dictionary = Dictionary.shipped()
    >>> entry = dictionary.find("haereo")[0]
    >>> entry.headword, entry.grammar
    ('haereo', 'haerere, haesi, haesum')
    >>> entry.senses[:2]
    ('stick, adhere, cling to', 'hesitate')
    """

    def __init__(self, rows: Iterable[Sequence[str]]) -> None:
        # An entry is taken apart only when somebody asks for it.
        found: dict[str, list[Sequence[str]]] = {}
        for row in rows:
            for lemma in row[0].split(" "):
                found.setdefault(lemma, []).append(row)
        self._found: Mapping[str, list[Sequence[str]]] = found

    @classmethod
    @cache
    def shipped(cls) -> Dictionary:
        """Return the dictionary that comes with the package; it is loaded once."""
        packed = (resources.files("locisimiles.latin") / "data" / _FILE).read_bytes()
        _, *lines = gzip.decompress(packed).decode("utf-8").removesuffix("\n").split("\n")
        return cls(line.split("\t") for line in lines)

    def find(self, lemma: str, pos: str = "") -> list[DictionaryEntry]:
        """Return the entries of a lemma, the most frequent first; before all, those of `pos`.

        A lemma that differs from that of the dictionary by convention only has its entry, too.

        Examples
        --------
        >>> dictionary = Dictionary.shipped()
        >>> dictionary.find("melior")[0].headword
        'bonus'
        >>> [entry.grammar for entry in dictionary.find("uolo", "VERB")][:2]
        ['velle, volui', 'volare, volavi, volatum']
        """
        spelled = spell_lemma(lemma)
        rows = self._found.get(spelled) or self._found.get(lemma_class(spelled), [])
        entries = [
            DictionaryEntry(headword, grammar, kind, tuple(senses.split(_BETWEEN_SENSES)))
            for _, headword, grammar, kind, senses in rows
        ]
        wanted = _ALIKE.get(pos, pos)
        return sorted(entries, key=lambda entry: bool(wanted) and entry.pos != wanted)

    def __contains__(self, lemma: str) -> bool:
        return bool(self.find(lemma))
