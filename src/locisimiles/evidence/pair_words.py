"""What tables say of the words of pairs: parallel sources and shared lemmas, texts read once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from locisimiles.evidence.parallels import parallel_words
from locisimiles.evidence.shared_lemmas import shared_lemmas
from locisimiles.index import PreparedDocument
from locisimiles.latin.text_words import TextWords

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document

__all__ = ["PairWords", "pair_words"]


class PairWords(NamedTuple):
    """The result of `parallel_rows`, if asked for, and of `shared_lemmas`."""

    best: NDArray[np.int64] | None
    shared: list[tuple[str, ...]]


def pair_words(
    query: Document,
    source: Document,
    query_rows: NDArray[np.integer[Any]],
    source_rows: NDArray[np.integer[Any]],
    *,
    group: bool,
) -> PairWords:
    """Compare the words of pairs of segments, ordered by query, the best first.

    Parameters
    ----------
    query, source
        The documents.
    query_rows, source_rows
        The segments of each pair.
    group
        Whether to find parallel sources.

    Examples
    --------
    >>> from locisimiles import Document
    >>> query = Document.from_texts(["haesit uox faucibus"])
    >>> source = Document.from_texts(["et vox faucibus haesit", "arma"])
    >>> pair_words(query, source, np.array([0, 0]), np.array([0, 1]), group=True)
    PairWords(best=array([0, 1]), shared=[('haereo', 'uox', 'faux'), ()])
    """
    asked, of_query = np.unique(query_rows, return_inverse=True)
    listed, of_source = np.unique(source_rows, return_inverse=True)
    part = PreparedDocument.of(query).part(asked).join(PreparedDocument.of(source).part(listed))
    words, texts = TextWords.of_tokens(part.tokens), part.texts
    rows = np.array([*range(len(asked)), *_first_rows(texts[len(asked) :], len(asked))], np.int64)
    pairs = rows[of_query], rows[len(asked) + of_source]
    best = parallel_words(pairs[0], words, pairs[1]) if group else None
    return PairWords(best, shared_lemmas(texts, *pairs, words))


def _first_rows(texts: Sequence[str], begin: int) -> list[int]:
    """Return the rows of texts, counted from a beginning; equal texts have that of the first."""
    rows: dict[str, int] = {}
    return [rows.setdefault(text, row) for row, text in enumerate(texts, begin)]
