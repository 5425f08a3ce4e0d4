"""Compare a query with other texts, word by word: the basis of all word features."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.latin import Frequencies
from locisimiles.latin.clauses import clause_numbers
from locisimiles.latin.text_words import TextWords

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from locisimiles.index import TextPart

__all__ = ["MOST_MATCHES", "MOST_WORDS", "ComparableTexts", "Comparison", "MatchPairs"]

MOST_WORDS = 1000
"""The number of words of a text that are compared; an encoder reads fewer."""
MOST_MATCHES = 120
"""The number of matches of two texts that are paired; most texts have fewer than ten."""
_REACH = 3  # the largest distance of close words: two words between them, stop words not counted
_MOST_COMPARISONS = 1 << 22  # of words, in a batch
_UNSEEN_PAIR = 3.0  # added to counts of pairs of lemmas; rare pairs are not in the table


class ComparableTexts:
    """Texts, any of which can be compared with any others.

    Parameters
    ----------
    part
        The texts and their tokens.

    Examples
    --------
    >>> from locisimiles.index import TextPart
    >>> part = TextPart.of(["haesit uox faucibus", "et vox faucibus haesit", "et"])
    >>> comparison = ComparableTexts(part).compare(0, np.array([1, 2]))
    >>> comparison.text.tolist()  # three words of the first match, none of the second
    [0, 0, 0]
    """

    def __init__(self, part: TextPart) -> None:
        self.words = words = TextWords.of_tokens(part.tokens)
        self.lengths = np.diff(words.bounds)
        self.text = np.repeat(np.arange(len(words)), self.lengths)
        self.clause = clause_numbers(part.texts, part.tokens)
        # Stop words do not count as words between two others.
        content = words.content.astype(np.int64)
        before = np.cumsum(content) - content
        first = np.append(before, content.sum())[words.bounds[:-1]]
        self.place = before - first[self.text]
        self.second_lemma = _second_lemmas(words)
        self.rarity, self.row = words.lexicon.frequencies()

    @cached_property
    def weight(self) -> NDArray[np.float64]:
        """The rarity of each word; 0 for stop words."""
        return np.where(self.words.content, self.rarity[self.words.lemma], 0.0)

    def sums(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sum over the words of each text."""
        return np.bincount(self.text, values, minlength=len(self.lengths)).astype(np.float64)

    @cached_property
    def content(self) -> NDArray[np.float64]:
        """The number of content words of each text."""
        return self.sums(self.words.content.astype(np.float64))

    @cached_property
    def total(self) -> NDArray[np.float64]:
        """The sum of the weights of each text."""
        return self.sums(self.weight)

    @cached_property
    def norm(self) -> NDArray[np.float64]:
        """The root of the summed squares of the weights of each text."""
        return np.sqrt(self.sums(self.weight**2))

    def batches(self, query: int, texts: NDArray[np.int64]) -> Iterator[slice]:
        """Yield batches of texts to compare with a query in bounded memory."""
        words = np.minimum(self.lengths, MOST_WORDS)
        done = np.cumsum(words[texts] * words[query]) // _MOST_COMPARISONS
        begins = np.flatnonzero(np.diff(done, prepend=-1)).tolist()
        for begin, end in pairwise([*begins, len(texts)]):
            yield slice(begin, end)

    def compare(self, query: int, texts: NDArray[np.int64]) -> Comparison:
        """Find the words that some texts share with a query.

        Words match if their forms or likeliest lemmas are equal, or the likeliest lemma of one is
        the second of the other. Only the first `MOST_WORDS` of a text are compared.
        """
        words = self.words
        own = words.of(query)
        own = slice(own.start, min(own.stop, own.start + MOST_WORDS))
        lengths = np.minimum(self.lengths[texts], MOST_WORDS)
        ends = np.cumsum(lengths)
        rows = np.repeat(words.bounds[texts] - (ends - lengths), lengths)
        rows += np.arange(len(rows))
        text = np.repeat(np.arange(len(texts)), lengths)
        forms = np.zeros(int(words.form.max(initial=-1)) + 1, bool)
        forms[words.form[own]] = True
        same_form = forms[words.form[rows]]
        function = same_form & ~words.content[rows]
        asked = np.flatnonzero(words.content[own]) + own.start
        lemmas = np.zeros(len(self.rarity) + 1, bool)  # the last stands for "no second lemma"
        lemmas[words.lemma[asked]] = True
        lemmas[self.second_lemma[asked]] = True
        lemmas[-1] = False
        likely = same_form | lemmas[words.lemma[rows]] | lemmas[self.second_lemma[rows]]
        likely &= words.content[rows]
        shared = np.bincount(text[function], minlength=len(texts))
        rows, text = rows[likely], text[likely]
        same = words.form[rows][:, None] == words.form[asked]
        for one, other in (
            (words.lemma, words.lemma),
            (words.lemma, self.second_lemma),
            (self.second_lemma, words.lemma),
        ):
            same |= one[rows][:, None] == other[asked]
        at, of = np.nonzero(same)
        return Comparison(self, query, texts, text[at], asked[of], rows[at], shared)


