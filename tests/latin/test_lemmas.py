"""Lemmas of Latin words."""

import zlib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from locisimiles.latin import Lemmatizer, analyse, fold_word, lemmatize, tokenize
from locisimiles.latin.lemmas import AnalysedToken, WeightedAnalysis
from locisimiles.latin.model import ORIGINS

MODES = pytest.mark.parametrize("mode", ["context", "fast"])
WELL_FORMED = st.text() | st.text(alphabet="aeiuvmnstrqoāæ\u0304[]<>.'’12 \x00\u200f😀שλ")
WORDS = st.text(alphabet="abcdefghilmnopqrstuvx", min_size=1, max_size=10)
LATIN = """
    arma virum cano Troiae qui primus ab oris Italiam fato profugus venit litora multum ille et
    terris iactatus et alto vi superum saevae memorem Iunonis ob iram iuvenis cuius vivus ivvat
    virumque nobiscum tantaene animis caelestibus irae adfero sequuntur exspecto maior eius
""".split()


def written_otherwise(word):
    """The same word as other editions, and other schools, would write it."""
    return [
        word.upper(),
        word.title(),
        word.swapcase(),
        word.replace("v", "u"),
        word.replace("u", "v"),
        word.replace("i", "j"),
        word.replace("j", "i"),
        "".join(f"{letter}\u0304" if letter in "aeiouy" else letter for letter in word),
        word.translate(str.maketrans("aeiou", "āēīōū")),
        word.translate(str.maketrans("aeiou", "ăĕĭŏŭ")),
        word.translate(str.maketrans("aeiouAEIOU", "āĕīŏūĀĔĪŎŪ")).upper(),
    ]


@MODES
@pytest.mark.parametrize(
    ("form", "lemma"),
    [
        ("virum", "uir"),
        ("virumque", "uir"),
        ("bello", "bellum"),
        ("bellum", "bellum"),
        ("belli", "bellum"),
        ("amaverunt", "amo"),
        ("amauerunt", "amo"),
        ("adfero", "affero"),
        ("affero", "affero"),
        ("adtulit", "affero"),
        ("exspecto", "expecto"),
        ("expectat", "expecto"),
        ("sequuntur", "sequor"),
        ("secuntur", "sequor"),
        ("Cæsar", "caesar"),
        ("Caesaris", "caesar"),
        ("haesit", "haereo"),
        ("uocem", "uox"),
        ("rosarum", "rosa"),
        ("hominibus", "homo"),
        ("patribus", "pater"),
        ("corpora", "corpus"),
        ("itinere", "iter"),
        ("regem", "rex"),
        ("noctem", "nox"),
        ("manibus", "manus"),
        ("fecit", "facio"),
        ("tulit", "fero"),
        ("uenit", "uenio"),
        ("dixit", "dico"),
        ("est", "sum"),
        ("fuerunt", "sum"),
        ("poterat", "possum"),
        ("magnam", "magnus"),
        ("omnibus", "omnis"),
        ("cuius", "qui"),
        ("huius", "hic"),
        ("illius", "ille"),
        ("mecum", "ego"),
        ("tecum", "tu"),
        ("factumst", "facio"),
        ("factust", "facio"),
        ("inque", "in"),
        ("deque", "de"),
        ("tantaene", "tantus"),
        ("atque", "atque"),
        ("itaque", "itaque"),
        ("uterque", "uterque"),
        ("bene", "bene"),
    ],
)
def test_undisputed_lemmas(form, lemma, mode):
    assert lemmatize([form], mode) == [lemma]


def test_faucibus_belongs_to_the_throat():
    assert lemmatize(["faucibus"])[0] in {"faux", "fauces"}


def test_the_context_decides():
    assert lemmatize("bella gerunt duces".split())[0] == "bellum"
    assert lemmatize("arma virumque cano".split()) == ["arma", "uir", "cano"]


@MODES
@pytest.mark.parametrize("word", LATIN)
def test_a_word_has_one_lemma_however_it_is_written(word, mode):
    lemma = lemmatize([word], mode)
    assert [lemmatize([other], mode) for other in written_otherwise(word)] == [lemma] * 11


@MODES
def test_a_sentence_has_the_same_lemmas_however_it_is_written(mode):
    lemmas = lemmatize(LATIN, mode)
    for sentence in zip(*map(written_otherwise, LATIN), strict=True):
        assert lemmatize(sentence, mode) == lemmas


@MODES
@settings(deadline=None)
@given(word=WORDS)
def test_any_word_has_one_lemma_however_it_is_written(word, mode):
    lemma = lemmatize([word], mode)
    assert [lemmatize([other], mode) for other in written_otherwise(word)] == [lemma] * 11


@MODES
@settings(deadline=None)
@given(words=st.lists(WELL_FORMED | WORDS | st.sampled_from(LATIN)))
def test_there_is_a_lemma_for_each_token(words, mode):
    lemmas = lemmatize(words, mode)
    assert len(lemmas) == len(words)
    assert all(isinstance(lemma, str) for lemma in lemmas)


