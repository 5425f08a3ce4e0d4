"""Fusion: the candidates of several retrievers, ranked together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from locisimiles.candidates import Candidates, best
from locisimiles.checks import check_at_least, check_choice, check_equal_lengths
from locisimiles.errors import ParameterError
from locisimiles.index import PreparedDocument
from locisimiles.parameters import Parameters
from locisimiles.progress import silent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.corpus import Document
    from locisimiles.progress import Progress
    from locisimiles.retrieve.base import Index, Retriever

__all__ = ["Fusion", "FusionRule", "channel_scores", "standard_scores"]

FusionRule = Literal["rank", "score"]

_LEAST_SPREAD = 1e-6


@dataclass(frozen=True, slots=True)
class Fusion(Parameters):
    r"""Rank the candidates of several retrievers by their weighted votes.

    With the rule ``rank`` (reciprocal rank fusion) a candidate that retriever :math:`i` has at rank
    :math:`r_i` scores

    .. math:: \sum_i w_i \frac{c + 1}{c + r_i}

    so a candidate that all retrievers rank first scores the sum of the weights. With ``score``, the
    scores of each retriever are standardised among its candidates of a query, weighted and summed;
    a candidate that a retriever does not have counts there as its last. The sums are shifted so
    that the last candidate scores 1.

    Parameters
    ----------
    retrievers
        At least two.
    rule
        ``rank`` or ``score``.
    weights
        One per retriever; equal by default.
    depth
        The number of candidates of each retriever.
    constant
        The :math:`c` of the formula: the greater it is, the less the first ranks count.

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
        for retriever in self.retrievers:
            if isinstance(retriever, str):
                raise ParameterError("retrieve.name_to_fuse", name=retriever)
        if len(self.retrievers) < 2:  # noqa: PLR2004 - two, as the message says
            raise ParameterError("retrieve.nothing_to_fuse", count=len(self.retrievers))
        check_choice(get_args(FusionRule), rule=self.rule)
        if self.weights is not None:
            check_equal_lengths(weights=self.weights, retrievers=self.retrievers)
        check_at_least(1, depth=self.depth)
        check_at_least(0, constant=self.constant)

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        return {
            "name": "fusion",
            "rule": self.rule,
            "weights": list(self.all_weights()),
            "depth": self.depth,
            "constant": self.constant,
            "retrievers": [dict(retriever.parameters()) for retriever in self.retrievers],
        }

    def index(self, source: Document, *, progress: Progress = silent) -> FusionIndex:
        """Prepare source segments for searching."""
        texts = PreparedDocument.of(source)
        return FusionIndex(self, self.channels(texts, progress=progress), texts.ties)

    def channels(self, source: PreparedDocument, *, progress: Progress = silent) -> list[Index]:
        """Return the indexes of the retrievers; prepared texts keep them."""

        def channel(retriever: Retriever) -> Index:
            key = "channel", repr(dict(retriever.parameters()))
            return source.derive(key, lambda: retriever.index(source, progress=progress))

        return [channel(retriever) for retriever in self.retrievers]

    def all_weights(self) -> tuple[float, ...]:
        """Return the weight of each retriever."""
        return self.weights or (1.0,) * len(self.retrievers)


@dataclass(frozen=True, slots=True, eq=False)
class FusionIndex:
    """Source segments, prepared for several retrievers; returned by `Fusion.index`."""

    fusion: Fusion
    channels: Sequence[Index]
    ties: NDArray[np.int64]

    def search(self, queries: Document, k: int, *, progress: Progress = silent) -> Candidates:
        """Return the best `k` source segments for each query segment."""
        check_at_least(1, k=k)
        queries = PreparedDocument.of(queries)
        rule, constant = self.fusion.rule, self.fusion.constant
        depth = max(self.fusion.depth, k)
        found = [index.search(queries, depth, progress=progress) for index in self.channels]
        weights = np.array(self.fusion.all_weights())
        ranked = []
        for query in range(len(queries)):
            own = [candidates.of_query(query) for candidates in found]
            segments, columns = channel_scores(own, rule, constant)
            fused = columns @ weights
            if rule == "score" and len(fused):
                fused = fused - fused.min() + 1
            order, scores = best(fused.astype(np.float32), k, self.ties[segments])
            ranked.append((segments[order], scores))
        return Candidates.join(ranked)


def channel_scores(
    found: Sequence[tuple[NDArray[np.int64], NDArray[np.float64]]],
    rule: FusionRule,
    constant: float = 60.0,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Bring the candidates of several retrievers for one query onto one scale; see `Fusion`.

    `found` has the segments of each retriever, best first, and their scores. Return all segments,
    and the score of each (row) by each retriever (column).

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
            standard = standard_scores(scores)
            columns[:, channel] = standard.min()
            columns[rows, channel] = standard
    return segments, columns


def standard_scores(values: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return values in standard deviations from their mean."""
    standard: NDArray[np.floating] = (values - values.mean()) / max(
        float(values.std()), _LEAST_SPREAD
    )
    return standard
