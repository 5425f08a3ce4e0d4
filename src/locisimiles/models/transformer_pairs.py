"""Any transformer as a cross-encoder: three classes, each text tokenized once.

We add the special tokens of a pair ourselves, since tokenizers differ in how they encode pairs: the
RoBERTa family expects two separators between the texts, which tokenizers trained for single texts
do not write. Each side is truncated to half of the budget.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.checks import check_pairs
from locisimiles.errors import InputError, ParameterError
from locisimiles.models.batches import batches_by_length
from locisimiles.models.checkpoints import find_checkpoint
from locisimiles.models.encoders import quiet_transformers
from locisimiles.models.loading import (
    SHIFTED_POSITIONS,
    choose_device,
    load_files,
    longest_input,
    require_torch,
)
from locisimiles.models.pair_pieces import (
    CLASSES,
    PairTemplate,
    PairTexts,
    TextPieces,
    needed_texts,
)
from locisimiles.models.pieces import without_surrogates
from locisimiles.models.tensor_subwords import TensorSubwords
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.models.checkpoints import Checkpoint
    from locisimiles.progress import Progress

__all__ = ["BUDGET", "PairTransformer", "load_pair_transformer"]

BUDGET = 512
"""Default maximum number of tokens in a pair."""
_DOUBLE = (*SHIFTED_POSITIONS, "mpnet")
_HEADS = ("classifier", "score", "head", "pooler")
_SUBWORDS = "*.subword.encoder"
_TOKENS_IN_A_BATCH = 4096
_BUDGET_ENTRY = "pair_budget"
_LABELS = ("none", "cit", "cf")


@dataclass(frozen=True, eq=False, kw_only=True)
class PairTransformer:
    """A transformer that classifies pairs, returned by `load_pair_transformer`.

    Attributes
    ----------
    tokenizer
        Of transformers, or `TensorSubwords`.
    template
        The special tokens around a pair.
    budget
        Maximum number of tokens in a pair; each side gets half.
    """

    model: Any
    tokenizer: Any
    template: PairTemplate
    budget: int
    checkpoint: Checkpoint

    def describe(self) -> Mapping[str, object]:
        """Return all that its logits depend on besides the texts."""
        return {**self.checkpoint.describe(), "budget": self.budget}

    def logits(
        self,
        query_texts: Sequence[str],
        source_texts: Sequence[str],
        query_rows: NDArray[np.integer[Any]],
        source_rows: NDArray[np.integer[Any]],
        *,
        progress: Progress = silent,
    ) -> NDArray[np.float32]:
        """Return the logits of the three classes, a row per pair; see `OnnxCrossEncoder`."""
        import torch

        check_pairs(query_rows, source_rows, len(query_texts), len(source_texts))
        texts, query, source = self.texts(query_texts, source_texts, query_rows, source_rows)
        logits = np.zeros((len(query), CLASSES), np.float32)
        self.model.eval()
        done = 0
        with torch.inference_mode():
            for rows in batches_by_length(texts.lengths(query, source), _TOKENS_IN_A_BATCH):
                progress("reading pairs", done, len(query))
                batch = texts.batch(query[rows], source[rows])
                columns = (batch.numbers, batch.marks, batch.lengths)
                tensors = (torch.from_numpy(column).to(self.model.device) for column in columns)
                logits[rows] = self.forward(*tensors).float().cpu().numpy()
                done += len(rows)
        progress("reading pairs", len(query), len(query))
        return logits

    def texts(
        self,
        query_texts: Sequence[str],
        source_texts: Sequence[str],
        query_rows: NDArray[np.integer[Any]],
        source_rows: NDArray[np.integer[Any]],
    ) -> tuple[PairTexts, NDArray[np.int64], NDArray[np.int64]]:
        """Tokenize the texts of pairs; return them, and the pairs as positions in them."""
        needed_queries, query = needed_texts(query_texts, query_rows)
        needed_sources, source = needed_texts(source_texts, source_rows)
        texts = PairTexts(
            self._tokenized(needed_queries),
            self._tokenized(needed_sources),
            self.budget,
            matches=False,
            template=self.template,
        )
        return texts, query, source

    def _tokenized(self, texts: Sequence[str]) -> TextPieces:
        clean = [without_surrogates(text) for text in texts]
        rows: Sequence[Sequence[int]] = []
        if isinstance(self.tokenizer, TensorSubwords):
            rows = [self.tokenizer.pieces(text) for text in clean]
        elif clean:
            with quiet_transformers():
                rows = self.tokenizer(clean, add_special_tokens=False, return_attention_mask=False)[
                    "input_ids"
                ]
        longest = self.template.half(self.budget)
        truncated = [row[:longest] for row in rows]
        bounds = np.cumsum([0, *map(len, truncated)], dtype=np.int64)
        return TextPieces(np.array([piece for row in truncated for piece in row], np.int32), bounds)

    def forward(self, numbers: Any, marks: Any, lengths: Any) -> Any:  # noqa: ANN401 - tensors
        """Return the logits of the three classes, as a tensor with gradients.

        The parameters are the columns of a `PairBatch`.
        """
        import torch

        place = torch.arange(numbers.shape[1], device=numbers.device)[None, :]
        visible = place < lengths.sum(dim=1, keepdim=True) + self.template.size
        inputs = {"input_ids": numbers, "attention_mask": visible.long()}
        if getattr(self.model.config, "type_vocab_size", 0) > 1:
            inputs["token_type_ids"] = marks
        return self.model(**inputs).logits

    def save(self, folder: Path) -> None:
        """Write model and tokenizer, for `load_pair_transformer`."""
        folder.mkdir(parents=True, exist_ok=True)
        setattr(self.model.config, _BUDGET_ENTRY, self.budget)
        with quiet_transformers():
            self.model.save_pretrained(folder, safe_serialization=True)
            if not isinstance(self.tokenizer, TensorSubwords):
                self.tokenizer.save_pretrained(folder)
        for path in self.checkpoint.weights.glob(_SUBWORDS):
            (folder / path.name).write_bytes(path.read_bytes())


def load_pair_transformer(
    name: str | PathLike[str],
    *,
    revision: str | None = None,
    device: str = "auto",
    budget: int | None = None,
    untrained: bool = False,
) -> PairTransformer:
    """Load a transformer as a cross-encoder.

    Parameters
    ----------
    name
        A folder, a name on the Hub, or a short one such as ``xlm-r-base``; see
        `locisimiles.models.families.CROSS_ENCODER_BASES`.
    revision
        The version on the Hub; a commit never changes.
    device
        ``cpu``, ``cuda`` or ``auto``.
    budget
        Maximum number of tokens in a pair, capped by the model; by default as in training, else
        512.
    untrained
        Whether the head is still to be trained; otherwise the model must have three classes.

    Raises
    ------
    MissingDependencyError, InputError
        If a library is not installed, or the model does not exist or cannot be used.
    ParameterError
        If the budget is too small for a pair.
    """
    require_torch()
    checkpoint = find_checkpoint(name, revision=revision)
    subwords = _own_subwords(checkpoint)
    label2id = {label: number for number, label in enumerate(_LABELS)}
    labels = {"num_labels": CLASSES, "id2label": dict(enumerate(_LABELS)), "label2id": label2id}
    model, tokenizer = load_files(
        checkpoint,
        "AutoModelForSequenceClassification",
        may_lack=_HEADS if untrained else (),
        with_tokenizer=subwords is None,
        **(labels if untrained else {}),
    )
    if model.config.num_labels != CLASSES:
        count = int(model.config.num_labels)
        raise InputError("models.wrong_classes", file=str(checkpoint.weights), count=count)
    template = _template(model, tokenizer, subwords, checkpoint)
    wanted = getattr(model.config, _BUDGET_ENTRY, BUDGET) if budget is None else budget
    allowed = min(int(wanted), longest_input(model, tokenizer, checkpoint))
    if template.half(allowed) < 1:
        raise ParameterError("models.small_budget", budget=str(allowed), usual=str(BUDGET))
    return PairTransformer(
        model=model.to(choose_device(device)).eval(),
        tokenizer=tokenizer if subwords is None else subwords,
        template=template,
        budget=allowed,
        checkpoint=checkpoint,
    )


def _own_subwords(checkpoint: Checkpoint) -> TensorSubwords | None:
    """Return LatinBERT's subwords, None for other models."""
    path = next(iter(sorted(checkpoint.weights.glob(_SUBWORDS))), None)
    if path is not None:
        return TensorSubwords.read(path)
    if "latin-bert" in checkpoint.name.lower().replace("latinbert", "latin-bert"):
        raise InputError("models.no_subword_encoder", file=str(checkpoint.weights))
    return None


def _template(
    model: Any,  # noqa: ANN401
    tokenizer: Any,  # noqa: ANN401
    subwords: TensorSubwords | None,
    checkpoint: Checkpoint,
) -> PairTemplate:
    """Return the special tokens of a model's pairs."""
    if subwords is not None:
        if max(subwords.number.values(), default=0) >= model.config.vocab_size:
            raise InputError("models.too_many_subwords", file=str(checkpoint.weights))
        return PairTemplate()  # LatinBERT's special pieces have the same ids as ours
    start = _first(tokenizer.cls_token_id, tokenizer.bos_token_id)
    end = _first(tokenizer.sep_token_id, tokenizer.eos_token_id)
    padding = _first(tokenizer.pad_token_id, end)
    if start is None or end is None or padding is None:
        raise InputError("models.no_special_tokens", file=str(checkpoint.weights))
    between = (end, end) if model.config.model_type in _DOUBLE else (end,)
    return PairTemplate((start,), between, (end,), padding)


def _first(*numbers: int | None) -> int | None:
    return next((number for number in numbers if number is not None), None)
