"""Precision, weight decay and saved weights, the same for all networks."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["decay_groups", "half_precision", "half_weights"]


def half_precision(device: str) -> contextlib.AbstractContextManager[object]:
    """Return a context in which a GPU computes in bfloat16; a CPU stays at float32."""
    import torch

    on_gpu = device.startswith("cuda")
    context: contextlib.AbstractContextManager[object] = (
        torch.autocast("cuda", dtype=torch.bfloat16) if on_gpu else contextlib.nullcontext()
    )
    return context


def decay_groups(parameters: Iterable[Any], decay: float, **options: float) -> list[dict[str, Any]]:
    """Return parameter groups for AdamW; as is usual, biases and scales of norms do not decay."""
    parameters = list(parameters)
    groups = (
        ([p for p in parameters if p.ndim > 1], decay),
        ([p for p in parameters if p.ndim <= 1], 0.0),
    )
    return [{"params": some, "weight_decay": rate, **options} for some, rate in groups if some]


def half_weights(model: Any) -> dict[str, Any]:  # noqa: ANN401 - a torch module
    """Return the weights of a network in half precision, ready for safetensors."""
    return {
        name: tensor.detach().half().cpu().contiguous()
        for name, tensor in model.state_dict().items()
    }
