"""Which model takes the place of one that the paper's package would download."""

from __future__ import annotations

import warnings
from pathlib import Path

from locisimiles.messages import Message

__all__ = ["CLASSIFIER", "CONTEXTUAL", "EMBEDDINGS", "local_model"]

EMBEDDINGS = "julian-schelb/multilingual-e5-large-emb-lat-intertext-v1"
CLASSIFIER = "julian-schelb/xlm-roberta-large-class-lat-intertext-v1"
CONTEXTUAL = "xlm-roberta-base"

_warned = False


def local_model(name: str | Path) -> Path | None:
    """Return the folder of a model; None, after one warning, if ours takes its place."""
    global _warned  # noqa: PLW0603 - one warning a process
    if Path(name).is_dir():
        return Path(name)
    if not _warned:
        _warned = True
        warnings.warn(str(Message("compat.model", {"name": str(name)})), UserWarning, stacklevel=4)
    return None
