"""Read corpora: text files with one sentence per line, compressed or not."""

from __future__ import annotations

import lzma
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from locisimiles.errors import EmptyInputError
from locisimiles.latin.orthography import fold_word
from locisimiles.latin.tokens import Tokenizer
from locisimiles.progress import silent
from locisimiles.train.common.files import reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from locisimiles.progress import Progress

__all__ = ["count_forms", "open_text", "read_corpora", "read_sentences"]

_BATCH = 1 << 16


def open_text(path: Path) -> TextIO:
    """Open a text file in UTF-8, possibly compressed (``.xz``)."""
    if path.suffix == ".xz":
        return lzma.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def read_sentences(path: str | Path) -> Iterator[list[str]]:
    """Yield the lines of a corpus in batches, without empty ones."""
    path = Path(path)
    batch: list[str] = []
    empty = True
    with reading(path), open_text(path) as stream:
        for line in stream:
            if stripped := line.strip():
                batch.append(stripped)
            if len(batch) == _BATCH:
                yield batch
                batch, empty = [], False
    if batch:
        yield batch
    elif empty:
        raise EmptyInputError("train.empty_corpus", file=str(path))


def read_corpora(
    paths: Sequence[str | Path], task: str, progress: Progress = silent
) -> Iterator[list[str]]:
    """Yield the sentences of several corpora in batches; report a task's progress file by file."""
    for done, path in enumerate(paths):
        progress(task, done, len(paths))
        yield from read_sentences(path)
    progress(task, len(paths), len(paths))


def count_forms(paths: Sequence[str | Path], *, progress: Progress = silent) -> Counter[str]:
    """Count the folded words of corpora; enclitics stay attached."""
    counts: Counter[int] = Counter()
    tokenizer = Tokenizer()
    for sentences in read_corpora(paths, "counting words", progress):
        counts.update(tokenizer.tokenize_all(sentences).word.tolist())
    vocabulary = tokenizer.tokenize_all([]).vocabulary
    folded: Counter[str] = Counter()
    for word, count in counts.items():
        folded[fold_word(vocabulary[word])] += count
    return folded
