"""Author priors, computed by hand, and which author has which."""

import math

import numpy as np
import pytest

from locisimiles import Document, Segment
from locisimiles.learn.priors import ReferenceCounts
from locisimiles.retrieve.combined.priors import (
    PRIOR_COLUMNS,
    AuthorPriors,
    SourceWorks,
    verse_works,
)

# Four segments: half of them Virgil's, in two works, the rest Cicero's, in one.
SOURCE = Document.from_segments(
    [
        Segment("s0", "arma uirumque cano / Troiae", author="Virgil", work="Aeneis"),
        Segment("s1", "Tityre tu patulae / recubans", author="Virgil", work="Eclogae"),
        Segment("s2", "quousque tandem", author="Cicero", work="Catilina"),
        Segment("s3", "o tempora", author="Cicero", work="Catilina"),
    ]
)
AUTHORS = ["Jerome", "Jerome", "Lactantius"]
ANSWERS = [np.array([0]), np.array([0, 2]), np.array([2, 3])]
ALL = np.arange(4)


@pytest.fixture
def facts():
    return SourceWorks.of(SOURCE)


@pytest.fixture
def references(facts):
    return ReferenceCounts(facts, AUTHORS, ANSWERS)


def test_facts_are_names_with_numbers(facts):
    assert facts.authors == ("Virgil", "Cicero")
    assert facts.works == ("Virgil: Aeneis", "Virgil: Eclogae", "Cicero: Catilina")
    assert facts.author.tolist() == [0, 0, 1, 1]
    assert facts.work.tolist() == [0, 1, 2, 2]
    assert facts.verse.tolist() == [True, True, False, False]


def test_works_of_two_authors_are_two_though_they_have_one_name():
    facts = SourceWorks.of(
        Document.from_segments(
            [
                Segment("a", "x", author="Ovid", work="Epistulae"),
                Segment("b", "y", work="Epistulae"),
            ]
        )
    )
    assert facts.work.tolist() == [0, 1]
    assert facts.authors == ("Ovid", "")


def test_affinities_to_authors_are_as_computed_by_hand(references):
    authors = references.priors().authors
    # Shares of the queries: Virgil 1 + 1/2 + 0, Cicero 0 + 1/2 + 1. Each has half of the segments.
    common = (1.5 + 5 * 0.5) / (3 + 5)
    jerome = (1.5 + 10 * common) / (2 + 10)
    lactantius = (0 + 10 * common) / (1 + 10)
    assert authors["Jerome"]["Virgil"] == pytest.approx(math.log(jerome / 0.5), abs=1e-4)
    assert authors["Jerome"]["Cicero"] == pytest.approx(math.log((1 - jerome) / 0.5), abs=1e-4)
    assert authors["Lactantius"]["Virgil"] == pytest.approx(math.log(lactantius / 0.5), abs=1e-4)


def test_affinities_to_works_are_as_computed_by_hand(references):
    works = references.priors().works
    aeneid = (1.5 + 10 * 0.25) / (3 + 10)
    eclogues = (0 + 10 * 0.25) / (3 + 10)
    jerome = (1.5 + 20 * aeneid) / (2 + 20)
    assert works["Jerome"]["Virgil: Aeneis"] == pytest.approx(math.log(jerome / 0.25), abs=1e-4)
    jerome = (0 + 20 * eclogues) / (2 + 20)
    assert works["Jerome"]["Virgil: Eclogae"] == pytest.approx(math.log(jerome / 0.25), abs=1e-4)


def test_columns_belong_to_segments(references, facts):
    priors = references.priors()
    columns = priors.columns("Jerome", facts, np.array([2, 0]), in_verse=False)
    assert columns.names == PRIOR_COLUMNS
    assert columns["author"].tolist() == pytest.approx(
        [priors.authors["Jerome"]["Cicero"], priors.authors["Jerome"]["Virgil"]]
    )
    assert columns["work"].tolist() == pytest.approx(
        [priors.works["Jerome"]["Cicero: Catilina"], priors.works["Jerome"]["Virgil: Aeneis"]]
    )


