"""Read lemmatised text: CoNLL-U files and the LASLA table."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from locisimiles.errors import EmptyInputError, MalformedInputError, ParameterError
from locisimiles.train.common.corpora import open_text
from locisimiles.train.common.files import reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["TaggedWord", "TreebankText", "leave_out", "read_treebank"]

_CONLLU_COLUMNS, _TABLE_COLUMNS = 10, 3
_NO_TAG = frozenset(["", "_", "X"])
_NO_WORD = frozenset(["PUNCT", "SYM"])
_WORK = "# work "


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
    """Read a treebank file, possibly compressed (``.xz``).

    It is a CoNLL-U file (one text), or a table with the columns form, lemma, UPOS in which
    ``# work NAME`` begins a text and an empty line ends a sentence. An InputError says what is
    wrong, and in which row.
    """
    path = Path(path)
    with reading(path), open_text(path) as stream:
        texts = list(_read_texts(path, stream))
    if not texts:
        raise EmptyInputError("train.empty_treebank", file=str(path))
    return texts


def leave_out(texts: Sequence[TreebankText], names: Sequence[str]) -> list[TreebankText]:
    """Return the texts whose names begin with none of these.

    A name that fits no text is a ParameterError: a text meant to be held out would be trained on.
    """
    for name in names:
        if not any(text.name.startswith(name) for text in texts):
            known = sorted({text.name for text in texts})
            raise ParameterError("train.unknown_text", name=name, texts=known)
    return [text for text in texts if not text.name.startswith(tuple(names))]


def _read_texts(path: Path, lines: Iterable[str]) -> Iterator[TreebankText]:
    conllu = ".conllu" in path.name.lower()
    columns = _CONLLU_COLUMNS if conllu else _TABLE_COLUMNS
    name = path.name.partition(".")[0]
    sentences: list[list[TaggedWord]] = [[]]
    for row, line in enumerate(lines, start=1):
        cells = line.rstrip("\n").split("\t")
        if line.startswith(_WORK) and not conllu:
            yield from _text(name, sentences)
            name, sentences = line.removeprefix(_WORK).split(" (")[0].strip(), [[]]
        elif line.startswith("#"):
            continue
        elif cells == [""]:
            sentences.append([])
        elif len(cells) != columns:
            raise MalformedInputError(
                "train.wrong_columns", file=str(path), row=row, count=len(cells), columns=columns
            )
        # In CoNLL-U, ranges (1-2) repeat two words as one, and dots mark words not written.
        elif not conllu or cells[0].isdigit():
            sentences[-1] += _word(*(cells[1:4] if conllu else cells))
    yield from _text(name, sentences)


def _word(form: str, lemma: str, pos: str) -> list[TaggedWord]:
    if pos in _NO_WORD:
        return []
    return [TaggedWord(form, "" if lemma == "_" else lemma, "" if pos in _NO_TAG else pos)]


def _text(name: str, sentences: Sequence[Sequence[TaggedWord]]) -> Iterator[TreebankText]:
    whole = tuple(tuple(words) for words in sentences if words)
    if whole:
        yield TreebankText(name, whole)
