import pytest

from locisimiles.corpus import CtsUrn
from locisimiles.corpus.headers import recognise
from locisimiles.corpus.segmenter import Passage


@pytest.mark.parametrize(
    ("clue", "name"),
    [
        ({"stem": "vergil.aeneid"}, "vergil.aeneid"),
        ({"stem": "phi0690.phi003.perseus-lat2"}, "vergil.aeneid"),
        ({"tags": ("verg. aen.",)}, "vergil.aeneid"),
        ({"tags": ("VERG. AEN.",)}, "vergil.aeneid"),
        ({"tags": ("luc.",)}, "lucan.bellum_civile"),
        ({"tags": ("nobody", "HieStr.ConVig")}, "jerome.contra_vigilantium"),
        ({"urn": CtsUrn("latinLit", "phi0690.phi003", "x")}, "vergil.aeneid"),
        ({"stem": "letters", "urn": CtsUrn("latinLit", "stoa0162.stoa004")}, "jerome.epistulae"),
    ],
)
def test_a_work_is_recognised_by_file_name_tag_or_urn(clue, name):
    assert recognise(**clue).work.name == name


@pytest.mark.parametrize(
    "clue",
    [
        {},
        {"stem": "letters of my aunt"},
        {"tags": ("naev. pun.",)},
        {"urn": CtsUrn("latinLit", "phi9999.phi999")},
        {"tags": ("cic. ac.",)},
    ],
)
def test_unknown_and_ambiguous_works_are_not_guessed(clue):
    assert recognise(**clue) is None


def test_the_file_name_wins_over_tags_and_urn():
    clue = {"tags": ("lucan.",), "urn": CtsUrn("latinLit", "phi0917.phi001")}
    assert recognise(stem="vergil.aeneid", **clue).work.name == "vergil.aeneid"


def test_the_urn_wins_over_tags():
    urn = CtsUrn("latinLit", "phi0917.phi001")
    assert recognise(tags=("verg. aen.",), urn=urn).work.name == "lucan.bellum_civile"


def test_a_file_that_is_a_part_of_a_work_gets_the_loci_of_the_whole():
    known = recognise(stem="cicero.lucullus")
    passages = [Passage("1", "arma", 3), Passage("2", "cano", 4, begins_part=True)]
    assert list(known.prefixed(passages)) == [
        Passage("2.1", "arma", 3),
        Passage("2.2", "cano", 4, begins_part=True),
    ]


def test_a_file_that_is_a_whole_work_keeps_its_loci():
    passages = [Passage("1.1", "arma")]
    assert list(recognise(stem="vergil.aeneid").prefixed(passages)) == passages


def test_the_header_takes_the_urn_of_the_catalogue_where_the_file_has_none():
    known = recognise(tags=("verg. aen.",))
    assert known.header().urn == CtsUrn("latinLit", "phi0690.phi003")
    own = CtsUrn("latinLit", "phi0690.phi003", "perseus-lat2")
    assert known.header(urn=own).urn == own


def test_the_header_says_what_the_catalogue_knows():
    header = recognise(tags=("verg. g.",)).header(edition="tesserae")
    assert (header.abbreviation, header.author, header.title) == (
        "verg. georg.", "Virgil", "Georgica",
    )  # fmt: skip
    assert (header.verse, header.edition) == (True, "tesserae")
    assert header.meta == {"genre": "verse", "year": "-29"}


def test_a_work_without_urn_has_none():
    assert recognise(tags=("HieStr.ConVig",)).header().urn is None
