"""Cross-encoders as classifiers: they read query and source together."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from locisimiles.classify.calibration import Calibration
from locisimiles.errors import ParameterError
from locisimiles.models.onnx_cross_encoder import SHIPPED, OnnxCrossEncoder
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress

__all__ = ["CrossEncoderClassifier", "PairNetwork", "softmax"]

_CPU = ("auto", "cpu")


class PairNetwork(Protocol):
    """A network that reads pairs of texts."""

    def logits(
        self,
        query_texts: Sequence[str],
        source_texts: Sequence[str],
        query_rows: NDArray[np.integer[Any]],
        source_rows: NDArray[np.integer[Any]],
        *,
        progress: Progress = silent,
    ) -> NDArray[np.float32]:
        """Return the logits of the three classes, a row per pair."""

    def describe(self) -> Mapping[str, object]:
        """Return all that its logits depend on besides the texts."""


class CrossEncoderClassifier:
    """A cross-encoder with the probabilities of the three classes.

    Parameters
    ----------
    model
        ``latin`` comes with the package; it, and a folder with ``crossencoder.onnx``, need no
        torch. Anything else is a folder or a name on the Hub with a transformer that classifies
        into three classes, as ``locisimiles train crossencoder`` writes it.
    revision
        The version on the Hub; a commit never changes.
    device
        ``cpu``, ``cuda`` or ``auto``; for transformers only.

    Raises
    ------
    InputError
        If it is ``latin`` and none comes with the package. Whether another can be used, and what
        must be installed for it, shows when it is first used.
    ParameterError
        If revision or device is given for a model of ours.
    """

    calibration = Calibration()

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
            raise ParameterError("classify.fixed_model", model=self.model)

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        return {"classifier": "cross-encoder", **self.network.describe()}

    def probabilities(
        self,
        query: Document,
        source: Document,
        query_rows: NDArray[np.integer[Any]],
        source_rows: NDArray[np.integer[Any]],
        *,
        progress: Progress = silent,
    ) -> NDArray[np.float32]:
        """Return the probabilities of no match, *cit.* and *cf.*; see `Classifier`.

        Raises
        ------
        InputError, MissingDependencyError
            If the model cannot be used.
        ParameterError
            If a pair points beyond the segments.
        """
        texts = query.texts, source.texts
        return softmax(self.network.logits(*texts, query_rows, source_rows, progress=progress))

    @cached_property
    def network(self) -> PairNetwork:
        """The network, loaded on first use."""
        folder = self._own_folder()
        if folder is not None:
            return OnnxCrossEncoder(folder)
        from locisimiles.models.transformer_pairs import load_pair_transformer

        return load_pair_transformer(self.model, revision=self._revision, device=self._device)

    def _own_folder(self) -> Path | None:
        """Return the folder of a model of ours; None if the model is another's."""
        if self.model == SHIPPED:
            return OnnxCrossEncoder.shipped_path()
        folder = Path(self.model).expanduser()
        return folder if OnnxCrossEncoder.is_at(folder) else None


def softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return probabilities, a row per pair.

    Examples
    --------
    >>> softmax(np.log(np.array([[2.0, 1.0, 1.0]]))).round(3).tolist()
    [[0.5, 0.25, 0.25]]
    """
    raised = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
    chances: NDArray[np.float32] = (raised / raised.sum(axis=1, keepdims=True)).astype(np.float32)
    return chances
