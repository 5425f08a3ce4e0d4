import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.corpus.sentences import StopRules, sentence_ends


def _cut(text, rules=None, line_ends=frozenset()):
    """Return the sentences of a text, and what is left after the last stop."""
    ends = sentence_ends(text, rules, line_ends=line_ends)
    return [text[a:b].strip() for a, b in zip([0, *ends], [*ends, len(text)], strict=True) if a < b]


@pytest.mark.parametrize(
    "text",
    [
        "Arma cano. Troiae qui primus.",
        "Quo usque tandem? Quam diu etiam?",
        "O tempora! O mores!",
        "hic est. ille abit.",
        "Dixi … Abeo.",
        "Quid?! Abeo.",
        "Quid? ! Abeo.",
        "Abiit... Rediit.",
        "Abiit. . . Rediit.",
    ],
)
def test_stops_end_sentences_whatever_case_follows(text):
    first, second = _cut(text)
    assert f"{first} {second}" == text
    assert second[-1] in ".?!"


FIRST_NAMES = """\
prensat unus P. Galba sine fuco.
Ti. Claudius et Cn. Pompeius et Sex. Roscius.
ad M. Tullium scripsit.
Ser. Sulpicius abiit.
App. Claudius caecus.
quid L. / Lucullus egerit.
"""


@pytest.mark.parametrize("text", FIRST_NAMES.splitlines())
def test_a_first_name_before_a_name_does_not_end_a_sentence(text):
    assert _cut(text) == [text]


def test_a_praenomen_before_a_common_word_ends_a_sentence():
    assert _cut("uidit T. deinde abiit.") == ["uidit T.", "deinde abiit."]


DATES = """\
a. d. III Kal. Mart. profectus est.
Id. Sext. litteras accepi.
prid. Non. Mai. dedi.
ante diem V Kal. Dec. uenit.
Kal. Ian. consul factus est.
dedi Kal. xii epistulam.
"""


@pytest.mark.parametrize("text", DATES.splitlines())
def test_a_date_does_not_end_a_sentence(text):
    assert _cut(text) == [text]


def test_a_month_at_the_end_of_a_sentence_ends_it():
    assert _cut("data Id. Mart. Caesar occisus est.") == ["data Id. Mart.", "Caesar occisus est."]


ABBREVIATIONS = """\
tr. pl. fuit.
imp. salutatus est.
cos. desig. dixit.
i. e. nihil.
ut supra cap. tertio dictum est.
legimus lib. secundo.
"""


@pytest.mark.parametrize("text", ABBREVIATIONS.splitlines())
def test_an_abbreviation_before_a_small_letter_does_not_end_a_sentence(text):
    assert _cut(text) == [text]


def test_an_abbreviation_ends_a_sentence_before_a_capital():
    assert _cut("creatus est cos. Deinde abiit.") == ["creatus est cos.", "Deinde abiit."]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("'Quo tenditis?' Abiit.", ["'Quo tenditis?'", "Abiit."]),
        ("“Abeo.” Abiit.", ["“Abeo.”", "Abiit."]),
        ("«Abeo.» Abiit.", ["«Abeo.»", "Abiit."]),
        ("« Abeo. » Abiit.", ["« Abeo. »", "Abiit."]),
        ("(ita dixit.) Abiit.", ["(ita dixit.)", "Abiit."]),
        ("[ita dixit.] Abiit.", ["[ita dixit.]", "Abiit."]),
        ("(‘abeo!’) Rediit.", ["(‘abeo!’)", "Rediit."]),
    ],
)
def test_closing_marks_after_a_stop_belong_to_the_sentence(text, sentences):
    assert _cut(text) == sentences


@pytest.mark.parametrize("verb", ["inquit", "inquam", "ait", "inquiunt", "aiunt", "inquis"])
def test_a_speech_continues_before_its_verb(verb):
    text = f"‘Quo tenditis?’ {verb} ille."
    assert _cut(text) == [text]


def test_a_speech_continues_before_its_verb_on_the_next_line():
    text = "‘Quo tenditis?’ / inquit."
    assert _cut(text) == [text]


def test_a_quotation_inside_a_sentence_does_not_end_it():
    text = "'te ipsum intellege'! —, uenerationi mihi semper fuit."
    assert _cut(text) == [text]


