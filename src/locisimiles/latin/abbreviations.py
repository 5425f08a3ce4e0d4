"""Abbreviations written with a full stop, and their lemmas."""

from __future__ import annotations

from locisimiles.latin.guesser import Analysis

__all__ = ["ABBREVIATIONS"]

# fmt: off
_PRAENOMINA = {
    "A": "aulus", "Ap": "appius", "App": "appius", "C": "gaius", "Cn": "gnaeus", "D": "decimus",
    "G": "gaius", "Gn": "gnaeus", "K": "caeso", "L": "lucius", "M": "marcus", "M'": "manius",
    "Mam": "mamercus", "N": "numerius", "P": "publius", "Q": "quintus", "S": "sextus",
    "Ser": "seruius", "Sex": "sextus", "Sp": "spurius", "T": "titus", "Ti": "tiberius",
    "Tib": "tiberius",
}
_MONTHS = {
    "Ian": "ianuarius", "Febr": "februarius", "Mart": "martius", "Apr": "aprilis",
    "April": "aprilis", "Iun": "iunius", "Iul": "iulius", "Sext": "sextilis", "Aug": "augustus",
    "Sept": "september", "Oct": "october", "Nov": "nouember", "Nou": "nouember",
    "Dec": "december",
}
# *Non.* and *Id.* are left out: they are more often words at the end of a sentence.
_OTHERS = {"Kal": "kalendae", "kal": "kalendae", "cos": "consul", "coss": "consul"}
# fmt: on

ABBREVIATIONS = {
    short: Analysis(lemma, pos)
    for group, pos in ((_PRAENOMINA, "PROPN"), (_MONTHS, "ADJ"), (_OTHERS, "NOUN"))
    for short, lemma in group.items()
}
"""The analysis of each abbreviation, written without its stop."""
