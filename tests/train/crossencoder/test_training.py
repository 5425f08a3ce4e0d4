"""A small cross-encoder learns to classify pairs."""

import time
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.train

from locisimiles.models.pair_pieces import PairTexts, TextPieces  # noqa: E402
from locisimiles.train.crossencoder.network import CrossEncoder, pair_loss  # noqa: E402
from locisimiles.train.crossencoder.sampling import LabelledPairs  # noqa: E402
from locisimiles.train.crossencoder.settings import CrossEncoderSettings  # noqa: E402
from locisimiles.train.crossencoder.training import predict, train_on_pairs  # noqa: E402
from locisimiles.train.encoder.network import EncoderConfig, LatinEncoder  # noqa: E402

CONFIG = EncoderConfig(vocabulary=30, width=16, layers=1, heads=2, inner=24)
SETTINGS = CrossEncoderSettings(
    epochs=6, batch_size=16, rate=5e-3, head_rate=1e-2, mix="even", samples=240, checkpoint_every=7
)


def texts(rows, other, **options):
    def pieces(some):
        bounds = np.cumsum([0, *map(len, some)], dtype=np.int64)
        return TextPieces(np.concatenate(some).astype(np.uint16), bounds)

    return PairTexts(pieces(rows), pieces(other), **options)


def echoes(count=90, seed=0):
    """Return pairs: two shared pieces make a cit., one a cf., none no match."""
    rng = np.random.default_rng(seed)
    label = np.arange(count) % 3
    queries, sources = [], []
    for kind in label:
        drawn = rng.permutation(np.arange(5, 30))
        shared = {0: 0, 1: 2, 2: 1}[int(kind)]
        queries.append(drawn[: rng.integers(2, 5)])
        sources.append([*queries[-1][:shared], *drawn[6 : 10 + rng.integers(3)]])
    place = np.arange(count, dtype=np.int32)
    return texts(queries, sources), LabelledPairs(place, place, label.astype(np.uint8))


def network(seed=0, **options):
    torch.manual_seed(seed)
    return CrossEncoder(LatinEncoder(CONFIG), **options)


def weights(model):
    return torch.cat([tensor.flatten() for tensor in model.state_dict().values()])


@pytest.mark.parametrize(("pooling", "epochs"), [("parts", 6), ("cls", 16)])
def test_it_learns_the_three_classes(pooling, epochs):
    own, pairs = echoes()
    model = network(pooling=pooling)
    log = train_on_pairs(model, own, pairs, replace(SETTINGS, epochs=epochs))
    assert log.finished
    assert log.steps == epochs * 15
    unseen, others = echoes(60, seed=1)
    found = predict(model, unseen, others.query, others.source).argmax(axis=1)
    assert (found == others.label).mean() > 0.85


def test_marks_speed_up_learning():
    own, pairs = echoes()
    blind = PairTexts(own.query, own.source, matches=False)
    hits = []
    for side in (own, blind):
        model = network()
        train_on_pairs(model, side, pairs, SETTINGS)
        hits.append(
            (predict(model, side, pairs.query, pairs.source).argmax(1) == pairs.label).mean()
        )
    assert hits[0] > hits[1]


def test_an_interrupted_training_ends_with_the_same_weights(tmp_path):
    own, pairs = echoes()
    settings = CrossEncoderSettings(epochs=2, batch_size=16, rate=1e-3, dropout=0.2)
    whole = network(dropout=0.2)
    train_on_pairs(whole, own, pairs, settings)
    log = None
    for _ in range(20):
        part = network(dropout=0.2)
        log = train_on_pairs(
            part, own, pairs, settings, checkpoints=tmp_path, deadline=time.monotonic()
        )
        if log.finished:
            break
    assert log.finished
    assert log.done == 12
    assert torch.allclose(weights(part), weights(whole), atol=1e-6)


def test_synthetic_pairs_teach_only_that_there_is_a_reference():
    own, pairs = echoes()
    labels = np.where(pairs.label, 3, 0).astype(np.uint8)
    synthetic = LabelledPairs(pairs.query, pairs.source, labels)
    model = network()
    settings = CrossEncoderSettings(
        synthetic_epochs=30, synthetic_batch_size=16, synthetic_rate=5e-3, head_rate=1e-2
    )
    train_on_pairs(model, own, synthetic, settings, synthetic=True)
    logits = predict(model, own, pairs.query, pairs.source)
    found = torch.from_numpy(logits).softmax(1)[:, 1:].sum(1).numpy() > 0.5
    assert (found == (pairs.label > 0)).mean() > 0.9


def test_the_loss_of_an_unknown_kind_is_that_of_any_reference():
    logits = torch.log(torch.tensor([[0.5, 0.3, 0.2], [0.25, 0.25, 0.5]]))
    assert pair_loss(logits, torch.tensor([3, 2])).item() == pytest.approx(-np.log(0.5))
    assert pair_loss(logits, torch.tensor([0, 1])).item() == pytest.approx(
        -(np.log(0.5) + np.log(0.25)) / 2
    )


def test_logits_do_not_depend_on_the_batch():
    own, pairs = echoes()
    model = network()
    torch.nn.init.normal_(model.marks.weight)
    together = predict(model, own, pairs.query, pairs.source)
    for row in (0, 41, 89):
        alone = predict(model, own, pairs.query[[row]], pairs.source[[row]])
        np.testing.assert_allclose(alone[0], together[row], atol=1e-5)


def test_a_new_network_gives_the_vectors_of_its_encoder():
    own, _ = echoes()
    model = network(pooling="cls").eval()
    batch = own.batch(np.array([0]), np.array([0]))
    numbers = torch.from_numpy(batch.numbers)
    with torch.inference_mode():
        expected = model.head(model.encoder(numbers)[:, 0])
        found = model(numbers, torch.from_numpy(batch.marks), torch.from_numpy(batch.lengths))
    assert torch.allclose(found, expected, atol=1e-6)
