"""The encoder's vocabulary: pieces of words, and how text becomes their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

__all__ = ["MASK", "PAD", "SEPARATOR", "SPECIAL", "START", "encode_lines", "learn_vocabulary"]

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
PAD, UNKNOWN, START, SEPARATOR, MASK = range(5)
_FEWEST = 3
_BATCH = 50_000


def learn_vocabulary(lines: Iterable[str], size: int) -> Any:  # noqa: ANN401 - tokenizers has no types
    """Learn a vocabulary of word pieces (WordPiece) from units between spaces."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.WordPiece(unk_token=SPECIAL[UNKNOWN]))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    trainer = trainers.WordPieceTrainer(
        vocab_size=size, special_tokens=list(SPECIAL), min_frequency=_FEWEST, show_progress=False
    )
    tokenizer.train_from_iterator(lines, trainer)
    return tokenizer


def encode_lines(tokenizer: Any, lines: Sequence[str]) -> NDArray[np.uint16]:  # noqa: ANN401
    """Return all lines as one run of numbers, a separator after each."""
    runs = [np.empty(0, np.uint16)]
    for begin in range(0, len(lines), _BATCH):
        encoded = tokenizer.encode_batch(lines[begin : begin + _BATCH], add_special_tokens=False)
        flat = [number for piece in encoded for number in (*piece.ids, SEPARATOR)]
        runs.append(np.array(flat, np.uint16))
    return np.concatenate(runs)
