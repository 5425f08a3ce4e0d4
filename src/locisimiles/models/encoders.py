"""Encoders: they turn a text into one vector, or into one per token or word piece.

Retrievers need a `TextEncoder` or a `PiecewiseEncoder`; `locisimiles.models.loading` loads our
encoder, or any that transformers knows, as one.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from locisimiles.errors import InputError
from locisimiles.models.batches import distinct_texts
from locisimiles.models.checkpoints import write_sentence_config
from locisimiles.models.identity import Described
from locisimiles.models.pieces import without_surrogates
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.models.families import Kind, Pooling, Prompts
    from locisimiles.progress import Progress

__all__ = [
    "PieceVectors",
    "PiecewiseEncoder",
    "TextEncoder",
    "TokenVectors",
    "TransformerEncoder",
    "quiet_transformers",
]


@dataclass(frozen=True, slots=True, eq=False)
class TokenVectors:
    """A vector and a span for each token of many texts, as columns.

    The tokens of text ``i`` are those from ``bounds[i]`` to ``bounds[i + 1]``.
    """

    vectors: NDArray[np.float32]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    bounds: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class PieceVectors(TokenVectors):
    """A vector and the span of its word for each word piece of many texts, as columns.

    `piece` is its id in the encoder's vocabulary.
    """

    piece: NDArray[np.int32]


class TextEncoder(Described, Protocol):
    """Turns texts into vectors."""

    @property
    def dimensions(self) -> int:
        """The length of a vector."""

    def encode(
        self, texts: Sequence[str], kind: Kind = "query", *, progress: Progress = silent
    ) -> NDArray[np.float32]:
        """Return a unit vector for each text; zeros for a text without letters.

        Equal texts have equal vectors.
        """

    def encode_tokens(
        self, texts: Sequence[str], kind: Kind = "query", *, progress: Progress = silent
    ) -> TokenVectors:
        """Return a vector for each token of each text; they need not be unit vectors."""


@runtime_checkable
class PiecewiseEncoder(Described, Protocol):
    """Turns the word pieces of texts into vectors trained for comparison with each other.

    Check an encoder with ``isinstance(encoder, PiecewiseEncoder)``.
    """

    @property
    def piece_dimensions(self) -> int:
        """The length of a piece's vector, which may differ from that of a text."""

    def encode_pieces(self, texts: Sequence[str], *, progress: Progress = silent) -> PieceVectors:
        """Return a unit vector for each piece of each word; texts may have any length.

        Enclitics are separate words; punctuation and digits have no vectors.
        """