def test_a_dash_after_a_stop_begins_a_new_sentence():
    assert _cut("Abeo.— Redeo.") == ["Abeo.", "— Redeo."]


@pytest.mark.parametrize(
    "text", ["anno 1.5 uixit.", "www.thelatinlibrary.com uidi.", "cap.2 legi.", "…sed abiit."]
)
def test_a_stop_inside_a_word_or_number_does_not_end_a_sentence(text):
    assert _cut(text) == [text]


@pytest.mark.parametrize(
    "text", ["12. Arma cano.", "XII. Arma cano.", "... arma cano.", "§ 4. Ita."]
)
def test_a_number_at_the_head_belongs_to_the_sentence(text):
    assert _cut(text) == [text]


def test_the_number_of_a_chapter_belongs_to_what_follows():
    assert _cut("Abeo. XII. Redeo.") == ["Abeo.", "XII. Redeo."]


def test_a_numeral_at_the_end_does_not_hide_a_stop():
    assert _cut("anno DCCL. Deinde abiit.") == ["anno DCCL.", "Deinde abiit."]


def test_a_short_aside_is_not_cut():
    text = "ut poeta (Aeneid. Lib. III) dixit."
    assert _cut(text) == [text]


def test_a_stop_between_two_asides_ends_a_sentence():
    text = "Ut dixi (ita) hic est. Deinde (sic) abiit."
    assert _cut(text) == ["Ut dixi (ita) hic est.", "Deinde (sic) abiit."]


def test_a_long_parenthesis_is_cut():
    inside = "quod saepe iam diximus et nunc iterum dicimus ne quis obliuiscatur "
    text = f"Ita est ({inside}rei. {inside}rei). Abiit."
    assert _cut(text) == [f"Ita est ({inside}rei.", f"{inside}rei).", "Abiit."]


COLON = "dixit: abeo: nunc."


@pytest.mark.parametrize(
    ("when", "sentences"),
    [
        ("never", [COLON]),
        ("always", ["dixit:", "abeo:", "nunc."]),
        ("line-end", ["dixit: abeo:", "nunc."]),
    ],
)
def test_colons_end_sentences_as_the_rules_say(when, sentences):
    assert _cut(COLON, StopRules(colon=when), line_ends={12}) == sentences


@pytest.mark.parametrize(
    ("when", "sentences"),
    [
        ("never", ["abeo; redeo; maneo."]),
        ("always", ["abeo;", "redeo;", "maneo."]),
        ("line-end", ["abeo; redeo;", "maneo."]),
    ],
)
def test_semicolons_end_sentences_as_the_rules_say(when, sentences):
    assert _cut("abeo; redeo; maneo.", StopRules(semicolon=when), line_ends={12}) == sentences


@pytest.mark.parametrize("quote", ["‘", "“", "'", '"', "«"])
def test_a_colon_before_a_speech_counts_as_one_at_a_line_end(quote):
    text = f"sic fatur: {quote}abeo."
    assert _cut(text, StopRules(colon="line-end")) == ["sic fatur:", f"{quote}abeo."]


def test_a_colon_before_a_speech_on_the_next_line_counts_too():
    text = "sic fatur: / ‘abeo."
    assert _cut(text, StopRules(colon="line-end")) == ["sic fatur:", "/ ‘abeo."]


def test_the_colon_rule_does_not_affect_semicolons():
    assert _cut("abeo; redeo.", StopRules(colon="always")) == ["abeo; redeo."]


def test_a_text_without_stops_has_no_end():
    assert sentence_ends("arma uirumque cano") == []
    assert sentence_ends("") == []


@settings(deadline=None)
@given(st.text(alphabet="aAbP.!?:;,…'’)»—/- \n1X", max_size=80))
def test_ends_ascend_inside_the_text_and_follow_a_letter(text):
    ends = sentence_ends(text)
    assert ends == sorted(set(ends))
    assert all(any(c.isalpha() for c in text[:end]) for end in ends)
    assert all(end <= len(text) for end in ends)


@pytest.mark.parametrize("text", ["arma;; cano.", "arma; … ; cano.", ": ‘abeo.’"])
def test_a_clause_without_words_is_not_a_sentence(text):
    rules = StopRules(colon="line-end", semicolon="always")
    assert all(any(c.isalpha() for c in sentence) for sentence in _cut(text, rules))
