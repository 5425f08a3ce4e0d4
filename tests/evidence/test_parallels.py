"""Sources that say nearly the same are one finding."""

import numpy as np
import pytest

from locisimiles import Document, ParameterError, Pipeline, Segment
from locisimiles.evidence.parallels import parallel_rows

MATTHEW = "Beati pauperes spiritu, quoniam ipsorum est regnum caelorum."
LUKE = "Beati pauperes, quia uestrum est regnum Dei."
MARK = "Beati pauperes spiritu: ipsorum est regnum caelorum!"
AENEID = "arma uirumque cano, Troiae qui primus ab oris"


def test_nearly_the_same_words_are_beneath_the_best():
    found = parallel_rows(np.zeros(3, int), [AENEID, MATTHEW, MARK])
    assert found.tolist() == [0, 1, 1]


def test_each_query_has_groups_of_its_own():
    found = parallel_rows(np.array([0, 0, 1, 1]), [MATTHEW, MARK, MARK, MATTHEW])
    assert found.tolist() == [0, 0, 2, 2]


def test_a_few_words_in_common_are_not_enough():
    assert parallel_rows(np.zeros(2, int), ["uox faucibus", "et uox"]).tolist() == [0, 1]
    long = f"{MATTHEW} {AENEID} Italiam fato profugus Lauiniaque uenit litora"
    assert parallel_rows(np.zeros(2, int), [MATTHEW, long]).tolist() == [0, 1]


def test_equal_texts_are_alike_whatever_their_words():
    assert parallel_rows(np.zeros(3, int), ["et", "et", ""]).tolist() == [0, 0, 2]


def test_a_member_is_beneath_a_best_one_and_never_beneath_a_member():
    texts = [MATTHEW, LUKE, MARK, AENEID, MATTHEW]
    found = parallel_rows(np.zeros(5, int), texts)
    assert (found[found] == found).all()
    assert (found <= np.arange(5)).all()


def test_no_candidates_have_no_parallels():
    assert parallel_rows(np.zeros(0, int), []).tolist() == []


def test_lengths_must_agree():
    with pytest.raises(ParameterError, match="equal length"):
        parallel_rows(np.zeros(2, int), ["a"])


def test_results_are_grouped():
    query = Document.from_segments([Segment("q", "Beati pauperes spiritu."), Segment("r", "arma")])
    texts = {"mt": MATTHEW, "mc": MARK, "aen": AENEID, "lc": LUKE}
    source = Document.from_segments([Segment(name, text) for name, text in texts.items()])
    results = Pipeline("bm25", k=4).run(query, source)
    distinct = results.distinct()
    assert {one.source.id for one in distinct} & {"mt", "mc"} in ({"mt"}, {"mc"})
    best = results.for_query("q")[0]
    assert distinct[0] == best
    groups = results.parallels()
    assert [first for first, _ in groups] == list(distinct)
    (beneath,) = groups[0][1]
    assert {best.source.id, beneath.source.id} == {"mt", "mc"}
    assert beneath.rank == 2
    assert sum(1 + len(others) for _, others in groups) == len(results)
