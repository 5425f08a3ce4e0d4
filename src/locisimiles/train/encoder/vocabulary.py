"""The encoder's vocabulary: word pieces, and how text becomes their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.errors import InputError
from locisimiles.train.common.files import reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = [
    "MASK",
    "SEPARATOR",
    "SPECIAL",
    "START",
    "encode_lines",
    "learn_vocabulary",
    "read_vocabulary",
]

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_UNKNOWN, START, SEPARATOR, MASK = range(1, 5)
_FEWEST = 3
_BATCH = 50_000


def learn_vocabulary(lines: Iterable[str], size: int) -> Any:  # noqa: ANN401 - tokenizers has no types
    """Learn a vocabulary of word pieces (WordPiece) from tokens between spaces."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.WordPiece(unk_token=SPECIAL[_UNKNOWN]))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.WordPieceTrainer(
        vocab_size=size, special_tokens=list(SPECIAL), min_frequency=_FEWEST, show_progress=False
    )
    tokenizer.train_from_iterator(lines, trainer)
    return tokenizer


def encode_lines(tokenizer: Any, lines: Sequence[str]) -> NDArray[np.uint16]:  # noqa: ANN401
    """Return all lines as one array of pieces, a separator after each line."""
    runs = [np.empty(0, np.uint16)]
    for begin in range(0, len(lines), _BATCH):
        encoded = tokenizer.encode_batch(lines[begin : begin + _BATCH], add_special_tokens=False)
        flat = [number for line in encoded for number in (*line.ids, SEPARATOR)]
        runs.append(np.array(flat, np.uint16))
    return np.concatenate(runs)


def read_vocabulary(path: Path, size: int) -> Any:  # noqa: ANN401 - tokenizers has no types
    """Read the vocabulary (``tokenizer.json``) of a network with `size` word pieces."""
    from tokenizers import Tokenizer

    with reading(path):
        content = path.read_text(encoding="utf-8")
    try:
        tokenizer = Tokenizer.from_str(content)
    except MemoryError:
        raise
    except Exception as error:  # tokenizers raises nothing more special
        raise InputError("train.no_vocabulary", file=str(path), reason=str(error)) from error
    numbers = [tokenizer.token_to_id(token) for token in SPECIAL]
    known = tokenizer.get_vocab(with_added_tokens=True).values()
    if numbers != list(range(len(SPECIAL))) or max(known) >= size:
        raise InputError("train.other_vocabulary", file=str(path), size=size)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
