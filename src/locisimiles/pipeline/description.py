"""What manifests say of a search: everything that its results depend on."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from locisimiles.installation import VERSION

if TYPE_CHECKING:
    from locisimiles.classify.base import Classifier
    from locisimiles.classify.selection import Selection

__all__ = ["current_versions", "described_judging", "described_texts"]

_RESULTS_DEPEND_ON = ("numpy",)


def current_versions() -> dict[str, object]:
    """Return the versions that results depend on, as manifests name them."""
    return {
        "locisimiles": VERSION,
        "libraries": {name: version(name) for name in _RESULTS_DEPEND_ON},
    }


def described_texts(
    queries: int, query_sha256: str, sources: int, source_sha256: str
) -> dict[str, object]:
    """Describe the documents that were compared."""
    return {
        **current_versions(),
        "query": {"segments": queries, "sha256": query_sha256},
        "source": {"segments": sources, "sha256": source_sha256},
    }


def described_judging(classifier: Classifier, selection: Selection) -> dict[str, object]:
    """Describe who judged the pairs, and which of them were kept."""
    return {
        "classifier": dict(classifier.parameters()),
        **({"selection": dict(selection.as_dict())} if selection.is_needed else {}),
    }
