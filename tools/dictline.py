"""What a line of Whitaker's DICTLINE says: stems, codes of grammar, senses; and its printed forms.

Stems become the forms that dictionaries print. Words that do not follow their declension keep what
their stems give.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Line", "forms_of", "is_plural", "numeral_forms", "read_lines", "singular_of"]

_STEMS = ((0, 19), (19, 38), (38, 57), (57, 76))
_CODES, _FLAGS, _SENSES = slice(76, 100), slice(100, 110), 110
_FREQUENCY, _SOURCE = 3, 4  # after age, area and place
_NO_STEM, _WHITAKER = "zzz", "S"
_GENDERS = {"M": "m.", "F": "f.", "N": "n.", "C": "c."}

# Nominative and genitive of nouns by declension and variant; None is the stem alone.
_NOUNS: dict[str, tuple[str | None, str]] = {
    "1 1": ("a", "ae"), "1 6": ("e", "es"), "1 7": ("es", "ae"), "1 8": ("as", "ae"),
    "2 1": ("us", "i"), "2 2": ("um", "i"), "2 3": (None, "i"), "2 4": ("us", "i"),
    "2 5": ("us", "i"), "2 6": ("os", "i"), "2 7": (None, "o"), "2 8": ("on", "i"),
    "2 9": ("us", "i"), "3 1": (None, "is"), "3 2": (None, "is"), "3 3": (None, "is"),
    "3 4": (None, "is"), "3 6": (None, "is"), "3 7": (None, "os"), "3 8": (None, "os"),
    "3 9": ("is", "os"), "4 1": ("us", "us"), "4 2": ("u", "us"), "4 3": ("us", "u"),
    "5 1": ("es", "ei"),
}  # fmt: skip
# The same of nouns that have a plural only.
_PLURALS = {
    "1": ("ae", "arum"), "2": ("i", "orum"), "3": ("es", "um"), "4": ("us", "uum"),
    "5": ("es", "erum"),
}  # fmt: skip
_NEUTER_PLURALS = {
    "2 2": ("a", "orum"), "2 4": ("a", "orum"), "3 2": ("a", "um"), "3 4": ("ia", "ium"),
    "4 2": ("ua", "uum"),
}  # fmt: skip
_I_STEMS = ("3 3", "3 4")
# Masculine (None is the stem alone), feminine and neuter of adjectives.
_ADJECTIVES: dict[str, tuple[str | None, str, str]] = {
    "1 1": ("us", "a", "um"), "1 2": (None, "a", "um"), "1 3": ("us", "a", "um"),
    "1 4": (None, "a", "um"), "1 5": ("us", "a", "ud"), "2 6": ("os", "os", "on"),
    "2 7": ("os", "e", "on"), "3 3": (None, "is", "e"),
}  # fmt: skip
_OTHER_ADJECTIVES = {
    "3 1": "{}, {}is", "3 6": "{}, {}is", "3 2": "{}is, -e",
    "2 1": "{}e, adi.", "2 2": "{}a, adi.", "2 3": "{}es, adi.", "2 8": "{}on, adi.",
}  # fmt: skip
# First person and infinitive, active and deponent.
_VERBS = {
    "1 1": ("o", "are", "or", "ari"), "2 1": ("eo", "ere", "eor", "eri"),
    "3 1": ("o", "ere", "or", "i"), "3 2": ("o", "re", "or", "ri"),
    "3 3": ("o", "ieri", "o", "ieri"), "3 4": ("o", "ire", "or", "iri"),
    "6 1": ("o", "re", "or", "ri"), "6 2": ("o", "le", "o", "le"), "7 1": ("o", "", "o", ""),
    "8 1": ("o", "are", "or", "ari"), "8 2": ("eo", "ere", "eor", "eri"),
    "8 3": ("o", "ere", "or", "i"),
}  # fmt: skip
_THIRD_PERSONS = {"1 1": "at", "2 1": "et", "3 1": "it", "3 2": "t", "3 4": "t", "6 1": "t"}
_IRREGULAR = {
    "volo": "volo, velle, volui", "fio": "fio, fieri, factus sum", "possum": "possum, posse, potui",
}  # fmt: skip
# Pronouns by stem and kind, stem and declension, or stem alone.
_PRONOUNS = {
    "qu REL": "qui, quae, quod", "qu INTERR": "quis, quid", "qu INDEF": "quis, quid",
    "qu ADJECT": "qui, quae, quod", "aliqu INDEF": "aliquis, aliquid",
    "aliqu ADJECT": "aliqui, aliqua, aliquod", "h": "hic, haec, hoc", "i 4 1": "is, ea, id",
    "i 4 2": "idem, eadem, idem", "ill": "ille, illa, illud", "oll": "olle, olla",
    "ips": "ipse, ipsa, ipsum", "ist 6 1": "iste, ista, istud", "ist 3 1": "istic, istaec, istuc",
    "ego": "ego, mei", "tu": "tu, tui", "n": "nos, nostri", "v": "vos, vestri",
    "zzz": "se, sui, sibi",
}  # fmt: skip
_COMPOUNDS = {
    "libet": "quilibet, quaelibet, quodlibet", "dam": "quidam, quaedam, quoddam",
    "piam": "quispiam, quidpiam", "que": "quisque, quaeque, quidque",
    "quam": "quisquam, quidquam", "vis": "quivis, quaevis, quodvis",
}  # fmt: skip
_WITH = re.compile(r"^\(w/-(\w+)[^)]*\)\s*")
_CARDINALS = {
    "1 1": "{}us, -a, -um", "1 2": "{}o, -ae, -o", "1 3": "{0}es, {0}ia", "1 4": "{}i, -ae, -a",
}  # fmt: skip


@dataclass(frozen=True)
class Line:
    """A line of the file, or several that are one entry."""

    stems: tuple[str, ...]
    codes: tuple[str, ...]
    frequency: str
    is_guess: bool  # whether it comes from no dictionary, but from Whitaker himself
    senses: tuple[str, ...]
    place: int  # how many lines of its entry stand before it

    @property
    def kind(self) -> str:
        """The part of speech."""
        return self.codes[0]

    @property
    def declension(self) -> str:
        """Declension or conjugation, and its variant."""
        return " ".join(self.codes[1:3])

    def stem(self, number: int) -> str:
        """Return a stem; empty if there is none."""
        return "" if self.stems[number] == _NO_STEM else self.stems[number]


def read_lines(text: str) -> Iterator[Line]:
    """Yield the lines of DICTLINE; a bar at the beginning of the senses goes on with an entry."""
    known: dict[tuple[object, ...], list[Line]] = {}
    for written in text.splitlines():
        stems = tuple(written[start:end].strip() for start, end in _STEMS)
        codes, flags = tuple(written[_CODES].split()), written[_FLAGS].split()
        meaning = written[_SENSES:].strip()
        senses = meaning.lstrip("|")
        line = Line(
            stems, codes, flags[_FREQUENCY], flags[_SOURCE] == _WHITAKER, tuple(_senses(senses)),
            len(meaning) - len(senses),
        )  # fmt: skip
        known.setdefault((stems, codes), []).append(line)
    for lines in known.values():
        whole: list[Line] = []
        for line in sorted(lines, key=lambda one: one.place):
            if line.place and whole:
                senses_so_far, frequency = whole[-1].senses, whole[-1].frequency
                whole[-1] = replace(
                    whole[-1],
                    senses=(*senses_so_far, *line.senses),
                    frequency=min(frequency, line.frequency),
                )
            else:
                whole.append(line)
        yield from whole


def _senses(meaning: str) -> Iterator[str]:
    """Yield what semicolons outside brackets separate."""
    depth, begun = 0, 0
    for at, letter in enumerate(f"{meaning};"):
        depth += (letter in "([") - (letter in ")]")
        if letter == ";" and (depth <= 0 or at == len(meaning)):
            if sense := meaning[begun:at].strip():
                yield " ".join(sense.split())
            begun, depth = at + 1, 0


def forms_of(line: Line) -> list[str]:
    """Return the printed forms of a line, the headword first; more than one for two degrees."""
    made = _FORMS[line.kind](line)
    return list(filter(None, [made] if isinstance(made, str) else made))


def is_plural(line: Line) -> bool:
    """Tell whether a line is a noun that is cited in the plural."""
    return line.kind == "N" and line.codes[1] in _PLURALS and "(pl.)" in line.senses[0]


def singular_of(line: Line) -> str:
    """Return the nominative singular of a noun; empty if it has none."""
    nominative, _ = _NOUNS.get(line.declension, (None, ""))
    if line.declension == "2 4" and line.codes[3] == "N":
        nominative = "um"
    return f"{line.stem(0)}{nominative or ''}" if line.stem(0) else ""


def numeral_forms(line: Line) -> list[str]:
    """Return cardinal, ordinal, distributive and adverb; those that do not exist are empty."""
    if line.codes[3] != "CARD" and not any(line.stems[1:]):
        return [line.stem(0)]
    patterns = (_CARDINALS.get(line.declension, "{}"), "{}us, -a, -um", "{}i, -ae, -a", "{}")
    stems = [line.stem(number) for number in range(len(line.stems))]
    return [
        pattern.format(stem) if stem else ""
        for pattern, stem in zip(patterns, stems, strict=True)
    ]  # fmt: skip


def _noun(line: Line) -> str:
    gender = _GENDERS.get(line.codes[3], "")
    second = line.stem(1) or line.stem(0)
    if is_plural(line):
        neuter = line.codes[3] == "N" and line.declension in _NEUTER_PLURALS
        ending = _NEUTER_PLURALS[line.declension] if neuter else _PLURALS[line.codes[1]]
        genitive = "ium" if line.declension in _I_STEMS else ending[1]
        return f"{second}{ending[0]}, {second}{genitive}, {gender}".rstrip(", ")
    if not (singular := singular_of(line)):
        return ""
    if line.declension not in _NOUNS:  # abbreviations, and words that do not change
        return ", ".join(filter(None, [singular, "indecl.", gender]))
    return f"{singular}, {second}{_NOUNS[line.declension][1]}, {gender}".rstrip(", ")


def _adjective(line: Line) -> str | list[str]:
    first, second = line.stem(0), line.stem(1) or line.stem(0)
    if not first or line.declension == "0 0":
        comparative, superlative = line.stem(2), line.stem(3)
        if "COMP" in line.codes:
            comparative = first or comparative
        elif "SUPER" in line.codes:
            superlative = first or superlative
        return [
            f"{comparative}or, {comparative}us" if comparative else "",
            f"{superlative}mus, -a, -um" if superlative else "",
        ]
    if line.declension in _ADJECTIVES:
        masculine, feminine, neuter = _ADJECTIVES[line.declension]
        if masculine is None:
            return f"{first}, {second}{feminine}, {second}{neuter}"
        return f"{first}{masculine}, -{feminine}, -{neuter}"
    pattern = _OTHER_ADJECTIVES.get(line.declension, "{}, adi. indecl.")
    return pattern.format(first, second)


def _verb(line: Line) -> str:
    first, second, perfect = line.stem(0), line.stem(1), line.stem(2)
    if line.codes[3] == "PERFDEF" or not first:
        return f"{perfect}i, {perfect}isse" if perfect else ""
    if line.codes[1] == "5":
        forms = f"{first}um, {second}esse, {perfect}i"
        return _IRREGULAR.get(f"{first}um", forms)
    if line.declension in _VERBS:
        return ", ".join(filter(None, _regular_verb(line)))
    if line.declension == "7 2":  # inquam
        return f"{second}am, {first}t"
    return f"{first}, indecl." if line.codes[1] == "9" else f"{first}o"


def _regular_verb(line: Line) -> list[str]:
    first, second, kind = line.stem(0), line.stem(1), line.codes[3]
    perfect, middle = line.stem(2), line.stem(3) or line.stem(2)
    present, infinitive, passive_present, passive = _VERBS[line.declension]
    if kind == "IMPERS" and line.declension in _THIRD_PERSONS:
        stem = first.removesuffix("i") if line.declension == "3 1" else first
        forms = [f"{stem}{_THIRD_PERSONS[line.declension]}", second + infinitive]
        return [*forms, f"{perfect}it" if perfect else ""]
    if kind in ("DEP", "SEMIDEP"):
        deponent = kind == "DEP"
        head = first + (passive_present if deponent else present)
        forms = [head, second + (passive if deponent else infinitive)]
        return [*forms, f"{middle}us sum" if middle else ""]
    head = first + present
    if head in _IRREGULAR and line.codes[1] in "36":  # *volare* is regular
        return [_IRREGULAR[head]]
    forms = [head, second + infinitive if infinitive else "", f"{perfect}i" if perfect else ""]
    return [*forms, f"{line.stem(3)}um" if line.stem(3) else ""]


def _pronoun(line: Line) -> str:
    stem, kind = line.stems[0], line.codes[3]
    if line.kind == "PACK":
        compound = _WITH.match(line.senses[0])
        known = line.declension == "1 0" and compound and _COMPOUNDS.get(compound[1])
        return f"{known}, pron." if known else ""
    if stem in ("qu", "aliqu") and line.declension != "1 0":
        return ""  # the same again for other cases
    keys = f"{stem} {kind}", f"{stem} {line.declension}", stem
    found = next((_PRONOUNS[key] for key in keys if key in _PRONOUNS), "")
    return f"{found}, pron." if found else ""


_FORMS: dict[str, Callable[[Line], str | list[str]]] = {
    "N": _noun,
    "ADJ": _adjective,
    "V": _verb,
    "PRON": _pronoun,
    "PACK": _pronoun,
    "ADV": lambda line: f"{line.stem(0)}, adv.",
    "PREP": lambda line: f"{line.stem(0)}, praep. + {line.codes[1].lower()}.",
    "CONJ": lambda line: f"{line.stem(0)}, coni.",
    "INTERJ": lambda line: f"{line.stem(0)}, interi.",
}
