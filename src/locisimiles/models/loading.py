"""Load an encoder by its name."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.errors import InputError, MissingDependencyError, ParameterError
from locisimiles.models.checkpoints import HUB_INSTALL, find_checkpoint
from locisimiles.models.encoder_folder import SHIPPED, is_encoder_folder, shipped_encoder_folder
from locisimiles.models.encoders import TransformerEncoder, quiet_transformers
from locisimiles.models.families import NO_PROMPTS, check_pooling, choose_prompts
from locisimiles.models.onnx_encoder import OnnxEncoder

if TYPE_CHECKING:
    from os import PathLike

    from locisimiles.models.checkpoints import Checkpoint
    from locisimiles.models.encoders import PiecewiseEncoder, TextEncoder
    from locisimiles.models.families import Pooling, Prompts

__all__ = [
    "SHIFTED_POSITIONS",
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
# Their positions are counted from the padding's number on.
SHIFTED_POSITIONS = ("roberta", "xlm-roberta", "camembert", "xlm-roberta-xl", "data2vec-text")


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
    """Load an encoder.

    Parameters
    ----------
    name
        A folder, a name on the Hub, or a short one: ``e5-small``, ``e5-base``, ``e5-large``,
        ``granite-107m``, ``granite-278m``, ``bge-m3``, ``sphilberta``.
    revision
        Which version on the Hub; a commit cannot change behind your back.
    pooling
        ``mean`` or ``cls``; by default what the model's files or its family say, else ``mean``.
    prompts
        ``none``, ``e5``, ``paper`` (``Query:`` and ``Candidate:``), or others; by default what the
        model's files or its family say.
    max_length
        How many tokens of a text are read at most; by default, and never more than, what the
        model allows.
    batch_size
        How many texts are encoded at a time.
    layers
        Whose mean `encode_tokens` gives; 0 is the embeddings, -1 the last layer.
    device
        ``cpu``, ``cuda`` or ``auto``.

    Raises
    ------
    MissingDependencyError
        If torch or transformers is not installed.
    InputError
        If the model is not there, or its files cannot be used.
    """
    if pooling is not None:
        check_pooling(pooling)
    for option, value in (("max_length", max_length), ("batch_size", batch_size)):
        if value is not None and value < 1:
            raise ParameterError(f"{option}={value} leaves nothing to read")
    chosen_prompts = choose_prompts(prompts) if prompts is not None else None
    require_torch()
    checkpoint = find_checkpoint(name, revision=revision)
    model, tokenizer = load_files(checkpoint)
    depth = int(getattr(model.config, "num_hidden_layers", 0))
    if not layers or not all(-depth - 1 <= layer <= depth for layer in layers):
        raise ParameterError(f"layers={layers} are not all among the {depth} of the model")
    allowed = longest_input(model, tokenizer, checkpoint)
    return TransformerEncoder(
        model.to(choose_device(device)).eval(),
        tokenizer,
        pooling=pooling or checkpoint.pooling or "mean",
        prompts=chosen_prompts if chosen_prompts is not None else checkpoint.prompts,
        max_length=min(max_length or allowed, allowed),
        batch_size=batch_size,
        layers=layers,
        origin={
            "model": checkpoint.name,
            "revision": checkpoint.revision,
            "model_sha256": checkpoint.fingerprint(),
        },
    )


def choose_encoder(
    chosen: str | PathLike[str] | TextEncoder,
    *,
    revision: str | None = None,
    pooling: Pooling | None = None,
    prompts: str | Prompts | None = None,
    max_length: int | None = None,
    layers: tuple[int, ...] = (-1,),
    device: str = "auto",
) -> TextEncoder:
    """Return an encoder as it is, or load the one with that name unless it was loaded before.

    ``latin`` is the encoder that comes with the package; it, and a folder with ``encoder.onnx``,
    need no torch.

    Raises
    ------
    InputError
        If there is no such encoder, or its files cannot be used.
    MissingDependencyError
        If something must be installed for it.
    ParameterError
        If it cannot be used in the way asked for.
    """
    if not isinstance(chosen, str) and not hasattr(chosen, "__fspath__"):
        return chosen
    name = chosen if isinstance(chosen, str) else chosen.__fspath__()
    folder = _own_folder(name)
    if folder is not None:
        habits = {
            "revision": revision is None,
            "pooling": pooling in {None, "mean"},
            "prompts": prompts is None or choose_prompts(prompts) == NO_PROMPTS,
            "max_length": max_length is None,
            "layers": layers == (-1,),
            "device": device in {"auto", "cpu"},
        }
        refused = next((option for option, allowed in habits.items() if not allowed), None)
        if refused is not None:
            raise ParameterError(
                f"the encoder {name!r} has one way of use; {refused} cannot be chosen",
                hint="leave it out, or use a model of transformers",
            )
        return _opened(folder, _state(folder))
    require_torch()
    # A model that was changed on disk is another one.
    state = find_checkpoint(name, revision=revision).fingerprint()
    return _loaded(
        name,
        state=state,
        revision=revision,
        pooling=pooling,
        prompts=prompts,
        max_length=max_length,
        layers=layers,
        device=device,
    )


def choose_piecewise_encoder(chosen: str | PathLike[str] | PiecewiseEncoder) -> PiecewiseEncoder:
    """Return an encoder of word pieces as it is, or open the one in a folder, or ``latin``.

    Raises
    ------
    InputError
        If there is no such encoder, or its files cannot be used.
    """
    if not isinstance(chosen, str) and not hasattr(chosen, "__fspath__"):
        return chosen
    name = chosen if isinstance(chosen, str) else chosen.__fspath__()
    # A folder that is none of ours is told what it lacks.
    folder = _own_folder(name) or Path(name).expanduser()
    return _opened(folder, _state(folder))


def _own_folder(name: str) -> Path | None:
    """Return the folder of an encoder of ours, None if it is somebody else's."""
    if name == SHIPPED:
        return shipped_encoder_folder()
    folder = Path(name).expanduser()
    return folder if is_encoder_folder(folder) else None


