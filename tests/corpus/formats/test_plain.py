import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locisimiles.corpus.formats.running_text import guess_segmentation
from locisimiles.errors import EmptyInputError

LINES = "Haesit uox faucibus.\n\nOmnia tuta timeo.\nQuo tenditis?\n"
VERSE = (
    "Arma uirumque cano, Troiae qui primus ab oris\n"
    "Italiam, fato profugus, Lauiniaque uenit\n"
    "litora. Multum ille et terris iactatus et alto\n"
    "ui superum, saeuae memorem Iunonis ob iram.\n"
)
PROSE = (
    "Quo usque tandem abutere, Catilina, patientia nostra? quam diu etiam furor iste\n"
    "tuus nos eludet? quem ad finem sese effrenata iactabit audacia? Nihilne te noc-\n"
    "turnum praesidium Palati mouerunt?\n"
    "\n"
    "O tempora, o mores! Senatus haec intellegit.\n"
)


def test_each_line_can_be_a_segment(read):
    document = read("txt", LINES, "carmen.txt", segmentation="lines")
    assert document.ids == ("carmen 1", "carmen 3", "carmen 4")
    assert document.texts == ("Haesit uox faucibus.", "Omnia tuta timeo.", "Quo tenditis?")
    assert document.loci == ("1", "3", "4")


def test_lines_without_letters_are_not_segments(read):
    assert read("txt", "Arma.\n* * *\n12\nCano.\n", segmentation="lines").loci == ("1", "4")


def test_verse_is_joined_into_sentences(read):
    document = read("txt", VERSE, "carmen.txt", segmentation="verse")
    assert document.ids == ("carmen 1.1", "carmen 3.1")
    assert document.loci == ("1-3", "3-4")
    assert document.texts[1] == (
        "Multum ille et terris iactatus et alto / ui superum, saeuae memorem Iunonis ob iram."
    )


def test_empty_lines_do_not_count_as_verses(read):
    assert read("txt", "Arma\n\n\ncano.\n", segmentation="verse")[0].loci == (("1", 0), ("2", 7))


def test_prose_is_cut_into_sentences_paragraph_by_paragraph(read):
    document = read("txt", PROSE, "cat.txt", segmentation="sentences")
    assert document.ids == ("cat 1.1", "cat 1.2", "cat 1.3", "cat 1.4", "cat 2.1", "cat 2.2")
    assert document.texts[4:] == ("O tempora, o mores!", "Senatus haec intellegit.")


def test_words_broken_over_a_line_of_prose_are_mended(read):
    assert (
        "Nihilne te nocturnum praesidium" in read("txt", PROSE, segmentation="sentences").texts[3]
    )


def test_a_hyphen_before_a_capital_is_kept(read):
    assert read("txt", "Gallia Trans-\nAlpina.", segmentation="sentences").texts == (
        "Gallia Trans- Alpina.",
    )


def test_no_sentence_crosses_a_paragraph(read):
    assert read("txt", "titulus\n\nArma cano.", segmentation="sentences").texts == (
        "titulus",
        "Arma cano.",
    )


def test_bracketed_numbers_in_prose_are_loci_and_leave_the_text(read):
    data = "[1] Quo usque tandem? [2] Quam diu\nnos eludet? [3a] Nihil.\n\nO tempora! [4] O mores!"
    document = read("txt", data, "cat.txt", segmentation="sentences")
    assert document.ids == ("cat 1.1", "cat 2.1", "cat 3a.1", "cat 3a.2", "cat 4.1")
    assert document.texts == (
        "Quo usque tandem?", "Quam diu nos eludet?", "Nihil.", "O tempora!", "O mores!",
    )  # fmt: skip


def test_a_sentence_may_run_over_a_bracketed_number(read):
    [segment] = read(
        "txt", "[1] Quo usque [2] tandem abutere?", "cat.txt", segmentation="sentences"
    )
    assert (segment.text, segment.locus) == ("Quo usque tandem abutere?", "1-2")
    assert segment.loci == (("1", 0), ("2", 10))


def test_bracketed_words_and_long_numbers_stay(read):
    data = "Arma [uirum] cano [12345] Troiae."
    assert read("txt", data, segmentation="sentences").texts == (data,)


LONG = "Quo usque tandem abutere, Catilina, patientia nostra? " * 3


def test_long_lines_that_end_with_sentences_are_paragraphs(read):
    data = f"{LONG}Nihil agis.\n{LONG}O tempora!\n{LONG}Senatus haec intellegit.\n"
    document = read("txt", data, "cat.txt")
    assert list(document.loci) == ["1"] * 4 + ["2"] * 4 + ["3"] * 4


