"""The loss, computed by hand and by its own definition."""

import math

import pytest

pytestmark = pytest.mark.train


@pytest.fixture
def torch():
    return pytest.importorskip("torch")


def pairs_at(torch, cosines):
    """Return two columns of vectors in the plane with these cosines."""
    angles = torch.tensor([math.acos(cosine) for cosine in cosines])
    queries = torch.tensor([[1.0, 0.0]] * len(cosines))
    return queries, torch.stack([angles.cos(), angles.sin()], dim=1)


@pytest.mark.parametrize(
    ("cosines", "labels", "expected"),
    [
        # Distances .1 and .6 linked, .3 and .9 not. Hard: .6 (> .3), and .3 (< .6).
        ([0.9, 0.4, 0.7, 0.1], [1, 1, 0, 0], 0.6**2 + (0.5 - 0.3) ** 2),
        # Well separated: no hard pair.
        ([0.9, 0.8, 0.3, 0.1], [1, 1, 0, 0], 0.0),
        # Unlinked ones beyond the margin cost nothing, linked ones that are far do.
        ([0.1, 0.2, 0.3, 0.4], [1, 1, 0, 0], 0.9**2 + 0.8**2),
        # One linked pair does not set the bar: the mean of .3 and .9 is .6, so .3 is hard;
        # and the linked one (.4) is farther than .3.
        ([0.6, 0.7, 0.1], [1, 0, 0], 0.4**2 + 0.2**2),
        # One unlinked pair does not set it either: the mean of .1 and .6 is .35.
        ([0.9, 0.4, 0.7], [1, 1, 0], 0.6**2 + 0.2**2),
        # Linked pairs alone: those farther than their mean, if there is no unlinked one.
        ([0.9, 0.4], [1, 1], 0.6**2),
        # Unlinked ones alone: those nearer than their mean.
        ([0.7, 0.1], [0, 0], 0.2**2),
    ],
)
def test_hard_pairs_cost_what_the_formula_says(torch, cosines, labels, expected):
    from locisimiles.train.biencoder.losses import online_contrastive_loss

    loss = online_contrastive_loss(*pairs_at(torch, cosines), torch.tensor(labels))
    assert float(loss) == pytest.approx(expected, abs=1e-5)


def test_the_margin_says_how_far_unlinked_pairs_should_be(torch):
    from locisimiles.train.biencoder.losses import online_contrastive_loss

    columns = pairs_at(torch, [0.9, 0.4, 0.7, 0.1])
    loss = online_contrastive_loss(*columns, torch.tensor([1, 1, 0, 0]), margin=0.35)
    assert float(loss) == pytest.approx(0.6**2 + 0.05**2, abs=1e-5)


def test_lengths_of_vectors_do_not_matter(torch):
    from locisimiles.train.biencoder.losses import online_contrastive_loss

    queries, sources = pairs_at(torch, [0.9, 0.4, 0.7, 0.1])
    labels = torch.tensor([1, 1, 0, 0])
    loss = online_contrastive_loss(queries * 3, sources * 0.1, labels)
    assert float(loss) == pytest.approx(0.6**2 + 0.2**2, abs=1e-5)


def test_gradients_pull_linked_pairs_together(torch):
    from locisimiles.train.biencoder.losses import online_contrastive_loss

    queries, sources = pairs_at(torch, [0.9, 0.4, 0.7, 0.1])
    sources.requires_grad_()
    labels = torch.tensor([1, 1, 0, 0])
    online_contrastive_loss(queries, sources, labels).backward()
    moved = sources.detach() - 0.1 * sources.grad
    cosines = torch.nn.functional.cosine_similarity(queries, moved)
    assert cosines[1] > 0.4
    assert cosines[2] < 0.7
    assert cosines[[0, 3]].tolist() == pytest.approx([0.9, 0.1], abs=1e-6)


def test_a_batch_of_two_gives_a_number(torch):
    from locisimiles.train.biencoder.losses import online_contrastive_loss

    loss = online_contrastive_loss(*pairs_at(torch, [0.9, 0.4]), torch.tensor([1, 0]))
    assert float(loss) == 0.0


def test_it_is_that_of_sentence_transformers(torch):
    losses = pytest.importorskip("sentence_transformers.losses")
    from locisimiles.train.biencoder.losses import online_contrastive_loss

    torch.manual_seed(0)
    for size in (2, 3, 16, 64):
        queries, sources = torch.randn(size, 8), torch.randn(size, 8)
        labels = (torch.rand(size) < 0.3).long()
        theirs = losses.OnlineContrastiveLoss(lambda x: {"sentence_embedding": x["v"]})
        expected = theirs([{"v": queries}, {"v": sources}], labels)
        ours = online_contrastive_loss(queries, sources, labels)
        assert float(ours) == pytest.approx(float(expected), abs=1e-5)
