"""One spelling for words that editions spell differently."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

__all__ = ["fold"]

_LIGATURES = str.maketrans({"æ": "ae", "œ": "oe", "ǽ": "ae", "ſ": "s", "v": "u", "j": "i"})


@lru_cache(maxsize=1 << 17)
def fold(word: str) -> str:
    """Return a word in lower case without accents, u for v, i for j, ae and oe for ligatures.

    Examples
    --------
    >>> fold("Vōx"), fold("juvenis"), fold("Cæsar"), fold("aër")
    ('uox', 'iuuenis', 'caesar', 'aer')
    """
    if word.isascii():
        return word.lower().translate(_LIGATURES)
    decomposed = unicodedata.normalize("NFD", word.lower())
    bare = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", bare).translate(_LIGATURES)
