"""Protocol ``overlap``: whether a classifier is right where segments share words.

Over all pairs of the fold documents, the lexical overlap of a pair (by default the number of lemmas
both segments contain) is correlated with the classifier's being right about it, by what the pair
is. The paper does not say how it measures either; our readings:

*Overlap.* The paper's mean overlap of references (5.11 lemmas for *cit.*, 1.65 for *cf.*) lies
between what our lemmatizer gives without function words (4.4, 1.4) and with them (6.1, 2.5).
`shared_lemmas` offers both.

*Being right.* ``decision``: about a reference if it was taken for one of its type, about any other
pair if it was taken for none. ``probability``: the probability of what the pair is, so that degrees
count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from locisimiles.benchmark.metrics.correlation import spearman
from locisimiles.benchmark.metrics.measurement import Measurement
from locisimiles.benchmark.protocols.grid import rule_of_each
from locisimiles.benchmark.sets.groups import GROUPS, TYPES, in_group
from locisimiles.errors import ParameterError
from locisimiles.latin import STOPWORDS
from locisimiles.retrieve.lexical.terms import term_function

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.protocols.grid import PairGrid
    from locisimiles.classify.thresholds import DecisionRule
    from locisimiles.corpus import Document

__all__ = ["Correctness", "OverlapCorrelation", "correctness", "evaluate_overlap", "shared_lemmas"]

Correctness = Literal["decision", "probability"]


@dataclass(frozen=True, slots=True, eq=False)
class OverlapCorrelation:
    """Spearman's correlation of overlap with correctness, for the pairs of a group.

    Attributes
    ----------
    group
        ``cit``, ``cf``, ``pooled`` (both), ``none`` (pairs that are no reference) or ``all``.
    rho, p_value, n
        Over the pairs of all folds together; NaN where overlap or correctness does not vary.
    by_fold
        The correlations of the folds, as a measurement of the metric ``Spearman``.
    """

    group: str
    rho: float
    p_value: float
    n: int
    by_fold: Measurement


def evaluate_overlap(
    grids: Sequence[PairGrid],
    overlap: Sequence[NDArray[np.float64] | NDArray[np.int64]],
    rule: DecisionRule | Sequence[DecisionRule],
    *,
    right: Correctness = "decision",
) -> tuple[OverlapCorrelation, ...]:
    """Correlate lexical overlap with being right, for each kind of pairs.

    Parameters
    ----------
    grids
        One a fold.
    overlap
        The overlap of every pair of each grid, such as `shared_lemmas` counts.
    rule
        How probabilities become decisions: one rule, or one for each fold.
    right
        What it is to be right, see above.
    """
    rules = rule_of_each(grids, rule)
    if [np.shape(of_fold) for of_fold in overlap] != [grid.label.shape for grid in grids]:
        raise ParameterError("the overlap was not given for the pairs of these folds")
    scores = [correctness(grid, rule, right=right) for grid, rule in zip(grids, rules, strict=True)]
    return tuple(
        _correlate(group, grids, overlap, scores, [_members(grid, group) for grid in grids])
        for group in (*GROUPS, "none", "all")
    )


def correctness(
    grid: PairGrid, rule: DecisionRule, *, right: Correctness = "decision"
) -> NDArray[np.float64]:
    """Return how right a classifier is about each pair, from 0 to 1."""
    if right not in get_args(Correctness):
        raise ParameterError(
            f"right={right!r} is unknown", hint=f"choose one of {', '.join(get_args(Correctness))}"
        )
    if right == "probability":
        label = grid.label[..., np.newaxis].astype(np.intp)
        return np.take_along_axis(grid.probabilities, label, axis=-1)[..., 0].astype(np.float64)
    decisions = rule.decide(grid.probabilities)
    result = np.where(np.logical_or(*decisions), 0.0, 1.0)
    for kind, decision in zip(TYPES, decisions, strict=True):
        of_type = grid.label == kind
        result[of_type] = decision[of_type]
    return result


def shared_lemmas(
    query: Document, source: Document, *, function_words: bool = False
) -> NDArray[np.int64]:
    """Count the lemmas that each query segment shares with each source segment.

    Parameters
    ----------
    query, source
        Fold documents; the result has a cell for each pair.
    function_words
        Whether words such as *et* count.

    Examples
    --------
    >>> from locisimiles.corpus import Document, Segment
    >>> query = Document.from_segments([Segment("a", "Haesit uox faucibus et")])
    >>> source = Document.from_segments(
    ...     [Segment("b", "et vox faucibus haesit"), Segment("c", "et")]
    ... )
    >>> shared_lemmas(query, source).tolist()
    [[3, 0]]
    >>> shared_lemmas(query, source, function_words=True).tolist()
    [[4, 1]]
    """
    in_query = _lemmas(query, function_words=function_words)
    in_source = _lemmas(source, function_words=function_words)
    # Only what both documents have can be shared, which keeps the matrices small.
    common = sorted(set().union(*in_query) & set().union(*in_source))
    column = {lemma: place for place, lemma in enumerate(common)}
    product = _incidence(in_query, column) @ _incidence(in_source, column).T
    return product.astype(np.int64)


def _lemmas(document: Document, *, function_words: bool) -> list[set[str]]:
    return [
        {lemma for lemma in lemmas if function_words or lemma not in STOPWORDS}
        for lemmas in term_function("lemma")(document.texts)
    ]


def _incidence(lemmas: list[set[str]], column: dict[str, int]) -> NDArray[np.float32]:
    matrix = np.zeros((len(lemmas), len(column)), np.float32)
    for row, of_segment in enumerate(lemmas):
        matrix[row, [column[lemma] for lemma in of_segment if lemma in column]] = 1
    return matrix


def _members(grid: PairGrid, group: str) -> NDArray[np.bool_]:
    if group == "all":
        return np.ones(grid.label.shape, np.bool_)
    if group == "none":
        return ~in_group(grid.label, "pooled")
    return in_group(grid.label, group)


def _correlate(
    group: str,
    grids: Sequence[PairGrid],
    overlap: Sequence[NDArray[np.float64] | NDArray[np.int64]],
    scores: Sequence[NDArray[np.float64]],
    members: Sequence[NDArray[np.bool_]],
) -> OverlapCorrelation:
    columns = [
        (np.asarray(of_fold)[member], score[member])
        for of_fold, score, member in zip(overlap, scores, members, strict=True)
    ]
    rho, p_value, n = spearman(
        np.concatenate([shared for shared, _ in columns]),
        np.concatenate([score for _, score in columns]),
    )
    by_fold = Measurement.over_folds(
        group,
        "Spearman",
        [grid.fold for grid in grids],
        [spearman(*column).rho for column in columns],
        n,
    )
    return OverlapCorrelation(group, rho, p_value, n, by_fold)
