"""The example texts."""

import pytest

from locisimiles import load_example_ground_truth, load_example_query, load_example_source
from locisimiles.examples import example_path

QUERY = load_example_query()
SOURCE = load_example_source()
KNOWN = load_example_ground_truth()
FILES = ["query.csv", "source.csv", "ground_truth.csv"]


def test_the_files_are_small():
    assert sum(example_path(name).stat().st_size for name in FILES) <= 100_000


@pytest.mark.parametrize(("document", "size"), [(QUERY, 42), (SOURCE, 204)])
def test_ids_are_unique(document, size):
    assert len(set(document.ids)) == len(document) == size


@pytest.mark.parametrize("document", [QUERY, SOURCE])
def test_every_segment_has_author_work_locus_and_text(document):
    assert all(s.author and s.work and s.locus and s.text for s in document)


@pytest.mark.parametrize("document", [QUERY, SOURCE])
def test_nothing_was_skipped_or_guessed(document):
    assert document.report.messages() == []


def test_these_are_the_authors():
    assert list(dict.fromkeys(QUERY.authors)) == ["Jerome", "Lactantius", "Valerius Flaccus"]
    assert set(SOURCE.authors) == {
        "Virgil",
        "Cicero",
        "Horace",
        "Ovid",
        "Lucretius",
        "Lucan",
        "Statius",
    }


@pytest.mark.parametrize("known", KNOWN, ids=" < ".join)
def test_every_known_reference_is_between_two_segments(known):
    assert known.query_id in QUERY
    assert known.source_id in SOURCE
    assert known.label in {"cit", "cf"}


def test_no_reference_is_given_twice():
    assert len({(known.query_id, known.source_id) for known in KNOWN}) == len(KNOWN) == 27


def test_about_half_of_the_queries_refer_to_something():
    assert len({known.query_id for known in KNOWN}) == 22


@pytest.mark.parametrize(
    ("query_id", "query_words", "source_id", "source_words", "label"),
    [
        (
            "hier. epist. 130.5.5.3",
            "haesit uox faucibus",
            "verg. aen. 2.774.1",
            "vox faucibus haesit",
            "cit",
        ),
        (
            "hier. epist. 7.4.1.3",
            "omnia etiam tuta timeo",
            "verg. aen. 4.297.1",
            "omnia tuta timens",
            "cit",
        ),
        ("hier. epist. 57.12.4.3", "te ipsum intellege", "cic. tusc. 1.52.3", "nosce te", "cf"),
        (
            "hier. epist. 22.40.1.1",
            "Nihil amantibus durum",
            "cic. orat. 33.2",
            "nihil difficile amanti",
            "cit",
        ),
        (
            "hier. epist. 98.22.4.1",
            "patientia nostra",
            "cic. catil. 1.1.1",
            "abutere, Catilina, patientia nostra",
            "cit",
        ),
        (
            "hier. epist. 107.13.4.2",
            "ingentes animos",
            "verg. georg. 4.82.1",
            "ingentes animos",
            "cit",
        ),
    ],
)
def test_the_examples_the_paper_prints_are_there(
    query_id, query_words, source_id, source_words, label
):
    assert query_words in QUERY[query_id].text
    assert source_words in SOURCE[source_id].text
    assert (query_id, source_id, label) in KNOWN
