"""The identity of a model: weights that were learnt with it store its SHA-256."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol

from locisimiles.files.hashing import sha256_of
from locisimiles.models.onnx_model import OnnxModel

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Described", "model_sha256"]


class Described(Protocol):
    """A model that can be identified."""

    def describe(self) -> Mapping[str, object]:
        """Return all that its output depends on besides the texts, for manifests and caches."""


def model_sha256(model: Described) -> str:
    """Return the SHA-256 of an encoder or cross-encoder: of its files, or else its description."""
    if isinstance(model, OnnxModel):
        return model.sha256
    return sha256_of(json.dumps(dict(model.describe()), sort_keys=True))
