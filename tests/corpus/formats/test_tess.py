import pytest

from locisimiles.corpus.formats.tess import looks_like_tess
from locisimiles.errors import EmptyInputError, MalformedInputError

AENEID = (
    "<verg. aen. 1.1>\tArma virumque cano, Troiae qui primus ab oris\n"
    "<verg. aen. 1.2>\tItaliam, fato profugus, Laviniaque venit\r\n"
    "<verg. aen. 1.3>   litora.  Multum ille\n"
)


@pytest.mark.parametrize(
    "text",
    ["<verg. aen. 1.1>\tArma", "\n  <lucan. 1.1> Bella", "x<lucan. 1.1> Bella", "<12> Bella"],
)
def test_a_tesserae_text_is_recognised_by_its_first_line(text):
    assert looks_like_tess(text)


@pytest.mark.parametrize("text", ["<lucan. 1.1>", "<lucan.> Bella", "<TEI>", "Arma uirumque", ""])
def test_other_first_lines_are_not_tesserae_loci(text):
    assert not looks_like_tess(text)


def test_lines_are_joined_into_sentences_with_the_benchmarks_ids(read):
    document = read("tess", AENEID)
    assert document.ids == ("verg. aen. 1.1.1", "verg. aen. 1.3.1")
    assert document.texts == (
        (
            "Arma virumque cano, Troiae qui primus ab oris / "
            "Italiam, fato profugus, Laviniaque venit / litora."
        ),
        "Multum ille",
    )
    assert document.loci == ("1.1-1.3", "1.3")


def test_a_known_work_gets_what_the_catalogue_knows(read):
    segment = read("tess", "<verg. g. 1.1>\tQuid faciat laetas segetes.\n")[0]
    assert (segment.id, segment.author, segment.work) == (
        "verg. georg. 1.1.1",
        "Virgil",
        "Georgica",
    )
    assert segment.meta == {
        "genre": "verse",
        "year": "-29",
        "edition": "tesserae",
        "urn": "urn:cts:latinLit:phi0690.phi002:1.1",
    }


def test_the_file_name_resolves_ambiguous_tags(read):
    data = "<cic. ac. 1> Abeo.\n"
    assert read("tess", data, "cicero.lucullus.tess").ids == ("cic. ac. 2.1.1",)
    assert read("tess", data, "other.tess")[0].author == ""


def test_the_colon_rule_of_the_catalogue_is_followed(read):
    data = "<{0} 1.1> sic fatur lacrimans:\n<{0} 1.2> abeo.\n"
    assert read("tess", data.format("verg. aen.")).loci == ("1.1", "1.2")
    assert read("tess", data.format("ov. met.")).loci == ("1.1-1.2",)
    assert read("tess", data.format("ov. met."), colon="line-end").loci == ("1.1", "1.2")


def test_a_line_without_locus_continues_the_one_before_and_is_reported(read):
    document = read("tess", "<cic. off. 1.1> Quamquam te,\n\nMarce fili.\n<cic. off. 1.2> Abeo.\n")
    assert document.texts == ("Quamquam te, Marce fili.", "Abeo.")
    assert document.report.messages() == [
        "text.tess: row 3 has no locus, read as part of the row before it"
    ]


def test_stray_letters_before_a_locus_are_left_out_and_reported(read):
    document = read("tess", "<cic. off. 1.1> Abeo.\nxx<cic. off. 1.2> Redeo.\n")
    assert document.texts == ("Abeo.", "Redeo.")
    assert document.report.messages() == ["text.tess: row 2: 'xx' before the locus left out"]


def test_a_locus_without_text_is_skipped_and_reported(read):
    document = read("tess", "<cic. off. 1.1>\n<cic. off. 1.2> \n<cic. off. 1.3> Redeo.\n")
    assert document.loci == ("1.3",)
    assert document.report.messages() == [
        "text.tess: 2 rows skipped, no text follows the locus (rows 1, 2)"
    ]


def test_a_file_that_does_not_begin_with_a_locus_is_refused(read):
    with pytest.raises(MalformedInputError) as caught:
        read("tess", "\nArma\n<verg. aen. 1.1> Arma\n")
    assert str(caught.value) == (
        "text.tess, row 2: the line has no locus; lines of a .tess file begin with <work locus>"
    )


