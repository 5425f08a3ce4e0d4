"""The example texts, as the paper's package loads its own."""

from __future__ import annotations

from locisimiles import examples
from locisimiles.compat.document import Document
from locisimiles.compat.ground_truth import GroundTruth

__all__ = ["load_example_ground_truth", "load_example_query", "load_example_source"]


def load_example_query(*, author: str | None = "Hieronymus") -> Document:
    """Load the query segments: ours, forty-two sentences of three authors."""
    return Document(examples.example_path("query.csv"), author=author)


def load_example_source(*, author: str | None = "Vergil") -> Document:
    """Load the source segments: ours, 204 passages of seven authors."""
    return Document(examples.example_path("source.csv"), author=author)


def load_example_ground_truth() -> GroundTruth:
    """Load the known references between them."""
    return GroundTruth(examples.example_path("ground_truth.csv"))
