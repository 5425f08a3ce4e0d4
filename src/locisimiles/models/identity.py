"""Which model is which: the SHA-256 that weights learnt with a model carry."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol

from locisimiles.files.hashing import sha256_of
from locisimiles.models.onnx_model import OnnxModel

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["model_sha256"]


class _Described(Protocol):
    def describe(self) -> Mapping[str, object]: ...


def model_sha256(model: _Described) -> str:
    """Return the SHA-256 of an encoder or a cross-encoder; of its description if it is no file."""
    if isinstance(model, OnnxModel):
        return model.sha256
    return sha256_of(json.dumps(dict(model.describe()), sort_keys=True))
