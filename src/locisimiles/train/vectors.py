"""Learn word vectors from the lemmas of large corpora: Word2Vec or fastText.

Skip-gram with negative sampling, as gensim implements it. With one worker, which is what we use,
the same corpus, settings and release of gensim give the same vectors; gensim's results may differ
in the last digits between processors, whose fast routines add in different orders.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.errors import EmptyInputError, MissingDependencyError, ParameterError
from locisimiles.latin.lemmas import Lemmatizer
from locisimiles.latin.tokens import tokenize_all
from locisimiles.models.vectors import Rows, Subwords, WordVectors
from locisimiles.progress import silent
from locisimiles.train.common.corpora import read_sentences

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
        How many numbers a vector has.
    window
        How many words to the left and to the right of a word it is learnt from, at most.
    negative
        How many words, drawn at random, each such word is set against.
    epochs
        How many times the corpora are read.
    fewest
        How often a lemma must occur to get a vector.
    most_words
        How many lemmas get one, the commonest first.
    subwords
        Whether n-grams of 3 to 6 letters get vectors too (fastText).
    buckets
        How many vectors n-grams share.
    components
        How many directions that all vectors share are taken out of them, beside their mean; see
        `WordVectors.centred`. Of 0, 1 and 2, this separates the synonyms of the Latin WordNet best
        from other words.
    seed
        For what is drawn at random.
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
            least = 0 if name in {"subwords", "components", "seed"} else 1
            if value < least:
                raise ParameterError(f"{name}={value} is too small", hint=f"{least} is the least")

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
    """Learn vectors of the lemmas of corpora.

    Parameters
    ----------
    paths
        Text files with a sentence a line.
    settings
        How vectors are learnt.
    progress
        Called file by file, then some hundred times an epoch.

    Raises
    ------
    MissingDependencyError
        If gensim is not installed.
    InputError
        If a corpus cannot be read, or no lemma occurs often enough.
    """
    _gensim_models()  # before hours are spent on reading
    sentences = list(read_lemmas(paths, progress=progress))
    return train_on_sentences(sentences, settings, progress=progress)


def read_lemmas(paths: Sequence[str | Path], *, progress: Progress = silent) -> Iterator[list[str]]:
    """Yield the lemmas of each sentence of corpora, numbers left out."""
    lemmatizer = Lemmatizer.shipped()
    lemma_of: list[str | None] = []
    for done, path in enumerate(paths):
        progress("reading", done, len(paths))
        for batch in read_sentences(path):
            table = tokenize_all(batch)
            new = lemmatizer.lemmatize(table.vocabulary[len(lemma_of) :], "fast")
            lemma_of += [lemma if lemma.isalpha() else None for lemma in new]
            lemmas = [lemma_of[word] for word in table.word.tolist()]
            for begin, end in pairwise(table.bounds.tolist()):
                if sentence := [lemma for lemma in lemmas[begin:end] if lemma is not None]:
                    yield sentence
    progress("reading", len(paths), len(paths))


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
        raise EmptyInputError(
            f"no word occurs {settings.fewest} times",
            hint="give more text, or ask for fewer occurrences",
        )
    model.train(
        _Counted(sentences, settings.epochs, progress),
        total_examples=len(sentences),
        epochs=settings.epochs,
    )
    return _exported(model.wv, settings).centred(settings.components)


class _Counted:
    """A corpus that reports each time it has been read a hundredth further."""

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


def _exported(learnt: Any, settings: VectorSettings) -> WordVectors:  # noqa: ANN401 - gensim is untyped
    words = [str(word) for word in learnt.index_to_key]
    matrix = np.array(learnt.vectors, np.float32)
    if not settings.subwords:
        return WordVectors.from_matrix(words, matrix)
    buckets = Rows(np.array(learnt.vectors_ngrams, np.float32))
    return WordVectors.from_matrix(words, matrix, Subwords(buckets, _SHORTEST, _LONGEST))


def _gensim_models() -> Any:  # noqa: ANN401 - gensim is untyped
    try:
        from gensim import models
    except ImportError as error:
        raise MissingDependencyError(
            "gensim is not installed, and vectors are learnt with it",
            hint="install it with: pip install 'locisimiles[train]'",
        ) from error
    return models
