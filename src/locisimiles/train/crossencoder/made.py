"""Made pairs for a first training: a changed source in a new context, and wrong sources for it.

They are those of `locisimiles.train.late.pairs`. Nobody says of which kind they are, only that they
are references.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.models.pair_pieces import TextPieces
from locisimiles.train.crossencoder.sampling import ANY_REFERENCE, LabelledPairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from locisimiles.train.late.tuning_data import TuningData

__all__ = ["MadePairs", "label_made_pairs", "made_pairs_of"]


@dataclass(frozen=True, slots=True, eq=False)
class MadePairs:
    """Made pairs as pieces.

    Attributes
    ----------
    query, source
        The texts of both sides.
    pairs
        Positions in them, and whether they belong together.
    """

    query: TextPieces
    source: TextPieces
    pairs: LabelledPairs


def made_pairs_of(data: TuningData, *, negatives: int = 3, seed: int = 0) -> MadePairs:
    """Take over the pairs that late interaction is trained on.

    Parameters
    ----------
    data
        What ``pairs.npz`` in the folder of that training holds.
    negatives, seed
        As in `label_made_pairs`.
    """
    return MadePairs(
        TextPieces(data.queries.piece, data.queries.bounds),
        TextPieces(data.sources.piece, data.sources.bounds),
        label_made_pairs(
            data.answer, data.wrong, sources=len(data.sources), negatives=negatives, seed=seed
        ),
    )


def label_made_pairs(
    answer: NDArray[np.int32],
    wrong: NDArray[np.int32],
    *,
    sources: int,
    negatives: int = 3,
    seed: int = 0,
) -> LabelledPairs:
    """Return each query with its answer, with wrong answers, and with one source at random.

    Parameters
    ----------
    answer
        The source of each query.
    wrong
        Sources that look like answers and are not, a row a query, -1 where there are no more.
    sources
        How many sources there are.
    negatives
        How many wrong answers a query gets at most.
    seed
        Says which.

    Examples
    --------
    >>> pairs = label_made_pairs(
    ...     np.array([4, 7]), np.array([[1, 2], [3, -1]]), sources=9, negatives=2
    ... )
    >>> pairs.query.tolist(), pairs.source.tolist()[:5], pairs.label.tolist()
    ([0, 1, 0, 0, 1, 0, 1], [4, 7, 2, 1, 3], [3, 3, 0, 0, 0, 0, 0])
    """
    random = np.random.default_rng(seed)
    queries = np.arange(len(answer))
    # Random keys, those of empty places last.
    keys = np.where(wrong >= 0, random.random(wrong.shape), 2.0)
    order = np.argsort(keys, axis=1)[:, :negatives]
    drawn = np.take_along_axis(wrong, order, axis=1)
    of_query = np.broadcast_to(queries[:, None], drawn.shape)[drawn >= 0]
    easy = random.integers(max(sources - 1, 1), size=len(answer))
    easy += easy >= answer  # all but the answer
    kept = easy < sources
    query = np.concatenate([queries, of_query, queries[kept]])
    source = np.concatenate([answer, drawn[drawn >= 0], easy[kept]])
    label = np.zeros(len(query), np.uint8)
    label[: len(answer)] = ANY_REFERENCE
    return LabelledPairs(query.astype(np.int32), source.astype(np.int32), label)
