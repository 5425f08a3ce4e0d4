"""The ten features of the paper's lexical classifiers.

Cosines of TF-IDF vectors over lemmas, lemmas and neighbouring pairs of lemmas, and runs of three or
four characters; the Jaccard index of lemmas; the number of shared words, and their share of the
shorter text; and the lengths.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.checks import check_pairs
from locisimiles.latin import fold
from locisimiles.progress import silent
from locisimiles.retrieve.lexical.terms import term_function

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress

__all__ = ["PAPER_FEATURES", "PaperFeatures"]

PAPER_FEATURES = (
    "cosine of lemmas",
    "cosine of lemmas and pairs",
    "cosine of characters",
    "jaccard of lemmas",
    "shared words",
    "share of words",
    "length of the query",
    "length of the source",
    "difference of lengths",
    "ratio of lengths",
)
_RUNS = (3, 4)


@dataclass(frozen=True, slots=True, eq=False)
class PaperFeatures:
    r"""Computes the columns `PAPER_FEATURES`.

    Attributes
    ----------
    rarity
        For lemmas, lemmas and pairs, and characters: the weight of each term,
        :math:`\log\frac{1 + N}{1 + n} + 1`. Unknown terms have none.
    """

    rarity: tuple[dict[Hashable, float], ...]

    @classmethod
    def fit(cls, texts: Sequence[str]) -> PaperFeatures:
        """Count the terms of training texts.

        Examples
        --------
        >>> features = PaperFeatures.fit(["arma uirumque cano", "arma"])
        >>> sorted(features.rarity[0]), round(features.rarity[0]["uir"], 3)
        (['arma', 'cano', 'que', 'uir'], 1.405)
        """
        found = []
        for terms in _CHANNELS:
            counts = Counter(term for own in terms(texts) for term in set(own))
            found.append(
                {t: float(np.log((1 + len(texts)) / (1 + n)) + 1) for t, n in counts.items()}
            )
        return cls(tuple(found))

    def columns(
        self,
        query: Document,
        source: Document,
        query_rows: NDArray[np.integer[Any]],
        source_rows: NDArray[np.integer[Any]],
        *,
        progress: Progress = silent,
    ) -> NDArray[np.float64]:
        """Return a row per pair; parameters as those of a `Classifier`.

        Examples
        --------
        >>> from locisimiles import Document, Segment
        >>> texts = ["haesit uox", "uox haesit", "arma"]
        >>> document = Document.from_segments(Segment(str(n), t) for n, t in enumerate(texts))
        >>> columns = PaperFeatures.fit(texts).columns(
        ...     document, document, np.array([0, 0]), np.array([1, 2])
        ... )
        >>> columns[:, 0].round(3).tolist(), columns[:, 4].tolist()
        ([1.0, 0.0], [2.0, 0.0])
        """
        check_pairs(query_rows, source_rows, len(query), len(source))
        if not len(query_rows):
            return np.zeros((0, len(PAPER_FEATURES)))
        sides: list[list[str]] = []
        pairs: list[NDArray[np.int64]] = []
        for document, rows in ((query, query_rows), (source, source_rows)):
            used, places = np.unique(rows, return_inverse=True)
            sides.append([document.texts[row] for row in used.tolist()])
            pairs.append(places.reshape(-1).astype(np.int64))
        columns = []
        for number, (terms, rarity) in enumerate(zip(_CHANNELS, self.rarity, strict=True)):
            progress("comparing terms", number, len(_CHANNELS))
            tables = _tables([terms(side) for side in sides], rarity)
            columns.append(_dot_products(*tables, *pairs))
        lemmas = _shared(_tables([_lemmas(side) for side in sides], None), pairs)
        words = _shared(_tables([_words(side) for side in sides], None), pairs)
        lengths = [
            np.array([len(own) for own in _words(side)], np.float64)[rows]
            for side, rows in zip(sides, pairs, strict=True)
        ]
        shorter, longer = np.minimum(*lengths), np.maximum(*lengths)
        columns += [
            lemmas.count / np.maximum(lemmas.query + lemmas.source - lemmas.count, 1),
            words.count,
            words.count / np.maximum(np.minimum(words.query, words.source), 1),
            *lengths,
            longer - shorter,
            shorter / np.maximum(longer, 1),
        ]
        progress("comparing terms", len(_CHANNELS), len(_CHANNELS))
        return np.column_stack(columns)


def _lemmas(texts: Sequence[str]) -> list[list[Hashable]]:
    return [list(own) for own in term_function("lemma")(texts)]


def _words(texts: Sequence[str]) -> list[list[Hashable]]:
    return [list(own) for own in term_function("surface")(texts)]


def _lemmas_and_pairs(texts: Sequence[str]) -> list[list[Hashable]]:
    return [[*own, *pairwise(own)] for own in _lemmas(texts)]


def _characters(texts: Sequence[str]) -> list[list[Hashable]]:
    folded = [fold(text) for text in texts]
    return [
        [text[at : at + run] for run in _RUNS for at in range(len(text) - run + 1)]
        for text in folded
    ]


_CHANNELS = (_lemmas, _lemmas_and_pairs, _characters)


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """The distinct terms of texts as columns, with a weight each."""

    term: NDArray[np.int64]
    weight: NDArray[np.float64]
    bounds: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.float64]:
        return np.diff(self.bounds).astype(np.float64)


def _tables(
    sides: Sequence[list[list[Hashable]]], rarity: dict[Hashable, float] | None
) -> tuple[_Table, _Table]:
    """Return the terms of both sides, with TF-IDF weights of norm 1, or equal weights."""
    numbers: dict[Hashable, int] = {}
    tables = []
    for side in sides:
        terms, weights, bounds = [], [], [0]
        for own in side:
            counts = Counter(term for term in own if rarity is None or term in rarity)
            values = np.array(
                [1.0 if rarity is None else (1 + np.log(n)) * rarity[t] for t, n in counts.items()]
            )
            if rarity is not None and len(values):
                values = values / np.sqrt((values**2).sum())
            terms += [numbers.setdefault(term, len(numbers)) for term in counts]
            weights.append(values)
            bounds.append(len(terms))
        tables.append(
            _Table(
                np.array(terms, np.int64), np.concatenate([np.empty(0), *weights]), np.array(bounds)
            )
        )
    return tables[0], tables[1]


def _dot_products(
    query: _Table, source: _Table, asked: NDArray[np.int64], given: NDArray[np.int64]
) -> NDArray[np.float64]:
    size = int(max(query.term.max(initial=-1), source.term.max(initial=-1))) + 1
    weight = np.zeros(size)
    products = np.zeros(len(asked))
    order = np.argsort(asked, kind="stable")
    queries, begins = np.unique(asked[order], return_index=True)
    for number, rows in zip(queries.tolist(), np.split(order, begins[1:]), strict=True):
        own = slice(query.bounds[number], query.bounds[number + 1])
        weight[query.term[own]] = query.weight[own]
        texts = given[rows]
        lengths = source.bounds[texts + 1] - source.bounds[texts]
        ends = np.cumsum(lengths)
        places = np.repeat(source.bounds[texts] - (ends - lengths), lengths)
        places += np.arange(len(places))
        values = weight[source.term[places]] * source.weight[places]
        products[rows] = np.bincount(
            np.repeat(np.arange(len(rows)), lengths), values, minlength=len(rows)
        )
        weight[query.term[own]] = 0
    return products


@dataclass(frozen=True, slots=True, eq=False)
class _Shared:
    """The number of distinct terms that pairs share, and that each side has."""

    count: NDArray[np.float64]
    query: NDArray[np.float64]
    source: NDArray[np.float64]


def _shared(tables: tuple[_Table, _Table], pairs: Sequence[NDArray[np.int64]]) -> _Shared:
    query, source = tables
    asked, given = pairs
    return _Shared(
        _dot_products(query, source, asked, given), query.sizes[asked], source.sizes[given]
    )
