"""Which words of two texts answer each other."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles import ParameterError, load_example_query, load_example_source
from locisimiles.evidence import Aligner, Alignment, VectorMeanings, WordPair, align
from locisimiles.latin import STOPWORDS, lemmatize, tokenize
from locisimiles.models.vectors import WordVectors

PHRASES = st.lists(
    st.sampled_from(
        "Haesit uox, vōx et arma ARMA amor non timeo. metuit / 3 mare pelagusque in".split(" ")
    ),
    max_size=9,
).map(" ".join)
TEXTS = st.sampled_from([*load_example_query().texts, *load_example_source().texts])


def written(text, spans):
    return [text[start:end] for start, end in spans]


def shared_by_definition(query, source):
    """All lemmas of content words that both texts have, without any of our columns."""
    sides = []
    for text in (query, source):
        lemmas = lemmatize([token.text for token in tokenize(text)], "fast")
        sides.append([x for x in lemmas if x not in STOPWORDS and not x.isdigit()])
    return list(dict.fromkeys(lemma for lemma in sides[0] if lemma in sides[1])), sides


def test_words_are_paired_with_their_places():
    query, source = "Haesit uox, et", "comae et vox haerebat"
    assert align(query, source) == Alignment(
        (
            WordPair((0, 6), (13, 21), "lemma", "haereo", "haereo", 0.9),
            WordPair((7, 10), (9, 12), "form", "uox", "uox", 1.0),
        ),
        (0, 10),
        (9, 21),
    )


def test_an_enclitic_is_not_part_of_its_word():
    found = align("arma uirumque cano", "uir armaque")
    assert written("arma uirumque cano", found.query_words) == ["arma", "uirum"]
    assert written("uir armaque", found.source_words) == ["uir", "arma"]


def test_places_count_characters_however_words_are_accented():
    query, source = "— vo\u0304x —", "æquora: uōx!"
    found = align(query, source)
    assert written(query, found.query_words) == ["vo\u0304x"]
    assert written(source, found.source_words) == ["uōx"]


def test_of_repeated_words_the_one_beside_a_shared_word_is_aligned():
    source = "uox et arma longe cantat, nunc uox faucibus"
    found = align("uox faucibus", source)
    assert found.source_span == (source.index("uox faucibus"), len(source))


def test_repeated_words_are_paired_one_to_one():
    found = align("arma, arma", "ARMA / arma armis")
    assert [(p.query, p.source) for p in found.pairs] == [((0, 4), (0, 4)), ((6, 10), (7, 11))]
    assert found.lemmas == ("arma",)


def test_function_words_are_aligned_only_next_to_shared_words():
    query, source = "in hoc mari et in terra est", "et terra in mari et in terra"
    found = align(query, source)
    assert written(query, found.query_words) == ["mari", "et", "in", "terra"]
    assert written(source, found.source_words) == ["mari", "et", "in", "terra"]
    assert found.lemmas == ("mare", "terra")
    assert align("et in hoc", "et in hoc") == Alignment((), None, None)


def test_another_shared_analysis_is_a_weaker_bond():
    assert lemmatize(["uiris", "uires"], "fast") == ["uir", "uis"]
    (pair,) = align("uiris", "uires").pairs
    assert (pair.bond, pair.query_lemma, pair.source_lemma) == ("lemma", "uis", "uis")
    assert pair.strength == pytest.approx(0.9 * 0.2, abs=0.01)
    assert align("uiris", "uires").lemmas == ()


def test_words_of_similar_meaning_need_a_shared_word_beside_them():
    meanings = VectorMeanings()
    (fear, _) = align("metuit arma", "arma timet", meanings=meanings).pairs
    assert (fear.bond, fear.query_lemma, fear.source_lemma) == ("synonym", "metuo", "timeo")
    assert fear.strength == pytest.approx(0.84, abs=0.02)
    query = "metuit " + "et " * 9 + "rosa"
    source = "rosa " + "et " * 9 + "timet"
    assert [pair.query_lemma for pair in align(query, source, meanings=meanings).pairs] == ["rosa"]
    assert not align("metuit", "timet", meanings=meanings).pairs
    assert len(align("metuit arma", "arma timet").pairs) == 1


@pytest.mark.parametrize(("between", "counts"), [(4, True), (5, False)])
def test_words_of_similar_meaning_stand_within_five_words_of_a_shared_one(between, counts):
    texts = f"metuit {'et ' * between}arma", f"timet {'ac ' * between}arma"
    found = align(*texts, meanings=VectorMeanings())
    assert ("metuo" in [pair.query_lemma for pair in found.pairs]) == counts


@pytest.mark.parametrize(("between", "counts"), [(2, True), (3, False)])
def test_two_words_of_similar_meaning_support_each_other_within_three_words(between, counts):
    texts = f"metuit {'et ' * between}pelagus", f"timet {'ac ' * between}mare"
    assert bool(align(*texts, meanings=VectorMeanings()).pairs) == counts


def test_of_two_equally_near_places_the_one_in_the_same_order_is_aligned():
    found = align("uox mare faucibus", "faucibus rosa uox rosa faucibus")
    assert found.source_words == ((14, 17), (23, 31))
    found = align("faucibus mare uox", "faucibus rosa uox rosa faucibus")
    assert found.source_words == ((0, 8), (14, 17))


def test_two_similar_words_do_not_take_a_shared_one_away():
    # *rosa* is near both others, which are far from each other.
    rows = np.array([[1, 0], [0.8, 0.6], [0.8, -0.6]], np.float32)
    meanings = VectorMeanings(WordVectors.from_matrix(["rosa", "mare", "silua"], rows))
    (pair,) = align("rosae silua", "mare rosa", meanings=meanings).pairs
    assert (pair.bond, pair.query_lemma, pair.source_lemma) == ("lemma", "rosa", "rosa")


def test_the_span_covers_words_that_stand_together():
    source = "rosa " + "et " * 20 + "uox faucibus haesit"
    query = "haesit uox faucibus " + "et " * 20 + "rosa"
    found = align(query, source)
    assert len(found.pairs) == 4
    assert query[slice(*found.query_span)] == "haesit uox faucibus"
    assert source[slice(*found.source_span)] == "uox faucibus haesit"


@pytest.mark.parametrize(("between", "together"), [(7, True), (8, False)])
def test_words_more_than_eight_apart_do_not_stand_together(between, together):
    text = f"uox haesit {'et ' * between}rosa"
    span = align(text, text.replace("et", "ac")).query_span
    assert text[slice(*span)] == (text if together else "uox haesit")


@pytest.mark.parametrize(
    ("query", "source"), [("", ""), ("arma", ""), ("arma", "uox"), ("et", "et"), ("3 /", "3 /")]
)
def test_texts_with_nothing_in_common_have_no_pairs(query, source):
    assert align(query, source) == Alignment((), None, None)


def test_endless_repetition_is_aligned_up_to_a_limit():
    found = align("arma " * 3000, "arma " * 3000 + "uox")
    assert len(found.pairs) == 32
    assert found.lemmas == ("arma",)


def test_long_texts_share_all_their_lemmas():
    query = " ".join(load_example_query().texts[:40])
    source = " ".join(load_example_source().texts[:40])
    expected, _ = shared_by_definition(query, source)
    assert len(expected) > 20
    assert set(align(query, source).lemmas) == set(expected)


def test_pairs_are_aligned_independently():
    queries, sources = load_example_query().texts[:12], load_example_source().texts[:12]
    meanings = VectorMeanings()
    together = Aligner(meanings).align(queries, sources)
    alone = [align(*pair, meanings=meanings) for pair in zip(queries, sources, strict=True)]
    assert together == alone
    assert any(alignment.pairs for alignment in together)


def test_queries_and_sources_must_have_equal_length():
    with pytest.raises(ParameterError, match=r"must have equal length \(2 and 1\)"):
        Aligner().align(["a", "b"], ["c"])


@settings(deadline=None, max_examples=60)
@given(TEXTS | PHRASES, TEXTS | PHRASES, st.booleans())
def test_invariants_of_alignments(query, source, by_meaning):
    found = align(query, source, meanings=VectorMeanings() if by_meaning else None)
    expected, sides = shared_by_definition(query, source)
    # All shared lemmas are there, in order, each as often as it can be paired.
    assert set(found.lemmas) == set(expected)
    for lemma in expected:
        pairs = [p for p in found.pairs if p.is_shared and p.query_lemma == lemma]
        assert len(pairs) == min(side.count(lemma) for side in sides)
    places = [token[1:3] for token in tokenize(query)], [token[1:3] for token in tokenize(source)]
    assert list(found.query_words) == sorted(set(found.query_words))
    assert len(set(found.source_words)) == len(found.pairs)
    assert set(found.query_words) <= set(places[0])
    assert set(found.source_words) <= set(places[1])
    for pair in found.pairs:
        assert (pair.bond in ("form", "lemma")) == (pair.query_lemma == pair.source_lemma)
        assert 0 < pair.strength <= 1
    for span, words in (
        (found.query_span, found.query_words),
        (found.source_span, found.source_words),
    ):
        assert (span is None) == (not words)
        assert span is None or span[0] in [start for start, _ in words]
        assert span is None or span[1] in [end for _, end in words]


@settings(deadline=None, max_examples=40)
@given(PHRASES)
def test_a_text_is_aligned_with_itself_word_by_word(text):
    content = [w for w in re.findall(r"[^\W\d]+", text) if w not in ("et", "non", "in")]
    aligned = [pair for pair in align(text, text).pairs if not pair.is_function_word]
    assert len(aligned) == len(content)
    assert all(pair.is_shared for pair in aligned)


def test_an_alignment_can_be_written_as_json():
    found = align("uox", "uox").as_dict()
    assert found["query_span"] == (0, 3)
    assert found["pairs"] == [
        {
            "query": (0, 3),
            "source": (0, 3),
            "bond": "form",
            "query_lemma": "uox",
            "source_lemma": "uox",
            "strength": 1.0,
        }
    ]
