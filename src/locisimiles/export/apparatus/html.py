"""HTML for print: one file, the apparatus of each section under its text."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from locisimiles.corpus.segmenter import VERSE_SEPARATOR
from locisimiles.export.apparatus.wording import full_title, heading, method, reader_name
from locisimiles.results.characters import for_html

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from locisimiles.export.apparatus.model import Apparatus, Citation, Entry, Section

__all__ = ["write"]


def write(apparatus: Apparatus, stream: BinaryIO, *, text: bool, language: str) -> None:
    """Write an apparatus as a page without scripts."""
    parts = _parts(apparatus, text=text, language=language)
    stream.writelines(part.encode("utf-8") for part in parts)


def _parts(apparatus: Apparatus, *, text: bool, language: str) -> Iterator[str]:
    style = (resources.files("locisimiles.export") / "data" / "apparatus.css").read_text("utf-8")
    title = for_html(full_title(apparatus))
    yield (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        # Nothing is loaded and nothing runs, whatever a text contains.
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    )
    for section in apparatus.sections:
        yield from _section(section, text=text)
    yield from _appendix(apparatus, language)
    yield "</body>\n</html>\n"


def _section(section: Section, *, text: bool) -> Iterator[str]:
    # The head of a table is repeated on every page: this is the running title.
    yield (
        '<table class="section" role="presentation">\n'
        f"<thead><tr><th><h2>{for_html(section.title)}</h2></th></tr></thead>\n<tbody>\n"
    )
    if text:
        kind = "verse" if section.verse else "prose"
        yield f'<tr><td><p class="text {kind}" lang="la" dir="auto">'
        for number, passage in enumerate(section.passages):
            if number:
                yield "<br>\n" if passage.breaks else " "
            if passage.label:
                yield f'<span class="locus">{for_html(passage.label)}</span> '
            yield "<br>\n".join(map(for_html, passage.text.split(VERSE_SEPARATOR)))
        yield "</p></td></tr>\n"
    if section.entries:
        yield '<tr><td><div class="apparatus">\n'
        for entry in section.entries:
            yield f'<p class="entry">{_entry(entry)}</p>\n'
        yield "</div></td></tr>\n"
    yield "</tbody>\n</table>\n"


def _entry(entry: Entry) -> str:
    locus = f"<b>{for_html(entry.locus)}</b> " if entry.locus else ""
    lemma = f'<span class="lemma" lang="la"><bdi>{for_html(entry.lemma)}</bdi>]</span>'
    return f"{locus}{lemma} {'; '.join(map(_citation, entry.citations))}"


def _citation(citation: Citation) -> str:
    shown = f"<bdi>{for_html(citation.text)}</bdi>"
    if not citation.remark:
        return shown
    return f'{shown} <span class="remark"><bdi>{for_html(citation.remark)}</bdi></span>'


def _appendix(apparatus: Apparatus, language: str) -> Iterator[str]:
    yield '<section class="appendix">\n'
    if apparatus.abbreviations:
        yield f"<h2>{for_html(heading('sigla', language))}</h2>\n<dl>\n"
        for siglum in apparatus.abbreviations:
            yield f"<dt>{for_html(siglum.siglum)}</dt><dd>{for_html(siglum.text)}</dd>\n"
        yield "</dl>\n"
    if len(apparatus.readers) > 1:
        yield f"<h2>{for_html(heading('readers', language))}</h2>\n<dl>\n"
        for reader in apparatus.readers:
            name = for_html(reader_name(reader.name, language))
            yield f"<dt>{for_html(reader.siglum)}</dt><dd>{name}</dd>\n"
        yield "</dl>\n"
    yield f"<h2>{for_html(heading('method', language))}</h2>\n"
    yield f"<p>{for_html(' '.join(method(apparatus, language)))}</p>\n</section>\n"
