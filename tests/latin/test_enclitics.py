"""Enclitics, and the words that only look like them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.latin import fold_word, lemmatize, tokenize
from locisimiles.latin.enclitics import (
    ALWAYS_SPLIT,
    ENCLITIC_LEMMAS,
    NEVER_SPLIT,
    WITH_CUM,
    Split,
    split_enclitic,
)

WHOLE = """
    atque neque quoque itaque denique undique uterque utraque utrumque utrimque plerumque plerique
    pleraque usque ubique utique quisque quaeque quodque quemque cuiusque cuique quinque namque
    absque aeque quicumque quaecumque quodcumque ubicumque utcumque quandoque quousque unusquisque
    unumquemque torque coque
    bene omne sine mane pone plane sane fine nomine carmine homine ordine sanguine lumine flumine
    crimine agmine limine numine virgine igne amne insigne immane inane commune nonne necne anne
    ratione oratione legione religione regione imagine origine multitudine certamine iuvene paene
    sive neve ave cave grave leve breve suave nave nive bove cive salve solve volve
    est potest adest abest deest inest interest prodest superest post ast
""".split()

SPLIT = [
    *("virum|que arma|que populus|que senatus|que deos|que patrem|que noctes|que dies|que").split(),
    *("terras|que caelum|que mari|que ferro|que igni|que urbes|que per|que pro|que").split(),
    *("se|que me|que te|que nos|que eius|que is|que ea|que id|que omnes|que corpus|que").split(),
    *("animum|que manus|que pedibus|que Lavinia|que Italiam|que in|que de|que a|que").split(),
    *("tantae|ne homines|ne est|ne vides|ne potes|ne vis|ne satis|ne ego|ne tanta|ne").split(),
    *("terra|ve plus|ve minus|ve quid|ve quis|ve patrem|ve mihi|ve tibi|ve sibi|ve").split(),
    *("me|cum te|cum se|cum nobis|cum vobis|cum quo|cum qua|cum quibus|cum").split(),
    *("factum|st factus|t visum|st dictum|st").split(),
]


@pytest.mark.parametrize("word", WHOLE)
def test_a_lookalike_is_never_split(word):
    for written in (word, word.upper(), word.replace("v", "u")):
        assert [token.text for token in tokenize(written)] == [written]


@pytest.mark.parametrize("cut", SPLIT)
def test_an_enclitic_is_split_off(cut):
    host, _, enclitic = cut.partition("|")
    tokens = tokenize(host + enclitic)
    assert [(token.text, token.kind) for token in tokens] == [
        (host, "word"),
        (enclitic, "enclitic"),
    ]


@pytest.mark.parametrize("cut", SPLIT)
def test_the_lemma_of_a_word_is_that_of_its_host(cut):
    host, _, enclitic = cut.partition("|")
    assert lemmatize([host + enclitic], "fast") == lemmatize([host], "fast")


@pytest.mark.parametrize(
    ("enclitic", "lemma"),
    [("que", "que"), ("ne", "ne"), ("ve", "ue"), ("cum", "cum"), ("st", "sum"), ("t", "sum")],
)
def test_an_enclitic_has_a_lemma_of_its_own(enclitic, lemma):
    assert ENCLITIC_LEMMAS[fold_word(enclitic)] == lemma
    assert lemmatize([enclitic], "fast") == [lemma]


def everything(_form):
    return True


def nothing(_form):
    return False


@pytest.mark.parametrize("word", sorted({*WHOLE} - {"paene"}))
def test_lookalikes_are_on_the_list(word):
    assert fold_word(word) in NEVER_SPLIT


def test_the_list_of_whole_words_decides():
    for word in NEVER_SPLIT:
        assert split_enclitic(word, lambda form, word=word: form != word) is None, word


@pytest.mark.parametrize("word", sorted(ALWAYS_SPLIT | WITH_CUM))
def test_the_list_of_split_words_decides(word):
    split = split_enclitic(word, everything)
    assert split == split_enclitic(word, nothing)
    assert split.form + split.enclitic == word


def test_no_word_is_on_both_lists():
    assert not NEVER_SPLIT & (ALWAYS_SPLIT | WITH_CUM)


def test_the_lists_are_in_the_folded_spelling():
    unfolded = {w for w in NEVER_SPLIT | ALWAYS_SPLIT | WITH_CUM if fold_word(w) != w}
    assert unfolded <= {"inmane"}  # which does no harm


def test_the_list_contains_only_words_that_end_like_enclitics():
    assert [word for word in NEVER_SPLIT if not word.endswith(("que", "ne", "ue", "st"))] == []


@pytest.mark.parametrize(
    ("form", "known", "split"),
    [
        ("uirumque", [], Split("uirum", "que")),
        ("uirumque", ["uirumque"], None),
        ("terraue", ["terra"], Split("terra", "ue")),
        ("terraue", [], None),
        ("hominesne", ["homines"], Split("homines", "ne")),
        ("hominesne", [], None),
        # An ablative, and an adverb.
        ("actione", ["actio"], None),
        ("actiue", ["acti"], None),
        ("factumst", ["factum"], Split("factum", "st")),
        ("factust", ["factus", "factu"], Split("factus", "t")),
        ("bonast", ["bona", "bonas"], Split("bona", "st")),
        ("factumst", [], None),
        ("est", ["e", "es"], None),
        # Too short to be a word, or no word at all.
        ("que", [], None),
        ("xque", [], None),
        ("xxxque", [], None),
        ("ne", [], None),
        ("", [], None),
        ("arma", ["a"], None),
    ],
)
def test_known_forms_decide(form, known, split):
    assert split_enclitic(form, known.__contains__) == split


@settings(deadline=None)
@given(
    st.text(alphabet="aeioubcnqrstum", max_size=8),
    st.sampled_from(["", "que", "ne", "ue", "cum", "st", "t"]),
    st.booleans(),
)
def test_nothing_is_lost_in_splitting(host, enclitic, known):
    form = host + enclitic
    split = split_enclitic(form, lambda other: known and other != form)
    if split is not None:
        assert split.form + split.enclitic == form
        assert split.form
        assert split.enclitic in ENCLITIC_LEMMAS


@settings(deadline=None)
@given(st.text(alphabet="abeioqustnmcr"))
def test_a_word_that_is_known_stays_whole(form):
    split = split_enclitic(form, everything)
    assert split is None or form in ALWAYS_SPLIT | WITH_CUM


@pytest.mark.parametrize("word", ["idst", "adst", "idt"])
def test_hosts_of_est_have_three_letters(word):
    assert split_enclitic(word, {"id", "ad"}.__contains__) is None
    assert split_enclitic("tust", {"tus"}.__contains__) == ("tus", "t")
