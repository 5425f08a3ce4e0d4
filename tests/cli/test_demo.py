"""``locisimiles demo``."""

import re

import pytest
from typer.testing import CliRunner

from locisimiles import load_example_ground_truth
from locisimiles.cli import app


def demo(*arguments):
    done = CliRunner().invoke(app, ["demo", *arguments])
    assert done.exit_code == 0
    header, *rows = (line.split("\t") for line in done.stdout.splitlines())
    assert header == [
        "query", "first hit", "known reference", "type", "rank", "probability",
    ]  # fmt: skip
    return rows, done.stderr


@pytest.fixture(scope="module")
def shown():
    return demo()


def test_there_is_a_row_for_every_known_reference(shown):
    rows, _ = shown
    assert [(row[2], row[3]) for row in rows] == [
        (known.source_id, f"{known.label}.") for known in load_example_ground_truth()
    ]


def test_the_first_row_is_the_example_of_the_paper(shown):
    rows, _ = shown
    query, hit, known, label, rank, probability = rows[0]
    assert query == "hier. epist. 130.5.5.3: haesit uox faucibus et inter ruborem atque pallorem …"
    assert hit.startswith("verg. aen. ")
    assert (known, label) == ("verg. aen. 2.774.1", "cit.")
    assert 1 <= int(rank) <= 4  # Virgil has the phrase four times
    assert float(probability) > 0.5


def test_a_query_is_shown_once_for_all_its_references(shown):
    rows, _ = shown
    queries = [known.query_id for known in load_example_ground_truth()]
    assert [row[0].partition(":")[0] for row in rows if row[0]] == list(dict.fromkeys(queries))


def test_messages_state_the_texts_and_the_number_found(shown):
    rows, err = shown
    found = sum(row[4] != "missed" for row in rows)
    assert found > len(rows) / 2
    assert err == (
        "Searching 42 sentences of late antiquity in 204 of their classics …\n"
        f"{found} of 27 known references are among the first 10 candidates. "
        "To search your own texts: locisimiles search QUERY SOURCE...\n"
    )


def test_fewer_candidates_find_less():
    rows, err = demo("-k", "1")
    assert {row[4] for row in rows} == {"1", "missed"}
    found = sum(row[4] == "1" for row in rows)
    assert re.search(rf"^{found} of 27 .* first 1 candidates", err, flags=re.MULTILINE)


def test_zero_candidates_are_wrong_usage():
    assert CliRunner().invoke(app, ["demo", "-k", "0"]).exit_code == 2
