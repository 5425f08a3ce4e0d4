"""Align two texts: which words of the query correspond to which of the source, in which span."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.checks import check_equal_lengths
from locisimiles.evidence.assignment import assign_cells
from locisimiles.evidence.bonds import (
    BONDS,
    FORM,
    LEMMA,
    OF_LEMMA,
    SYNONYM,
    Bond,
    ContentWords,
    find_cells,
)
from locisimiles.latin.text_words import TextWords, is_content_lemma

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.evidence.bonds import Cells
    from locisimiles.evidence.meanings import Meanings

__all__ = ["Aligner", "Alignment", "Span", "WordPair", "align"]

Span = tuple[int, int]

_LONGEST_GAP = 8  # largest distance of two pairs in one group, in words
_SUPPORT, _CLOSE_SUPPORT = 5, 3  # largest distance of a weak pair from one that supports it


@dataclass(frozen=True, slots=True)
class WordPair:
    """A word of the query and the word of the source that answers it.

    Attributes
    ----------
    query, source
        Their spans in their texts.
    bond
        ``form`` (the same form), ``lemma`` (another form of the same word), ``synonym`` (similar
        in meaning) or ``meaning`` (related in meaning).
    query_lemma, source_lemma
        Their lemmas; equal for ``form`` and ``lemma``.
    strength
        1 for a form, 0.9 for a lemma, less for a lemma that is not the likeliest of both words; the
        cosine for ``synonym`` and ``meaning``.
    """

    query: Span
    source: Span
    bond: Bond
    query_lemma: str
    source_lemma: str
    strength: float

    @property
    def is_shared(self) -> bool:
        """Whether the likeliest lemma of both words is the same."""
        return self.bond in ("form", "lemma") and self.strength >= OF_LEMMA

    @property
    def is_function_word(self) -> bool:
        """Whether they are stop words or numbers, which only continue a run of shared words."""
        return not is_content_lemma(self.query_lemma)


@dataclass(frozen=True, slots=True)
class Alignment:
    """The words of two texts that answer each other.

    Attributes
    ----------
    pairs
        In the order of the query; no word is in two pairs.
    query_span, source_span
        The span on each side that covers the best group of neighbouring pairs; None without pairs.
    """

    pairs: tuple[WordPair, ...]
    query_span: Span | None
    source_span: Span | None

    @property
    def lemmas(self) -> tuple[str, ...]:
        """The lemmas of shared content words, in the order of the query."""
        shared = (p for p in self.pairs if p.is_shared and not p.is_function_word)
        return tuple(dict.fromkeys(pair.query_lemma for pair in shared))

    @property
    def query_words(self) -> tuple[Span, ...]:
        """The spans of the aligned words of the query."""
        return tuple(pair.query for pair in self.pairs)

    @property
    def source_words(self) -> tuple[Span, ...]:
        """The spans of the aligned words of the source, in its order."""
        return tuple(sorted(pair.source for pair in self.pairs))

    def as_dict(self) -> dict[str, object]:
        """Return the alignment as JSON can hold it."""
        return {
            "pairs": [asdict(pair) for pair in self.pairs],
            "query_span": self.query_span,
            "source_span": self.source_span,
        }


def align(query: str, source: str, *, meanings: Meanings | None = None) -> Alignment:
    """Find the words of two texts that answer each other.

    Parameters
    ----------
    query, source
        The texts.
    meanings
        How to find words of similar meaning: `VectorMeanings` or `EncoderMeanings`. None compares
        lemmas only.

    Examples
    --------
    >>> alignment = align("Haesit uox faucibus et", "comae et vox faucibus haesit")
    >>> alignment.lemmas
    ('haereo', 'uox', 'faux')
    >>> alignment.source_words, alignment.source_span
    (((9, 12), (13, 21), (22, 28)), (9, 28))
    >>> [pair.bond for pair in alignment.pairs]
    ['form', 'form', 'form']
    """
    return Aligner(meanings).align([query], [source])[0]


class Aligner:
    """Aligns many pairs of texts, reading each text once.

    Parameters
    ----------
    meanings
        As in `align`.

    Examples
    --------
    >>> from locisimiles.evidence import VectorMeanings
    >>> texts = ["metuunt et fugiunt pelagus"], ["mare timent ac fugiunt"]
    >>> alignment = Aligner(VectorMeanings()).align(*texts)[0]
    >>> [(pair.query_lemma, pair.bond, pair.source_lemma) for pair in alignment.pairs]
    [('metuo', 'synonym', 'timeo'), ('fugio', 'form', 'fugio'), ('pelagus', 'synonym', 'mare')]
    """

    def __init__(self, meanings: Meanings | None = None) -> None:
        self._meanings = meanings

    def align(self, queries: Sequence[str], sources: Sequence[str]) -> list[Alignment]:
        """Align each query with the source at the same position."""
        check_equal_lengths(queries=queries, sources=sources)
        rows = {text: row for row, text in enumerate(dict.fromkeys([*queries, *sources]))}
        return self.align_rows(
            TextWords.read(list(rows)),
            list(rows),
            np.array([rows[text] for text in queries], np.int64),
            np.array([rows[text] for text in sources], np.int64),
        )

    def align_rows(
        self,
        words: TextWords,
        texts: Sequence[str],
        query_rows: NDArray[np.int64],
        source_rows: NDArray[np.int64],
    ) -> list[Alignment]:
        """Align pairs of texts, given by their rows in `words`."""
        if self._meanings is not None:
            self._meanings.prepare(words, texts, np.union1d(query_rows, source_rows))
        content = {
            row: ContentWords.of(words, row) for row in np.union1d(query_rows, source_rows).tolist()
        }
        return [
            _align(
                words, query, source, find_cells(content[query], content[source], self._meanings)
            )
            for query, source in zip(query_rows.tolist(), source_rows.tolist(), strict=True)
        ]


@dataclass(slots=True)
class _Chosen:
    """A pair of words by their places in their texts."""

    query: int
    source: int
    bond: int
    lemma: int
    strength: float
    is_content: bool = True


def _align(words: TextWords, query_row: int, source_row: int, cells: Cells) -> Alignment:
    query, source = words.of(query_row), words.of(source_row)
    columns = [column.tolist() for column in cells.columns()]
    rows, others = columns[:2]
    if len(set(rows)) == len(set(others)) == len(rows):  # no two compete: all are chosen
        chosen = list(map(_Chosen, *columns))
    else:
        weights = cells.weights(query.stop - query.start, source.stop - source.start).tolist()
        best = assign_cells(rows, others, weights)
        chosen = [_Chosen(*(column[cell] for column in columns)) for cell in best]
    chosen = _credible(chosen)
    chosen += _function_words(words, query, source, chosen)
    chosen.sort(key=lambda pair: pair.query)
    return _alignment(words, query, source, chosen)


def _credible(chosen: list[_Chosen]) -> list[_Chosen]:
    """Drop similar words that stand far from all shared words."""
    shared = [pair for pair in chosen if pair.bond < SYNONYM]
    synonyms = [pair for pair in chosen if pair.bond == SYNONYM]
    return [
        pair
        for pair in chosen
        if pair.bond < SYNONYM
        or any(_distance(pair, other) <= _SUPPORT for other in shared)
        or (
            pair.bond == SYNONYM
            and any(0 < _distance(pair, other) <= _CLOSE_SUPPORT for other in synonyms)
        )
    ]


def _distance(one: _Chosen, other: _Chosen) -> int:
    return max(abs(one.query - other.query), abs(one.source - other.source))


def _function_words(
    words: TextWords, query: slice, source: slice, chosen: list[_Chosen]
) -> list[_Chosen]:
    """Return the function words that continue a run of shared words on both sides."""
    lemma, source_lemma = words.lemma[query], words.lemma[source]
    form, source_form = words.form[query], words.form[source]
    function = ~words.content[query]
    added: list[_Chosen] = []
    query_taken = {pair.query for pair in chosen}
    source_taken = {pair.source for pair in chosen}
    shared = (pair for pair in chosen if pair.bond < SYNONYM)
    for pair, step in product(shared, (-1, 1)):
        at, there = pair.query + step, pair.source + step
        while (
            0 <= at < len(lemma)
            and 0 <= there < len(source_lemma)
            and function[at]
            and lemma[at] == source_lemma[there]
            and at not in query_taken
            and there not in source_taken
        ):
            same = form[at] == source_form[there]
            bond, strength = (FORM, 1.0) if same else (LEMMA, OF_LEMMA)
            added.append(_Chosen(at, there, bond, int(lemma[at]), strength, is_content=False))
            query_taken.add(at)
            source_taken.add(there)
            at, there = at + step, there + step
    return added


def _alignment(words: TextWords, query: slice, source: slice, chosen: list[_Chosen]) -> Alignment:
    if not chosen:
        return Alignment((), None, None)
    names = words.lexicon.lemmas
    query_spans, source_spans = (
        list(zip(words.start[rows].tolist(), words.end[rows].tolist(), strict=True))
        for rows in (query, source)
    )
    query_lemmas, source_lemmas = words.lemma[query].tolist(), words.lemma[source].tolist()
    pairs = tuple(
        WordPair(
            query=query_spans[pair.query],
            source=source_spans[pair.source],
            bond=BONDS[pair.bond],
            query_lemma=names[pair.lemma if pair.lemma >= 0 else query_lemmas[pair.query]],
            source_lemma=names[pair.lemma if pair.lemma >= 0 else source_lemmas[pair.source]],
            strength=round(pair.strength, 4),
        )
        for pair in chosen
    )
    group = _best_group(chosen)
    return Alignment(
        pairs,
        _cover([query_spans[pair.query] for pair in group]),
        _cover([source_spans[pair.source] for pair in group]),
    )


def _cover(spans: list[Span]) -> Span:
    return min(start for start, _ in spans), max(end for _, end in spans)


def _best_group(chosen: list[_Chosen]) -> list[_Chosen]:
    """Return the group of neighbouring pairs that is worth most; if equal, the most compact."""
    leader = list(range(len(chosen)))

    def leader_of(at: int) -> int:
        while leader[at] != at:
            leader[at] = at = leader[leader[at]]
        return at

    for at, pair in enumerate(chosen):
        # No word of the query is in two pairs, so only a few pairs before this one can be near.
        for before in range(max(at - _LONGEST_GAP, 0), at):
            if _distance(pair, chosen[before]) <= _LONGEST_GAP:
                leader[leader_of(at)] = leader_of(before)
    groups: dict[int, list[_Chosen]] = {}
    for at, pair in enumerate(chosen):
        groups.setdefault(leader_of(at), []).append(pair)
    return min(groups.values(), key=_worth)


def _worth(group: list[_Chosen]) -> tuple[float, int, int]:
    query, source = [pair.query for pair in group], [pair.source for pair in group]
    # Function words connect a group, but are no reason to prefer it.
    total = sum(pair.strength for pair in group if pair.is_content)
    return -round(total, 6), max(query) - min(query) + max(source) - min(source), min(query)
