"""LaTeX with reledmac: lemmas are marked in the text, and the apparatus is set at its foot."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from locisimiles.corpus.segmenter import VERSE_SEPARATOR
from locisimiles.export.apparatus.wording import full_title, heading, method, reader_name
from locisimiles.results.characters import for_xml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from locisimiles.export.apparatus.model import Apparatus, Entry, Passage, Section

__all__ = ["escape", "write"]

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",
    "]": "{]}",
}
_ESCAPED = str.maketrans(_SPECIAL)
_SPACES = re.compile(r"\s+")
_LIGATURES = re.compile(r"([-,])(?=\1)")
_DIRECTIONS = frozenset(["LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"])
_PREAMBLE = r"""% Compile with lualatex or xelatex, twice, so that line numbers settle.
\documentclass[11pt]{article}
\usepackage{fontspec}
\usepackage{textcomp}
\usepackage[series={A},noend,noeledsec,noledgroup]{reledmac}
\Xarrangement[A]{paragraph}
\Xlemmaseparator[A]{{]}}
\linenummargin{outer}
\sidenotemargin{inner}
\setlength{\parindent}{0pt}
\begin{document}
"""


def escape(text: str) -> str:
    r"""Return a text that LaTeX prints as it is, on one line.

    Examples
    --------
    >>> escape(r"\input{/etc/passwd} 100 % & more")
    '\\textbackslash{}input\\{/etc/passwd\\} 100 \\% \\& more'
    """
    visible = "".join(map(_visible, for_xml(text)))
    escaped = _SPACES.sub(" ", visible).translate(_ESCAPED)
    return _LIGATURES.sub(r"\1\\kern0pt ", escaped)  # two hyphens are no dash


def _visible(character: str) -> str:
    # Unassigned characters have no glyph, and those that turn the direction would hide commands.
    unprintable = unicodedata.category(character) == "Cn"
    turns = unicodedata.bidirectional(character) in _DIRECTIONS
    return "\ufffd" if unprintable or turns else character


def write(apparatus: Apparatus, stream: BinaryIO, *, text: bool, language: str) -> None:
    """Write an apparatus as a document to compile, or to copy into an edition."""
    parts = _parts(apparatus, text=text, language=language)
    stream.writelines(part.encode("utf-8") for part in parts)


def _parts(apparatus: Apparatus, *, text: bool, language: str) -> Iterator[str]:
    yield _PREAMBLE
    yield f"\\section*{{{escape(full_title(apparatus))}}}\n"
    for section in apparatus.sections:
        yield f"\n\\subsection*{{{escape(section.title)}}}\n" if section.title else "\n"
        yield from _numbered(section) if text else _listed(section)
    yield from _appendix(apparatus, language)
    yield "\\end{document}\n"


def _numbered(section: Section) -> Iterator[str]:
    yield "\\beginnumbering\n\\pstart\n"
    for number, passage in enumerate(section.passages):
        if number:
            yield "\\newline\n" if passage.breaks else "\n"
        if passage.label:
            yield f"\\ledsidenote{{{escape(passage.label)}}}"
            if section.verse and passage.breaks:
                yield _line_number(passage)
        yield _marked(passage)
    yield "\n\\pend\n\\endnumbering\n"


def _line_number(passage: Passage) -> str:
    """Return the command that gives a line the number of its verse."""
    verse = passage.label.rpartition(".")[2]
    return f"\\setline{{{int(verse)}}}" if re.fullmatch("[0-9]{1,6}", verse) else ""


@dataclass(slots=True)
class _Mark:
    """An entry at the words of its lemma, with those inside it."""

    start: int
    end: int
    entry: Entry
    inside: list[_Mark] = field(default_factory=list)


def _marked(passage: Passage) -> str:
    roots: list[_Mark] = []
    open_marks: list[_Mark] = []
    spans = sorted(passage.entries, key=lambda entry: (entry.span[0], -entry.span[1]))
    for entry in spans:
        start, end = entry.span
        while open_marks and open_marks[-1].end <= start:
            open_marks.pop()
        if open_marks and end > open_marks[-1].end:
            end = start  # commands cannot cross: this one stands where its lemma begins
        mark = _Mark(start, end, entry)
        (open_marks[-1].inside if open_marks else roots).append(mark)
        if end > start:
            open_marks.append(mark)
    return _commands(passage.text, 0, len(passage.text), roots)


def _commands(text: str, begin: int, end: int, marks: list[_Mark]) -> str:
    written, at = [], begin
    for mark in sorted(marks, key=lambda mark: (mark.start, mark.end)):
        written.append(_lines(text[at : mark.start]))
        words = _commands(text, mark.start, mark.end, mark.inside)
        note = f"\\lemma{{{escape(mark.entry.lemma)}}}\\Afootnote{{{escape(mark.entry.text)}}}"
        written.append(f"\\edtext{{{words}}}{{{note}}}")
        at = mark.end
    written.append(_lines(text[at:end]))
    return "".join(written)


def _lines(text: str) -> str:
    return "\\newline\n".join(map(escape, text.split(VERSE_SEPARATOR)))


def _listed(section: Section) -> Iterator[str]:
    yield "\\begin{description}\n"
    for entry in section.entries:
        lemma = f"{escape(entry.lemma)}{{]}} {escape(entry.text)}"
        yield f"\\item[{{{escape(entry.locus)}}}] {lemma}\n"
    yield "\\end{description}\n"


def _appendix(apparatus: Apparatus, language: str) -> Iterator[str]:
    sigla = [(one.siglum, one.text) for one in apparatus.abbreviations]
    if sigla:
        yield from _list("sigla", sigla, language)
    if len(apparatus.readers) > 1:
        named = [(one.siglum, reader_name(one.name, language)) for one in apparatus.readers]
        yield from _list("readers", named, language)
    yield f"\n\\subsection*{{{escape(heading('method', language))}}}\n"
    yield f"{escape(' '.join(method(apparatus, language)))}\n"


def _list(name: str, items: list[tuple[str, str]], language: str) -> Iterator[str]:
    yield f"\n\\subsection*{{{escape(heading(name, language))}}}\n\\begin{{description}}\n"
    for siglum, meaning in items:
        yield f"\\item[{{{escape(siglum)}}}] {escape(meaning)}\n"
    yield "\\end{description}\n"
