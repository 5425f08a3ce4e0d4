"""Read lemmatised text: CoNLL-U files and the LASLA table."""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TextIO

from locisimiles.errors import EmptyInputError, InputError, MalformedInputError, ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["TaggedWord", "TreebankText", "leave_out", "read_treebank"]

_CONLLU_COLUMNS = 10
_TABLE_COLUMNS = 3
_NO_TAG = frozenset(["", "_", "X"])
_SHOWN = 5
_NO_WORD = frozenset(["PUNCT", "SYM"])


class TaggedWord(NamedTuple):
    """A word with its lemma and part of speech (UPOS; empty if the treebank has none)."""

    form: str
    lemma: str
    pos: str


@dataclass(frozen=True, slots=True)
class TreebankText:
    """A text of a treebank: its name, and its sentences without punctuation."""

    name: str
    sentences: tuple[tuple[TaggedWord, ...], ...]

    def __len__(self) -> int:
        return sum(len(sentence) for sentence in self.sentences)


def read_treebank(path: str | Path) -> list[TreebankText]:
    """Read a treebank file.

    Parameters
    ----------
    path
        A CoNLL-U file (one text), or a table with the columns form, lemma, UPOS in which
        ``# work NAME`` begins a text and an empty line ends a sentence. Either may be packed
        (``.xz``).

    Raises
    ------
    InputError
        If it cannot be read; the message names the row.
    """
    path = Path(path)
    conllu = ".conllu" in path.name.lower()
    try:
        opener = lzma.open if path.suffix == ".xz" else open
        with opener(path, "rt", encoding="utf-8") as stream:
            texts = list(_read_conllu(path, stream) if conllu else _read_table(path, stream))
    except (OSError, EOFError, ValueError, lzma.LZMAError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"the treebank cannot be read: {why}", file=str(path)) from error
    if not texts:
        raise EmptyInputError("there is no sentence in this treebank", file=str(path))
    return texts


def leave_out(texts: Sequence[TreebankText], names: Sequence[str]) -> list[TreebankText]:
    """Return the texts whose names begin with none of these.

    Raises
    ------
    ParameterError
        If a name fits no text: then something would be trained on that was to be held out.
    """
    for name in names:
        if not any(text.name.startswith(name) for text in texts):
            known = ", ".join(sorted({text.name for text in texts})[:_SHOWN])
            raise ParameterError(
                f"no text begins with {name!r}, so it cannot be held out",
                hint=f"there are {known} …",
            )
    return [text for text in texts if not text.name.startswith(tuple(names))]


def _read_conllu(path: Path, stream: TextIO) -> Iterator[TreebankText]:
    sentences: list[tuple[TaggedWord, ...]] = []
    words: list[TaggedWord] = []
    for row, line in enumerate([*stream, "\n"], start=1):
        if line.startswith("#"):
            continue
        cells = line.rstrip("\n").split("\t")
        if cells == [""]:
            _close(sentences, words)
        elif len(cells) != _CONLLU_COLUMNS:
            raise MalformedInputError(
                f"there are {len(cells)} columns, not {_CONLLU_COLUMNS}", file=str(path), row=row
            )
        elif cells[0].isdigit() and cells[3] not in _NO_WORD:
            # Ranges (1-2) repeat as one what follows as two words; dots mark words not written.
            words.append(_word(cells[1], cells[2], cells[3]))
    if sentences:
        yield TreebankText(path.name.partition(".")[0], tuple(sentences))


def _read_table(path: Path, stream: TextIO) -> Iterator[TreebankText]:
    name = path.name.partition(".")[0]
    sentences: list[tuple[TaggedWord, ...]] = []
    words: list[TaggedWord] = []
    for row, line in enumerate(stream, start=1):
        cells = line.rstrip("\n").split("\t")
        if line.startswith("# work "):
            _close(sentences, words)
            if sentences:
                yield TreebankText(name, tuple(sentences))
            name, sentences = line.removeprefix("# work ").split(" (")[0].strip(), []
        elif line.startswith("#"):
            continue
        elif cells == [""]:
            _close(sentences, words)
        elif len(cells) != _TABLE_COLUMNS:
            raise MalformedInputError(
                f"there are {len(cells)} columns, not {_TABLE_COLUMNS}", file=str(path), row=row
            )
        elif cells[2] not in _NO_WORD:
            words.append(_word(*cells))
    _close(sentences, words)
    if sentences:
        yield TreebankText(name, tuple(sentences))


def _word(form: str, lemma: str, pos: str) -> TaggedWord:
    return TaggedWord(form, "" if lemma == "_" else lemma, "" if pos in _NO_TAG else pos)


def _close(sentences: list[tuple[TaggedWord, ...]], words: list[TaggedWord]) -> None:
    if words:
        sentences.append(tuple(words))
        words.clear()
