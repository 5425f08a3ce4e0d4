"""Encoders: what turns a text into one vector, or into one for each of its tokens or word pieces.

Everything that searches with vectors asks a `TextEncoder` or a `PiecewiseEncoder` and nothing more;
`locisimiles.models.loading` makes one of our own encoder, or of any that transformers knows.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from locisimiles.errors import InputError
from locisimiles.models.checkpoints import write_sentence_config
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
    """One vector for each token of many texts, as columns.

    Attributes
    ----------
    vectors
        A row a token, as the encoder gives it.
    start, end
        Where the token stands in its text, without the prompt.
    bounds
        The tokens of text ``i`` are those from ``bounds[i]`` to ``bounds[i + 1]``.
    """

    vectors: NDArray[np.float32]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    bounds: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class PieceVectors(TokenVectors):
    """One vector for each word piece of many texts, as columns.

    Attributes
    ----------
    piece
        The number of the piece in the encoder's vocabulary. `start` and `end` are the place of the
        word it is a part of.
    """

    piece: NDArray[np.int32]


class TextEncoder(Protocol):
    """Turns texts into vectors."""

    @property
    def dimensions(self) -> int:
        """How long a vector is."""

    def encode(
        self, texts: Sequence[str], kind: Kind = "query", *, progress: Progress = silent
    ) -> NDArray[np.float32]:
        """Return a row of length 1 for each text; zeros for a text without letters.

        Equal texts have equal rows.
        """

    def encode_tokens(
        self, texts: Sequence[str], kind: Kind = "query", *, progress: Progress = silent
    ) -> TokenVectors:
        """Return a row for each token of each text, of any length."""

    def describe(self) -> Mapping[str, object]:
        """Return what must be known of it to get the same vectors, for manifests and caches."""


class PiecewiseEncoder(Protocol):
    """Turns the word pieces of texts into vectors that are made to be compared with each other."""

    @property
    def piece_dimensions(self) -> int:
        """How long the vector of a piece is; that of a text may be longer."""

    def encode_pieces(self, texts: Sequence[str], *, progress: Progress = silent) -> PieceVectors:
        """Return a row of length 1 for each piece of each word of a text of any length.

        Enclitics are words of their own; stops and digits are none.
        """

    def describe(self) -> Mapping[str, object]:
        """Return what must be known of it to get the same vectors, for manifests and caches."""


class TransformerEncoder:
    """An encoder of the transformers library; made by `locisimiles.models.loading.load_encoder`.

    Attributes
    ----------
    model, tokenizer
        What transformers loaded.
    pooling, prompts, max_length
        How it is used.
    """

    def __init__(
        self,
        model: Any,  # noqa: ANN401 - transformers has no types
        tokenizer: Any,  # noqa: ANN401
        *,
        pooling: Pooling,
        prompts: Prompts,
        max_length: int,
        batch_size: int = 64,
        layers: tuple[int, ...] = (-1,),
        origin: Mapping[str, object] | None = None,
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.pooling: Pooling = pooling
        self.prompts = prompts
        self.max_length = max_length
        self._batch_size = batch_size
        self._layers = layers
        self._origin = dict(origin or {})

    @property
    def dimensions(self) -> int:
        """How long a vector is."""
        return int(self.model.config.hidden_size)

    def describe(self) -> Mapping[str, object]:
        """Return what must be known of it to get the same vectors."""
        return {
            **self._origin,
            "pooling": self.pooling,
            "query_prompt": self.prompts.query,
            "source_prompt": self.prompts.source,
            "max_length": self.max_length,
            "layers": list(self._layers),
        }

    def encode(
        self, texts: Sequence[str], kind: Kind = "query", *, progress: Progress = silent
    ) -> NDArray[np.float32]:
        """Return a row of length 1 for each text; zeros for a text without letters."""
        import torch

        # Each distinct text once and in one order: the same texts meet in the same batches, so
        # that rounding does not depend on the order in which they are given.
        distinct = sorted(set(texts))
        rows = {text: row for row, text in enumerate(distinct)}
        vectors = np.zeros((len(distinct), self.dimensions), np.float32)
        self.model.eval()
        with torch.inference_mode():
            for batch in self._batches(distinct, progress):
                embedded = self.embed([distinct[row] for row in batch], kind)
                vectors[batch] = embedded.float().cpu().numpy()
        return vectors[[rows[text] for text in texts]]

    def embed(self, texts: Sequence[str], kind: Kind) -> Any:  # noqa: ANN401 - a torch tensor
        """Return the rows of one batch as a tensor through which gradients flow."""
        import torch

        encoded = self._tokenized([self.prompts.before(kind) + _clean(text) for text in texts])
        encoded = encoded.to(self.model.device)
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
        """Return the mean of the chosen layers for each token but the special ones.

        Raises
        ------
        InputError
            If its tokenizer cannot tell where tokens stand.
        """
        if not self.tokenizer.is_fast:
            raise InputError(
                f"the tokenizer of {self._origin.get('model', 'the model')} does not tell where "
                "its tokens stand",
                hint="use a model with a tokenizer.json",
            )
        import torch

        found: list[tuple[NDArray[np.float32], NDArray[np.int32]]] = [
            (np.empty((0, self.dimensions), np.float32), np.empty((0, 2), np.int32))
        ] * len(texts)
        self.model.eval()
        with torch.inference_mode():
            for batch in self._batches(texts, progress):
                own = self._embed_tokens([texts[row] for row in batch], kind)
                for row, tokens in zip(batch, own, strict=True):
                    found[row] = tokens
        nothing = np.empty((0, self.dimensions), np.float32)
        places = np.concatenate([np.empty((0, 2), np.int32), *(place for _, place in found)])
        return TokenVectors(
            vectors=np.concatenate([nothing, *(vectors for vectors, _ in found)]),
            start=places[:, 0],
            end=places[:, 1],
            bounds=np.cumsum([0, *(len(place) for _, place in found)], dtype=np.int64),
        )

    def _embed_tokens(
        self, texts: Sequence[str], kind: Kind
    ) -> Iterator[tuple[NDArray[np.float32], NDArray[np.int32]]]:
        import torch

        prompt = self.prompts.before(kind)
        encoded = self._tokenized([prompt + _clean(text) for text in texts], offsets=True)
        offsets = encoded.pop("offset_mapping").numpy().astype(np.int32)
        special = encoded.pop("special_tokens_mask").numpy().astype(bool)
        output = self.model(**encoded.to(self.model.device), output_hidden_states=True)
        layers = torch.stack([output.hidden_states[layer] for layer in self._layers])
        vectors = layers.mean(0).float().cpu().numpy()
        for row in range(len(texts)):
            # What the prompt gave, special tokens, and marks that stand for no letter are left out.
            place = np.maximum(offsets[row] - len(prompt), 0)
            real = ~special[row] & (place[:, 1] > place[:, 0])
            yield vectors[row, real], place[real]

    def save(self, folder: Path) -> None:
        """Write model, tokenizer and how they are used, as sentence-transformers would."""
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

    def _tokenized(self, texts: Sequence[str], *, offsets: bool = False) -> Any:  # noqa: ANN401
        return self.tokenizer(
            list(texts),
            padding=True,
            truncation=True,
            max_length=self.max_length,
            return_tensors="pt",
            return_offsets_mapping=offsets,
            return_special_tokens_mask=offsets,
        )

    def _batches(self, texts: Sequence[str], progress: Progress) -> Iterator[list[int]]:
        """Yield the places of texts of about the same length; texts without letters are left out.

        Characters stand for tokens: tokenizing twice would cost more than the padding it saves.
        """
        order = sorted(
            (row for row, text in enumerate(texts) if any(map(str.isalnum, text))),
            key=lambda row: (len(texts[row]), texts[row]),
        )
        for begin in range(0, len(order), self._batch_size):
            progress("encoding", begin, len(order))
            yield order[begin : begin + self._batch_size]
        progress("encoding", len(order), len(order))


@contextmanager
def quiet_transformers() -> Iterator[None]:
    """Keep transformers from reporting what we report ourselves."""
    import transformers

    log: Any = transformers.logging
    spoken, bars = log.get_verbosity(), log.is_progress_bar_enabled()
    log.set_verbosity(log.ERROR)
    log.disable_progress_bar()
    try:
        yield
    finally:
        log.set_verbosity(spoken)
        if bars:
            log.enable_progress_bar()


def _clean(text: str) -> str:
    """Return a text without halves of characters, which tokenizers refuse; places stay the same."""
    return text.encode("utf-8", "replace").decode("utf-8")
