"""Segments that stand for each other, and rankings in the lenient reading."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import Document, Segment
from locisimiles.benchmark.protocols import evaluate_retrieval
from locisimiles.benchmark.sets.parallels import Parallels, as_noted, find_parallels
from locisimiles.benchmark.sets.references import References
from locisimiles.candidates import Candidates

SOURCES = 12
pairs = st.lists(
    st.tuples(st.integers(0, SOURCES - 1), st.integers(0, SOURCES - 1)).filter(
        lambda pair: pair[0] != pair[1]
    ),
    max_size=10,
)
rankings = st.permutations(range(SOURCES)).map(lambda order: order[:8])
noted = st.sets(st.integers(0, SOURCES - 1), min_size=1, max_size=4)


def ranking(sources):
    return Candidates.join([(np.array(sources), np.arange(len(sources), 0, -1.0))])


def references(sources):
    sources = sorted(sources)
    return References.from_columns([0] * len(sources), sources, [1] * len(sources))


def parallels(found):
    return Parallels.from_pairs([one for one, _ in found], [other for _, other in found])


def values(found, wanted):
    return {m.metric: m.mean for m in evaluate_retrieval(found, wanted, groups=("pooled",))}


@given(rankings, noted)
def test_without_parallels_both_readings_are_the_same(order, wanted):
    found, known = ranking(order), references(wanted)
    assert as_noted(found, known, parallels([])).source.tolist() == list(order)


@given(rankings, noted, pairs)
def test_the_lenient_reading_finds_no_less(order, wanted, found):
    strict, known = ranking(order), references(wanted)
    lenient = as_noted(strict, known, parallels(found))
    before, after = values(strict, known), values(lenient, known)
    assert all(after[f"R@{k}"] >= before[f"R@{k}"] - 1e-12 for k in (1, 5, 10))
    assert after["MRR"] >= before["MRR"]
    assert len(set(lenient.source.tolist())) == len(lenient)
    assert (np.diff(lenient.score) < 0).all()


@given(rankings, noted, pairs)
def test_a_reference_is_found_where_the_first_of_its_parallels_stands(order, wanted, found):
    only = sorted(wanted)[:1]
    known, both = references(only), parallels(found)
    lenient = as_noted(ranking(order), known, both)
    standing = {only[0], *both.of(only[0]).tolist()}
    places = [place for place, source in enumerate(order) if source in standing]
    hits = np.flatnonzero(lenient.source == only[0]).tolist()
    assert hits == places[:1]
    assert set(lenient.source.tolist()).isdisjoint(standing - set(only))


def test_other_queries_keep_their_candidates():
    found = Candidates.join([(np.array([4]), np.array([1.0])), (np.array([4]), np.array([1.0]))])
    known = References.from_columns([1], [5], [1])
    assert as_noted(found, known, parallels([(4, 5)])).source.tolist() == [4, 5]


def test_neighbours_and_verses_with_the_same_words_stand_for_each_other():
    spoken = "Beati pauperes spiritu quoniam ipsorum est regnum caelorum"
    verses = [
        ("Matth.", "5.3", f"{spoken}."),
        ("Matth.", "5.4", "Beati mites: quoniam ipsi possidebunt terram."),
        ("Matth.", "6.1", "Attendite ne iustitiam uestram faciatis coram hominibus."),
        ("Luc.", "6.20", f"Et ipse dicebat: {spoken}."),
    ]
    others = [("Gen.", f"{n}.1", f"uerbum{n} aliud{n} tertium{n}") for n in range(60)]
    source = Document.from_segments(
        Segment(f"{work} {locus}", text, "Vulgata", work, locus)
        for work, locus, text in (*verses, *others)
    )
    found = find_parallels(source)
    assert list(zip(found.one.tolist(), found.other.tolist(), strict=True)) == [
        (0, 1),
        (0, 3),
        (1, 0),
        (3, 0),
    ]
