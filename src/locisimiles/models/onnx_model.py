"""Our networks in folders: a graph for onnxruntime, a tokenizer, and settings.

``KIND.onnx`` and ``KIND.json`` are graph and settings, where KIND is ``encoder`` or
``crossencoder``. The settings hold the SHA-256 of the other files, which are checked when loaded.

All texts of a batch have the same length, so nothing is padded and no result depends on the other
texts of its batch. Batches run in parallel, one per core.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from locisimiles.checks import check_at_least
from locisimiles.errors import (
    InputError,
    MalformedInputError,
    MissingDependencyError,
    UnsafeInputError,
)
from locisimiles.files.hashing import sha256_of
from locisimiles.files.json_files import read_json
from locisimiles.installation import install_command
from locisimiles.models.checkpoints import first_line
from locisimiles.models.pieces import SPECIAL_PIECES, PieceTokenizer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from os import PathLike

    import numpy as np
    from numpy.typing import NDArray

    Run = Callable[[str, Mapping[str, NDArray[Any]]], NDArray[np.float32]]

__all__ = ["FORMAT", "SHIPPED", "VOCABULARY", "OnnxModel"]

VOCABULARY = "tokenizer.json"
FORMAT = 1
SHIPPED = "latin"
"""The name of the encoder and of the cross-encoder that come with the package."""

_LARGEST = 1 << 16

BatchT = TypeVar("BatchT")


class OnnxModel:
    """One of our networks; graph and tokenizer are loaded on first use.

    It runs `threads` batches in parallel. `vocabulary` is the number of word pieces it knows,
    `most_pieces` the maximum in one input.
    """

    kind: ClassVar[str]
    most_pieces: int
    tokenizer_file: Path
    tokenizer_sha256: str

    def __init__(self, folder: str | PathLike[str], threads: int | None) -> None:
        check_at_least(1, threads=threads)
        self.path = Path(folder).expanduser()
        self.threads = threads or _usable_cores()
        self._graph, self._settings_file = (
            self.path / f"{self.kind}.{suffix}" for suffix in ("onnx", "json")
        )
        _require(self._settings_file, self._graph)
        self._settings = self._read_settings()
        self.graph_sha256 = str(self._settings.get(f"{self.kind}_sha256"))
        (self.vocabulary,) = self._sizes("vocabulary")

    @property
    def name(self) -> str:
        """The name in manifests and caches; it does not depend on where the folder is."""
        return SHIPPED if self.path == self._shipped() else self.path.resolve().name

    @property
    def sha256(self) -> str:
        """The SHA-256 of all that determines its output; weights learnt with it store this.

        It covers the SHA-256 of the graph, that of the tokenizer, and `most_pieces`, one per line;
        neither the path of the folder nor notes in its settings.
        """
        return sha256_of(f"{self.graph_sha256}\n{self.tokenizer_sha256}\n{self.most_pieces}\n")

    def describe(self) -> Mapping[str, object]:
        """Return all that its output depends on besides the texts."""
        return {
            "model": self.name,
            "model_sha256": self.graph_sha256,
            "tokenizer_sha256": self.tokenizer_sha256,
        }

    @classmethod
    def is_at(cls, path: Path) -> bool:
        """Tell whether a folder holds a network of this kind."""
        try:
            return (path / f"{cls.kind}.onnx").is_file()
        except (OSError, ValueError):  # not a valid path
            return False

    @classmethod
    def shipped_path(cls) -> Path:
        """Return the folder of the network that comes with the package."""
        if not cls.is_at(cls._shipped()):
            raise InputError("models.not_shipped", name=SHIPPED)
        return cls._shipped()

    @classmethod
    def _shipped(cls) -> Path:
        return Path(__file__).parent / "data" / cls.kind

    def _read_settings(self) -> dict[str, Any]:
        """Read the settings, with the sizes of the network among them."""
        file = str(self._settings_file)
        try:
            settings = read_json(self._settings_file)
        except (MalformedInputError, UnsafeInputError):
            settings = None
        if not isinstance(settings, dict):
            raise MalformedInputError("models.damaged_settings", file=file)
        if settings.get("format") != FORMAT:
            raise InputError("models.unknown_format", file=file, found=str(settings.get("format")))
        network = settings.get("network")
        return {**(network if isinstance(network, dict) else {}), **settings}

    def _sizes(self, *names: str) -> Iterator[int]:
        for name in names:
            size = self._settings.get(name)
            if not isinstance(size, int) or isinstance(size, bool) or not 0 < size <= _LARGEST:
                file = str(self._settings_file)
                raise MalformedInputError("models.bad_size", file=file, name=name, value=repr(size))
            yield size

    def _use_tokenizer(self, file: Path, sha256: object) -> None:
        _require(file)
        self.tokenizer_file, self.tokenizer_sha256 = file, str(sha256)

    def _load(self, inputs: Sequence[str], outputs: Mapping[str, int], cores: int) -> Run:
        """Load the network; it must have these inputs, and outputs with these row lengths.

        Return a function of an output's name and of the inputs by name, which threads may share.
        """
        # Otherwise onnxruntime counts its uses and leaves an id of the machine in the home folder.
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
        runtime = _library("onnxruntime")
        file, graph = self._graph, _checked(self._graph, self.graph_sha256)
        options = runtime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = cores, 1
        options.enable_mem_pattern = False  # texts have many lengths
        options.log_severity_level = 4  # we report errors ourselves
        with _usable(file):
            session = runtime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        takes = [entry.name for entry in session.get_inputs()]
        gives = {entry.name: entry.shape[-1] for entry in session.get_outputs()}
        if takes != list(inputs) or gives != outputs:
            raise InputError("models.other_network", file=str(file))

        def run(output: str, arrays: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
            with _usable(file):  # it may have fewer positions than its settings claim
                rows: NDArray[np.float32] = session.run([output], dict(arrays))[0]
            return rows

        return run

    def tokenizer(self) -> Any:  # noqa: ANN401 - tokenizers has no types
        """Load the tokenizer."""
        library = _library("tokenizers")
        content = _checked(self.tokenizer_file, self.tokenizer_sha256)
        with _usable(self.tokenizer_file):
            tokenizer = library.Tokenizer.from_str(content.decode("utf-8"))
        special = [tokenizer.token_to_id(token) for token in SPECIAL_PIECES]
        numbers = tokenizer.get_vocab(with_added_tokens=True).values()
        if special != list(range(len(SPECIAL_PIECES))) or max(numbers) >= self.vocabulary:
            raise InputError("models.other_tokenizer", file=str(self.tokenizer_file))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    @cached_property
    def _tokenizer(self) -> PieceTokenizer:
        return PieceTokenizer(self.tokenizer())

    def _run(
        self, run: Callable[[BatchT], NDArray[np.float32]], batches: Sequence[BatchT]
    ) -> Iterator[tuple[BatchT, NDArray[np.float32]]]:
        """Yield batches with the network's output, in order."""
        if self.threads == 1 or len(batches) == 1:
            yield from zip(batches, map(run, batches), strict=True)
            return
        with ThreadPoolExecutor(self.threads) as pool:
            yield from zip(batches, pool.map(run, batches), strict=True)


def _require(*files: Path) -> None:
    for file in files:
        if not file.parent.exists():
            raise InputError("models.no_folder", name=str(file.parent))
        if not file.is_file():
            raise InputError("models.missing_file", file=str(file.parent), name=file.name)


def _checked(file: Path, sha256: str) -> bytes:
    try:
        content = file.read_bytes()
    except OSError as error:
        raise InputError("files.unreadable", file=str(file), reason=error.strerror) from error
    if sha256_of(content) != sha256:
        raise InputError("models.other_file", file=str(file))
    return content


@contextmanager
def _usable(file: Path) -> Iterator[None]:
    """Turn any error of another library about a file into an InputError."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:  # broken files raise errors of many kinds
        raise InputError("models.unusable", file=str(file), reason=first_line(error)) from error


def _library(name: str) -> Any:  # noqa: ANN401
    try:
        return __import__(name)
    except ImportError as error:
        raise MissingDependencyError(
            "models.core_library_missing", name=name, install=install_command(library=name)
        ) from error


def _usable_cores() -> int:
    if (chosen := os.environ.get("OMP_NUM_THREADS", "")).isdigit() and int(chosen):
        return int(chosen)  # as other libraries do
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
