"""The projects of a user."""

import re

import pytest

from locisimiles import InputError, ParameterError
from locisimiles.app.projects.collection import ProjectCollection

SQL = ['x"; DROP SCHEMA locisimiles CASCADE; --', "'; DELETE FROM setting; --", "%s", "?"]


def test_projects_are_listed_with_their_titles(projects):
    projects.create("Épîtres de Jérôme")
    assert [(entry.id, entry.title) for entry in projects.all()] == [
        ("epitres-de-jerome", "Épîtres de Jérôme")
    ]


@pytest.mark.parametrize("title", ["", "   ", "../../etc", "λόγος", "x" * 500, "<script>", *SQL])
def test_any_title_makes_a_project_with_a_harmless_id(projects, title):
    project = projects.create(title)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", project.id)
    assert projects.open(project.id).title == (title.strip()[:200] or "Project")


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", "A", "a.sqlite", "a\x00", "-", *SQL])
def test_ids_that_are_paths_or_sql_are_unknown(projects, name):
    with pytest.raises(InputError, match="unknown project"):
        projects.open(name)


def test_users_do_not_see_each_other(storage):
    ProjectCollection(storage, "ann").create("mine")
    assert ProjectCollection(storage, "bob").all() == []
    assert ProjectCollection(storage).all() == []
    with pytest.raises(InputError, match="unknown project"):
        ProjectCollection(storage, "bob").open("mine")


def test_projects_of_one_name_are_told_apart(storage):
    for user in ("ann", "bob"):
        for title in ("Mine", "mine!"):
            ProjectCollection(storage, user).create(title)
    assert {e.id: e.title for e in ProjectCollection(storage, "ann").all()} == {
        "mine": "Mine", "mine-2": "mine!",
    }  # fmt: skip


@pytest.mark.parametrize("user", ["..", "a/b", "Ann ", *SQL])
def test_user_names_are_neither_paths_nor_sql(storage, user):
    with pytest.raises(ParameterError, match="cannot be the name"):
        ProjectCollection(storage, user)


def test_the_last_project_used_comes_first(projects):
    for title in ("a", "b"):
        projects.create(title)
    projects.open("a").set_setting("colour", "red")
    assert [entry.id for entry in projects.all()] == ["a", "b"]


def test_a_deleted_project_is_gone_for_those_who_have_it_open(projects):
    project, other = projects.create("gone"), projects.create("other")
    assert project.exists()
    projects.delete("gone")
    assert not project.exists()
    assert other.exists()
    assert [entry.id for entry in projects.all()] == ["other"]
    with pytest.raises(InputError, match="unknown project"):
        projects.open("gone")


def test_a_deleted_project_leaves_no_file(tmp_path):
    ProjectCollection(tmp_path).create("gone")
    ProjectCollection(tmp_path).delete("gone")
    assert list(tmp_path.iterdir()) == []


def test_a_foreign_file_is_left_out_of_the_list(tmp_path):
    (tmp_path / "foreign.sqlite").write_bytes(b"not ours" * 1000)
    ProjectCollection(tmp_path).create("ours")
    assert [entry.id for entry in ProjectCollection(tmp_path).all()] == ["ours"]
