"""TEI XML as Perseus, CSEL and the Corpus Corporum write it.

`tei_text` finds the passages; this module recognises their work and cuts them into segments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.corpus.formats.safe_xml import parse_xml
from locisimiles.corpus.formats.tei_numbers import local_name, words_of
from locisimiles.corpus.formats.tei_text import extract_passages
from locisimiles.corpus.headers import recognise
from locisimiles.corpus.loci import CtsUrn
from locisimiles.corpus.segmenter import WorkHeader, segment_passages
from locisimiles.errors import EmptyInputError, ParameterError, UnknownFormatError

if TYPE_CHECKING:
    from lxml.etree import _Element

    from locisimiles.corpus.columns import Columns
    from locisimiles.corpus.options import ReadOptions
    from locisimiles.corpus.report import ReadReport
    from locisimiles.files.raw import RawInput

__all__ = ["read_tei"]


def read_tei(raw: RawInput, options: ReadOptions, report: ReadReport) -> Columns:
    """Read a TEI document and cut it into sentences.

    Notes, apparatus, headings and editors' prefaces are left out; books, chapters, sections and
    verse lines become loci; the CTS URN and the edition are kept.
    """
    root = parse_xml(raw, report, encoding=options.encoding)
    if not any(local_name(element) == "body" for element in root.iter()):
        raise UnknownFormatError("corpus.not_tei", file=raw.name, root=local_name(root))
    identifiers = [words_of(element) for element in root.iter("{*}idno")]
    title, urn = _first(root, "title"), _find_urn(root, identifiers)
    edition = (urn.edition if urn else "") or raw.stem
    extract = extract_passages(root)
    report.notes += [(raw.name, remark) for remark in extract.remarks]
    known = recognise(stem=raw.stem, tags=tuple(filter(None, identifiers)), urn=urn)
    if known:
        columns = segment_passages(
            known.prefixed(extract.passages),
            known.header(urn=urn, edition=edition),
            options.stop_rules(colon=known.work.colon),
        )
    else:
        header = WorkHeader(
            title.lower() or raw.stem,
            author=_first(root, "author"),
            title=title,
            verse=extract.verse,
            urn=urn,
            edition=edition,
        )
        columns = segment_passages(extract.passages, header, options.stop_rules())
    if not len(columns):
        raise EmptyInputError("corpus.no_text_in_file", file=raw.name)
    columns.name, columns.edition = raw.name, edition
    return columns


def _first(root: _Element, name: str) -> str:
    statement = next(root.iter("{*}titleStmt"), None)
    element = next(statement.iter(f"{{*}}{name}"), None) if statement is not None else None
    # An <author> may contain dates in child elements; the name is only its own text.
    return " ".join((element.text or "").split()) if element is not None else ""


def _find_urn(root: _Element, identifiers: list[str]) -> CtsUrn | None:
    marked = [
        element.get("n") or ""
        for element in root.iter("{*}div", "{*}text", "{*}edition", "{*}body")
    ]
    for candidate in [*marked, *identifiers]:
        if candidate.startswith("urn:cts:"):
            try:
                return CtsUrn.parse(candidate).at("")
            except ParameterError:
                continue
    return None