@dataclass(frozen=True, eq=False, kw_only=True)
class TransformerEncoder:
    """An encoder of the transformers library, returned by `load_encoder`.

    `origin` identifies the model in `describe`.
    """

    model: Any
    tokenizer: Any
    pooling: Pooling
    prompts: Prompts
    max_length: int
    batch_size: int = 64
    layers: tuple[int, ...] = (-1,)
    origin: Mapping[str, object] = field(default_factory=dict)

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return int(self.model.config.hidden_size)

    def describe(self) -> Mapping[str, object]:
        """Return all that its vectors depend on besides the texts."""
        return {
            **self.origin,
            "pooling": self.pooling,
            "query_prompt": self.prompts.query,
            "source_prompt": self.prompts.source,
            "max_length": self.max_length,
            "layers": list(self.layers),
        }

    def encode(
        self, texts: Sequence[str], kind: Kind = "query", *, progress: Progress = silent
    ) -> NDArray[np.float32]:
        """Return a unit vector for each text; zeros for a text without letters."""
        import torch

        distinct, rows = distinct_texts(texts, shortest_first=False)
        vectors = np.zeros((len(distinct), self.dimensions), np.float32)
        self.model.eval()
        with torch.inference_mode():
            for batch in self._batches(distinct, progress):
                embedded = self.embed([distinct[row] for row in batch], kind)
                vectors[batch] = embedded.float().cpu().numpy()
        return vectors[rows]

    def embed(self, texts: Sequence[str], kind: Kind) -> Any:  # noqa: ANN401 - a torch tensor
        """Return the unit vectors of one batch, as a tensor with gradients."""
        import torch

        encoded = self._tokenized(texts, kind).to(self.model.device)
        hidden = self.model(**encoded).last_hidden_state
        if self.pooling == "cls":
            pooled = hidden[:, 0]
        else:
            weights = encoded["attention_mask"].unsqueeze(-1).to(hidden.dtype)
            pooled = (hidden * weights).sum(1) / weights.sum(1).clamp(min=1)
        return torch.nn.functional.normalize(pooled, dim=-1)

    def encode_tokens(
        self, texts: Sequence[str], kind: Kind = "query", *, progress: Progress = silent
    ) -> TokenVectors:
        """Return the mean of the chosen layers for each token that is not special.

        Raises
        ------
        InputError
            If its tokenizer does not return spans.
        """
        if not self.tokenizer.is_fast:
            raise InputError("models.no_offsets", model=str(self.origin.get("model")))
        import torch

        nothing = np.empty((0, self.dimensions), np.float32), np.empty((0, 2), np.int32)
        tokens = [nothing] * len(texts)
        self.model.eval()
        with torch.inference_mode():
            for batch in self._batches(texts, progress):
                embedded = self._embed_tokens([texts[row] for row in batch], kind)
                for row, vectors_and_spans in zip(batch, embedded, strict=True):
                    tokens[row] = vectors_and_spans
        vectors, spans = (np.concatenate(parts) for parts in zip(nothing, *tokens, strict=True))
        return TokenVectors(
            vectors=vectors,
            start=spans[:, 0],
            end=spans[:, 1],
            bounds=np.cumsum([0, *(len(span) for _, span in tokens)], dtype=np.int64),
        )

    def _embed_tokens(
        self, texts: Sequence[str], kind: Kind
    ) -> Iterator[tuple[NDArray[np.float32], NDArray[np.int32]]]:
        import torch

        encoded = self._tokenized(texts, kind, offsets=True)
        offsets = encoded.pop("offset_mapping").numpy().astype(np.int32)
        special = encoded.pop("special_tokens_mask").numpy().astype(bool)
        output = self.model(**encoded.to(self.model.device), output_hidden_states=True)
        layers = torch.stack([output.hidden_states[layer] for layer in self.layers])
        vectors = layers.mean(0).float().cpu().numpy()
        for row in range(len(texts)):
            # Tokens of the prompt, special tokens and empty ones are left out.
            span = np.maximum(offsets[row] - len(self.prompts.before(kind)), 0)
            real = ~special[row] & (span[:, 1] > span[:, 0])
            yield vectors[row, real], span[real]

    def save(self, folder: Path) -> None:
        """Write model, tokenizer and settings as sentence-transformers does."""
        folder.mkdir(parents=True, exist_ok=True)
        with quiet_transformers():
            self.model.save_pretrained(folder, safe_serialization=True)
            self.tokenizer.save_pretrained(folder)
        write_sentence_config(
            folder,
            pooling=self.pooling,
            prompts=self.prompts,
            dimensions=self.dimensions,
            max_length=self.max_length,
        )

    def _tokenized(self, texts: Sequence[str], kind: Kind, *, offsets: bool = False) -> Any:  # noqa: ANN401
        prompt = self.prompts.before(kind)
        return self.tokenizer(
            [prompt + without_surrogates(text) for text in texts],
            padding=True,
            truncation=True,
            max_length=self.max_length,
            return_tensors="pt",
            return_offsets_mapping=offsets,
            return_special_tokens_mask=offsets,
        )

    def _batches(self, texts: Sequence[str], progress: Progress) -> Iterator[list[int]]:
        """Yield rows of texts of similar length; texts without letters are left out.

        Length is in characters: tokenizing twice would cost more than the padding it saves.
        """
        order = sorted(
            (row for row, text in enumerate(texts) if any(map(str.isalnum, text))),
            key=lambda row: (len(texts[row]), texts[row]),
        )
        for begin in range(0, len(order), self.batch_size):
            progress("encoding", begin, len(order))
            yield order[begin : begin + self.batch_size]
        progress("encoding", len(order), len(order))


@contextmanager
def quiet_transformers() -> Iterator[None]:
    """Silence transformers, which would log and draw progress bars."""
    import transformers

    log: Any = transformers.logging
    verbosity, bars = log.get_verbosity(), log.is_progress_bar_enabled()
    log.set_verbosity(log.ERROR)
    log.disable_progress_bar()
    try:
        yield
    finally:
        log.set_verbosity(verbosity)
        if bars:
            log.enable_progress_bar()
