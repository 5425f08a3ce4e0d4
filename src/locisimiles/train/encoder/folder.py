"""The folder of a pretrained encoder, as ``locisimiles train encoder`` writes it; without torch."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.errors import InputError, MalformedInputError
from locisimiles.files.json_files import read_json
from locisimiles.train.common.files import reading

if TYPE_CHECKING:
    from os import PathLike

__all__ = [
    "CONFIG",
    "MASK",
    "SEPARATOR",
    "SPECIAL",
    "START",
    "UNKNOWN",
    "VOCABULARY",
    "WEIGHTS",
    "EncoderConfig",
    "is_pretrained_encoder",
    "read_config",
    "read_tokenizer",
    "read_vocabulary",
]

WEIGHTS, CONFIG, VOCABULARY = "encoder.safetensors", "config.json", "tokenizer.json"
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
UNKNOWN, START, SEPARATOR, MASK = range(1, 5)


@dataclass(frozen=True, slots=True)
class EncoderConfig:
    """The sizes of the network.

    Attributes
    ----------
    vocabulary
        Number of word pieces.
    width, layers, heads, inner
        Length of the vectors; number of layers, of attention heads, and of hidden units in a layer.
    base
        The longest wavelength of the rotary positions.
    """

    vocabulary: int = 24_000
    width: int = 384
    layers: int = 12
    heads: int = 6
    inner: int = 1024
    base: float = 10_000.0

    def as_dict(self) -> dict[str, float]:
        """Return the sizes by name, for files."""
        return asdict(self)


def is_pretrained_encoder(name: str | PathLike[str]) -> bool:
    """Whether a name is the folder of an encoder that `locisimiles train encoder` wrote.

    Examples
    --------
    >>> is_pretrained_encoder("xlm-r-base")
    False
    """
    try:
        return (Path(name).expanduser() / WEIGHTS).is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def read_config(path: Path, entry: str | None = None) -> EncoderConfig:
    """Read the sizes of a network, from an `entry` of the file if given; ignore other entries."""
    content = read_json(path)
    if entry is not None:
        content = content.get(entry) if isinstance(content, dict) else None
    sizes: dict[str, Any] = content if isinstance(content, dict) else {}
    names = EncoderConfig().as_dict()
    for name in names:
        size = sizes.get(name)
        if not isinstance(size, int | float) or isinstance(size, bool) or size <= 0:
            raise MalformedInputError("train.no_size", file=str(path), name=name)
    return EncoderConfig(**{name: sizes[name] for name in names})


def read_tokenizer(folder: Path) -> Any:  # noqa: ANN401 - tokenizers has no types
    """Read the vocabulary of an encoder, which must be that of its network."""
    return read_vocabulary(folder / VOCABULARY, read_config(folder / CONFIG).vocabulary)


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
