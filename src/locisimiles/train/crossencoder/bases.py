"""What a cross-encoder may begin with: our own encoder, or any transformer."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import torch

from locisimiles.errors import InputError
from locisimiles.models.loading import choose_device
from locisimiles.models.pair_pieces import OUR_TEMPLATE, PairTexts, TextPieces, read_text_pieces
from locisimiles.models.pieces import PieceReader
from locisimiles.models.transformer_pairs import load_pair_transformer
from locisimiles.train.crossencoder.graph import export_cross_encoder
from locisimiles.train.crossencoder.network import CrossEncoder
from locisimiles.train.crossencoder.sampling import LabelledPairs
from locisimiles.train.crossencoder.transformer import TransformerNetwork
from locisimiles.train.encoder.vocabulary import read_vocabulary
from locisimiles.train.late.graph import require_onnx
from locisimiles.train.late.network import load_pretrained, read_config

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.train.crossencoder.settings import CrossEncoderSettings
    from locisimiles.train.crossencoder.training import PairNetwork

__all__ = ["Base", "OwnBase", "TransformerBase", "choose_base", "is_own_base"]

_WEIGHTS, _CONFIG, _VOCABULARY = "encoder.safetensors", "config.json", "tokenizer.json"


class Base(Protocol):
    """An encoder before its training as a cross-encoder."""

    device: str

    def describe(self) -> Mapping[str, object]:
        """Return what it is, so that a training is not gone on with another."""

    def network(self) -> PairNetwork:
        """Return a network that knows what the encoder knows, with a new head."""

    def texts(self, benchmark: Benchmark, pairs: LabelledPairs) -> tuple[PairTexts, LabelledPairs]:
        """Return the texts that pairs need, and the pairs as positions in them."""

    def save(self, network: PairNetwork, folder: Path) -> None:
        """Write what was trained, as `CrossEncoderClassifier` reads it."""


class OwnBase:
    """Our own encoder, in a folder that ``locisimiles train encoder`` wrote.

    Parameters
    ----------
    folder
        Holds ``encoder.safetensors``, ``config.json`` and ``tokenizer.json``.
    settings
        Layers, pooling, budget and marks.
    device
        ``cpu``, ``cuda`` or ``auto``.

    Raises
    ------
    InputError
        If a file cannot be read.
    MissingDependencyError
        If onnx is not installed, in which it is written at the end.
    """

    def __init__(self, folder: Path, settings: CrossEncoderSettings, device: str = "auto") -> None:
        require_onnx()
        self.device = choose_device(device)
        self._folder, self._settings = folder, settings
        size = read_config(folder / _CONFIG).vocabulary
        self._reader = PieceReader(read_vocabulary(folder / _VOCABULARY, size))

    def describe(self) -> Mapping[str, object]:
        """Return what it is, so that a training is not gone on with another."""
        try:
            hashes = {
                f"{name}_sha256": hashlib.sha256((self._folder / name).read_bytes()).hexdigest()
                for name in (_WEIGHTS, _CONFIG, _VOCABULARY)
            }
        except OSError as error:
            raise InputError(
                f"the encoder cannot be read: {error.strerror}", file=str(self._folder)
            ) from error
        return {"model": self._folder.resolve().name, **hashes}

    def network(self) -> CrossEncoder:
        """Return a network that knows what the encoder knows, with a new head."""
        settings = self._settings
        torch.manual_seed(settings.seed)
        encoder = load_pretrained(self._folder, settings.layers)
        return CrossEncoder(encoder, settings.pooling, settings.dropout)

    def texts(self, benchmark: Benchmark, pairs: LabelledPairs) -> tuple[PairTexts, LabelledPairs]:
        """Return the texts that pairs need, and the pairs as positions in them."""
        budget = self._settings.budget
        query, of_query = self._read(benchmark.query.texts, pairs.query, budget)
        source, of_source = self._read(benchmark.source.texts, pairs.source, budget)
        return (
            PairTexts(query, source, budget, self._settings.matches),
            LabelledPairs(of_query, of_source, pairs.label),
        )

    def _read(
        self, texts: Sequence[str], positions: NDArray[np.int32], budget: int
    ) -> tuple[TextPieces, NDArray[np.int32]]:
        used, place = np.unique(positions, return_inverse=True)
        needed = [texts[row] for row in used.tolist()]
        own = read_text_pieces(self._reader, needed, OUR_TEMPLATE.half(budget))
        return own, place.reshape(-1).astype(np.int32)

    def save(self, network: Any, folder: Path) -> None:  # noqa: ANN401 - of this base
        """Write what was trained, as `CrossEncoderClassifier` reads it."""
        settings = self._settings
        export_cross_encoder(
            network,
            self._folder / _VOCABULARY,
            folder,
            trained={"base": dict(self.describe()), "settings": settings.as_dict()},
            budget=settings.budget,
            matches=settings.matches,
        )


class TransformerBase:
    """Any encoder of the transformers library.

    Parameters
    ----------
    name, revision
        As in `locisimiles.models.transformer_pairs.load_pair_transformer`.
    settings
        Budget and seed.
    device
        ``cpu``, ``cuda`` or ``auto``.
    """

    def __init__(
        self,
        name: str | PathLike[str],
        settings: CrossEncoderSettings,
        device: str = "auto",
        *,
        revision: str | None = None,
    ) -> None:
        self._name, self._revision, self._settings = name, revision, settings
        self.device = choose_device(device)
        self._pairs = self._load()

    def _load(self) -> Any:  # noqa: ANN401 - a `PairTransformer`
        torch.manual_seed(self._settings.seed)
        return load_pair_transformer(
            self._name,
            revision=self._revision,
            device=self.device,
            budget=self._settings.budget,
            untrained=True,
        )

    def describe(self) -> Mapping[str, object]:
        """Return what it is, so that a training is not gone on with another."""
        described: Mapping[str, object] = self._pairs.describe()
        return described

    def network(self) -> TransformerNetwork:
        """Return a network that knows what the encoder knows, with a new head."""
        return TransformerNetwork(self._load())

    def texts(self, benchmark: Benchmark, pairs: LabelledPairs) -> tuple[PairTexts, LabelledPairs]:
        """Return the texts that pairs need, and the pairs as positions in them."""
        texts, query, source = self._pairs.texts(
            benchmark.query.texts, benchmark.source.texts, pairs.query, pairs.source
        )
        own = LabelledPairs(query.astype(np.int32), source.astype(np.int32), pairs.label)
        return texts, own

    def save(self, network: Any, folder: Path) -> None:  # noqa: ANN401 - of this base
        """Write what was trained, as `CrossEncoderClassifier` reads it."""
        network.pairs.save(folder)


def is_own_base(name: str | PathLike[str]) -> bool:
    """Whether a name is the folder of an encoder of ours.

    Examples
    --------
    >>> is_own_base("xlm-r-base")
    False
    """
    try:
        return (Path(name).expanduser() / _WEIGHTS).is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def choose_base(
    name: str | PathLike[str],
    settings: CrossEncoderSettings,
    *,
    revision: str | None = None,
    device: str = "auto",
) -> Base:
    """Return the base with a name: a folder of ours, or anything transformers reads.

    Raises
    ------
    InputError, MissingDependencyError
        If it cannot be loaded.
    """
    if is_own_base(name):
        return OwnBase(Path(name).expanduser(), settings, device)
    return TransformerBase(name, settings, device, revision=revision)
