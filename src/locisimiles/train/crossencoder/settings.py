"""How a cross-encoder of our own is trained."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Literal, get_args

from locisimiles.errors import ParameterError
from locisimiles.learn.sampling import check_sampling
from locisimiles.train.crossencoder.sampling import check_mix

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from locisimiles.learn.sampling import Strategy

__all__ = ["CrossEncoderSettings", "Pooling", "share_of_rate"]

Pooling = Literal["parts", "cls"]
_LEAST = {
    "hard_depth": 1,
    "samples": 1,
    "epochs": 1,
    "batch_size": 1,
    "at_once": 1,
    "budget": 6,  # room for a piece of each side, and special ones
    "layers": 1,
    "made_epochs": 0,
    "made_batch_size": 1,
    "checkpoint_every": 1,
    "seed": 0,
}


@dataclass(frozen=True, slots=True)
class CrossEncoderSettings:
    """How a cross-encoder is trained; sampling, epochs and rate are the paper's by default.

    Parameters
    ----------
    strategy, ratio, hard_depth
        How pairs that are no references are drawn, how many for each reference, and from how many
        of the most similar sources; see `locisimiles.learn.sampling`.
    mix
        How often each class is shown: a name or three shares; see
        `locisimiles.train.crossencoder.sampling`.
    samples
        How many pairs an epoch shows; as many as there are by default.
    at_once
        How many pairs of a batch are read at a time, for small memories; all by default.
    epochs, batch_size, rate, weight_decay, max_grad_norm
        Of AdamW. The encoder knows Latin already and forgets it if it is hurried.
    head_rate
        The learning rate of what is new: the head, and the marks.
    warm_up
        The part of all steps in which the rates rise; afterwards they fall to 0.
    dropout
        Of what the head sees.
    smoothing
        How much of the truth is spread over the other classes.
    budget
        How many word pieces a pair may have in all; each side gets half.
    layers
        How many layers of the encoder are kept; all by default.
    pooling
        What the head sees: ``parts`` (the first vector, and the means of both sides) or ``cls``
        (the first vector alone).
    matches
        Whether pieces that stand on both sides are marked.
    made_epochs, made_batch_size, made_rate
        Of the training on made pairs that comes first, where there are any.
    checkpoint_every
        After how many steps a cut-off training can go on.
    seed
        For pairs, their order, and dropout.

    Examples
    --------
    >>> CrossEncoderSettings().rate
    2e-05
    >>> CrossEncoderSettings(mix="even").as_dict()["mix"]
    'even'
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
    made_epochs: int = 1
    made_batch_size: int = 256
    made_rate: float = 1e-4
    checkpoint_every: int = 500
    seed: int = 42

    def __post_init__(self) -> None:
        check_sampling(self.strategy, self.ratio)
        check_mix(self.mix)
        if self.pooling not in get_args(Pooling):
            raise ParameterError(
                f"there is no pooling {self.pooling!r}", hint="choose parts or cls"
            )
        for name, least in _LEAST.items():
            if (value := getattr(self, name)) is not None and value < least:
                raise ParameterError(f"{name}={value} is less than {least}")
        for name in ("rate", "head_rate", "made_rate", "max_grad_norm"):
            if not 0 < getattr(self, name) < math.inf:
                raise ParameterError(f"{name}={getattr(self, name)} is no positive number")
        for name in ("warm_up", "dropout", "smoothing"):
            if not 0 <= getattr(self, name) < 1:
                raise ParameterError(f"{name}={getattr(self, name)} is not between 0 and 1")

    def as_dict(self) -> dict[str, Any]:
        """Return the settings by name, for files."""
        return asdict(self)

    @classmethod
    def of_dict(cls, content: Mapping[str, Any]) -> CrossEncoderSettings:
        """Return what `as_dict` gave.

        Raises
        ------
        ParameterError
            If there is a name that we do not know.
        """
        unknown = sorted(set(content) - {field.name for field in fields(cls)})
        if unknown:
            raise ParameterError(f"there is no setting {unknown[0]!r}")
        return cls(**content)


def share_of_rate(step: int, steps: int, warm_up: float) -> float:
    """Return the learning rate of a step: it rises for a while, then falls, both linearly.

    Examples
    --------
    >>> [share_of_rate(step, 100, 0.1) for step in (0, 4, 9, 10, 55, 99)]
    [0.1, 0.5, 1.0, 1.0, 0.5, 0.011111111111111112]
    """
    rising = math.ceil(steps * warm_up)
    return min((step + 1) / max(rising, 1), (steps - step) / max(steps - rising, 1), 1.0)
