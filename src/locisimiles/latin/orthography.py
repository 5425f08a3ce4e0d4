"""Normalise spelling, and map the result back to the original.

There are two levels. Letters: lower case, no macrons, breves or other accents, *ae* and *oe* for
ligatures, *u* for *v*, *i* for *j*, no editorial signs inside a word. Words: assimilated prefixes
(*adfero* → *affero*, *inpono* → *impono*), *exs-* → *ex-*, *-quu-* → *-cu-*. Greek is left alone.
Both are idempotent.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from locisimiles.checks import check_at_least

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["EDITORIAL_SIGNS", "Folded", "fold", "fold_text", "fold_word", "fold_words"]

_Span = tuple[int, int]

_PLAIN = str.maketrans("vj", "ui")
_SPECIAL = {"æ": "ae", "œ": "oe", "ſ": "s", "ß": "ss", "v": "u", "j": "i", "w": "uu"}
EDITORIAL_SIGNS = "[](){}<>⟨⟩〈〉‹›†|"
"""Signs in words for letters that editors add, delete or doubt."""
_MOST_MARKS = 32
_EDITORIAL = re.compile(rf"(?<=[^\W\d_])[{re.escape(EDITORIAL_SIGNS)}]+(?=[^\W\d_])")
_WORD = re.compile(r"[^\W\d_]+")

# Prefixes before certain letters, and their assimilated spelling.
_ASSIMILATION = [
    (r"ad(?=s[pct])|ad(?=gn)", "a"),
    *((rf"ad(?={letter})", f"a{letter}") for letter in "cfglnprst"),
    (r"ad(?=q)", "ac"),
    *((rf"con(?={letter})", f"co{letter}") for letter in "lmr"),
    (r"con(?=[pb])", "com"),
    *((rf"in(?={letter})", f"i{letter}") for letter in "lmr"),
    (r"in(?=[pb])", "im"),
    *((rf"ob(?={letter})", f"o{letter}") for letter in "cfgp"),
    *((rf"sub(?={letter})", f"su{letter}") for letter in "cfgpr"),
    (r"ecf", "eff"),
    (r"disf", "diff"),
    (r"exs+", "ex"),
]
_PREFIX = re.compile("|".join(f"({pattern})" for pattern, _ in _ASSIMILATION))
_ASSIMILATED = [becomes for _, becomes in _ASSIMILATION]
_SHORTEST_PREFIXED = 5


def fold(text: str) -> str:
    """Fold the letters of a text, not its words.

    Examples
    --------
    >>> fold("Vōx"), fold("juvenis"), fold("Cæsar"), fold("aër"), fold("uir[um]que")
    ('uox', 'iuuenis', 'caesar', 'aer', 'uirumque')
    >>> fold("Λόγος")
    'Λόγος'
    """
    if text.isascii():
        folded = text.lower().translate(_PLAIN)
        folded = folded if "w" not in folded else folded.replace("w", "uu")
        has_signs = not folded.isalpha() and any(sign in folded for sign in EDITORIAL_SIGNS)
        return _EDITORIAL.sub("", folded) if has_signs else folded
    return fold_text(text).text if len(text) > 1 else _fold_letter(text)


@lru_cache(maxsize=1 << 18)
def fold_word(word: str) -> str:
    """Fold the letters of a word and then its spelling, as in the lexicon.

    Examples
    --------
    >>> [fold_word(word) for word in ("adfero", "Inpius", "exspecto", "sequuntur", "adspicio")]
    ['affero', 'impius', 'expecto', 'secuntur', 'aspicio']
    """
    folded = fold(word)
    changed = _respell(folded)
    return folded if changed is None else changed[0]


def fold_words(words: Sequence[str]) -> list[str]:
    """Return `fold_word` of many words, but faster.

    Examples
    --------
    >>> fold_words(["adfero", "Vir[um]que", "Cæsar", "sequuntur", "Arma"])
    ['affero', 'uirumque', 'caesar', 'secuntur', 'arma']
    """
    # Plain letters are folded as one text, words with others one by one.
    together = "\n".join(words).lower().replace("v", "u").replace("j", "i").replace("w", "uu")
    folded = together.split("\n")
    if len(folded) != len(words):  # there are no words, or one contains a line break
        return [fold_word(word) for word in words]
    for place, word in enumerate(words):
        if not (word.isascii() and word.isalpha()):
            folded[place] = fold_word(word)
        elif changed := _respell(folded[place]):
            folded[place] = changed[0]
    return folded


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text, and the span in the original of each of its characters."""

    text: str
    spans: tuple[tuple[int, int], ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of ``text[start:end]`` in the original.

        Examples
        --------
        >>> original = "Æneās uir[um]"
        >>> folded = fold_text(original)
        >>> start = folded.text.index("uirum")
        >>> begin, end = folded.span(start, start + 5)
        >>> original[begin:end]
        'uir[um'
        """
        check_at_least(start + 1, end=end)
        return self.spans[start][0], self.spans[end - 1][1]


def fold_text(text: str, *, words: bool = False) -> Folded:
    """Fold the letters of a text and, with `words`, the spelling of its words.

    Examples
    --------
    >>> folded = fold_text("Adfer Vīnum", words=True)
    >>> folded.text, folded.span(6, 11)
    ('affer uinum', (6, 11))
    """
    pieces: list[str] = []
    spans: list[_Span] = []
    for position, cluster in _clusters(text):
        letters = _fold_letter(cluster)
        pieces.append(letters)
        spans += [(position, position + len(cluster))] * len(letters)
    folded = "".join(pieces)
    for match in reversed(list(_EDITORIAL.finditer(folded))):
        del spans[match.start() : match.end()]
    folded = _EDITORIAL.sub("", folded)
    if words:
        folded, spans = _respell_all(folded, spans)
    return Folded(folded, tuple(spans))


def _clusters(text: str) -> list[tuple[int, str]]:
    """Return the position and the text of each letter with the accents that follow it."""
    starts: list[int] = []
    for position, character in enumerate(text):
        if not (starts and unicodedata.combining(character) and text[starts[-1]].isalpha()):
            starts.append(position)
    return [(start, text[start:end]) for start, end in pairwise([*starts, len(text)])]


@lru_cache(maxsize=4096)
def _fold_letter(cluster: str) -> str:
    if cluster.isascii():
        letter = cluster.lower()
        return _SPECIAL.get(letter, letter)
    # Ordering accents takes time that grows with the square of their number. They are dropped
    # anyway, and those that follow none of the first change nothing.
    decomposed = unicodedata.normalize("NFD", cluster[:_MOST_MARKS])
    if not _is_latin(decomposed[0]):
        return cluster
    bare = "".join(c for c in decomposed.lower() if not unicodedata.combining(c))
    folded = "".join(_SPECIAL.get(c, c) for c in bare)
    # A letter whose lower case has an accent (İ) needs a second round.
    return folded if folded == cluster or folded.isascii() else _fold_letter(folded)


@lru_cache(maxsize=4096)
def _is_latin(character: str) -> bool:
    return unicodedata.name(character, "").startswith("LATIN")


def _respell(word: str) -> tuple[str, list[int]] | None:
    """Return the folded spelling of a word and the origin of each letter; None if unchanged."""
    has_prefix = len(word) >= _SHORTEST_PREFIXED and _PREFIX.match(word)
    if not has_prefix and "quu" not in word:
        return None  # nearly always
    spelled, sources = word, list(range(len(word)))
    while (at := spelled.find("quu")) >= 0:
        spelled = f"{spelled[:at]}cu{spelled[at + 3 :]}"
        del sources[at + 1]
    while len(spelled) >= _SHORTEST_PREFIXED and (match := _PREFIX.match(spelled)):
        becomes = _ASSIMILATED[(match.lastindex or 1) - 1]
        spelled = becomes + spelled[match.end() :]
        kept = sources[: match.end()]
        sources = (kept + [kept[-1]] * len(becomes))[: len(becomes)] + sources[match.end() :]
    return None if spelled == word else (spelled, sources)


def _respell_all(text: str, spans: list[_Span]) -> tuple[str, list[_Span]]:
    pieces: list[str] = []
    moved: list[_Span] = []
    at = 0
    for match in _WORD.finditer(text):
        changed = _respell(match.group())
        if changed:
            spelled, sources = changed
            pieces += [text[at : match.start()], spelled]
            moved += spans[at : match.start()]
            moved += [spans[match.start() + source] for source in sources]
            at = match.end()
    return "".join([*pieces, text[at:]]), moved + spans[at:]
