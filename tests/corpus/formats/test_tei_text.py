import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from locisimiles.corpus.formats.tei_text import extract_passages

SPACES = st.lists(
    st.sampled_from([" ", "\n", "\t", "\xa0", "<lb/>", "<pb n='3'/>", " <note>x</note> "]),
    min_size=1,
).map("".join)


def _extract(inside):
    xml = f'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body>{inside}</body></text></TEI>'
    return extract_passages(etree.fromstring(xml))


def _passages(inside):
    return [(passage.locus, passage.text) for passage in _extract(inside).passages]


def _text(inside):
    [(_, text)] = _passages(inside)
    return text


PRINTED = """\
<p>Arma <note>cf. Hom.</note>cano.</p> => Arma cano.
<p>Arma <!-- hic --> cano.</p> => Arma cano.
<p>Arma <?page 3?>cano.</p> => Arma cano.
<p>Arma <bibl>Verg. Aen. 1.1</bibl> cano.</p> => Arma cano.
<p>Arma <gap/> cano.</p> => Arma cano.
<p>Arma <hi>uirum</hi>que <foreign>καὶ</foreign> cano.</p> => Arma uirumque καὶ cano.
<p>Arma <del>uirum</del> cano.</p> => Arma [uirum] cano.
<p>Arma <add>uirum</add> cano.</p> => Arma uirum cano.
<p>Arma <supplied>uirum</supplied> cano.</p> => Arma uirum cano.
<p>Arma cano .</p> => Arma cano.
<head>TITULUS</head><p>Arma cano.</p> => Arma cano.
<opener><salute>Cicero Attico</salute></opener><p>Arma.</p> => Arma.
<p>Arma.</p><closer>Vale.</closer> => Arma.
<sp><speaker>Pan.</speaker><p>Arma.</p></sp> => Arma.
<p>Arma.</p><p>Cano.</p> => Arma. Cano.
<list><item>arma</item><item>uirum</item></list> => arma uirum
<ab><title>CARMEN</title>Arma.</ab> => Arma.
<p>in <title>Bruto</title> dixi.</p> => in Bruto dixi.
"""


@pytest.mark.parametrize("line", PRINTED.splitlines())
def test_the_authors_text_is_kept_and_the_editors_left_out(line):
    inside, text = line.split(" => ")
    assert _text(inside) == text


def test_white_space_is_one_space_or_none_before_a_stop():
    assert _text("<p>Arma\n   cano   .</p>") == "Arma cano."


@pytest.mark.parametrize(
    ("choice", "word"),
    [
        ("<sic>armo</sic><corr>arma</corr>", "arma"),
        ("<corr>arma</corr><sic>armo</sic>", "arma"),
        ("<orig>uirum</orig><reg>virum</reg>", "uirum"),
        ("<abbr>cos.</abbr><expan>consul</expan>", "cos."),
        ("<sic>armo</sic>", "armo"),
        ("<unclear>arma</unclear><unclear>alma</unclear>", "alma"),
    ],
)
def test_corrections_and_the_editions_spelling_are_chosen(choice, word):
    assert _text(f"<p>Ecce <choice>{choice}</choice>.</p>") == f"Ecce {word}."


def test_the_lemma_of_an_apparatus_is_text():
    inside = "<p>Arma <app><lem>uirum</lem><rdg wit='#A'>uiros</rdg><note>x</note></app> cano.</p>"
    assert _text(inside) == "Arma uirum cano."


def test_an_expansion_inside_an_abbreviation_is_not_printed():
    assert _text("<p><abbr>M.<expan>Marcus</expan></abbr> Tullius.</p>") == "M. Tullius."
    assert _text("<p><expan>Marcus</expan> Tullius.</p>") == "Marcus Tullius."


@pytest.mark.parametrize("gap", ["<lb/>", "<lb n='2'/>", "<pb n='3'/>", "\n<lb/>\n", "<pb/><lb/>"])
def test_words_broken_over_a_line_or_page_are_mended(gap):
    assert _text(f"<p>multum ille iac-{gap}tatus.</p>") == "multum ille iactatus."


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("arma<lb/>uirum", "arma uirum"),
        ("arma -<lb/>uirum", "arma - uirum"),
        ("12-<lb/>13 arma", "12- 13 arma"),
        ("semi-deus", "semi-deus"),
        ("iac-<note>x</note><lb/>tatus", "iactatus"),
    ],
)
def test_other_line_breaks_are_spaces(inside, text):
    assert _text(f"<p>{inside}</p>") == text


QUOTED = """\
<p>dixit <q>abeo</q>.</p> => dixit ‘abeo’.
<p>dixit <q rend='double'>abeo</q>.</p> => dixit “abeo”.
<p>dixit <quote>abeo</quote>.</p> => dixit ‘abeo’.
<p>dixit <quote rend='blockquote'>abeo</quote>.</p> => dixit abeo.
<p>dixit <quote xml:lang='grc'>καὶ</quote>.</p> => dixit καὶ.
<p>dixit <said>abeo</said>.</p> => dixit abeo.
<p>dixit <q>abeo <q rend='double'>mane</q></q>.</p> => dixit ‘abeo “mane”’.
"""


