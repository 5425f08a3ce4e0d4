"""The settings of a training."""

import pytest

from locisimiles import ParameterError
from locisimiles.models.families import PAPER_PROMPTS
from locisimiles.train.biencoder.settings import BiEncoderSettings


def test_the_defaults_are_those_of_the_paper():
    settings = BiEncoderSettings()
    assert (settings.epochs, settings.batch_size, settings.learning_rate) == (4, 32, 2e-5)
    assert (settings.betas, settings.epsilon) == ((0.9, 0.999), 1e-8)
    assert (settings.weight_decay, settings.max_grad_norm, settings.warmup) == (0.01, 1.0, 0.1)
    assert (settings.evaluate_every, settings.evaluation_batch_size) == (50, 8)
    assert (settings.seed, settings.prompts) == (42, PAPER_PROMPTS)


def test_the_learning_rate_rises_for_a_tenth_and_then_falls_to_zero():
    settings = BiEncoderSettings(learning_rate=1.0)
    rates = [settings.learning_rate_at(step, 95) for step in range(96)]
    assert rates.index(max(rates)) == 10
    assert max(rates) == 1.0
    assert (rates[0], rates[5], rates[95]) == (0.0, 0.5, 0.0)
    assert rates[10:] == sorted(rates[10:], reverse=True)


def test_without_warmup_the_rate_starts_at_its_maximum():
    assert BiEncoderSettings(warmup=0, learning_rate=1.0).learning_rate_at(0, 10) == 1.0


def test_the_last_batch_of_an_epoch_may_be_smaller():
    assert BiEncoderSettings(epochs=3, batch_size=32).steps(65) == 9


@pytest.mark.parametrize(
    "wrong",
    [
        {"strategy": "all"},
        {"ratio": 0},
        {"epochs": 0},
        {"batch_size": -1},
        {"learning_rate": 0},
        {"learning_rate": float("nan")},
        {"warmup": 1.5},
        {"margin": -1},
        {"pooling": "max"},
        {"seed": -1},
        {"checkpoint_every": 0},
    ],
)
def test_invalid_options_are_refused(wrong):
    with pytest.raises(ParameterError):
        BiEncoderSettings(**wrong)
