"""A folder with an encoder of ours: ``encoder.onnx``, ``tokenizer.json`` and ``encoder.json``.

`locisimiles.train.late.export` writes it; onnxruntime and tokenizers read it, without torch.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.errors import InputError, MalformedInputError, MissingDependencyError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "FORMAT",
    "GRAPH",
    "LONGEST",
    "SETTINGS",
    "SHIPPED",
    "VOCABULARY",
    "EncoderFolder",
    "Network",
    "is_encoder_folder",
    "shipped_encoder_folder",
]

GRAPH, VOCABULARY, SETTINGS = "encoder.onnx", "tokenizer.json", "encoder.json"
FORMAT = 1
LONGEST = 128
"""How many word pieces are read at once, unless the model's files say otherwise."""
SHIPPED = "latin"
"""The name of the encoder that comes with the package."""

Network = Callable[[str, "NDArray[np.int64]"], "NDArray[np.float32]"]

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_AGAIN = "fetch or export the model again"
_INSTALL = "pip install --upgrade locisimiles"
_MOST_PIECES = 1 << 16


@dataclass(frozen=True, slots=True)
class EncoderFolder:
    """What ``encoder.json`` says of a model.

    Attributes
    ----------
    path
        Where it is.
    vocabulary, width
        How many word pieces it knows, and how long the vectors of its last layer are.
    dimensions
        How long the short vectors of word pieces are.
    longest
        How many pieces it reads at once, without the special ones.
    graph_sha256, vocabulary_sha256
        Of the other two files.
    """

    path: Path
    vocabulary: int
    width: int
    dimensions: int
    longest: int
    graph_sha256: str
    vocabulary_sha256: str

    @property
    def name(self) -> str:
        """What manifests and caches call it: not where it is, which says nothing of it."""
        return SHIPPED if self.path == _shipped_path() else self.path.resolve().name

    @classmethod
    def read(cls, path: Path) -> EncoderFolder:
        """Read what a model is; the network itself is read when it is needed.

        Raises
        ------
        InputError
            If a file is not there, or the folder holds something else.
        """
        for name in (SETTINGS, GRAPH, VOCABULARY):
            if not (path / name).is_file():
                raise InputError(
                    f"there is no encoder of ours: {name} is missing", file=str(path), hint=_AGAIN
                )
        content = _settings(path / SETTINGS)
        if content.get("format") != FORMAT:
            raise InputError(
                f"this is format {content.get('format')!r} of an encoder; {FORMAT} can be read",
                file=str(path / SETTINGS),
                hint=f"{_AGAIN}, or {_INSTALL}",
            )
        network = content.get("network")
        measures = {
            **(network if isinstance(network, dict) else {}),
            **{name: content.get(name) for name in ("dimensions", "longest")},
        }
        vocabulary, width, dimensions, longest = (
            _size(measures.get(name), name, path / SETTINGS)
            for name in ("vocabulary", "width", "dimensions", "longest")
        )
        return cls(
            path,
            vocabulary=vocabulary,
            width=width,
            dimensions=dimensions,
            longest=longest,
            graph_sha256=str(content.get("encoder_sha256")),
            vocabulary_sha256=str(content.get("tokenizer_sha256")),
        )

    def network(self, *, cores: int = 1) -> Network:
        """Load the network.

        Parameters
        ----------
        cores
            How many work on one batch.

        Returns
        -------
        Network
            Takes the name of an output (``hidden``, ``projected``) and numbers of word pieces, a
            row a text; returns a vector for each. It may be called from several threads.

        Raises
        ------
        MissingDependencyError
            If onnxruntime is not installed.
        InputError
            If the network is damaged, or is another one.
        """
        session = self._session(cores)

        def run(output: str, numbers: NDArray[np.int64]) -> NDArray[np.float32]:
            try:
                vectors: NDArray[np.float32] = session.run([output], {"numbers": numbers})[0]
            except MemoryError:
                raise
            except Exception as error:  # such as too few positions for what the settings announce
                raise self._unusable(GRAPH, error) from error
            return vectors

        return run

    def _session(self, cores: int) -> Any:  # noqa: ANN401 - onnxruntime has no types
        # It would count its uses and leave a number of the machine in the user's folder.
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
        runtime = _library("onnxruntime")
        graph = self._checked(GRAPH, self.graph_sha256)
        options = runtime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = cores, 1
        options.enable_mem_pattern = False  # texts have many lengths
        options.log_severity_level = 4  # we report ourselves
        try:
            session = runtime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        except MemoryError:
            raise
        except Exception as error:  # each part of a broken file is missed by another check
            raise self._unusable(GRAPH, error) from error
        inputs = [entry.name for entry in session.get_inputs()]
        outputs = {entry.name: entry.shape[-1] for entry in session.get_outputs()}
        if inputs != ["numbers"] or outputs != {
            "hidden": self.width,
            "projected": self.dimensions,
        }:
            raise InputError(
                f"this network takes {', '.join(inputs)} and gives {outputs}, which is not what "
                f"{SETTINGS} says",
                file=str(self.path / GRAPH),
                hint=_AGAIN,
            )
        return session

    def tokenizer(self) -> Any:  # noqa: ANN401 - tokenizers has no types
        """Load the vocabulary.

        Raises
        ------
        MissingDependencyError
            If tokenizers is not installed.
        InputError
            If it is damaged, or belongs to another network.
        """
        library = _library("tokenizers")
        content = self._checked(VOCABULARY, self.vocabulary_sha256)
        try:
            tokenizer = library.Tokenizer.from_str(content.decode("utf-8"))
        except MemoryError:
            raise
        except Exception as error:
            raise self._unusable(VOCABULARY, error) from error
        found = [tokenizer.token_to_id(token) for token in _SPECIAL]
        known = tokenizer.get_vocab(with_added_tokens=True).values()
        if found != list(range(len(_SPECIAL))) or max(known) >= self.vocabulary:
            raise InputError(
                "this vocabulary belongs to another network",
                file=str(self.path / VOCABULARY),
                hint=_AGAIN,
            )
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    def _checked(self, name: str, expected: str) -> bytes:
        try:
            content = (self.path / name).read_bytes()
        except OSError as error:
            raise InputError(
                f"it cannot be read: {error.strerror}", file=str(self.path / name), hint=_AGAIN
            ) from error
        if hashlib.sha256(content).hexdigest() != expected:
            raise InputError(
                f"this is not the file that {SETTINGS} announces",
                file=str(self.path / name),
                hint=_AGAIN,
            )
        return content

    def _unusable(self, name: str, error: Exception) -> InputError:
        reason = next(iter(str(error).splitlines()), "") or type(error).__name__
        return InputError(
            f"it cannot be used: {reason}",
            file=str(self.path / name),
            hint=f"{_AGAIN}, or {_INSTALL}",
        )


