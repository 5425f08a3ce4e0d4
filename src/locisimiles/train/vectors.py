"""Learn word vectors from the lemmas of large corpora: Word2Vec or fastText.

Skip-gram with negative sampling, as gensim implements it. With one worker, which we use, equal
corpora, settings and releases of gensim give equal vectors; results may differ in the last digits
between processors, whose fast routines add in different orders.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.checks import check_at_least
from locisimiles.errors import EmptyInputError, MissingDependencyError
from locisimiles.installation import install_command
from locisimiles.models.vectors import Rows, Subwords, WordVectors
from locisimiles.progress import silent
from locisimiles.train.common.corpora import LemmaNumbers, read_corpora

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from locisimiles.progress import Progress

__all__ = ["VectorSettings", "read_lemmas", "train_on_sentences", "train_vectors"]

_SHORTEST, _LONGEST = 3, 6


@dataclass(frozen=True, slots=True)
class VectorSettings:
    """How vectors are learnt; the defaults are those of the literature.

    Parameters
    ----------
    dimensions
        Length of a vector.
    window
        Words of context on either side.
    negative
        Negative samples per word of context.
    epochs
        Passes over the corpora.
    fewest, most_words
        Fewest occurrences of a lemma, and most lemmas to learn, the most frequent first.
    subwords, buckets
        Whether n-grams of 3 to 6 letters get vectors too (fastText), and the number they share.
    components
        Principal components to remove beside the mean; see `WordVectors.centred`. Of 0, 1 and 2,
        the default separates synonyms of the Latin WordNet best from other words.
    seed
        For all random draws.
    """

    dimensions: int = 100
    window: int = 5
    negative: int = 5
    epochs: int = 5
    fewest: int = 5
    most_words: int = 40_000
    subwords: bool = False
    buckets: int = 50_000
    components: int = 2
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if name != "subwords":  # yes or no
                check_at_least(0 if name in {"components", "seed"} else 1, **{name: value})

    def for_gensim(self) -> Mapping[str, object]:
        """Return the settings under gensim's names."""
        settings = {
            "sg": 1,
            "hs": 0,
            "vector_size": self.dimensions,
            "window": self.window,
            "negative": self.negative,
            "min_count": self.fewest,
            "max_final_vocab": self.most_words,
            "sample": 1e-3,
            "seed": self.seed,
            "workers": 1,
        }
        if self.subwords:
            settings |= {"min_n": _SHORTEST, "max_n": _LONGEST, "bucket": self.buckets}
        return settings


def train_vectors(
    paths: Sequence[str | Path],
    settings: VectorSettings | None = None,
    *,
    progress: Progress = silent,
) -> WordVectors:
    """Learn vectors for the lemmas of corpora: text files with one sentence per line.

    Raises
    ------
    MissingDependencyError
        If gensim is not installed.
    InputError
        If a corpus cannot be read, or no lemma occurs often enough.
    """
    _gensim_models()  # before hours of reading
    sentences = list(read_lemmas(paths, progress=progress))
    return train_on_sentences(sentences, settings, progress=progress)


def read_lemmas(paths: Sequence[str | Path], *, progress: Progress = silent) -> Iterator[list[str]]:
    """Yield the lemmas of each sentence of corpora, without numbers."""
    numbers = LemmaNumbers()
    for batch in read_corpora(paths, "reading", progress):
        sentence, lemma = numbers.of(batch)
        words = [numbers.lemmas[number] for number in lemma.tolist()]
        starts = np.flatnonzero(np.diff(sentence, prepend=-1))
        for begin, end in pairwise([*starts.tolist(), len(words)]):
            yield words[begin:end]


def train_on_sentences(
    sentences: Sequence[Sequence[str]],
    settings: VectorSettings | None = None,
    *,
    progress: Progress = silent,
) -> WordVectors:
    """Learn vectors from lists of words; see `train_vectors`."""
    settings = settings or VectorSettings()
    models = _gensim_models()
    make = models.FastText if settings.subwords else models.Word2Vec
    model = make(**settings.for_gensim())
    if sentences:
        model.build_vocab(sentences)
    if not len(model.wv):
        raise EmptyInputError("train.no_frequent_word", count=settings.fewest)
    model.train(
        _Counted(sentences, settings.epochs, progress),
        total_examples=len(sentences),
        epochs=settings.epochs,
    )
    words = [str(word) for word in model.wv.index_to_key]
    matrix = np.array(model.wv.vectors, np.float32)
    subwords = None
    if settings.subwords:
        buckets = Rows(np.array(model.wv.vectors_ngrams, np.float32))
        subwords = Subwords(buckets, _SHORTEST, _LONGEST)
    return WordVectors.from_matrix(words, matrix, subwords).centred(settings.components)


class _Counted:
    """A corpus that reports progress, a hundred times each time it is read."""

    def __init__(self, corpus: Sequence[Sequence[str]], epochs: int, progress: Progress) -> None:
        self._corpus = corpus
        self._total = epochs * len(corpus)
        self._done = 0
        self._progress = progress

    def __iter__(self) -> Iterator[Sequence[str]]:
        step = math.ceil(len(self._corpus) / 100)
        for sentence in self._corpus:
            if self._done % step == 0:
                self._progress("learning", self._done, self._total)
            self._done += 1
            yield sentence


def _gensim_models() -> Any:  # noqa: ANN401 - gensim is untyped
    try:
        from gensim import models
    except ImportError as error:
        raise MissingDependencyError(
            "train.not_installed", library="gensim", install=install_command(library="gensim")
        ) from error
    return models