@pytest.mark.parametrize(("inside", "text"), [line.split(" => ") for line in QUOTED.splitlines()])
def test_quotations_get_the_marks_they_are_printed_with(inside, text):
    assert _text(inside) == text


def test_a_speech_over_several_lines_is_closed_once():
    lines = "<l n='1'>dixit: <q>abeo</q></l><l n='2'><q rend='merge'>redeo</q></l>"
    lines += "<l n='3'><q rend='merge'>maneo</q> ait.</l><l n='4'><q>Quis?</q></l>"
    assert _passages(lines) == [
        ("1", "dixit: ‘abeo"), ("2", "redeo"), ("3", "maneo’ ait."), ("4", "‘Quis?’"),
    ]  # fmt: skip


def test_verses_quoted_in_prose_are_a_part_of_it():
    inside = "<div n='1'><p>ut ait: <quote><l>omnia tuta</l><l>timeo</l></quote> dixit.</p></div>"
    assert _passages(inside) == [("1", "ut ait: omnia tuta / timeo dixit.")]


@pytest.mark.parametrize("number", ["331", " 331 ", "331-332", "12."])
@pytest.mark.parametrize("name", ["emph", "hi"])
def test_emphasised_numbers_are_pages_of_older_editions(name, number):
    assert _text(f"<p>Arma <{name}>{number}</{name}> cano.</p>") == "Arma cano."


def test_other_emphasised_words_are_text():
    assert _text("<p>Arma <emph>uirum</emph> <hi>a<note>x</note></hi> cano.</p>") == (
        "Arma uirum a cano."
    )


def test_variant_readings_in_the_text_are_left_out_and_counted():
    extract = _extract("<p>Arma[Al. armis] uirum[Al. uiros] [sic] cano.</p>")
    assert [passage.text for passage in extract.passages] == ["Arma uirum [sic] cano."]
    assert list(map(str, extract.remarks)) == ["2 variant readings in the text ([Al. …]) left out"]


@pytest.mark.parametrize(
    "head", ["ADMONITIO IN EPISTOLAM", "MONITUM", "PROLEGOMENA.", "NOTITIA HISTORICA"]
)
def test_the_prefaces_of_editors_are_left_out_and_reported(head):
    extract = _extract(f"<div1><head>{head}</head><p>Haec.</p></div1><div1><p>Arma.</p></div1>")
    assert [passage.text for passage in extract.passages] == ["Arma."]
    assert list(map(str, extract.remarks)) == [f"the editor's preface '{head}' left out"]


@pytest.mark.parametrize(
    "mark", ["type='translation'", "subtype='index'", "n='sigla'", "type='commentary'"]
)
def test_divisions_that_are_not_the_text_are_left_out(mark):
    assert _text(f"<div {mark}><p>Arms I sing.</p></div><div><p>Arma.</p></div>") == "Arma."


def test_where_works_are_marked_only_they_are_read():
    inside = "<div n='1'><p>Praefatio.</p><div subtype='work'><p>Arma.</p></div></div>"
    assert _text(inside) == "Arma."


def test_divisions_nest_to_loci():
    inside = "<div n='3'><p>Arma.</p></div><div n='4'><p>Cano.</p></div>"
    inside = f"<div n='1'><div n='2'>{inside}</div></div>"
    assert _passages(inside) == [("1.2.3", "Arma."), ("1.2.4", "Cano.")]


def test_lines_without_number_continue_the_count():
    inside = "<div n='1'><l>a</l><l n='5'>b</l><l>c</l></div><div n='2'><l>d</l></div>"
    assert _passages(inside) == [("1.1", "a"), ("1.5", "b"), ("1.6", "c"), ("2.1", "d")]


def test_lines_without_number_or_division_are_counted_from_one():
    assert _passages("<l>a</l><l>b</l>") == [("1", "a"), ("2", "b")]


def test_lines_after_a_paragraph_are_verse_again():
    assert _passages("<div n='1'><p>a</p><l n='1'>b</l></div>") == [("1", "a"), ("1.1", "b")]


def test_lines_in_a_text_numbered_by_columns_have_the_column_for_locus():
    inside = "<pb n='0111A'/><l n='1'>a</l><pb n='0111B'/><l n='2'>b</l><pb n='0111C'/>"
    assert _passages(inside) == [("0111a", "a"), ("0111b", "b")]


def test_a_line_shared_by_speakers_is_one_passage():
    inside = "<l n='1' part='I'>Quis</l><l part='F'>abit?</l><l>Ego.</l>"
    assert _passages(inside) == [("1", "Quis abit?"), ("2", "Ego.")]


def test_line_numbers_need_not_be_numbers():
    assert _passages("<l n='12a'>a</l><l n='13 b'>b</l>") == [("12a", "a"), ("13_b", "b")]


