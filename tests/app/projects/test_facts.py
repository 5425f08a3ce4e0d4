"""What users say about their files."""

import io
import zipfile

import pytest

from locisimiles import InputError, ParameterError, ReadOptions
from locisimiles.app.projects.facts import TextFacts, facts_of, read_year
from locisimiles.app.projects.inputs import (
    add_file,
    paste_text,
    remove_input,
    set_facts,
    set_reading_options,
)
from locisimiles.corpus.library.dates import years_of

TEXT = b"haesit uox faucibus.\nomnia tuta timeo.\n"
JEROME = TextFacts("Jerome", "Epistulae", 414)


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("19 BC", -19), ("19 b.c.", -19), ("19 BCE", -19), ("19 a.C.", -19), ("19 a. C.", -19),
        ("19 av. J.-C.", -19), ("19 v.Chr.", -19), ("−19", -19), ("96 d.C.", 96), ("AD 96", 96),
        ("A.D. 96", 96), ("96 n. Chr.", 96), ("96 CE", 96), ("96 apr. J.-C.", 96), ("um 400", 400),
    ],
)  # fmt: skip
def test_years_are_read_as_scholars_write_them(text, year):
    assert read_year(text) == year


@pytest.mark.parametrize("text", ["Augustan", "12345", "AD 96 BC", "19 20", "1.5"])
def test_what_is_no_year_is_an_error(text):
    with pytest.raises(ParameterError, match="no year"):
        read_year(text)


def test_facts_reach_the_segments_and_their_years(project):
    add_file(project, "query", "a.txt", TEXT, JEROME)
    add_file(project, "query", "b.txt", b"arma uirumque cano.\n")
    document = project.document("query")
    assert document.authors == ("Jerome", "Jerome", "")
    assert document.works == ("Epistulae", "Epistulae", "")
    assert years_of(document).tolist() == [414.0, 414.0, float("inf")]


def test_the_catalogue_gives_the_year_that_nobody_entered(project):
    add_file(project, "source", "a.txt", TEXT, TextFacts("Virgil", "Aeneis"))
    assert project.document("source").meta["year"] == ("-19", "-19")


@pytest.mark.parametrize(
    ("author", "work"), [("Vergil", "Aeneid"), ("Virgile", "Énéide"), ("P. Vergilius Maro", "Aen.")]
)
def test_the_catalogue_knows_author_and_work_by_all_their_names(project, author, work):
    add_file(project, "source", "a.txt", TEXT, TextFacts(author, work))
    assert project.document("source").meta["year"] == ("-19", "-19")


def test_facts_can_be_entered_later_and_withdrawn(project):
    add_file(project, "query", "a.txt", TEXT)
    set_facts(project, "query", "a.txt", JEROME)
    set_reading_options(project, ReadOptions(segmentation="sentences"))
    assert project.document("query")[0].author == "Jerome"
    set_facts(project, "query", "a.txt", TextFacts())
    assert project.document("query")[0].author == ""
    assert facts_of(project, "query") == {}


def test_facts_of_a_removed_file_are_forgotten_and_those_of_a_replaced_one_kept(project):
    add_file(project, "query", "a.txt", TEXT, JEROME)
    add_file(project, "query", "a.txt", b"arma uirumque cano.\n")
    assert project.document("query")[0].author == "Jerome"
    remove_input(project, "query", "a.txt")
    add_file(project, "query", "a.txt", TEXT)
    assert project.document("query")[0].author == ""


def test_facts_of_a_zip_file_are_those_of_its_files(project):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("one.txt", TEXT)
        archive.writestr("two.txt", TEXT)
    add_file(project, "query", "all.zip", stream.getvalue(), JEROME)
    assert set(project.document("query").authors) == {"Jerome"}


def test_a_file_that_cannot_be_read_changes_no_facts(project):
    add_file(project, "query", "a.txt", TEXT)
    with pytest.raises(InputError):
        add_file(project, "query", "a.txt", b"", JEROME)
    assert facts_of(project, "query") == {}


def test_a_pasted_text_is_called_by_author_and_work_and_replaces_none(project):
    paste_text(project, "query", "arma uirumque cano.", TextFacts("A/B", "c:\\d"), "Pasted")
    for _ in range(2):
        paste_text(project, "query", "haesit uox.", TextFacts(), "Pasted text")
    names = [one.name for one in project.texts.inputs("query")]
    assert names == ["A B, c d.txt", "Pasted text.txt", "Pasted text 2.txt"]
    assert project.document("query")[0].author == "A/B"