def is_encoder_folder(path: Path) -> bool:
    """Whether a folder looks like one of ours.

    Examples
    --------
    >>> is_encoder_folder(Path("no-such-folder"))
    False
    """
    try:
        return (path / GRAPH).is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def shipped_encoder_folder() -> Path:
    """Return the folder of the encoder that comes with the package.

    Raises
    ------
    InputError
        If it does not.
    """
    path = _shipped_path()
    if not is_encoder_folder(path):
        raise InputError(
            f"the encoder {SHIPPED!r} does not come with this version of the package",
            hint="name another with --model: a folder, or a name of the Hub",
        )
    return path


def _shipped_path() -> Path:
    return Path(__file__).parent / "data" / "encoder"


def _settings(path: Path) -> dict[str, object]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"it cannot be read: {error.strerror}", file=str(path)) from error
    except (ValueError, RecursionError) as error:
        raise MalformedInputError(
            f"this is no JSON file ({error})", file=str(path), hint=_AGAIN
        ) from error
    if not isinstance(content, dict):
        raise MalformedInputError("this is no JSON object", file=str(path), hint=_AGAIN)
    return content


def _size(value: object, name: str, path: Path) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= _MOST_PIECES:
        raise MalformedInputError(
            f"{name} is {value!r}, which is no size of a network", file=str(path), hint=_AGAIN
        )
    return value


def _library(name: str) -> Any:  # noqa: ANN401
    try:
        return __import__(name)
    except ImportError as error:
        raise MissingDependencyError(f"{name} is not installed", hint=_INSTALL) from error
