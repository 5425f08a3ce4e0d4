"""Any transformer as a cross-encoder: three classes, each text tokenized once.

The special tokens around a pair are set by ourselves, since tokenizers differ in what they know of
pairs: the RoBERTa family wants two separators between the texts, which those trained for single
texts do not write. Each side is cut off after half of the budget.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.errors import InputError, ParameterError
from locisimiles.models.checkpoints import find_checkpoint
from locisimiles.models.encoders import quiet_transformers
from locisimiles.models.loading import (
    SHIFTED_POSITIONS,
    choose_device,
    load_files,
    longest_input,
    require_torch,
)
from locisimiles.models.onnx_cross_encoder import check_pairs
from locisimiles.models.pair_pieces import (
    CLASSES,
    PairTemplate,
    PairTexts,
    TextPieces,
    batches_by_length,
)
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
"""How many tokens a pair has at most, unless something else is asked for."""
_DOUBLE = (*SHIFTED_POSITIONS, "mpnet")
_HEADS = ("classifier", "score", "head", "pooler")
_SUBWORDS = "*.subword.encoder"
_TOKENS_IN_A_BATCH = 4096
_BUDGET_ENTRY = "pair_budget"
_LABELS = ("none", "cit", "cf")


class PairTransformer:
    """A transformer that classifies pairs; made by `load_pair_transformer`.

    Attributes
    ----------
    model
        What transformers loaded.
    template
        The special tokens around a pair.
    budget
        How many tokens a pair may have in all; each side gets half.
    """

    def __init__(
        self,
        model: Any,  # noqa: ANN401 - transformers has no types
        tokenizer: Any,  # noqa: ANN401 - of transformers, or `TensorSubwords`
        *,
        template: PairTemplate,
        budget: int,
        checkpoint: Checkpoint,
    ) -> None:
        self.model = model
        self.template = template
        self.budget = budget
        self._tokenizer = tokenizer
        self._checkpoint = checkpoint
        self._has_types = getattr(model.config, "type_vocab_size", 0) > 1

    def describe(self) -> Mapping[str, object]:
        """Return what must be known of it to get the same numbers."""
        return {
            "model": self._checkpoint.name,
            "revision": self._checkpoint.revision,
            "model_sha256": self._checkpoint.fingerprint(),
            "budget": self.budget,
        }

    def logits(
        self,
        query_texts: Sequence[str],
        source_texts: Sequence[str],
        pairs_query: NDArray[np.integer[Any]],
        pairs_source: NDArray[np.integer[Any]],
        *,
        progress: Progress = silent,
    ) -> NDArray[np.float32]:
        """Return a number for each class, a row a pair; as `OnnxCrossEncoder.logits`."""
        import torch

        check_pairs(pairs_query, pairs_source, len(query_texts), len(source_texts))
        texts, query, source = self.texts(query_texts, source_texts, pairs_query, pairs_source)
        logits = np.zeros((len(query), CLASSES), np.float32)
        self.model.eval()
        done = 0
        with torch.inference_mode():
            for rows in batches_by_length(texts.lengths(query, source), _TOKENS_IN_A_BATCH):
                progress("reading pairs", done, len(query))
                batch = texts.batch(query[rows], source[rows])
                arrays = (batch.numbers, batch.marks, batch.lengths)
                tensors = (torch.from_numpy(own).to(self.model.device) for own in arrays)
                logits[rows] = self.forward(*tensors).float().cpu().numpy()
                done += len(rows)
        progress("reading pairs", len(query), len(query))
        return logits

    def texts(
        self,
        query_texts: Sequence[str],
        source_texts: Sequence[str],
        pairs_query: NDArray[np.integer[Any]],
        pairs_source: NDArray[np.integer[Any]],
    ) -> tuple[PairTexts, NDArray[np.int64], NDArray[np.int64]]:
        """Tokenize the texts that pairs need; return them, and the pairs as positions in them."""
        found = []
        for texts, positions in ((query_texts, pairs_query), (source_texts, pairs_source)):
            used, place = np.unique(positions, return_inverse=True)
            own = self._tokenized([texts[row] for row in used.tolist()])
            found.append((own, place.reshape(-1)))
        (query, of_query), (source, of_source) = found
        texts_of_pairs = PairTexts(
            query, source, self.budget, matches=False, template=self.template
        )
        return texts_of_pairs, of_query, of_source

    def _tokenized(self, texts: Sequence[str]) -> TextPieces:
        longest = self.template.half(self.budget)
        # Halves of characters are what tokenizers refuse.
        clean = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        if isinstance(self._tokenizer, TensorSubwords):
            rows = [self._tokenizer.pieces(text)[:longest] for text in clean]
        elif clean:
            with quiet_transformers():
                encoded = self._tokenizer(
                    clean, add_special_tokens=False, return_attention_mask=False
                )
            rows = [own[:longest] for own in encoded["input_ids"]]
        else:
            rows = []
        bounds = np.cumsum([0, *map(len, rows)], dtype=np.int64)
        return TextPieces(np.array([piece for row in rows for piece in row], np.int32), bounds)

    def forward(self, numbers: Any, marks: Any, lengths: Any) -> Any:  # noqa: ANN401 - tensors
        """Return a number for each class, as a tensor through which gradients flow.

        Parameters
        ----------
        numbers
            Tokens, a row a pair.
        marks
            0 for what belongs to the query, 1 for what belongs to the source.
        lengths
            How many tokens query and source have.
        """
        import torch

        place = torch.arange(numbers.shape[1], device=numbers.device)[None, :]
        visible = place < lengths.sum(dim=1, keepdim=True) + self.template.size
        inputs = {"input_ids": numbers, "attention_mask": visible.long()}
        if self._has_types:
            inputs["token_type_ids"] = marks
        return self.model(**inputs).logits

    def save(self, folder: Path) -> None:
        """Write the model and its tokenizer, as `load_pair_transformer` reads them."""
        folder.mkdir(parents=True, exist_ok=True)
        setattr(self.model.config, _BUDGET_ENTRY, self.budget)
        with quiet_transformers():
            self.model.save_pretrained(folder, safe_serialization=True)
            if not isinstance(self._tokenizer, TensorSubwords):
                self._tokenizer.save_pretrained(folder)
        for path in self._checkpoint.weights.glob(_SUBWORDS):
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
        Which version on the Hub; a commit cannot change behind your back.
    device
        ``cpu``, ``cuda`` or ``auto``.
    budget
        How many tokens a pair may have at most; by default as it was trained, or 512. It is never
        more than the model allows.
    untrained
        Whether it is an encoder whose head is still to be trained; otherwise it must have one of
        three classes.

    Raises
    ------
    MissingDependencyError
        If torch or transformers is not installed.
    InputError
        If the model is not there, or its files cannot be used.
    ParameterError
        If there is no room for a pair.
    """
    require_torch()
    checkpoint = find_checkpoint(name, revision=revision)
    subwords = _own_subwords(checkpoint)
    labels: dict[str, object] = {
        "num_labels": CLASSES,
        "id2label": dict(enumerate(_LABELS)),
        "label2id": {label: number for number, label in enumerate(_LABELS)},
    }
    model, tokenizer = load_files(
        checkpoint,
        "AutoModelForSequenceClassification",
        may_lack=_HEADS if untrained else (),
        with_tokenizer=subwords is None,
        **(labels if untrained else {}),
    )
    if model.config.num_labels != CLASSES:
        raise InputError(
            f"the model has {model.config.num_labels} classes, not {CLASSES}",
            file=str(checkpoint.weights),
            hint="no match, cit. and cf. are what `locisimiles train crossencoder` trains",
        )
    template = _template(model, tokenizer, subwords, checkpoint)
    wanted = getattr(model.config, _BUDGET_ENTRY, BUDGET) if budget is None else budget
    allowed = min(int(wanted), longest_input(model, tokenizer, checkpoint))
    if template.half(allowed) < 1:
        raise ParameterError(f"budget={allowed} has no room for a pair", hint="512 is usual")
    return PairTransformer(
        model.to(choose_device(device)).eval(),
        tokenizer if subwords is None else subwords,
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
        raise InputError(
            "LatinBERT needs the subword encoder that was released with it; other tokenizers do "
            "not know most Latin words",
            file=str(checkpoint.weights),
            hint="put latin.subword.encoder beside its weights, in a folder of your own",
        )
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
            raise InputError(
                "the subword encoder knows pieces that the model does not",
                file=str(checkpoint.weights),
                hint="use the one that belongs to the model",
            )
        return PairTemplate()  # whose special pieces have the same numbers as ours
    start = _first(tokenizer.cls_token_id, tokenizer.bos_token_id)
    end = _first(tokenizer.sep_token_id, tokenizer.eos_token_id)
    padding = _first(tokenizer.pad_token_id, end)
    if start is None or end is None or padding is None:
        raise InputError(
            "the tokenizer has no tokens that begin and end a text",
            file=str(checkpoint.weights),
            hint="use an encoder, such as XLM-R or BERT",
        )
    between = (end, end) if model.config.model_type in _DOUBLE else (end,)
    return PairTemplate((start,), between, (end,), padding)


def _first(*numbers: int | None) -> int | None:
    return next((number for number in numbers if number is not None), None)
