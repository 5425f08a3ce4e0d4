"""Read corpora: text files with one sentence per line, compressed or not; count their words."""

from __future__ import annotations

import lzma
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import numpy as np

from locisimiles.errors import EmptyInputError
from locisimiles.latin.lemmas import Lemmatizer
from locisimiles.latin.orthography import fold_word
from locisimiles.latin.tokens import Tokenizer, tokenize_all
from locisimiles.progress import silent
from locisimiles.train.common.files import reading

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from locisimiles.progress import Progress

__all__ = ["LemmaNumbers", "count_forms", "open_text", "read_corpora", "read_sentences"]

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


class LemmaNumbers:
    """Turns sentences into columns of lemma numbers, without numerals; `lemmas` are the lemmas."""

    def __init__(self) -> None:
        self.lemmas: list[str] = []
        self._numbers: dict[str, int] = {}
        self._of_word = np.empty(0, np.int64)
        self._lemmatizer = Lemmatizer.shipped()

    def of(self, sentences: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the sentence and the lemma of each word."""
        table = tokenize_all(sentences)
        new = self._lemmatizer.lemmatize(table.vocabulary[len(self._of_word) :], "fast")
        numbers = [
            self._numbers.setdefault(lemma, len(self._numbers)) if lemma.isalpha() else -1
            for lemma in new
        ]
        self.lemmas += list(self._numbers)[len(self.lemmas) :]
        self._of_word = np.concatenate([self._of_word, np.array(numbers, np.int64)])
        sentence = np.repeat(np.arange(len(sentences)), np.diff(table.bounds))
        lemma = self._of_word[table.word]
        is_word = lemma >= 0
        return sentence[is_word], lemma[is_word]
