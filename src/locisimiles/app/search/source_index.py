"""The sources of a project, prepared on disk: a second search of them begins at once.

What is on disk can always be made again from the texts of the project. So a folder that cannot be
written, or is damaged, is no reason not to search.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.errors import InputError, OutputError
from locisimiles.files.writing import atomic, make_folder
from locisimiles.index import Index
from locisimiles.index.changes import match_works
from locisimiles.late import IndexEncoder
from locisimiles.retrieve.methods import late_search

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from locisimiles.app.projects.project import Project
    from locisimiles.corpus import Document
    from locisimiles.pipeline import Pipeline
    from locisimiles.progress import Progress

__all__ = ["PreparedSource", "SourceIndex"]

_LEAST = 2000  # segments; fewer are prepared in a second unless they are encoded
_EDITION = ".edition"


class PreparedSource(NamedTuple):
    """Sources to search.

    Attributes
    ----------
    document
        Their segments, in any order.
    positions
        The position of each segment in the project.
    """

    document: Document
    positions: NDArray[np.int64]


class SourceIndex:
    """The sources of one search, and their index.

    Parameters
    ----------
    project
        The project.
    search
        The number of the search.
    pipeline
        How it searches.

    Examples
    --------
    >>> import tempfile
    >>> from locisimiles.app.projects.collection import ProjectCollection
    >>> from locisimiles.app.projects.inputs import use_example
    >>> from locisimiles.app.search.parameters import SearchParameters
    >>> from locisimiles.app.search.status import request_search
    >>> from locisimiles.progress import silent
    >>> folder = tempfile.TemporaryDirectory()
    >>> project = ProjectCollection(folder.name).create("Example")
    >>> use_example(project)
    >>> search = request_search(project, SearchParameters("bm25"))
    >>> sources = SourceIndex(project, search, SearchParameters("bm25").pipeline())
    >>> sources.is_used, len(sources.open(silent).document)  # so few are read as they are
    (False, 204)
    >>> folder.cleanup()
    """

    def __init__(self, project: Project, search: int, pipeline: Pipeline) -> None:
        self._project, self._search = project, search
        self._texts = project.texts_of(search)
        self._late = late_search(pipeline.retriever)
        self._edition = self._texts.fingerprint("source")
        places = project.database.index_folder
        self._folder = places / ("words" if self._late is None else "vectors")
        # One with vectors has all that other methods need.
        self._found = next(filter(self._is_current, (self._folder, places / "vectors")), None)

    @property
    def is_used(self) -> bool:
        """Whether these sources are searched by their index."""
        return self._late is not None or self._texts.count("source") >= _LEAST

    @property
    def is_ready(self) -> bool:
        """Whether the index is there already."""
        return self._found is not None

    def open(self, progress: Progress) -> PreparedSource:
        """Return the sources; index what of them is new."""
        if not self.is_used:
            return self._in_memory()
        try:
            return self._indexed(progress)
        except InputError:  # the folder is damaged, or has other texts than it says
            self.forget()
        except OutputError:  # the disk is full, the folder is in use
            return self._in_memory()
        try:
            return self._indexed(progress)
        except OutputError:
            return self._in_memory()

    def forget(self) -> None:
        """Delete the index."""
        shutil.rmtree(self._found or self._folder, ignore_errors=True)
        self._found = None

    def _in_memory(self) -> PreparedSource:
        document = self._project.document("source", self._search)
        return PreparedSource(document, np.arange(len(document)))

    def _indexed(self, progress: Progress) -> PreparedSource:
        if self._found is None:
            self._build(progress)
        index = Index.open(self._found or self._folder)
        at = {segment: position for position, segment in enumerate(self._texts.ids("source"))}
        if not self._fits(index) or at.keys() != set(index.ids):
            index.close()
            raise InputError("files.damaged", file=str(index.folder))
        return PreparedSource(index, np.array([at[segment] for segment in index.ids], np.int64))

    def _fits(self, index: Index) -> bool:
        """Tell whether an index was made by the lemmatizer and the encoder of this version."""
        has_vectors = self._late is None or self._late.finds_vectors(index)
        return has_vectors and index.lemma_rows("fast") is not None

    def _build(self, progress: Progress) -> None:
        document = self._project.document("source", self._search)
        encoder = None if self._late is None else IndexEncoder(self._late.encoder())
        make_folder(self._folder)
        with suppress(OSError):  # if it cannot be deleted, nothing below can be written
            (self._folder / _EDITION).unlink()

        def report(task: str, done: int, total: int) -> None:
            progress("encoding source" if task == "encoding" else task, done, total)

        match_works(self._folder, document, encoder, progress=report)
        with atomic(self._folder / _EDITION) as stream:
            stream.write(self._edition)

    def _is_current(self, folder: Path) -> bool:
        try:
            return (folder / _EDITION).read_text(encoding="utf-8") == self._edition != ""
        except (OSError, ValueError):
            return False
