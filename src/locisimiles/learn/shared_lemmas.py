"""The method ``shared-lemmas``: a simple baseline.

The labels of the benchmark follow a rule about shared lemmas (at least two, close together, make a
reference *cit.*). This classifier sees what such a rule could see: nine features, in a multinomial
logistic regression. It is fitted to all pairs of the training fold documents, so that its
probabilities reflect the base rate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from locisimiles.benchmark.protocols.grid import PairGrid
from locisimiles.benchmark.sets.pools import fold_pool
from locisimiles.classify.calibration import Calibration
from locisimiles.classify.logistic import fit_logistic, predict_logistic
from locisimiles.classify.thresholds import Thresholds
from locisimiles.errors import ParameterError
from locisimiles.latin import STOPWORDS, Frequencies
from locisimiles.learn.feature_classifier import FeatureClassifier
from locisimiles.progress import silent
from locisimiles.retrieve.lexical.terms import term_function

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from numpy.typing import NDArray

    from locisimiles.benchmark.sets.dataset import Benchmark
    from locisimiles.classify.base import Pairs
    from locisimiles.corpus import Document
    from locisimiles.index import PreparedDocument
    from locisimiles.progress import Progress

__all__ = ["FEATURES", "SharedLemmas", "pair_features"]

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
"""The features of a pair. Counts and sums are log(1 + x)."""

_REACH = 3  # the largest distance of neighbours
_ALIKE = 10


@dataclass(frozen=True, slots=True)
class SharedLemmas:
    """A logistic regression over shared lemmas, to be trained.

    `ridge` is the L2 penalty; the seed draws the fold documents.
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
    ) -> FeatureClassifier:
        """Fit the weights to all pairs of the training fold documents."""
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
        # Most pairs share no lemma and are nearly alike: every tenth suffices.
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
        return FeatureClassifier(
            {"name": "shared-lemmas", "weights": weights.round(6).tolist()},
            _features_of_pairs,
            partial(predict_logistic, weights=weights),
            Calibration(thresholds),
        )


def _features_of_pairs(pairs: Pairs, *, progress: Progress = silent) -> NDArray[np.float64]:
    progress("comparing", 0, 1)
    features = pair_features(pairs.query, pairs.source)[pairs.query_rows, pairs.source_rows]
    progress("comparing", 1, 1)
    return features


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
    lemmas, forms = (
        _Sides(*(term_function(kind)(document.texts) for document in (query, source)))
        for kind in ("lemma", "surface")
    )
    rarity = Frequencies.shipped().rarity
    content = lemmas.only(lambda lemma: lemma not in STOPWORDS)
    weight = {lemma: rarity(str(lemma)) for lemma in chain.from_iterable(chain(*content))}
    count, weighted, rarest = content.shared(weight)
    whole = np.outer(
        *(np.array([sum(map(weight.__getitem__, t)) for t in side]) for side in content)
    )
    shape = (len(query), len(source))
    lengths = [np.log1p([len(terms) for terms in side]) for side in forms]
    columns = (
        np.log1p(count),
        np.log1p(weighted),
        rarest,
        np.log1p(forms.only(lambda form: form not in STOPWORDS).shared()[0]),
        np.log1p(content.neighbours().shared()[0]),
        np.divide(weighted, np.sqrt(whole), out=np.zeros(shape), where=whole > 0),
        np.log1p(lemmas.only(lambda lemma: lemma in STOPWORDS).shared()[0]),
        np.broadcast_to(lengths[0][:, np.newaxis], shape),
        np.broadcast_to(lengths[1], shape),
    )
    return np.stack(columns, axis=-1)


class _Sides(NamedTuple):
    """The terms of the segments of both documents, in order."""

    query: Sequence[Sequence[Hashable]]
    source: Sequence[Sequence[Hashable]]

    def only(self, wanted: Callable[[Hashable], bool]) -> _Sides:
        """Keep some terms."""
        return _Sides(*([[t for t in terms if wanted(t)] for terms in side] for side in self))

    def neighbours(self) -> _Sides:
        """Return pairs of neighbouring terms, in either order."""
        return _Sides(*([_close_pairs(terms) for terms in side] for side in self))

    def shared(
        self, weight: Mapping[Hashable, float] | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return for each pair the number of shared terms, their total weight, and the highest."""
        places = _places(self.query), _places(self.source)
        count, total, highest = np.zeros((3, len(self.query), len(self.source)))
        # The heaviest terms come last, so that their weight stays.
        common = places[0].keys() & places[1].keys()
        weighted = sorted((weight[term] if weight else 1.0, str(term), term) for term in common)
        for value, _, term in weighted:
            cells = np.ix_(places[0][term], places[1][term])
            count[cells] += 1
            total[cells] += value
            highest[cells] = value
        return count, total, highest


def _close_pairs(terms: Sequence[Hashable]) -> list[Hashable]:
    return [
        frozenset([term, other])
        for at, term in enumerate(terms)
        for other in terms[at + 1 : at + 1 + _REACH]
        if other != term
    ]


def _places(side: Sequence[Sequence[Hashable]]) -> dict[Hashable, list[int]]:
    """Return the segments that each term occurs in."""
    places: dict[Hashable, list[int]] = {}
    for at, terms in enumerate(side):
        for term in set(terms):
            places.setdefault(term, []).append(at)
    return places
