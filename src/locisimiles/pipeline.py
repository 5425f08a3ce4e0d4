"""Search a query document in a source document."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING

from locisimiles.errors import ParameterError
from locisimiles.progress import silent
from locisimiles.results import Results
from locisimiles.retrieve import Combined

if TYPE_CHECKING:
    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.retrieve import Retriever

__all__ = ["Pipeline"]

_MATTERS_FOR_RESULTS = ("numpy",)


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A search that can be run on any two documents.

    Parameters
    ----------
    retriever
        How candidates are found; by default `locisimiles.retrieve.Combined`, all parts together.
    k
        How many candidates each query segment gets at most.

    Examples
    --------
    >>> from locisimiles import load_example_query, load_example_source
    >>> results = Pipeline(k=4).run(query=load_example_query(), source=load_example_source())
    >>> found = results.for_query("hier. epist. 130.5.5.3")  # vox faucibus haesit, as Virgil has it
    >>> "verg. aen. 2.774.1" in [candidate.source.id for candidate in found]
    True
    """

    retriever: Retriever = field(default_factory=Combined)
    k: int = 10

    def __post_init__(self) -> None:
        if self.k < 1:
            raise ParameterError(f"k={self.k} asks for no candidates", hint="1 is the least")

    def run(self, *, query: Document, source: Document, progress: Progress = silent) -> Results:
        """Find the candidates of every query segment.

        Parameters
        ----------
        query
            The later text, whose references are wanted.
        source
            The earlier texts it may refer to.
        progress
            Called while the work goes on.
        """
        index = self.retriever.index(source, progress=progress)
        candidates = index.search(query, self.k, progress=progress)
        manifest = {
            "locisimiles": version("locisimiles"),
            "libraries": {name: version(name) for name in _MATTERS_FOR_RESULTS},
            "retriever": dict(self.retriever.parameters()),
            "k": self.k,
            "query": {"segments": len(query), "sha256": query.fingerprint()},
            "source": {"segments": len(source), "sha256": source.fingerprint()},
        }
        return Results(query, source, candidates, manifest)
