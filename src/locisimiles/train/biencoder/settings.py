"""How a bi-encoder is trained; by default as in the paper."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.checks import check_at_least, check_between
from locisimiles.learn.sampling import check_sampling
from locisimiles.models.families import PAPER_PROMPTS, Prompts, check_pooling
from locisimiles.train.common.optimization import check_positive

if TYPE_CHECKING:
    from locisimiles.learn.sampling import Strategy
    from locisimiles.models.families import Pooling

__all__ = ["BiEncoderSettings"]

_AT_LEAST_ONE = (
    "hard_depth", "epochs", "batch_size", "evaluate_every", "evaluation_batch_size",
    "checkpoint_every",
)  # fmt: skip
_POSITIVE = ("learning_rate", "epsilon", "max_grad_norm", "margin")


@dataclass(frozen=True, slots=True)
class BiEncoderSettings:
    """Settings of a bi-encoder's training.

    The paper does not report its final ratio and margin: 5 is where its grid becomes flat, 0.5 the
    default of sentence-transformers.

    Parameters
    ----------
    strategy, ratio, hard_depth
        Sampling strategy, number of negatives per reference, and number of most similar sources to
        draw them from; see `locisimiles.learn.sampling`.
    epochs, batch_size, learning_rate, betas, epsilon, weight_decay, max_grad_norm
        Parameters of AdamW.
    warmup
        The share of steps in which the learning rate rises; it then falls to 0.
    margin
        Minimum cosine distance of negatives.
    prompts
        Prefixes of queries and sources.
    pooling, max_length
        As in `locisimiles.models.loading.load_encoder`.
    evaluate_every, evaluation_batch_size
        Steps between evaluations of the held-out fold, and pairs per batch. The figures are only
        logged.
    checkpoint_every
        Steps between checkpoints.
    seed
        For pairs, their order, and dropout.

    Examples
    --------
    >>> BiEncoderSettings().learning_rate
    2e-05
    >>> [BiEncoderSettings().learning_rate_at(step, 100) * 1e5 for step in (0, 5, 10, 55, 100)]
    [0.0, 1.0, 2.0, 1.0, 0.0]
    """

    strategy: Strategy = "qry,mix"
    ratio: int = 5
    hard_depth: int = 100
    epochs: int = 4
    batch_size: int = 32
    learning_rate: float = 2e-5
    betas: tuple[float, float] = (0.9, 0.999)
    epsilon: float = 1e-8
    weight_decay: float = 0.01
    max_grad_norm: float = 1.0
    warmup: float = 0.1
    margin: float = 0.5
    prompts: Prompts = PAPER_PROMPTS
    pooling: Pooling | None = None
    max_length: int | None = None
    evaluate_every: int = 50
    evaluation_batch_size: int = 8
    checkpoint_every: int = 50
    seed: int = 42

    def __post_init__(self) -> None:
        check_sampling(self.strategy, self.ratio)
        if self.pooling is not None:
            check_pooling(self.pooling)
        check_at_least(1, **{name: getattr(self, name) for name in _AT_LEAST_ONE})
        check_at_least(0, seed=self.seed)
        check_positive(**{name: getattr(self, name) for name in _POSITIVE})
        check_between(0, 1, warmup=self.warmup)

    def steps(self, pairs: int) -> int:
        """Return the number of steps of a training on `pairs` pairs."""
        return self.epochs * math.ceil(pairs / self.batch_size)

    def learning_rate_at(self, step: int, steps: int) -> float:
        """Return the learning rate of a step: a linear warm-up, then a linear decay."""
        rising = math.ceil(steps * self.warmup)
        if step < rising:
            return self.learning_rate * step / rising
        return self.learning_rate * (steps - step) / max(steps - rising, 1)
