"""What tables say of the words of pairs: parallel sources and shared lemmas, texts read once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from locisimiles.evidence.parallels import parallel_words
from locisimiles.evidence.shared_lemmas import shared_lemmas
from locisimiles.latin.text_words import TextWords

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PairWords", "pair_words"]


class PairWords(NamedTuple):
    """The result of `parallel_rows`, if asked for, and of `shared_lemmas`."""

    best: NDArray[np.int64] | None
    shared: list[tuple[str, ...]]


def pair_words(
    texts: Sequence[str],
    query_rows: NDArray[np.int64],
    source_rows: NDArray[np.int64],
    *,
    group: bool,
) -> PairWords:
    """Compare the words of pairs of texts, ordered by query, the best first.

    Parameters
    ----------
    texts
        The texts; sources with equal texts must have the same row.
    query_rows, source_rows
        The rows of both texts of each pair.
    group
        Whether to find parallel sources.

    Examples
    --------
    >>> import numpy as np
    >>> texts = ["haesit uox faucibus", "et vox faucibus haesit", "arma"]
    >>> pair_words(texts, np.array([0, 0]), np.array([1, 2]), group=True)
    PairWords(best=array([0, 1]), shared=[('haereo', 'uox', 'faux'), ()])
    """
    words = TextWords.read(texts)
    best = parallel_words(query_rows, words, source_rows) if group else None
    return PairWords(best, shared_lemmas(texts, query_rows, source_rows, words))
