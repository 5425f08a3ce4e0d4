"""The score of training equals that of searching."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.train

from locisimiles.late.pieces import STEPS, Pieces  # noqa: E402
from locisimiles.late.scoring import Scoring, score_texts  # noqa: E402
from locisimiles.train.late.network import (  # noqa: E402
    contributions,
    listwise_loss,
    whole_scores,
    window_scores,
)


def tensor(rows):
    return torch.tensor(rows, dtype=torch.float32)


def test_a_piece_contributes_its_weighted_similarity_to_the_nearest():
    query = tensor([[[1, 0], [0, 1]]])
    source = tensor([[[0.5, 0.8], [0.6, 0.0]], [[-1, 0], [0, 0.5]]])
    present = torch.tensor([[True, True], [True, False]])
    found = contributions(query, tensor([[2, 10]]), source, present, power=2)
    # 2 · 0.6² and 10 · 0.8²; less than nothing counts nothing, and what is not there neither.
    torch.testing.assert_close(found, tensor([[[0.72, 6.4], [0, 0]]]))


def test_the_best_window_is_averaged_over_its_width():
    parts = tensor([[[1, 5, 4, 0, 2], [0, 0, 0, 3, 0]]])
    torch.testing.assert_close(window_scores(parts, 2), tensor([[4.5, 1.5]]))
    torch.testing.assert_close(window_scores(parts, 5), tensor([[2.4, 0.6]]))


def test_a_query_shorter_than_the_window_is_one_window():
    torch.testing.assert_close(window_scores(tensor([[[1, 5]]]), 4), tensor([[1.5]]))


def test_the_whole_score_is_a_weighted_mean():
    parts = tensor([[[1, 5, 0]]])
    torch.testing.assert_close(whole_scores(parts, tensor([[2, 8, 2]])), tensor([[0.5]]))


def test_ignored_sources_do_not_change_the_loss():
    scores, answers = tensor([[0.0, 3.0, 0.0]]), torch.tensor([0])
    hidden = torch.tensor([[False, True, False]])
    assert listwise_loss(scores, answers, hidden).item() == pytest.approx(np.log(2), abs=1e-5)
    seen = listwise_loss(scores, answers, torch.zeros_like(hidden)).item()
    assert seen == pytest.approx(np.log(2 + np.exp(3)), abs=1e-5)


def words(rng, lengths, size):
    """Return random pieces, in steps as searching keeps them."""
    total = sum(lengths)
    vectors = rng.normal(size=(total, size))
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    nothing = np.zeros(total, np.int32)
    return Pieces(
        # A little shorter than 1: rounding must not make products that searching cuts off.
        np.rint(0.97 * vectors * STEPS).astype(np.int8),
        rng.uniform(0.01, 5, total).astype(np.float32),
        nothing,
        nothing,
        np.cumsum([0, *lengths], dtype=np.int64),
        nothing,
    )


def padded(own, longest):
    """Return vectors, weights and presence of texts, filled up."""
    shape = len(own), longest
    vectors = np.zeros((*shape, own.vectors.shape[1]), np.float32)
    weights, present = np.zeros(shape, np.float32), np.zeros(shape, bool)
    for row, length in enumerate(own.lengths.tolist()):
        text = own.of(row)
        vectors[row, :length] = text.vectors / STEPS
        weights[row, :length], present[row, :length] = text.weight, True
    return torch.from_numpy(vectors), torch.from_numpy(weights), torch.from_numpy(present)


@given(
    seed=st.integers(0, 10_000),
    queries=st.lists(st.integers(1, 9), min_size=1, max_size=3),
    sources=st.lists(st.integers(1, 9), min_size=1, max_size=5),
    window=st.integers(1, 7),
    power=st.sampled_from([1.0, 2.0, 3.0]),
)
@settings(max_examples=60, deadline=None)
def test_torch_and_numpy_score_alike(seed, queries, sources, window, power):
    rng = np.random.default_rng(seed)
    asking, answering = words(rng, queries, 4), words(rng, sources, 4)
    vectors, weights, _ = padded(asking, max(queries))
    others, _, present = padded(answering, max(sources))
    parts = contributions(vectors, weights, others, present, power)
    scoring = Scoring(window=window, power=power)
    for row in range(len(queries)):
        places = np.arange(len(sources))
        expected = score_texts(asking.of(row), answering, places, scoring, ("window", "whole"))
        np.testing.assert_allclose(window_scores(parts, window)[row], expected[0], atol=1e-4)
        np.testing.assert_allclose(whole_scores(parts, weights)[row], expected[1], atol=1e-4)
