"""Chains and windows."""

import numpy as np

from locisimiles import Candidates, Document, Results, Segment
from locisimiles.networks import find_chains

JEROME = Segment("hier. 1", "a", author="Jerome", work="Epistulae", locus="1.1")
OVID = Segment("ov. 1", "a", author="Ovid", work="Metamorphoses", locus="1.1-1.3")
OVID_CUT_ELSEWHERE = Segment("ov. x", "a", author="Ovid", work="Metamorphoses", locus="1.2")
OVID_LATER = Segment("ov. 9", "a", author="Ovid", work="Metamorphoses", locus="1.9")
VIRGIL = Segment("verg. 1", "a", author="Virgil", work="Aeneis", locus="1.1")
NAEVIUS = Segment("naev. 1", "a", author="Naevius", work="Bellum Punicum")


def refers(*pairs):
    queries = Document.from_segments(dict.fromkeys(query for query, _ in pairs))
    sources = Document.from_segments(dict.fromkeys(source for _, source in pairs))
    return Results(
        queries,
        sources,
        Candidates(
            np.array([queries.index(query.id) for query, _ in pairs], np.int32),
            np.array([sources.index(source.id) for _, source in pairs], np.int32),
            np.ones(len(pairs), np.float32),
        ),
        {},
    )


def chains(*sets, **chosen):
    found = find_chains(sets, **{"best": 9, **chosen})
    return [(*chain.ids, chain.window, chain.chronology) for chain in found]


def test_a_chain_may_span_two_sets():
    found = chains(refers((JEROME, OVID)), refers((OVID, VIRGIL)))
    assert found == [("hier. 1", "ov. 1", "verg. 1", False, "in order")]


def test_a_window_also_looks_at_the_earliest_directly():
    found = chains(refers((JEROME, OVID)), refers((OVID, VIRGIL)), refers((JEROME, VIRGIL)))
    assert found == [("hier. 1", "ov. 1", "verg. 1", True, "in order")]


def test_one_set_may_hold_the_whole_chain():
    assert chains(refers((JEROME, OVID), (OVID, VIRGIL), (JEROME, VIRGIL))) == [
        ("hier. 1", "ov. 1", "verg. 1", True, "in order")
    ]


def test_segments_of_overlapping_lines_are_the_same_passage():
    assert chains(refers((JEROME, OVID)), refers((OVID_CUT_ELSEWHERE, VIRGIL))) == [
        ("hier. 1", "ov. 1", "verg. 1", False, "in order")
    ]
    assert chains(refers((JEROME, OVID)), refers((OVID_LATER, VIRGIL))) == []


def test_a_chain_never_goes_against_the_dates():
    assert chains(refers((VIRGIL, OVID)), refers((OVID, JEROME))) == []
    assert chains(refers((JEROME, VIRGIL)), refers((VIRGIL, OVID))) == []


def test_without_a_date_the_chronology_is_unknown():
    assert chains(refers((JEROME, VIRGIL)), refers((VIRGIL, NAEVIUS))) == [
        ("hier. 1", "verg. 1", "naev. 1", False, "unknown")
    ]


def test_a_circle_is_not_a_chain():
    undated = Segment("x", "a"), Segment("y", "a")
    assert chains(refers(undated), refers(undated[::-1])) == []


def test_the_same_chain_is_found_once():
    assert len(chains(refers((JEROME, OVID)), refers((OVID, VIRGIL)), refers((OVID, VIRGIL)))) == 1


def test_only_references_that_count_make_chains():
    first = refers((JEROME, NAEVIUS), (JEROME, OVID))
    assert chains(first, refers((OVID, VIRGIL)), best=1) == []
    assert len(chains(first, refers((OVID, VIRGIL)), best=2)) == 1
