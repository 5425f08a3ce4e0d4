"""What the command line of the paper's package is called here."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

__all__ = ["our_command"]

_METHODS = {
    "two-stage": "",
    "word2vec-retrieval": "--method word2vec",
    "latin-bert-retrieval": "--method contextual",
    "latin-bert-two-stage": "--method contextual --classifier ensemble",
    "tfidf-retrieval": "--method tfidf-lemma",
    "bm25-retrieval": "--method bm25",
    "bm25-two-stage": "--method bm25 --classifier ensemble",
    "bm25-lexical-two-stage": "--method bm25 --classifier ensemble",
}
_KEPT = {
    "-o": "-o",
    "--output": "-o",
    "-k": "-k",
    "--top-k": "-k",
    "-t": "--threshold",
    "--threshold": "--threshold",
}
_SETTINGS = {"--bm25-k1": "k1", "--bm25-b": "b"}
_FLAGS = {
    "-v",
    "--verbose",
    "--word2vec-order-free",
    "--lexical-disable-lemmatize",
    "--latin-bert-disable-stopword-filter",
}
_OUTPUT = ("-o", "--output")
_TEXTS = 2


def our_command(arguments: Sequence[str], commands: Collection[str]) -> str:
    """Return our command for one of the paper's package; nothing for any other.

    That has no commands, only two files, and must have an output.

    Examples
    --------
    >>> our_command(["jerome.csv", "vergil.csv", "-o", "x.csv", "--top-k", "20"], ["search"])
    'locisimiles search jerome.csv vergil.csv -o x.csv -k 20'
    >>> our_command(["search", "jerome.csv", "vergil.csv", "-o", "x.csv"], ["search"])
    ''
    """
    if not arguments or arguments[0] in commands:
        return ""
    given = list(_pairs(arguments))
    texts = [value for name, value in given if not name]
    named = {name: value for name, value in given if name}
    pipeline = named.get("--pipeline", "two-stage")
    if len(texts) != _TEXTS or not named.keys() & set(_OUTPUT) or pipeline not in _METHODS:
        return ""
    words = ["locisimiles", "search", *texts]
    judged = "ensemble" in _METHODS[pipeline] or not _METHODS[pipeline]
    for name, value in named.items():
        ours = _KEPT.get(name)
        if ours and (judged or ours != "--threshold"):  # of a score, there is no threshold
            words += [ours, value]
        elif name in _SETTINGS and "bm25" in pipeline:
            words += ["--set", f"{_SETTINGS[name]}={value}"]
    if named.keys() & {"--lexical-disable-lemmatize"} and "bm25" in pipeline:
        words += ["--set", "terms=surface"]
    return shlex.join([*words, *_METHODS[pipeline].split()])


def _pairs(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the options with their values; files have no name."""
    rest = iter(arguments)
    for word in rest:
        name, has_value, value = word.partition("=")
        if not word.startswith("-"):
            yield "", word
        elif has_value or name in _FLAGS:
            yield name, value
        else:
            yield name, next(rest, "")
