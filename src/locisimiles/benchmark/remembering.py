"""Retrievers that prepare the same sources only once: those of all folds are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.retrieve.base import Index, Retriever

__all__ = ["Remembering"]


class Remembering:
    """A retriever that prepares the same sources only once.

    Parameters
    ----------
    retriever
        What prepares them.
    """

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever
        self._prepared: tuple[str, Index] | None = None

    def parameters(self) -> Mapping[str, object]:
        """Return those of the retriever."""
        return self._retriever.parameters()

    def index(self, source: Document, *, progress: Progress = silent) -> Index:
        """Return what was prepared before, or prepare it now."""
        fingerprint = source.fingerprint()
        if self._prepared is None or self._prepared[0] != fingerprint:
            self._prepared = fingerprint, self._retriever.index(source, progress=progress)
        return self._prepared[1]
