"""Where the files of an encoder are, and what they say of how it is used.

A model is a folder, or a name on the Hugging Face Hub, whose files are then fetched into a folder
(the Hub's own cache). Weights must be safetensors, which hold numbers and nothing that could be
run; Python files are never fetched. What sentence-transformers writes beside a model (its prompts,
its pooling, its longest text) is understood without that package.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from locisimiles.errors import (
    InputError,
    MalformedInputError,
    MissingDependencyError,
    UnsafeInputError,
)
from locisimiles.models.families import NO_PROMPTS, Prompts, family_of, hub_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    from locisimiles.models.families import Pooling

__all__ = ["HUB_INSTALL", "Checkpoint", "find_checkpoint", "write_sentence_config"]

HUB_INSTALL = "install it with: pip install 'locisimiles[hub]'"

_WEIGHTS = "*.safetensors"
_FILES = ("*.json", "*.txt", "*.model", "*.vocab", "*.encoder", _WEIGHTS)
_NOT_OURS = ("onnx/*", "openvino/*", "*/onnx/*", "*/openvino/*")
_MODULES, _SENTENCES, _LENGTH = (
    "modules.json",
    "config_sentence_transformers.json",
    "sentence_bert_config.json",
)
_SOURCE_PROMPTS = ("document", "passage", "source", "candidate")
_CHUNK = 1 << 22


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A model on this machine.

    Attributes
    ----------
    name, revision
        What it was asked for by.
    folder
        Where its files are.
    weights
        The folder in it that holds configuration, tokenizer and weights.
    pooling
        How the vectors of tokens become one, if its files or its family say so.
    prompts
        What is written before texts; nothing if neither its files nor its family say so.
    max_length
        How many tokens its files allow at most, if they say so.
    """

    name: str
    revision: str | None
    folder: Path
    weights: Path
    pooling: Pooling | None
    prompts: Prompts
    max_length: int | None

    def fingerprint(self) -> str:
        """Return a SHA-256 over all its files, which names it in manifests and caches."""
        return _fingerprint(self.folder, tuple(_states(self.folder)))


def find_checkpoint(name: str | PathLike[str], *, revision: str | None = None) -> Checkpoint:
    """Find a model, fetching it from the Hub if it is no folder.

    Parameters
    ----------
    name
        A folder, a name on the Hub, or a short name of `locisimiles.models.families`.
    revision
        Which version on the Hub: a tag, or better a commit, which nobody can change.

    Raises
    ------
    InputError
        If it is not there, cannot be reached, or holds nothing we can use.
    MissingDependencyError
        If it is on the Hub and what talks to the Hub is not installed.
    """
    full_name = hub_name(str(name))
    folder = Path(name).expanduser()
    if not folder.is_dir():
        folder = _fetch(full_name, revision)
    modules = _modules(folder)
    weights = folder / next(
        (path for kind, path in modules if kind == "Transformer"), PurePosixPath()
    )
    if not (weights / "config.json").is_file():
        raise InputError(
            "there is no model: config.json is missing",
            file=str(weights),
            hint="name the folder that save_pretrained or sentence-transformers wrote",
        )
    _object(weights / "config.json")
    _require_safetensors(weights)
    family = family_of(str(folder.resolve()) if full_name == str(folder) else full_name)
    return Checkpoint(
        name=full_name,
        revision=revision,
        folder=folder,
        weights=weights,
        pooling=_pooling(folder, modules) or (family.pooling if family else None),
        prompts=_prompts(folder) or (family.prompts if family else NO_PROMPTS),
        max_length=_max_length(weights),
    )


def write_sentence_config(
    folder: Path, *, pooling: Pooling, prompts: Prompts, dimensions: int, max_length: int
) -> None:
    """Write beside a model how it is used, as sentence-transformers does and we read it."""
    modules = [
        {"idx": number, "name": str(number), "path": path, "type": f"sentence_transformers.{kind}"}
        for number, (path, kind) in enumerate(
            [
                ("", "models.Transformer"),
                ("1_Pooling", "models.Pooling"),
                ("2_Normalize", "models.Normalize"),
            ]
        )
    ]
    modes = {
        "word_embedding_dimension": dimensions,
        "pooling_mode_cls_token": pooling == "cls",
        "pooling_mode_mean_tokens": pooling == "mean",
    }
    contents: dict[str, object] = {
        _MODULES: modules,
        "1_Pooling/config.json": modes,
        _SENTENCES: {
            "prompts": {"query": prompts.query, "document": prompts.source},
            "default_prompt_name": None,
            "similarity_fn_name": "cosine",
        },
        _LENGTH: {"max_seq_length": max_length, "do_lower_case": False},
    }
    (folder / "2_Normalize").mkdir(exist_ok=True)
    (folder / "1_Pooling").mkdir(exist_ok=True)
    for name, content in contents.items():
        (folder / name).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _fetch(name: str, revision: str | None) -> Path:
    """Return the folder of the Hub's cache that holds a model, filling it first if need be."""
    if name.startswith((".", "/", "~")) or "\\" in name or name.count("/") > 1 or not name:
        raise InputError(
            f"there is no folder {name!r}", hint="name a folder with a model, or one on the Hub"
        )
    try:
        import huggingface_hub
    except ImportError as error:
        raise MissingDependencyError(
            f"{name!r} is no folder, and huggingface_hub, which fetches models, is not installed",
            hint=HUB_INSTALL,
        ) from error
    try:
        return Path(
            huggingface_hub.snapshot_download(
                name,
                revision=revision,
                allow_patterns=list(_FILES),
                ignore_patterns=list(_NOT_OURS),
            )
        )
    except Exception as error:
        # The HTTP library below decides which exceptions there are, and it has changed once.
        if not isinstance(error, OSError | ValueError) and "http" not in type(error).__module__:
            raise
        at = f" at revision {revision!r}" if revision else ""
        reason = next(iter(str(error).splitlines()), "") or type(error).__name__
        raise InputError(
            f"the model {name!r}{at} is no folder and cannot be fetched from the Hub: {reason}",
            hint="check the name and the connection, or name a folder with the model",
        ) from error


