"""Cross-encoders as classifiers: they read query and source together."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from locisimiles.classify.calibration import Calibration
from locisimiles.classify.logistic import softmax
from locisimiles.errors import ParameterError
from locisimiles.models.onnx_cross_encoder import (
    SHIPPED,
    OnnxCrossEncoder,
    is_cross_encoder_folder,
    shipped_cross_encoder_folder,
)
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    import numpy as np
    from numpy.typing import NDArray

    from locisimiles.classify.base import Pairs
    from locisimiles.progress import Progress

__all__ = ["CrossEncoderClassifier", "PairNetwork"]

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
        """Return everything that the logits depend on besides the texts."""


class CrossEncoderClassifier:
    """A cross-encoder that gives the probabilities of the three classes.

    Parameters
    ----------
    model
        ``latin``, which comes with the package, or a folder with ``crossencoder.onnx``: neither
        needs torch. Otherwise a folder, or a name on the Hub, with a transformer that classifies
        into three classes, as ``locisimiles train crossencoder`` writes it.
    revision
        The version on the Hub; a commit never changes.
    device
        ``cpu``, ``cuda`` or ``auto``; for transformers only.

    Raises
    ------
    InputError
        If the model is ``latin`` and this version does not ship it. Other models are loaded on
        first use.
    ParameterError
        If `revision` or `device` is given for an ONNX model.
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
        if self._onnx_folder() is not None and (revision is not None or device not in _CPU):
            raise ParameterError("classify.fixed_model", model=self.model)

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        return {"classifier": "cross-encoder", **self.network.describe()}

    def probabilities(self, pairs: Pairs, *, progress: Progress = silent) -> NDArray[np.float32]:
        """Return the probabilities of no match, *cit.* and *cf.*, a row per pair.

        Raises
        ------
        InputError, MissingDependencyError
            If the model cannot be used.
        """
        texts, rows = (pairs.query.texts, pairs.source.texts), (pairs.query_rows, pairs.source_rows)
        return softmax(self.network.logits(*texts, *rows, progress=progress))

    @cached_property
    def network(self) -> PairNetwork:
        """The network, loaded on first use."""
        folder = self._onnx_folder()
        if folder is not None:
            return OnnxCrossEncoder(folder)
        from locisimiles.models.transformer_pairs import load_pair_transformer

        return load_pair_transformer(self.model, revision=self._revision, device=self._device)

    def _onnx_folder(self) -> Path | None:
        """Return the folder of an ONNX model; None if the model is a transformer."""
        if self.model == SHIPPED:
            return shipped_cross_encoder_folder()
        folder = Path(self.model).expanduser()
        return folder if is_cross_encoder_folder(folder) else None
