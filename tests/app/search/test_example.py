"""The example that the tour shows."""

import pytest

from locisimiles.app.projects.inputs import remove_input
from locisimiles.app.search.example import searched_example
from locisimiles.app.search.status import cancel_search, request_search, search_status


class Started:
    """Takes searches, and lets them wait."""

    def __init__(self):
        self.numbers = []

    def start(self, project, parameters):
        self.numbers.append(request_search(project, parameters))


@pytest.fixture
def jobs():
    return Started()


def test_it_is_made_and_searched_once(projects, jobs):
    made = searched_example(projects, jobs, "Example")
    assert made.texts.count("query") == 42
    again = searched_example(projects, jobs, "Beispiel")
    assert again.id == made.id
    assert len(projects.all()) == len(jobs.numbers) == 1


def test_a_search_that_was_stopped_is_made_again(projects, jobs):
    made = searched_example(projects, jobs, "Example")
    cancel_search(made)
    searched_example(projects, jobs, "Example")
    assert len(jobs.numbers) == 2
    assert search_status(made).is_busy


def test_a_project_with_other_texts_is_no_example(projects, jobs):
    made = searched_example(projects, jobs, "Example")
    cancel_search(made)
    remove_input(made, "source", "example-source.csv")
    assert searched_example(projects, jobs, "Example").id != made.id
