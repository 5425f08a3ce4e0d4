"""A folder with an encoder of ours: ``encoder.onnx``, ``tokenizer.json`` and ``encoder.json``.

`locisimiles.train.late.export` writes it; onnxruntime and tokenizers read it, without torch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locisimiles.models.model_files import ModelFiles, has_file, read_settings, shipped, size_in

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "GRAPH",
    "LONGEST",
    "SETTINGS",
    "SHIPPED",
    "EncoderFolder",
    "Network",
    "is_encoder_folder",
    "shipped_encoder_folder",
]

GRAPH, SETTINGS = "encoder.onnx", "encoder.json"
LONGEST = 128
"""How many word pieces are read at once, unless the model's files say otherwise."""
SHIPPED = "latin"
"""The name of the encoder that comes with the package."""

Network = Callable[[str, "NDArray[np.int64]"], "NDArray[np.float32]"]


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
        content = read_settings(path, GRAPH, SETTINGS, "an encoder")
        vocabulary, width, dimensions, longest = (
            size_in(content, name, path / SETTINGS)
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
        outputs = {"hidden": self.width, "projected": self.dimensions}
        network = self._files.network(["numbers"], outputs, cores=cores)

        def run(output: str, numbers: NDArray[np.int64]) -> NDArray[np.float32]:
            return network(output, {"numbers": numbers})

        return run

    def tokenizer(self) -> Any:  # noqa: ANN401 - tokenizers has no types
        """Load the vocabulary.

        Raises
        ------
        MissingDependencyError
            If tokenizers is not installed.
        InputError
            If it is damaged, or belongs to another network.
        """
        return self._files.tokenizer(self.vocabulary)

    @property
    def _files(self) -> ModelFiles:
        return ModelFiles(self.path, GRAPH, SETTINGS, self.graph_sha256, self.vocabulary_sha256)


def is_encoder_folder(path: Path) -> bool:
    """Whether a folder looks like one of ours.

    Examples
    --------
    >>> is_encoder_folder(Path("no-such-folder"))
    False
    """
    return has_file(path, GRAPH)


def shipped_encoder_folder() -> Path:
    """Return the folder of the encoder that comes with the package.

    Raises
    ------
    InputError
        If it does not.
    """
    return shipped(_shipped_path(), GRAPH, f"encoder {SHIPPED!r}")


def _shipped_path() -> Path:
    return Path(__file__).parent / "data" / "encoder"
