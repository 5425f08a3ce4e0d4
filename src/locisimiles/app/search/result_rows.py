"""Results of a block of query segments, as the rows that a project stores."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from locisimiles.app.results.explanations import dump_explanation
from locisimiles.app.storage.tables.result_rows import delete_results, result_scores

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from locisimiles.app.storage.database import Connection
    from locisimiles.classify.selection import Selection
    from locisimiles.evidence import EvidenceFinder
    from locisimiles.results import Results

__all__ = ["result_rows", "select_stored"]


def result_rows(
    results: Results, finder: EvidenceFinder, positions: NDArray[np.int64]
) -> Iterator[tuple[object, ...]]:
    """Return the rows of a block of results; `positions` are those of sources in the project."""
    query = results.candidates.query.astype("int64")
    evidence = finder.for_pairs(query, results.candidates.source.astype("int64"))
    sources = positions[results.candidates.source].tolist()
    columns = zip(query.tolist(), sources, results, evidence, strict=True)
    for at, source, reference, why in columns:
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
            json.dumps(alignment, separators=(",", ":")), dump_explanation(why),
        )  # fmt: skip


def select_stored(connection: Connection, search: int, selection: Selection) -> NDArray[np.float32]:
    """Delete results of a search that a selection drops; return the probabilities of the others."""
    scored = result_scores(connection, search)
    # Scores are the classifier's own numbers; sums of two probabilities are rounded differently.
    probability = np.array([score for _, score in scored], np.float32)
    kept = selection.kept(probability)
    delete_results(connection, [scored[at][0] for at in np.flatnonzero(~kept).tolist()])
    return probability[kept]
