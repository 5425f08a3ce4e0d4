"""Which candidates count as references."""

from dataclasses import replace

import numpy as np

from locisimiles import Candidates, Document, Results, Segment
from locisimiles.networks import count_citations, reference_rows
from locisimiles.networks.references import reference_weights
from locisimiles.results import PairJudgement

FOUND = Results(
    Document.from_segments([Segment("q", "arma", author="Jerome")]),
    Document.from_segments([Segment(f"s{n}", "arma", author="Virgil") for n in range(4)]),
    Candidates(np.zeros(4, np.int32), np.arange(4, dtype=np.int32), np.ones(4, np.float32)),
    {},
    np.array([[0.1, 0.8, 0.1], [0.2, 0.7, 0.1], [0.9, 0.1, 0.0], [0.8, 0.2, 0.0]], np.float32),
)
READ = replace(
    FOUND,
    judgements=(PairJudgement("cf."), PairJudgement("reject"), PairJudgement("cit."), None),
)


def test_accepted_pairs_count_and_rejected_ones_do_not():
    assert reference_rows(FOUND).tolist() == [0, 1]
    assert reference_rows(READ).tolist() == [0, 2]
    assert reference_rows(READ, best=1).tolist() == [0, 2]
    assert reference_weights(READ, np.arange(4)).round(2).tolist() == [1.0, 0.8, 1.0, 0.2]


def test_citations_have_the_types_that_readers_say():
    (link,) = count_citations(READ).links()
    assert (link.references, link.weight, link.cit, link.cf) == (2, 2.0, 1, 1)
