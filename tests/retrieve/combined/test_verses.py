"""Verses of a Bible in the default search, and in the order of judged pairs."""

import numpy as np
import pytest

from locisimiles import Document, Pipeline, Segment
from locisimiles.retrieve import Combined, change_settings
from locisimiles.retrieve.verses import VerseWeights

WEIGHTS = VerseWeights(1.0, 3.0, 2.0, 0.4, counts={"Matth.": {5: [0] * 8 + [50]}})
TEXT = "Beati pacifici, quoniam filii Dei uocabuntur."
VERSES = [*(f"vulg. mt. 5.{number}" for number in range(1, 12)), "vulg. is. 1.1"]
POEMS = [f"carm. {number}" for number in range(12)]


def texts(names, author="", work="", text=TEXT):
    return Document.from_segments(Segment(name, text, author, work) for name in names)


BIBLE, HORACE = texts(VERSES), texts(POEMS, "Horace", "Carmina")
QUERY = texts(["q"], text="Beati pacifici")
COMBINED = Combined(verse_weights=WEIGHTS)


def searched(search, source, query=QUERY):
    found = search.index(source).search(query, len(source))
    names = [source.ids[row] for row in found.source.tolist()]
    return dict(zip(names, found.score.tolist(), strict=True))


def test_of_verses_with_the_same_words_the_one_cited_often_is_first():
    assert next(iter(searched(COMBINED, BIBLE))) == "vulg. mt. 5.9"
    assert len(set(searched(Combined(verses=False), BIBLE).values())) == 1


def test_of_verses_with_the_same_words_the_one_whose_book_is_named_is_first():
    query = texts(["q"], text="Isaias dicit: Beati pacifici")
    search = Combined(verse_weights=VerseWeights(named=3.0))
    assert next(iter(searched(search, BIBLE, query))) == "vulg. is. 1.1"


def test_other_sources_are_searched_as_without():
    assert searched(COMBINED, HORACE) == searched(Combined(verses=False), HORACE)


def test_a_bible_gains_nothing_on_other_works():
    both = Document.from_segments([*BIBLE, *HORACE])
    with_clues, without = searched(COMBINED, both), searched(Combined(verses=False), both)
    gained = np.array([with_clues[name] - without[name] for name in VERSES])
    lost = {round(with_clues[name] - without[name], 4) for name in POEMS}
    assert len(lost) == 1  # scores have no zero of their own
    assert np.exp(gained - lost.pop()).mean() == pytest.approx(1, abs=1e-3)


def test_settings_are_changed_by_name(tmp_path):
    WEIGHTS.save(tmp_path / "verses.json")
    changed = change_settings(Combined(), {"verse_weights": str(tmp_path / "verses.json")})
    assert changed.loaded_verse_weights() == WEIGHTS
    assert changed.parameters()["verses"] == WEIGHTS.fingerprint()
    off = change_settings(Combined(), {"verses": "false"})
    assert off.parameters()["verses"] is None
    assert off.index(BIBLE).clues is None


def test_judged_verses_are_ordered_by_both():
    ordered = Pipeline(COMBINED).run(QUERY, BIBLE)
    plain = Pipeline(Combined(verses=False)).run(QUERY, BIBLE)
    assert ordered[0].source.id == "vulg. mt. 5.9"
    assert len({round(pair.score, 6) for pair in plain}) == 1
    assert ordered[0].score > plain[0].score


@pytest.mark.parametrize("size", [1, 2, 9])
def test_blocks_have_the_results_of_the_whole(size):
    words = ["Isaias dicit: filii Dei", "Beati pacifici", "arma uirumque cano", "in Evangelio: Dei"]
    query = Document.from_segments(Segment(f"q{n}", text) for n, text in enumerate(words))
    searcher = Pipeline(COMBINED, k=5).prepare(BIBLE)
    whole = searcher.run(query)
    rows = [
        (pair.query.id, pair.source.id, pair.score)
        for block in searcher.blocks(query, size)
        for pair in block
    ]
    assert rows == [(pair.query.id, pair.source.id, pair.score) for pair in whole]


def test_the_judgement_of_other_sources_stays():
    plain = Pipeline(Combined(verses=False)).run(QUERY, HORACE)
    ordered = Pipeline(COMBINED).run(QUERY, HORACE)
    assert np.array_equal(plain.probabilities, ordered.probabilities)
