"""The folder of projects."""

import pytest

from locisimiles import InputError, ParameterError
from locisimiles.app.projects import Projects


def test_projects_are_listed_with_their_titles(projects):
    projects.create("Épîtres de Jérôme")
    assert [(entry.id, entry.title) for entry in projects.all()] == [
        ("epitres-de-jerome", "Épîtres de Jérôme")
    ]


@pytest.mark.parametrize("title", ["", "   ", "../../etc", "λόγος", "x" * 500, "<script>"])
def test_any_title_makes_a_project_inside_the_folder(projects, title):
    project = projects.create(title)
    assert project.path.parent == projects.folder
    assert projects.open(project.id).title == (title.strip()[:200] or "Project")


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", "A", "a.sqlite", "a\x00", "-"])
def test_ids_that_could_climb_out_are_no_projects(projects, name):
    with pytest.raises(InputError, match="no such project"):
        projects.open(name)


def test_users_do_not_see_each_other(tmp_path):
    Projects(tmp_path, "ann").create("mine")
    assert Projects(tmp_path, "bob").all() == []
    assert Projects(tmp_path).all() == []


@pytest.mark.parametrize("user", ["..", "a/b", "Ann "])
def test_a_user_is_no_path(tmp_path, user):
    with pytest.raises(ParameterError, match="cannot be the name"):
        Projects(tmp_path, user)


def test_a_deleted_project_leaves_nothing(projects):
    project = projects.create("gone")
    projects.delete("gone")
    assert list(project.path.parent.iterdir()) == []


def test_a_foreign_file_is_left_out_of_the_list(projects):
    (projects.folder / "foreign.sqlite").write_bytes(b"not ours" * 1000)
    projects.create("ours")
    assert [entry.id for entry in projects.all()] == ["ours"]