def test_wrapped_lines_are_no_paragraphs(read):
    data = "Quo usque tandem abutere, Catilina?\nQuam diu eludet?\nO tempora!\nO mores!\n"
    document = read("txt", data, "cat.txt", segmentation="sentences")
    assert set(document.loci) == {"1"}


def test_long_lines_that_end_within_sentences_are_one_paragraph(read):
    data = f"{LONG}nihil\nagis, {LONG}consul\nuidet, {LONG}O mores\n"
    assert set(read("txt", data, "cat.txt", segmentation="sentences").loci) == {"1"}


def test_paragraphs_without_a_word_are_skipped_and_reported(read):
    document = read("txt", "Arma.\n\n* * *\n\n17\n\nCano.", segmentation="sentences")
    assert document.texts == ("Arma.", "Cano.")
    assert document.report.messages() == [
        "text.txt: 2 rows skipped, it contains no word (rows 3, 5)"
    ]


@settings(deadline=None)
@given(st.lists(st.sampled_from([" ", "\n", "\r\n", " \n  "]), min_size=10, max_size=10))
def test_prose_may_be_wrapped_anywhere(read, gaps):
    words = "Quo usque tandem abutere, Catilina? Quam diu nos P. Galba eludet?".split()
    data = "".join(word + gap for word, gap in zip(words, [*gaps, ""], strict=True))
    assert read("txt", data, segmentation="sentences").texts == (
        "Quo usque tandem abutere, Catilina?",
        "Quam diu nos P. Galba eludet?",
    )


@pytest.mark.parametrize(
    ("data", "ids", "what"),
    [
        (LINES, 3, "each line read as one segment"),
        (VERSE, 2, "read as verse, lines joined into sentences"),
        (PROSE, 6, "read as running prose and cut into sentences"),
    ],
)
def test_the_kind_of_lines_is_guessed_and_reported(read, data, ids, what):
    document = read("txt", data)
    assert len(document) == ids
    assert document.report.messages() == [f"text.txt: plain text, {what} (--segmentation)"]


@pytest.mark.parametrize("segmentation", ["lines", "verse", "sentences"])
def test_a_chosen_segmentation_is_not_reported(read, segmentation):
    assert read("txt", VERSE, segmentation=segmentation).report.messages() == []


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_all_line_ends_are_understood(read, newline):
    document = read("txt", VERSE.replace("\n", newline), segmentation="verse")
    assert document.loci == ("1-3", "3-4")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_common_encodings_are_read(read, encoding):
    assert read("txt", "aër\n".encode(encoding), segmentation="lines").texts == ("aër",)


def test_a_work_of_the_catalogue_is_known_by_its_file_name(read):
    document = read("txt", VERSE, "texts/vergil.aeneid.txt")
    assert document.ids == ("verg. aen. 1.1", "verg. aen. 3.1")
    assert (document[0].author, document[0].work) == ("Virgil", "Aeneis")
    assert document.report.messages() == []


def test_a_file_of_the_catalogue_that_is_one_book_gets_the_loci_of_the_work(read):
    document = read("txt", "[1] Lucus quidem.", "latlib_cicero_de_legibus_2.txt")
    assert document.ids == ("cic. leg. 2.1.1",)


def test_the_catalogue_says_whether_a_colon_closes_a_verse(read):
    data = "sic fatur lacrimans:\nabeo.\n"
    assert read("txt", data, "vergil.aeneid.txt").loci == ("1", "2")
    assert read("txt", data, "ovid.metamorphoses.txt").loci == ("1-2",)
    assert read("txt", data, "vergil.aeneid.txt", colon="never").loci == ("1-2",)


@pytest.mark.parametrize("data", ["* * *\n", "12. 13.", "…"])
def test_a_file_without_a_letter_is_an_error(read, data):
    with pytest.raises(EmptyInputError, match=r"text\.txt: there is no text in this file"):
        read("txt", data)


@pytest.mark.parametrize(
    ("lines", "segmentation"),
    [
        (["Abeo.", "Redeo.", "", "Maneo."], "lines"),
        (["Abeo."], "sentences"),
        (["Abeo.", "Redeo.", "Maneo.", "Sto.", "non"], "lines"),
        (["Abeo.", "Redeo.", "Maneo.", "non"], "verse"),
        (["arma", "uirumque"], "verse"),
        (["arma", "cano"], "sentences"),
        (["arma uirumque cano Troiae " * 3, "qui primus ab oris"], "sentences"),
        (["Abeo. Redeo. " * 9, "Maneo. Sto. " * 9], "sentences"),
    ],
)
def test_the_guess_looks_at_sentences_and_lengths(lines, segmentation):
    assert guess_segmentation(lines) == segmentation
