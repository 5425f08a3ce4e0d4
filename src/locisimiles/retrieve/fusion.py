"""Several retrievers as one: what they find is brought together, and ranked anew."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from locisimiles.errors import ParameterError
from locisimiles.progress import silent
from locisimiles.retrieve.candidates import Candidates, best, tie_break

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.retrieve.base import Index, Retriever

__all__ = ["Fusion", "FusionRule", "channel_scores"]

FusionRule = Literal["rank", "score"]

_LEAST_SPREAD = 1e-6


@dataclass(frozen=True, slots=True)
class Fusion:
    r"""Rank the candidates of several retrievers by their weighted votes.

    With the rule ``rank`` (reciprocal rank fusion) a candidate that retriever :math:`i` has at rank
    :math:`r_i` scores

    .. math:: \sum_i w_i \frac{c + 1}{c + r_i}

    so that what all retrievers have first scores the sum of the weights.
    With ``score``, the scores of each retriever are standardised among its candidates of a query,
    and the standardised scores are weighted and added; a candidate that a retriever does not have
    counts there as its last. These sums are shifted so that the last candidate scores 1.

    Parameters
    ----------
    retrievers
        At least two.
    rule
        ``rank`` or ``score``.
    weights
        One for each retriever; all the same by default.
    depth
        How many candidates of each retriever are looked at.
    constant
        The :math:`c` of the formula: the greater it is, the less the first places count.

    Examples
    --------
    >>> from locisimiles import BM25, Document, Segment
    >>> source = Document.from_segments(
    ...     [Segment("verg.", "et vox faucibus haesit"), Segment("cic.", "uoces audiuntur")]
    ... )
    >>> query = Document.from_segments([Segment("hier.", "Haesit uox faucibus")])
    >>> fusion = Fusion((BM25(), BM25(terms="surface")))
    >>> [source.ids[at] for at in fusion.index(source).search(query, k=10).source]
    ['verg.', 'cic.']
    """

    retrievers: tuple[Retriever, ...]
    rule: FusionRule = "rank"
    weights: tuple[float, ...] | None = None
    depth: int = 1000
    constant: float = 60.0

    def __post_init__(self) -> None:
        if len(self.retrievers) < 2:  # noqa: PLR2004 - two, as the message says
            raise ParameterError("there is nothing to fuse", hint="give two retrievers or more")
        if self.rule not in get_args(FusionRule):
            raise ParameterError(
                f"rule={self.rule!r} is unknown", hint=f"choose {' or '.join(get_args(FusionRule))}"
            )
        if self.weights is not None and len(self.weights) != len(self.retrievers):
            raise ParameterError(
                f"there are {len(self.weights)} weights for {len(self.retrievers)} retrievers"
            )
        if self.depth < 1 or self.constant < 0:
            raise ParameterError(
                f"depth={self.depth}, constant={self.constant} make no sense",
                hint="the depth is 1 or more, the constant not negative",
            )

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        return {
            "name": "fusion",
            "rule": self.rule,
            "weights": list(self._weights()),
            "depth": self.depth,
            "constant": self.constant,
            "retrievers": [dict(retriever.parameters()) for retriever in self.retrievers],
        }

    def index(self, source: Document, *, progress: Progress = silent) -> FusionIndex:
        """Prepare source segments for searching."""
        indexes = [retriever.index(source, progress=progress) for retriever in self.retrievers]
        return FusionIndex(self, indexes, tie_break(source.ids))

    def _weights(self) -> tuple[float, ...]:
        return self.weights or (1.0,) * len(self.retrievers)


class FusionIndex:
    """Source segments, prepared for several retrievers; made by `Fusion.index`."""

    def __init__(self, fusion: Fusion, indexes: Sequence[Index], places: NDArray[np.int64]) -> None:
        self._fusion = fusion
        self._indexes = indexes
        self._places = places

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment."""
        if k < 1:
            raise ParameterError(f"k={k} asks for no candidates", hint="1 is the least")
        depth = max(self._fusion.depth, k)
        found = [index.search(queries, depth, progress=progress) for index in self._indexes]
        weights = np.array(self._fusion._weights())  # noqa: SLF001 - our own
        ranked = []
        for query in range(len(queries)):
            own = [candidates.of_query(query) for candidates in found]
            segments, columns = channel_scores(own, self._fusion.rule, self._fusion.constant)
            fused = columns @ weights
            if self._fusion.rule == "score" and len(fused):
                fused = fused - fused.min() + 1
            order, scores = best(fused.astype(np.float32), k, self._places[segments])
            ranked.append((segments[order], scores))
        return Candidates.join(ranked)


def channel_scores(
    found: Sequence[tuple[NDArray[np.int64], NDArray[np.float64]]],
    rule: FusionRule,
    constant: float = 60.0,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Bring what several retrievers found for one query onto one scale.

    Parameters
    ----------
    found
        For each retriever the source segments, the best first, and their scores.
    rule, constant
        As in `Fusion`.

    Returns
    -------
    segments, scores
        All segments that were found, and for each a score by each retriever.

    Examples
    --------
    >>> import numpy as np
    >>> one, other = (np.array([7, 3]), np.array([5.0, 1.0])), (np.array([3]), np.array([2.0]))
    >>> segments, scores = channel_scores([one, other], "rank", 0.0)
    >>> segments.tolist(), scores.tolist()
    ([3, 7], [[0.5, 1.0], [1.0, 0.0]])
    """
    segments = np.unique(np.concatenate([np.empty(0, np.int64), *(own for own, _ in found)]))
    columns = np.zeros((len(segments), len(found)))
    for channel, (own, scores) in enumerate(found):
        if not len(own):
            continue
        rows = np.searchsorted(segments, own)
        if rule == "rank":
            columns[rows, channel] = (constant + 1) / (constant + np.arange(1, len(own) + 1))
        else:
            standard = (scores - scores.mean()) / max(float(scores.std()), _LEAST_SPREAD)
            columns[:, channel] = standard.min()
            columns[rows, channel] = standard
    return segments, columns
