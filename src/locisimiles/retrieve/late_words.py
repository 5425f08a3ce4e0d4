"""The words of texts as columns: a vector in bytes, a weight and a place for each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.latin import choose_lemmatizer, tokenize_all
from locisimiles.models.encoders import TokenVectors
from locisimiles.retrieve.contextual_words import words_of_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.latin.lemmatizers import LemmatizeFunction
    from locisimiles.models.embedding_cache import EmbeddingCache
    from locisimiles.models.encoders import WordwiseEncoder
    from locisimiles.progress import Progress

__all__ = ["STEPS", "LemmaWeights", "WordReader", "Words"]

STEPS = 127  # of a number between 0 and 1
_TEXTS_IN_A_FILE = 1024
# What a word counts that every source has; otherwise nothing could be found in a single source.
_LEAST_WEIGHT = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words of many texts as columns.

    Products of vectors are whole numbers below 2²⁴, which float32 holds exactly: so no score
    depends on which texts were multiplied together.

    Attributes
    ----------
    vectors
        A row a word, in steps of 1/127.
    weight
        How much each word counts.
    start, end
        Where it stands in its text.
    bounds
        The words of text ``i`` are those from ``bounds[i]`` to ``bounds[i + 1]``.
    """

    vectors: NDArray[np.int8]
    weight: NDArray[np.float32]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    bounds: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many words each text has."""
        return np.diff(self.bounds)

    @property
    def nbytes(self) -> int:
        """How many bytes of memory they take."""
        columns = self.vectors, self.weight, self.start, self.end, self.bounds
        return sum(column.nbytes for column in columns)

    def lengths_of(self, texts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many words some texts have."""
        return self.bounds[texts + 1] - self.bounds[texts]

    def rows_of(self, texts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of the words of some texts, one text after the other."""
        lengths = self.lengths_of(texts)
        before = np.cumsum(lengths) - lengths
        return np.repeat(self.bounds[texts] - before, lengths) + np.arange(lengths.sum())

    def of(self, text: int) -> Words:
        """Return the words of one text."""
        own = slice(int(self.bounds[text]), int(self.bounds[text + 1]))
        bounds = np.array([0, own.stop - own.start], np.int64)
        return Words(self.vectors[own], self.weight[own], self.start[own], self.end[own], bounds)


class LemmaWeights:
    r"""How much words count: the rarer their lemma is in the source, the more.

    .. math:: \omega = \log \frac{N + 1}{n + 1}

    where :math:`n` of :math:`N` segments have the lemma; numbers count nothing.

    Parameters
    ----------
    lemmatizer
        Whose lemmas; see `locisimiles.latin.choose_lemmatizer`.

    Examples
    --------
    >>> weights = LemmaWeights("fast")
    >>> weights.count(["uox haesit", "uocem audit"], [1, 2])
    >>> [round(weights.weight(word), 3) for word in ("haesit", "uox", "arma", "12")]
    [0.693, 0.01, 1.386, 0.0]
    """

    def __init__(self, lemmatizer: str | LemmatizeFunction) -> None:
        self._lemmatize = choose_lemmatizer(lemmatizer)
        self._lemmas: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._segments = 0

    def count(self, texts: Sequence[str], copies: Sequence[int]) -> None:
        """Count the lemmas of source texts, each of which is there so many times."""
        table = tokenize_all(texts)
        self._segments += sum(copies)
        lemmas = self._lemmas_of(table.vocabulary)
        distinct = {lemma: number for number, lemma in enumerate(dict.fromkeys(lemmas))}
        lemma_of_form = np.array([distinct[lemma] for lemma in lemmas], np.int64)
        text = np.repeat(np.arange(len(texts)), np.diff(table.bounds))
        # A lemma counts once in a text.
        pairs = np.unique(lemma_of_form[table.word] * len(texts) + text) if len(text) else text
        times = np.asarray(copies, np.int64)[pairs % max(len(texts), 1)]
        found = np.bincount(pairs // max(len(texts), 1), times, minlength=len(distinct))
        for lemma, number in zip(distinct, found.astype(np.int64).tolist(), strict=True):
            self._counts[lemma] = self._counts.get(lemma, 0) + number

    def weight(self, word: str) -> float:
        """Return how much a word counts."""
        return float(self._weights_of([word])[0])

    def of_words(self, texts: Sequence[str], tokens: TokenVectors) -> NDArray[np.float32]:
        """Return how much each of the words of texts counts."""
        table = tokenize_all(texts)
        word = words_of_tokens(table, tokens)
        # What is no word for us, a line of dots perhaps, counts nothing.
        weights = np.append(self._weights_of(table.vocabulary)[table.word], np.float32(0))
        return weights[word]

    def _weights_of(self, words: Sequence[str]) -> NDArray[np.float32]:
        counts = [self._counts.get(lemma, 0) for lemma in self._lemmas_of(words)]
        rarity = np.log((self._segments + 1) / (np.array(counts, np.float64) + 1))
        numerals = np.array([word.isdigit() for word in words], bool)
        weights = np.where(numerals, 0.0, np.maximum(rarity, _LEAST_WEIGHT))
        return weights.astype(np.float32)

    def _lemmas_of(self, words: Sequence[str]) -> list[str]:
        new = [word for word in dict.fromkeys(words) if word not in self._lemmas]
        # Word by word: a lemmatizer that reads contexts must not see a list as a sentence.
        self._lemmas.update((word, self._lemmatize([word])[0]) for word in new)
        return [self._lemmas[word] for word in words]


@dataclass(frozen=True, slots=True)
class WordReader:
    """Makes the words of texts, and remembers their vectors.

    Parameters
    ----------
    encoder
        Gives the vectors.
    cache
        Keeps them.
    """

    encoder: WordwiseEncoder
    cache: EmbeddingCache

    def read(
        self, texts: Sequence[str], weights: LemmaWeights, progress: Progress, what: str
    ) -> Words:
        """Return the words of distinct texts, which should be in the order of their lengths."""
        # Room for all words is made once; joining parts would need it twice.
        parts: list[dict[str, NDArray[np.generic]]] = []
        made_by = {"what": "words in steps", **self.encoder.describe()}
        weight: list[NDArray[np.float32]] = [np.empty(0, np.float32)]
        for begin in range(0, len(texts), _TEXTS_IN_A_FILE):
            progress(f"encoding {what}", begin, len(texts))
            own = texts[begin : begin + _TEXTS_IN_A_FILE]
            parts.append(self.cache.get(made_by, own, partial(self._compute, own)))
            weight.append(weights.of_words(own, _tokens(parts[-1])))
        progress(f"encoding {what}", len(texts), len(texts))
        lengths = [np.diff(part["bounds"].astype(np.int64)) for part in parts]
        vectors = np.empty((sum(map(len, weight)), self.encoder.dimensions), np.int8)
        done = 0
        for part in parts:
            rows = part.pop("vectors")
            vectors[done : done + len(rows)] = rows
            done += len(rows)
        nothing = np.empty(0, np.int32)
        return Words(
            vectors,
            weight=np.concatenate(weight),
            start=np.concatenate([nothing, *(part["start"] for part in parts)]),
            end=np.concatenate([nothing, *(part["end"] for part in parts)]),
            bounds=np.concatenate([[0], *lengths]).cumsum().astype(np.int64),
        )

    def _compute(self, texts: Sequence[str]) -> dict[str, NDArray[np.generic]]:
        tokens = self.encoder.encode_words(texts)
        expected = len(texts) + 1, len(tokens.start), self.encoder.dimensions
        if (len(tokens.bounds), *tokens.vectors.shape) != expected:
            raise ParameterError(
                f"the encoder gave {tokens.vectors.shape} numbers for {len(tokens.start)} words "
                f"of {len(texts)} texts",
                hint="it must return a row for each word, and bounds for each text",
            )
        return {
            "vectors": np.rint(np.clip(tokens.vectors, -1, 1) * STEPS).astype(np.int8),
            "start": tokens.start.astype(np.int32),
            "end": tokens.end.astype(np.int32),
            "bounds": tokens.bounds.astype(np.int64),
        }


def _tokens(arrays: dict[str, NDArray[np.generic]]) -> TokenVectors:
    """Return the places of words, without their vectors."""
    return TokenVectors(
        np.empty((0, 0), np.float32),
        start=arrays["start"].astype(np.int32, copy=False),
        end=arrays["end"].astype(np.int32, copy=False),
        bounds=arrays["bounds"].astype(np.int64, copy=False),
    )