@MODES
@settings(deadline=None)
@given(words=st.lists(WELL_FORMED | WORDS | st.sampled_from(LATIN)))
def test_analyses_are_probabilities_the_most_likely_first(words, mode):
    analyses = analyse(words, mode)
    assert [analysis.token for analysis in analyses] == words
    for analysis in analyses:
        chances = [candidate.probability for candidate in analysis.analyses]
        assert chances
        assert all(0 < chance <= 1 for chance in chances)
        assert chances == sorted(chances, reverse=True)
        assert sum(chances) <= 1 + 1e-9
        assert analysis.lemma == analysis.analyses[0].lemma
        assert analysis.pos == analysis.analyses[0].pos
        assert analysis.origin in ORIGINS


@MODES
def test_the_first_analysis_is_the_lemma(mode):
    analyses = analyse(LATIN, mode)
    assert [analysis.lemma for analysis in analyses] == lemmatize(LATIN, mode)


@MODES
@settings(deadline=None)
@given(text=st.text(alphabet=st.characters()))
def test_the_words_of_any_text_have_lemmas(text, mode):
    words = [token.text for token in tokenize(text)]
    assert len(lemmatize(words, mode)) == len(analyse(words, mode)) == len(words)


@MODES
@settings(deadline=None)
@given(words=st.lists(st.text(alphabet=st.characters())))
@example(words=["\ud800"])
@example(words=["arma", "\udfffuox", "canis"])
def test_half_characters_are_words_nobody_knows(words, mode):
    assert len(lemmatize(words, mode)) == len(analyse(words, mode)) == len(words)


@MODES
@settings(deadline=None)
@given(
    words=st.lists(st.sampled_from(LATIN) | WORDS, max_size=6),
    others=st.lists(st.sampled_from(LATIN), max_size=3),
)
def test_fast_lemmas_do_not_depend_on_what_stands_beside(words, others, mode):
    if mode == "fast":
        assert lemmatize([*words, *others], "fast")[: len(words)] == lemmatize(words, "fast")
    else:
        assert lemmatize(words) == lemmatize(words)


@MODES
def test_no_words_have_no_lemmas(mode):
    assert (lemmatize([], mode), analyse([], mode)) == ([], [])


def test_the_shipped_lemmatizer_is_loaded_once():
    assert Lemmatizer.shipped() is Lemmatizer.shipped()
    assert len(Lemmatizer.shipped_fingerprint()) == 64


# What follows is asked of a model made by hand.


@pytest.fixture
def lemmatizer(model):
    return Lemmatizer(model)


@MODES
@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("arma", ("arma", "NOUN", "lexicon")),
        ("ARMĀ", ("arma", "NOUN", "lexicon")),
        ("canis", ("canis", "NOUN", "lexicon")),
        ("virumque", ("uir", "NOUN", "lexicon")),
        ("malchum", ("malchus", "PROPN", "rule")),
        ("abba", ("abba", "NOUN", "fallback")),
        ("xerxen", ("xerxes", "X", "fallback")),
        ("siluarum", ("silua", "NOUN", "rule")),
        ("Clamat", ("clamo", "VERB", "rule")),
        ("Clamatque", ("clamo", "VERB", "rule")),
        ("zz", ("zz", "X", "fallback")),
        ("12", ("12", "NUM", "fallback")),
        ("λόγος", ("λόγος", "X", "fallback")),
        ("", ("", "X", "fallback")),
        ("M.", ("marcus", "PROPN", "lexicon")),
        ("st", ("sum", "AUX", "lexicon")),
    ],
)
def test_a_word_is_looked_up_then_split_then_judged_by_its_ending(lemmatizer, word, found, mode):
    analysis = lemmatizer.analyse([word], mode)[0]
    assert (analysis.lemma, analysis.pos, analysis.origin) == found
    assert lemmatizer.lemmatize([word], mode) == [found[0]]


def test_analyses_have_the_probabilities_of_the_model(lemmatizer):
    (analysis,) = lemmatizer.analyse(["canis"], "fast")
    first, second = analysis.analyses
    assert (first.lemma, second.lemma) == ("canis", "cano")
    assert first.probability == pytest.approx(0.6)
    assert second.probability == pytest.approx(0.4)


def test_only_forms_of_treebanks_are_known(lemmatizer):
    assert [lemmatizer.knows(form) for form in ("arma", "malchum", "abba", "xerxen", "zz")] == [
        *[True, False, False],
        *[False, False],
    ]


def test_improbable_analyses_are_left_out_but_never_the_first(make_model):
    analyses = [("canis", "NOUN", 0.992), ("cano", "VERB", 0.008)]
    lemmatizer = Lemmatizer(make_model({"canis": analyses}))
    assert [c.lemma for c in lemmatizer.analyse(["canis"])[0].analyses] == ["canis"]


def context_model(make_model, *seeded):
    """A model that has learnt that after *arma*, *canis* is a verb, or belongs to *cano*."""
    weights = {zlib.crc32(feature, zlib.crc32(seed)): 100 for seed, feature in seeded}
    return make_model(
        {
            "arma": [("arma", "NOUN", 1.0)],
            "canis": [("canis", "NOUN", 0.6), ("cano", "VERB", 0.4)],
        },
        weights=weights,
    )


