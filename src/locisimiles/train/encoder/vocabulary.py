"""The encoder's vocabulary: pieces of words, and how text becomes their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = [
    "MASK",
    "PAD",
    "SEPARATOR",
    "SPECIAL",
    "START",
    "UNKNOWN",
    "encode_lines",
    "learn_vocabulary",
    "read_vocabulary",
]

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


def read_vocabulary(path: Path, size: int) -> Any:  # noqa: ANN401 - tokenizers has no types
    """Read the vocabulary of a network.

    Parameters
    ----------
    path
        ``tokenizer.json``.
    size
        How many word pieces the network knows.

    Raises
    ------
    InputError
        If it cannot be read, or belongs to another network.
    """
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_str(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"the vocabulary cannot be read: {error.strerror}", file=str(path)
        ) from error
    except MemoryError:
        raise
    except Exception as error:  # tokenizers raises nothing more special
        raise InputError(f"this is no vocabulary: {error}", file=str(path)) from error
    found = [tokenizer.token_to_id(token) for token in SPECIAL]
    known = tokenizer.get_vocab(with_added_tokens=True).values()
    if found != list(range(len(SPECIAL))) or max(known) >= size:
        raise InputError(
            f"this vocabulary belongs to another network, not to one of {size:,} word pieces",
            file=str(path),
            hint="use the one the encoder was trained with",
        )
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
