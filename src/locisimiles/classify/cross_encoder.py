"""Cross-encoders as classifiers: they read query and source together."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.models.cross_encoder_folder import (
    SHIPPED,
    is_cross_encoder_folder,
    shipped_cross_encoder_folder,
)
from locisimiles.models.onnx_cross_encoder import OnnxCrossEncoder
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress

__all__ = ["CrossEncoderClassifier", "PairReader", "softmax"]


class PairReader(Protocol):
    """What a classifier asks of a model."""

    def logits(
        self,
        query_texts: Sequence[str],
        source_texts: Sequence[str],
        pairs_query: NDArray[np.integer[Any]],
        pairs_source: NDArray[np.integer[Any]],
        *,
        progress: Progress = silent,
    ) -> NDArray[np.float32]:
        """Return a number for each class, a row a pair."""

    def describe(self) -> Mapping[str, object]:
        """Return what must be known of it to get the same numbers."""


class CrossEncoderClassifier:
    """A cross-encoder that says how likely each class is.

    Parameters
    ----------
    model
        ``latin`` is the one that comes with the package; it, and a folder with
        ``crossencoder.onnx``, need no torch. Anything else is a folder or a name on the Hub with a
        transformer that classifies into three classes, as `locisimiles train crossencoder` writes
        it.
    revision
        Which version on the Hub; a commit cannot change behind your back.
    device
        ``cpu``, ``cuda`` or ``auto``; for transformers only.

    Raises
    ------
    InputError
        If it is ``latin`` and none comes with the package. Whether another can be used, and what
        must be installed for it, is told when it is first asked.
    ParameterError
        If a model of ours is to be used in a way it cannot be.
    """

    def __init__(
        self,
        model: str | PathLike[str] = SHIPPED,
        *,
        revision: str | None = None,
        device: str = "auto",
    ) -> None:
        self.model = str(model)
        self._revision, self._device = revision, device
        if self._own_folder() is not None and (revision is not None or device not in _CPU):
            raise ParameterError(
                f"the cross-encoder {self.model!r} has one way of use; revision and device cannot "
                "be chosen",
                hint="leave them out, or use a model of transformers",
            )

    def parameters(self) -> Mapping[str, object]:
        """Return what must be known to get the same probabilities, for manifests."""
        return {"classifier": "cross-encoder", **self.reader.describe()}

    def probabilities(
        self,
        query: Document,
        source: Document,
        pairs_query: NDArray[np.integer[Any]],
        pairs_source: NDArray[np.integer[Any]],
        *,
        progress: Progress = silent,
    ) -> NDArray[np.float32]:
        """Return how likely each class is: no match, cit., cf.; a row a pair, which adds up to 1.

        Parameters
        ----------
        query, source
            The documents.
        pairs_query, pairs_source
            The pairs, as positions of their segments.
        progress
            Called now and then.

        Raises
        ------
        InputError, MissingDependencyError
            If the model cannot be used.
        ParameterError
            If a pair points beyond the segments.
        """
        logits = self.reader.logits(
            query.texts, source.texts, pairs_query, pairs_source, progress=progress
        )
        return softmax(logits)

    @cached_property
    def reader(self) -> PairReader:
        """The model itself, loaded when it is first asked for."""
        folder = self._own_folder()
        if folder is not None:
            return OnnxCrossEncoder(folder)
        from locisimiles.models.transformer_pairs import load_pair_transformer

        return load_pair_transformer(self.model, revision=self._revision, device=self._device)

    def _own_folder(self) -> Path | None:
        """Return the folder of a model of ours, None if it is somebody else's."""
        if self.model == SHIPPED:
            return shipped_cross_encoder_folder()
        folder = Path(self.model).expanduser()
        return folder if is_cross_encoder_folder(folder) else None


_CPU = ("auto", "cpu")


def softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return probabilities, a row a pair.

    Examples
    --------
    >>> softmax(np.log(np.array([[2.0, 1.0, 1.0]]))).round(3).tolist()
    [[0.5, 0.25, 0.25]]
    """
    raised = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
    found: NDArray[np.float32] = (raised / raised.sum(axis=1, keepdims=True)).astype(np.float32)
    return found
