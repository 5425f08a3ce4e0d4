"""An encoder learns which words correspond to each other."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.train

from locisimiles.errors import ParameterError  # noqa: E402
from locisimiles.train.encoder.network import EncoderConfig, LatinEncoder  # noqa: E402
from locisimiles.train.late import tuning  # noqa: E402
from locisimiles.train.late.evaluation import RankingEvaluation, evaluate  # noqa: E402
from locisimiles.train.late.network import LateEncoder  # noqa: E402
from locisimiles.train.late.pieces import (  # noqa: E402
    PieceTable,
    TuningData,
    rarity,
)
from locisimiles.train.late.tuning import TuneSettings, main_directions, tune  # noqa: E402

WORDS = 12  # pieces 5 to 16 are words of sources, 17 to 28 what answers each of them
CONFIG = EncoderConfig(vocabulary=5 + 2 * WORDS, width=16, layers=1, heads=2, inner=24)


def table(rows):
    bounds = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    pieces = np.concatenate([np.empty(0, np.int64), *map(np.asarray, rows)]).astype(np.uint16)
    return PieceTable(pieces, np.ones(len(pieces), bool), bounds)


def synonyms(count=300, seed=0):
    """Return pairs that have no piece in common, but a word of the other language for each."""
    rng = np.random.default_rng(seed)
    sources = [rng.choice(np.arange(5, 5 + WORDS), 4, replace=False) for _ in range(40)]
    answer = rng.integers(40, size=count).astype(np.int32)
    queries = [rng.permutation(sources[row]) + WORDS for row in answer]
    wrong = rng.integers(40, size=(count, 5)).astype(np.int32)
    wrong[wrong == answer[:, None]] = -1
    own = table(sources)
    duplicates = np.arange(40, dtype=np.int32)
    return TuningData(
        own, table(queries), rarity(own, CONFIG.vocabulary), answer, wrong, duplicates
    )


def model(seed=0):
    torch.manual_seed(seed)
    return LateEncoder(LatinEncoder(CONFIG), 8)


def weights(network):
    return torch.cat([tensor.flatten() for tensor in network.state_dict().values()])


SETTINGS = TuneSettings(steps=150, batch=24, rate=1e-2, head_rate=1e-2, negatives=4)


def test_training_finds_sources_that_share_no_word():
    train, test = synonyms().split(60)
    network = model()
    before = evaluate(network, test)
    main_directions(network, train)
    loss = tune(network, train, SETTINGS)
    after = evaluate(network, test)
    assert before.queries == after.queries == 60
    assert before.first < 0.2
    assert after.first > 0.7
    assert loss < np.log(40) / 2  # half of what guessing costs


def test_the_same_seed_trains_the_same_and_another_does_not():
    data = synonyms(50)
    found = []
    for seed in (1, 1, 2):
        network = model()
        tune(network, data, TuneSettings(steps=3, batch=8, seed=seed))
        found.append(weights(network))
    assert torch.equal(found[0], found[1])
    assert not torch.equal(found[0], found[2])


def test_an_interrupted_training_ends_with_the_same_weights(tmp_path, monkeypatch):
    monkeypatch.setattr(tuning, "_SAVE_EVERY", 3)
    monkeypatch.setattr(tuning, "_REPORT_EVERY", 1)
    data, settings = synonyms(50), TuneSettings(steps=10, batch=8, rate=1e-3)
    whole = model()
    expected = tune(whole, data, settings)

    def interrupt(_, done, __):
        if done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune(model(), data, settings, checkpoints=tmp_path, progress=interrupt)
    second, seen = model(seed=9), []
    loss = tune(
        second, data, settings, checkpoints=tmp_path, progress=lambda *now: seen.append(now[1])
    )
    assert seen == [6, 7, 8, 9, 10]
    assert loss == pytest.approx(expected, rel=1e-5)
    torch.testing.assert_close(weights(second), weights(whole))


def test_the_head_starts_with_orthogonal_principal_directions():
    network, data = model(), synonyms(20)
    main_directions(network, data)
    head = network.head.weight.detach()
    torch.testing.assert_close(head @ head.T, torch.eye(8), atol=1e-5, rtol=0)
    numbers = torch.from_numpy(data.sources.batch(range(40), data.weights).numbers)
    with torch.no_grad():
        hidden = network.encoder(numbers)[:, 1:-1].reshape(-1, 16)
    hidden = torch.nn.functional.normalize(hidden, dim=-1)
    kept = (hidden @ head.T).square().sum()
    others = torch.linalg.qr(torch.randn(16, 8))[0]
    assert kept > (hidden @ others).square().sum()
    assert kept / hidden.square().sum() > 0.7


@pytest.mark.parametrize(
    "wrong",
    [{"steps": 0}, {"batch": 0}, {"negatives": 0}, {"rate": 0}, {"power": -1}, {"warm_up": 2}],
)
def test_invalid_settings_are_refused(wrong):
    with pytest.raises(ParameterError):
        TuneSettings(**wrong)


class Letters(torch.nn.Module):
    """A piece is near to itself only."""

    def forward(self, numbers, _):
        return None, torch.nn.functional.one_hot(numbers, 20).float()


def hand_made(queries, answer, wrong, duplicates=(0, 1, 2, 3)):
    sources = table([[5, 6], [5, 7], [8, 9], [6, 5]])
    return TuningData(
        sources,
        table(queries),
        np.ones(20, np.float32),
        np.array(answer, np.int32),
        np.array(wrong, np.int32),
        np.array(duplicates, np.int32),
    )


@pytest.mark.parametrize(
    ("answer", "duplicates", "first"),
    [
        (2, (0, 1, 2, 3), 0.0),  # shares nothing
        (1, (0, 1, 2, 3), 0.0),  # 5 only
        (0, (0, 1, 2, 3), 0.0),  # the last source is as good
        (0, (0, 1, 2, 0), 1.0),  # the last source has the same words, so it is passed over
    ],
)
def test_only_a_source_ranked_before_all_others_is_first(answer, duplicates, first):
    data = hand_made([[5, 6]], [answer], [[1, -1]], duplicates)
    assert evaluate(Letters(), data) == RankingEvaluation(first, 1)


def test_the_share_of_queries_is_counted():
    data = hand_made([[8], [8], [7], [9, 8]] * 9, [2, 0, 1, 2] * 9, [[-1]] * 36)
    assert evaluate(Letters(), data) == RankingEvaluation(0.75, 36)


def test_without_pairs_nothing_can_be_evaluated():
    with pytest.raises(ParameterError, match="no pairs"):
        evaluate(Letters(), hand_made([], [], np.empty((0, 2))))
