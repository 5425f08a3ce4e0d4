"""Which words of the query answer which of the source, and the stretch that they make."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.evidence.assignment import assign_cells
from locisimiles.evidence.bonds import BONDS, FORM, LEMMA, OF_LEMMA, SYNONYM, Bond, cells_of
from locisimiles.evidence.meanings import VectorMeanings
from locisimiles.evidence.words import TextWords, is_content_lemma

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.evidence.bonds import Cells
    from locisimiles.evidence.meanings import Meanings

__all__ = ["Aligner", "Alignment", "Span", "WordPair", "align"]

Span = tuple[int, int]

_LONGEST_GAP = 8  # words between two pairs that belong together
_SUPPORT, _CLOSE_SUPPORT = 5, 3  # words from a pair that lends a weak one credit


@dataclass(frozen=True, slots=True)
class WordPair:
    """A word of the query and the word of the source that answers it.

    Attributes
    ----------
    query, source
        Where they stand in their texts, as offsets of first and after-last character.
    bond
        ``form`` (the same form), ``lemma`` (another form of the same word), ``synonym`` or
        ``meaning`` (near each other, or related, in meaning).
    query_lemma, source_lemma
        Their lemmas; the same for ``form`` and ``lemma``.
    strength
        1 for a form and 0.9 for a lemma; less for a lemma that is not the likeliest reading of
        both; the cosine for ``synonym`` and ``meaning``.
    """

    query: Span
    source: Span
    bond: Bond
    query_lemma: str
    source_lemma: str
    strength: float

    @property
    def is_shared(self) -> bool:
        """Whether both words have the same lemma, in the likeliest reading of each."""
        return self.bond in ("form", "lemma") and self.strength >= OF_LEMMA

    @property
    def is_function_word(self) -> bool:
        """Whether they are function words or figures, which stand here only as parts of a run."""
        return not is_content_lemma(self.query_lemma)


@dataclass(frozen=True, slots=True)
class Alignment:
    """The words of two texts that answer each other.

    Attributes
    ----------
    pairs
        In the order of the query; no word is in two of them.
    query_span, source_span
        The stretch on each side that connects the words that stand together; None if there are no
        pairs.
    """

    pairs: tuple[WordPair, ...]
    query_span: Span | None
    source_span: Span | None

    @property
    def lemmas(self) -> tuple[str, ...]:
        """The lemmas that both texts have, in the order of the query, without function words."""
        shared = (p for p in self.pairs if p.is_shared and not p.is_function_word)
        return tuple(dict.fromkeys(pair.query_lemma for pair in shared))

    @property
    def query_words(self) -> tuple[Span, ...]:
        """Where the aligned words of the query stand."""
        return tuple(pair.query for pair in self.pairs)

    @property
    def source_words(self) -> tuple[Span, ...]:
        """Where the aligned words of the source stand, in its order."""
        return tuple(sorted(pair.source for pair in self.pairs))

    def as_dict(self) -> dict[str, object]:
        """Return what a JSON file can hold."""
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
        What knows which words are near in meaning: `VectorMeanings`, or `EncoderMeanings`. Without
        it words are compared by their lemmas.

    Examples
    --------
    >>> found = align("Haesit uox faucibus et", "comae et vox faucibus haesit")
    >>> found.lemmas
    ('haereo', 'uox', 'faux')
    >>> found.source_words, found.source_span
    (((9, 12), (13, 21), (22, 28)), (9, 28))
    >>> [pair.bond for pair in found.pairs]
    ['form', 'form', 'form']
    """
    return Aligner(meanings).align([query], [source])[0]


class Aligner:
    """Aligns many pairs of texts; each text is read once.

    Parameters
    ----------
    meanings
        See `align`.

    Examples
    --------
    >>> texts = ["metuunt et fugiunt pelagus"], ["mare timent ac fugiunt"]
    >>> found = Aligner(VectorMeanings()).align(*texts)[0]
    >>> [(pair.query_lemma, pair.bond, pair.source_lemma) for pair in found.pairs]
    [('metuo', 'synonym', 'timeo'), ('fugio', 'form', 'fugio'), ('pelagus', 'synonym', 'mare')]
    """

    def __init__(self, meanings: Meanings | None = None) -> None:
        self._meanings = meanings

    def align(self, queries: Sequence[str], sources: Sequence[str]) -> list[Alignment]:
        """Align each query with the source beside it.

        Raises
        ------
        ParameterError
            If there are not as many of them.
        """
        if len(queries) != len(sources):
            raise ParameterError(f"{len(queries)} queries and {len(sources)} sources are no pairs")
        rows = {text: row for row, text in enumerate(dict.fromkeys([*queries, *sources]))}
        words = TextWords.read(list(rows))
        pairs = (
            np.array([rows[text] for text in queries], np.int64),
            np.array([rows[text] for text in sources], np.int64),
        )
        return self.align_rows(words, list(rows), *pairs)

    def align_rows(
        self,
        words: TextWords,
        texts: Sequence[str],
        query: NDArray[np.int64],
        source: NDArray[np.int64],
    ) -> list[Alignment]:
        """Align pairs of texts whose words have been read, by their rows."""
        meanings = self._meanings
        if meanings is not None:
            meanings.prepare(words, texts, np.union1d(query, source))
        found = []
        for one, other in zip(query.tolist(), source.tolist(), strict=True):
            similarity = None if meanings is None else meanings.cosines
            thresholds = VectorMeanings.thresholds if meanings is None else meanings.thresholds
            cells = cells_of(words, one, other, similarity, thresholds)
            found.append(_aligned(words, one, other, cells))
        return found


