"""Protocol ``overlap``: whether a classifier is right where segments share words.

Over all pairs of the fold documents, the lexical overlap of a pair (by default the number of lemmas
both segments contain) is correlated with the correctness of the classifier, by the label of the
pair. The paper defines neither; our readings:

*Overlap.* The paper's mean overlap of references (5.11 lemmas for *cit.*, 1.65 for *cf.*) lies
between what our lemmatizer gives without function words (4.4, 1.4) and with them (6.1, 2.5).
`shared_lemmas` offers both.

*Correctness.* ``decision``: 1 if a reference is predicted to be of its type, or another pair to be
of none; else 0. ``probability``: the probability of the pair's label.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from locisimiles.benchmark.metrics.correlation import spearman
from locisimiles.benchmark.metrics.measurement import Measurement
from locisimiles.benchmark.protocols.grid import decide
from locisimiles.benchmark.sets.groups import GROUPS, in_group
from locisimiles.checks import check_choice
from locisimiles.classify.labels import TYPES
from locisimiles.errors import ParameterError
from locisimiles.latin import STOPWORDS
from locisimiles.retrieve.lexical.terms import term_function

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.protocols.grid import PairGrid
    from locisimiles.classify.thresholds import DecisionRule
    from locisimiles.corpus import Document

__all__ = ["Correctness", "correctness", "evaluate_overlap", "shared_lemmas"]

Correctness = Literal["decision", "probability"]


def evaluate_overlap(
    grids: Sequence[PairGrid],
    overlap: Sequence[NDArray[np.float64] | NDArray[np.int64]],
    rule: DecisionRule | Sequence[DecisionRule],
    *,
    right: Correctness = "decision",
) -> tuple[Measurement, ...]:
    """Correlate lexical overlap with correctness, for each group of pairs.

    Parameters
    ----------
    grids
        One per fold.
    overlap
        The overlap of every pair of each grid, such as `shared_lemmas`.
    rule
        Turns probabilities into decisions: one rule, or one per fold.
    right
        How correctness is defined, see above.

    Returns
    -------
    tuple of Measurement
        For the groups ``cit``, ``cf``, ``pooled`` (both), ``none`` (negatives) and ``all``:
        ``Spearman`` by fold, and over the pairs of all folds ``Spearman, all folds`` and ``p, all
        folds``. NaN if overlap or correctness is constant.
    """
    decisions = decide(grids, rule)
    expected, shapes = [grid.label.shape for grid in grids], [np.shape(one) for one in overlap]
    if shapes != expected:
        raise ParameterError(
            "benchmark.unequal_shapes",
            names="grids and overlap",
            shapes=f"{expected} and {shapes}",
        )
    scores = [
        correctness(grid, decision, right=right)
        for grid, decision in zip(grids, decisions, strict=True)
    ]
    return tuple(
        measured
        for group in (*GROUPS, "none", "all")
        for measured in _correlate(group, grids, overlap, scores)
    )


def correctness(
    grid: PairGrid, decisions: NDArray[np.bool_], *, right: Correctness = "decision"
) -> NDArray[np.float64]:
    """Return the correctness of a classifier for each pair, from 0 to 1."""
    check_choice(get_args(Correctness), right=right)
    if right == "probability":
        label = grid.label[..., np.newaxis].astype(np.intp)
        return np.take_along_axis(grid.probabilities, label, axis=-1)[..., 0].astype(np.float64)
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
        Fold documents; the result has one cell per pair.
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
    # Only lemmas of both documents can be shared, which keeps the matrices small.
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
) -> list[Measurement]:
    members = [_members(grid, group) for grid in grids]
    columns = [
        (np.asarray(of_fold)[member], score[member])
        for of_fold, score, member in zip(overlap, scores, members, strict=True)
    ]
    rho, p_value, n = spearman(
        np.concatenate([shared for shared, _ in columns]),
        np.concatenate([score for _, score in columns]),
    )
    folds = [grid.fold for grid in grids]
    by_fold = [spearman(*column).rho for column in columns]
    return [
        Measurement.over_folds(group, "Spearman", folds, by_fold, n),
        Measurement.over_folds(group, "Spearman, all folds", [-1], [rho], n),
        Measurement.over_folds(group, "p, all folds", [-1], [p_value], n),
    ]
