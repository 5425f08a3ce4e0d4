"""BibTeX: cite a run, so that others can reproduce it, and a passage."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING, TextIO, get_args

from locisimiles.corpus.citations import cite, cited_work, printed_locus
from locisimiles.files.hashing import sha256_of
from locisimiles.results import Verdict
from locisimiles.results.reader_cells import judged_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from locisimiles.corpus import Segment
    from locisimiles.results import Results

__all__ = ["cite_passage", "cite_run", "write_citation"]

_OURS = "The locisimiles maintainers"
_SPECIAL = re.compile(r"[\\{}$&#_%~^]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]+")
# BibTeX counts braces even after a backslash, so they need commands.
_ESCAPED = {
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def write_citation(results: Results, stream: TextIO) -> None:
    """Write the citation of the run that found these results."""
    stream.write(cite_run(results.manifest, references=len(results), judged=judged_pairs(results)))


def cite_run(
    manifest: Mapping[str, object],
    *,
    references: int | None = None,
    judged: Sequence[Mapping[str, object]] = (),
) -> str:
    r"""Return BibTeX entries of the program and of a run with `references` candidates.

    `judged` are the pairs that readers judged.

    The key of the run is a hash of its manifest: equal searches have equal keys. The note is short
    enough for a bibliography; the complete manifest is in a field that bibliographies ignore.

    Examples
    --------
    >>> print(cite_run({"locisimiles": "0.1.0", "retriever": {"name": "bm25"}, "k": 3}))
    @software{locisimiles,
      author = {{The locisimiles maintainers}},
      title = {locisimiles: finding, judging and measuring intertextual references in Latin
        literature},
      version = {0.1.0},
      license = {Apache-2.0},
    }
    <BLANKLINE>
    @misc{locisimiles-run-8e176bd4,
      author = {{The locisimiles maintainers}},
      title = {References found by locisimiles 0.1.0},
      crossref = {locisimiles},
      note = {method bm25, k = 3},
      manifest = {\textbraceleft{}"locisimiles": "0.1.0", ...},
    }
    <BLANKLINE>
    """
    version = str(manifest.get("locisimiles", "unknown"))
    whole = json.dumps(dict(manifest), sort_keys=True, ensure_ascii=True)
    key = sha256_of(whole)[:8]
    program = {
        "title": "locisimiles: finding, judging and measuring intertextual references in Latin "
        "literature",
        "version": version,
        "license": "Apache-2.0",
    }
    run = {
        "title": f"References found by locisimiles {version}",
        "crossref": "locisimiles",
        "note": ", ".join((*_note(manifest, references), *_judgements_note(judged))),
        "manifest": json.dumps(dict(manifest), ensure_ascii=False),
        "judgements": json.dumps(list(judged), ensure_ascii=False) if judged else "",
    }
    return (
        _entry("software", "locisimiles", _OURS, program)
        + "\n"
        + _entry("misc", f"locisimiles-run-{key}", _OURS, run)
    )


def cite_passage(segment: Segment, *, urn: str = "") -> str:
    """Return a BibTeX entry of the passage that a segment covers.

    Examples
    --------
    >>> from locisimiles import Segment
    >>> print(cite_passage(Segment("a", "uox", author="Virgil", work="Aeneis", locus="2.774")))
    @misc{verg-aen-2-774,
      author = {{Virgil}},
      title = {Aeneis},
      shorttitle = {Verg. Aen.},
      note = {2.774},
    }
    <BLANKLINE>
    """
    citation = cite(segment)
    fields = {
        "title": segment.work or cited_work(segment) or segment.id,
        "shorttitle": cited_work(segment),
        "note": printed_locus(segment.locus).replace("\N{EN DASH}", "--"),
        "edition": segment.meta.get("edition", ""),
        "urn": urn,
    }
    return _entry("misc", _key(citation), segment.author, fields)


def _key(citation: str) -> str:
    plain = unicodedata.normalize("NFKD", citation).encode("ascii", "replace").decode().lower()
    return "-".join(re.findall(r"[a-z0-9]+", plain)) or "passage"


def _note(manifest: Mapping[str, object], references: int | None) -> Iterator[str]:
    if references is not None:
        yield f"{references:,} candidates"
    method = manifest.get("retriever")
    if isinstance(method, dict) and "name" in method:
        yield f"method {method['name']}"
    if "k" in manifest:
        yield f"k = {manifest['k']}"
    for side in ("query", "source"):
        document = manifest.get(side)
        if isinstance(document, dict) and isinstance(document.get("segments"), int):
            yield f"{document['segments']:,} {side} segments"


def _judgements_note(judged: Sequence[Mapping[str, object]]) -> Iterator[str]:
    verdicts = Counter(one["verdict"] for one in judged if one["verdict"])
    if verdicts:
        counted = ", ".join(f"{verdicts[name]:,} {name}" for name in get_args(Verdict))
        yield f"{verdicts.total():,} judged by readers ({counted})"


def _entry(kind: str, key: str, author: str, fields: Mapping[str, str]) -> str:
    lines = [f"  {name} = {{{_escape(value)}}},\n" for name, value in fields.items() if value]
    # Double braces keep a name as it is: an institution, or an author of antiquity.
    by = f"  author = {{{{{_escape(author)}}}}},\n" if author else ""
    return f"@{kind}{{{key},\n{by}{''.join(lines)}}}\n"


def _escape(text: str) -> str:
    plain = _CONTROL.sub(" ", text)
    return _SPECIAL.sub(lambda match: _ESCAPED.get(match[0], f"\\{match[0]}"), plain)
