"""BM25 over words or lemmas."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.latin.lemmatizers import describe_lemmatizer
from locisimiles.progress import silent
from locisimiles.retrieve.candidates import Candidates, best, tie_break
from locisimiles.retrieve.terms import TermKind, check_term_kind, term_function

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.latin.lemmatizers import LemmatizeFunction
    from locisimiles.progress import Progress
    from locisimiles.retrieve.terms import TermFunction

__all__ = ["BM25"]

_BATCH = 256


@dataclass(frozen=True, slots=True)
class BM25:
    r"""Rank source segments by the rarity of the terms they share with the query.

    The score of a source segment :math:`s` for a query :math:`q` is

    .. math:: \sum_{t \in q} \log\Bigl(1 + \frac{N - n_t + 0.5}{n_t + 0.5}\Bigr)
              \frac{f_{t,s}}{f_{t,s} + k_1 (1 - b + b\,|s| / \overline{|s|})}

    with :math:`N` segments, of which :math:`n_t` contain the term (Lucene's variant).

    Parameters
    ----------
    terms
        ``lemma`` or ``surface``; both with u for v and i for j.
    k1
        How soon further occurrences of a term stop counting.
    b
        How much long segments are held back, from 0 to 1.
    lemmatizer
        Whose lemmas: a name or a function, see `locisimiles.latin.choose_lemmatizer`. By default
        the commonest reading, so that a form has the same lemma wherever it stands.

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> source = Document.from_segments(
    ...     [Segment("verg.", "et vox faucibus haesit"), Segment("cic.", "o tempora, o mores")]
    ... )
    >>> query = Document.from_segments([Segment("hier.", "Haesit uox faucibus")])
    >>> candidates = BM25().index(source).search(query, k=10)
    >>> [source.ids[position] for position in candidates.source]
    ['verg.']
    """

    terms: TermKind = "lemma"
    k1: float = 1.5
    b: float = 0.75
    lemmatizer: str | LemmatizeFunction = "fast"

    def __post_init__(self) -> None:
        check_term_kind(self.terms)
        if not 0 <= self.k1 < math.inf:
            raise ParameterError(f"k1={self.k1} is no positive number", hint="1.2 to 2 is usual")
        if not 0 <= self.b <= 1:
            raise ParameterError(f"b={self.b} is not between 0 and 1", hint="0.75 is usual")

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        lemmas = describe_lemmatizer(self.lemmatizer) if self.terms == "lemma" else {}
        return {"name": "bm25", "terms": self.terms, "k1": self.k1, "b": self.b, **lemmas}

    def index(self, source: Document, *, progress: Progress = silent) -> BM25Index:
        """Prepare source segments for searching."""
        import bm25s  # not needed to describe the method

        to_terms = term_function(self.terms, self.lemmatizer)
        terms = []
        for begin in range(0, len(source), _BATCH):
            progress("indexing", begin, len(source))
            terms += to_terms(source.texts[begin : begin + _BATCH])
        progress("indexing", len(source), len(source))
        engine = None
        if any(terms):
            engine = bm25s.BM25(k1=self.k1, b=self.b, method="lucene")
            engine.index(terms, show_progress=False)
        return BM25Index(engine, to_terms, tie_break(source.ids))


class BM25Index:
    """Source segments, prepared for BM25; made by `BM25.index`."""

    def __init__(
        self,
        engine: Any | None,  # noqa: ANN401 - bm25s has no types
        to_terms: TermFunction,
        places: NDArray[np.int64],
    ) -> None:
        self._engine = engine
        self._to_terms = to_terms
        self._places = places

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment."""
        if k < 1:
            raise ParameterError(f"k={k} asks for no candidates", hint="1 is the least")
        found = []
        for begin in range(0, len(queries), _BATCH):
            progress("searching", begin, len(queries))
            for terms in self._to_terms(queries.texts[begin : begin + _BATCH]):
                found.append(best(self._scores(terms), k, self._places))  # noqa: PERF401
        progress("searching", len(queries), len(queries))
        return Candidates.join(found)

    def _scores(self, terms: list[str]) -> NDArray[np.float32]:
        if self._engine is None or not terms:
            return np.zeros(len(self._places), np.float32)
        scores: NDArray[np.float32] = self._engine.get_scores(terms)
        return scores
