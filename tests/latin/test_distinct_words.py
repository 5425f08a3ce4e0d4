"""What is decided about distinct words, many at a time."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.latin import Lemmatizer, fold_word
from locisimiles.latin.abbreviations import ABBREVIATIONS
from locisimiles.latin.distinct_words import DistinctWords, _is_numeral
from locisimiles.latin.enclitics import split_enclitic
from locisimiles.latin.orthography import EDITORIAL_SIGNS, fold_text

WORDS = st.lists(
    st.sampled_from(
        """arma uirumque Uirumque VIRVMQVE uirum que mecum quoque uir[um]que āque M Cn XII DI 12
        factust bonane λόγος Æneamque inque oratione""".split()
    )
    | st.text(alphabet="aquenstum[]ĀV", min_size=1, max_size=9)
)


def one_by_one(words, is_form):
    """Return vocabulary and columns, deciding about one word after the other."""
    pieces, rows = {}, []

    def number(piece, kind):
        return pieces.setdefault((piece, kind), len(pieces))

    for word in dict.fromkeys(words):
        kind = "numeral" if _is_numeral(word) else "word"
        split = None
        if is_form is not None and kind == "word":
            split = split_enclitic(fold_word(word), is_form)
        cut = fold_text(word).spans[-len(split.enclitic)][0] if split else 0
        head = word[:cut].rstrip(EDITORIAL_SIGNS) if cut else word
        first = number(head, kind)
        second = number(word[cut:], "enclitic") if cut else -1
        is_short = is_form is not None and word in ABBREVIATIONS
        short = number(f"{word}.", "abbreviation") if is_short else -1
        rows.append([first, second, cut, len(head), short])
    return [piece for piece, _ in pieces], rows


@settings(deadline=None)
@given(WORDS, st.integers(0, 9), st.booleans())
def test_words_are_decided_together_as_they_are_one_by_one(words, before, with_lexicon):
    is_form = Lemmatizer.shipped().knows if with_lexicon else None
    distinct = DistinctWords(is_form)
    # Some have been decided before the others come.
    for part in (words[:before], words):
        found = np.array([distinct[word] for word in part], np.int32)
        columns = distinct.columns(found)
    vocabulary, rows = one_by_one(words, is_form)
    numbers = {word: number for number, word in enumerate(dict.fromkeys(words))}
    assert distinct.vocabulary == vocabulary
    assert columns.T.tolist() == [rows[numbers[word]] for word in words]
    assert len(distinct.kinds) == len(vocabulary)