@pytest.mark.parametrize("data", ["<verg. aen. 1.1>\n", "<verg. aen. 1.1> 12 ...\n"])
def test_a_file_without_words_is_an_error(read, data):
    with pytest.raises(EmptyInputError, match=r"text\.tess: there is no text in this file"):
        read("tess", data)


def test_fragments_are_a_part_of_the_work_they_belong_to(read):
    data = "<cic. rep. 1.1> Abeo.\n<cic. rep. 1.2> Redeo.\n<cic. rep. fr. 4> Maneo.\n"
    document = read("tess", data)
    assert document.ids == ("cic. rep. 1.1.1", "cic. rep. 1.2.1", "cic. rep. fr.4.1")
    assert document.loci == ("1.1", "1.2", "fr.4")


def test_fragments_keep_their_place_among_the_lines(read):
    data = "<cic. rep. fr. 4> Maneo.\n<cic. rep. 1.1> Abeo.\n<cic. rep. fr. 5> Redeo.\n"
    assert read("tess", data).loci == ("fr.4", "1.1", "fr.5")


def test_several_works_in_a_file_stay_apart(read):
    data = "<verg. aen. 1.1> Arma\n<lucan. 1.1> Bella.\n<verg. aen. 1.2> cano.\n"
    document = read("tess", data, "vergil.aeneid.tess")
    assert document.ids == ("verg. aen. 1.1.1", "lucan. 1.1.1")
    assert document.texts == ("Arma / cano.", "Bella.")


def test_spaces_in_a_locus_become_underscores(read):
    assert read("tess", "<cic. att. 1 praef.> Abeo.\n").loci == ("1_praef.",)


def test_spaces_around_a_tag_are_ignored(read):
    assert read("tess", "< Verg.  aen.\t1.1 > Arma.\n").ids == ("verg. aen. 1.1.1",)


def test_an_unknown_work_keeps_its_tag(read):
    document = read("tess", "<Naev. Pun. 35> Quid si hoc potis est\n<Naev. Pun. 36> ut taceas?\n")
    assert document.ids == ("naev. pun. 35.1",)
    assert document[0].meta == {}


@pytest.mark.parametrize(
    ("lines", "separator"),
    [
        (["arma uirumque cano", "Troiae qui primus", "ab oris uenit."], " / "),
        (["Quo usque tandem abutere, Catilina, patientia nostra, " * 2, "o mores."], " "),
    ],
)
def test_an_unknown_work_of_short_open_lines_is_verse(read, lines, separator):
    data = "".join(f"<nemo. 1.{n}> {line}\n" for n, line in enumerate(lines, start=1))
    assert read("tess", data).texts == (separator.join(line.strip() for line in lines),)


def test_an_unknown_work_of_short_closed_lines_is_prose(read):
    data = "<nemo. 1.1> Abeo.\n<nemo. 1.2> Redeo.\n<nemo. 2.1> Maneo, et\n<nemo. 3.1> sto.\n"
    assert read("tess", data).texts == ("Abeo.", "Redeo.", "Maneo, et sto.")


def test_marks_are_where_lines_begin(read):
    segment = read("tess", AENEID)[0]
    words = [segment.text[mark.offset :].split()[0] for mark in segment.loci]
    assert words == ["Arma", "Italiam,", "litora."]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252", "utf-16"])
def test_common_encodings_are_read(read, encoding):
    assert read("tess", "<nemo. 1> aër.\n".encode(encoding)).texts == ("aër.",)


def test_a_subdivision_of_two_words_has_a_locus_without_spaces(read):
    data = "<cic. rep. 1.1> Abeo.\n<cic. rep. 1.2> Redeo.\n<cic. rep. fr. inc. 4> Maneo.\n"
    document = read("tess", data)
    assert " " not in document.loci[2]
    assert document[2].loci == ((document.loci[2], 0),)


def test_old_line_ends_are_understood(read):
    data = "<lucan. 1.1> Bella per\r<lucan. 1.2> Emathios.\r"
    assert read("tess", data).texts == ("Bella per / Emathios.",)


def test_a_line_without_locus_belongs_to_the_locus_just_before_it(read):
    data = "<lucan. 1.1> Bella per Emathios.\n<lucan. 1.2>\nIusque datum.\n"
    assert read("tess", data).loci == ("1.1", "1.2")


def test_a_tag_without_a_number_makes_a_tidy_id(read):
    assert " ." not in read("tess", "<nemo. 1.1> Abeo.\n<praefatio> Redeo.\n").ids[1]
