"""The ten features of the paper's lexical classifiers.

Cosines of TF-IDF vectors over lemmas, lemmas and neighbouring pairs of lemmas, and runs of three or
four characters; the Jaccard index of lemmas; the number of shared words, and their share of the
shorter text; and the lengths.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.latin import fold
from locisimiles.models.pair_pieces import needed_texts
from locisimiles.progress import silent
from locisimiles.retrieve.lexical.terms import term_function

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from locisimiles.classify.base import Pairs
    from locisimiles.progress import Progress

    _Terms = Sequence[Sequence[Hashable]]

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

    `rarity` has the weights of lemmas, of lemmas and pairs, and of characters,
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
        *weighted, _words = _terms(texts)
        rarity = []
        for terms in weighted:
            counts = Counter(term for own in terms for term in set(own))
            rarity.append(
                {t: float(np.log((1 + len(texts)) / (1 + n)) + 1) for t, n in counts.items()}
            )
        return cls(tuple(rarity))

    def columns(self, pairs: Pairs, *, progress: Progress = silent) -> NDArray[np.float64]:
        """Return the features of pairs, a row per pair.

        Examples
        --------
        >>> from locisimiles import Document, Segment
        >>> from locisimiles.classify import Pairs
        >>> texts = ["haesit uox", "uox haesit", "arma"]
        >>> document = Document.from_segments(Segment(str(n), t) for n, t in enumerate(texts))
        >>> pairs = Pairs(document, document, [0, 0], [1, 2])
        >>> columns = PaperFeatures.fit(texts).columns(pairs)
        >>> columns[:, 0].round(3).tolist(), columns[:, 4].tolist()
        ([1.0, 0.0], [2.0, 0.0])
        """
        if not len(pairs):
            return np.zeros((0, len(PAPER_FEATURES)))
        query, query_rows = needed_texts(pairs.query.texts, pairs.query_rows)
        source, source_rows = needed_texts(pairs.source.texts, pairs.source_rows)
        rows = query_rows, source_rows
        *weighted, words = zip(_terms(query), _terms(source), strict=True)
        columns = []
        for number, (sides, rarity) in enumerate(zip(weighted, self.rarity, strict=True)):
            progress("comparing terms", number, len(weighted))
            columns.append(_dot_products(*_tables(sides, rarity), *rows))
        lemmas, query_lemmas, source_lemmas = _shared(weighted[0], rows)
        shared, query_words, source_words = _shared(words, rows)
        lengths = [
            np.array([len(own) for own in side], np.float64)[own_rows]
            for side, own_rows in zip(words, rows, strict=True)
        ]
        shorter, longer = np.minimum(*lengths), np.maximum(*lengths)
        columns += [
            lemmas / np.maximum(query_lemmas + source_lemmas - lemmas, 1),
            shared,
            shared / np.maximum(np.minimum(query_words, source_words), 1),
            *lengths,
            longer - shorter,
            shorter / np.maximum(longer, 1),
        ]
        progress("comparing terms", len(weighted), len(weighted))
        return np.column_stack(columns)


def _terms(texts: Sequence[str]) -> tuple[_Terms, ...]:
    """Return the terms of texts: lemmas, lemmas and pairs, characters; and words."""
    lemmas = term_function("lemma")(texts)
    return (
        lemmas,
        [[*own, *pairwise(own)] for own in lemmas],
        [
            [text[at : at + run] for run in _RUNS for at in range(len(text) - run + 1)]
            for text in map(fold, texts)
        ],
        term_function("surface")(texts),
    )


class _Table(NamedTuple):
    """The distinct terms of texts as columns, with a weight each."""

    term: NDArray[np.int64]
    weight: NDArray[np.float64]
    bounds: NDArray[np.int64]


def _tables(sides: Sequence[_Terms], rarity: dict[Hashable, float] | None) -> tuple[_Table, _Table]:
    """Return the terms of both sides, with TF-IDF weights of norm 1, or equal weights."""
    numbers: dict[Hashable, int] = {}
    tables = []
    for side in sides:
        terms, weights, bounds = [], [np.empty(0)], [0]
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
        tables.append(_Table(np.array(terms, np.int64), np.concatenate(weights), np.array(bounds)))
    return tables[0], tables[1]


def _dot_products(
    query: _Table, source: _Table, query_rows: NDArray[np.int64], source_rows: NDArray[np.int64]
) -> NDArray[np.float64]:
    size = int(max(query.term.max(initial=-1), source.term.max(initial=-1))) + 1
    weight = np.zeros(size)
    products = np.zeros(len(query_rows))
    order = np.argsort(query_rows, kind="stable")
    queries, begins = np.unique(query_rows[order], return_index=True)
    for number, rows in zip(queries.tolist(), np.split(order, begins[1:]), strict=True):
        own = slice(query.bounds[number], query.bounds[number + 1])
        weight[query.term[own]] = query.weight[own]
        texts = source_rows[rows]
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


def _shared(
    sides: Sequence[_Terms], rows: tuple[NDArray[np.int64], NDArray[np.int64]]
) -> tuple[NDArray[np.float64], ...]:
    """Return the number of distinct terms that pairs share, and that each side has."""
    tables = _tables(sides, None)
    sizes = (
        np.diff(table.bounds).astype(np.float64)[own]
        for table, own in zip(tables, rows, strict=True)
    )
    return _dot_products(*tables, *rows), *sizes