def test_milestones_number_sections():
    inside = "<p>Ante. <milestone unit='section' n='1'/>Arma <milestone unit='page' n='9'/> a. "
    inside += "<milestone unit='section' n='2'/>Cano.</p>"
    assert _passages(inside) == [("pr", "Ante."), ("1", "Arma a."), ("2", "Cano.")]


def test_paragraphs_number_where_nothing_below_them_does():
    inside = "<div n='1'><div><p n='1'>Arma.</p><p n='2'>Cano.</p></div></div>"
    assert _passages(inside) == [("1.1", "Arma."), ("1.2", "Cano.")]


def test_columns_number_the_patrologia():
    inside = "<div1><head>EPISTOLA</head><p><pb n='0111A'/>Arma <pb n='0111B'/>uirum. Ca"
    inside += "no <pb n='0111C'/>Troiae.</p></div1>"
    assert _passages(inside) == [("0111a", "Arma"), ("0111b", "uirum. Cano"), ("0111c", "Troiae.")]


def test_the_unmarked_first_chapter_is_numbered():
    inside = "<div1><head>LIBER PRIMUS.</head><p>Arma.</p>"
    inside += (
        "<div3><head>2.</head><p>Uirum.</p></div3><div3><head>3.</head><p>Cano.</p></div3></div1>"
    )
    assert _passages(inside) == [("1.1", "Arma."), ("1.2", "Uirum."), ("1.3", "Cano.")]


def test_text_between_divisions_is_not_lost():
    inside = "<div n='1'>Ante <div n='2'><p>Arma.</p></div> post.</div>"
    assert _passages(inside) == [("1", "Ante"), ("1.2", "Arma."), ("1", "post.")]


def test_a_text_is_verse_if_most_letters_are_in_lines():
    assert _extract("<head>I</head><l>Arma uirumque</l><p>fin</p>").verse
    assert not _extract("<p>Arma uirumque cano</p><lg><l>a</l></lg>").verse
    assert not _extract("<p>Arma <quote><l>uirumque cano</l></quote></p>").verse


def test_passages_know_their_lines_in_the_file():
    extract = _extract("\n<div n='1'>\n<l>Arma</l>\n<l>cano</l></div>\n<div n='2'>\n<p>a</p></div>")
    assert [passage.row for passage in extract.passages] == [3, 4, 6]


def test_elements_without_letters_make_no_passage():
    assert _passages("<l n='1'>* * *</l><l n='2'/><l n='3'>arma</l>") == [("3", "arma")]


def test_old_files_without_namespace_are_read_alike():
    root = etree.fromstring(
        "<TEI.2><text><body><div1 n='1'><p>Arma.</p></div1></body></text></TEI.2>"
    )
    assert [(p.locus, p.text) for p in extract_passages(root).passages] == [("1", "Arma.")]


def test_several_bodies_are_read_one_after_the_other():
    root = etree.fromstring("<x><body><p>Arma.</p></body><body><p>Cano.</p></body></x>")
    assert [passage.text for passage in extract_passages(root).passages] == ["Arma.", "Cano."]


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["arma", "Uirum", "a.", "—"]), SPACES), min_size=1))
def test_spaces_breaks_and_notes_between_words_are_one_space(pieces):
    words = [word for word, _ in pieces]
    inside = "".join(word + space for word, space in pieces)
    assert [passage.text for passage in _extract(f"<p>a {inside}</p>").passages] == [
        " ".join(["a", *words])
    ]


@pytest.mark.parametrize(
    "inside",
    [
        "<div n='1'><div><p n='1 a'>Arma.</p></div></div>",
        "<p><pb n='0111A'/><pb n='0111B'/><pb n='0111C'/><pb n='0111 D'/>Arma.</p>",
        "<div n='1\u00a0a'><p>Arma.</p></div>",
    ],
)
def test_no_locus_contains_a_space(inside):
    [(locus, _)] = _passages(inside)
    assert "".join(locus.split()) == locus


def test_milestones_number_sections_below_numbered_books():
    inside = "<div1 type='book' n='1'><p><milestone unit='section' n='1'/>Arma. "
    inside += "<milestone unit='section' n='2'/>Cano.</p></div1>"
    assert _passages(inside) == [("1.1", "Arma."), ("1.2", "Cano.")]


def test_a_variant_reading_leaves_no_double_space():
    assert _text("<p>Arma [Al. armis] cano.</p>") == "Arma cano."


def test_milestones_of_chapters_and_sections_number_together():
    inside = "<p><milestone unit='chapter' n='1'/><milestone unit='section' n='1'/>Arma. "
    inside += "<milestone unit='chapter' n='2'/><milestone unit='section' n='1'/>Cano.</p>"
    assert _passages(inside) == [("1.1", "Arma."), ("2.1", "Cano.")]


def test_the_last_section_of_a_chapter_does_not_run_into_the_next_chapter():
    inside = "<div1><head>CAPUT I.</head><p><milestone unit='section' n='5'/>Arma.</p></div1>"
    inside += "<div1><head>CAPUT II.</head><p>Cano.</p></div1>"
    assert _passages(inside)[1][0] != "2.5"
