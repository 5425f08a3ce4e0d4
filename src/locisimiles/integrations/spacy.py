"""A component of spaCy: a document gets the passages that its sentences may refer to.

``nlp.add_pipe("locisimiles", config={"source": ["vergil"], "k": 3})`` finds the component by the
name of this program; then ``doc._.references`` are `Results`. A pipe before it finds sentences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from locisimiles.corpus import Document
from locisimiles.errors import MissingDependencyError
from locisimiles.installation import install_command
from locisimiles.pipeline import Pipeline

try:
    from spacy.language import Language
    from spacy.tokens import Doc
except ImportError as error:
    raise MissingDependencyError(
        "results.needs_library", name="spaCy", install=install_command(library="spacy")
    ) from error

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["NAME", "References", "make_component"]

NAME = "locisimiles"
_EXTENSION = "references"


class References:
    """Searches the sentences of documents in a source.

    Parameters
    ----------
    pipeline
        The search.
    source
        The earlier texts; they are indexed once.
    """

    def __init__(self, pipeline: Pipeline, source: Document) -> None:
        if not Doc.has_extension(_EXTENSION):
            Doc.set_extension(_EXTENSION, default=None)
        self._searcher = pipeline.prepare(source)

    def __call__(self, doc: Doc) -> Doc:
        """Set ``doc._.references``."""
        found = self._searcher.run(Document.from_spacy(doc, str(doc.user_data.get("name", ""))))
        doc._.set(_EXTENSION, found)
        return doc


@Language.factory(NAME, default_config={"method": "default", "k": 10})
def make_component(nlp: Language, name: str, source: Sequence[str], method: str, k: int) -> Any:  # noqa: ANN401, ARG001
    """Return the component for files or texts of the library."""
    return References(Pipeline(method, k=k), Document(*source))
