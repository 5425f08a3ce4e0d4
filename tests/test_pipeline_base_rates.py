"""Pipelines adapt probabilities to the base rate of the text."""

import numpy as np
import pytest

from locisimiles import ClassificationPipeline, Document, Pipeline, Segment
from locisimiles.classify import Selection, expect_references
from locisimiles.classify.base_rates import BaseRates, RateModel
from locisimiles.classify.calibration import Calibration
from locisimiles.results import Results
from test_pipeline import KNOWN, LONG, LONG_KNOWN, SELECTIONS, SOURCES, LastFirst, Told

RATES = BaseRates(
    RateModel(rate=0.4, spread=0.1),
    RateModel(constant=-1.0, rate=0.3, above=0.5, below=1.0, weight=0.5, spread=0.6),
    authors=frozenset(["Jerome"]),
)


class Adapting(Told):
    calibration = Calibration(spread=0.25, base_rates=RATES)


def adapting(**options):
    return Pipeline(LastFirst(), classifier=Adapting(LONG_KNOWN), **options)


@pytest.mark.parametrize("selection", SELECTIONS, ids=str)
@pytest.mark.parametrize("size", [1, 3, 100])
def test_blocks_joined_are_the_whole(selection, size):
    searcher = adapting(selection=selection, k=3).prepare(SOURCES)
    whole, blocks = searcher.run(LONG), list(searcher.blocks(LONG, size))
    joined = Results.join(blocks)
    assert list(joined) == list(whole)
    assert joined.manifest == blocks[-1].manifest == whole.manifest
    assert len(blocks) == -(-len(LONG) // size)


def test_probabilities_are_those_of_the_text():
    plain = Pipeline(LastFirst(), classifier=Told(LONG_KNOWN), k=4).run(LONG, SOURCES)
    found = adapting(k=4).run(LONG, SOURCES)
    assert [one.source.id for one in found] == [one.source.id for one in plain]
    rate = RATES.estimate(plain.candidates.query, plain.candidates.score, LONG.authors)
    wanted = rate.adapted(plain.probabilities, [""] * len(plain))
    assert np.array_equal(found.probabilities, wanted)
    assert found.candidates.score == pytest.approx(wanted[:, 1:].sum(axis=1))
    assert found.manifest["base_rate"] == {
        "others": {"shift": pytest.approx(rate.others.shift), "spread": 0.6}
    }
    expected = expect_references(found.candidates.score, 0.6)
    assert found.manifest["references"] == expected.as_dict()
    assert expected.expected < expect_references(plain.candidates.score).expected


def test_the_rate_does_not_depend_on_the_selection():
    everything = adapting(k=4).run(LONG, SOURCES)
    for selection in SELECTIONS:
        chosen = adapting(selection=selection).run(LONG, SOURCES)
        assert chosen.manifest["base_rate"] == everything.manifest["base_rate"]


def test_a_threshold_is_for_adapted_probabilities():
    kept = adapting(selection=Selection(threshold=0.5)).run(LONG, SOURCES)
    everything = adapting(k=4).run(LONG, SOURCES)
    assert 0 < len(kept) < (np.array([sum(one) for one in LONG_KNOWN.values()]) >= 0.5).sum()
    assert len(kept) == (everything.candidates.score >= 0.5).sum()


def test_an_author_that_the_classifier_knows_keeps_probabilities():
    by_jerome = Document.from_segments([Segment(one.id, one.text, author="Jerome") for one in LONG])
    plain = Pipeline(LastFirst(), classifier=Told(LONG_KNOWN), k=4).run(by_jerome, SOURCES)
    found = adapting(k=4).run(by_jerome, SOURCES)
    assert found.probabilities.tobytes() == plain.probabilities.tobytes()
    assert found.manifest["base_rate"] == {"own": {"shift": 0.0, "spread": 0.1}}


def test_judging_every_pair_adapts_too():
    query = Document.from_segments([Segment("q", "arma"), Segment("r", "uir")])
    found = ClassificationPipeline(Adapting(KNOWN), k=4).run(query, SOURCES)
    plain = ClassificationPipeline(Told(KNOWN), k=4).run(query, SOURCES)
    assert found.candidates.score.sum() < plain.candidates.score.sum()
    assert found.manifest["references"]["pairs"] == 8
    assert "base_rate" in found.manifest


def test_a_query_without_segments_has_no_base_rate():
    found = adapting().run(LONG[:0], SOURCES)
    assert (len(found), found.manifest["base_rate"]) == (0, {})