def _modules(folder: Path) -> list[tuple[str, PurePosixPath]]:
    """Return what a sentence-transformers model is made of: kinds of modules, and where they are.

    It is empty for a plain model.
    """
    path = folder / _MODULES
    if not path.is_file():
        return []
    content = _json(path)
    if not isinstance(content, list) or not all(isinstance(entry, dict) for entry in content):
        raise MalformedInputError("this is no list of modules", file=str(path))
    found = []
    for entry in content:
        kind = str(entry.get("type", "")).rpartition(".")[2]
        place = PurePosixPath(str(entry.get("path", "")))
        if place.is_absolute() or ".." in place.parts or "\\" in str(place):
            raise UnsafeInputError(f"the module {str(place)!r} is elsewhere", file=str(path))
        if kind not in {"Transformer", "Pooling", "Normalize"}:
            raise InputError(
                f"the model has a module of the kind {kind!r}, which we do not read",
                file=str(path),
                hint="Transformer, Pooling and Normalize are understood",
            )
        found.append((kind, place))
    return found


def _require_safetensors(weights: Path) -> None:
    if any(weights.glob(_WEIGHTS)):
        return
    others = sorted(path.name for path in weights.glob("*.bin"))
    raise InputError(
        "there are no weights in the safetensors format"
        + (f" (only {others[0]}, which may run code when read)" if others else ""),
        file=str(weights),
        hint="save it again with safe_serialization=True, or ask for a revision that has them",
    )


def _pooling(folder: Path, modules: list[tuple[str, PurePosixPath]]) -> Pooling | None:
    places = [place for kind, place in modules if kind == "Pooling"]
    if not places:
        return None
    path = folder / places[0] / "config.json"
    content = _object(path)
    modes = {str(content.get("pooling_mode", ""))}
    modes |= {name for name, value in content.items() if value is True and "pooling_mode" in name}
    modes = {name.removeprefix("pooling_mode_").partition("_")[0] for name in modes} - {""}
    if modes == {"mean"}:
        return "mean"
    if modes == {"cls"}:
        return "cls"
    raise InputError(
        f"the model pools by {' and '.join(sorted(modes)) or 'nothing'}, which we cannot",
        file=str(path),
        hint="mean and cls are understood",
    )


def _prompts(folder: Path) -> Prompts | None:
    """Return the prompts of a model; None if it has none, which may mean that nobody wrote them."""
    path = folder / _SENTENCES
    if not path.is_file():
        return None
    prompts = _object(path).get("prompts")
    if not isinstance(prompts, dict) or not all(isinstance(p, str) for p in prompts.values()):
        return None
    source = next((prompts[name] for name in _SOURCE_PROMPTS if prompts.get(name)), "")
    found = Prompts(query=prompts.get("query", ""), source=source)
    return None if found == NO_PROMPTS else found


def _max_length(weights: Path) -> int | None:
    path = weights / _LENGTH
    length = _object(path).get("max_seq_length") if path.is_file() else None
    return length if isinstance(length, int) and length > 0 else None


def _object(path: Path) -> dict[str, Any]:
    content = _json(path)
    if not isinstance(content, dict):
        raise MalformedInputError("this is no JSON object", file=str(path))
    return content


def _json(path: Path) -> object:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"it cannot be read: {error.strerror}", file=str(path)) from error
    except (ValueError, RecursionError) as error:
        raise MalformedInputError(f"this is no JSON file ({error})", file=str(path)) from error


def _states(folder: Path) -> Iterator[tuple[str, int, int]]:
    """Yield names, sizes and times of the files that make a model."""
    paths = {path for pattern in _FILES for path in folder.rglob(pattern) if path.is_file()}
    for path in sorted(paths):
        state = path.stat()
        yield path.relative_to(folder).as_posix(), state.st_size, state.st_mtime_ns


@lru_cache(maxsize=8)
def _fingerprint(folder: Path, states: tuple[tuple[str, int, int], ...]) -> str:
    digest = hashlib.sha256()
    for name, size, _ in states:
        digest.update(f"{name}\0{size}\0".encode())
        with (folder / name).open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
    return digest.hexdigest()
