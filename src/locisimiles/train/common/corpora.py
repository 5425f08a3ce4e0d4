"""Read large corpora: text files with a sentence a line, packed or not."""

from __future__ import annotations

import lzma
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from locisimiles.errors import EmptyInputError, InputError
from locisimiles.latin.orthography import fold_word
from locisimiles.latin.tokens import Tokenizer
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from locisimiles.progress import Progress

__all__ = ["count_forms", "read_sentences"]

_BATCH = 1 << 16


def read_sentences(path: str | Path) -> Iterator[list[str]]:
    """Yield the lines of a corpus file in batches; empty lines are left out.

    Parameters
    ----------
    path
        A text file in UTF-8, possibly packed (``.xz``).

    Raises
    ------
    InputError
        If it cannot be read.
    """
    path = Path(path)
    opener = lzma.open if path.suffix == ".xz" else open
    batch: list[str] = []
    empty = True
    try:
        with opener(path, "rt", encoding="utf-8") as stream:
            for line in stream:
                if stripped := line.strip():
                    batch.append(stripped)
                if len(batch) == _BATCH:
                    yield batch
                    batch, empty = [], False
    except (OSError, EOFError, ValueError, lzma.LZMAError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"the corpus cannot be read: {why}", file=str(path)) from error
    if batch:
        yield batch
    elif empty:
        raise EmptyInputError("there is no text in this corpus", file=str(path))


def count_forms(paths: Sequence[str | Path], *, progress: Progress = silent) -> Counter[str]:
    """Count the folded words of corpora, enclitics and all."""
    counts: Counter[int] = Counter()
    tokenizer = Tokenizer()
    for done, path in enumerate(paths):
        progress("counting words", done, len(paths))
        for sentences in read_sentences(path):
            table = tokenizer.tokenize_all(sentences)
            counts.update(table.word.tolist())
    progress("counting words", len(paths), len(paths))
    vocabulary = tokenizer.tokenize_all([]).vocabulary
    folded: Counter[str] = Counter()
    for word, count in counts.items():
        folded[fold_word(vocabulary[word])] += count
    return folded
