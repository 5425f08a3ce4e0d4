"""BibTeX: cite a run, so that others can reproduce it."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, TextIO, get_args

from locisimiles.export.reader_cells import judged_pairs
from locisimiles.files.hashing import sha256_of
from locisimiles.results import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from locisimiles.results import Results

__all__ = ["cite_run", "write_citation"]

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
        _entry("software", "locisimiles", program)
        + "\n"
        + _entry("misc", f"locisimiles-run-{key}", run)
    )


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


def _entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    lines = [f"  {name} = {{{_escape(value)}}},\n" for name, value in fields.items() if value]
    author = "  author = {{The locisimiles maintainers}},\n"
    return f"@{kind}{{{key},\n{author}{''.join(lines)}}}\n"


def _escape(text: str) -> str:
    plain = _CONTROL.sub(" ", text)
    return _SPECIAL.sub(lambda match: _ESCAPED.get(match[0], f"\\{match[0]}"), plain)
