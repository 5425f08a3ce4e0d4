"""The method ``shared-lemmas``: a plain baseline.

The labels of the benchmark follow a rule about shared lemmas (at least two, close together, make a
reference *cit.*). This classifier sees what such a rule could see, as nine features, in a
multinomial logistic regression. It is fitted on all pairs of the fold documents of the training
folds, so that its probabilities reflect how rare references are in them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from locisimiles.benchmark.protocols.grid import PairGrid
from locisimiles.benchmark.sets.pools import fold_pool
from locisimiles.checks import check_pairs
from locisimiles.classify.calibration import Calibration
from locisimiles.classify.logistic import fit_logistic, predict_logistic
from locisimiles.classify.thresholds import Thresholds
from locisimiles.errors import ParameterError
from locisimiles.latin import STOPWORDS, Frequencies
from locisimiles.progress import silent
from locisimiles.retrieve.lexical.terms import term_function

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.corpus import Document
    from locisimiles.index import PreparedDocument
    from locisimiles.progress import Progress
    from locisimiles.retrieve.lexical.terms import TermKind

__all__ = ["FEATURES", "FittedSharedLemmas", "SharedLemmas", "pair_features"]

FEATURES = (
    "shared lemmas",
    "rarity of the shared lemmas",
    "rarity of the rarest of them",
    "shared forms",
    "shared neighbours",
    "share of the words' rarity",
    "shared function words",
    "length of the query",
    "length of the source",
)
"""The features of a pair, beside a constant. Counts and sums as log(1 + x)."""

_WORDS_BETWEEN = 2
_ALIKE = 10


@dataclass(frozen=True, slots=True)
class SharedLemmas:
    """Logistic regression over the lemmas that two segments share.

    Parameters
    ----------
    ridge
        The strength of the L2 penalty.
    seed
        Draws the fold documents it learns from.
    """

    ridge: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.ridge < math.inf:
            raise ParameterError("learn.ridge", value=str(self.ridge))

    def parameters(self) -> Mapping[str, object]:
        """Return the parameters, for the manifest of a run."""
        return {
            "name": "shared-lemmas",
            "features": list(FEATURES),
            "ridge": self.ridge,
            "seed": self.seed,
        }

    def fit(
        self,
        training: Benchmark,
        source: PreparedDocument,  # noqa: ARG002 - pools have sources of their own
        *,
        progress: Progress = silent,
    ) -> FittedSharedLemmas:
        """Learn the weights from all pairs of the training folds' documents.

        Raises
        ------
        ParameterError
            If the training set has no folds, or no references of one of the types.
        """
        if not training.folds:
            raise ParameterError("learn.no_folds")
        features, labels = [], []
        for done, fold in enumerate(training.folds):
            progress("reading training pairs", done, len(training.folds))
            pool = fold_pool(training, fold, seed=self.seed)
            seen = pair_features(pool.query, pool.source)
            grid = PairGrid.from_references(
                np.zeros((*seen.shape[:2], 3), np.float32), pool.references
            )
            features.append(seen.reshape(-1, seen.shape[-1]))
            labels.append(grid.label.ravel())
        progress("reading training pairs", len(training.folds), len(training.folds))
        columns, label = np.concatenate(features), np.concatenate(labels)
        # Most pairs share no lemma and are nearly all alike: every tenth suffices.
        alike = (columns[:, 0] == 0) & (label == 0)
        kept = ~alike | (np.arange(len(label)) % _ALIKE == 0)
        weights = fit_logistic(
            columns[kept],
            label[kept],
            classes=3,
            weight=np.where(alike[kept], float(_ALIKE), 1.0),
            ridge=self.ridge,
        )
        thresholds = Thresholds.tuned(predict_logistic(columns, weights), label)
        return FittedSharedLemmas(weights, Calibration(thresholds))


@dataclass(frozen=True, slots=True, eq=False)
class FittedSharedLemmas:
    """The classifier that `SharedLemmas` learns.

    Attributes
    ----------
    weights
        A row per class but the first, a column per feature and, last, the constant.
    calibration
        Thresholds tuned on the training pairs.
    """

    weights: NDArray[np.float64]
    calibration: Calibration

    def parameters(self) -> Mapping[str, object]:
        """Return the weights, for the manifest of a run."""
        return {"name": "shared-lemmas", "weights": self.weights.round(6).tolist()}

    def probabilities(
        self,
        query: Document,
        source: Document,
        query_rows: NDArray[np.integer[Any]],
        source_rows: NDArray[np.integer[Any]],
        *,
        progress: Progress = silent,
    ) -> NDArray[np.float32]:
        """Return the probabilities of no match, *cit.* and *cf.*, a row per pair."""
        check_pairs(query_rows, source_rows, len(query), len(source))
        progress("comparing", 0, 1)
        features = pair_features(query, source)[query_rows, source_rows]
        chances = predict_logistic(features, self.weights).astype(np.float32)
        progress("comparing", 1, 1)
        return chances


def pair_features(query: Document, source: Document) -> NDArray[np.float64]:
    """Return the features of each pair, shape (queries, sources, features).

    Examples
    --------
    >>> from locisimiles import Document, Segment
    >>> query = Document.from_segments([Segment("q", "haesit uox faucibus")])
    >>> source = Document.from_segments(
    ...     [Segment("s", "et vox faucibus haesit"), Segment("t", "et")]
    ... )
    >>> np.expm1(pair_features(query, source)[0, :, 0]).round().tolist()
    [3.0, 0.0]
    """
    lemmas = _Sides.of("lemma", query, source)
    forms = _Sides.of("surface", query, source)
    rarity = Frequencies.shipped().rarity
    content = lemmas.only(lambda lemma: lemma not in STOPWORDS)
    weight = {lemma: rarity(str(lemma)) for lemma in content.vocabulary()}
    count, weighed, rarest = content.shared(weight)
    whole = np.outer(
        *(np.array([sum(map(weight.__getitem__, t)) for t in side]) for side in content)
    )
    shape = (len(query), len(source))
    lengths = [np.log1p([len(terms) for terms in side]) for side in forms]
    columns = (
        np.log1p(count),
        np.log1p(weighed),
        rarest,
        np.log1p(forms.only(lambda form: form not in STOPWORDS).shared()[0]),
        np.log1p(content.neighbours().shared()[0]),
        np.divide(weighed, np.sqrt(whole), out=np.zeros(shape), where=whole > 0),
        np.log1p(lemmas.only(lambda lemma: lemma in STOPWORDS).shared()[0]),
        np.broadcast_to(lengths[0][:, np.newaxis], shape),
        np.broadcast_to(lengths[1], shape),
    )
    return np.stack(columns, axis=-1)


class _Sides(NamedTuple):
    """The terms of the segments of both documents, in order."""

    query: Sequence[Sequence[Hashable]]
    source: Sequence[Sequence[Hashable]]

    @classmethod
    def of(
        cls,
        kind: TermKind,
        query: Document,
        source: Document,
    ) -> _Sides:
        to_terms = term_function(kind)
        return cls(to_terms(query.texts), to_terms(source.texts))

    def only(self, wanted: Callable[[Hashable], bool]) -> _Sides:
        """Keep some terms."""
        return _Sides(*([[t for t in terms if wanted(t)] for terms in side] for side in self))

    def neighbours(self) -> _Sides:
        """Return pairs of terms with few words between them, in either order."""
        return _Sides(*([_close_pairs(terms) for terms in side] for side in self))

    def vocabulary(self) -> set[Hashable]:
        """Return all terms."""
        return set(chain.from_iterable(chain(*self)))

    def shared(
        self, weight: Mapping[Hashable, float] | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return for each pair the number of shared terms, their total weight, and the highest."""
        places = _places(self.query), _places(self.source)
        count, total, highest = np.zeros((3, len(self.query), len(self.source)))
        # The heaviest terms come last, so that their weight remains.
        common = places[0].keys() & places[1].keys()
        weighed = sorted((weight[term] if weight else 1.0, str(term), term) for term in common)
        for value, _, term in weighed:
            cells = np.ix_(places[0][term], places[1][term])
            count[cells] += 1
            total[cells] += value
            highest[cells] = value
        return count, total, highest


def _close_pairs(terms: Sequence[Hashable]) -> list[Hashable]:
    reach = _WORDS_BETWEEN + 1
    return [
        frozenset([term, other])
        for at, term in enumerate(terms)
        for other in terms[at + 1 : at + 1 + reach]
        if other != term
    ]


def _places(side: Sequence[Sequence[Hashable]]) -> dict[Hashable, list[int]]:
    """Return the segments that each term occurs in."""
    places: dict[Hashable, list[int]] = {}
    for at, terms in enumerate(side):
        for term in set(terms):
            places.setdefault(term, []).append(at)
    return places
