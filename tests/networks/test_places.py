"""Overlapping places, and merged references."""

import numpy as np
import pytest

from locisimiles import Candidates, Document, Results, Segment
from locisimiles.networks import merge_references
from locisimiles.networks.places import overlap, parse_loci, touch


def line(locus, name=None, work="Aeneis"):
    return Segment(name or locus, "arma", author="Virgil", work=work, locus=locus)


@pytest.mark.parametrize(
    ("one", "other", "overlapping", "touching"),
    [
        ("1.1", "1.1", True, True),
        ("1.1-1.7", "1.7-1.9", True, True),
        ("1.1-1.7", "1.3", True, True),
        ("1.1-1.7", "1.8", False, True),
        ("1.8", "1.1-1.7", False, True),
        ("1.7", "1.9", False, False),
        ("1.7", "2.8", False, False),
        ("1.900-2.3", "2.4", False, True),
        ("5", "6", False, True),
        ("1.1", "2", False, False),
        ("0667b", "0667c", False, False),
        ("", "", False, False),
    ],
)
def test_places_by_their_loci(one, other, overlapping, touching):
    first, second = line(one, "a"), line(other, "b")
    assert overlap(first, second) is overlapping
    assert touch(first, second) is touching


def test_the_same_lines_of_another_work_are_another_place():
    assert not overlap(line("1.1", "a"), line("1.1", "b", work="Georgica"))
    assert not overlap(Segment("a", "", locus="1.1"), Segment("b", "", locus="1.1"))


def test_the_same_id_is_the_same_place():
    assert overlap(Segment("a", ""), Segment("a", ""))


def test_loci_that_are_not_numeric_are_not_parsed():
    assert parse_loci(line("1.a-1.b")) is None
    assert parse_loci(line("12")) == ((12,), (12,))


def merged(*loci, queries=None, **chosen):
    source = Document.from_segments(line(locus) for locus in loci)
    queries = queries or [0] * len(loci)
    query = Document.from_segments(Segment(f"q{n}", "arma") for n in sorted(set(queries)))
    numbers = np.arange(len(loci), dtype=np.int32)
    scores = np.linspace(2, 1, len(loci)).astype(np.float32)
    results = Results(query, source, Candidates(np.array(queries, np.int32), numbers, scores), {})
    return [
        (one.best.query.id, one.best.source.id, one.source_ids)
        for one in merge_references(results, **(chosen or {"best": 9}))
    ]


def test_adjacent_sources_are_merged_and_the_best_leads():
    assert merged("1.3", "1.9", "1.1", "1.2") == [
        ("q0", "1.3", ("1.3", "1.1", "1.2")), ("q0", "1.9", ("1.9",))
    ]  # fmt: skip


def test_references_of_different_queries_stay_apart():
    assert merged("1.1", "1.2", queries=[0, 1]) == [
        ("q0", "1.1", ("1.1",)), ("q1", "1.2", ("1.2",))
    ]  # fmt: skip


def test_only_counted_references_are_merged():
    assert merged("1.1", "1.2", best=1) == [("q0", "1.1", ("1.1",))]
