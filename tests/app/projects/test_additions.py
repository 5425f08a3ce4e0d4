"""Texts of the library, downloaded and added in the background."""

import pytest

from locisimiles import LibraryError
from locisimiles.app.projects import additions as module
from locisimiles.app.projects import inputs
from locisimiles.app.projects.additions import Additions
from locisimiles.corpus.library import Library

pytestmark = pytest.mark.usefixtures("mirror")

NAMES = ["vergil.eclogues@tesserae", "vergil.georgics@tesserae", "vergil.aeneid@tesserae"]


def names(project):
    return [one.name for one in project.texts.inputs("source", contents=False)]


def add(project, *wanted):
    addition = Additions().start(project, "source", wanted)
    addition.wait(30)
    assert not addition.is_busy
    return addition


def test_missing_texts_are_downloaded_and_all_are_added_with_one_reading(
    project, mirror, monkeypatch
):
    read, readings = inputs._read, []
    monkeypatch.setattr(inputs, "_read", lambda *given: (readings.append(1), read(*given))[1])
    addition = add(project, "vergil")
    assert (addition.phase, addition.added, addition.share) == ("done", 3, 1)
    assert {one.state for one in addition.texts} == {"here"}
    assert names(project) == NAMES
    assert len(readings) == 1
    assert len(mirror.server.asked) == 3
    assert project.texts.count("source") > 0


def test_installed_texts_are_added_before_the_others_are_downloaded(project, mirror):
    Library().add("lucan")
    mirror.held.add("horace.odes")
    addition = Additions().start(project, "source", ["horace", "lucan"])
    assert mirror.reached.wait(20)
    assert names(project) == ["lucan.bellum_civile@tesserae"]
    (text,) = addition.downloads
    assert (addition.phase, text.title, text.state) == ("downloading", "Carmina", "downloading")
    mirror.release.set()
    addition.wait(30)
    assert (addition.added, len(names(project))) == (2, 2)


def test_a_changed_file_does_not_keep_the_rest_from_being_added(project, mirror):
    mirror.spoilt.add("vergil.georgics")
    addition = add(project, "vergil")
    (failed,) = addition.failed
    assert (failed.name, failed.problem.code) == (NAMES[1], "corpus.other_content")
    assert names(project) == [NAMES[0], NAMES[2]]
    assert (addition.added, addition.phase, addition.share) == (2, "done", 1)


def test_without_internet_one_attempt_is_enough_and_installed_texts_are_added(project, mirror):
    Library().add("lucan")
    mirror.server.stop()
    addition = add(project, "vergil", "lucan")
    assert [one.problem.code for one in addition.failed] == ["corpus.unreachable"] * 3
    assert len({id(one.problem) for one in addition.failed}) == 1
    assert names(project) == ["lucan.bellum_civile@tesserae"]


def test_a_text_without_an_address_says_so(project, monkeypatch):
    monkeypatch.delenv("LOCISIMILES_MIRROR")
    (failed,) = add(project, "cicero").failed
    assert failed.problem.text(commands=False) == (
        "cicero.in_catilinam.tess cannot be downloaded from The Latin Library"
    )


def test_errors_name_no_folder_of_the_server(project, tmp_path):
    root = tmp_path / "data" / "library"
    root.parent.mkdir()
    root.write_bytes(b"")
    (failed,) = add(project, "lucan").failed
    assert failed.problem.code == "files.unwritable"
    assert str(root / "x") not in str(failed.problem)


def test_stopping_adds_nothing_more_and_keeps_what_is_downloaded(project, mirror):
    mirror.held.add("vergil.georgics")
    addition = Additions().start(project, "source", ["vergil"])
    assert mirror.reached.wait(20)
    addition.stop()
    assert (addition.phase, addition.is_busy) == ("stopped", False)
    assert [one.state for one in addition.texts] == ["here", "stopped", "stopped"]
    mirror.release.set()
    addition.wait(30)
    assert [one.state for one in addition.texts] == ["here", "stopped", "stopped"]
    assert names(project) == []
    library = Library()
    assert [library.is_installed(text) for text in library.catalogue.find("vergil")] == [
        True, False, False,
    ]  # fmt: skip


def test_two_users_download_the_same_texts_at_once(projects):
    both = [projects.create("A"), projects.create("B")]
    shared = Additions()
    started = [shared.start(project, "source", ["vergil"]) for project in both]
    for addition in started:
        addition.wait(30)
    assert [addition.failed for addition in started] == [[], []]
    assert [names(project) for project in both] == [NAMES, NAMES]
    assert not list((Library().root / "tesserae").glob("*.part"))


def test_an_unknown_name_is_an_error_before_anything_is_done(project, mirror):
    additions = Additions()
    with pytest.raises(LibraryError):
        additions.start(project, "source", ["vergil", "nemo"])
    assert additions.of(project, "source") == []
    assert mirror.server.asked == []


def test_additions_are_known_by_side_until_they_are_dismissed(project):
    additions = Additions()
    addition = additions.start(project, "source", ["lucan"])
    addition.wait(30)
    assert additions.of(project, "source") == [addition]
    assert additions.of(project, "query") == []
    additions.dismiss(project, addition)
    assert additions.of(project, "source") == []


def test_what_went_well_is_forgotten_with_the_next_addition(project, mirror):
    mirror.spoilt.add("vergil.georgics")
    additions = Additions()
    started = []
    for name in ("vergil", "lucan", "horace"):
        started.append(additions.start(project, "source", [name]))
        started[-1].wait(30)
    assert [one.went_well for one in started] == [False, True, True]
    assert additions.of(project, "source") == [started[0], started[2]]


def test_what_nobody_expected_is_told_and_ends_the_addition(project, monkeypatch, caplog):
    def broken(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(module, "add_library_texts", broken)
    addition = add(project, "lucan")
    assert (addition.phase, addition.problem.code) == ("done", "app.unexpected")
    assert "ZeroDivisionError" in caplog.text


def test_closing_the_app_stops_downloads(project, mirror):
    mirror.held.add("lucan.bellum_civile")
    additions = Additions()
    addition = additions.start(project, "source", ["lucan"])
    assert mirror.reached.wait(20)
    additions.close()
    assert addition.phase == "stopped"
    mirror.release.set()
    addition.wait(30)
