"""Base models of a cross-encoder: our own encoder, or any transformer."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from locisimiles.files.hashing import file_sha256
from locisimiles.models.loading import choose_device
from locisimiles.models.pair_pieces import (
    OUR_TEMPLATE,
    PairTexts,
    needed_texts,
    read_text_pieces,
)
from locisimiles.models.pieces import PieceTokenizer
from locisimiles.models.transformer_pairs import load_pair_transformer
from locisimiles.train.crossencoder.graph import export_cross_encoder
from locisimiles.train.crossencoder.network import CrossEncoder, TransformerNetwork
from locisimiles.train.crossencoder.sampling import LabelledPairs
from locisimiles.train.encoder.folder import (
    CONFIG,
    VOCABULARY,
    WEIGHTS,
    is_pretrained_encoder,
    read_tokenizer,
)
from locisimiles.train.encoder.weights import load_pretrained
from locisimiles.train.late.graph import require_onnx

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.models.transformer_pairs import PairTransformer
    from locisimiles.train.crossencoder.settings import CrossEncoderSettings

__all__ = ["Base", "LatinBase", "TransformerBase", "choose_base"]


class LatinBase:
    """Our own encoder, in a folder that ``locisimiles train encoder`` wrote.

    Needs onnx, which writes the trained network.
    """

    def __init__(self, folder: Path, settings: CrossEncoderSettings, device: str = "auto") -> None:
        require_onnx()
        self.device = choose_device(device)
        self._folder, self._settings = folder, settings
        self._tokenizer = PieceTokenizer(read_tokenizer(folder))

    def describe(self) -> Mapping[str, object]:
        """Return what identifies the encoder."""
        hashes = {
            f"{name}_sha256": file_sha256(self._folder / name)
            for name in (WEIGHTS, CONFIG, VOCABULARY)
        }
        return {"model": self._folder.resolve().name, **hashes}

    def network(self) -> CrossEncoder:
        """Return a network with the encoder's weights and a new head."""
        settings = self._settings
        torch.manual_seed(settings.seed)
        encoder = load_pretrained(self._folder, settings.layers)
        return CrossEncoder(encoder, settings.pooling, settings.dropout)

    def texts(self, benchmark: Benchmark, pairs: LabelledPairs) -> tuple[PairTexts, LabelledPairs]:
        """Return the texts of pairs, and the pairs as positions in them."""
        budget, matches = self._settings.budget, self._settings.matches
        query_texts, query_rows = needed_texts(benchmark.query.texts, pairs.query)
        source_texts, source_rows = needed_texts(benchmark.source.texts, pairs.source)
        query, source = (
            read_text_pieces(self._tokenizer, texts, OUR_TEMPLATE.half(budget))
            for texts in (query_texts, source_texts)
        )
        rows = query_rows.astype(np.int32), source_rows.astype(np.int32)
        return PairTexts(query, source, budget, matches), LabelledPairs(*rows, pairs.label)

    def save(self, network: Any, folder: Path) -> None:  # noqa: ANN401 - a CrossEncoder
        """Write a trained network, as `CrossEncoderClassifier` reads it."""
        settings = self._settings
        export_cross_encoder(
            network,
            self._folder / VOCABULARY,
            folder,
            trained={"base": dict(self.describe()), "settings": asdict(settings)},
            budget=settings.budget,
            matches=settings.matches,
        )


class TransformerBase:
    """Any encoder of transformers; `load_pair_transformer` explains name and revision."""

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

    def _load(self) -> PairTransformer:
        torch.manual_seed(self._settings.seed)
        return load_pair_transformer(
            self._name,
            revision=self._revision,
            device=self.device,
            budget=self._settings.budget,
            untrained=True,
        )

    def describe(self) -> Mapping[str, object]:
        """Return what identifies the encoder."""
        return self._pairs.describe()

    def network(self) -> TransformerNetwork:
        """Return a network with the encoder's weights and a new head."""
        return TransformerNetwork(self._load())

    def texts(self, benchmark: Benchmark, pairs: LabelledPairs) -> tuple[PairTexts, LabelledPairs]:
        """Return the texts of pairs, and the pairs as positions in them."""
        texts, query, source = self._pairs.texts(
            benchmark.query.texts, benchmark.source.texts, pairs.query, pairs.source
        )
        rows = query.astype(np.int32), source.astype(np.int32)
        return texts, LabelledPairs(*rows, pairs.label)

    def save(self, network: Any, folder: Path) -> None:  # noqa: ANN401 - its network
        """Write a trained network, as `CrossEncoderClassifier` reads it."""
        network.pairs.save(folder)


Base = LatinBase | TransformerBase


def choose_base(
    name: str | PathLike[str],
    settings: CrossEncoderSettings,
    *,
    revision: str | None = None,
    device: str = "auto",
) -> Base:
    """Return a base by name: a folder of `train encoder`, or anything transformers reads."""
    if is_pretrained_encoder(name):
        return LatinBase(Path(name).expanduser(), settings, device)
    return TransformerBase(name, settings, device, revision=revision)
