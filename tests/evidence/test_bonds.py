"""Possible pairs of words: those that share a lemma, be it the likeliest of both or not."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.evidence import bonds
from locisimiles.evidence.bonds import FORM, LEMMA, OF_FORM, OF_LEMMA, ContentWords, find_cells
from locisimiles.latin.text_words import TextWords

# Many of them have several analyses.
TEXTS = st.lists(
    st.sampled_from("uiris uim uiri uires modo modus canes cano liber libri amor et".split()),
    max_size=10,
).map(" ".join)


def by_definition(words, query, source):
    """Compare each word with each: place, place, bond, lemma, strength."""
    found = []
    lemmas, chances = words.lexicon.analyses(words.word)
    rows, others = words.of(query), words.of(source)
    for one in range(rows.start, rows.stop):
        for other in range(others.start, others.stop):
            places = one - rows.start, other - others.start
            if not (words.content[one] and words.content[other]):
                continue
            if words.lemma[one] == words.lemma[other]:
                same = words.form[one] == words.form[other]
                bond = (FORM, words.lemma[one], OF_FORM) if same else (LEMMA, words.lemma[one], 0.9)
                found.append((*places, *bond))
                continue
            shared = [
                (min(chance, other_chance), lemma)
                for lemma, chance in zip(lemmas[one], chances[one], strict=True)
                for other_lemma, other_chance in zip(lemmas[other], chances[other], strict=True)
                if lemma == other_lemma >= 0
            ]
            if shared:  # the likeliest; if equal, the first of the query
                chance, lemma = max(shared, key=lambda pair: pair[0])
                found.append((*places, LEMMA, lemma, min(OF_LEMMA * chance, OF_LEMMA - 0.01)))
    return found


@given(TEXTS, TEXTS)
def test_cells_are_those_of_comparing_each_word_with_each(query, source):
    words = TextWords.read([query, source])
    cells = find_cells(ContentWords.of(words, 0), ContentWords.of(words, 1), None)
    assert list(zip(*cells.columns(), strict=True)) == by_definition(words, 0, 1)


def test_some_words_share_a_lemma_that_is_not_the_likeliest_of_both():
    words = TextWords.read(["uiris modo", "uim modus uires"])
    cells = find_cells(ContentWords.of(words, 0), ContentWords.of(words, 1), None)
    weak = cells.strength < OF_LEMMA
    assert weak.any()
    assert (cells.bond[weak] == LEMMA).all()


def test_long_texts_are_compared_by_their_likeliest_lemmas_alone(monkeypatch):
    words = TextWords.read(["uiris modo canes", "uiris modus canes cano"])
    query, source = (ContentWords.of(words, row) for row in range(2))
    whole = find_cells(query, source, None)
    monkeypatch.setattr(bonds, "_MOST_COMPARED", 1)
    lemmas_only = find_cells(query, source, None)
    strong = whole.strength >= OF_LEMMA
    assert lemmas_only.query.tolist() == whole.query[strong].tolist()
    assert lemmas_only.source.tolist() == whole.source[strong].tolist()
    assert np.array_equal(lemmas_only.bond, whole.bond[strong])
