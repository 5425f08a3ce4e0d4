"""Sources that say nearly the same are one finding."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles import Document, ParameterError, Pipeline, Segment
from locisimiles.evidence import parallels
from locisimiles.evidence.parallels import parallel_rows
from locisimiles.latin import Frequencies
from locisimiles.latin.text_words import TextWords

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


def plainly(query, texts):
    """Compare each text with all better ones, as the definition says."""
    rarity = Frequencies.shipped().rarity
    lemmas = []
    for text in texts:
        words = TextWords.read([text])
        names = np.array(words.lexicon.lemmas)
        lemmas.append(sorted(set(names[words.lemma[words.content]].tolist())))
    found = list(range(len(texts)))
    for row, own in enumerate(lemmas):
        for other in range(row):
            if query[other] != query[row] or found[other] != other:
                continue
            shared = sum(rarity(lemma) for lemma in own if lemma in lemmas[other])
            heavier = max(sum(map(rarity, own)), sum(map(rarity, lemmas[other])))
            if texts[row] == texts[other] or shared >= max(20, 0.6 * heavier):
                found[row] = other
                break
    return found


VERSES = [MATTHEW, LUKE, MARK, AENEID, "et", "", "beati", "spiritu regnum", f"{LUKE} {AENEID}"]
MIXED = st.lists(st.sampled_from(" ".join(VERSES).split()), max_size=9).map(" ".join)


@given(
    groups=st.lists(st.lists(st.sampled_from(VERSES) | MIXED, min_size=1, max_size=9), max_size=3),
    rows=st.sampled_from([1, 2, 256]),
    cells=st.sampled_from([1, 30, 1 << 22]),
)
def test_whatever_is_compared_together_the_groups_are_those_of_the_definition(groups, rows, cells):
    query = np.repeat(np.arange(len(groups)), list(map(len, groups))).astype(np.int64)
    texts = [text for group in groups for text in group]
    before = parallels._ROWS, parallels._CELLS
    parallels._ROWS, parallels._CELLS = rows, cells
    try:
        assert parallel_rows(query, texts).tolist() == plainly(query, texts)
    finally:
        parallels._ROWS, parallels._CELLS = before
