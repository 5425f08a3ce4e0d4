"""Lemmas that differ only by convention between treebanks and dictionaries.

LASLA, the Universal Dependencies and the dictionaries agree on most lemmas, but not on the
spelling of some, nor on whether *doctus* belongs to *doceo*, *facile* to *facilis*, *optimus* to
*bonus*, *Romani* to *Romanus*, *nos* to *ego*. Our lemmas follow LASLA, in one spelling. Lemmas
that differ only by convention form a *class*, and accuracy is measured by comparing classes.

``data/conventions.tsv`` lists them with the reason: ``spelling`` (also applied to lemmas),
``pronoun``, ``comparison``, ``adverb``, ``plural``, ``substantive``, ``deponent``,
``participle``. Words that only look alike are kept apart: *bellum* and *bellus*, *latus* and
*fero*, *fere* and *ferus*.
"""

from __future__ import annotations

import re
from functools import cache

from locisimiles.files.tables import shipped_rows
from locisimiles.latin.orthography import fold, fold_word

__all__ = ["lemma_class", "spell_lemma"]

_NUMBER = re.compile(r"[\d_#]+$")
_PUNCTUATION = str.maketrans("", "", "()+-")


def spell_lemma(lemma: str) -> str:
    """Return the lemma of a treebank or dictionary in our spelling.

    Examples
    --------
    >>> [spell_lemma(lemma) for lemma in ("volo1", "intelligo", "ex(s)isto", "adsum", "aequus")]
    ['uolo', 'intellego', 'existo', 'assum', 'aequus']
    """
    folded = _NUMBER.sub("", fold(lemma)).translate(_PUNCTUATION)
    if "quu" not in folded:
        folded = fold_word(folded)
    return _spellings().get(folded, folded)


def lemma_class(lemma: str) -> str:
    """Return the class of a lemma, the same for all conventions.

    Examples
    --------
    >>> lemma_class("nos"), lemma_class("facile"), lemma_class("optimus"), lemma_class("bellum")
    ('ego', 'facilis', 'bonus', 'bellum')
    """
    return _classes().get(lemma, lemma)


@cache
def _table() -> list[dict[str, str]]:
    return shipped_rows("locisimiles.latin", "conventions.tsv")


@cache
def _spellings() -> dict[str, str]:
    return {row["lemma"]: row["class"] for row in _table() if row["why"] == "spelling"}


@cache
def _classes() -> dict[str, str]:
    return {row["lemma"]: row["class"] for row in _table()}