@dataclass(slots=True)
class _Chosen:
    """A pair by its places, before it is written down."""

    query: int
    source: int
    bond: int
    lemma: int
    strength: float
    is_content: bool = True


def _aligned(words: TextWords, query: int, source: int, cells: Cells) -> Alignment:
    first, second = words.of(query), words.of(source)
    lengths = first.stop - first.start, second.stop - second.start
    weights = cells.weights(*lengths).tolist()
    places = cells.query.tolist(), cells.source.tolist()
    columns = cells.bond.tolist(), cells.lemma.tolist(), cells.strength.tolist()
    chosen = [
        _Chosen(places[0][cell], places[1][cell], *(column[cell] for column in columns))
        for cell in assign_cells(*places, weights)
    ]
    chosen = _credible(chosen)
    chosen += _function_words(words, first, second, chosen)
    chosen.sort(key=lambda pair: pair.query)
    return _written(words, first, second, chosen)


def _credible(chosen: list[_Chosen]) -> list[_Chosen]:
    """Leave out words that are only similar and stand far from all that is shared."""
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
    words: TextWords, first: slice, second: slice, chosen: list[_Chosen]
) -> list[_Chosen]:
    """Return the function words that stand in a row with shared words on both sides."""
    lemma, other = words.lemma[first], words.lemma[second]
    form, other_form = words.form[first], words.form[second]
    function = ~words.content[first]
    found: dict[tuple[int, int], _Chosen] = {}
    asked = {pair.query for pair in chosen}
    answered = {pair.source for pair in chosen}
    for pair in chosen:
        if pair.bond >= SYNONYM:
            continue
        for step in (-1, 1):
            at, there = pair.query + step, pair.source + step
            while (
                0 <= at < len(lemma)
                and 0 <= there < len(other)
                and function[at]
                and lemma[at] == other[there]
                and at not in asked
                and there not in answered
            ):
                same = form[at] == other_form[there]
                bond, strength = (FORM, 1.0) if same else (LEMMA, OF_LEMMA)
                found[at, there] = _Chosen(
                    at, there, bond, int(lemma[at]), strength, is_content=False
                )
                asked.add(at)
                answered.add(there)
                at, there = at + step, there + step
    return list(found.values())


def _written(words: TextWords, first: slice, second: slice, chosen: list[_Chosen]) -> Alignment:
    if not chosen:
        return Alignment((), None, None)
    lemmas = words.lexicon.lemmas
    spans = [
        list(zip(words.start[own].tolist(), words.end[own].tolist(), strict=True))
        for own in (first, second)
    ]
    own_lemma, other_lemma = words.lemma[first].tolist(), words.lemma[second].tolist()
    pairs = tuple(
        WordPair(
            query=spans[0][pair.query],
            source=spans[1][pair.source],
            bond=BONDS[pair.bond],
            query_lemma=lemmas[pair.lemma if pair.lemma >= 0 else own_lemma[pair.query]],
            source_lemma=lemmas[pair.lemma if pair.lemma >= 0 else other_lemma[pair.source]],
            strength=round(pair.strength, 4),
        )
        for pair in chosen
    )
    stretch = _stretch(chosen)
    query = [spans[0][pair.query] for pair in stretch]
    source = [spans[1][pair.source] for pair in stretch]
    return Alignment(
        pairs,
        (min(start for start, _ in query), max(end for _, end in query)),
        (min(start for start, _ in source), max(end for _, end in source)),
    )


def _stretch(chosen: list[_Chosen]) -> list[_Chosen]:
    """Return the pairs that hang together and are worth most; of equals the shortest stretch."""
    leader = list(range(len(chosen)))

    def leader_of(at: int) -> int:
        while leader[at] != at:
            leader[at] = at = leader[leader[at]]
        return at

    for at, pair in enumerate(chosen):
        # No word of the query is in two pairs, so only so many before it can be near.
        for before in range(max(at - _LONGEST_GAP, 0), at):
            if _distance(pair, chosen[before]) <= _LONGEST_GAP:
                leader[leader_of(at)] = leader_of(before)
    groups: dict[int, list[_Chosen]] = {}
    for at, pair in enumerate(chosen):
        groups.setdefault(leader_of(at), []).append(pair)
    return min(groups.values(), key=_worth)


def _worth(group: list[_Chosen]) -> tuple[float, int, int]:
    length = max(p.query for p in group) - min(p.query for p in group)
    across = max(p.source for p in group) - min(p.source for p in group)
    # Function words hold a stretch together, but are no reason to prefer it.
    total = sum(pair.strength for pair in group if pair.is_content)
    return -round(total, 6), length + across, min(pair.query for pair in group)
