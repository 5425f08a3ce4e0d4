"""Works of the library, listed and chosen."""

import pytest

from locisimiles.app.projects.library_choice import LibraryChoice
from locisimiles.app.projects.library_list import LibraryFilter, by_author, list_works, shown_name
from locisimiles.app.projects.periods import Period
from locisimiles.corpus.library import Library


@pytest.fixture(autouse=True)
def empty_library(tmp_path, monkeypatch):
    """Have nothing installed, and no other place for downloads."""
    monkeypatch.setenv("LOCISIMILES_DATA", str(tmp_path))
    monkeypatch.delenv("LOCISIMILES_MIRROR", raising=False)


def names(**wanted):
    return [work.name for work in list_works(LibraryFilter(**wanted))]


@pytest.mark.parametrize(
    "words", ["Aeneid Virgil", "Énéide", "Verg. Aen.", "äneis", "virgilio eneide"]
)
def test_works_are_found_by_all_their_names(words):
    assert names(words=words) == ["vergil.aeneid"]


def test_works_are_filtered_by_author_genre_and_date():
    assert names(author="vergil") == ["vergil.eclogues", "vergil.georgics", "vergil.aeneid"]
    verse = list_works(LibraryFilter(genre="verse", period=Period(-40, -20)))
    assert {work.genre for work in verse} == {"verse"}
    assert all(work.year is None or -40 <= work.year <= -20 for work in verse)
    assert 0 < len(verse) < len(names(genre="verse")) < len(names())
    assert names(installed=True) == []


def test_works_stand_together_by_author():
    works = list_works()
    assert [work for group in by_author(works).values() for work in group] == works
    assert len(by_author(works)) == len({work.author for work in works})


def install(name):
    library = Library()
    (text,) = library.catalogue.find(name)
    for edition in text.files:
        path = library.path_of(edition)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as stream:
            stream.truncate(edition.size)


def test_the_edition_is_one_that_is_here_or_else_one_that_can_be_downloaded():
    (aeneid,) = list_works(LibraryFilter(words="vergil aeneid"))
    assert (aeneid.edition.name, aeneid.is_installed) == ("vergil.aeneid@perseus", False)
    install("vergil.aeneid@tesserae")
    (aeneid,) = list_works(LibraryFilter(words="vergil aeneid", installed=True))
    assert (aeneid.edition.name, aeneid.is_installed) == ("vergil.aeneid@tesserae", True)


def test_texts_without_an_address_cannot_be_chosen_until_they_are_here():
    choice = LibraryChoice()
    choice.narrow(words="legibus")
    choice.choose_listed()
    assert choice.chosen == {}
    install("cicero.de_legibus")
    choice.refresh()
    choice.choose_listed()
    assert list(choice.chosen) == ["cicero.de_legibus"]


def test_choices_survive_filters_and_can_be_withdrawn():
    choice = LibraryChoice()
    choice.narrow(words="vergil")
    choice.choose_author("vergil", chosen=True)
    choice.narrow(words="odes")
    choice.choose("horace.odes", chosen=True)
    choice.choose_edition("vergil.aeneid", "vergil.aeneid@tesserae")
    choice.choose_edition("vergil.aeneid", "horace.odes@tesserae")
    assert [work.name for work in choice.works] == [
        "horace.odes", "vergil.eclogues", "vergil.georgics", "vergil.aeneid",
    ]  # fmt: skip
    assert choice.chosen["vergil.aeneid"] == "vergil.aeneid@tesserae"
    choice.choose_author("vergil", chosen=False)
    assert len(choice.chosen) == 4, "only listed works are meant"
    choice.choose("vergil.aeneid", chosen=False)
    assert "vergil.aeneid" not in choice.chosen
    choice.clear()
    assert choice.works == []


def test_the_size_is_that_of_the_chosen_editions_that_are_missing():
    choice = LibraryChoice()
    for name in ("vergil.aeneid", "horace.odes"):
        choice.choose(name, chosen=True)
    sizes = {text.work.name: text.size for text in reversed(list(Library().catalogue))}
    assert choice.bytes_to_download == sizes["vergil.aeneid"] + sizes["horace.odes"]
    install("vergil.aeneid")
    choice.refresh()
    assert choice.bytes_to_download == sizes["horace.odes"]


def test_unknown_names_are_shown_as_they_are():
    assert shown_name("nobody.nothing") == "nobody.nothing"