@dataclass(eq=False)
class Comparison:
    """A query compared with some other texts: the matching words, as columns.

    `text` has the other text of each match, as its number among `others`, ascending.
    `function_words` has the number of stop words that each other text shares with the query.
    """

    texts: ComparableTexts
    query: int
    others: NDArray[np.int64]
    text: NDArray[np.int64]
    in_query: NDArray[np.int64]
    in_other: NDArray[np.int64]
    function_words: NDArray[np.int64]

    @cached_property
    def weight(self) -> NDArray[np.float64]:
        """The rarity of the commoner word of each match."""
        weight = self.texts.weight
        return np.minimum(weight[self.in_query], weight[self.in_other])

    @cached_property
    def same_form(self) -> NDArray[np.bool_]:
        """Whether the words of each match have the same form."""
        form = self.texts.words.form
        same: NDArray[np.bool_] = form[self.in_query] == form[self.in_other]
        return same

    @cached_property
    def lemmas(self) -> SharedLemmas:
        """The shared lemmas, each once per text."""
        _, first, of = np.unique(self._text_and_lemma(), return_index=True, return_inverse=True)
        forms = np.zeros(len(first))
        np.maximum.at(forms, of, self.same_form.astype(np.float64))
        weight = np.zeros(len(first))
        np.maximum.at(weight, of, self.weight)
        return SharedLemmas(self.text[first], weight, forms)

    @cached_property
    def pairs(self) -> MatchPairs:
        """All pairs of matches of different words in the same text."""
        kept = self._matches_to_pair()
        text = self.text[kept]
        following = np.searchsorted(text, text, "right") - np.arange(len(text)) - 1
        one = np.repeat(np.arange(len(text)), following)
        other = np.arange(len(one)) - np.repeat(np.cumsum(following) - following, following)
        one, other = kept[one], kept[other + one + 1]
        place, lemma = self.texts.place, self.texts.words.lemma
        apart = tuple(
            place[side[other]] - place[side[one]] for side in (self.in_query, self.in_other)
        )
        differ = (apart[0] != 0) & (apart[1] != 0)
        differ &= lemma[self.in_query[one]] != lemma[self.in_query[other]]
        return MatchPairs(self, *(own[differ] for own in (one, other, *apart)))

    def _matches_to_pair(self) -> NDArray[np.int64]:
        """Return the matches to pair: all, or if too many, some of each lemma, the rarest first."""
        numbers = np.arange(len(self.text))
        if np.bincount(self.text).max(initial=0) <= MOST_MATCHES:
            return numbers
        key = self._text_and_lemma()
        order = np.argsort(key, kind="stable")
        again = np.empty(len(key), np.int64)
        again[order] = numbers - np.searchsorted(key[order], key[order])
        order = np.lexsort((numbers, -self.weight, again, self.text))
        place = numbers - np.searchsorted(self.text, self.text)
        return np.sort(order[place < MOST_MATCHES])

    def _text_and_lemma(self) -> NDArray[np.int64]:
        """Return one number for the text and lemma of each match."""
        lemma = self.texts.words.lemma[self.in_query]
        return self.text * np.int64(len(self.texts.rarity) + 1) + lemma

    def count(
        self, text: NDArray[np.int64], weight: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """Return the number, or the total weight, in each text."""
        return np.bincount(text, weight, minlength=len(self.others)).astype(np.float64)

    def highest(self, text: NDArray[np.int64], value: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the highest value in each text; 0 where there is none."""
        found = np.full(len(self.others), -np.inf)
        np.maximum.at(found, text, value)
        return np.where(np.isfinite(found), found, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class SharedLemmas:
    """Shared lemmas as columns: their text, rarity, and whether a form is shared."""

    text: NDArray[np.int64]
    weight: NDArray[np.float64]
    same_form: NDArray[np.float64]

    def nth(self, place: int, texts: int) -> NDArray[np.float64]:
        """Return the rarity of the n-th rarest lemma in each text; 0 where there are fewer."""
        order = np.lexsort((-self.weight, self.text))
        text = self.text[order]
        begins = np.searchsorted(text, np.arange(texts))
        at = begins + place
        there = at < np.append(begins[1:], len(text))
        found = np.zeros(texts)
        found[there] = self.weight[order][at[there]]
        return found


@dataclass(eq=False)
class MatchPairs:
    """Pairs of matches (`one` and `other`) in the same text.

    `apart_query` and `apart_other` have their signed distances, stop words not counted.
    """

    comparison: Comparison
    one: NDArray[np.int64]
    other: NDArray[np.int64]
    apart_query: NDArray[np.int64]
    apart_other: NDArray[np.int64]

    @cached_property
    def text(self) -> NDArray[np.int64]:
        """The text of each pair."""
        return self.comparison.text[self.one]

    @cached_property
    def weight(self) -> NDArray[np.float64]:
        """The summed rarity of both words."""
        weight = self.comparison.weight
        return weight[self.one] + weight[self.other]

    @cached_property
    def distance(self) -> NDArray[np.int64]:
        """The distance between them, summed over both sides."""
        return np.abs(self.apart_query) + np.abs(self.apart_other)

    @cached_property
    def close(self) -> NDArray[np.bool_]:
        """Whether they are close together on both sides."""
        farther = np.maximum(np.abs(self.apart_query), np.abs(self.apart_other))
        close: NDArray[np.bool_] = farther <= _REACH
        return close

    @cached_property
    def in_one_clause(self) -> NDArray[np.bool_]:
        """Whether no hard stop separates them, on either side."""
        clause, found = self.comparison.texts.clause, self.comparison
        same = clause[found.in_query[self.one]] == clause[found.in_query[self.other]]
        same &= clause[found.in_other[self.one]] == clause[found.in_other[self.other]]
        result: NDArray[np.bool_] = same
        return result

    @cached_property
    def unusual(self) -> NDArray[np.float64]:
        """How seldom the two words stand together in Latin."""
        texts, found = self.comparison.texts, self.comparison
        rows = texts.row[texts.words.lemma[found.in_query]]
        frequencies = Frequencies.shipped()
        counts = frequencies.pair_counts_of(rows[self.one], rows[self.other])
        return np.log(frequencies.sentences / (counts + _UNSEEN_PAIR))


def _second_lemmas(words: TextWords) -> NDArray[np.int64]:
    """Return the second lemma of each word; -1 if there is none."""
    distinct, of = np.unique(words.word, return_inverse=True)
    lemmas, _ = words.lexicon.analyses(distinct)
    first = words.lexicon.lemma[distinct]
    found = np.full(len(distinct), -1, np.int64)
    for column in lemmas.T[::-1]:
        found = np.where((column >= 0) & (column != first), column, found)
    return found[of]