def _state(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Return what changes when a file of a folder does."""
    try:
        states = [(path.name, path.stat()) for path in sorted(folder.iterdir())]
    except (OSError, ValueError):
        return ()
    return tuple((name, state.st_size, state.st_mtime_ns) for name, state in states)


@lru_cache(maxsize=2)
def _opened(folder: Path, state: tuple[tuple[str, int, int], ...]) -> OnnxEncoder:  # noqa: ARG001
    return OnnxEncoder(folder)


@lru_cache(maxsize=2)
def _loaded(
    name: str,
    *,
    state: str,  # noqa: ARG001 - which distinguishes models of one name
    revision: str | None,
    pooling: Pooling | None,
    prompts: str | Prompts | None,
    max_length: int | None,
    layers: tuple[int, ...],
    device: str,
) -> TransformerEncoder:
    return load_encoder(
        name,
        revision=revision,
        pooling=pooling,
        prompts=prompts,
        max_length=max_length,
        layers=layers,
        device=device,
    )


def require_torch() -> None:
    """Raise a MissingDependencyError if what runs encoders is not installed."""
    for library in ("torch", "transformers", "safetensors"):
        try:
            __import__(library)
        except ImportError as error:
            raise MissingDependencyError(f"{library} is not installed", hint=HUB_INSTALL) from error


def load_files(
    checkpoint: Checkpoint,
    kind: str = "AutoModel",
    *,
    may_lack: tuple[str, ...] = ("pooler",),
    with_tokenizer: bool = True,
    **config: object,
) -> tuple[Any, Any]:
    """Return model and tokenizer, read from files and nothing else.

    Parameters
    ----------
    checkpoint
        Where they are.
    kind
        The class of transformers that reads it.
    may_lack
        Parts of the names of weights that need not be there: heads that are not used, or learnt
        only now. Any other hole would be filled with noise.
    with_tokenizer
        Whether it must have a tokenizer that transformers reads; otherwise there is None.
    config
        What its configuration shall say instead.

    Raises
    ------
    InputError
        If they cannot be used.
    MissingDependencyError
        If the model needs a library that is not installed.
    """
    import transformers

    if with_tokenizer and not any(
        path for name in _TOKENIZERS for path in checkpoint.weights.glob(name)
    ):
        raise InputError(
            "the model has no tokenizer",
            file=str(checkpoint.weights),
            hint="save its tokenizer beside it",
        )
    options = {"local_files_only": True, "trust_remote_code": False}
    try:
        with quiet_transformers():
            tokenizer = (
                transformers.AutoTokenizer.from_pretrained(checkpoint.weights, **options)
                if with_tokenizer
                else None
            )
            model, report = getattr(transformers, kind).from_pretrained(
                checkpoint.weights,
                use_safetensors=True,
                output_loading_info=True,
                **options,
                **config,
            )
    except ImportError as error:
        raise MissingDependencyError(
            f"{checkpoint.name} needs a library that is not installed: {_first_line(error)}",
            hint="install it, or use another model",
        ) from error
    except MemoryError:
        raise
    except Exception as error:  # each part of a broken file is missed by another library
        raise InputError(
            f"the model cannot be loaded: {_first_line(error)}",
            file=str(checkpoint.weights),
            hint="its configuration or a file of it is broken, or it needs code of its own, "
            "which is never run",
        ) from error
    missing = sorted(
        key for key in report["missing_keys"] if not any(part in key for part in may_lack)
    )
    if missing:
        raise InputError(
            f"the model lacks {len(missing)} weights, among them {missing[0]}",
            file=str(checkpoint.weights),
            hint="fetch or save it again",
        )
    if tokenizer is not None and len(tokenizer) > model.get_input_embeddings().num_embeddings:
        raise InputError(
            "the tokenizer knows tokens that the model does not",
            file=str(checkpoint.weights),
            hint="use the tokenizer that belongs to the model",
        )
    return model.float(), tokenizer


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), "") or type(error).__name__


def longest_input(model: Any, tokenizer: Any, checkpoint: Checkpoint) -> int:  # noqa: ANN401
    """Return how many tokens the model can read."""
    positions = getattr(model.config, "max_position_embeddings", None) or _LONGEST
    if model.config.model_type in SHIFTED_POSITIONS:
        positions -= (model.config.pad_token_id or 0) + 1
    # Tokenizers that know no limit say 10 ** 30.
    known = positions if tokenizer is None else tokenizer.model_max_length
    return int(min(positions, known, checkpoint.max_length or _LONGEST))


def choose_device(name: str) -> str:
    """Return where torch calculates: ``auto`` is a GPU if there is one.

    Raises
    ------
    ParameterError
        If there is no such device here.
    """
    import torch

    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.empty(0, device=name)
    except (RuntimeError, AssertionError) as error:
        raise ParameterError(
            f"device={name!r} cannot be used: {_first_line(error)}", hint="cpu always can"
        ) from error
    return name
