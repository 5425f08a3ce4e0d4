"""How a cross-encoder is trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from locisimiles.checks import check_at_least, check_choice
from locisimiles.learn.sampling import check_sampling
from locisimiles.train.common.optimization import check_positive, check_share
from locisimiles.train.crossencoder.sampling import check_mix

if TYPE_CHECKING:
    from locisimiles.learn.sampling import Strategy

__all__ = ["CrossEncoderSettings", "Pooling"]

Pooling = Literal["parts", "cls"]
_AT_LEAST_ONE = (
    "hard_depth", "samples", "epochs", "batch_size", "at_once", "layers", "synthetic_batch_size",
    "checkpoint_every",
)  # fmt: skip
_POSITIVE = ("rate", "head_rate", "synthetic_rate", "max_grad_norm")
_SMALLEST_BUDGET = 6  # a piece on each side, and the special ones


@dataclass(frozen=True, slots=True)
class CrossEncoderSettings:
    """Settings of a cross-encoder's training; sampling, epochs and rate default to the paper's.

    Parameters
    ----------
    strategy, ratio, hard_depth
        Sampling strategy, number of negatives per reference, and number of most similar sources to
        draw them from; see `locisimiles.learn.sampling`.
    mix
        Shares of the classes in an epoch: a name or three numbers; see
        `locisimiles.train.crossencoder.sampling`.
    samples, at_once
        Pairs per epoch, and pairs in memory at a time; by default all.
    epochs, batch_size, rate, weight_decay, max_grad_norm
        Parameters of AdamW. At a high rate the encoder forgets its Latin.
    head_rate
        The learning rate of new parameters: the head, and the marks.
    warm_up
        The share of steps in which the rates rise; they then fall to 0.
    dropout, smoothing
        Dropout of the head's input, and label smoothing.
    budget, layers
        Word pieces of a pair, of which each side gets half; layers of the encoder, by default all.
    pooling
        The head's input: ``parts`` (the first vector, and the means of both sides) or ``cls`` (the
        first vector alone).
    matches
        Whether pieces that occur on both sides are marked.
    synthetic_epochs, synthetic_batch_size, synthetic_rate
        Parameters of the first training on synthetic pairs, if there are any.
    teacher_share
        The share of teachers in the loss where a network learns from others, too; labels have the
        rest.
    checkpoint_every
        Steps between checkpoints.
    seed
        For pairs, their order, and dropout.

    Examples
    --------
    >>> CrossEncoderSettings().rate
    2e-05
    """

    strategy: Strategy = "qry,mix"
    ratio: int = 10
    hard_depth: int = 100
    mix: str = "mild"
    samples: int | None = None
    epochs: int = 4
    batch_size: int = 64
    at_once: int | None = None
    rate: float = 2e-5
    head_rate: float = 5e-4
    weight_decay: float = 0.01
    max_grad_norm: float = 1.0
    warm_up: float = 0.1
    dropout: float = 0.1
    smoothing: float = 0.0
    budget: int = 128
    layers: int | None = None
    pooling: Pooling = "parts"
    matches: bool = True
    synthetic_epochs: int = 1
    synthetic_batch_size: int = 256
    synthetic_rate: float = 1e-4
    teacher_share: float = 0.5
    checkpoint_every: int = 500
    seed: int = 42

    def __post_init__(self) -> None:
        check_sampling(self.strategy, self.ratio)
        check_mix(self.mix)
        check_choice(get_args(Pooling), pooling=self.pooling)
        check_at_least(1, **{name: getattr(self, name) for name in _AT_LEAST_ONE})
        check_at_least(_SMALLEST_BUDGET, budget=self.budget)
        check_at_least(0, synthetic_epochs=self.synthetic_epochs, seed=self.seed)
        check_positive(**{name: getattr(self, name) for name in _POSITIVE})
        check_share(
            warm_up=self.warm_up,
            dropout=self.dropout,
            smoothing=self.smoothing,
            teacher_share=self.teacher_share,
        )
