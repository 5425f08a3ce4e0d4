"""Load an encoder by its name."""

from __future__ import annotations

from functools import lru_cache
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from locisimiles.checks import check_at_least
from locisimiles.errors import InputError, MissingDependencyError, ParameterError
from locisimiles.installation import install_command
from locisimiles.models.checkpoints import file_states, find_checkpoint, first_line
from locisimiles.models.encoders import PiecewiseEncoder, TransformerEncoder, quiet_transformers
from locisimiles.models.families import NO_PROMPTS, check_pooling, choose_prompts
from locisimiles.models.onnx_encoder import OnnxEncoder
from locisimiles.models.onnx_model import SHIPPED

if TYPE_CHECKING:
    from typing import Unpack

    from locisimiles.models.checkpoints import Checkpoint, FileStates
    from locisimiles.models.encoders import TextEncoder
    from locisimiles.models.families import Pooling, Prompts

__all__ = [
    "SHIFTED_POSITIONS",
    "EncoderOptions",
    "choose_device",
    "choose_encoder",
    "choose_piecewise_encoder",
    "load_encoder",
    "load_files",
    "longest_input",
    "require_torch",
]

_BATCH = 64
_LONGEST = 512
_TOKENIZERS = ("tokenizer.json", "vocab.*", "*.model", "*.vocab")
# Their positions start after the id of the padding token.
SHIFTED_POSITIONS = ("roberta", "xlm-roberta", "camembert", "xlm-roberta-xl", "data2vec-text")


class EncoderOptions(TypedDict, total=False):
    """The options of `load_encoder` that change vectors, and the device."""

    revision: str | None
    pooling: Pooling | None
    prompts: str | Prompts | None
    max_length: int | None
    layers: tuple[int, ...]
    device: str


# The values our own encoder accepts: there is only one way to run it.
_OWN_OPTIONS = {
    "revision": (None,),
    "pooling": (None, "mean"),
    "prompts": (None, "none", NO_PROMPTS),
    "max_length": (None,),
    "layers": ((-1,),),
    "device": ("auto", "cpu"),
}


def load_encoder(
    name: str | PathLike[str],
    *,
    revision: str | None = None,
    pooling: Pooling | None = None,
    prompts: str | Prompts | None = None,
    max_length: int | None = None,
    batch_size: int = _BATCH,
    layers: tuple[int, ...] = (-1,),
    device: str = "auto",
) -> TransformerEncoder:
    """Load an encoder of transformers.

    Parameters
    ----------
    name
        A folder, a name on the Hub, or a short one: ``e5-small``, ``e5-base``, ``e5-large``,
        ``granite-107m``, ``granite-278m``, ``bge-m3``, ``sphilberta``.
    revision
        The version on the Hub; a commit never changes.
    pooling, prompts
        ``mean`` or ``cls``; ``none``, ``e5``, ``paper`` (``Query:`` and ``Candidate:``), or others.
        By default those of the model's files or its family, else ``mean`` and no prompts.
    max_length, batch_size
        Maximum number of tokens read of a text (capped by the model), and texts per batch.
    layers
        The layers whose mean `encode_tokens` returns; 0 is the embeddings, -1 the last layer.
    device
        ``cpu``, ``cuda`` or ``auto``.

    Raises
    ------
    MissingDependencyError, InputError
        If a library is not installed, or the model does not exist or cannot be used.
    """
    check_pooling(pooling)
    check_at_least(1, max_length=max_length, batch_size=batch_size)
    chosen_prompts = choose_prompts(prompts) if prompts is not None else None
    require_torch()
    checkpoint = find_checkpoint(name, revision=revision)
    model, tokenizer = load_files(checkpoint)
    depth = int(getattr(model.config, "num_hidden_layers", 0))
    if not layers or not all(-depth - 1 <= layer <= depth for layer in layers):
        raise ParameterError("models.unknown_layers", layers=str(layers), depth=depth)
    allowed = longest_input(model, tokenizer, checkpoint)
    return TransformerEncoder(
        model=model.to(choose_device(device)).eval(),
        tokenizer=tokenizer,
        pooling=pooling or checkpoint.pooling or "mean",
        prompts=chosen_prompts if chosen_prompts is not None else checkpoint.prompts,
        max_length=min(max_length or allowed, allowed),
        batch_size=batch_size,
        layers=layers,
        origin=checkpoint.describe(),
    )


def choose_encoder(
    chosen: str | PathLike[str] | TextEncoder, **options: Unpack[EncoderOptions]
) -> TextEncoder:
    """Return an encoder unchanged, or load the one with that name, once.

    ``latin`` is the encoder that comes with the package; it, and a folder with ``encoder.onnx``,
    need no torch. `options` are those of `load_encoder`.

    Raises
    ------
    MissingDependencyError, InputError
        If a library is not installed, or the encoder does not exist or cannot be used.
    ParameterError
        If the encoder has no such option.
    """
    if not isinstance(chosen, str | PathLike):
        return chosen
    name = fspath(chosen)
    folder = _own_folder(name)
    if folder is not None:
        for option, value in options.items():
            if value not in _OWN_OPTIONS[option]:
                raise ParameterError("models.no_such_option", encoder=name, option=option)
        return _opened(folder, file_states(folder))
    require_torch()
    # A model that changed on disk is loaded again.
    state = find_checkpoint(name, revision=options.get("revision")).fingerprint()
    return _loaded(name, state, **options)


