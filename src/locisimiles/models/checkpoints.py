"""Find the files of an encoder, and its prompts, pooling and maximum length.

A model is a folder, or a name on the Hugging Face Hub, whose files are fetched into the Hub's
cache. Weights must be safetensors, which hold no code; Python files are never fetched. The files
that sentence-transformers writes beside a model are read without that package.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, cast, get_args

from locisimiles.errors import (
    InputError,
    MalformedInputError,
    MissingDependencyError,
    UnsafeInputError,
)
from locisimiles.files.hashing import file_chunks, sha256_of
from locisimiles.files.json_files import read_json
from locisimiles.installation import install_command
from locisimiles.models.families import NO_PROMPTS, Pooling, Prompts, family_of, hub_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike

__all__ = [
    "Checkpoint",
    "FileStates",
    "file_states",
    "find_checkpoint",
    "first_line",
    "write_sentence_config",
]

FileStates = tuple[tuple[str, int, int], ...]

_WEIGHTS = "*.safetensors"
_FILES = ["*.json", "*.txt", "*.model", "*.vocab", "*.encoder", _WEIGHTS]
_IGNORED = ["onnx/*", "openvino/*", "*/onnx/*", "*/openvino/*"]
_MODULES, _SENTENCES, _LENGTH = (
    "modules.json",
    "config_sentence_transformers.json",
    "sentence_bert_config.json",
)
_SOURCE_PROMPTS = ("document", "passage", "source", "candidate")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A model on this machine.

    Attributes
    ----------
    name, revision
        As the user named it.
    folder, weights
        Its folder, and the folder within that has configuration, tokenizer and weights.
    pooling, prompts, max_length
        As its files or its family say; None or no prompts if neither does.
    """

    name: str
    revision: str | None
    folder: Path
    weights: Path
    pooling: Pooling | None
    prompts: Prompts
    max_length: int | None

    def describe(self) -> dict[str, object]:
        """Return which model it is, for manifests."""
        return {
            "model": self.name,
            "revision": self.revision,
            "model_sha256": self.fingerprint(),
        }

    def fingerprint(self) -> str:
        """Return the SHA-256 of all its files, for manifests and caches."""
        return _fingerprint(
            self.folder, file_states(self.folder, [f"**/{name}" for name in _FILES])
        )


def find_checkpoint(name: str | PathLike[str], *, revision: str | None = None) -> Checkpoint:
    """Find a model; fetch it from the Hub if it is not a folder.

    Parameters
    ----------
    name
        A folder, a name on the Hub, or a short name of `locisimiles.models.families`.
    revision
        The version on the Hub: a tag, or better a commit, which never changes.

    Raises
    ------
    MissingDependencyError, InputError
        If a library is not installed, or the model does not exist or cannot be used.
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
        raise InputError("models.no_config", file=str(weights))
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
    """Write pooling, prompts and maximum length beside a model, as sentence-transformers does."""
    kinds = {"": "Transformer", "1_Pooling": "Pooling", "2_Normalize": "Normalize"}
    modules = [
        {"idx": row, "name": str(row), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for row, (path, kind) in enumerate(kinds.items())
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


def first_line(error: Exception) -> str:
    """Return the first line of another library's error message, or its type if it is empty."""
    return next(iter(str(error).splitlines()), "") or type(error).__name__


def _fetch(name: str, revision: str | None) -> Path:
    """Return the folder of a model in the Hub's cache, fetching it if necessary."""
    if name.startswith((".", "/", "~")) or "\\" in name or name.count("/") > 1 or not name:
        raise InputError("models.no_folder", name=name)
    try:
        import huggingface_hub
    except ImportError as error:
        raise MissingDependencyError(
            "models.hub_not_installed", name=name, install=install_command(extra="hub")
        ) from error
    try:
        folder = huggingface_hub.snapshot_download(
            name, revision=revision, allow_patterns=_FILES, ignore_patterns=_IGNORED
        )
        return Path(folder)
    except Exception as error:
        # Which exceptions there are depends on the HTTP library below, which has changed before.
        if not isinstance(error, OSError | ValueError) and "http" not in type(error).__module__:
            raise
        full_name = f"{name}@{revision}" if revision else name
        raise InputError("models.not_fetched", name=full_name, reason=first_line(error)) from error


