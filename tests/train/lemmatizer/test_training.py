"""Training the lemmatizer."""

import pytest

from locisimiles.errors import LocisimilesError
from locisimiles.latin import Lemmatizer
from locisimiles.latin.model import LemmaModel
from locisimiles.train.lemmatizer.training import train_lemmatizer

BACKGROUND = {"agricolam": 3, "nautam": 8, "raram": 2, "clamatque": 9, "λόγος": 9, "x": 9}


@pytest.fixture
def model(treebank):
    return train_lemmatizer(treebank)


def test_forms_of_the_treebank_are_learnt(model):
    lemmatizer = Lemmatizer(model)
    assert lemmatizer.lemmatize(["Puellas", "UOCAT", "adfert", "et"], "fast") == [
        *["puella", "uoco", "affero", "et"]
    ]
    assert {analysis.origin for analysis in lemmatizer.analyse(["puellas", "et"])} == {"lexicon"}
    assert lemmatizer.knows("puellas")
    assert not lemmatizer.knows("nautas")


def test_other_forms_are_guessed(model):
    (analysis,) = Lemmatizer(model).analyse(["nautam"])
    assert (analysis.lemma, analysis.pos, analysis.origin) == ("nauta", "NOUN", "rule")


def test_the_choice_by_context_is_learnt(model):
    lemmatizer = Lemmatizer(model)
    assert lemmatizer.lemmatize("magnus canis latrat".split())[1] == "canis"
    assert lemmatizer.lemmatize("tu bene canis".split())[2] == "cano"
    assert lemmatizer.lemmatize("tu bene canis".split(), "fast")[2] == "canis"


def test_analyses_have_the_probabilities_of_the_treebank(model):
    analyses = model.analyses(model.rows["canis"])
    assert [(analysis.lemma, round(chance, 2)) for analysis, chance in analyses] == [
        ("canis", 0.67),
        ("cano", 0.33),
    ]


def test_a_corpus_makes_the_lexicon_larger(treebank):
    model = train_lemmatizer(treebank, BACKGROUND)
    new = set(model.forms) - set(train_lemmatizer(treebank).forms)
    # Neither what is rare, nor what has an enclitic, nor what is not Latin.
    assert new == {"agricolam", "nautam"}
    lemmatizer = Lemmatizer(model)
    assert [analysis.origin for analysis in lemmatizer.analyse(["agricolam"])] == ["rule"]
    assert not lemmatizer.knows("agricolam")


def test_the_word_list_is_built_in_if_there_is_a_corpus(treebank, word_list):
    word_list({"xerxen": "Xerxes", "zzz": "zzo"})
    model = train_lemmatizer(treebank, {**BACKGROUND, "zzz": 5})
    lemmatizer = Lemmatizer(model)
    found = lemmatizer.analyse(["xerxen", "zzz"])
    assert [(analysis.lemma, analysis.origin) for analysis in found] == [
        ("xerxes", "fallback"),
        ("zzo", "fallback"),
    ]
    assert train_lemmatizer(treebank).last_resort("xerxen") is None


def test_training_does_not_depend_on_the_order_of_the_corpus(treebank, tmp_path):
    orders = {"a.npz": BACKGROUND, "b.npz": dict(reversed(BACKGROUND.items()))}
    for name, background in orders.items():
        train_lemmatizer(treebank, background, seed=4).save(tmp_path / name)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_a_trained_model_can_be_saved_and_used(model, tmp_path):
    model.save(tmp_path / "mine.npz")
    words = "tu bene canis et nautam uides".split()
    loaded = Lemmatizer.load(tmp_path / "mine.npz")
    assert loaded.lemmatize(words) == Lemmatizer(model).lemmatize(words)
    assert list(LemmaModel.load(tmp_path / "mine.npz").forms) == list(model.forms)


def test_words_without_a_lemma_are_left_out(treebank, make_text):
    model = train_lemmatizer([*treebank, make_text("uacuus//ADJ")])
    assert "uacuus" not in model.forms


@pytest.mark.parametrize("lines", ["arma/arma/NOUN", "et/et/CCONJ"])
def test_one_word_is_enough_for_a_model(make_text, lines):
    form, lemma, _ = lines.split("/")
    assert Lemmatizer(train_lemmatizer([make_text(lines)])).lemmatize([form]) == [lemma]


@pytest.mark.parametrize("lines", ["", "arma//NOUN"])
def test_a_treebank_without_lemmas_is_an_error(make_text, lines):
    with pytest.raises(LocisimilesError, match="has a lemma"):
        train_lemmatizer([make_text(lines)])


def test_no_texts_are_an_error():
    with pytest.raises(LocisimilesError):
        train_lemmatizer([])


def test_too_many_tags_are_an_error(treebank, make_text):
    # As of a table whose third column has the morphology.
    words = " ".join(f"silu{'a' * n}m/silua/N{n}" for n in range(300))
    with pytest.raises(LocisimilesError, match="different tags, but at most 255"):
        train_lemmatizer([*treebank, make_text(words)])
