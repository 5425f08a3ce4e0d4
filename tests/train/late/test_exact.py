"""Exact search in torch agrees with a plain computation, and measures ranks."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.train

from locisimiles.train.encoder.network import EncoderConfig, LatinEncoder  # noqa: E402
from locisimiles.train.late.exact import (  # noqa: E402
    ExactSearch,
    mine_negatives,
    recall,
)
from locisimiles.train.late.network import LateEncoder  # noqa: E402
from locisimiles.train.late.pieces import PieceTable, rarity  # noqa: E402
from locisimiles.train.late.search_set import SearchSet  # noqa: E402
from locisimiles.train.late.tuning import piece_vectors  # noqa: E402

VOCABULARY = 60


def table(count, seed):
    random = np.random.default_rng(seed)
    lengths = random.integers(1, 12, count)
    bounds = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    pieces = random.integers(5, VOCABULARY, bounds[-1]).astype(np.uint16)
    return PieceTable(pieces, np.ones(bounds[-1], bool), bounds)


@pytest.fixture
def model():
    torch.manual_seed(0)
    return LateEncoder(LatinEncoder(EncoderConfig(VOCABULARY, 16, 1, 2, 32)), 8).eval()


def plain(model, query, source, weights):
    """Score one pair by the formula of the documentation."""
    with torch.no_grad():
        q, w, _ = piece_vectors(model, query.batch([0], weights), "cpu")
        s, _, _ = piece_vectors(model, source.batch([0], weights), "cpu")
    nearest = (q[0] @ s[0].T).clamp(min=0).amax(1) ** 3 * w[0]
    padded = torch.cat([nearest, torch.zeros(max(5 - len(nearest), 0))])
    return max(padded[at : at + 5].sum() / 5 for at in range(len(padded) - 4)).item()


def test_scores_are_those_of_the_formula(model):
    queries, sources = table(7, 1), table(30, 2)
    weights = rarity(sources, VOCABULARY)
    search = ExactSearch(model, sources, weights)
    seen = set()
    for rows, scores in search.scores(queries, np.arange(7)):
        for place, row in enumerate(rows.tolist()):
            seen.add(row)
            for source in (0, 13, 29):
                pair = queries.part(row, row + 1), sources.part(source, source + 1)
                assert scores[place, source].item() == pytest.approx(
                    plain(model, *pair, weights), abs=1e-4
                )
    assert seen == set(range(7))


def test_a_copy_is_found_first_and_the_set_comes_back(model, tmp_path):
    sources = table(40, 3)
    data = SearchSet(
        sources.part(5, 8),
        sources,
        np.array([0, 1, 2], np.int32),
        np.array([5, 6, 7], np.int32),
        np.array([False, True, False]),
    )
    data.save(tmp_path / "set.npz")
    figures = recall(model, SearchSet.load(tmp_path / "set.npz"), vocabulary=VOCABULARY)
    assert figures["R@10"] == figures["cf. R@10"] == 100


def test_mined_negatives_are_not_the_answer(model):
    sources = table(40, 4)
    search = ExactSearch(model, sources, rarity(sources, VOCABULARY))
    duplicates = np.arange(40, dtype=np.int32)
    duplicates[9] = 5
    answer = np.array([5, 6], np.int32)
    found = mine_negatives(search, sources.part(5, 7), answer, duplicates, count=4)
    assert found.shape == (2, 4)
    assert (found >= 0).all()
    assert not set(found[0].tolist()) & {5, 9}
    less = mine_negatives(search, sources.part(5, 7), answer, duplicates, count=3, skipped=1)
    np.testing.assert_array_equal(less, found[:, 1:])
