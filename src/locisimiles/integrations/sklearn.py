"""A retriever as a transformer of scikit-learn: texts in, scores of sources out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from scipy.sparse import csr_array

from locisimiles.checks import check_at_least
from locisimiles.corpus import Document
from locisimiles.errors import MissingDependencyError, ParameterError
from locisimiles.index import PreparedDocument
from locisimiles.installation import install_command
from locisimiles.retrieve import make_retriever

try:
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils.validation import check_is_fitted
except ImportError as error:
    raise MissingDependencyError(
        "results.needs_library",
        name="scikit-learn",
        install=install_command(library="scikit-learn"),
    ) from error

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from locisimiles.retrieve import Retriever

__all__ = ["SourceScores"]


class SourceScores(TransformerMixin, BaseEstimator):
    """Turns each text into its scores with the sources it was fitted on.

    Parameters
    ----------
    retriever
        The name of a method, or a retriever; a grid search changes its parameters, such as
        ``retriever__k1``.
    k
        The number of sources that get a score; the others are zeros of a sparse matrix.

    Attributes
    ----------
    source_
        The sources.

    Examples
    --------
    >>> from locisimiles import BM25
    >>> scores = SourceScores(BM25(k1=1.2), k=1).fit(["arma uirumque cano", "uox faucibus haesit"])
    >>> scores.transform(["haesit uox", "arma", "nihil"]).toarray().argmax(1).tolist()
    [1, 0, 0]
    >>> scores.transform(["nihil"]).nnz
    0
    """

    def __init__(self, retriever: Retriever | str = "bm25", k: int = 100) -> None:
        self.retriever = retriever
        self.k = k

    def fit(self, X: Document | Iterable[str], y: object = None) -> Self:  # noqa: ARG002, N803
        """Index the sources: a document, or texts."""
        check_at_least(1, k=self.k)
        found = self.retriever
        if isinstance(found, str):
            found = make_retriever(found)
        self.source_ = PreparedDocument.of(_document(X))
        self._index = found.index(self.source_)
        return self

    def transform(self, X: Document | Iterable[str]) -> csr_array:  # noqa: N803
        """Return a row for each text, with a column for each source."""
        check_is_fitted(self)
        queries = _document(X)
        shape = len(queries), len(self.source_)
        if not shape[0]:
            return csr_array(shape, dtype=np.float32)
        found = self._index.search(PreparedDocument.of(queries), self.k)
        return csr_array((found.score, (found.query, found.source)), shape=shape)

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:  # noqa: ARG002
        """Return the ids of the sources."""
        check_is_fitted(self)
        return np.array(self.source_.ids, object)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_index")


def _document(texts: Document | Iterable[str]) -> Document:
    if isinstance(texts, Document):
        return texts
    if isinstance(texts, str):
        raise ParameterError("corpus.one_text")
    return Document.from_texts(map(str, texts))