def _modules(folder: Path) -> list[tuple[str, PurePosixPath]]:
    """Return kind and folder of each module of a sentence-transformers model, else nothing."""
    path = folder / _MODULES
    if not path.is_file():
        return []
    content = read_json(path)
    if not isinstance(content, list) or not all(isinstance(entry, dict) for entry in content):
        raise MalformedInputError("models.no_module_list", file=str(path))
    modules = []
    for entry in content:
        kind = str(entry.get("type", "")).rpartition(".")[2]
        place = PurePosixPath(str(entry.get("path", "")))
        if place.is_absolute() or ".." in place.parts or "\\" in str(place):
            raise UnsafeInputError("models.module_outside", file=str(path), module=str(place))
        if kind not in {"Transformer", "Pooling", "Normalize"}:
            raise InputError("models.unknown_module", file=str(path), kind=kind)
        modules.append((kind, place))
    return modules


def _require_safetensors(weights: Path) -> None:
    if any(weights.glob(_WEIGHTS)):
        return
    pickles = sorted(path.name for path in weights.glob("*.bin"))
    if pickles:
        raise InputError("models.only_pickles", file=str(weights), name=pickles[0])
    raise InputError("models.no_safetensors", file=str(weights))


def _pooling(folder: Path, modules: list[tuple[str, PurePosixPath]]) -> Pooling | None:
    places = [place for kind, place in modules if kind == "Pooling"]
    if not places:
        return None
    path = folder / places[0] / "config.json"
    content = _object(path)
    modes = {str(content.get("pooling_mode", ""))}
    modes |= {name for name, value in content.items() if value is True and "pooling_mode" in name}
    modes = {name.removeprefix("pooling_mode_").partition("_")[0] for name in modes} - {""}
    for pooling in get_args(Pooling):
        if modes == {pooling}:
            return cast("Pooling", pooling)
    raise InputError("models.unknown_pooling_mode", file=str(path), modes=sorted(modes))


def _prompts(folder: Path) -> Prompts | None:
    """Return the prompts of a model; None if all are empty or missing."""
    path = folder / _SENTENCES
    if not path.is_file():
        return None
    prompts = _object(path).get("prompts")
    if not isinstance(prompts, dict) or not all(isinstance(p, str) for p in prompts.values()):
        return None
    source = next((prompts[name] for name in _SOURCE_PROMPTS if prompts.get(name)), "")
    named = Prompts(query=prompts.get("query", ""), source=source)
    return None if named == NO_PROMPTS else named


def _max_length(weights: Path) -> int | None:
    path = weights / _LENGTH
    length = _object(path).get("max_seq_length") if path.is_file() else None
    return length if isinstance(length, int) and length > 0 else None


def _object(path: Path) -> dict[str, Any]:
    content = read_json(path)
    if not isinstance(content, dict):
        raise MalformedInputError("files.not_json_object", file=str(path))
    return content


def file_states(folder: Path, patterns: Sequence[str] = ("*",)) -> FileStates:
    """Return name, size and time of modification of files in a folder."""
    paths = {path for pattern in patterns for path in folder.glob(pattern) if path.is_file()}
    states = ((path.relative_to(folder).as_posix(), path.stat()) for path in sorted(paths))
    return tuple((name, state.st_size, state.st_mtime_ns) for name, state in states)


@lru_cache(maxsize=8)
def _fingerprint(folder: Path, states: FileStates) -> str:
    return sha256_of(_identifying(folder, states))


def _identifying(folder: Path, states: FileStates) -> Iterator[str | bytes]:
    for name, size, _ in states:
        yield f"{name}\0{size}\0"
        yield from file_chunks(folder / name)
