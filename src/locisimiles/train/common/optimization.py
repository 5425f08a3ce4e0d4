"""Checks of settings, learning rates, precision and weight decay, the same for all networks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from locisimiles.errors import ParameterError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["check_positive", "check_share", "decay_groups", "half_precision", "rate_share"]


def check_positive(**values: float) -> None:
    """Raise a ParameterError for a value that is not a positive, finite number.

    Examples
    --------
    >>> check_positive(rate=0.0)
    Traceback (most recent call last):
    ...
    locisimiles.errors.ParameterError: rate must be positive (got 0.0)
    """
    for name, value in values.items():
        if not 0 < value < math.inf:
            raise ParameterError("train.not_positive", name=name, value=str(value))


def check_share(**values: float) -> None:
    """Raise a ParameterError for a value below 0, or of 1 and more."""
    for name, value in values.items():
        if not 0 <= value < 1:
            raise ParameterError("train.not_a_share", name=name, value=str(value))


def rate_share(step: int, steps: int, warm_up: int) -> float:
    """Return the share of the learning rate at a step: a linear warm-up, then a linear decay.

    Examples
    --------
    >>> [rate_share(step, 100, 10) for step in (0, 4, 9, 10, 55, 99)]
    [0.1, 0.5, 1.0, 1.0, 0.5, 0.011111111111111112]
    """
    return min((step + 1) / max(warm_up, 1), (steps - step) / max(steps - warm_up, 1), 1.0)


def half_precision(device: str) -> Any:  # noqa: ANN401 - a context manager of torch
    """Return a context in which a GPU computes in bfloat16; a CPU stays at float32."""
    import torch

    kind = torch.device(device).type
    return torch.autocast(kind, dtype=torch.bfloat16, enabled=kind == "cuda")


def decay_groups(parameters: Iterable[Any], decay: float, **options: float) -> list[dict[str, Any]]:
    """Return parameter groups for AdamW; as is usual, biases and scales of norms do not decay."""
    parameters = list(parameters)
    groups = (
        ([p for p in parameters if p.ndim > 1], decay),
        ([p for p in parameters if p.ndim <= 1], 0.0),
    )
    return [{"params": some, "weight_decay": rate, **options} for some, rate in groups if some]
