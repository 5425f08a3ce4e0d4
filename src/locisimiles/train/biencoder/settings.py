"""How a bi-encoder is trained; by default as the paper does it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from locisimiles.errors import ParameterError
from locisimiles.learn.sampling import check_sampling
from locisimiles.models.families import PAPER_PROMPTS, Prompts, check_pooling

if TYPE_CHECKING:
    from locisimiles.learn.sampling import Strategy
    from locisimiles.models.families import Pooling

__all__ = ["BiEncoderSettings"]


@dataclass(frozen=True, slots=True)
class BiEncoderSettings:
    """How a bi-encoder is trained.

    The paper does not say which ratio and which margin it used in the end: 5 is where its grid
    becomes flat, 0.5 what sentence-transformers takes.

    Parameters
    ----------
    strategy, ratio
        How pairs that are no references are drawn, and how many for each reference; see
        `locisimiles.learn.sampling`.
    hard_depth
        Similar sources are drawn from so many of the nearest.
    epochs, batch_size, learning_rate, betas, epsilon, weight_decay, max_grad_norm
        Of AdamW.
    warmup
        The part of all steps in which the learning rate rises; afterwards it falls to 0.
    margin
        How far apart unlinked pairs should be.
    prompts
        What is written before queries and sources.
    pooling, max_length
        As in `locisimiles.models.loading.load_encoder`.
    evaluate_every, evaluation_batch_size
        After how many steps the held-out fold is looked at, and how many pairs at a time. What is
        seen there is logged; it decides nothing.
    checkpoint_every
        After how many steps a cut-off training can go on.
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
        whole = (
            "hard_depth", "epochs", "batch_size", "evaluate_every", "evaluation_batch_size",
            "checkpoint_every",
        )  # fmt: skip
        for name in whole:
            if getattr(self, name) < 1:
                raise ParameterError(f"{name}={getattr(self, name)} is less than 1")
        for name in ("learning_rate", "epsilon", "max_grad_norm", "margin"):
            if not 0 < getattr(self, name) < math.inf:
                raise ParameterError(f"{name}={getattr(self, name)} is no positive number")
        if not 0 <= self.warmup <= 1:
            raise ParameterError(
                f"warmup={self.warmup} is not between 0 and 1", hint="0.1 is usual"
            )
        if self.seed < 0:
            raise ParameterError(f"seed={self.seed} is negative")

    def steps(self, pairs: int) -> int:
        """Return how many steps a training on so many pairs takes."""
        return self.epochs * math.ceil(pairs / self.batch_size)

    def learning_rate_at(self, step: int, steps: int) -> float:
        """Return the learning rate of a step: it rises for a while, then falls, both linearly."""
        rising = math.ceil(steps * self.warmup)
        if step < rising:
            return self.learning_rate * step / rising
        return self.learning_rate * (steps - step) / max(steps - rising, 1)
