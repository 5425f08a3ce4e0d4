"""Results of a block of query segments, as the rows that a project stores."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.app.results.explanations import dump_explanation
from locisimiles.app.storage.tables.result_rows import (
    change_probabilities,
    delete_results,
    judged_results,
    result_probabilities,
)
from locisimiles.results.columns import parallel_ids

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from locisimiles.app.storage.database import Connection
    from locisimiles.classify.base_rates import BaseRate, BaseRates
    from locisimiles.classify.selection import Selection
    from locisimiles.evidence import EvidenceFinder
    from locisimiles.results import Results

__all__ = ["adapt_stored", "result_rows", "select_stored"]


def result_rows(
    results: Results, finder: EvidenceFinder, positions: NDArray[np.int64]
) -> Iterator[tuple[object, ...]]:
    """Return the rows of a block of results; `positions` are those of sources in the project."""
    results = results.grouped()
    query = results.candidates.query.astype("int64")
    evidence = finder.for_pairs(query, results.candidates.source.astype("int64"))
    sources = positions[results.candidates.source].tolist()
    columns = zip(query.tolist(), sources, results, evidence, parallel_ids(results), strict=True)
    for at, source, reference, why, parallel_to in columns:
        judged = reference.probabilities
        alignment = [[*pair.query, *pair.source, pair.bond] for pair in why.alignment.pairs]
        yield (
            at, source, reference.rank, reference.score,
            *((judged.reference, judged.cit, judged.cf, judged.kind) if judged else [None] * 4),
            reference.query.id, reference.source.id,
            reference.query.author, reference.query.work,
            reference.source.author, reference.source.work,
            " ".join(word.lemma for word in why.shared),
            min((word.in_source for word in why.shared), default=None),
            json.dumps(alignment, separators=(",", ":")), dump_explanation(why), parallel_to,
        )  # fmt: skip


def adapt_stored(
    connection: Connection, search: int, rates: BaseRates, authors: Sequence[str]
) -> BaseRate:
    """Adapt the probabilities of a search to the base rate of its text; return the rate.

    Scores stay the classifier's own numbers. `authors` are those of the query segments.
    """
    stored = judged_results(connection, search)
    query = np.array([row["query"] for row in stored], np.int64)
    score = np.array([row["score"] for row in stored], np.float64)
    rate = rates.estimate(query, score, authors)
    adapted = rate.probability(score, [authors[at] for at in query.tolist()])
    change_probabilities(
        connection,
        [
            (new, row["cit"] * (new / old), row["cf"] * (new / old), row["row"])
            for row, new, old in zip(stored, adapted.tolist(), score.tolist(), strict=True)
            if new != old and old > 0
        ],
    )
    return rate


def select_stored(connection: Connection, search: int, selection: Selection) -> NDArray[np.float32]:
    """Delete results of a search that a selection drops.

    Return the probabilities of those that count: of parallel sources, the best one.
    """
    scored = result_probabilities(connection, search)
    probability = np.array([chance for _, chance, _ in scored], np.float32)
    counts = np.array([not parallel_to for *_, parallel_to in scored], np.bool_)
    kept = selection.kept(probability)
    delete_results(connection, [scored[at][0] for at in np.flatnonzero(~kept).tolist()])
    return probability[kept & counts]
