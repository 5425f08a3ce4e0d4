"""The loss of a bi-encoder, and how it is evaluated."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locisimiles.train.biencoder.fold import average_precision, online_contrastive_loss


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1))
def test_average_precision_follows_its_formula(rows):
    if not any(positive for _, positive in rows):
        rows = [*rows, (3, True)]
    scores = np.array([score for score, _ in rows], np.float32)
    labels = np.array([positive for _, positive in rows], np.int8)
    expected = np.mean(
        [labels[scores >= s].sum() / (scores >= s).sum() for s in scores[labels == 1]]
    )
    assert average_precision(scores, labels) == pytest.approx(expected)


@pytest.fixture
def torch():
    return pytest.importorskip("torch")


def pairs_at(torch, cosines):
    """Return two columns of vectors in the plane with these cosines."""
    angles = torch.tensor([math.acos(cosine) for cosine in cosines])
    queries = torch.tensor([[1.0, 0.0]] * len(cosines))
    return queries, torch.stack([angles.cos(), angles.sin()], dim=1)


@pytest.mark.train
@pytest.mark.parametrize(
    ("cosines", "labels", "expected"),
    [
        # Distances: positives .1 and .6, negatives .3 and .9. Hard: .6 (> .3), and .3 (< .6).
        ([0.9, 0.4, 0.7, 0.1], [1, 1, 0, 0], 0.6**2 + (0.5 - 0.3) ** 2),
        # Well separated: no hard pair.
        ([0.9, 0.8, 0.3, 0.1], [1, 1, 0, 0], 0.0),
        # Negatives beyond the margin cost nothing, distant positives do.
        ([0.1, 0.2, 0.3, 0.4], [1, 1, 0, 0], 0.9**2 + 0.8**2),
        # One positive does not set the bar: the mean of .3 and .9 is .6, so .3 is hard;
        # and the positive (.4) is farther than .3.
        ([0.6, 0.7, 0.1], [1, 0, 0], 0.4**2 + 0.2**2),
        # One negative does not set it either: the mean of .1 and .6 is .35.
        ([0.9, 0.4, 0.7], [1, 1, 0], 0.6**2 + 0.2**2),
        # Positives alone: those farther than their mean.
        ([0.9, 0.4], [1, 1], 0.6**2),
        # Negatives alone: those nearer than their mean.
        ([0.7, 0.1], [0, 0], 0.2**2),
    ],
)
def test_hard_pairs_cost_what_the_formula_says(torch, cosines, labels, expected):
    loss = online_contrastive_loss(*pairs_at(torch, cosines), torch.tensor(labels))
    assert float(loss) == pytest.approx(expected, abs=1e-5)


@pytest.mark.train
def test_the_margin_limits_the_loss_of_negatives(torch):
    columns = pairs_at(torch, [0.9, 0.4, 0.7, 0.1])
    loss = online_contrastive_loss(*columns, torch.tensor([1, 1, 0, 0]), margin=0.35)
    assert float(loss) == pytest.approx(0.6**2 + 0.05**2, abs=1e-5)


@pytest.mark.train
def test_lengths_of_vectors_do_not_matter(torch):
    queries, sources = pairs_at(torch, [0.9, 0.4, 0.7, 0.1])
    labels = torch.tensor([1, 1, 0, 0])
    loss = online_contrastive_loss(queries * 3, sources * 0.1, labels)
    assert float(loss) == pytest.approx(0.6**2 + 0.2**2, abs=1e-5)


@pytest.mark.train
def test_gradients_pull_positives_together(torch):
    queries, sources = pairs_at(torch, [0.9, 0.4, 0.7, 0.1])
    sources.requires_grad_()
    labels = torch.tensor([1, 1, 0, 0])
    online_contrastive_loss(queries, sources, labels).backward()
    moved = sources.detach() - 0.1 * sources.grad
    cosines = torch.nn.functional.cosine_similarity(queries, moved)
    assert cosines[1] > 0.4
    assert cosines[2] < 0.7
    assert cosines[[0, 3]].tolist() == pytest.approx([0.9, 0.1], abs=1e-6)


@pytest.mark.train
def test_a_batch_of_two_gives_a_number(torch):
    loss = online_contrastive_loss(*pairs_at(torch, [0.9, 0.4]), torch.tensor([1, 0]))
    assert float(loss) == 0.0


@pytest.mark.train
def test_the_loss_equals_that_of_sentence_transformers(torch):
    losses = pytest.importorskip("sentence_transformers.losses")
    torch.manual_seed(0)
    for size in (2, 3, 16, 64):
        queries, sources = torch.randn(size, 8), torch.randn(size, 8)
        labels = (torch.rand(size) < 0.3).long()
        theirs = losses.OnlineContrastiveLoss(lambda x: {"sentence_embedding": x["v"]})
        expected = theirs([{"v": queries}, {"v": sources}], labels)
        ours = online_contrastive_loss(queries, sources, labels)
        assert float(ours) == pytest.approx(float(expected), abs=1e-5)
