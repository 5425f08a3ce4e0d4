"""The script that probes what encoders know of single words."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from encoder_probes import (
    Probe,
    auc,
    forms_of_lemmas,
    lemma_probe,
    letter_similarity,
    piece_similarity,
    synonym_probe,
)
from locisimiles.models.onnx_encoder import OnnxEncoder
from locisimiles.train.late.synthetic_inputs import Sense

FORMS = {"rex": ["regis", "regem"], "rego": ["regit", "regunt"], "mare": ["maris"]}
LEMMA = {form: lemma for lemma, own in FORMS.items() for form in own}
numbers = st.lists(st.integers(0, 5), min_size=1, max_size=8)


@settings(deadline=None)
@given(numbers, numbers)
def test_auc_is_the_share_of_won_comparisons(alike, different):
    won = [(a > d) + (a == d) / 2 for a in alike for d in different]
    assert auc(np.array(alike), np.array(different)) == pytest.approx(np.mean(won))


def test_forms_of_a_lemma_and_of_two_are_drawn():
    probe = lemma_probe(FORMS, pairs=50)
    assert (len(probe.related), len(probe.unrelated)) == (50, 50)
    assert all(LEMMA[a] == LEMMA[b] and a != b for a, b in probe.related)
    assert all(LEMMA[a] != LEMMA[b] for a, b in probe.unrelated)
    assert probe == lemma_probe(FORMS, pairs=50) != lemma_probe(FORMS, pairs=50, seed=1)


def test_forms_of_two_lemmas_can_begin_alike():
    probe = lemma_probe(FORMS, pairs=50, same_beginning=True)
    assert {a[:3] for a, _ in probe.unrelated} == {"reg"}
    assert all(a[:3] == b[:3] and LEMMA[a] != LEMMA[b] for a, b in probe.unrelated)


SENSES = [
    *(Sense("1", "n", lemma) for lemma in ("rex", "dux", "caput")),
    *(Sense("2", "n", lemma) for lemma in ("mare", "pontus", "res publica")),
    *(Sense("3", "v", lemma) for lemma in ("amo", "diligo")),
    *(Sense("4", "v", lemma) for lemma in ("curro",)),
]


def test_synonyms_share_a_sense_and_others_the_part_of_speech():
    probe = synonym_probe(SENSES)
    assert sorted(probe.related) == [
        ("amo", "diligo"),
        ("caput", "dux"),
        ("caput", "rex"),
        ("dux", "rex"),
        ("mare", "pontus"),
    ]
    verbs = {"amo", "diligo", "curro"}
    assert len(probe.unrelated) == 5
    for a, b in probe.unrelated:
        assert (a in verbs) == (b in verbs)
        assert a != b
        assert (a, b) not in probe.related


@pytest.mark.parametrize("forms", [{}, {"rex": ["regis"]}, {"rex": ["regis", "regem"]}], ids=str)
def test_too_few_words_are_an_error(forms):
    with pytest.raises(ValueError, match="no words to compare"):
        lemma_probe(forms, pairs=5)
    with pytest.raises(ValueError, match="no words to compare"):
        synonym_probe(SENSES[-1:])


def test_only_frequent_unambiguous_forms_are_taken():
    words = ["puellam"] * 3 + ["puellis"] * 3 + ["rosam"] * 2 + ["et", "canis"] * 5
    assert forms_of_lemmas(words) == {"puella": ["puellam", "puellis"]}


def test_letters_are_compared_by_trigrams():
    pairs = [("rex", "regis"), ("rex", "lex"), ("amo", "amo")]
    assert letter_similarity(pairs).tolist() == [0.4, 0.25, 1.0]
    probe = Probe((("regis", "regem"),), (("regis", "maris"),))
    assert probe.measure(letter_similarity) == 1.0


def test_words_are_compared_by_the_nearest_pieces(tiny_latin):
    encoder = OnnxEncoder(tiny_latin, threads=1)
    one, other = (encoder.encode_pieces([word]).vectors for word in ("arma", "canis"))
    cosines = one @ other.T  # 1 piece, 5 pieces
    expected = (cosines.max() + cosines.mean()) / 2
    same, different = piece_similarity(encoder)([("arma", "arma"), ("arma", "canis")])
    assert same == pytest.approx(1, abs=1e-5)
    assert different == pytest.approx(expected, abs=1e-5)