@pytest.mark.parametrize(
    ("in_verse", "expected"), [(True, [[1, 0], [0, 0]]), (False, [[0, 1], [0, 0]])]
)
def test_verse_is_told_apart_by_what_the_query_is(references, facts, in_verse, expected):
    columns = references.priors().columns("Jerome", facts, np.array([1, 3]), in_verse=in_verse)
    assert columns.select(PRIOR_COLUMNS[2:]).tolist() == expected


def test_an_author_has_only_their_own_priors(references, facts):
    priors = references.priors()
    assert priors.knows("Jerome")
    for unknown in ("Ambrose", ""):
        assert not priors.knows(unknown)
        assert (
            not priors.columns(unknown, facts, ALL, in_verse=False).select(["author", "work"]).any()
        )


def test_queries_without_an_author_have_no_priors(facts):
    priors = ReferenceCounts(facts, ["", "Jerome"], [np.array([0]), np.array([1])]).priors()
    assert list(priors.authors) == list(priors.works) == ["Jerome"]


def test_unknown_sources_are_neither_preferred_nor_penalised(references):
    other = SourceWorks.of(
        Document.from_segments(
            [Segment("x", "prosa", author="Livy", work="Ab urbe condita"), Segment("y", "nihil")]
        )
    )
    for author in ("Jerome", "Ambrose", ""):
        columns = references.priors().columns(author, other, np.arange(2), in_verse=True)
        assert not columns.values.any()


def test_an_unknown_work_of_a_known_author_is_judged_by_the_author(references):
    other = SourceWorks.of(
        Document.from_segments([Segment("x", "prosa", author="Virgil", work="Georgica")])
    )
    columns = references.priors().columns("Jerome", other, ALL[:1], in_verse=False)
    ((author, work),) = columns.select(["author", "work"])
    assert author != 0
    assert work == 0


def test_where_nothing_is_known_all_are_equal(facts):
    columns = AuthorPriors({}, {}).columns("Jerome", facts, ALL, in_verse=True)
    assert not columns.select(["author", "work"]).any()


@pytest.mark.parametrize("query", range(3))
def test_a_query_does_not_know_its_own_references(facts, references, query):
    others = [at for at in range(3) if at != query]
    without = ReferenceCounts(facts, [AUTHORS[at] for at in others], [ANSWERS[at] for at in others])
    author = AUTHORS[query]
    expected = without.priors().columns(author, facts, ALL, in_verse=False).values
    found = references.priors(without=query).columns(author, facts, ALL, in_verse=False).values
    np.testing.assert_allclose(found, expected, atol=2e-4)
    known = references.priors().columns(author, facts, ALL, in_verse=False).values
    assert np.abs(found - known).max() > 0.01


@pytest.mark.parametrize("query", range(3))
def test_other_references_of_a_query_change_nothing_of_what_it_knows(facts, references, query):
    poisoned = [np.array([1]) if at == query else own for at, own in enumerate(ANSWERS)]
    found = ReferenceCounts(facts, AUTHORS, poisoned).priors(without=query)
    assert found == references.priors(without=query)


def test_a_query_counts_once_whatever_the_number_of_its_references(facts):
    once = ReferenceCounts(facts, ["Jerome"], [np.array([2])]).priors()
    twice = ReferenceCounts(facts, ["Jerome"], [np.array([2, 3])]).priors()
    assert once == twice


def test_works_are_verse_if_enough_of_their_segments_have_lines():
    texts = {"verse": ["a / b", "c", "d / e"], "prose": ["a / b", "c", "d", "e"]}
    document = Document.from_segments(
        Segment(f"{work} {n}", text, work=work)
        for work, own in texts.items()
        for n, text in enumerate(own)
    )
    assert verse_works(document).tolist() == [True] * 3 + [False] * 4


def test_verse_of_one_author_does_not_make_verse_of_anothers():
    document = Document.from_segments(
        [
            Segment("a", "x / y", author="Ovid", work="Epistulae"),
            Segment("b", "x", author="Cicero", work="Epistulae"),
        ]
    )
    assert verse_works(document).tolist() == [True, False]


def test_nothing_is_no_verse():
    assert verse_works(SOURCE[:0]).tolist() == []
