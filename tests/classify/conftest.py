"""Latin-like texts, and a naive implementation of word matching."""

from dataclasses import dataclass
from itertools import combinations

import pytest
from hypothesis import strategies as st

from locisimiles.latin import STOPWORDS, Frequencies, Lemmatizer, tokenize
from locisimiles.latin.orthography import fold_word

# Words of several lemmas, enclitics, function words, figures, signs and abbreviations.
_WORDS = (
    "arma uirumque uirum vox uoces uocibus faucibus fauces haesit haeret cano canis legit leges "
    "legis et in non sed qui quae amor amoris amat oris ora 12 xii M. Cn. regem regi rexit"
).split()
_SIGNS = ["", "", "", "", ",", ".", ";", ":", "!", "?"]

_TEXTS = st.lists(st.tuples(st.sampled_from(_WORDS), st.sampled_from(_SIGNS)), max_size=14).map(
    lambda parts: " ".join(word + sign for word, sign in parts)
)


@dataclass(frozen=True)
class SlowWord:
    """A word of a text, looked up by itself."""

    at: int  # among all words
    place: int  # among those that are no function words
    clause: int
    form: str
    lemma: str
    other: str | None
    content: bool

    @property
    def rarity(self):
        return Frequencies.shipped().rarity(self.lemma) if self.content else 0.0

    def matches(self, word):
        return self.content and word.content and self._same(word)

    def _same(self, word):
        if self.form == word.form:
            return True
        return self.lemma in (word.lemma, word.other) or self.other == word.lemma


def is_content(lemma):
    return lemma not in STOPWORDS and not lemma.isdigit()


def second_lemma(word, first):
    """Return the likeliest of the first three lemmas that is another, and no function word."""
    sums = {}
    for candidate in Lemmatizer.shipped().analyse([word], "fast")[0].analyses:
        sums[candidate.lemma] = sums.get(candidate.lemma, 0.0) + candidate.probability
    likely = sorted(sums, key=lambda lemma: (-sums[lemma], lemma))
    likely = [lemma for lemma in likely if sums[lemma] >= 0.1][:3]
    return next((lemma for lemma in likely if lemma != first and is_content(lemma)), None)


def read_slowly(text):
    """Return the words of a text."""
    words, place, clause, end = [], 0, 0, 0
    for at, token in enumerate(tokenize(text)):
        clause += any(sign in ".;:!?" for sign in text[end : token.start])
        (lemma,) = Lemmatizer.shipped().lemmatize([token.text], "fast")
        content = is_content(lemma)
        other = second_lemma(token.text, lemma)
        form = fold_word(token.text)
        words.append(SlowWord(at, place, clause, form, lemma, other, content))
        place += content
        end = token.end
    return words


@dataclass(frozen=True)
class SlowPair:
    """Two texts and all that matches in them."""

    query: list
    source: list

    @classmethod
    def of(cls, query, source):
        return cls(read_slowly(query), read_slowly(source))

    @property
    def matches(self):
        return [(a, b) for b in self.source for a in self.query if a.matches(b)]

    @property
    def pairs_of_matches(self):
        """Yield pairs of matches of different words, and how far they are apart."""
        for (a, b), (c, d) in combinations(self.matches, 2):
            if a.place != c.place and b.place != d.place and a.lemma != c.lemma:
                yield ((a, b), (c, d)), c.place - a.place, d.place - b.place


@pytest.fixture(scope="session")
def latin_texts():
    """A strategy for texts."""
    return _TEXTS


@pytest.fixture(scope="session")
def slow_pair():
    """Compare two texts slowly."""
    return SlowPair.of


@pytest.fixture(scope="session")
def slow_words():
    """Read a text slowly."""
    return read_slowly