@pytest.mark.parametrize("seed", [b"cano", b"#VERB"])
@pytest.mark.parametrize("feature", [b"aarma", b"eNOUN", b"farma", b"krma", b"gNOUN <s>"])
def test_context_outweighs_frequency(make_model, seed, feature):
    lemmatizer = Lemmatizer(context_model(make_model, (seed, feature)))
    assert lemmatizer.lemmatize(["arma", "canis"]) == ["arma", "cano"]
    assert lemmatizer.lemmatize(["canis", "arma"]) == ["canis", "arma"]
    assert lemmatizer.lemmatize(["arma", "canis"], "fast") == ["arma", "canis"]
    assert lemmatizer.analyse(["arma", "canis"])[1].analyses[0].probability > 0.99


def test_a_chosen_analysis_is_context_for_the_next_word(make_model):
    lemmatizer = Lemmatizer(context_model(make_model, (b"cano", b"aarma"), (b"cano", b"fcano")))
    assert lemmatizer.lemmatize(["arma", "canis", "canis"]) == ["arma", "cano", "cano"]
    assert lemmatizer.lemmatize(["canis", "canis"]) == ["canis", "canis"]


def test_context_does_not_judge_what_was_never_seen_in_one(make_model):
    analyses = {"malchum": [("malchus", "PROPN", 0.7), ("malchum", "NOUN", 0.3)]}
    weights = {zlib.crc32(b"a<s>", zlib.crc32(b"malchum")): 100}
    lemmatizer = Lemmatizer(make_model(analyses, origins={"malchum": 1}, weights=weights))
    assert lemmatizer.lemmatize(["malchum"]) == ["malchus"]


@MODES
def test_analyses_that_are_equally_likely_are_in_the_order_of_the_lemmas_returned(make_model, mode):
    analyses = {"cauendae": [("cauo", "VERB", 0.5), ("caueo", "VERB", 0.5)]}
    lemmatizer = Lemmatizer(make_model(analyses))
    (analysis,) = lemmatizer.analyse(["cauendae"], mode)
    assert lemmatizer.lemmatize(["cauendae"], mode) == [analysis.lemma]


def test_an_analysed_token_has_the_lemma_of_its_first_analysis():
    analyses = WeightedAnalysis("a", "NOUN", 0.6), WeightedAnalysis("b", "VERB", 0.4)
    analysis = AnalysedToken("x", analyses, "rule")
    assert (analysis.lemma, analysis.pos) == ("a", "NOUN")


def test_forms_of_the_lexicon_are_folded():
    forms = Lemmatizer.shipped()._model.forms[::20]
    assert [form for form in forms if fold_word(form) != form] == []


def one_by_one(words):
    """Return the first analysis of each word, as it is found for a word alone."""
    analyses = [Lemmatizer.shipped().analyse([word], "fast")[0] for word in words]
    return [a.lemma for a in analyses], [a.pos for a in analyses]


def test_many_words_have_the_lemmas_and_parts_of_speech_that_each_has_alone():
    model = Lemmatizer.shipped()._model
    forms = [*model.forms[::997], *LATIN]
    forms += [f"{form}{ending}" for form in forms for ending in ("que", "ne", "ue", "st", "xum")]
    forms += ["M.", "st", "t", "mecum", "inque", "egone", "12", "", "λόγος", "ADFERRE", "Æneas"]
    fresh = Lemmatizer(model)
    lemmas, parts_of_speech = one_by_one(forms)
    assert fresh.lemmatize(forms, "fast") == lemmas
    assert fresh.lemmatize(forms, "fast") == lemmas  # and again, when they have been met
    assert fresh.parts_of_speech(forms) == parts_of_speech


@settings(deadline=None, max_examples=50)
@given(words=st.lists(WELL_FORMED | WORDS | st.sampled_from(LATIN)))
def test_any_words_have_the_lemmas_and_parts_of_speech_that_each_has_alone(words):
    lemmas, parts_of_speech = one_by_one(words)
    assert Lemmatizer.shipped().lemmatize(words, "fast") == lemmas
    assert Lemmatizer.shipped().parts_of_speech(words) == parts_of_speech


def test_a_form_of_rules_may_lose_an_enclitic_and_one_of_treebanks_not(make_model):
    """A treebank has *atque*; *armaque* that rules made is *arma* with *-que*."""
    model = make_model(
        {
            "arma": [("arma", "NOUN", 1.0)],
            "armaque": [("armaque", "X", 1.0)],
            "at": [("at", "CCONJ", 1.0)],
            "atque": [("atque", "CCONJ", 1.0)],
        },
        origins={"armaque": 1},
    )
    lemmatizer = Lemmatizer(model)
    for mode in ("fast", "context"):
        assert lemmatizer.lemmatize(["armaque", "atque", "at"], mode) == ["arma", "atque", "at"]
    assert lemmatizer.parts_of_speech(["armaque", "atque"]) == ["NOUN", "CCONJ"]
