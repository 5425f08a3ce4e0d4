"""The files of a network of ours: a graph for onnxruntime, its vocabulary, and its settings.

Graph and vocabulary are checked against what the settings announce before they are used.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from locisimiles.errors import InputError, MalformedInputError, MissingDependencyError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    Run = Callable[[str, Mapping[str, NDArray[Any]]], NDArray[np.float32]]

__all__ = ["FORMAT", "VOCABULARY", "ModelFiles", "has_file", "read_settings", "shipped", "size_in"]

VOCABULARY = "tokenizer.json"
FORMAT = 1

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_AGAIN = "fetch or export the model again"
_INSTALL = "pip install --upgrade locisimiles"
_MOST_PIECES = 1 << 16


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """Where a network is, and what its files must be.

    Attributes
    ----------
    path
        The folder.
    graph, settings
        The names of two of its files; the third is ``tokenizer.json``.
    graph_sha256, vocabulary_sha256
        What the settings say of the other two.
    """

    path: Path
    graph: str
    settings: str
    graph_sha256: str
    vocabulary_sha256: str

    def network(self, inputs: Sequence[str], outputs: Mapping[str, int], *, cores: int = 1) -> Run:
        """Load the network.

        Parameters
        ----------
        inputs
            The names of what goes in.
        outputs
            The names of what comes out, and how long its rows are.
        cores
            How many work on one batch.

        Returns
        -------
        callable
            Takes the name of an output and arrays by the names of inputs. It may be called from
            several threads.

        Raises
        ------
        MissingDependencyError
            If onnxruntime is not installed.
        InputError
            If the network is damaged, or is another one.
        """
        session = self._session(cores)
        taken = [entry.name for entry in session.get_inputs()]
        given = {entry.name: entry.shape[-1] for entry in session.get_outputs()}
        if taken != list(inputs) or given != outputs:
            raise InputError(
                f"this network takes {', '.join(taken)} and gives {given}, which is not what "
                f"{self.settings} says",
                file=str(self.path / self.graph),
                hint=_AGAIN,
            )

        def run(output: str, arrays: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
            try:
                found: NDArray[np.float32] = session.run([output], dict(arrays))[0]
            except MemoryError:
                raise
            except Exception as error:  # such as too few positions for what the settings announce
                raise self._unusable(self.graph, error) from error
            return found

        return run

    def _session(self, cores: int) -> Any:  # noqa: ANN401 - onnxruntime has no types
        # It would count its uses and leave a number of the machine in the user's folder.
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
        runtime = _library("onnxruntime")
        graph = self._checked(self.graph, self.graph_sha256)
        options = runtime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = cores, 1
        options.enable_mem_pattern = False  # texts have many lengths
        options.log_severity_level = 4  # we report ourselves
        try:
            return runtime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        except MemoryError:
            raise
        except Exception as error:  # each part of a broken file is missed by another check
            raise self._unusable(self.graph, error) from error

    def tokenizer(self, vocabulary: int) -> Any:  # noqa: ANN401 - tokenizers has no types
        """Load the vocabulary.

        Parameters
        ----------
        vocabulary
            How many word pieces the network knows.

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
        if found != list(range(len(_SPECIAL))) or max(known) >= vocabulary:
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
                f"this is not the file that {self.settings} announces",
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


def has_file(path: Path, name: str) -> bool:
    """Whether there is a file in a folder; False for what is no folder.

    Examples
    --------
    >>> from pathlib import Path
    >>> has_file(Path("no-such-folder"), "encoder.onnx")
    False
    """
    try:
        return (path / name).is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def shipped(path: Path, graph: str, what: str) -> Path:
    """Return the folder of a model that comes with the package.

    Raises
    ------
    InputError
        If it does not.
    """
    if not has_file(path, graph):
        raise InputError(
            f"the {what} does not come with this version of the package",
            hint="name another with --model: a folder, or a name of the Hub",
        )
    return path


def read_settings(path: Path, graph: str, settings: str, what: str) -> dict[str, object]:
    """Read the settings of a folder; the measures of its network are among them by their names.

    Parameters
    ----------
    path
        The folder.
    graph, settings
        The names of two of its files.
    what
        What such a model is called in messages, with its article.

    Raises
    ------
    InputError
        If a file is not there, or the folder holds something else.
    """
    for name in (settings, graph, VOCABULARY):
        if not (path / name).is_file():
            raise InputError(
                f"there is no {what.partition(' ')[2]} of ours: {name} is missing",
                file=str(path),
                hint=_AGAIN,
            )
    file = path / settings
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"it cannot be read: {error.strerror}", file=str(file)) from error
    except (ValueError, RecursionError) as error:
        raise MalformedInputError(
            f"this is no JSON file ({error})", file=str(file), hint=_AGAIN
        ) from error
    if not isinstance(content, dict):
        raise MalformedInputError("this is no JSON object", file=str(file), hint=_AGAIN)
    if content.get("format") != FORMAT:
        raise InputError(
            f"this is format {content.get('format')!r} of {what}; {FORMAT} can be read",
            file=str(file),
            hint=f"{_AGAIN}, or {_INSTALL}",
        )
    network = content.get("network")
    return {**(network if isinstance(network, dict) else {}), **content}


def size_in(settings: Mapping[str, object], name: str, path: Path) -> int:
    """Return a size that settings give.

    Raises
    ------
    MalformedInputError
        If it is none; `path` says where.
    """
    value = settings.get(name)
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