def choose_piecewise_encoder(chosen: str | PathLike[str] | PiecewiseEncoder) -> PiecewiseEncoder:
    """Return an encoder of word pieces unchanged, or open ``latin`` or the one in a folder.

    Raises
    ------
    InputError
        If there is no such encoder, or its files cannot be used.
    ParameterError
        If it has no vectors for word pieces.
    """
    if isinstance(chosen, str | PathLike):
        # Opening any other folder raises an error that says what is missing.
        folder = _own_folder(fspath(chosen)) or Path(chosen).expanduser()
        return _opened(folder, file_states(folder))
    if not isinstance(chosen, PiecewiseEncoder):
        raise ParameterError("models.no_pieces", encoder=type(chosen).__name__)
    return chosen


def _own_folder(name: str) -> Path | None:
    """Return the folder of an encoder of ours; None for other encoders."""
    if name == SHIPPED:
        return OnnxEncoder.shipped_path()
    folder = Path(name).expanduser()
    return folder if OnnxEncoder.is_at(folder) else None


@lru_cache(maxsize=2)
def _opened(folder: Path, state: FileStates) -> OnnxEncoder:  # noqa: ARG001
    return OnnxEncoder(folder)


@lru_cache(maxsize=2)
def _loaded(name: str, state: str, **options: Any) -> TransformerEncoder:  # noqa: ANN401, ARG001
    return load_encoder(name, **options)


def require_torch() -> None:
    """Raise a MissingDependencyError if torch, transformers or safetensors is not installed."""
    for library in ("torch", "transformers", "safetensors"):
        try:
            __import__(library)
        except ImportError as error:
            raise MissingDependencyError(
                "models.library_missing", name=library, install=install_command(extra="hub")
            ) from error


def load_files(
    checkpoint: Checkpoint,
    kind: str = "AutoModel",
    *,
    may_lack: tuple[str, ...] = ("pooler",),
    with_tokenizer: bool = True,
    **config: object,
) -> tuple[Any, Any]:
    """Return model and tokenizer, read from local files only.

    `kind` is the class of transformers that loads the model, `config` changes its configuration.
    Weights may be missing if their names contain a part of `may_lack`: heads that are unused or
    still to be trained. Any other missing weight would be initialized at random.
    """
    import transformers

    file = str(checkpoint.weights)
    if with_tokenizer and not any(any(checkpoint.weights.glob(name)) for name in _TOKENIZERS):
        raise InputError("models.no_tokenizer", file=file)
    options = {"local_files_only": True, "trust_remote_code": False}
    try:
        with quiet_transformers():
            tokenizer = None
            if with_tokenizer:
                tokenizer = transformers.AutoTokenizer.from_pretrained(file, **options)
            model, report = getattr(transformers, kind).from_pretrained(
                file, use_safetensors=True, output_loading_info=True, **options, **config
            )
    except ImportError as error:
        raise MissingDependencyError(
            "models.needs_library", model=checkpoint.name, reason=first_line(error)
        ) from error
    except MemoryError:
        raise
    except Exception as error:  # broken files raise errors of many libraries
        raise InputError("models.not_loaded", file=file, reason=first_line(error)) from error
    missing = sorted(k for k in report["missing_keys"] if not any(part in k for part in may_lack))
    if missing:
        raise InputError("models.missing_weights", file=file, count=len(missing), first=missing[0])
    if tokenizer is not None and len(tokenizer) > model.get_input_embeddings().num_embeddings:
        raise InputError("models.too_many_tokens", file=file)
    return model.float(), tokenizer


def longest_input(model: Any, tokenizer: Any, checkpoint: Checkpoint) -> int:  # noqa: ANN401
    """Return the maximum number of tokens the model can read."""
    positions = getattr(model.config, "max_position_embeddings", None) or _LONGEST
    if model.config.model_type in SHIFTED_POSITIONS:
        positions -= (model.config.pad_token_id or 0) + 1
    # Tokenizers without a limit say 10 ** 30.
    limit = positions if tokenizer is None else tokenizer.model_max_length
    return int(min(positions, limit, checkpoint.max_length or _LONGEST))


def choose_device(name: str) -> str:
    """Return the device for torch; ``auto`` is a GPU if there is one."""
    import torch

    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.empty(0, device=name)
    except (RuntimeError, AssertionError) as error:
        raise ParameterError(
            "models.unusable_device", device=name, reason=first_line(error)
        ) from error
    return name
